package engine

import (
	"context"
	"fmt"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

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

// FindMain looks for the unfinished run of this very program: its main has not
// ended, or it has completed and something that it spawned has not. The mains of
// other programs that have not ended are left alone by this engine and given in
// LeftAlone. Call it before Recover.
func (e *Engine) FindMain(ctx context.Context, prog *program.Program) (MainRun, error) {
	var run MainRun
	completed := map[uint64]string{}
	for r, err := range e.store.List(ctx, persist.Filter{Workflow: program.MainName}) {
		if err != nil {
			return run, err
		}
		switch {
		case !terminalStatus(r.Status) && r.Program == prog.Hash:
			run.ID, run.Resumed = r.ID, true
		case !terminalStatus(r.Status):
			e.skip[r.Number] = true
			in, err := e.read(ctx, r)
			if err != nil {
				return run, err
			}
			run.LeftAlone = append(run.LeftAlone, in.summary())
		case r.Program == prog.Hash && r.Status == flow.Completed.String():
			completed[r.Number] = r.ID
		}
	}
	if run.Resumed || len(completed) == 0 {
		return run, nil
	}
	for r, err := range e.store.List(ctx, persist.Filter{}) {
		if err != nil {
			return run, err
		}
		if terminalStatus(r.Status) || r.Workflow == program.MainName {
			continue
		}
		origin, err := originOf(r)
		if err != nil {
			return run, err
		}
		if id, ok := completed[origin]; ok {
			run.ID, run.Resumed = id, true
			return run, nil
		}
	}
	return run, nil
}

// originOf reads the number of the main that spawned an instance from its row.
func originOf(r persist.Row) (uint64, error) {
	d := dec{b: r.Body}
	d.byte()
	d.fix64()
	d.fix64()
	d.fix64()
	origin := d.uint()
	if d.err != nil {
		return 0, fmt.Errorf("instance %q: %w: %w", r.ID, persist.ErrDamaged, d.err)
	}
	return origin, nil
}

// LeaveMains keeps this engine from driving mains that have not ended, but for
// those named: what a driver without a script does. It gives those left alone.
func (e *Engine) LeaveMains(ctx context.Context, but string) ([]Summary, error) {
	var left []Summary
	for r, err := range e.store.List(ctx, persist.Filter{Workflow: program.MainName}) {
		if err != nil {
			return nil, err
		}
		if terminalStatus(r.Status) || r.ID == but {
			continue
		}
		e.skip[r.Number] = true
		in, err := e.read(ctx, r)
		if err != nil {
			return nil, err
		}
		left = append(left, in.summary())
	}
	return left, nil
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
	for r, err := range e.store.List(ctx, persist.Filter{Runnable: true}) {
		if err != nil {
			return nil, fmt.Errorf("recover: %w", err)
		}
		if e.skip[r.Number] {
			continue
		}
		in, err := e.load(ctx, r.Number)
		if err != nil {
			return nil, fmt.Errorf("recover: %w", err)
		}
		taken = append(taken, in.summary())
		for path := range flow.ActivePaths(in) {
			e.start(in, path)
		}
		e.release(in)
	}
	return taken, nil
}

// RunMain starts a new run of the program and gives the id of its main. The loop
// must be running.
func (e *Engine) RunMain(ctx context.Context, prog *program.Program) (string, error) {
	b := &birth{prog: prog, wf: prog.Main, fields: make([]value.Value, len(prog.Main.Fields))}
	empty, _ := value.NewRecord(nil, nil).AsRecord()
	b.given = empty
	sum, err := e.spawn(ctx, b)
	return sum.ID, err
}
