package flow

// park pauses an instance whose attempts cannot go on. One that has ended stays as
// it is, even if it runs failed compensations again: what is left of them has
// failed again.
func (n *next) park(reason string) bool {
	s := &n.t.State
	switch {
	case s.Status == Paused:
		return false
	case s.Finished:
		n.stopUndoing()
		n.leaveUndone("parked", reason)
	default:
		s.Status, s.Pause = Paused, &Pause{Reason: reason, Then: parked}
	}
	return true
}

// resume ends a pause.
func (n *next) resume(now int64) bool {
	s := &n.t.State
	if s.Status != Paused {
		return false
	}
	if !s.Pause.IsParked() {
		n.leavePause(now)
		return true
	}
	s.Status, s.Pause = Running, nil
	for path := range ActivePaths(n.v) {
		n.command(Run, path)
	}
	return true
}

// retry runs failed compensations of a finished instance again, or gives what
// was parked a new attempt.
func (n *next) retry() bool {
	s := &n.t.State
	if s.Status == Paused && s.Pause.IsParked() {
		s.Status, s.Pause = Running, nil
		for path := range ActivePaths(n.v) {
			t := n.track(path)
			n.t.Returned = append(n.t.Returned, t.Taken...)
			t.Taken = nil
			t.Attempt++
			t.Used = 0
			n.command(Run, path)
		}
		return true
	}
	if !s.Finished || s.Compensation.Status != CompensationFailed {
		return false
	}
	again := 0
	for u := range n.v.Undos("") {
		if u.Failure != nil {
			c := *u
			c.Failure = nil
			n.putUndo(&c)
			again++
		}
	}
	if again == 0 {
		return false
	}
	s.Compensation = Compensation{Status: CompensationRunning}
	n.undoNext("", "")
	return true
}

// commanded applies what an accepted command does. A transition is refused when
// the ending is decided.
func (n *next) commanded(e Commanded) bool {
	s := &n.t.State
	if e.How == FellThrough {
		n.writeBeside(e.Writes)
		return true
	}
	if s.Ending != NotEnding || n.w.Entity {
		return false
	}
	paused := s.Pause
	n.cutTrack(&s.Root)
	n.write(&s.Root, e.Writes)
	s.Status, s.Pause = Running, nil
	if e.How != Pausing {
		n.startLimit(e.Now)
	}
	switch e.How {
	case Goto:
		n.phase(&s.Root, Idle)
		n.start(&s.Root, e.Item, e.Input)
	case Pausing:
		n.phase(&s.Root, Idle)
		if paused != nil && !paused.IsParked() {
			n.pause(e.Effect, paused.Next, paused.NextInput)
		} else {
			n.pause(e.Effect, s.Root.Item, s.Root.Input)
		}
	case End:
		s.Root.Item++
		s.Result = e.Value
		n.end(ByEnd)
	case Decided:
		e.Cause.Decided = true
		s.Pause = paused
		s.Failure, s.Cause = e.Cause, e.Cause
		n.end(ByFailure)
	}
	return true
}
