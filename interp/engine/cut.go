package engine

import (
	"errors"
	"time"

	"github.com/wf-lang/wf/interp/flow"
)

// errCut unwinds an attempt that is not wanted any more.
var errCut = errors.New("attempt cut")

// cut ends an attempt that is not wanted any more, from the loop. If it computes
// at the moment its result is dropped when it comes.
func (a *attempt) cut() {
	delete(a.in.attempts, a.path)
	if a.cancel != nil {
		a.e.waitForCut(a)
	}
	a.drop()
	if len(a.in.queued) > 0 {
		a.e.loop.post(func() { a.e.runQueued(a.in) }) // what waited for it waits no longer
	}
}

// cut ends an attempt that is not wanted any more once the tx is durable.
func (p *part) cut(a *attempt) {
	a.cut()
	p.x.batch.cuts = true
}

// cutGrace is how long compensations wait for the cancelled calls of what they
// undo.
const cutGrace = 5 * time.Second

// waitForCut keeps the compensations of the instance from starting before a call
// that was cut has come back, so that it cannot take effect after it was undone.
func (e *Engine) waitForCut(a *attempt) {
	in := a.in
	in.cutting++
	back := false
	var grace *soonItem
	a.back = func() {
		if back {
			return
		}
		back = true
		e.soon.off(grace) // nobody waits for it any more
		in.cutting--
		if in.cutting == 0 {
			for path := range flow.ActivePaths(in) {
				e.start(in, path)
			}
		}
		e.release(in)
	}
	grace = e.soon.set(e.Now()+int64(cutGrace), a.back)
}

// drop gives an attempt up: its coroutine is unwound, unless a worker has it.
// The instance may go on later, over the journal.
func (a *attempt) drop() {
	a.over = true
	a.stopped.Store(true)
	if a.cancel != nil {
		a.cancel()
	}
	switch {
	case a.stop == nil:
	case a.computes:
		a.e.late[a] = true
	default:
		a.stop()
	}
}

// returned: no worker has the attempt any more.
func (a *attempt) returned() {
	a.computes = false
	delete(a.e.late, a)
}
