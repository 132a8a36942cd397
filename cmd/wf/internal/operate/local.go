package operate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist/bolt"
	"github.com/wf-lang/wf/stdlib"
)

// local carries requests out in this process.
type local struct {
	dir     string
	store   *bolt.Store
	engine  *engine.Engine
	acts    bool
	drained bool // the engine's loop has run
}

// passive is an engine that commits and does not drive.
func passive(ctx context.Context, s *bolt.Store) (*engine.Engine, error) {
	return engine.Open(ctx, engine.Config{Store: s, Builtins: stdlib.Table(), Clock: engine.SystemClock(), Seed: rand.Uint64, Passive: true})
}

func newLocal(ctx context.Context, s *bolt.Store, o Options) (way, error) {
	e, err := passive(ctx, s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &local{dir: o.Dir, store: s, engine: e, acts: o.Act}, nil
}

// do lets the engine commit what the request asks for and leaves: it is whoever
// drives the store next that goes on with it.
func (l *local) do(ctx context.Context, r *Request, yield func(Item) bool) error {
	h := host{engine: l.engine, store: l.store, dir: l.dir}
	if !r.acts() {
		return h.do(ctx, r, yield)
	}
	if !l.acts || l.drained {
		return fmt.Errorf("internal error: %s on a store that was opened for looking", r.Op)
	}
	l.drained = true
	err := l.engine.Drive(ctx, engine.UntilIdle, func(ctx context.Context) error { return h.do(ctx, r, yield) })
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		err = fmt.Errorf("%w: %w", engine.ErrUnknown, err) // it may be on its way to the store
	}
	return err
}

func (l *local) now() int64 { return l.engine.Now() }
func (l *local) pid() int   { return 0 }

func (l *local) close() error {
	if err := errors.Join(l.engine.Close(), l.store.Close()); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return nil
}
