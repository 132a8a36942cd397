package console

import (
	"context"
	"time"

	"github.com/wf-lang/wf/interp/engine"
)

// A Wait lets time pass until something may have changed. It returns nil when
// the engine has committed something since the last wait, or when the engine's
// time has reached until (Unix nanoseconds, 0 for no such time); it may return
// too often, but never misses a change. An error says that waiting is over: ctx
// is done, or nothing can move any more. An *interp.Fault among them is the
// body's to catch.
type Wait func(ctx context.Context, until int64) error

// A Bell is a Wait over an engine that drives itself: have the engine's trace
// ring it after each commit, and end the context when the engine stops.
type Bell struct {
	rung chan struct{}
	now  func() int64
}

// NewBell makes a Bell; now is the engine's time in Unix nanoseconds.
func NewBell(now func() int64) *Bell { return &Bell{rung: make(chan struct{}, 1), now: now} }

// Ring says that something has been committed. It never blocks and may be called
// from anywhere.
func (b *Bell) Ring() {
	select {
	case b.rung <- struct{}{}:
	default:
	}
}

// maxSleep is how long a Bell sleeps before it looks at the clock, which may
// jump, again.
const maxSleep = time.Second

// Wait is a Wait. Only one at a time hears the bell.
func (b *Bell) Wait(ctx context.Context, until int64) error {
	var after <-chan time.Time
	if until != 0 {
		t := time.NewTimer(min(max(time.Duration(until-b.now()), 0), maxSleep))
		defer t.Stop()
		after = t.C
	}
	select {
	case <-b.rung:
		return nil
	case <-after:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Stepping is a Wait over a Serial engine under a virtual clock: the engine takes
// all the steps that it can; then move sets the clock to the next instant at
// which something happens, the engine's next timer or until, whichever is
// earlier. stuck gives the error when there is no such instant.
func Stepping(e *engine.Engine, move func(to int64), stuck func() error) Wait {
	return func(ctx context.Context, until int64) error {
		moved := false
		for e.Step() {
			moved = true
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		if err := e.Err(); err != nil || moved {
			return err
		}
		next, ok := e.NextTimer()
		if until != 0 && (!ok || until < next) {
			next, ok = until, true
		}
		if !ok {
			return stuck()
		}
		move(next)
		return nil
	}
}
