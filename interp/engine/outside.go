package engine

import (
	"context"
	"errors"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// callOutside makes a call to the world. What the attempt has read before is
// durable first, so that a crash cannot make it call on other grounds.
func (e *Engine) callOutside(a *attempt, n int, r *interp.Request, hash uint64) {
	if e.leaving {
		return // the next driver makes it
	}
	if e.cfg.Caller == nil {
		e.answerPending(a, n, r, hash, value.Nil, &interp.Fault{Code: "unavailable", Message: r.Op.FullName() + " is not available here", Index: -1})
		return
	}
	if r.Once {
		e.callOnce(a, n, r, hash)
		return
	}
	e.written(a, func() { e.callNow(a, n, r, hash) })
}

// callOnce journals that the call is about to be made before it is made: found
// without an answer later, it may have been made, and is never made again.
func (e *Engine) callOnce(a *attempt, n int, r *interp.Request, hash uint64) {
	x := e.begin()
	p := x.part(a.in)
	a.flush(p)
	rec := a.answerRecord(n, r, hash, value.Nil, nil)
	rec.Kind = RecStarted
	p.record(rec)
	x.commit(func() { e.callNow(a, n, r, hash) })
}

func (e *Engine) callNow(a *attempt, n int, r *interp.Request, hash uint64) {
	if a.over || e.stopped || e.fatal != nil || e.cancelled || e.leaving && !r.Once {
		a.resume(value.Nil, errCut)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	a.cancel, a.op = cancel, r.Op.FullName()
	a.calling++
	turn := a.calling
	var limit *soonItem
	if at := a.budget.begin(e.Now()); at != 0 {
		limit = e.soon.set(at, func() {
			cancel()
			if a.calling == turn && !a.over {
				e.timedOutCall(a, n, r, hash)
			}
		})
	}
	use := &Usage{}
	call := Call{Op: r.Op, Args: r.Args, Key: a.key(hash), Instance: a.in.id, Attempt: int(a.number), At: r.Span,
		Once: r.Once, Limit: a.budget.left(), Tokens: a.in.tokens(), Usage: use}
	e.outside(call, func() func() {
		v, err := e.cfg.Caller.Call(ctx, call)
		cancel()
		return func() {
			e.soon.off(limit)
			e.called(a, turn, n, r, hash, v, err, *use)
		}
	})
}

// timedOutCall: the attempt's time has passed while a call was under way. The
// call is cancelled, and its answer, if one still comes, is dropped.
func (e *Engine) timedOutCall(a *attempt, n int, r *interp.Request, hash uint64) {
	a.budget.end(e.Now())
	a.calling++
	a.cancel = nil
	e.waitForCut(a)
	a.resume(value.Nil, a.timedOut())
}

// A Delayer is a Caller whose calls take their time under a virtual clock: the
// answer comes so much later.
type Delayer interface {
	Delay(c Call) time.Duration
}

// outside runs a call in a goroutine of its own; a serial engine runs it as a
// job, and lets it take the time that a Delayer says.
func (e *Engine) outside(c Call, j job) {
	if !e.cfg.Serial {
		e.busy++
		e.calls++
		go func() {
			after := e.jobs.guard(j)
			e.loop.post(func() {
				e.busy--
				e.calls--
				after()
			})
		}()
		return
	}
	if d, ok := e.cfg.Caller.(Delayer); ok {
		if delay := d.Delay(c); delay > 0 {
			e.jobs.submit(func() func() {
				after := j()
				return func() { e.soon.set(e.Now()+int64(delay), after) }
			})
			return
		}
	}
	e.jobs.submit(j)
}

// called: a call to the world has come back. While the engine is being closed its
// answer is recorded, and the next driver goes on with it.
func (e *Engine) called(a *attempt, turn, n int, r *interp.Request, hash uint64, v value.Value, err error, use Usage) {
	if e.stopped || e.fatal != nil || e.cancelled {
		a.drop()
		return
	}
	if a.over || a.calling != turn {
		e.dropped(a, n, r, hash, v, err, use)
		if a.back != nil {
			a.back()
		}
		return
	}
	a.cancel = nil
	a.budget.end(e.Now())
	a.in.spent += use.Tokens
	a.used = use
	if e.leaving {
		defer e.written(a, func() {}) // nobody goes on with the attempt here
	}
	if err == nil {
		err = admissible("the answer to "+requestWords(r), v)
	}
	if err == nil {
		e.answerPending(a, n, r, hash, v, nil)
		return
	}
	f := validFault(faultOf(err))
	if r.Once && (unanswered(f.Code) || gateway(f.Code)) {
		f = &interp.Fault{Code: "outcome_unknown", Message: requestWords(r) + " had no answer: " + f.Message, Detail: f.Detail, Index: -1}
	}
	e.answerPending(a, n, r, hash, value.Nil, f)
}

// dropped records an answer whose attempt is over.
func (e *Engine) dropped(a *attempt, n int, r *interp.Request, hash uint64, v value.Value, err error, use Usage) {
	if a.over {
		a.drop()
	}
	var f *flow.Failure
	if err == nil {
		err = admissible("the answer to "+requestWords(r), v)
	}
	if err != nil {
		fault := validFault(faultOf(err))
		if errors.Is(err, context.Canceled) {
			fault = &interp.Fault{Code: "cancelled", Message: "it was cut", Index: -1}
		}
		fault.Span = r.Span
		v, f = value.Nil, a.failureOf(fault)
	}
	in, lerr := e.load(context.Background(), a.in.number)
	if errors.Is(lerr, persist.ErrNotFound) {
		return // the instance was deleted meanwhile
	}
	if lerr != nil {
		e.fail(lerr)
		return
	}
	x := e.begin()
	rec := a.answerRecord(n, r, hash, v, f)
	rec.Kind, rec.Usage = RecDropped, use
	in.spent += use.Tokens
	x.part(in).record(rec)
	x.commit()
}
