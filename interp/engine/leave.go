package engine

import (
	"cmp"
	"slices"
	"time"
)

// leaveGrace is how long an engine that is closed waits for the outside calls
// that are under way. What they answer by then is recorded, so that the next
// driver need not make them again; the others are cancelled.
const leaveGrace = 3 * time.Second

// A CallUnderWay is an outside call that has not come back.
type CallUnderWay struct {
	Instance string
	Op       string // such as Http.get
}

// CallsUnderWay gives the outside calls that Close will wait for, by the age of
// their instances. Call it when Drive has returned.
func (e *Engine) CallsUnderWay() []CallUnderWay {
	var attempts []*attempt
	for _, in := range e.insts {
		for _, a := range in.attempts {
			if a.cancel != nil {
				attempts = append(attempts, a)
			}
		}
	}
	slices.SortFunc(attempts, func(a, b *attempt) int {
		return cmp.Or(cmp.Compare(a.in.number, b.in.number), cmp.Compare(a.path, b.path))
	})
	calls := make([]CallUnderWay, len(attempts))
	for i, a := range attempts {
		calls[i] = CallUnderWay{a.in.id, a.op}
	}
	return calls
}

// Close ends the engine: attempts under way are dropped (their next driver goes
// on with them), what is queued is still committed, and so are the answers of
// outside calls that come within a few seconds. The store stays open.
func (e *Engine) Close() error {
	if e.stopped {
		return e.fatal
	}
	e.leaving = true
	defer close(e.loop.closed)
	e.jobs.stop()
	e.leaveCalls()
	e.committer.stop()
	e.runPosted()
	e.printer.stop()
	e.runPosted() // what has been shown
	e.stopped = true
	for _, in := range e.insts {
		for _, a := range in.attempts {
			a.returned()
			a.drop()
		}
	}
	for a := range e.late { // their jobs will not run
		a.returned()
		a.drop()
	}
	err := e.lastWrite()
	if e.fatal != nil {
		return e.fatal
	}
	return err
}

// leaveCalls waits for the outside calls under way, and for what is on its way to
// the store: an answer, or the note that a call which is made once is made now.
// When the time is over it cancels the calls, and what they answer then counts no
// more than after a crash.
func (e *Engine) leaveCalls() {
	if e.cfg.Serial {
		return // its calls are jobs
	}
	grace := time.NewTimer(leaveGrace)
	defer grace.Stop()
	for {
		e.runPosted()
		if e.calls == 0 && (e.writing == 0 || e.fatal != nil || e.cancelled || e.committer.held()) {
			return
		}
		if e.fatal != nil {
			e.cancelCalls()
		}
		select {
		case <-e.loop.wake:
		case <-grace.C:
			e.runPosted()
			e.cancelCalls()
		}
	}
}

// cancelCalls cancels the calls under way; what they answer is not recorded.
func (e *Engine) cancelCalls() {
	e.cancelled = true
	for _, in := range e.insts {
		for _, a := range in.attempts {
			if a.cancel != nil {
				a.cancel()
			}
		}
	}
}

// runPosted runs what is in the mailbox of a loop that has ended.
func (e *Engine) runPosted() {
	for {
		posted := e.loop.take(nil)
		if len(posted) == 0 {
			return
		}
		for _, f := range posted {
			f()
		}
	}
}
