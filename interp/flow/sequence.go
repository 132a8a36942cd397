package flow

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

func (n *next) begin() {
	if n.w.Compensate != nil {
		n.putUndo(&Undo{Key: order("", 0), Item: -1, Step: n.w.Name})
	}
	n.t.State.Root.Started = 1 // 0 is the workflow's own compensation: the lowest key
	n.start(&n.t.State.Root, 0, value.Nil)
}

// start begins a visit of an item, or ends the sequence behind the last one.
func (n *next) start(t *Track, item int, input value.Value) {
	list := items(n.w, t.Where)
	t.Item, t.Input, t.Attempt, t.Wait, t.Retry = item, input, 1, nil, 0
	t.From = 0
	if item >= len(list) {
		n.through(t)
		return
	}
	it := list[item]
	t.Visits = slices.Clone(t.Visits)
	for len(t.Visits) <= item {
		t.Visits = append(t.Visits, 0)
	}
	t.Visits[item]++
	t.Order = order(n.prefix(t), t.Started)
	t.Started++
	if compensationOf(it) != nil {
		n.putUndo(&Undo{Key: t.Order, Where: t.Where, Item: item, Visit: t.Visits[item], Step: it.Name(), Input: input})
	}
	if it.Step != nil {
		n.activate(t)
		return
	}
	n.startBlock(t, it.Parallel)
}

// prefix is the undo key of the branch that a track belongs to.
func (n *next) prefix(t *Track) string {
	if len(t.Where) == 0 {
		return ""
	}
	parent := n.parent(t)
	return order(parent.Order, uint32(t.Where[len(t.Where)-1].Branch))
}

func (n *next) parent(t *Track) *Track {
	path := ""
	for _, p := range t.Where[:len(t.Where)-1] {
		path = childPath(path, p)
	}
	return n.track(path)
}

func (n *next) startBlock(t *Track, b *program.Parallel) {
	n.phase(t, InBlock)
	t.Shadow, t.Failure = nil, nil
	t.Open = len(b.Branches)
	visit := t.Visits[t.Item]
	var children []*Track
	for i, br := range b.Branches {
		p := Place{t.Item, visit, i}
		where := append(slices.Clip(t.Where), p)
		c := n.put(&Track{Path: childPath(t.Path, p), Where: where})
		if br.Compensate != nil {
			n.putUndo(&Undo{Key: order(t.Order, uint32(i)), Where: where, Item: -1, Step: br.Name, Input: t.Input})
		}
		children = append(children, c)
	}
	for _, c := range children {
		n.start(c, 0, t.Input)
	}
}

// through: the sequence has no more items.
func (n *next) through(t *Track) {
	if len(t.Where) == 0 {
		n.t.State.Result = t.Value
		n.end(ByEnd)
		return
	}
	n.phase(t, Done)
	n.settled(t)
}

// done: the attempt on a track completed.
func (n *next) done(t *Track, e StepDone) {
	n.write(t, e.Writes)
	n.t.Consumed = append(n.t.Consumed, t.Taken...)
	t.Taken = nil
	if t.Undoing != "" {
		n.undone(t, nil)
		return
	}
	if e.How == Decided {
		n.decided(t, e.Cause)
		return
	}
	n.phase(t, Idle)
	n.completed(t, e.Value)
	switch e.How {
	case FellThrough:
		n.start(t, t.Item+1, e.Value)
	case Goto:
		n.start(t, e.Item, e.Input)
	case Pausing:
		n.t.State.Status = Paused
		n.t.State.Pause = &Pause{Reason: e.Reason, Until: e.Until, Then: e.Item, Input: e.Input}
	case End:
		t.Item++
		n.t.State.Result = e.Value
		n.end(ByEnd)
	}
}

// completed notes what a visit was worth, in its undo row and for the next item.
func (n *next) completed(t *Track, v value.Value) {
	t.Value = v
	if u := n.undo(t.Order); u != nil {
		u.Completed, u.Value = true, v
		n.putUndo(u)
	}
}

// write applies the writes of an attempt to the instance, and keeps what the
// branches beside and above must not see of it.
func (n *next) write(t *Track, writes []Field) {
	if len(writes) == 0 {
		return
	}
	s := &n.t.State
	fields := slices.Clone(s.Fields)
	for _, f := range writes {
		if t.Undoing == "" {
			n.shade(t, f.Slot, fields[f.Slot], f.Value)
		}
		fields[f.Slot] = f.Value
	}
	s.Fields = fields
}

// shade notes a write in the branches around it: each branch on the way up has
// assigned the field, each block's other branches go on seeing the old value.
func (n *next) shade(t *Track, slot int, old, val value.Value) {
	for len(t.Where) > 0 {
		t.Own = set(t.Own, slot, val)
		t = n.parent(t)
		if !has(t.Shadow, slot) {
			t.Shadow = set(t.Shadow, slot, old)
		}
	}
}

// failed: the attempt on a track ended in a fault.
func (n *next) failed(t *Track, e StepFailed) {
	n.t.Returned = append(n.t.Returned, t.Taken...)
	t.Taken = nil
	if e.Again {
		t.Attempt++
		if e.RetryAt == 0 {
			n.activate(t)
			return
		}
		t.Retry = e.RetryAt
		n.phase(t, Backoff)
		return
	}
	f := e.Failure
	if t.Undoing != "" {
		n.undone(t, &f)
		return
	}
	n.itemFailed(t, &f, true)
}

// itemFailed: an item of a track failed for good. With failover its `else` step
// takes over, if it has one.
func (n *next) itemFailed(t *Track, f *Failure, failover bool) {
	f.Input = t.Input
	n.t.State.Failure = f
	if e := failoverOf(items(n.w, t.Where)[t.Item]); failover && e >= 0 {
		n.phase(t, Idle)
		t.Value = value.Nil
		n.start(t, e, value.Nil)
		return
	}
	n.broken(t, f)
}

func failoverOf(it *program.Item) int {
	if it.Step != nil {
		return it.Step.Else
	}
	return it.Parallel.Else
}

// decided: a step said `fail`. No retry and no failover asks what to do.
func (n *next) decided(t *Track, f *Failure) {
	f.Input = t.Input
	n.t.State.Failure = f
	f.Decided = true
	n.broken(t, f)
}

// broken: a track failed for good.
func (n *next) broken(t *Track, f *Failure) {
	if len(t.Where) == 0 {
		n.t.State.Cause = f
		n.end(ByFailure)
		return
	}
	n.phase(t, Broken)
	t.Failure = f
	n.settled(t)
}

func (n *next) timeUp(path string) bool {
	s := &n.t.State
	if path == "" && s.Status == Paused && !s.Pause.IsParked() {
		if s.Pause.Until == 0 {
			return false
		}
		p := s.Pause
		s.Status, s.Pause = Running, nil
		if p.Then >= 0 {
			n.start(&s.Root, p.Then, p.Input)
		} else {
			n.start(&s.Root, s.Root.Item+1, s.Root.Value)
		}
		return true
	}
	return n.onTrack(path, func(t *Track) bool { return t.Phase == Backoff }, func(t *Track) {
		t.Retry = 0
		n.activate(t)
	})
}

func (n *next) resume() bool {
	s := &n.t.State
	if s.Status != Paused {
		return false
	}
	p := s.Pause
	s.Status, s.Pause = Running, nil
	if !p.IsParked() {
		n.start(&s.Root, s.Root.Item+1, s.Root.Value)
		return true
	}
	for path := range ActivePaths(n.v) {
		n.command(Run, path)
	}
	return true
}
