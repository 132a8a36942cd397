// Package lab is where scripts are tried out: a store that survives crashes, an
// engine that has it open and is stepped in one goroutine, and a clock that
// moves only when it is told to.
//
// Everything is the engine that drives real stores, with other parts plugged in.
// When the store dies, as a plan may have it do at any write, the engine is
// buried and another one takes up what is there.
package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// Begin is the instant at which the clock of a lab begins.
func Begin() time.Time { return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC) }

// SinceBegin is, in words, how much time lies between the beginning and an
// instant in Unix nanoseconds.
func SinceBegin(nanos int64) string {
	return value.FormatDuration(time.Duration(nanos - Begin().UnixNano()))
}

// A Config is what a lab is made of. Builtins is required.
type Config struct {
	Builtins []*program.Builtin
	Caller   engine.Caller                     // the world outside
	Output   io.Writer                         // where scripts print
	Ran      func(*program.Func)               // told of every body that runs; may be nil
	Plan     persist.Plan                      // of the writes, those of all engines in a row
	Wrap     func(persist.Store) persist.Store // put before the store of every engine; nil: nothing
	// Opened takes up what is in the store, in every new engine; nil: Recover.
	Opened func(context.Context, *engine.Engine) error
	// Limit bounds the real time; zero for none.
	Limit time.Duration
}

// A Lab is one run: what the store is kept on, the engine that has it open at
// the moment, and the clock.
type Lab struct {
	cfg    Config
	ctx    context.Context
	until  time.Time // real time
	disk   *persist.Disk
	clock  clock
	store  *persist.Faulty
	engine *engine.Engine

	writes  int // by engines before
	crashes int
	steps   int
}

// clock is a clock that moves when it is set.
type clock struct{ now int64 }

// Now gives the time in Unix nanoseconds.
func (c *clock) Now() int64 { return c.now }

// A TimeoutError is a run that took too much real time.
type TimeoutError struct{ Limit time.Duration }

// Error says how long it was allowed to take.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("it was still busy after %s (--timeout sets another limit)", e.Limit)
}

// Open makes a lab over an empty store and opens an engine in it. A plan may
// have that engine die already; then another one is open. ctx ends all work in
// the lab. Close has to follow, also after an error.
func Open(ctx context.Context, cfg Config) (*Lab, error) {
	l := &Lab{cfg: cfg, ctx: ctx, disk: persist.NewDiskAs("lab", Begin()), clock: clock{Begin().UnixNano()}}
	if cfg.Limit > 0 {
		l.until = time.Now().Add(cfg.Limit)
	}
	return l, l.survive(l.begin())
}

// begin opens an engine over the disk.
func (l *Lab) begin() error {
	disk, err := l.disk.Open()
	if err != nil {
		return err
	}
	l.store = persist.NewFaulty(disk, l.cfg.Plan.After(l.writes))
	var store persist.Store = l.store
	if l.cfg.Wrap != nil {
		store = l.cfg.Wrap(store)
	}
	l.engine, err = engine.Open(l.ctx, engine.Config{Store: store, Builtins: l.cfg.Builtins, Clock: &l.clock,
		Seed: func() uint64 { return 42 }, Caller: l.cfg.Caller, Output: l.cfg.Output, Ran: l.cfg.Ran, Serial: true})
	if err != nil {
		return err
	}
	if l.cfg.Opened != nil {
		return l.cfg.Opened(l.ctx, l.engine)
	}
	_, err = l.engine.Recover(l.ctx)
	return err
}

// survive goes on with another engine for as long as err says that one died.
func (l *Lab) survive(err error) error {
	for errors.Is(err, persist.ErrCrash) {
		err = l.again()
	}
	return err
}

// again buries the engine that has died and begins with a new one.
func (l *Lab) again() error {
	l.writes += l.store.Commits()
	l.crashes++
	l.store.Crash()
	// Closing it writes nothing any more; what it says is that it crashed.
	if err := l.engine.Close(); err != nil && !errors.Is(err, persist.ErrCrash) {
		return fmt.Errorf("close the crashed engine: %w", err)
	}
	l.disk.Crash()
	return l.begin()
}

// Crash kills the engine between two writes and opens another one.
func (l *Lab) Crash() error { return l.survive(l.again()) }

// Engine is the engine that is open at the moment.
func (l *Lab) Engine() *engine.Engine { return l.engine }

// Writes is how often the store was written to so far, Crashes how often an
// engine died, Steps how often one was stepped.
func (l *Lab) Writes() int { return l.writes + l.store.Commits() }

// Crashes is how often an engine has died so far.
func (l *Lab) Crashes() int { return l.crashes }

// Steps is how often an engine was stepped so far.
func (l *Lab) Steps() int { return l.steps }

// Now is the time in the lab, in Unix nanoseconds.
func (l *Lab) Now() int64 { return l.clock.now }

// MoveClock sets the clock to an instant, never back.
func (l *Lab) MoveClock(to int64) { l.clock.now = max(l.clock.now, to) }

// Step lets the engine do one thing; an engine that dies over it is replaced.
// It reports whether anything moved. The error is that of ctx, a *TimeoutError,
// or one of the store.
func (l *Lab) Step() (bool, error) {
	if l.steps++; l.steps%64 == 0 {
		if err := l.allowed(); err != nil {
			return false, err
		}
	}
	moved := l.engine.Step()
	if err := l.engine.Err(); err != nil {
		return true, l.survive(err)
	}
	return moved, nil
}

func (l *Lab) allowed() error {
	if l.ctx.Err() != nil {
		return context.Cause(l.ctx)
	}
	if !l.until.IsZero() && time.Now().After(l.until) {
		return &TimeoutError{l.cfg.Limit}
	}
	return nil
}

// Settle steps until nothing can move without the clock or somebody outside. It
// reports whether anything did.
func (l *Lab) Settle() (moved bool, err error) {
	if err := l.allowed(); err != nil {
		return false, err
	}
	for {
		more, err := l.Step()
		if err != nil || !more {
			return moved, err
		}
		moved = true
	}
}

// Do makes a request of the engine, and makes it again of the next one for as
// long as one dies over it: it must be one that may be repeated.
func (l *Lab) Do(request func(context.Context, *engine.Engine) error) error {
	for {
		if err := l.allowed(); err != nil {
			return err
		}
		err := request(l.ctx, l.engine)
		if fatal := l.engine.Err(); fatal != nil {
			err = fatal
		}
		if !errors.Is(err, persist.ErrCrash) {
			return err
		}
		if err := l.survive(err); err != nil {
			return err
		}
	}
}

// NextTimer is when the next timer is due, in Unix nanoseconds; false if there
// is none.
func (l *Lab) NextTimer() (int64, bool, error) {
	at, ok := l.engine.NextTimer()
	if err := l.engine.Err(); err != nil {
		if err = l.survive(err); err != nil {
			return 0, false, err
		}
		at, ok = l.engine.NextTimer()
	}
	return at, ok, nil
}

// Close ends the engine.
func (l *Lab) Close() error {
	if l.engine == nil {
		return nil
	}
	if err := l.engine.Close(); err != nil && !errors.Is(err, persist.ErrCrash) {
		return fmt.Errorf("close the engine: %w", err)
	}
	return nil
}
