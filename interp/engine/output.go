package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wf-lang/wf/persist"
)

// An output is what a script printed or logged. It is recorded in a cell of the
// store together with the answer, shown after that commit, and removed with a
// later write; what is still there when a driver starts was recorded but perhaps
// not shown.
type output struct {
	number uint64
	text   string
	log    *Logged // nil: it was printed
}

func outputKey(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

// maxUnshown is how many bytes of output may wait to be shown before whoever
// prints more has to wait.
const maxUnshown = 1 << 20

// maxWritten is how many bytes are shown with one write, about.
const maxWritten = 64 << 10

// printer shows output, in order, in a goroutine of its own: whoever reads it may
// stop reading, and only those who print wait then.
type printer struct {
	e    *Engine
	full atomic.Bool // maxUnshown is reached

	mu      sync.Mutex // guards what follows
	some    sync.Cond
	queue   []output
	bytes   int // of output that is not shown yet
	stopped bool

	done    chan struct{} // closed when the goroutine has ended; nil: there is none
	waiting []func()      // on the loop, when there is room again; owned by the loop
}

func (p *printer) init(e *Engine) {
	p.e = e
	p.some.L = &p.mu
	if (e.cfg.Output != nil || e.cfg.Log != nil) && !e.cfg.Serial {
		p.done = make(chan struct{})
		go p.run()
	}
}

func (p *printer) run() {
	defer close(p.done)
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && !p.stopped {
			p.some.Wait()
		}
		if len(p.queue) == 0 {
			p.mu.Unlock()
			return
		}
		n, size := 0, 0
		for n < len(p.queue) && (n == 0 || size+len(p.queue[n].text) <= maxWritten) {
			size += len(p.queue[n].text)
			n++
		}
		outs := p.queue[:n:n]
		if p.queue = p.queue[n:]; len(p.queue) == 0 {
			p.queue = nil
		}
		p.mu.Unlock()
		err := p.e.write(outs)
		p.e.loop.post(func() { p.shown(outs, size, err) })
		if err != nil {
			return
		}
	}
}

// shown runs on the loop when outputs have been written.
func (p *printer) shown(outs []output, size int, err error) {
	e := p.e
	e.busy -= len(outs)
	if err != nil {
		e.fail(err)
		return
	}
	for _, o := range outs {
		e.shown = append(e.shown, o.number)
	}
	p.mu.Lock()
	p.bytes -= size
	full := p.bytes >= maxUnshown
	p.mu.Unlock()
	if p.full.Store(full); full {
		return
	}
	waiting := p.waiting
	p.waiting = nil
	for _, f := range waiting {
		f()
	}
}

// whenRoom calls f, on the loop, when more may be printed.
func (p *printer) whenRoom(f func()) {
	if !p.full.Load() {
		f()
		return
	}
	p.waiting = append(p.waiting, f)
}

// lastOutput is how long a closing engine waits for output to be read.
const lastOutput = time.Second

// stop shows what is queued. What nobody reads stays recorded: the next driver
// shows it.
func (p *printer) stop() {
	if p.done == nil {
		return
	}
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
	p.some.Signal()
	select {
	case <-p.done:
	case <-time.After(lastOutput):
	}
}

// write writes texts to the output, and lines of logs to theirs, in order.
func (e *Engine) write(outs []output) error {
	var text []byte
	written := func() error {
		if len(text) == 0 || e.cfg.Output == nil {
			return nil
		}
		if _, err := e.cfg.Output.Write(text); err != nil && !errors.Is(err, io.ErrClosedPipe) {
			return fmt.Errorf("write output: %w", err)
		}
		text = text[:0]
		return nil
	}
	for _, o := range outs {
		if o.log == nil {
			text = append(text, o.text...)
			continue
		}
		if err := written(); err != nil {
			return err
		}
		if e.cfg.Log != nil {
			e.cfg.Log(*o.log)
		}
	}
	return written()
}

// show has texts written to the output, in order, and notes them as shown then.
func (e *Engine) show(outs []output) {
	if len(outs) == 0 {
		return
	}
	p := &e.printer
	if p.done == nil { // serial, or there is nowhere to show them
		if err := e.write(outs); err != nil {
			e.fail(err)
		}
		for _, o := range outs {
			e.shown = append(e.shown, o.number)
		}
		return
	}
	e.busy += len(outs)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, outs...)
	for _, o := range outs {
		p.bytes += len(o.text)
	}
	p.full.Store(p.bytes >= maxUnshown)
	p.some.Signal()
}

// noteShown writes what has been shown, if nothing else is about to be written
// that it could ride with. It reports whether there was anything.
func (e *Engine) noteShown() bool {
	if e.busy > 0 || len(e.shown) == 0 {
		return false
	}
	e.begin().commit()
	return true
}

// shownCells removes the cells of what has been shown.
func (e *Engine) shownCells() []persist.Cell {
	cells := make([]persist.Cell, len(e.shown))
	for i, n := range e.shown {
		cells[i] = persist.Cell{Kind: cellOutput, Key: outputKey(n)}
	}
	e.shown = nil
	return cells
}

// showLeft shows what an earlier driver recorded and perhaps did not show.
func (e *Engine) showLeft(ctx context.Context) error {
	var left []output
	for c, err := range e.store.Cells(ctx, 0, cellOutput, "") {
		if err != nil {
			return err
		}
		o, err := decodeOutput(c)
		if err != nil {
			return err
		}
		left = append(left, o)
		e.lastOutput = max(e.lastOutput, o.number)
	}
	e.show(left)
	return nil
}
