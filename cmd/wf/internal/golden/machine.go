package golden

import (
	"bytes"
	"context"
	"fmt"

	"github.com/wf-lang/wf/cmd/wf/internal/lab"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// outside is the world that is not there: it notes the first call.
type outside struct{ called *OutsideError }

// Call refuses the call.
func (o *outside) Call(_ context.Context, c engine.Call) (value.Value, error) {
	err := &OutsideError{Operation: c.Op.FullName(), Instance: c.Instance}
	if o.called == nil {
		o.called = err
	}
	return value.Nil, &interp.Fault{Code: "denied", Message: err.Error(), Index: -1}
}

// A machine is one run of a script in a lab.
type machine struct {
	script  *Script
	lab     *lab.Lab
	outside outside
	output  bytes.Buffer
	main    string
	work    int
}

// result is what a run came to.
type result struct {
	transcript Transcript
	writes     int
	crashes    int
}

// run runs the script; the plan says which writes crash.
func (s *Script) run(ctx context.Context, plan persist.Plan) (r result, err error) {
	m := &machine{script: s}
	m.lab, err = lab.Open(ctx, lab.Config{Builtins: s.opts.Builtins, Caller: &m.outside, Output: &m.output, Ran: s.opts.Ran, Plan: plan,
		Wrap: s.opts.Wrap, Opened: m.takeUp, Limit: s.opts.Timeout})
	if err == nil {
		err = m.drive()
	}
	if err == nil {
		r = result{writes: m.lab.Writes(), crashes: m.lab.Crashes()}
		r.transcript, err = (&view{m.lab.Engine(), s.prog, m.main}).write(m.output.String())
	}
	if err == nil && s.opts.Look != nil {
		err = s.opts.Look(m.lab.Engine())
	}
	if closing := m.lab.Close(); err == nil {
		err = closing
	}
	return r, err
}

// takeUp goes on with the run of the program that is in the store, or starts
// one.
func (m *machine) takeUp(ctx context.Context, e *engine.Engine) error {
	run, err := e.FindMain(ctx, m.script.prog)
	if err != nil {
		return fmt.Errorf("look for the run: %w", err)
	}
	if _, err := e.Recover(ctx); err != nil {
		return err
	}
	if m.main = run.ID; run.Resumed {
		return nil
	}
	m.main, err = e.RunMain(ctx, m.script.prog)
	return err
}

// drive steps the engine until the run has ended.
func (m *machine) drive() error {
	for ; ; m.work++ {
		moved, err := m.lab.Step()
		switch {
		case err != nil:
			return err
		case m.outside.called != nil:
			return m.outside.called
		case m.work >= m.script.opts.MaxWork:
			return m.restless()
		case moved:
			continue
		}
		goesOn, err := m.advance()
		if err != nil || !goesOn {
			return err
		}
	}
}

// restless is the error of a run that does not come to rest.
func (m *machine) restless() error {
	_, running, err := m.lastInstant()
	if err != nil {
		return err
	}
	return &RestlessError{Work: m.work, Time: lab.SinceBegin(m.lab.Now()), Waiting: running}
}

// advance moves the clock to the next timer, if the run goes on until then.
func (m *machine) advance() (bool, error) {
	at, ok, err := m.lab.NextTimer()
	if err != nil || !ok {
		return false, err
	}
	last, running, err := m.lastInstant()
	if err != nil || !running && at > last {
		return false, err
	}
	m.lab.MoveClock(at)
	return true, nil
}

// lastInstant is the last one that belongs to the run, unless main is running.
func (m *machine) lastInstant() (at int64, running bool, err error) {
	s, err := m.lab.Engine().Show(context.Background(), m.main)
	if err != nil {
		return 0, false, fmt.Errorf("look at main: %w", err)
	}
	return s.Updated + int64(m.script.stop), s.Status == flow.Running.String() || s.Status == flow.Paused.String(), nil
}
