package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// atRest reports whether nothing will ever move an instance of the status but
// somebody who asks.
func atRest(s string) bool { return terminalStatus(s) || s == statusReady }

func terminalStatus(s string) bool {
	return s == flow.Completed.String() || s == flow.Failed.String() || s == flow.Cancelled.String()
}

// A MainRun is a run of a program: its main instance, and what a driver found
// when it took it up.
type MainRun struct {
	ID        string
	Resumed   bool // it was there, unfinished
	LeftAlone []Summary
}

// FindMain looks for the unfinished run of this very program. A run is finished
// when it has been reported (see Reported), so that a crash in the very last
// moment does not run a program twice. The mains of other programs that have not
// ended are left alone by this engine and given in LeftAlone. Call it before
// Recover.
func (e *Engine) FindMain(ctx context.Context, prog *program.Program) (MainRun, error) {
	var run MainRun
	left, err := e.leaveMains(ctx, func(r persist.Row) bool {
		if r.Program == prog.Hash && run.ID == "" {
			run.ID, run.Resumed = r.ID, true
			return false
		}
		return true
	})
	run.LeftAlone = left
	return run, err
}

// LeaveMains keeps this engine from driving mains that have not ended, but for
// the one named: what a driver without a script does. It gives those left alone.
func (e *Engine) LeaveMains(ctx context.Context, but string) ([]Summary, error) {
	return e.leaveMains(ctx, func(r persist.Row) bool { return r.ID != but })
}

// leaveMains leaves the unreported mains alone that the function chooses.
func (e *Engine) leaveMains(ctx context.Context, leave func(persist.Row) bool) ([]Summary, error) {
	var left []Summary
	for c, err := range e.store.Cells(ctx, 0, cellRun, "") {
		if err != nil {
			return nil, err
		}
		r, err := e.store.Load(ctx, binary.BigEndian.Uint64([]byte(c.Key)))
		if errors.Is(err, persist.ErrNotFound) {
			continue // it was deleted
		}
		if err != nil {
			return nil, err
		}
		if !leave(r) || terminalStatus(r.Status) {
			continue
		}
		e.scope.leave(r.Number)
		in, err := e.read(ctx, r)
		if err != nil {
			return nil, err
		}
		left = append(left, in.summary())
	}
	return left, nil
}

func runKey(number uint64) string { return string(binary.BigEndian.AppendUint64(nil, number)) }

// Reported notes that the end of a run has been shown to whoever ran it: the
// same program run again is a new run. The caller decides when a run is through:
// when its main has failed, or has completed and so has all that it spawned (see
// Unfinished). Call it when Drive has returned.
func (e *Engine) Reported(ctx context.Context, main string) error {
	r, err := e.store.Lookup(ctx, main)
	if err != nil {
		return err
	}
	return e.writeCells([]persist.Cell{{Kind: cellRun, Key: runKey(r.Number)}})
}

// Unfinished reports whether something that the main spawned, directly or not,
// has not ended.
func (e *Engine) Unfinished(ctx context.Context, main string) (bool, error) {
	m, err := e.store.Lookup(ctx, main)
	if err != nil {
		return false, err
	}
	for r, err := range e.store.List(ctx, persist.Filter{From: m.Number}) {
		if err != nil {
			return false, err
		}
		if atRest(r.Status) {
			continue
		}
		origin, _, err := originOf(r)
		if err != nil {
			return false, err
		}
		if origin == m.Number || r.Number == m.Number {
			return true, nil
		}
	}
	return false, nil
}

// originOf reads the number of the main that spawned an instance, and the id of
// its parent, from its row.
func originOf(r persist.Row) (origin uint64, parent string, err error) {
	d := dec{b: r.Body}
	d.byte()
	d.fix64()
	d.fix64()
	d.fix64()
	origin, parent = d.uint(), d.string()
	if d.err != nil {
		return 0, "", fmt.Errorf("instance %q: %w: %w", r.ID, persist.ErrDamaged, d.err)
	}
	return origin, parent, nil
}

// Recover takes up what is unfinished: it shows output that was recorded but
// perhaps not shown, and starts every attempt that has something to do. What
// waits stays where it is; its signal or timer will wake it. It gives the
// instances taken up. Call it once, before Drive or Step.
func (e *Engine) Recover(ctx context.Context) ([]Summary, error) {
	if err := e.showLeft(ctx); err != nil {
		return nil, fmt.Errorf("recover: %w", err)
	}
	var taken []Summary
	var runnable []uint64
	for r, err := range e.store.List(ctx, persist.Filter{Runnable: true}) {
		if err != nil {
			return nil, fmt.Errorf("recover: %w", err)
		}
		if e.scope.has(r.Number) {
			runnable = append(runnable, r.Number)
		}
	}
	if len(runnable) == 0 {
		return nil, nil
	}
	if err := e.noteStart(runnable); err != nil {
		return nil, fmt.Errorf("recover: %w", err)
	}
	for _, number := range runnable {
		in, err := e.load(ctx, number)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("recover: %w", ctx.Err()) // that says nothing about the instance
		}
		if err != nil {
			e.unreadable(number, err)
			continue
		}
		taken = append(taken, in.summary())
		if !e.isCareful() {
			e.startAll(in)
		}
		e.release(in)
	}
	e.driveNext()
	return taken, nil
}

// RunMain starts a new run of the program and gives the id of its main. The loop
// must be running.
func (e *Engine) RunMain(ctx context.Context, prog *program.Program) (string, error) {
	b := &birth{prog: prog, wf: prog.Main, fields: make([]value.Value, len(prog.Main.Fields))}
	empty, _ := value.NewRecord(nil, nil).AsRecord()
	b.given = empty
	sum, err := e.spawn(ctx, b, "")
	return sum.ID, err
}
