package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// maxInbox is how many signals an instance keeps at most, those that an attempt has
// taken included. One that is waited for is taken at once, and accepted all the same.
const maxInbox = 10_000

// deliver puts a signal into an instance's inbox and, if something waits for it,
// gives it to the lowest track that does. A refusal changes nothing.
func (x *tx) deliver(in *instance, name string, payload value.Value) error {
	t, arm := in.waitingFor(name)
	switch {
	case in.state.Status.Terminal():
		return refuse("conflict", "%s %q is %s; it takes no more signals", in.workflow, in.id, in.state.Status)
	case name == "":
		return refuse("bad_request", "a signal has a name")
	case !in.wf.AnySignal && !slices.Contains(in.wf.Signals, name):
		return noSignal(in.wf, name)
	case t == nil && len(in.inbox) >= maxInbox:
		return refuse("unavailable", "the inbox of %q is full: %d signals", in.id, len(in.inbox))
	case !payload.IsData():
		return refuse("bad_request", "a signal cannot carry %s", payload.Short(40))
	}
	if decl := in.wf.Signal(name); decl != nil {
		var err error
		if payload, err = fitPayload(decl, payload); err != nil {
			return err
		}
	}
	if value.Size(payload) > maxPayload {
		return refuse("bad_request", "the payload is %d bytes; the limit is %d", value.Size(payload), maxPayload)
	}
	p := x.part(in)
	in.lastInbox++
	s := &signal{number: in.lastInbox, name: name, payload: payload}
	in.inbox = append(in.inbox, s)
	body, err := s.encode()
	p.cell(cellInbox, inboxKey(s.number), body, err)
	p.record(Record{Kind: RecSignal, Signal: s.number, Name: name, Value: payload})
	p.row = true
	x.trace(in, said("gets signal "+name))
	if t != nil {
		p.wake(t, answerOfSignal(t.Wait, arm, s), s)
	}
	return nil
}

// fitPayload gives a payload the declared type of its signal. None is nil.
func fitPayload(s *program.SignalDecl, payload value.Value) (value.Value, error) {
	p := s.Payload
	switch {
	case p == nil && payload.IsNil():
		return payload, nil
	case p == nil:
		return payload, refuse("bad_request", "signal %s carries no payload; it was given %s", s.Name, payload.Short(40))
	case payload.IsNil() && !p.Type.TakesNil():
		return payload, refuse("bad_request", "signal %s carries %s: %s; it was given nothing", s.Name, p.Name, p.Type.Text)
	}
	fitted, err := fit(payload, &p.Type, p.Name)
	if err != nil {
		return payload, refuse("bad_request", "signal %s: %s", s.Name, err)
	}
	return fitted, nil
}

// waitingFor finds the lowest track that waits for a signal.
func (in *instance) waitingFor(name string) (*flow.Track, int) {
	find := func(t *flow.Track) int {
		if t.Phase != flow.Waiting {
			return -1
		}
		return slices.Index(t.Wait.Signals, name)
	}
	if i := find(&in.state.Root); i >= 0 {
		return &in.state.Root, i
	}
	for t := range in.Tracks() {
		if i := find(t); i >= 0 {
			return t, i
		}
	}
	return nil, -1
}

func noSignal(w *program.Workflow, name string) error {
	return refuse("not_found", "nothing in %s waits for a signal %q%s", w.Name, name, orMeant(name, w.Signals))
}

// signalFrom handles a signal of an attempt: the receiver's change and the
// sender's answer are one transaction.
func (e *Engine) signalFrom(a *attempt, n int, r *interp.Request, hash uint64) {
	payload := value.Nil
	if len(r.Args) > 0 {
		payload = r.Args[0]
	}
	e.send(a, n, r, hash, r.Target, func(x *tx, target *instance) error { return x.deliver(target, r.Name, payload) })
}

// send does something to another instance for an attempt; do refuses by an error
// and must have changed nothing then. An earlier attempt of the visit may have
// sent it already: then that stands.
func (e *Engine) send(a *attempt, n int, r *interp.Request, hash uint64, to value.Handle, do func(x *tx, target *instance) error) {
	target, err := e.lookup(context.Background(), to.StoreID())
	if err != nil {
		e.answerPending(a, n, r, hash, value.Nil, faultOf(err))
		return
	}
	x, key, sent := e.begin(), a.key(hash), false
	if a.number > 1 {
		_, sent, err = e.remembered(target, key, hash)
	}
	if err == nil && !sent {
		err = do(x, target)
	}
	switch {
	case err != nil:
		e.release(target)
		e.answerPending(a, n, r, hash, value.Nil, faultOf(err))
		return
	case sent:
		e.release(target)
		e.answerPending(a, n, r, hash, value.Unit, nil)
		return
	}
	x.part(target).remember(key, hash, value.Unit)
	p := x.part(a.in)
	a.flush(p)
	p.record(a.answerRecord(n, r, hash, value.Unit, nil))
	e.sent(x, a, value.Unit)
}

