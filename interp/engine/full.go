package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wf-lang/wf/persist"
)

// A store without room refuses a commit, and it is certain then that nothing was
// written (persist.ErrFull). So nothing has to fail because of it. Requests from
// outside that nothing in memory depends on are taken back: whoever made them is
// told. All else, the results of calls above all, stays in the queue and is
// offered again, after growing pauses; as long as that lasts queries read on,
// timers wait, and new requests are refused.

// The pauses between two offers of the same batches.
const (
	firstPause = int64(200 * time.Millisecond)
	lastPause  = int64(5 * time.Second)
)

// room is what the loop knows of a store that is full.
type room struct {
	waits bool  // batches wait for room
	pause int64 // before the next offer
	told  bool  // Config.Room was told that the store is full
	last  int64 // when that was found last
	// open has the keys of requests that are in what waits. Whoever made them was
	// told so, and repeated they are not refused as something new is.
	open map[string]bool
}

// errNoRoom refuses what is asked of an engine whose store is full.
func errNoRoom() error {
	return fmt.Errorf("unavailable: %w, and nothing was changed", persist.ErrFull)
}

// errWaits tells whoever asked for something that it waits for room.
var errWaits = fmt.Errorf("%w: %w; this is accepted, and will be in the store when there is room, unless the process ends before", ErrUnknown, persist.ErrFull)

// askedFull answers a request, with a key or "", that finds the store full.
func (r *room) askedFull(key string) error {
	if r.open[key] {
		return errWaits
	}
	return errNoRoom()
}

// answered notes, of a request with a key, whether it waits for room.
func (r *room) answered(key string, err error) {
	if key == "" || !errors.Is(err, errWaits) {
		return
	}
	if r.open == nil {
		r.open = map[string]bool{}
	}
	r.open[key] = true
}

// awaitRoom keeps a group that found the store full as the first of the queue,
// and tells the loop. It reports false if the engine does not wait for room.
func (c *committer) awaitRoom(group []*batch, err error) bool {
	if !errors.Is(err, persist.ErrFull) || c.e.cfg.Room == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return false
	}
	c.queue = append(group, c.queue...)
	c.waits = true
	c.e.loop.post(c.e.storeFull)
	return true
}

// again lets the committer offer what it has.
func (c *committer) again() {
	c.mu.Lock()
	c.waits = false
	c.mu.Unlock()
	c.some.Signal()
}

// storeFull runs on the loop while the committer waits.
func (e *Engine) storeFull() {
	if e.leaving {
		return // Close offers it a last time
	}
	e.room.last = e.Now()
	if !e.room.told {
		e.room.told = true
		e.cfg.Room(false)
	}
	if e.takeBack() {
		e.committer.again()
		return
	}
	e.room.waits = true
	for _, b := range e.committer.queue {
		if b.outside {
			for _, f := range b.fail {
				f(errWaits)
			}
		}
	}
	e.room.pause = min(max(2*e.room.pause, firstPause), lastPause)
	e.soon.set(e.Now()+e.room.pause, e.committer.again)
}

// roomAgain notes that a commit went through. A small one may where a larger one
// was taken back: that is no news until some time has passed.
func (e *Engine) roomAgain() {
	if e.room.waits || e.room.told && e.Now()-e.room.last >= 2*lastPause {
		e.room = room{}
		e.cfg.Room(true)
	}
}

// takeBack drops what is queued, if all of it was asked for from outside and
// nothing else is under way for the instances concerned: they are as the store
// has them, and whoever asked is told that nothing was changed. It reports
// whether it did.
func (e *Engine) takeBack() bool {
	c := &e.committer
	here := map[*instance]int{}
	for _, b := range c.queue {
		if !b.outside || b.cuts {
			return false
		}
		for _, in := range b.insts {
			here[in]++
		}
	}
	for _, b := range c.queue {
		for _, in := range b.insts {
			if in.held != here[in] || in.cutting > 0 || len(in.attempts) > 0 || len(in.queued) > 0 {
				return false
			}
		}
	}
	group := c.queue
	c.mu.Lock()
	c.queue = nil
	c.mu.Unlock()
	e.busy -= len(group)
	e.writing -= len(group)
	for _, b := range group {
		e.shown = append(e.shown, b.shown...)
		for _, in := range b.insts {
			in.held = 0
			if e.insts[in.number] == in {
				e.forget(in)
			}
		}
	}
	clear(e.spawnKeys) // they are of batches on their way
	e.clockNoted = 0   // the note of the time may have been in one of them
	if err := e.readNumbers(context.Background()); err != nil {
		e.fail(fmt.Errorf("read the store: %w", err))
	}
	for _, b := range group {
		for _, f := range b.fail {
			f(errNoRoom())
		}
	}
	return true
}
