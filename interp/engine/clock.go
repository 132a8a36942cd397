package engine

import (
	"sync/atomic"
	"time"

	"github.com/wf-lang/wf/persist"
)

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

// clockNoteEvery is how far time may move, in nanoseconds, before it is noted.
const clockNoteEvery = 1_000_000_000

func (e *Engine) clockCell(now int64) persist.Cell {
	e.clockNoted = now
	c := enc{b: []byte{rowVersion}}
	c.int(now)
	return persist.Cell{Kind: cellClock, Key: "", Body: c.b}
}
