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
