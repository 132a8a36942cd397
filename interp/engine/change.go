package engine

import (
	"context"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
)

// change looks an instance up, changes it in a tx and waits until that is
// durable. An error of f refuses: f must have changed nothing then.
func (e *Engine) change(ctx context.Context, id string, f func(x *tx, in *instance) error) error {
	return e.changeUnder(ctx, "", id, f)
}

// changeUnder is a change with an idempotency key, "" for none.
func (e *Engine) changeUnder(ctx context.Context, key, id string, f func(x *tx, in *instance) error) error {
	return e.call(ctx, key, func(reply func(error)) {
		in, err := e.lookup(ctx, id)
		if err != nil {
			reply(err)
			return
		}
		x := e.begin()
		if err := f(x, in); err != nil {
			e.release(in)
			reply(err)
			return
		}
		x.batch.asked(true, reply)
		x.commit(func() { reply(nil) })
	})
}

// Resume ends the pause of an instance: the next item runs, or what was parked
// goes on.
func (e *Engine) Resume(ctx context.Context, id string) error {
	return e.change(ctx, id, func(x *tx, in *instance) error {
		if in.state.Status != flow.Paused {
			return refuse("conflict", "%s %q is not paused; it is %s", in.workflow, id, in.state.Status)
		}
		p := x.part(in)
		p.record(Record{Kind: RecResumed})
		p.apply(flow.Resume{Now: x.now})
		x.trace(in, said("is resumed"))
		x.traceStatus(in)
		return nil
	})
}

// Park pauses an instance that has not ended, as the engine does it by itself
// with one that it cannot drive: with a reason, and until somebody resumes or
// retries it. It is refused for one that has ended or is paused already, and for
// entities.
func (e *Engine) Park(ctx context.Context, id, reason string) error {
	return e.change(ctx, id, func(x *tx, in *instance) error {
		s := in.state.Status
		if in.wf.Entity || s.Terminal() || s == flow.Paused {
			return refuse("conflict", "%s %q is %s; it cannot be paused", in.workflow, id, in.status())
		}
		x.park(in, firstLine(reason))
		return nil
	})
}

// Cancel cuts what an instance is doing, lets it undo what it has done, and ends
// it as cancelled.
func (e *Engine) Cancel(ctx context.Context, id string) error {
	return e.change(ctx, id, func(x *tx, in *instance) error { return x.cancel(in) })
}

func (x *tx) cancel(in *instance) error {
	s := &in.state
	switch {
	case in.wf.Entity:
		return refuse("conflict", "%s %q is an entity; it has nothing to cancel", in.workflow, in.id)
	case s.Status.Terminal():
		return refuse("conflict", "%s %q is %s", in.workflow, in.id, s.Status)
	case s.Ending != flow.NotEnding:
		return refuse("conflict", "%s %q is ending already, by %s", in.workflow, in.id, s.Ending)
	}
	p := x.part(in)
	p.record(Record{Kind: RecCancelled})
	p.apply(flow.Cancel{})
	x.trace(in, said("is cancelled"))
	x.traceStatus(in)
	return nil
}

// cancelFrom handles a cancel of an attempt, as signalFrom a signal.
func (e *Engine) cancelFrom(a *attempt, n int, r *interp.Request, hash uint64) {
	h, ok := r.Args[0].AsHandle()
	if !ok {
		e.answerPending(a, n, r, hash, value.Nil, badArgument("Workflow.cancel needs a handle"))
		return
	}
	e.send(a, n, r, hash, h, func(x *tx, target *instance) error {
		if target == a.in {
			return refuse("conflict", "an instance cannot cancel itself; it can `fail`")
		}
		return x.cancel(target)
	})
}

// Terminate stops an instance at once: nothing is undone, and what was not is
// listed.
func (e *Engine) Terminate(ctx context.Context, id string) error {
	return e.change(ctx, id, func(x *tx, in *instance) error {
		if in.wf.Entity {
			return refuse("conflict", "%s %q is an entity; it has nothing to terminate", in.workflow, id)
		}
		if in.state.Status.Terminal() {
			return refuse("conflict", "%s %q is %s", in.workflow, id, in.state.Status)
		}
		p := x.part(in)
		p.record(Record{Kind: RecTerminate})
		p.apply(flow.Terminate{})
		x.trace(in, said("is terminated"))
		x.traceStatus(in)
		return nil
	})
}

// Retry runs the compensations again that failed for good, or gives what was
// parked a new attempt, which forgets the answers of the last one.
func (e *Engine) Retry(ctx context.Context, id string) error {
	return e.change(ctx, id, func(x *tx, in *instance) error {
		p := x.part(in)
		if !p.apply(flow.Retry{}) {
			x.parts = nil
			return refuse("conflict", "%s %q is %s; there is nothing to be tried again", in.workflow, id, in.status())
		}
		p.record(Record{Kind: RecRetried})
		x.trace(in, said("is tried again"))
		return nil
	})
}
