package engine

import (
	"errors"

	"github.com/wf-lang/wf/interp/flow"
)

// parkAttempt pauses an instance whose attempt ended in something that is no
// fault of its script: a panic, a replay mismatch, an unreadable record.
func (e *Engine) parkAttempt(a *attempt, err error) {
	if errors.Is(err, errCut) {
		e.release(a.in)
		return
	}
	e.park(a.in, err)
}

// park pauses an instance with the reason; its state and journal stay as they are.
func (e *Engine) park(in *instance, err error) {
	x := e.begin()
	if !x.park(in, firstLine(err.Error())) {
		e.release(in)
		return
	}
	x.commit()
}

// park makes the pause part of the tx. An instance that runs compensations again
// after its end is not paused, it gives them up. It reports whether there is
// anything to be done.
func (x *tx) park(in *instance, reason string) bool {
	p := x.part(in)
	p.record(Record{Kind: RecParked, What: reason})
	if !p.apply(flow.Park{Reason: reason}) {
		return false
	}
	for t := range in.Tracks() {
		p.touch(t.Path) // where its answers begin may have been put right: see readEnd
	}
	for _, a := range in.attempts {
		p.cut(a)
	}
	if in.state.Finished {
		x.trace(in, said("gives up undoing: "+reason))
	} else {
		x.traceAs(in, TracePaused, said("is parked: "+reason))
	}
	return true
}
