// Package console evaluates bodies outside of any instance, over an engine: the
// lines of an interactive session, the body of a test.
//
// A body in an instance is an attempt of a step: journaled, put away while it
// waits, run again after a crash. A body out here is none of that. It is
// evaluated once, in the goroutine of whoever wants it, and while it waits its
// caller waits. What it asks for goes through the same entrances that the
// command line uses, so what it spawns, asks and signals are real instances,
// durable like any other; but nobody remembers that it asked. A fault leaves
// standing what it had sent.
//
// How time passes is its owner's to say, through Wait:
//
//   - Where an engine drives itself (engine.Drive), a Bell does: the engine's
//     trace rings it, a wait ends when it rings or the time has come.
//   - Over a Serial engine with a virtual clock, Stepping does: it lets the
//     engine take its steps, and moves the clock when nothing else can move.
//
// To stand between a body and the world (to mock an operation, to count calls),
// wrap what Host gives, and run the body with interp.Run or Evaluate.
//
// The statements themselves are checked with checker.CheckOutside, which says
// what they bind.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// A Console is the world of bodies that belong to no instance. Engine, Program,
// Wait and Seed are required. Bodies are evaluated one at a time.
type Console struct {
	Engine *engine.Engine
	// Program is what spawn takes workflows from and what values name
	// functions of. Its entities are known to the store only after
	// Engine.Adopt.
	Program  *program.Program
	Builtins []*program.Builtin  // that values may name
	Caller   engine.Caller       // nil: there is no world outside
	Output   io.Writer           // where IO.print writes; nil: nowhere
	Log      func(engine.Logged) // where Log.info and its like show; nil: nowhere
	Wait     Wait
	// Key gives the idempotency key of the request that is being answered; nil:
	// requests have none. Whoever repeats one that an engine died over needs it.
	Key    func() string
	Seed   func() uint64 // chance
	Limits interp.Limits // Tick is the console's own

	asked int // requests for chance so far
	seed  uint64
}

// Run evaluates a function that checker.CheckOutside has made, with the values
// of the names that it was given. When ctx is done the evaluation ends with the
// context's cause. An *interp.Fault is the body's own; `fail` gives one, too.
func (c *Console) Run(ctx context.Context, fn *program.Func, args []value.Value) (value.Value, error) {
	return c.Evaluate(ctx, c.Host(ctx), fn, args)
}

// Evaluate is Run before another host, which may hand on to Host.
func (c *Console) Evaluate(ctx context.Context, h interp.Host, fn *program.Func, args []value.Value) (value.Value, error) {
	limits := c.Limits
	limits.Tick = func() error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	}
	out, err := interp.Run(h, interp.Call{Fn: fn, Args: args, Limits: limits, Program: c.Program, Builtin: c.builtin})
	switch {
	case err != nil:
		return value.Nil, err
	case out.Ending.Kind == interp.Failed:
		return value.Nil, out.Ending.Fault
	}
	return out.Result, nil
}

func (c *Console) builtin(name string) *program.Builtin {
	for _, b := range c.Builtins {
		if b.FullName() == name {
			return b
		}
	}
	return nil
}

// Host answers the requests of a body until ctx is done. What is refused is an
// *interp.Fault, which the body may catch; an error of the store or of ctx is
// not, and unwinds the body.
func (c *Console) Host(ctx context.Context) interp.Host { return host{c, ctx} }

type host struct {
	c   *Console
	ctx context.Context
}

// Do answers one request.
func (h host) Do(r interp.Request) (value.Value, error) {
	if h.ctx.Err() != nil {
		return value.Nil, context.Cause(h.ctx)
	}
	r, err := engine.Named(r)
	if err != nil {
		return value.Nil, placed(err, &r)
	}
	v, err := h.answer(&r)
	return v, placed(err, &r)
}

func (h host) answer(r *interp.Request) (value.Value, error) {
	e := h.c.Engine
	switch r.Kind {
	case interp.Spawn:
		return h.spawn(r)
	case interp.Ask:
		return e.Ask(h.ctx, r.Target, r.Name, r.Args, r.ArgNames, h.c.key())
	case interp.Signal:
		payload := value.Nil
		if len(r.Args) > 0 {
			payload = r.Args[0]
		}
		return value.Unit, e.Signal(h.ctx, r.Target.StoreID(), r.Name, payload, h.c.key())
	case interp.Await:
		return h.await(r)
	case interp.Select:
		return value.Nil, noInbox("select")
	}
	return h.perform(r)
}

func (h host) spawn(r *interp.Request) (value.Value, error) {
	fields, _ := r.Args[0].AsRecord()
	id := ""
	if r.HasID {
		if id = r.ID; id == "" {
			return value.Nil, engine.CheckID(id)
		}
	}
	s, err := h.c.Engine.Spawn(h.ctx, h.c.Program, r.Name, id, fields, h.c.key())
	if err != nil {
		return value.Nil, err
	}
	return value.NewHandle(value.Handle{Type: s.Workflow, ID: s.ID}), nil
}

