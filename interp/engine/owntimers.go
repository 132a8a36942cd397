package engine

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/wf-lang/wf/persist"
)

// ownTimers are the timers in the store of the instances that are driven, by an
// engine that drives only some: in the store they are among those of all others,
// and to find the next one all before it would have to be read each time. It
// follows the commits. An engine that drives all has none of it.
type ownTimers struct {
	at   map[timerName]int64 // what is set
	heap timerHeap           // the same by time; what has been cleared since may linger
}

type timerName struct {
	instance uint64
	key      string
}

// readOwnTimers reads the timers of the store once, and keeps those that are own.
func (e *Engine) readOwnTimers(ctx context.Context) error {
	all, err := e.store.Due(ctx, math.MaxInt64, math.MaxInt)
	if err != nil {
		return fmt.Errorf("read timers: %w", err)
	}
	own := &ownTimers{at: map[timerName]int64{}}
	for _, t := range all {
		if e.scope.has(t.Instance) {
			own.set(t)
		}
	}
	e.timers.own = own
	return nil
}

// commit follows what a batch has done to the timers of driven instances.
func (o *ownTimers) commit(changes []persist.Change, driven func(uint64) bool) {
	for i := range changes {
		c := &changes[i]
		if !driven(c.Number) {
			continue
		}
		if c.Delete {
			for name := range o.at {
				if name.instance == c.Number {
					delete(o.at, name)
				}
			}
			continue
		}
		for _, t := range c.Clear {
			if name := (timerName{t.Instance, t.Key}); o.at[name] == t.At {
				delete(o.at, name)
			}
		}
		for _, t := range c.Set {
			o.set(t)
		}
	}
}

func (o *ownTimers) set(t persist.Timer) {
	o.at[timerName{t.Instance, t.Key}] = t.At
	heap.Push(&o.heap, t)
}

// has reports whether a timer of the heap is still set.
func (o *ownTimers) has(t persist.Timer) bool {
	at, ok := o.at[timerName{t.Instance, t.Key}]
	return ok && at == t.At
}

// due gives the first timers, at most want, that are due, not firing, and of
// instances that are (still) driven.
func (o *ownTimers) due(now int64, want int, firing map[persist.Timer]bool, driven func(uint64) bool) (due []persist.Timer) {
	var keep []persist.Timer
	for len(due) < want && len(o.heap) > 0 && o.heap[0].At <= now {
		t := heap.Pop(&o.heap).(persist.Timer)
		if !o.has(t) || !driven(t.Instance) || len(keep) > 0 && keep[len(keep)-1] == t {
			continue // it was cleared or left alone, or is there twice
		}
		keep = append(keep, t)
		if !firing[t] {
			due = append(due, t)
		}
	}
	for _, t := range keep {
		heap.Push(&o.heap, t)
	}
	return due
}

// A timerHeap has the earliest timer first.
type timerHeap []persist.Timer

func (h timerHeap) Len() int { return len(h) }

func (h timerHeap) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Key, b.Key)) < 0
}

func (h timerHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push adds a persist.Timer; it is for container/heap.
func (h *timerHeap) Push(t any) { *h = append(*h, t.(persist.Timer)) }

// Pop removes the last timer; it is for container/heap.
func (h *timerHeap) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	*h = slices.Delete(*h, last, last+1)
	return t
}
