package flow

import (
	"iter"

	"github.com/wf-lang/wf/lang/value"
)

// settled: a branch is through, failed or was cut. The block is done when all
// of its branches are.
func (n *next) settled(t *Track) {
	parent := n.parent(t)
	parent.Open--
	if t.Phase == Broken && parent.Failure == nil {
		parent.Failure = t.Failure
		n.cutBranches(parent)
	}
	if parent.Open == 0 {
		n.join(parent)
	}
}

// cutBranches ends the attempts of all branches below a block that have not
// settled.
func (n *next) cutBranches(parent *Track) {
	for _, path := range n.childPaths(parent) {
		c := n.track(path)
		if c.Phase == Done || c.Phase == Broken {
			continue
		}
		n.cutTrack(c)
		parent.Open--
	}
}

// cutTrack ends whatever is under way on a track and below it. Nothing of it is
// applied; its signals go back.
func (n *next) cutTrack(t *Track) {
	switch t.Phase {
	case Active, Waiting, Backoff:
		n.command(Cut, t.Path)
	case InBlock:
		n.cutBranches(t)
		n.dropBranches(t)
	}
	n.t.Returned = append(n.t.Returned, t.Taken...)
	t.Taken, t.Wait = nil, nil
	n.phase(t, Broken)
}

// childPaths lists the branches of a block in their order, those made in this
// transition included.
func (n *next) childPaths(parent *Track) []string {
	it := items(n.w, parent.Where)[parent.Item].Parallel
	paths := make([]string, len(it.Branches))
	for i := range it.Branches {
		paths[i] = childPath(parent.Path, Place{parent.Item, parent.Visits[parent.Item], i})
	}
	return paths
}

func (n *next) dropBranches(parent *Track) {
	for _, path := range n.childPaths(parent) {
		n.drop(path)
	}
}

// join: every branch of the block has settled.
func (n *next) join(t *Track) {
	f := t.Failure
	var keys []string
	var vals []value.Value
	var others []value.Value
	it := items(n.w, t.Where)[t.Item].Parallel
	for i, path := range n.childPaths(t) {
		c := n.track(path)
		keys, vals = append(keys, it.Branches[i].Name), append(vals, c.Value)
		if c.Failure != nil && c.Failure != f {
			others = append(others, failureValue(c.Failure))
		}
	}
	n.dropBranches(t)
	t.Shadow, t.Failure = nil, nil
	n.phase(t, Idle)
	if f == nil {
		v := value.NewRecord(keys, vals)
		n.completed(t, v)
		n.start(t, t.Item+1, v)
		return
	}
	whole := *f
	if len(others) > 0 {
		whole.Detail = value.NewRecord([]string{"error", "others"}, []value.Value{f.Detail, value.List(others...)})
	}
	n.itemFailed(t, &whole, !f.Decided)
}

func failureValue(f *Failure) value.Value {
	return value.NewRecord([]string{"code", "message", "step", "detail"},
		[]value.Value{value.String(f.Code), value.String(f.Message), value.String(f.Step), f.Detail})
}

// ActivePaths gives the paths of all tracks with an attempt to go on with.
func ActivePaths(v View) iter.Seq[string] {
	return func(yield func(string) bool) {
		if v.State().Root.Phase == Active && !yield("") {
			return
		}
		for t := range v.Tracks() {
			if t.Phase == Active && !yield(t.Path) {
				return
			}
		}
	}
}