// await waits for the end of an instance.
func (h host) await(r *interp.Request) (value.Value, error) {
	id, until := r.Target.StoreID(), int64(0)
	if r.HasDeadline {
		var err error
		if until, err = engine.After(h.c.Engine.Now(), r.Deadline); err != nil {
			return value.Nil, err
		}
	}
	for {
		e := h.c.Engine // a wait may have put another one there
		v, ended, err := e.End(h.ctx, id)
		switch {
		case ended || err != nil:
			return v, err
		case r.HasDeadline && e.Now() >= until:
			return value.Nil, &interp.Fault{Code: "timeout", Message: id + " has not ended in time", Index: -1}
		}
		if err := h.c.Wait(h.ctx, until); err != nil {
			return value.Nil, err
		}
	}
}

// perform answers what the engine knows itself and hands on the rest.
func (h host) perform(r *interp.Request) (value.Value, error) {
	c, e := h.c, h.c.Engine
	if text, log, ok, err := engine.Shown(e.Now(), r); ok {
		return value.Unit, errors.Join(err, c.shown(text, log))
	}
	switch r.Op.FullName() {
	case "Time.now":
		return value.Time(e.Now()), nil
	case "Uuid.new", "Random.int":
		if v, ok := c.chance(r); ok {
			return v, nil
		}
		return value.Nil, &interp.Fault{Code: "bad_range", Message: "Random.int needs two Ints, the first not above the second", Index: -1}
	case "Timer.sleep", "Timer.until":
		at, err := engine.SleepUntil(e.Now(), r)
		if err != nil {
			return value.Nil, err
		}
		return value.Unit, h.sleep(at)
	case "Signal.wait", "Signal.clear":
		return value.Nil, noInbox("perform " + r.Op.FullName())
	case "Workflow.list":
		workflow, _ := r.Args[0].AsString()
		status, _ := r.Args[1].AsString()
		return e.Instances(h.ctx, workflow, status)
	case "Workflow.cancel":
		target, ok := r.Args[0].AsHandle()
		if !ok {
			return value.Nil, &interp.Fault{Code: "bad_argument", Message: "Workflow.cancel needs a handle", Index: -1}
		}
		return value.Unit, e.Cancel(h.ctx, target.StoreID())
	}
	return h.call(r)
}

// shown lets out a printed text, or a logged line.
func (c *Console) shown(text string, log *engine.Logged) error {
	switch {
	case log != nil && c.Log != nil:
		c.Log(*log)
	case log == nil && text != "" && c.Output != nil:
		_, err := io.WriteString(c.Output, text)
		return err
	}
	return nil
}

// call asks the world outside. Under a virtual clock the answer takes the time
// that the caller says.
func (h host) call(r *interp.Request) (value.Value, error) {
	c := h.c
	if c.Caller == nil {
		return value.Nil, &interp.Fault{Code: "unavailable", Message: r.Op.FullName() + " is not available here", Index: -1}
	}
	c.asked++
	call := engine.Call{Op: r.Op, Args: r.Args, Key: fmt.Sprintf("%016x-%d", c.seeded(), c.asked), Attempt: 1, At: r.Span}
	v, err := c.Caller.Call(h.ctx, call)
	if d, ok := c.Caller.(engine.Delayer); ok {
		if wait := h.sleep(c.Engine.Now() + int64(d.Delay(call))); wait != nil {
			return value.Nil, wait
		}
	}
	if err != nil && h.ctx.Err() != nil {
		return value.Nil, context.Cause(h.ctx)
	}
	return v, asFault(err)
}

// sleep lets time pass until an instant.
func (h host) sleep(at int64) error {
	for h.c.Engine.Now() < at {
		if err := h.c.Wait(h.ctx, at); err != nil {
			return err
		}
	}
	return nil
}

func (c *Console) key() string {
	if c.Key == nil {
		return ""
	}
	return c.Key()
}

func (c *Console) chance(r *interp.Request) (value.Value, bool) {
	c.asked++
	return engine.Chance(c.seeded(), c.asked, r)
}

func (c *Console) seeded() uint64 {
	if c.seed == 0 {
		c.seed = c.Seed()
	}
	return c.seed
}

// noInbox refuses to wait for a signal where there is nobody to send it to.
func noInbox(what string) error {
	return &interp.Fault{Code: "no_self", Index: -1,
		Message: what + " waits for a signal that is sent to an instance, and this is none; put it into a step of a workflow"}
}

// placed makes what was refused a fault of the body, at the request that was.
func placed(err error, r *interp.Request) error {
	var refused *engine.RefusedError
	if errors.As(err, &refused) {
		return &interp.Fault{Code: refused.Code, Message: refused.Message, Span: r.Span, Index: -1}
	}
	var f *interp.Fault
	if errors.As(err, &f) {
		g := *f // its own place is in another text
		g.Span, g.Stack = r.Span, nil
		return &g
	}
	return err
}

// asFault makes an error of the world outside one that a body may catch.
func asFault(err error) error {
	var f *interp.Fault
	if err == nil || errors.As(err, &f) {
		return err
	}
	code := "error"
	if errors.Is(err, context.DeadlineExceeded) {
		code = "timeout"
	}
	return &interp.Fault{Code: code, Message: err.Error(), Index: -1}
}
