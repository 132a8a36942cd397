package golden

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// begin is the instant at which the virtual clock begins.
func begin() time.Time { return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC) }

// clock is the virtual clock: it moves when it is set.
type clock struct{ now int64 }

// Now gives the virtual time in Unix nanoseconds.
func (c *clock) Now() int64 { return c.now }

// sinceBegin is how much virtual time lies between the beginning and an instant.
func sinceBegin(nanos int64) string {
	return value.FormatDuration(time.Duration(nanos - begin().UnixNano()))
}

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

// A machine is one run of a script: a disk that survives crashes, the engine
// that has it open at the moment, and the clock.
type machine struct {
	script  *script
	plan    func(n int, batches []persist.Batch) persist.Fault
	disk    *persist.Disk
	clock   clock
	outside outside
	output  bytes.Buffer

	store   *persist.Faulty
	engine  *engine.Engine
	main    string
	writes  int // by engines before
	crashes int
	work    int
}

// result is what a run came to.
type result struct {
	transcript Transcript
	writes     int
	crashes    int
}

// run runs the script; the plan says which writes crash.
func (s *script) run(plan func(int, []persist.Batch) persist.Fault) (result, error) {
	m := &machine{script: s, plan: plan, disk: persist.NewDiskAs("golden", begin()), clock: clock{begin().UnixNano()}}
	err := m.begin()
	for errors.Is(err, persist.ErrCrash) {
		err = m.again()
	}
	if err == nil {
		err = m.drive()
	}
	var r result
	if err == nil {
		r = result{writes: m.writes + m.store.Commits(), crashes: m.crashes}
		r.transcript, err = m.write()
	}
	if m.engine != nil {
		if closing := m.engine.Close(); err == nil && closing != nil {
			err = fmt.Errorf("close the engine: %w", closing)
		}
	}
	return r, err
}

// begin opens an engine over the disk and goes on with the run of the program
// that it finds there, or starts one.
func (m *machine) begin() error {
	ctx := context.Background()
	disk, err := m.disk.Open()
	if err != nil {
		return err
	}
	before := m.writes
	m.store = persist.NewFaulty(disk, func(n int, batches []persist.Batch) persist.Fault {
		if m.plan == nil {
			return persist.NoFault
		}
		return m.plan(before+n, batches)
	})
	m.engine, err = engine.Open(ctx, engine.Config{Store: m.store, Builtins: m.script.opts.Builtins, Clock: &m.clock,
		Seed: func() uint64 { return 42 }, Caller: &m.outside, Output: &m.output, Serial: true})
	if err != nil {
		return err
	}
	run, err := m.engine.FindMain(ctx, m.script.prog)
	if err != nil {
		return fmt.Errorf("look for the run: %w", err)
	}
	if _, err := m.engine.Recover(ctx); err != nil {
		return err
	}
	if m.main = run.ID; run.Resumed {
		return nil
	}
	m.main, err = m.engine.RunMain(ctx, m.script.prog)
	return err
}

// again buries the engine that has died and begins with a new one.
func (m *machine) again() error {
	m.writes += m.store.Commits()
	m.crashes++
	m.store.Crash()
	// Closing it writes nothing any more; what it says is that it crashed.
	if err := m.engine.Close(); err != nil && !errors.Is(err, persist.ErrCrash) {
		return fmt.Errorf("close the crashed engine: %w", err)
	}
	m.disk.Crash()
	return m.begin()
}

// drive steps the engine until the run has ended.
func (m *machine) drive() error {
	for ; ; m.work++ {
		moved := m.engine.Step()
		err := m.engine.Err()
		for errors.Is(err, persist.ErrCrash) {
			err, moved = m.again(), true
		}
		switch {
		case err != nil:
			return err
		case m.outside.called != nil:
			return m.outside.called
		case m.work >= m.script.opts.MaxWork:
			_, running, err := m.lastInstant()
			return errors.Join(err, &RestlessError{Work: m.work, Time: sinceBegin(m.clock.now), Waiting: running})
		case moved:
			continue
		}
		goesOn, err := m.advance()
		if err != nil || !goesOn {
			return err
		}
	}
}

// advance moves the clock to the next timer, if the run goes on until then.
func (m *machine) advance() (bool, error) {
	at, ok := m.engine.NextTimer()
	if !ok {
		return false, nil
	}
	last, running, err := m.lastInstant()
	if err != nil || !running && at > last {
		return false, err
	}
	m.clock.now = max(m.clock.now, at)
	return true, nil
}

// lastInstant is the last one that belongs to the run, unless main is running.
func (m *machine) lastInstant() (at int64, running bool, err error) {
	s, err := m.engine.Show(context.Background(), m.main)
	if err != nil {
		return 0, false, fmt.Errorf("look at main: %w", err)
	}
	return s.Updated + int64(m.script.stop), s.Status == flow.Running.String() || s.Status == flow.Paused.String(), nil
}
