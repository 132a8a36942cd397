package engine

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/persist"
)

// The kinds of timers: a track's own deadline, and a wake-up for a track that
// awaits another instance.
const (
	timerKey = "t"
	wakeKey  = "w"
	limitKey = "x" // the workflow's own timeout
)

// timers knows when the store has to be asked for what is due. The timers
// themselves are only in the store, but for an engine that drives only some
// instances: see ownTimers.
type timers struct {
	next   int64                  // no later than the earliest timer that is not firing
	firing map[persist.Timer]bool // their batches are on the way
	own    *ownTimers             // nil if the engine drives all instances
}

// timerPage is how many due timers are taken from the store at a time, and
// maxFiring how many may be under way at once.
const (
	timerPage = 1000
	maxFiring = 4 * timerPage
)

// refreshTimers asks the store when the next timer is due that is not firing.
func (e *Engine) refreshTimers(ctx context.Context) error {
	due, err := e.dueTimers(ctx, math.MaxInt64, 1)
	if err != nil {
		return err
	}
	e.timers.next = math.MaxInt64
	if len(due) > 0 {
		e.timers.next = due[0].At
	}
	return nil
}

// dueTimers gives the first timers, at least want if there are as many, that are
// due, not firing, and of instances that this engine drives.
func (e *Engine) dueTimers(ctx context.Context, now int64, want int) ([]persist.Timer, error) {
	if e.timers.own != nil {
		return e.timers.own.due(now, want, e.timers.firing, e.scope.has), nil
	}
	for limit := want + len(e.timers.firing) + len(e.scope.left); ; limit *= 2 {
		all, err := e.store.Due(ctx, now, limit)
		if err != nil {
			return nil, fmt.Errorf("read timers: %w", err)
		}
		due := slices.DeleteFunc(slices.Clone(all), func(t persist.Timer) bool { return e.timers.firing[t] || !e.scope.has(t.Instance) })
		if len(due) >= want || len(all) < limit {
			return due, nil
		}
	}
}

// deadline is when a track has to be looked at, in Unix nanoseconds; 0 if never.
func deadline(s *flow.State, t *flow.Track) int64 {
	if s.Status.Terminal() && !s.Driven() {
		return 0
	}
	if s.Status == flow.Paused && !s.Pause.IsParked() {
		if t.Path == "" {
			return s.Pause.Until
		}
		return 0
	}
	switch t.Phase {
	case flow.Backoff:
		return t.Retry
	case flow.Waiting:
		_, at := earliest(t.Wait)
		return at
	}
	return 0
}

// earliest is the arm of a wait whose time comes first, of one instant the first
// in the text, and that time; 0 if it waits for no time.
func earliest(w *flow.Wait) (arm int, first int64) {
	for i, at := range w.Deadlines {
		if at != 0 && (first == 0 || at < first) {
			arm, first = i, at
		}
	}
	return arm, first
}

// fireTimers handles timers that are due. It reports whether there were any.
func (e *Engine) fireTimers() bool {
	now := e.Now()
	if e.cfg.Passive || e.room.waits || e.timers.next > now || len(e.timers.firing) >= maxFiring {
		return false
	}
	ctx := context.Background()
	due, err := e.dueTimers(ctx, now, timerPage)
	if err != nil {
		e.fail(err)
		return false
	}
	slices.SortStableFunc(due, func(a, b persist.Timer) int { // of one instant the lower branch is first
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Instance, b.Instance), flow.ComparePaths(a.Key, b.Key))
	})
	for _, t := range due {
		e.timers.firing[t] = true
		e.fire(ctx, t)
	}
	if err := e.refreshTimers(ctx); err != nil {
		e.fail(err)
	}
	return len(due) > 0
}

