package engine

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"time"

	"github.com/wf-lang/wf/persist"
)

// mailbox is how anything reaches the loop: closures, run one after the other.
type mailbox struct {
	mu     sync.Mutex
	posted []func()
	wake   chan struct{} // holds one token while something is posted
	closed chan struct{} // closed when nothing posted will run any more
}

func (m *mailbox) init() {
	m.wake = make(chan struct{}, 1)
	m.closed = make(chan struct{})
}

func (m *mailbox) post(f func()) {
	m.mu.Lock()
	m.posted = append(m.posted, f)
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take empties the mailbox into buf.
func (m *mailbox) take(buf []func()) []func() {
	m.mu.Lock()
	defer m.mu.Unlock()
	buf = append(buf, m.posted...)
	clear(m.posted)
	m.posted = m.posted[:0]
	return buf
}

// A job computes away from the loop; what it returns is run on the loop.
type job func() func()

// pool runs jobs: by workers, or when a serial engine picks them.
type pool struct {
	e       *Engine
	mu      sync.Mutex
	some    sync.Cond
	queue   []job
	stopped bool
	wg      sync.WaitGroup
}

func (p *pool) init(e *Engine, cfg Config) {
	p.e = e
	p.some.L = &p.mu
	if cfg.Serial || cfg.Passive {
		return
	}
	for range max(cfg.Workers, 2) {
		p.wg.Go(p.work)
	}
}

// submit queues a job; the loop counts it as busy until its result has run.
func (p *pool) submit(j job) {
	p.e.busy++
	p.mu.Lock()
	p.queue = append(p.queue, j)
	p.mu.Unlock()
	p.some.Signal()
}

func (p *pool) work() {
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && !p.stopped {
			p.some.Wait()
		}
		if p.stopped {
			p.mu.Unlock()
			return
		}
		j := p.queue[0]
		p.queue[0] = nil
		p.queue = p.queue[1:]
		p.mu.Unlock()
		after := p.guard(j)
		p.e.loop.post(func() {
			p.e.busy--
			after()
		})
	}
}

// guard keeps a panic, which is a bug of ours, from taking the process along.
// Jobs that run scripts have a guard of their own that parks the instance; here
// it can only stop the engine.
func (p *pool) guard(j job) (after func()) {
	defer func() {
		if r := recover(); r != nil {
			err := fmt.Errorf("internal error: %v\n%s", r, debug.Stack())
			after = func() { p.e.fail(err) }
		}
	}()
	return j()
}

func (p *pool) stop() {
	p.mu.Lock()
	p.stopped = true
	p.queue = nil
	p.mu.Unlock()
	p.some.Broadcast()
	p.wg.Wait()
}

// Step lets a Serial engine do one thing: run what is posted, run one job, or
// commit. It returns false when nothing is left that can move without the clock
// or somebody outside.
func (e *Engine) Step() bool {
	if fs := e.loop.take(nil); len(fs) > 0 {
		for _, f := range fs {
			f()
		}
		return true
	}
	if e.fatal != nil || e.stopped {
		return false
	}
	choices := len(e.jobs.queue)
	if e.committer.pending() {
		choices++
	}
	if choices > 0 {
		i := 0
		if e.cfg.Picker != nil {
			i = e.cfg.Picker.Pick(choices)
		}
		if i < len(e.jobs.queue) {
			j := e.jobs.queue[i]
			e.jobs.queue = append(e.jobs.queue[:i:i], e.jobs.queue[i+1:]...)
			after := j()
			e.busy--
			after()
		} else {
			e.committer.commitAll()
		}
		return true
	}
	return e.soon.run(e.Now()) || e.fireTimers() || e.noteShown()
}

// NextTimer is when the next timer is due, in Unix nanoseconds; false if none is
// set. It belongs to the owner of a Serial engine.
func (e *Engine) NextTimer() (int64, bool) {
	if err := e.refreshTimers(context.Background()); err != nil { // what was next may be gone
		e.fail(err)
	}
	next := e.nextTimer()
	return next, next != math.MaxInt64
}

