package flow

import "github.com/wf-lang/wf/lang/value"

// end decides the ending of the instance: what is under way is cut, and for
// every ending but a good one what started is undone, last first.
func (n *next) end(how Ending) {
	s := &n.t.State
	s.Ending = how
	s.Status, s.Pause = Running, nil
	n.cutTrack(&s.Root)
	if how == ByEnd {
		s.Root.Phase = Done
		n.finish(Completed)
		return
	}
	if n.lastUndo() != nil {
		s.Compensation.Status = CompensationRunning
	}
	n.undoNext()
}

// undoNext starts the next compensation, or finishes if there is none left.
func (n *next) undoNext() {
	s := &n.t.State
	u := n.lastUndo()
	if u == nil {
		switch {
		case len(s.Compensation.Failed) > 0:
			s.Compensation.Status = CompensationFailed
		case s.Compensation.Status == CompensationRunning:
			s.Compensation.Status = CompensationDone
		}
		if s.Ending == ByCancel {
			n.finish(Cancelled)
		} else {
			n.finish(Failed)
		}
		return
	}
	t := n.put(&Track{Path: undoPath(u.Key), Where: u.Where, Undoing: u.Key, Item: max(u.Item, 0), Attempt: 1, Input: u.Input})
	n.activate(t)
}

// undone: a compensation is through, or failed for good.
func (n *next) undone(t *Track, f *Failure) {
	s := &n.t.State
	key := t.Undoing
	n.phase(t, Done)
	n.drop(t.Path)
	if f == nil {
		n.dropUndo(key)
	} else {
		u := n.undo(key)
		u.Failure = f
		n.putUndo(u)
		s.Compensation.Failed = append(s.Compensation.Failed[:len(s.Compensation.Failed):len(s.Compensation.Failed)],
			UndoFailure{u.Step, f.Code, f.Message})
	}
	n.undoNext()
}

// finish makes the instance terminal. Undo rows that will not be needed go; the
// failed ones stay for a later retry.
func (n *next) finish(st Status) {
	s := &n.t.State
	s.Status = st
	s.Active = 0
	for u := range n.v.Undos() {
		if !n.changedUndo(u.Key) && u.Failure == nil {
			n.dropUndo(u.Key)
		}
	}
	for _, u := range append([]*Undo(nil), n.t.Undos...) {
		if u.Failure == nil {
			n.dropUndo(u.Key)
		}
	}
	s.Root.Shadow, s.Root.Own = nil, nil
	if st != Completed {
		s.Result = value.Nil
	}
	n.command(Finish, "")
}
