package engine

import (
	"context"
	"hash/fnv"
	"slices"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// requestHash identifies a request by kind, operation, arguments and its place
// in the source: a replay that asks the same at another place is a mismatch.
// Arguments that are left out at the end do not count, so that an operation may
// get further parameters.
func requestHash(r *interp.Request) uint64 {
	h := fnv.New64a()
	e := enc{b: make([]byte, 0, 128)}
	e.byte(byte(r.Kind))
	if r.Op != nil {
		e.string(r.Op.FullName())
	}
	e.bool(r.Once)
	e.string(r.Name)
	e.string(r.ID)
	e.string(r.Target.StoreID())
	args := r.Args
	for r.Kind == interp.Perform && len(args) > 0 && args[len(args)-1].IsNil() {
		args = args[:len(args)-1]
	}
	for _, v := range args {
		e.value(v)
	}
	e.strings(r.ArgNames)
	e.value(r.Deadline)
	for _, arm := range r.Arms {
		e.string(arm.Signal)
		e.value(arm.Deadline)
	}
	e.span(r.Span)
	h.Write(e.b)
	return h.Sum64()
}

// requestWords says a request in the words of the language, for journals.
func requestWords(r *interp.Request) string {
	switch r.Kind {
	case interp.Perform:
		return "perform " + r.Op.FullName()
	case interp.Spawn:
		return "spawn " + r.Name
	case interp.Ask:
		return "ask " + r.Target.StoreID() + "." + r.Name
	case interp.Await:
		return "await " + r.Target.StoreID()
	case interp.Signal:
		return "signal " + r.Target.StoreID() + "." + r.Name
	}
	return "select"
}

func isOp(r *interp.Request, name string) bool {
	return r.Kind == interp.Perform && r.Op.FullName() == name
}

// isPrint reports whether a request is answered by showing something once it is
// durable.
func isPrint(r *interp.Request) bool { return isOp(r, "IO.print") || isLog(r) }

func isLog(r *interp.Request) bool { return r.Kind == interp.Perform && r.Op.Module == "Log" }

// printBytes is how much output may gather before it is written.
const printBytes = 64 << 10

// local answers, on the worker, what needs neither the loop nor a write of its
// own: clock reads, prints, queries of other instances. Their records ride with
// the next write.
func (a *attempt) local(r *interp.Request, n int, hash uint64) (value.Value, bool, error) {
	switch {
	case isOp(r, "Time.now"):
		v := value.Time(a.e.Now())
		a.note(n, r, hash, v, nil)
		return v, true, nil
	case isPrint(r):
		v, err := shownOf(r)
		if err != nil {
			return value.Nil, false, err
		}
		a.note(n, r, hash, v, nil)
		return value.Unit, a.pendingBytes < printBytes && !a.e.printer.full.Load(), nil
	case isOp(r, "Random.int"):
		return value.Nil, false, &interp.Fault{Code: "bad_range", Message: "Random.int needs two Ints, the first not above the second", Span: r.Span, Index: -1}
	case (isOp(r, "Workflow.list") || r.Kind == interp.Ask && !a.e.isCommand(r, a.in.prog)) && !a.ahead:
		v, err := a.query(r, n, hash)
		return v, true, err
	}
	return value.Nil, false, nil
}

// isCommand tells a command from a query, by the program that the instance runs
// or, if there is none (yet), by the given one.
func (e *Engine) isCommand(r *interp.Request, prog *program.Program) bool {
	wf := prog.Actor(r.Target.Type)
	if row, err := e.store.Lookup(context.Background(), r.Target.StoreID()); err == nil {
		if p, err := e.progs.get(context.Background(), row.Program); err == nil {
			wf = p.Actor(row.Workflow)
		}
	}
	if wf == nil {
		return false
	}
	return wf.Command(r.Name) != nil || wf.Query(r.Name) == nil && wf.Entity && r.Name != LifecycleQuery
}

// query asks another instance, on the worker, and notes the answer.
func (a *attempt) query(r *interp.Request, n int, hash uint64) (value.Value, error) {
	return a.read(r, n, hash, func() (value.Value, error) {
		if isOp(r, "Workflow.list") {
			workflow, _ := r.Args[0].AsString()
			status, _ := r.Args[1].AsString()
			return a.e.Instances(context.Background(), workflow, status)
		}
		return a.e.query(context.Background(), r.Target.StoreID(), r.Name, r.Args, r.ArgNames)
	})
}

// read answers from the store and notes the answer.
func (a *attempt) read(r *interp.Request, n int, hash uint64, from func() (value.Value, error)) (value.Value, error) {
	v, err := from()
	if err == nil && value.Size(v) > maxPayload {
		err = refuse("bad_request", "the answer to %s is %d bytes; the limit is %d", requestWords(r), value.Size(v), maxPayload)
	}
	if err != nil {
		fault := faultOf(err)
		fault.Span = r.Span
		a.note(n, r, hash, value.Nil, a.failureOf(fault))
		return value.Nil, fault
	}
	a.note(n, r, hash, v, nil)
	return v, nil
}

// askLater asks another instance when what the attempt has sent is durable.
func (e *Engine) askLater(a *attempt, n int, r *interp.Request, hash uint64) {
	if a.over || e.stopped || e.fatal != nil {
		a.resume(value.Nil, errCut)
		return
	}
	a.ahead = false
	a.computes = true
	e.jobs.submit(func() func() {
		v, err := a.query(r, n, hash)
		return func() {
			a.returned()
			a.resume(v, err)
		}
	})
}

// requested handles, on the loop, what an attempt has yielded.
func (e *Engine) requested(a *attempt, r interp.Request) {
	if a.over || e.fatal != nil || e.stopped {
		a.drop()
		e.release(a.in)
		return
	}
	n, hash := a.n-1, requestHash(&r)
	switch {
	case isPrint(&r):
		e.printer.whenRoom(func() { e.printed(a) })
	case r.Kind == interp.Ask && e.isCommand(&r, a.in.prog):
		e.askFrom(a, n, &r, hash)
	case r.Kind == interp.Ask, isOp(&r, "Workflow.list"):
		e.written(a, func() { e.askLater(a, n, &r, hash) })
	case r.Kind == interp.Spawn:
		e.spawnFrom(a, n, &r, hash)
	case r.Kind == interp.Signal:
		e.signalFrom(a, n, &r, hash)
	case r.Kind == interp.Await:
		e.await(a, n, &r, hash)
	case r.Kind == interp.Select:
		w, f := selectWait(e.Now(), &r)
		if f != nil {
			e.answerPending(a, n, &r, hash, value.Nil, f)
			return
		}
		e.wait(a, n, &r, hash, w)
	case isOp(&r, "Signal.wait"), isOp(&r, "Timer.sleep"), isOp(&r, "Timer.until"):
		w, f := opWait(e.Now(), &r)
		if f != nil {
			e.answerPending(a, n, &r, hash, value.Nil, f)
			return
		}
		e.wait(a, n, &r, hash, w)
	case isOp(&r, "Signal.clear"):
		e.clearSignals(a, n, &r, hash)
	case isOp(&r, "Workflow.cancel"):
		e.cancelFrom(a, n, &r, hash)
	default:
		e.callOutside(a, n, &r, hash)
	}
}

// clearSignals drops the kept signals of a name with the step: until it ends
// they count as taken.
func (e *Engine) clearSignals(a *attempt, n int, r *interp.Request, hash uint64) {
	name, _ := r.Args[0].AsString()
	x := e.begin()
	p := x.part(a.in)
	a.flush(p)
	p.record(a.answerRecord(n, r, hash, value.Unit, nil))
	for _, s := range slices.Clone(a.in.inbox) {
		if s.name == name && !s.taken {
			p.setTaken(s, true)
			p.apply(flow.Took{Path: a.path, Signal: s.number})
		}
	}
	x.commit(func() { a.resume(value.Unit, nil) })
}

// maxSends is how many sends an attempt may be ahead of the store.
const maxSends = 256

// sent queues a send and lets the sender go on. It need not wait: batches become
// durable in the order they were queued, so whatever it writes later cannot
// become true without this one. What leaves the store (an outside call, a query
// of another instance) waits for all of it, see written.
func (e *Engine) sent(x *tx, a *attempt, v value.Value) {
	a.sends++
	a.ahead = true
	if a.sends < maxSends {
		x.commit(func() { a.sends-- })
		a.resume(v, nil)
		return
	}
	x.commit(func() {
		a.sends--
		a.resume(v, nil)
	})
}

// resume lets the attempt go on with the answer.
func (a *attempt) resume(v value.Value, err error) {
	if a.over || a.e.fatal != nil || a.e.stopped {
		a.drop()
		a.e.release(a.in)
		return
	}
	a.reply, a.replyErr = v, err
	a.advance()
}

// answerPending answers without a write of its own.
func (e *Engine) answerPending(a *attempt, n int, r *interp.Request, hash uint64, v value.Value, f *interp.Fault) {
	if f == nil {
		a.note(n, r, hash, v, nil)
		a.resume(v, nil)
		return
	}
	f.Span = r.Span
	a.note(n, r, hash, value.Nil, a.failureOf(f))
	a.resume(value.Nil, f)
}

// written makes what the attempt has noted and sent durable, then goes on.
func (e *Engine) written(a *attempt, then func()) {
	if len(a.pending) == 0 && a.sends == 0 {
		then()
		return
	}
	x := e.begin()
	a.flush(x.part(a.in))
	x.commit(then)
}

// printed makes what the attempt has printed durable, then goes on. It may have
// been cut while it waited for its turn.
func (e *Engine) printed(a *attempt) {
	if a.over || e.fatal != nil || e.stopped {
		a.resume(value.Unit, nil)
		return
	}
	e.written(a, func() { a.resume(value.Unit, nil) })
}

// byName turns the requests that name a query or signal at run time into what
// `ask` and `signal` ask for.
func byName(r *interp.Request) error {
	query := isOp(r, "Workflow.query")
	if !query && !isOp(r, "Workflow.signal") {
		return nil
	}
	h, ok := r.Args[0].AsHandle()
	name, isName := r.Args[1].AsString()
	if !ok || !isName {
		f := badArgument(r.Op.FullName() + " needs a handle and a name")
		f.Span = r.Span
		return f
	}
	args := r.Args[2:]
	for len(args) > 0 && args[len(args)-1].IsNil() {
		args = args[:len(args)-1]
	}
	*r = interp.Request{Kind: interp.Ask, Span: r.Span, Target: h, Name: name, Args: args}
	if !query {
		r.Kind = interp.Signal
	}
	return nil
}
