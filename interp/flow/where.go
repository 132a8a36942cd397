package flow

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// items are the items of the sequence at an address.
func items(w *program.Workflow, where []Place) []*program.Item {
	list := w.Items
	for _, p := range where {
		list = branchOf(list[p.Item].Parallel, p.Branch).Items
	}
	return list
}

// branchOf is the branch of a number: all elements share one.
func branchOf(b *program.Parallel, i int) *program.Branch {
	if b.For {
		return b.Branches[0]
	}
	return b.Branches[i]
}

// CurrentItem is the item that a track is at, nil behind the last one.
func CurrentItem(w *program.Workflow, t *Track) *program.Item {
	list := items(w, t.Where)
	if t.Undoing != "" || t.Final || t.Item >= len(list) {
		return nil
	}
	return list[t.Item]
}

// StepIndex is the position of an instance: the index of the item that runs or
// would run next.
func StepIndex(s *State) int {
	if s.Status == Paused && !s.Pause.IsParked() {
		return s.Pause.Next
	}
	return s.Root.Item
}

// Step is the wire name of the item an instance is at: while it is paused the
// one that paused or was cut, at the end the last one.
func Step(w *program.Workflow, s *State) string {
	i := s.Root.Item
	if s.Ending == ByEnd || s.Ending != NotEnding && s.Root.Phase == Done {
		i--
	}
	if i < 0 || i >= len(w.Items) {
		return ""
	}
	return w.Items[i].Name()
}

// CompensationOf finds the code that an undo row calls for.
func CompensationOf(w *program.Workflow, u *Undo) *program.Compensation {
	if u.Item >= 0 {
		return compensationOf(items(w, u.Where)[u.Item])
	}
	if len(u.Where) == 0 {
		return w.Compensate
	}
	last := u.Where[len(u.Where)-1]
	return branchOf(items(w, u.Where[:len(u.Where)-1])[last.Item].Parallel, last.Branch).Compensate
}

// Elems are the elements of the `parallel for` blocks around a place, outermost
// first: the first arguments of every body there.
func Elems(w *program.Workflow, v View, where []Place) []value.Value {
	var out []value.Value
	list, path := w.Items, ""
	for _, p := range where {
		b := list[p.Item].Parallel
		if b.For {
			if es := v.Elements(path); p.Branch < len(es) {
				out = append(out, es[p.Branch])
			}
		}
		path = childPath(path, p)
		list = branchOf(b, p.Branch).Items
	}
	return out
}

// Indices are the elements that a place belongs to, one for each `parallel for`
// around it, outermost first.
func Indices(w *program.Workflow, where []Place) []int {
	var out []int
	list := w.Items
	for _, p := range where {
		b := list[p.Item].Parallel
		if b.For {
			out = append(out, p.Branch)
		}
		list = branchOf(b, p.Branch).Items
	}
	return out
}

func compensationOf(it *program.Item) *program.Compensation {
	if it.Step != nil {
		return it.Step.Compensate
	}
	return it.Parallel.Compensate
}
