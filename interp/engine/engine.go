// Package engine is the durable runtime: it keeps instances in a store and
// drives them.
//
// One loop owns all instances (the kernel of the engine: every decision is made
// on it, one after the other). It never computes a script and never writes:
// bodies run as jobs on a pool of workers, batches go to a committer that writes
// whatever has gathered in one transaction, and both report back to the loop.
// After a commit, and not before, the loop lets out what the batch made true: it
// shows output, wakes waiters, acknowledges callers, starts the next steps.
//
// An attempt of a step is a coroutine that yields when it needs the world. A
// wait ends it: what it had as answers is in the journal, and when the wait is
// over its body is run again over them. So a waiting instance is a row in the
// store and nothing in memory.
//
// With Config.Serial nothing runs concurrently: the same loop is stepped by its
// owner, jobs run where they are picked, commits happen when a Picker says so.
// Tests, crash enumeration and simulation are this engine with other parts
// plugged in.
package engine

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/persist"
)

// An Engine drives the instances of one store.
type Engine struct {
	cfg   Config
	store persist.Store
	tail  persist.Tail
	clock clock
	progs programs

	loop      mailbox
	jobs      pool
	committer committer
	printer   printer

	runners  sync.Pool // of *interp.Runner, for bodies that run to their end at once
	entityMu sync.Mutex
	entities map[string]string // hash of the newest program that declares an entity, by its name; guarded by entityMu

	// What follows is owned by the loop.
	insts      map[uint64]*instance
	byID       map[string]*instance // of insts
	resting    []*instance          // of insts: those that nothing was under way for, the oldest first
	counters   map[string]uint64    // last automatic number, by workflow
	lastNumber uint64
	lastEvent  uint64
	lastOutput uint64
	shown      []uint64 // output cells to be removed with a next write
	clockNoted int64
	timers     timers
	soon       soon
	careful    careful
	room       room
	late       map[*attempt]bool // given up while a worker has them
	busy       int               // jobs, batches and outside calls under way
	writing    int               // batches under way
	calls      int               // outside calls under way, unless the engine is Serial
	failed     FailedInstances
	spawnKeys  map[string]spawnKey // of spawns on their way to the store, by key
	scope      scope
	unfinished uint64 // number below which everything that is driven has ended
	fatal      error  // fail-stop: the store failed
	leaving    bool   // the loop has ended: nothing more is accepted
	cancelled  bool   // the outside calls are cancelled, because the engine is being closed
	stopped    bool
}

// FailedInstances are the instances that ended badly while this engine drove.
type FailedInstances struct {
	Count int
	First []Summary // at most 20
}

// Open makes an engine over a store. It reads where the store's numbers stand;
// it drives nothing until Recover and Drive (or Step).
func Open(ctx context.Context, cfg Config) (*Engine, error) {
	tail, err := cfg.Store.Tail(ctx)
	if err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	e := &Engine{cfg: cfg, tail: tail, store: cfg.Store,
		insts: map[uint64]*instance{}, byID: map[string]*instance{}, counters: map[string]uint64{}, entities: map[string]string{},
		late: map[*attempt]bool{}, spawnKeys: map[string]spawnKey{}, scope: scope{left: map[uint64]bool{}},
		timers: timers{next: math.MaxInt64, firing: map[persist.Timer]bool{}}}
	e.progs.init(cfg.Store, cfg.Builtins)
	e.runners.New = func() any { return new(interp.Runner) }
	if err := e.openStoreCells(ctx); err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	e.loop.init()
	e.jobs.init(e, cfg)
	e.committer.init(e)
	e.printer.init(e)
	return e, nil
}

// openStoreCells reads what the store keeps for the engine as a whole.
func (e *Engine) openStoreCells(ctx context.Context) error {
	floor := int64(0)
	for c, err := range e.store.Cells(ctx, 0, cellClock, "") {
		if err != nil {
			return err
		}
		d := dec{b: c.Body}
		d.byte()
		floor = d.int()
		if err := d.done(); err != nil {
			return err
		}
	}
	e.clock.init(e.cfg.Clock, floor)
	e.clockNoted = floor
	if err := e.readNumbers(ctx); err != nil {
		return err
	}
	return e.refreshTimers(ctx)
}

// readNumbers reads where the store's numbers stand, which program is the newest
// of each entity, and how the last start went.
func (e *Engine) readNumbers(ctx context.Context) error {
	tail, err := e.store.Tail(ctx)
	if err != nil {
		return err
	}
	e.lastNumber, e.lastEvent = tail.LastNumber, tail.LastEvent
	clear(e.counters)
	for c, err := range e.store.Cells(ctx, 0, cellCounter, "") {
		if err != nil {
			return err
		}
		d := dec{b: c.Body}
		d.byte()
		e.counters[c.Key] = d.uint()
		if err := d.done(); err != nil {
			return err
		}
	}
	e.entityMu.Lock()
	defer e.entityMu.Unlock()
	clear(e.entities)
	for c, err := range e.store.Cells(ctx, 0, cellEntity, "") {
		if err != nil {
			return err
		}
		d := dec{b: c.Body}
		d.byte()
		e.entities[c.Key] = d.string()
		if err := d.done(); err != nil {
			return err
		}
	}
	if e.isCareful() {
		return nil // it stands in memory
	}
	return e.readStart(ctx)
}

// Now is the engine's time in Unix nanoseconds.
func (e *Engine) Now() int64 { return e.clock.now() }

// call runs f on the loop and waits for its result: the way from outside into
// the kernel. key is the idempotency key of the request, "" for none. f may keep the reply function for later. An error that is
// ErrStopped says that f has changed nothing and will not: what was queued when
// the loop ended is committed, and answered, by Close.
func (e *Engine) call(ctx context.Context, key string, f func(reply func(error))) error {
	done := make(chan error, 1)
	reply := func(err error) {
		e.room.answered(key, err)
		select {
		case done <- err:
		default:
		}
	}
	e.loop.post(func() {
		if e.fatal != nil || e.stopped || e.leaving {
			reply(e.stopError())
			return
		}
		if e.room.waits {
			reply(e.room.askedFull(key))
			return
		}
		f(reply)
	})
	if e.cfg.Serial {
		for {
			select {
			case err := <-done:
				return err
			default:
			}
			if !e.Step() {
				return fmt.Errorf("%w: nothing is left to answer", ErrStopped)
			}
		}
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return answered(done, context.Cause(ctx))
	case <-e.loop.closed:
		return answered(done, e.stopError())
	}
}

// answered is the answer if there is one, else the given error.
func answered(done <-chan error, err error) error {
	select {
	case err := <-done:
		return err
	default:
		return err
	}
}

// Err is the error by which the engine has stopped for good, nil while it has
// not. It belongs to the owner of a Serial engine.
func (e *Engine) Err() error { return e.fatal }

func (e *Engine) stopError() error {
	if e.fatal != nil {
		return e.fatal
	}
	return ErrStopped
}

// Failed gives the instances that ended badly while this engine drove them. Call
// it when Drive has returned.
func (e *Engine) Failed() FailedInstances { return e.failed }
