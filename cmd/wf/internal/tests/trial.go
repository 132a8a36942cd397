package tests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/golden"
	"github.com/wf-lang/wf/cmd/wf/internal/lab"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/console"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// A trial is one run of a test block. Its body is no instance and knows nothing
// of crashes: when the engine dies under it, the request that is under way is
// made again of the next engine, under the same key.
type trial struct {
	suite   *suite
	test    *program.Test
	ctx     context.Context
	lab     *lab.Lab
	console *console.Console
	world   *world
	output  bytes.Buffer

	asked  int   // requests so far
	bound  int64 // instant beyond which a wait does not move the clock
	waited string
}

// outcome is what a trial came to.
type outcome struct {
	transcript golden.Transcript
	writes     int
	crashes    int
	world      *world
	output     string
	unsure     bool // some `perform once` was left open by a crash
}

// maxWait is how far a wait moves the clock.
const maxWait = 366 * 24 * time.Hour

// try runs a test block; the plan says which writes crash.
func (s *suite) try(ctx context.Context, test *program.Test, plan persist.Plan) (out outcome, err error) {
	t := &trial{suite: s, test: test, ctx: ctx}
	t.world = newWorld(t)
	t.console = &console.Console{Program: s.prog, Builtins: s.Builtins, Caller: t.world, Output: &t.output,
		Wait: t.wait, Key: func() string { return "test-" + strconv.Itoa(t.asked) }, Seed: func() uint64 { return 42 }}
	t.lab, err = lab.Open(ctx, lab.Config{Builtins: s.Builtins, Caller: t.world, Output: &t.output, Ran: s.ran.hook(), Plan: plan, Wrap: s.Wrap,
		Opened: t.takeUp, Limit: s.Timeout})
	if err == nil {
		err = t.run()
	}
	out = outcome{world: t.world, output: t.output.String()}
	if t.lab.Engine() != nil && ctx.Err() == nil {
		err = errors.Join(err, t.look(&out))
	}
	if closing := t.lab.Close(); err == nil {
		err = closing
	}
	return out, err
}

// takeUp has a new engine go on with what is in the store.
func (t *trial) takeUp(ctx context.Context, e *engine.Engine) error {
	t.console.Engine = e
	if err := e.Adopt(ctx, t.suite.prog); err != nil {
		return err
	}
	_, err := e.Recover(ctx)
	return err
}

// run evaluates the body.
func (t *trial) run() error {
	_, err := t.console.Evaluate(t.ctx, t, t.test.Body, nil)
	if err == nil {
		err = t.settle() // what the last statement has set going may call outside
	}
	var f *interp.Fault
	if trouble := t.world.trouble(); trouble != nil && errors.As(err, &f) {
		return trouble // the fault came of it
	}
	return t.fault(err)
}

// look notes what is in the store when the body is through.
func (t *trial) look(out *outcome) error {
	var err error
	out.writes, out.crashes = t.lab.Writes(), t.lab.Crashes()
	if out.transcript, err = golden.Transcribe(t.lab.Engine(), t.suite.prog, out.output); err != nil {
		return err
	}
	if out.unsure, err = unsure(t.ctx, t.lab.Engine()); err != nil {
		return err
	}
	return t.suite.ran.look(t.suite.prog)(t.lab.Engine())
}

// fault makes an error that ends a test the failure of it.
func (t *trial) fault(err error) error {
	var f *interp.Fault
	var late *lab.TimeoutError
	switch {
	case errors.As(err, &late):
		return &failError{&Fail{Place: t.place(t.test.Span), Message: late.Error(), Pending: t.pending()}}
	case errors.As(err, &f):
		at := f.Span
		if at.IsZero() {
			at = t.test.Span
		}
		return &failError{&Fail{Place: t.place(at), Message: fmt.Sprintf("%s (%s)", f.Message, f.Code)}}
	}
	return err
}

func (t *trial) place(at source.Span) Place { return placeOf(t.suite.prog.Files, at) }

// apply calls a function value outside of the body.
func (t *trial) apply(fn value.Value, args ...value.Value) (value.Value, error) {
	call := &program.CallValue{At: program.At{Place: t.test.Span}, Fn: &program.Local{Slot: 0}}
	for i := range args {
		call.Args = append(call.Args, &program.Local{Slot: i + 1})
	}
	body := &program.Func{Span: t.test.Span, Slots: len(args) + 1, Body: call}
	return t.console.Evaluate(t.ctx, nowhere{}, body, append([]value.Value{fn}, args...))
}

// settle lets everything move that can without the clock.
func (t *trial) settle() error {
	_, err := t.moved()
	return err
}

// moved is settle; it reports whether anything has moved.
func (t *trial) moved() (bool, error) {
	moved, err := t.lab.Settle()
	if err == nil {
		err = t.world.trouble()
	}
	return moved, err
}

// Do answers a request of the body. Before it, everything moves that can.
func (t *trial) Do(r interp.Request) (value.Value, error) {
	t.asked++
	if err := t.settle(); err != nil {
		return value.Nil, err
	}
	if r.Kind == interp.Perform && r.Op.Module == program.TestModule {
		return t.statement(&r)
	}
	t.bound, t.waited = t.lab.Now()+int64(maxWait), r.Target.StoreID()
	var v value.Value
	err := t.lab.Do(func(ctx context.Context, _ *engine.Engine) (err error) {
		v, err = t.console.Host(ctx).Do(r)
		return err
	})
	var f *failError
	if errors.As(err, &f) && f.fail.Place == (Place{}) {
		f.fail.Place = t.place(r.Span)
	}
	return v, err
}

// wait is how time passes for the body: everything moves that can, then the clock,
// to the next timer or to the given instant.
func (t *trial) wait(_ context.Context, until int64) error {
	if moved, err := t.moved(); moved || err != nil {
		return err
	}
	next, ok, err := t.lab.NextTimer()
	if err != nil {
		return err
	}
	switch {
	case until != 0 && (!ok || until < next):
		next = until
	case !ok:
		return &failError{&Fail{Message: "nothing is left that could end " + t.waitedFor(), Pending: t.pending()}}
	case next > t.bound:
		return &failError{&Fail{Message: fmt.Sprintf("%s has not come to an end within 366 days", t.waitedFor()), Pending: t.pending()}}
	}
	t.lab.MoveClock(next)
	return nil
}

func (t *trial) waitedFor() string {
	if t.waited == "" {
		return "this wait"
	}
	return t.waited
}

// advance moves the clock by a time, timer by timer.
func (t *trial) advance(by time.Duration) error {
	to := t.lab.Now() + int64(by)
	for {
		next, ok, err := t.lab.NextTimer()
		if err != nil {
			return err
		}
		if !ok || next > to {
			t.lab.MoveClock(to)
			return t.settle()
		}
		t.lab.MoveClock(next)
		if err := t.settle(); err != nil {
			return err
		}
	}
}
