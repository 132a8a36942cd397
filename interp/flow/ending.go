package flow

import (
	"slices"

	"github.com/wf-lang/wf/lang/value"
)

// FinalPath is the path of the track that runs `finally`.
const FinalPath = "finally"

// decide ends an instance by somebody's decision, unless its ending is decided.
func (n *next) decide(how Ending, cause *Failure) bool {
	s := &n.t.State
	if s.Ending != NotEnding || n.w.Entity {
		return false
	}
	s.Cause = cause
	n.end(how)
	return true
}

// end is the ending of the instance: what is under way is cut, and for every
// ending but a good one what started is undone, last first.
func (n *next) end(how Ending) {
	s := &n.t.State
	s.Ending = how
	s.Limit, s.Deadline = 0, 0
	n.cutRoot()
	if how == ByEnd {
		s.Root.Phase = Done
		n.finalize()
		return
	}
	if n.lastUndo("") != nil {
		s.Compensation.Status = CompensationRunning
	}
	n.undoNext("", "")
}

// cutRoot ends whatever the instance itself is doing, a pause too. The step that
// paused has completed, unless a command has cut it: it is passed.
func (n *next) cutRoot() {
	s := &n.t.State
	passed := s.Pause != nil && !s.Pause.IsParked() && s.Pause.Next > s.Root.Item
	done := passed || s.Root.Phase == Done
	s.Status, s.Pause = Running, nil
	n.cutTrack(&s.Root)
	if passed {
		s.Root.Item++
	}
	if done {
		s.Root.Phase = Done
	}
}

// undoNext starts the next compensation of a unit: a branch by its path, or the
// whole workflow.
func (n *next) undoNext(unit, prefix string) {
	if u := n.lastUndo(prefix); u != nil {
		t := n.put(&Track{Path: undoPath(u.Key), Where: u.Where, Undoing: u.Key, Unit: unit, Item: max(u.Item, 0), Attempt: 1, Input: u.Input})
		n.activate(t)
		return
	}
	if unit != "" {
		n.branchUndone(n.track(unit))
		return
	}
	s := &n.t.State
	switch {
	case len(s.Compensation.Failed) > 0:
		s.Compensation.Status = CompensationFailed
	case s.Compensation.Status == CompensationRunning:
		s.Compensation.Status = CompensationDone
	}
	n.finalize()
}

// undone: a compensation is through, or failed for good.
func (n *next) undone(t *Track, f *Failure) {
	s := &n.t.State
	unit, key := t.Unit, t.Undoing
	n.phase(t, Done)
	n.drop(t.Path)
	if f == nil {
		n.dropUndo(key)
	} else {
		u := n.undo(key)
		u.Failure = f
		n.putUndo(u)
		s.Compensation.Failed = append(slices.Clip(s.Compensation.Failed), UndoFailure{u.Step, f.Code, f.Message})
		if unit != "" {
			s.Compensation.Status = CompensationFailed
		}
	}
	prefix := ""
	if unit != "" {
		c := n.track(unit)
		prefix = order(n.parent(c).Order, uint32(branchNumber(c)))
	}
	n.undoNext(unit, prefix)
}

// finalize runs `finally`, if there is one, and then the instance is finished.
func (n *next) finalize() {
	if n.w.Finally == nil || n.t.State.Finished {
		n.finish()
		return
	}
	n.activate(n.put(&Track{Path: FinalPath, Final: true, Attempt: 1}))
}

// finalized: `finally` is through, or failed for good. Then its track stays, for
// whoever wants to know; nothing else changes by that.
func (n *next) finalized(t *Track, f *Failure) {
	if f == nil {
		n.phase(t, Done)
		n.drop(t.Path)
	} else {
		n.phase(t, Broken)
		t.Failure, t.Shadow = f, nil
	}
	n.finish()
}

// finish makes the instance terminal. Undo rows that will not be needed go; the
// failed ones stay for a later retry.
func (n *next) finish() {
	s := &n.t.State
	if s.Finished {
		s.Status = s.Ending.status()
		return // failed compensations have run again; nothing else has changed
	}
	s.Status = s.Ending.status()
	s.Finished = true
	for u := range n.v.Undos("") {
		if !n.changedUndo(u.Key) && u.Failure == nil {
			n.dropUndo(u.Key)
		}
	}
	for _, key := range n.undoKey {
		if u := n.undos[key]; u != nil && u.Failure == nil {
			n.dropUndo(key)
		}
	}
	s.Root.Shadow, s.Root.Own = nil, nil
	if s.Status != Completed {
		s.Result = value.Nil
	}
	n.command(Finish, "")
}

// timedOut: the workflow's timeout has passed.
func (n *next) timedOut(e TimedOut) bool {
	s := &n.t.State
	if s.Deadline == 0 || e.Now < s.Deadline {
		return false
	}
	f := &Failure{Code: "timeout", Message: "the workflow's timeout has passed", Step: Step(n.w, s), Index: -1}
	last := s.Last
	if last == nil {
		last = s.Failure
	}
	if last != nil {
		f.Detail = FailureValue(last)
		f.Message += "; the last error was: " + last.Message
	}
	return n.decide(ByTimeout, f)
}

// terminate stops the instance at once; what was not undone is listed, and stays
// for a later retry.
func (n *next) terminate() bool {
	s := &n.t.State
	if n.w.Entity || s.Finished {
		return false
	}
	n.stopUndoing()
	n.cutRoot()
	if s.Ending == NotEnding {
		s.Ending = ByTerminate
	}
	s.Deadline, s.Limit = 0, 0
	if s.Ending != ByEnd {
		n.leaveUndone("terminated", "was not undone")
	}
	n.finish()
	return true
}

// stopUndoing ends the compensations, or the `finally`, that run.
func (n *next) stopUndoing() {
	for t := range n.v.Tracks() {
		if t.Undoing != "" || t.Final {
			if c := n.track(t.Path); c != nil {
				n.cutTrack(c)
				n.drop(c.Path)
			}
		}
	}
}

// leaveUndone lists what was not undone as failed.
func (n *next) leaveUndone(code, message string) {
	s := &n.t.State
	for u := range n.v.Undos("") {
		if c := n.undo(u.Key); c != nil && c.Failure == nil {
			c.Failure = &Failure{Code: code, Message: message, Step: c.Step, Index: -1}
			n.putUndo(c)
			s.Compensation.Failed = append(slices.Clip(s.Compensation.Failed), UndoFailure{c.Step, code, message})
			s.Compensation.Status = CompensationFailed
		}
	}
}
