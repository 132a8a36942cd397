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
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// Errors that callers branch on.
var (
	// ErrRefused: what was asked for is not possible now; nothing was changed.
	ErrRefused = errors.New("refused")
	// ErrNotFound: no such instance, handler or signal.
	ErrNotFound = errors.New("not found")
	// ErrUnknown: the outcome is not known: the store failed while it was
	// being made durable.
	ErrUnknown = errors.New("outcome unknown")
	// ErrStopped: the engine was closed.
	ErrStopped = errors.New("engine stopped")
)

// RefusedError says why something was refused, with one of the codes of
// rejections (bad_request, conflict, not_found, …).
type RefusedError struct {
	Code    string
	Message string
}

func (e *RefusedError) Error() string { return e.Message }

// Is makes a RefusedError an ErrRefused, and an ErrNotFound by its code.
func (e *RefusedError) Is(target error) bool {
	return target == ErrRefused || target == ErrNotFound && e.Code == "not_found"
}

func refuse(code, format string, args ...any) error {
	return &RefusedError{code, fmt.Sprintf(format, args...)}
}

// A Clock tells the time in Unix nanoseconds. It may jump; the engine's own
// time never runs backward.
type Clock interface{ Now() int64 }

// A Caller makes the calls to the world outside: everything that `perform` asks
// for and the engine does not know itself. Call may take its time and must
// return soon after ctx is done. An error that is an *interp.Fault is the
// script's to catch.
type Caller interface {
	Call(ctx context.Context, c Call) (value.Value, error)
}

// A Call is one request to the world outside. Key is its idempotency key: equal
// for every repetition of the same request until an error has settled it (Settles).
type Call struct {
	Op       *program.Builtin
	Args     []value.Value
	Key      string
	Instance string
	// Attempt is the number of the attempt that makes the call, from 1. The same
	// key again in the same attempt is a repetition after a crash.
	Attempt int
	At      source.Span   // where the script makes it
	Once    bool          // it must not be made a second time, by no layer below either
	Limit   time.Duration // what is left of the step's time, 0: it has no bound; ctx ends then
	Tokens  *Tally        // what the calls of the instance use, those under way too
	Usage   *Usage        // for the caller to fill in before it returns, also with an error
}

// Usage is what a call has cost: the journal keeps it with the answer, and the
// instance's row the sum of all tokens, those of dropped answers too.
type Usage struct {
	Tokens uint64
	Took   time.Duration
}

// A Picker decides what happens next in a Serial engine: a number below n, n > 0.
type Picker interface{ Pick(n int) int }

// Config is what an engine is made of. Store, Builtins and Clock are required.
type Config struct {
	Store    persist.Store
	Builtins []*program.Builtin
	Clock    Clock
	Seed     func() uint64 // chance of new instances; required
	Caller   Caller        // nil: there is no world outside
	Output   io.Writer     // where IO.print shows; nil: nowhere. A goroutine of its own writes, unless Serial
	Log      func(Logged)  // where Log.info and its like show; nil: nowhere. Called like Output
	Trace    func(Trace)   // called after each commit, in order; nil: no
	// TraceWords has every Trace say in words what happened, not only those of
	// instances that pause or end: words take their time.
	TraceWords bool
	Limits     interp.Limits
	Workers    int    // bodies computed at once; default 2
	Serial     bool   // stepped by its owner, see Step
	Picker     Picker // for Serial; nil: the oldest job first, commits last
	Passive    bool   // commits and answers, but does not drive
	// Room is told, on the loop, when the store is found full (false) and when
	// there is room again (true). nil: a full store stops the engine, as any other
	// error does.
	Room func(bool)
	// Quiet is told, on the loop, when nothing can move soon without somebody
	// outside, and something is unfinished; nil: no. It must not wait.
	Quiet func()
	// Ran is told of every body that is about to be computed (again, after a
	// wait): of a step, compensation, handler, init or finally. It may be called
	// by several goroutines at once; nil: no.
	Ran func(*program.Func)
}

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

// clock is the engine's time: it follows the given clock, begins at the highest
// time that the store has seen, and never runs backward.
type clock struct {
	base   Clock
	offset int64
	last   atomic.Int64
}

func (c *clock) init(base Clock, floor int64) {
	c.base = base
	if now := base.Now(); now < floor {
		c.offset = floor - now
	}
	c.last.Store(floor)
}

func (c *clock) now() int64 {
	t := c.base.Now() + c.offset
	for {
		last := c.last.Load()
		if t <= last {
			return last
		}
		if c.last.CompareAndSwap(last, t) {
			return t
		}
	}
}

// SystemClock is the machine's clock. A step back of the wall clock does not
// stop it: it goes on by elapsed time.
func SystemClock() Clock { return &systemClock{started: time.Now()} }

type systemClock struct {
	started time.Time
	last    atomic.Int64 // highest time given
	elapsed atomic.Int64 // at that reading
}

func (c *systemClock) Now() int64 {
	now := time.Now()
	elapsed := int64(now.Sub(c.started)) // by the monotonic clock
	wall := now.UnixNano()
	last := c.last.Load()
	if byElapsed := last + elapsed - c.elapsed.Load(); wall < byElapsed && last != 0 {
		wall = byElapsed
	}
	if wall > last {
		c.elapsed.Store(elapsed)
		c.last.Store(wall)
	}
	return wall
}
