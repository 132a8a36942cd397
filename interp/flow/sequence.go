package flow

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

func (n *next) begin(e Begin) {
	if n.w.Entity {
		return // an entity has no position
	}
	if n.w.Compensate != nil {
		n.putUndo(&Undo{Key: order("", 0), Item: -1, Step: n.w.Name})
	}
	n.t.State.Root.Started = 1 // 0 is the workflow's own compensation: the lowest key
	n.t.State.Limit = e.Limit
	if !n.firstPauses() {
		n.startLimit(e.Now)
	}
	n.start(&n.t.State.Root, 0, value.Nil)
}

// firstPauses reports whether the first step does nothing but pause: the time of
// the workflow then counts from the transition that leaves that pause.
func (n *next) firstPauses() bool {
	if len(n.w.Items) == 0 || n.w.Items[0].Step == nil {
		return false
	}
	body := n.w.Items[0].Step.Body.Body
	if b, ok := body.(*program.Block); ok && len(b.Stmts) == 1 {
		body = b.Stmts[0]
	}
	_, ok := body.(*program.Pause)
	return ok
}

// startLimit lets the workflow's timeout begin to run, once.
func (n *next) startLimit(now int64) {
	s := &n.t.State
	if s.Limit > 0 && now > 0 {
		s.Deadline, s.Limit = now+s.Limit, 0
	}
}

// start begins a visit of an item, or ends the sequence behind the last one.
func (n *next) start(t *Track, item int, input value.Value) {
	list := items(n.w, t.Where)
	t.Item, t.Input, t.Attempt, t.Wait, t.Retry, t.Shadow = item, input, 1, nil, 0, nil
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
		n.putUndo(&Undo{Key: t.Order, Where: t.Where, Item: item, Visit: t.Visits[item], Step: it.Name(), Input: input, Elems: n.elems(t.Where)})
	}
	if b := it.Parallel; b != nil && b.In == nil && b.First == nil && b.Max == nil {
		n.enter(t, Entered{})
		return
	}
	n.attempt(t)
}

// elems are the elements around a place, those of this transition included.
func (n *next) elems(where []Place) []value.Value {
	if len(where) == 0 {
		return nil
	}
	return Elems(n.w, changed{n.v, n}, where)
}

// changed is a view with the elements of the transition that is being made.
type changed struct {
	View
	n *next
}

func (c changed) Elements(path string) []value.Value { return c.n.elements(path) }

// prefix is the undo key of the branch that a track belongs to.
func (n *next) prefix(t *Track) string {
	if len(t.Where) == 0 {
		return ""
	}
	return order(n.parent(t).Order, uint32(branchNumber(t)))
}

// branchNumber is which branch (or element) of its block a track is.
func branchNumber(t *Track) int { return t.Where[len(t.Where)-1].Branch }

func (n *next) parent(t *Track) *Track {
	path := ""
	for _, p := range t.Where[:len(t.Where)-1] {
		path = childPath(path, p)
	}
	return n.track(path)
}

// through: the sequence has no more items.
func (n *next) through(t *Track) {
	if len(t.Where) == 0 {
		n.t.State.Result = t.Value
		n.end(ByEnd)
		return
	}
	n.phase(t, Done)
	if branchOf(n.blockOf(n.parent(t)), branchNumber(t)).Compensate != nil {
		if u := n.undo(n.prefix(t)); u != nil {
			u.Completed, u.Value = true, t.Value
			n.putUndo(u)
		}
	}
	n.branchSucceeded(t)
}

// done: the attempt on a track completed.
func (n *next) done(t *Track, e StepDone) {
	n.write(t, e.Writes)
	n.t.Consumed = append(n.t.Consumed, t.Taken...)
	t.Taken = nil
	switch {
	case t.Undoing != "":
		n.undone(t, nil)
	case t.Final:
		n.finalized(t, nil)
	case e.How == Decided:
		n.decided(t, e.Cause)
	default:
		n.phase(t, Idle)
		n.completed(t, e.Value)
		n.follow(t, e)
	}
}

// follow does what the ending of a step says.
func (n *next) follow(t *Track, e StepDone) {
	switch e.How {
	case FellThrough:
		n.start(t, t.Item+1, e.Value)
	case Goto:
		n.start(t, e.Item, e.Input)
	case Pausing:
		n.pause(e.Effect, t.Item+1, e.Value)
	case End:
		t.Item++
		n.t.State.Result = e.Value
		n.end(ByEnd)
	}
}

func (n *next) pause(e Effect, next int, input value.Value) {
	n.t.State.Status = Paused
	n.t.State.Pause = &Pause{Reason: e.Reason, Until: e.Until, Then: e.Item, Input: e.Input, Next: next, NextInput: input}
}

// completed notes what a visit was worth, in its undo row and for the next item.
func (n *next) completed(t *Track, v value.Value) {
	if len(t.Where) == 0 { // within a block another branch may still be failing
		n.t.State.Last = nil
	}
	t.Value = v
	if u := n.undo(t.Order); u != nil {
		u.Completed, u.Value = true, v
		n.putUndo(u)
	}
}

// failed: the attempt on a track ended in a fault.
func (n *next) failed(t *Track, e StepFailed) {
	n.t.Returned = append(n.t.Returned, t.Taken...)
	t.Taken = nil
	if e.Again {
		n.t.State.Last = &e.Failure
		if it := CurrentItem(n.w, t); it != nil {
			n.t.State.Retries = counted(n.t.State.Retries, it.Name())
		}
		t.Attempt++
		if e.RetryAt == 0 {
			n.attempt(t)
			return
		}
		t.Retry = e.RetryAt
		t.Shadow = nil
		n.phase(t, Backoff)
		return
	}
	f := e.Failure
	switch {
	case t.Undoing != "":
		n.undone(t, &f)
	case t.Final:
		n.finalized(t, &f)
	default:
		n.itemFailed(t, &f, true)
	}
}

// itemFailed: an item of a track failed for good. With failover its `else` step
// takes over, if it has one.
func (n *next) itemFailed(t *Track, f *Failure, failover bool) {
	f.Input = t.Input
	n.t.State.Failure, n.t.State.Last = f, nil
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
	f.Decided = true
	n.t.State.Failure = f
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
	n.branchFailed(t)
}

func (n *next) timeUp(path string) bool {
	s := &n.t.State
	if path == "" && s.Status == Paused && !s.Pause.IsParked() {
		if s.Pause.Until == 0 {
			return false
		}
		p := s.Pause
		now := p.Until
		if p.Then < 0 {
			n.leavePause(now)
			return true
		}
		s.Status, s.Pause = Running, nil
		n.startLimit(now)
		n.start(&s.Root, p.Then, p.Input)
		return true
	}
	t := n.track(path)
	if t == nil || t.Phase != Backoff {
		return false
	}
	t.Retry = 0
	n.attempt(t)
	return true
}

// leavePause goes on with what follows a pause.
func (n *next) leavePause(now int64) {
	s := &n.t.State
	p := s.Pause
	s.Status, s.Pause = Running, nil
	n.startLimit(now)
	n.start(&s.Root, p.Next, p.NextInput)
}
