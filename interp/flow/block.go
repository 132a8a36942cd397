package flow

import (
	"iter"
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// enter starts the branches of the block that a track is at.
func (n *next) enter(t *Track, e Entered) {
	b := items(n.w, t.Where)[t.Item].Parallel
	n.phase(t, InBlock)
	t.Shadow, t.Failure = nil, nil
	t.Begun, t.Open, t.Lost, t.Won, t.Queue, t.Over = 0, 0, 0, nil, nil, false
	t.Need, t.Max, t.Total = e.Need, e.Max, len(b.Branches)
	if b.For {
		t.Total = len(e.Elements)
		n.t.Elements = append(n.t.Elements, Elements{t.Path, e.Elements})
	}
	if b.Mode == program.First && t.Need > t.Total {
		t.Failure = &Failure{Code: "first", Step: "parallel", Index: -1,
			Message: "the block has fewer branches than are to succeed"}
		t.Over = true
	}
	if b.Mode == program.First && t.Need <= 0 {
		t.Over = true
	}
	n.more(t, b)
	n.joined(t)
}

// more begins branches, as many as may run at once.
func (n *next) more(t *Track, b *program.Parallel) {
	for !t.Over && t.Begun < t.Total && (t.Max <= 0 || t.Open < t.Max) {
		i := t.Begun
		t.Begun++
		t.Open++
		p := Place{t.Item, t.Visits[t.Item], i}
		c := n.put(&Track{Path: childPath(t.Path, p), Where: append(slices.Clip(t.Where), p)})
		if br := branchOf(b, i); br.Compensate != nil {
			n.putUndo(&Undo{Key: order(t.Order, uint32(i)), Where: c.Where, Item: -1, Step: br.Name, Input: t.Input, Elems: n.elems(c.Where)})
		}
		n.start(c, 0, t.Input)
	}
}

func (n *next) blockOf(t *Track) *program.Parallel {
	return items(n.w, t.Where)[t.Item].Parallel
}

// branchSucceeded: a branch is through.
func (n *next) branchSucceeded(c *Track) {
	t := n.parent(c)
	t.Open--
	if b := n.blockOf(t); b.Mode == program.First && !t.Over {
		t.Won = append(slices.Clip(t.Won), branchNumber(c))
		if len(t.Won) >= t.Need {
			n.over(t)
		}
	}
	n.branchSettled(t)
}

// branchFailed: a branch failed for good. In a plain block its siblings are cut
// and the block will fail; in `settle` and `first` it is undone at once, alone.
func (n *next) branchFailed(c *Track) {
	t := n.parent(c)
	b := n.blockOf(t)
	if b.For {
		c.Failure.Index = int64(branchNumber(c))
	}
	t.Lost++
	first := t.Failure == nil
	if b.Mode != program.Settle && first {
		t.Failure = c.Failure
	}
	if b.Mode == program.All {
		t.Open--
		if first {
			t.Over = true
			n.cutBranches(t)
		}
		n.branchSettled(t)
		return
	}
	n.toUndo(t, c)
	if b.Mode == program.First && !t.Over && t.Total-t.Lost < t.Need {
		n.over(t)
	}
	n.branchSettled(t)
}

// over: a `first` block is decided. What still runs has lost.
func (n *next) over(t *Track) {
	t.Over = true
	for _, path := range n.childPaths(t) {
		switch n.peek(path).Phase {
		case Done, Broken, ToUndo, Undoing:
			continue
		}
		c := n.track(path)
		n.cutTrack(c)
		n.toUndo(t, c)
	}
}

// toUndo has a failed or cut branch undone, if there is anything to undo. The
// branches of one block are undone one at a time, the last one first.
func (n *next) toUndo(t, c *Track) {
	if n.lastUndo(order(t.Order, uint32(branchNumber(c)))) == nil {
		n.phase(c, Broken)
		t.Open--
		return
	}
	n.phase(c, ToUndo)
	t.Queue = append(slices.Clip(t.Queue), branchNumber(c))
}

// undoBranches starts the next compensation of a block's failed branches, unless
// one is under way.
func (n *next) undoBranches(t *Track) {
	if len(t.Queue) == 0 {
		return
	}
	i := slices.Max(t.Queue)
	for _, q := range t.Queue {
		if c := n.child(t, q); c != nil && c.Phase == Undoing {
			return
		}
	}
	c := n.child(t, i)
	n.phase(c, Undoing)
	n.undoNext(c.Path, order(t.Order, uint32(i)))
}

func (n *next) child(t *Track, i int) *Track {
	return n.track(childPath(t.Path, Place{t.Item, t.Visits[t.Item], i}))
}

// branchUndone: what a failed branch had started is undone.
func (n *next) branchUndone(c *Track) {
	t := n.parent(c)
	i := branchNumber(c)
	t.Queue = slices.DeleteFunc(slices.Clone(t.Queue), func(q int) bool { return q == i })
	n.phase(c, Broken)
	t.Open--
	n.branchSettled(t)
}

// branchSettled goes on after something about a block's branches has changed.
func (n *next) branchSettled(t *Track) {
	n.undoBranches(t)
	n.more(t, n.blockOf(t))
	n.joined(t)
}

// cutBranches ends whatever is under way in the branches of a block.
func (n *next) cutBranches(t *Track) {
	for _, path := range n.childPaths(t) {
		if c := n.peek(path); c == nil || c.Phase == Done || c.Phase == Broken {
			continue
		}
		n.cutTrack(n.track(path))
		t.Open--
	}
	t.Queue = nil
}

// cutTrack ends whatever is under way on a track and below it. Nothing of it is
// applied; its signals go back.
func (n *next) cutTrack(t *Track) {
	switch t.Phase {
	case Active, Waiting, Backoff:
		n.command(Cut, t.Path)
	case InBlock:
		n.cutBranches(t)
		n.dropBlock(t)
	case Undoing:
		n.cutUnitUndo(t.Path)
	}
	n.t.Returned = append(n.t.Returned, t.Taken...)
	t.Taken, t.Wait, t.Retry = nil, nil, 0
	n.phase(t, Broken)
}

// cutUnitUndo ends the compensation that works for a branch; its row stays.
func (n *next) cutUnitUndo(unit string) {
	for u := range n.v.Tracks() {
		if u.Undoing != "" && u.Unit == unit {
			if t := n.track(u.Path); t != nil {
				n.cutTrack(t)
				n.drop(t.Path)
			}
			return
		}
	}
}

// childPaths lists the branches of a block that have begun, in their order.
func (n *next) childPaths(t *Track) []string {
	paths := make([]string, t.Begun)
	for i := range paths {
		paths[i] = childPath(t.Path, Place{t.Item, t.Visits[t.Item], i})
	}
	return paths
}

// dropBlock removes the rows of a block that is through.
func (n *next) dropBlock(t *Track) {
	for _, path := range n.childPaths(t) {
		n.drop(path)
	}
	if n.blockOf(t).For {
		n.t.Elements = slices.DeleteFunc(n.t.Elements, func(e Elements) bool { return e.Path == t.Path })
		n.t.Elements = append(n.t.Elements, Elements{Path: t.Path})
	}
	t.Begun, t.Open, t.Won, t.Queue, t.Shadow = 0, 0, nil, nil, nil
}

// joined ends the block if every branch has settled and none is to come.
func (n *next) joined(t *Track) {
	if t.Phase != InBlock || t.Open > 0 || !t.Over && t.Begun < t.Total {
		return
	}
	b := n.blockOf(t)
	f := t.Failure
	if b.Mode == program.First && len(t.Won) >= t.Need {
		f = nil
	}
	v, others := n.blockValue(t, b, f)
	n.dropBlock(t)
	t.Failure = nil
	n.phase(t, Idle)
	if f == nil {
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

// blockValue is what a block is worth, and the failures beside the first.
func (n *next) blockValue(t *Track, b *program.Parallel, f *Failure) (value.Value, []value.Value) {
	if b.Mode == program.First && f == nil {
		vals := make([]value.Value, len(t.Won))
		for i, w := range t.Won {
			vals[i] = n.peek(childPath(t.Path, Place{t.Item, t.Visits[t.Item], w})).Value
		}
		return value.List(vals...), nil
	}
	var keys []string
	var vals, others []value.Value
	found := false // the branch that f is of
	for i, path := range n.childPaths(t) {
		c := n.peek(path)
		v := c.Value
		switch {
		case b.Mode == program.Settle:
			v = settledValue(c)
		case c.Failure != nil && !found && sameFailure(c.Failure, f):
			found = true
		case c.Failure != nil:
			others = append(others, FailureValue(c.Failure))
		}
		keys, vals = append(keys, branchOf(b, i).Name), append(vals, v)
	}
	if b.For {
		return value.List(vals...), others
	}
	return value.NewRecord(keys, vals), others
}

// sameFailure reports whether two failures, which may have been read from the
// store one by one, tell the same.
func sameFailure(a, b *Failure) bool {
	return b != nil && a.Code == b.Code && a.Message == b.Message && a.Step == b.Step && a.Index == b.Index && a.Place == b.Place &&
		value.Equal(a.Detail, b.Detail)
}

// settledValue is Ok(value) or Err(error).
func settledValue(c *Track) value.Value {
	if c.Failure == nil {
		return value.NewVariant(&value.Variant{Name: "Ok", Names: []string{""}, Fields: []value.Value{c.Value}})
	}
	return value.NewVariant(&value.Variant{Name: "Err", Names: []string{""}, Fields: []value.Value{FailureValue(c.Failure)}})
}

// FailureValue is a failure as scripts see it.
func FailureValue(f *Failure) value.Value {
	index := value.Nil
	if f.Index >= 0 {
		index = value.Int(f.Index)
	}
	return value.NewRecord([]string{"code", "message", "step", "index", "detail"},
		[]value.Value{value.String(f.Code), value.String(f.Message), value.String(f.Step), index, f.Detail})
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