// Signal delivers a signal; it returns when that is durable. With a key the same
// signal again is accepted and delivers nothing, also when the instance has
// ended; another request under the key is refused.
func (e *Engine) Signal(ctx context.Context, id, name string, payload value.Value, key string) error {
	if err := received(key, name, payload); err != nil {
		return err
	}
	return e.changeUnder(ctx, key, id, func(x *tx, in *instance) error {
		body := uint64(0)
		if key != "" {
			body = bodyHash("signal", name, []value.Value{payload}, nil)
			if _, found, err := e.remembered(in, key, body); found || err != nil {
				x.part(in) // the first one may be on its way to the store: the answer follows it
				return err
			}
		}
		if err := x.deliver(in, name, payload); err != nil {
			return err
		}
		x.part(in).remember(key, body, value.Unit)
		return nil
	})
}

// Handle gives the handle of an instance by its id. The id of an entity that
// does not exist yet has one too, if the store knows its declaration.
func (e *Engine) Handle(ctx context.Context, id string) (value.Handle, error) {
	r, err := e.store.Lookup(ctx, id)
	if err == nil {
		if kind, key, ok := strings.Cut(id, "/"); ok && r.Status == statusReady {
			return value.Handle{Type: kind, ID: key, Entity: true}, nil
		}
		return value.Handle{Type: r.Workflow, ID: id}, nil
	}
	kind, key, ok := strings.Cut(id, "/")
	if _, known := e.entityHash(kind); ok && known && errors.Is(err, persist.ErrNotFound) {
		return value.Handle{Type: kind, ID: key, Entity: true}, nil
	}
	if errors.Is(err, persist.ErrNotFound) {
		err = noInstance(id)
	}
	return value.Handle{}, err
}

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

// await answers at once if the instance has ended, else puts the attempt away
// until it does.
func (e *Engine) await(a *attempt, n int, r *interp.Request, hash uint64) {
	ctx := context.Background()
	id := r.Target.StoreID()
	if id == a.in.id {
		e.answerPending(a, n, r, hash, value.Nil, &interp.Fault{Code: "conflict", Message: "an instance cannot await itself", Index: -1})
		return
	}
	target, err := e.lookup(ctx, id)
	if err != nil {
		e.answerPending(a, n, r, hash, value.Nil, faultOf(err))
		return
	}
	if ans, ended := end(target); ended && target.held == 0 {
		e.release(target)
		e.answerPending(a, n, r, hash, ans.value, faultFrom(ans.failure))
		return
	}
	w := flow.Wait{N: n, Hash: hash, Span: r.Span, Kind: flow.WaitEnd, Instance: id}
	if r.HasDeadline {
		at, f := after(e.Now(), r.Deadline)
		if f != nil {
			e.release(target)
			e.answerPending(a, n, r, hash, value.Nil, f)
			return
		}
		w.Deadlines = []int64{at}
	}
	e.putAway(a, n, r, w, func(x *tx) { x.register(target, waiter{a.in.number, a.path}) })
}

// register notes in an instance who awaits its end. If its end is on the way to
// the store already, a timer wakes the waiter instead.
func (x *tx) register(target *instance, w waiter) {
	p := x.part(target)
	if target.state.Status.Terminal() {
		x.batch.data.Changes = append(x.batch.data.Changes, persist.Change{Number: w.number,
			Set: []persist.Timer{{At: x.now, Instance: w.number, Key: wakeKey + w.path}}})
		x.batch.set = x.now
		return
	}
	target.waited = true
	target.newWaiters = append(target.newWaiters, w)
	x.batch.after = append(x.batch.after, func() { target.newWaiters = target.newWaiters[1:] }) // the store has it
	p.row = true
	p.cell(cellWaiter, waiterKey(w), []byte{rowVersion}, nil)
}

// endOf is the answer to an await, if the instance has ended.
func (e *Engine) endOf(ctx context.Context, id string) (answer, bool, error) {
	in, err := e.lookup(ctx, id)
	if err != nil {
		f := faultOf(err)
		return answer{failure: &flow.Failure{Code: f.Code, Message: f.Message, Index: -1}}, true, nil
	}
	a, ended := end(in)
	e.release(in)
	return a, ended, nil
}

// end is what awaiting a terminal instance gives: its result, or its failure
// with its id.
func end(in *instance) (answer, bool) {
	s := &in.state
	switch s.Status {
	case flow.Completed:
		return answer{value: s.Result}, true
	case flow.Failed:
		detail := value.NewRecord([]string{"id", "failure"}, []value.Value{value.String(in.id), failureValue(s.Cause, false)})
		return answer{failure: &flow.Failure{Code: s.Cause.Code, Message: s.Cause.Message, Index: -1, Detail: detail}}, true
	case flow.Cancelled:
		detail := value.NewRecord([]string{"id"}, []value.Value{value.String(in.id)})
		return answer{failure: &flow.Failure{Code: "cancelled", Message: in.id + " was cancelled", Index: -1, Detail: detail}}, true
	}
	return answer{}, false
}
