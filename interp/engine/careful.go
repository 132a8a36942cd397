package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/persist"
)

// A script cannot take the process down by what it computes: meters stop it
// first. But a process that does die with every start, for whatever reason, must
// not do so for ever. A start is unclean when nothing was committed after it and
// the engine was not closed in good order.
// After two unclean starts in a row the engine is careful: it drives unfinished
// attempts one at a time, and notes durably which, so that an instance that the
// process dies in three times is found, and parked.
type careful struct {
	unclean int    // unclean starts in a row, this one included
	suspect uint64 // instance that was being driven when the process died, 0: none noted
	deaths  int    // how often the process has died in it

	noted bool     // the store holds a note of this start
	queue []uint64 // careful: instances not yet driven
	now   uint64   // careful: the one that is being driven
}

// The figures of a careful start.
const (
	uncleanStarts = 2 // in a row, before the engine is careful
	maxDeaths     = 3 // in one instance, before it is parked
)

func (c *careful) cell() persist.Cell {
	e := enc{b: []byte{rowVersion}}
	e.uint(uint64(c.unclean))
	e.uint(c.suspect)
	e.uint(uint64(c.deaths))
	return persist.Cell{Kind: cellStart, Key: "", Body: e.b}
}

// readStart reads what the starts before this one have noted.
func (e *Engine) readStart(ctx context.Context) error {
	for cell, err := range e.store.Cells(ctx, 0, cellStart, "") {
		if err != nil {
			return err
		}
		d := dec{b: cell.Body}
		d.byte()
		e.careful.unclean, e.careful.suspect, e.careful.deaths = int(d.uint()), d.uint(), int(d.uint())
		e.careful.noted = true
		if err := d.done(); err != nil {
			return err
		}
	}
	return nil
}

// noteStart notes this start, before anything is driven, and decides whether to
// be careful.
func (e *Engine) noteStart(runnable []uint64) error {
	c := &e.careful
	c.unclean++
	if c.suspect != 0 {
		c.deaths++
	}
	c.noted = true
	if c.unclean > uncleanStarts || c.suspect != 0 {
		c.queue = runnable
	}
	return e.noteCareful()
}

// noteCareful writes where the start stands. A store without room leaves it out:
// nothing that this could be about is committed then.
func (e *Engine) noteCareful() error {
	err := e.putCells([]persist.Cell{e.careful.cell()})
	if err == nil || errors.Is(err, persist.ErrFull) && e.cfg.Room != nil {
		return nil
	}
	e.storeFailed(nil, err)
	return e.fatal
}

// isCareful reports whether instances are driven one at a time.
func (e *Engine) isCareful() bool { return len(e.careful.queue) > 0 || e.careful.now != 0 }

// mayStart reports whether an attempt of the instance may start now.
func (e *Engine) mayStart(in *instance) bool { return !e.isCareful() || e.careful.now == in.number }

// cleared goes on when the instance that was being driven has made a durable
// step, or can be driven no further.
func (e *Engine) cleared(in *instance) {
	c := &e.careful
	if c.now == 0 || c.now != in.number {
		return
	}
	c.now, c.suspect, c.deaths = 0, 0, 0
	e.driveNext()
}

// driveNext drives the next instance of a careful start.
func (e *Engine) driveNext() {
	c := &e.careful
	for len(c.queue) > 0 && c.now == 0 && e.fatal == nil {
		number := c.queue[0]
		c.queue = c.queue[1:]
		in, err := e.load(context.Background(), number)
		if err != nil {
			e.unreadable(number, err)
			continue
		}
		if c.suspect == number && c.deaths >= maxDeaths {
			c.suspect, c.deaths = 0, 0
			e.park(in, fmt.Errorf("the process has died %d times in a row while it drove this instance", maxDeaths))
			continue
		}
		if c.suspect != number {
			c.suspect, c.deaths = number, 0
		}
		c.now = number
		if err := e.noteCareful(); err != nil {
			return
		}
		e.startAll(in)
		if len(in.attempts) == 0 {
			c.now = 0
			e.release(in)
		}
	}
	if !e.isCareful() && c.noted {
		c.suspect = 0
	}
}

// startAll starts every attempt of the instance that has something to do.
func (e *Engine) startAll(in *instance) {
	for path := range flow.ActivePaths(in) {
		e.start(in, path)
	}
}

// unreadable leaves an instance alone whose records cannot be read; no other
// notices.
func (e *Engine) unreadable(number uint64, err error) {
	e.scope.leave(number)
	if e.cfg.Trace != nil {
		id := fmt.Sprintf("instance %d", number)
		if r, rerr := e.store.Load(context.Background(), number); rerr == nil {
			id = r.ID
		}
		e.cfg.Trace(Trace{Kind: TracePaused, Time: e.Now(), Instance: id, Status: flow.Paused, Text: "is left alone; it cannot be read: " + firstLine(err.Error())})
	}
}
