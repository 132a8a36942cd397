package engine

import (
	"context"
	"errors"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// A command is a request to run a command of an instance.
type command struct {
	target value.Handle
	name   string
	args   []value.Value
	names  []string // of named arguments, "" for positional ones; nil if all are positional
	key    string   // idempotency key, "" for none
	prog   *program.Program
	// reply gets the answer, when it is durable. also adds the sender's part
	// to the transaction of an accepted command; it may be nil.
	reply func(value.Value, error)
	also  func(x *tx, v value.Value)
	// outside: nobody in the store waits for the answer.
	outside bool
}

// commandFuel bounds a command, in node evaluations: it runs on the loop.
const commandFuel = 1_000_000

// Call runs a command of an instance and gives its reply when the change is
// durable. A rejection is a *RefusedError, a fault an *interp.Fault; both have
// changed nothing. With a key, the same call again gives the first answer, if it
// was accepted and changed something; another call under it is refused. The
// handle of an entity that does not exist creates it; prog may be nil, then the
// store's newest program that declares the entity is used.
func (e *Engine) Call(ctx context.Context, target value.Handle, name string, args []value.Value, key string, prog *program.Program) (value.Value, error) {
	if err := received(key, name, args...); err != nil {
		return value.Nil, err
	}
	var answer value.Value
	replied := false // the first reply counts
	err := e.call(ctx, key, func(reply func(error)) {
		e.command(&command{target: target, name: name, args: args, key: key, prog: prog, outside: true, reply: func(v value.Value, err error) {
			if !replied {
				answer, replied = v, true
				reply(err)
			}
		}})
	})
	if err != nil {
		return value.Nil, err // the loop may yet answer somebody who has gone
	}
	return answer, nil
}

// command accepts or refuses a command, on the loop.
func (e *Engine) command(c *command) {
	in, b, err := e.receiver(c)
	if err != nil {
		c.reply(value.Nil, err)
		return
	}
	if in != nil && in.atomic() {
		in.queued = append(in.queued, c) // no command runs between the start and the commit of an atomic step
		return
	}
	v, err, later := e.execute(c, in, b)
	if later {
		return
	}
	if in == nil || in.held == 0 {
		if in != nil {
			e.release(in)
		}
		c.reply(v, err)
		return
	}
	// What it has seen is on its way to the store: the answer waits for it.
	x := e.begin()
	x.part(in)
	x.batch.asked(c.outside, func(f error) { c.reply(value.Nil, f) })
	x.commit(func() { c.reply(v, err) })
}

// receiver finds the instance, or what would be born of an entity.
func (e *Engine) receiver(c *command) (*instance, *birth, error) {
	ctx := context.Background()
	id := c.target.StoreID()
	in, err := e.lookup(ctx, id)
	if err == nil {
		if c.target.Type != "" && in.workflow != c.target.Type {
			e.release(in)
			return nil, nil, refuse("not_found", "%q is a %s, not a %s", id, in.workflow, c.target.Type)
		}
		return in, nil, e.renew(ctx, in)
	}
	if !errors.Is(err, ErrNotFound) || !c.target.Entity {
		return nil, nil, err
	}
	prog, err := e.entityProgram(ctx, c.target.Type, c.prog)
	if err != nil {
		return nil, nil, err
	}
	if prog == nil {
		return nil, nil, noInstance(id)
	}
	if err := CheckID(c.target.ID); err != nil {
		return nil, nil, err
	}
	empty, _ := value.NewRecord(nil, nil).AsRecord()
	b, err := e.newBirth(prog, prog.Actor(c.target.Type), id, empty)
	return nil, b, err
}

// atomic reports whether a step is under way that no command may come between.
func (in *instance) atomic() bool {
	for _, a := range in.attempts {
		if a.block == nil && a.body.Effects.Atomic() {
			return true
		}
	}
	return false
}

// runQueued runs the commands that waited for an atomic step.
func (e *Engine) runQueued(in *instance) {
	if len(in.queued) == 0 || in.atomic() {
		return
	}
	cs := in.queued
	in.queued = nil
	for _, c := range cs {
		e.command(c)
	}
}

// execute runs the handler. later says that the reply follows a commit.
func (e *Engine) execute(c *command, in *instance, b *birth) (v value.Value, err error, later bool) {
	body := bodyHash("command", c.name, c.args, c.names)
	if in != nil && c.key != "" {
		v, found, err := e.remembered(in, c.key, body)
		if found || err != nil {
			return v, err, false
		}
	}
	wf, prog := wfOf(in, b)
	h := wf.Command(c.name)
	if h == nil {
		return value.Nil, noCommand(wf, c.name), false
	}
	if in != nil {
		if err := in.accepts(h); err != nil {
			return value.Nil, err, false
		}
	}
	args, err := bind(h, c.args, c.names)
	if err != nil {
		return value.Nil, err, false
	}
	self := &interp.Self{Workflow: wf}
	seed, seq := uint64(0), uint64(0)
	if in != nil {
		self, seed, seq = in.self(), in.seed, in.lastSeq
	} else {
		self.ID, self.Fields, seed = c.target.ID, b.fields, b.seed
	}
	limits := e.cfg.Limits
	limits.Fuel = commandFuel
	e.runs(h.Body)
	out, err := e.run(&commandHost{e: e, id: wf.Name + "/" + self.ID, seed: seed, seq: seq}, interp.Call{Fn: h.Body, Args: args, Self: self, Limits: limits, Program: prog, Builtin: e.progs.builtin})
	if err != nil {
		return value.Nil, err, false
	}
	if out.Ending.Kind == interp.Rejected {
		return value.Nil, &RefusedError{out.Ending.Fault.Code, out.Ending.Fault.Message}, false
	}
	return e.accept(c, in, b, h, &out, body)
}

func wfOf(in *instance, b *birth) (*program.Workflow, *program.Program) {
	if in != nil {
		return in.wf, in.prog
	}
	return b.wf, b.prog
}

// accept makes what an accepted command does true.
func (e *Engine) accept(c *command, in *instance, b *birth, h *program.Handler, out *interp.Outcome, body uint64) (value.Value, error, bool) {
	reply := out.Result
	if out.Ending.HasReply {
		reply = out.Ending.Reply
	} else if out.Ending.Kind != interp.FellThrough {
		reply = value.Unit
	}
	if !reply.IsData() {
		return value.Nil, refuse("internal", "command %s replies with %s, which cannot be sent", c.name, reply.Short(40)), false
	}
	kind := out.Ending.Kind
	changes := len(out.Writes) > 0 || len(out.Events) > 0 || kind != interp.FellThrough && kind != interp.Replied
	if !changes {
		return reply, nil, false
	}
	if in != nil {
		if err := e.mayChange(in, kind); err != nil {
			return value.Nil, err, false
		}
	}
	x := e.begin()
	a := attempt{e: e, in: in, body: h.Body, outcome: *out}
	if in == nil {
		a.in = b.unborn(x.now)
	}
	a.step = a.in.currentStep()
	if f := a.tooLarge(); f != nil {
		return value.Nil, f, false
	}
	effect, next, f := a.effect(x.now)
	if f != nil {
		return value.Nil, f, false
	}
	if in == nil {
		in = x.bear(b)
	}
	if kind == interp.End {
		effect.Value = dataOf(out.Result)
	}
	if kind == interp.Pause {
		next = effect.Reason
	}
	p := x.part(in)
	rec := Record{Kind: RecCommand, Step: in.currentStep(), Name: c.name, What: commandWords(kind), Value: value.List(c.args...), Reply: reply, Next: next,
		Failure: effect.Cause, Fields: namedFields(in.wf, effect.Writes)}
	for _, event := range out.Events {
		rec.Events = append(rec.Events, p.event(event, in.currentStep()))
	}
	for _, w := range effect.Writes {
		p.slots = append(p.slots, w.Slot)
	}
	if kind == interp.Deleted {
		p.delete()
	} else {
		p.record(rec)
		p.remember(c.key, body, reply)
		p.apply(flow.Commanded{Effect: effect, Now: x.now})
	}
	x.trace(in, func() string { return "accepts " + c.name + arguments(c.args) })
	for _, event := range out.Events {
		x.traceAs(in, TraceEmitted, func() string { return "emits " + event.Name + arguments(event.Args) })
	}
	if kind == interp.Deleted {
		x.traceAs(in, TraceDeleted, said("is deleted"))
	}
	x.traceStatus(in)
	if c.also != nil {
		c.also(x, reply)
	}
	x.batch.asked(c.outside, func(f error) { c.reply(value.Nil, f) })
	x.commit(func() { c.reply(reply, nil) })
	return reply, nil, true
}

// mayChange refuses what a command cannot do to an instance as it stands.
func (e *Engine) mayChange(in *instance, kind interp.EndingKind) error {
	s := &in.state
	transition := kind != interp.FellThrough && kind != interp.Replied && kind != interp.Deleted
	switch {
	case transition && in.wf.Entity:
		return refuse("conflict", "an entity has no steps to go to")
	case transition && s.Ending != flow.NotEnding:
		return refuse("conflict", "%s %q is ending, by %s; nothing transitions it any more", in.workflow, in.id, s.Ending)
	}
	return nil
}

func commandWords(k interp.EndingKind) string {
	switch k {
	case interp.Goto:
		return "goto"
	case interp.Pause:
		return "pause"
	case interp.End:
		return "end"
	case interp.Failed:
		return "fail"
	case interp.Deleted:
		return "delete"
	}
	return ""
}

// askFrom sends a command for an attempt: the receiver's change and the sender's
// answer are one transaction.
func (e *Engine) askFrom(a *attempt, n int, r *interp.Request, hash uint64) {
	c := &command{target: r.Target, name: r.Name, args: r.Args, names: r.ArgNames, key: a.key(hash), prog: a.in.prog}
	done := false
	c.also = func(x *tx, v value.Value) {
		done = true
		if a.over {
			return // its answer is dropped; the command stands
		}
		p := x.part(a.in)
		a.flush(p)
		p.record(a.answerRecord(n, r, hash, v, nil))
		a.count(hash, nil)
	}
	c.reply = func(v value.Value, err error) {
		switch {
		case a.over || e.fatal != nil || e.stopped:
			a.resume(value.Nil, errCut)
		case done:
			a.resume(v, nil)
		case err != nil:
			e.answerPending(a, n, r, hash, value.Nil, faultOf(err))
		default:
			e.answerPending(a, n, r, hash, v, nil)
		}
	}
	e.command(c)
}