func (e *Engine) nextTimer() int64 {
	if e.room.waits {
		return e.soon.next() // the others wait
	}
	return min(e.timers.next, e.soon.next())
}

// Until says when Drive returns by itself.
type Until uint8

// The ways to end.
const (
	UntilDone Until = iota // when every instance that may be driven has ended
	UntilIdle              // when nothing can move without somebody outside
)

// Drive runs the loop until it is done, or ctx is (its error is returned then),
// or the store fails. work, if not nil, runs beside it and may use every method
// of the engine; the loop does not end by itself before work has, and an error
// of work ends it. Drive may be called once; Close has to follow, which answers
// whoever asked something of the engine meanwhile.
func (e *Engine) Drive(ctx context.Context, until Until, work func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var helper sync.WaitGroup
	defer func() {
		e.leaving = true
		cancel(e.stopError()) // releases work that waits for an answer
		helper.Wait()
	}()
	if work != nil {
		e.busy++
		helper.Go(func() {
			err := work(ctx)
			e.loop.post(func() {
				e.busy--
				if err != nil {
					cancel(err)
				}
			})
		})
	}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var buf []func()
	for {
		buf = e.loop.take(buf[:0])
		for i, f := range buf {
			f()
			buf[i] = nil
		}
		if e.fatal != nil {
			return e.fatal
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(buf) > 0 {
			continue
		}
		if e.soon.run(e.Now()) || e.fireTimers() || e.noteShown() {
			continue
		}
		if e.busy == 0 {
			done, err := e.mayLeave(ctx, until)
			if err != nil || done {
				return err
			}
		}
		timer.Reset(e.untilNextTimer())
		select {
		case <-e.loop.wake:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// untilNextTimer is how long the loop may sleep; a clock that jumps is looked at
// at least every second.
func (e *Engine) untilNextTimer() time.Duration {
	next := e.nextTimer()
	if next == math.MaxInt64 {
		return time.Hour
	}
	return min(max(time.Duration(next-e.Now()), 0), time.Second)
}

// mayLeave decides, when nothing is under way, whether there is anything to wait
// for.
func (e *Engine) mayLeave(ctx context.Context, until Until) (bool, error) {
	if e.cfg.Passive {
		return true, nil
	}
	if err := e.refreshTimers(ctx); err != nil { // the timer that was next may be gone
		return false, err
	}
	next := e.nextTimer()
	if next == math.MaxInt64 && until == UntilIdle {
		return true, nil
	}
	if next-e.Now() > quietTime && e.cfg.Quiet != nil || next == math.MaxInt64 {
		some, err := e.someUnfinished(ctx)
		if err != nil || !some && next == math.MaxInt64 {
			return err == nil, err
		}
		if some && e.cfg.Quiet != nil {
			e.cfg.Quiet()
		}
	}
	return false, nil
}

// quietTime is how long nothing but a timer must be ahead, in nanoseconds, to be
// called quiet.
const quietTime = int64(10 * time.Second)

// someUnfinished reports whether an instance that is driven has not ended. Those
// that have ended stay so: the next look begins where this one has found one.
func (e *Engine) someUnfinished(ctx context.Context) (bool, error) {
	if r, err := e.store.Load(ctx, e.unfinished); err == nil && !atRest(r.Status) {
		return true, nil // the one that was found last; most often that is all
	}
	for r, err := range e.store.List(ctx, persist.Filter{From: e.unfinished}) {
		if err != nil {
			return false, err
		}
		if !atRest(r.Status) && e.scope.has(r.Number) {
			e.unfinished = r.Number
			return true, nil
		}
	}
	return false, nil
}

// fail is the fail-stop: an error of the store leaves open what is durable, so
// nothing is published and nothing retried.
func (e *Engine) fail(err error) {
	if e.fatal == nil {
		e.fatal = err
	}
}
