package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/wf-lang/wf/persist"
)

// A batch on its way to the store, with what happens when it is durable.
type batch struct {
	data    persist.Batch
	insts   []*instance     // held in memory until it is through
	after   []func()        // on the loop, once durable
	fail    []func(error)   // on the loop, if the store failed
	outside bool            // somebody outside asked for it, and nothing else is in it; fail tells them
	cuts    bool            // an attempt was cut for it, which nobody would begin again
	shown   []uint64        // the output cells that it removes
	clear   []persist.Timer // timers that were firing and are not any more
	set     int64           // earliest timer it sets, 0 if none
	trace   []Trace
	print   []output
}

// asked has f told if the store fails. outside says that somebody outside asked
// for all that is in the batch.
func (b *batch) asked(outside bool, f func(error)) {
	b.outside = outside
	b.fail = append(b.fail, f)
}

// committer owns the write transactions. It takes whatever is queued in one
// group: while one commit flushes, the next group gathers.
type committer struct {
	e       *Engine
	mu      sync.Mutex
	some    sync.Cond
	queue   []*batch
	waits   bool // for room in the store
	stopped bool
	wg      sync.WaitGroup
}

func (c *committer) init(e *Engine) {
	c.e = e
	c.some.L = &c.mu
	if !e.cfg.Serial {
		c.wg.Go(c.run)
	}
}

func (c *committer) enqueue(b *batch) {
	c.e.busy++
	c.e.writing++
	c.mu.Lock()
	c.queue = append(c.queue, b)
	c.mu.Unlock()
	c.some.Signal()
}

func (c *committer) pending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue) > 0 && !c.waits
}

// held reports whether what is queued waits for room in the store.
func (c *committer) held() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waits
}

// settle yields until no more batches arrive: a commit costs a flush, and those
// who are about to queue one gain by sharing it. There is no fixed delay.
func (c *committer) settle() {
	last := -1
	for {
		c.mu.Lock()
		n := len(c.queue)
		c.mu.Unlock()
		if n == last {
			return
		}
		last = n
		for range settleYields {
			runtime.Gosched()
		}
	}
}

// settleYields is how often the committer lets others go first before it looks
// whether something more has been queued.
const settleYields = 4

func (c *committer) run() {
	for {
		c.mu.Lock()
		for (len(c.queue) == 0 || c.waits) && !c.stopped {
			c.some.Wait()
		}
		if len(c.queue) == 0 {
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		c.settle()
		c.mu.Lock()
		group := c.queue
		c.queue = nil
		c.mu.Unlock()
		err := c.commit(group)
		if c.awaitRoom(group, err) {
			continue
		}
		c.e.loop.post(func() { c.e.committed(group, err) })
		if err != nil {
			return
		}
	}
}

// commitAll is the committer of a serial engine.
func (c *committer) commitAll() {
	group := c.queue
	c.queue = nil
	if err := c.commit(group); !c.awaitRoom(group, err) {
		c.e.committed(group, err)
	}
}

func (c *committer) commit(group []*batch) error {
	data := make([]persist.Batch, len(group))
	for i, b := range group {
		data[i] = b.data
	}
	return c.e.store.Commit(context.Background(), data)
}

func (c *committer) stop() {
	c.mu.Lock()
	c.stopped = true
	c.mu.Unlock()
	c.some.Broadcast()
	c.wg.Wait()
	if c.e.cfg.Serial && c.e.fatal == nil && len(c.queue) > 0 {
		c.commitAll()
	}
}

// committed runs on the loop when a group is durable, or the store failed.
func (e *Engine) committed(group []*batch, err error) {
	e.busy -= len(group)
	e.writing -= len(group)
	if err != nil {
		e.storeFailed(group, err)
		return
	}
	e.roomAgain()
	var shown []output
	for _, b := range group {
		for _, t := range b.clear {
			delete(e.timers.firing, t)
		}
		if e.timers.own != nil {
			e.timers.own.commit(b.data.Changes, e.scope.has)
		}
		if b.set != 0 {
			e.timers.next = min(e.timers.next, b.set)
		}
		shown = append(shown, b.print...)
	}
	e.show(shown)
	for _, b := range group {
		for _, t := range b.trace {
			if e.cfg.Trace != nil {
				e.cfg.Trace(t)
			}
		}
	}
	for _, b := range group {
		for _, f := range b.after {
			f()
		}
		for _, in := range b.insts {
			in.held--
			e.cleared(in)
			e.release(in)
		}
	}
}

func (e *Engine) storeFailed(group []*batch, err error) {
	if !errors.Is(err, persist.ErrFull) && !errors.Is(err, persist.ErrTooLarge) {
		err = fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	e.fail(err)
	for _, b := range group {
		for _, f := range b.fail {
			f(e.fatal)
		}
	}
}