// fire handles one timer. Whatever comes of it, the timer is gone with the batch.
func (e *Engine) fire(ctx context.Context, t persist.Timer) {
	in, err := e.load(ctx, t.Instance)
	if errors.Is(err, persist.ErrNotFound) {
		return // it is being deleted, and the timer with it
	}
	if err != nil {
		delete(e.timers.firing, t)
		e.unreadable(t.Instance, err)
		return
	}
	x := e.begin()
	p := x.part(in)
	x.batch.clear = append(x.batch.clear, t)
	if t.Key == limitKey {
		p.limitPassed(t)
		x.commit()
		return
	}
	path := t.Key[1:]
	tr, ok := in.Track(path)
	own := strings.HasPrefix(t.Key, timerKey)
	if ok && own && deadline(&in.state, tr) == t.At {
		p.timeUp(tr)
	} else {
		if ok && !own && tr.Phase == flow.Waiting && tr.Wait.Kind == flow.WaitEnd {
			p.awaited(ctx, tr)
		}
		p.change.Clear = append(p.change.Clear, t)
	}
	x.commit()
}

// limitPassed: the timeout of the workflow has come.
func (p *part) limitPassed(t persist.Timer) {
	in := p.in
	if in.state.Deadline != t.At {
		p.change.Clear = append(p.change.Clear, t)
		return
	}
	p.record(Record{Kind: RecTimeout})
	p.apply(flow.TimedOut{Now: p.x.now})
	p.x.trace(in, said("has run out of time"))
	p.x.traceStatus(in)
}

// timeUp: the deadline of a track has come.
func (p *part) timeUp(t *flow.Track) {
	in := p.in
	paused := in.state.Status == flow.Paused && !in.state.Pause.IsParked()
	if paused || t.Phase == flow.Backoff {
		if paused {
			p.record(Record{Kind: RecResumed})
		}
		p.apply(flow.TimeUp{Path: t.Path})
		return
	}
	arm, _ := earliest(t.Wait)
	p.wake(t, answerOfDeadline(t.Wait, arm), nil)
}

// wake gives a waiting track its answer and lets its attempt go on.
func (p *part) wake(t *flow.Track, a answer, s *signal) {
	in := p.in
	rec := Record{Kind: RecAnswer, Path: t.Path, Step: in.step(t), Visit: t.Visit(), Attempt: t.Attempt,
		N: t.Wait.N, What: wokenBy(t.Wait, s), Hash: t.Wait.Hash, Span: t.Wait.Span, Value: a.value, Failure: a.failure}
	number := uint64(0)
	if s != nil {
		number = s.number
		rec.Signal = number
		p.setTaken(s, true)
	}
	p.record(rec)
	p.apply(flow.Woken{Path: t.Path, Signal: number})
}

// awaited: the instance that a track awaits may have ended.
func (p *part) awaited(ctx context.Context, t *flow.Track) {
	a, ended, err := p.x.e.endOf(ctx, t.Wait.Instance)
	if err != nil {
		p.x.e.fail(err)
		return
	}
	if ended {
		p.wake(t, a, nil)
	}
}

// A waiter is a track that awaits the end of an instance.
type waiter struct {
	number uint64
	path   string
}

func waiterKey(w waiter) string {
	return string(binary.BigEndian.AppendUint64(nil, w.number)) + w.path
}

// waiters lists who awaits the instance: those in the store and those whose
// batch is on its way, but for those that were deleted.
func (e *Engine) waiters(in *instance) ([]waiter, error) {
	ws := append([]waiter(nil), in.newWaiters...)
	for c, err := range e.store.Cells(context.Background(), in.number, cellWaiter, "") {
		if err != nil {
			return nil, err
		}
		if len(c.Key) >= 8 {
			ws = append(ws, waiter{binary.BigEndian.Uint64([]byte(c.Key)), c.Key[8:]})
		}
	}
	var err error
	ws = slices.DeleteFunc(ws, func(w waiter) bool {
		if in, ok := e.insts[w.number]; ok {
			return in.deleted
		}
		_, lerr := e.store.Load(context.Background(), w.number)
		if lerr != nil && !errors.Is(lerr, persist.ErrNotFound) {
			err = lerr
		}
		return lerr != nil
	})
	return ws, err
}
