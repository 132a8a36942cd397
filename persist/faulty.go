package persist

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
)

// A Fault is what happens to one commit of a Faulty store.
type Fault int

// The faults.
const (
	// NoFault lets the commit through.
	NoFault Fault = iota
	// CrashBefore: the process dies before anything is written.
	CrashBefore
	// CrashAfter: the process dies when all is durable, before it hears of it.
	CrashAfter
	// Refuse: the commit fails with ErrRefused, nothing is written. The caller
	// cannot tell this from Unknown.
	Refuse
	// Full: the commit fails with ErrFull, nothing is written.
	Full
	// Unknown: all is written, but the commit fails with ErrRefused.
	Unknown
)

// String names the fault.
func (f Fault) String() string {
	names := [...]string{"no fault", "crash before", "crash after", "refuse", "full", "unknown"}
	if f < 0 || int(f) >= len(names) {
		return fmt.Sprintf("Fault(%d)", int(f))
	}
	return names[f]
}

// ErrRefused is the error of a commit under Refuse or Unknown. It stands for an
// I/O error: it does not say whether the commit was written.
var ErrRefused = errors.New("simulated input/output error")

// Faulty is a Store that fails by plan, to try what a program makes of it.
//
// After a crash every call gives ErrCrash; the store below is left as it is,
// for the test to end in its own way (Disk.Crash, say) and to open again.
// After Refuse and Unknown every further commit gives ErrRefused, as the
// contract says of unknown outcomes; reads go on.
type Faulty struct {
	store Store
	plan  Plan

	mu      sync.Mutex // guards all below
	commits int
	dead    bool
	latched bool
}

var _ Store = (*Faulty)(nil)

// NewFaulty wraps a store. The plan is asked at each commit; it must not call the
// Faulty store.
func NewFaulty(store Store, plan Plan) *Faulty {
	return &Faulty{store: store, plan: plan}
}

// A Plan says what happens to a commit, n counting from 1. A nil one has no faults.
type Plan func(n int, batches []Batch) Fault

// After is the plan of a store that takes over from one that was asked for so many
// commits.
func (p Plan) After(commits int) Plan {
	if p == nil {
		return nil
	}
	return func(n int, batches []Batch) Fault { return p(commits+n, batches) }
}

// FaultAt is the plan of one fault, of the n-th commit.
func FaultAt(n int, f Fault) Plan {
	return func(i int, _ []Batch) Fault {
		if i == n {
			return f
		}
		return NoFault
	}
}

// Commits gives how many commits were asked for, those that failed included
// and those after the crash not.
func (f *Faulty) Commits() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.commits
}

// Commit commits to the store below, unless the plan says otherwise.
func (f *Faulty) Commit(ctx context.Context, batches []Batch) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return ErrCrash
	}
	if f.latched {
		return fmt.Errorf("commit: after an earlier error: %w", ErrRefused)
	}
	f.commits++
	fault := NoFault
	if f.plan != nil {
		fault = f.plan(f.commits, batches)
	}
	return f.commit(ctx, batches, fault)
}

func (f *Faulty) commit(ctx context.Context, batches []Batch, fault Fault) error {
	switch fault {
	case CrashBefore:
		f.dead = true
		return ErrCrash
	case Refuse:
		f.latched = true
		return fmt.Errorf("commit: %w", ErrRefused)
	case Full:
		return fmt.Errorf("commit: %w", ErrFull)
	}
	err := f.store.Commit(ctx, batches)
	switch fault {
	case CrashAfter:
		f.dead = true
		return ErrCrash
	case Unknown:
		if err == nil {
			f.latched = true
			err = fmt.Errorf("commit: %w", ErrRefused)
		}
	}
	return err
}

// Crash kills the process at a moment between commits.
func (f *Faulty) Crash() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dead = true
}

func (f *Faulty) alive() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return ErrCrash
	}
	return nil
}

// one guards a read of one result.
func one[T any](f *Faulty, read func() (T, error)) (T, error) {
	var zero T
	if err := f.alive(); err != nil {
		return zero, err
	}
	v, err := read()
	if dead := f.alive(); dead != nil {
		return zero, dead
	}
	return v, err
}

// each guards a sequence: it ends with ErrCrash when the process dies.
func each[T any](f *Faulty, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		if err := f.alive(); err != nil {
			yield(zero, err)
			return
		}
		for v, err := range seq {
			if dead := f.alive(); dead != nil {
				yield(zero, dead)
				return
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// Load gives the row of a number.
func (f *Faulty) Load(ctx context.Context, number uint64) (Row, error) {
	return one(f, func() (Row, error) { return f.store.Load(ctx, number) })
}

// Lookup gives the row of an id.
func (f *Faulty) Lookup(ctx context.Context, id string) (Row, error) {
	return one(f, func() (Row, error) { return f.store.Lookup(ctx, id) })
}

// List gives the rows that pass the filter.
func (f *Faulty) List(ctx context.Context, filter Filter) iter.Seq2[Row, error] {
	return each(f, f.store.List(ctx, filter))
}

// Cells gives the cells of a kind whose key has the prefix.
func (f *Faulty) Cells(ctx context.Context, number uint64, kind CellKind, prefix string) iter.Seq2[Cell, error] {
	return each(f, f.store.Cells(ctx, number, kind, prefix))
}

// Journal gives the entries from Seq from on.
func (f *Faulty) Journal(ctx context.Context, number, from uint64) iter.Seq2[Entry, error] {
	return each(f, f.store.Journal(ctx, number, from))
}

// Events gives the log from number from on.
func (f *Faulty) Events(ctx context.Context, from uint64) iter.Seq2[Event, error] {
	return each(f, f.store.Events(ctx, from))
}

// Due gives the first timers that are due.
func (f *Faulty) Due(ctx context.Context, now int64, limit int) ([]Timer, error) {
	return one(f, func() ([]Timer, error) { return f.store.Due(ctx, now, limit) })
}

// Program gives the program of a hash.
func (f *Faulty) Program(ctx context.Context, hash string) (Program, error) {
	return one(f, func() (Program, error) { return f.store.Program(ctx, hash) })
}

// Programs lists the hashes of all programs.
func (f *Faulty) Programs(ctx context.Context) ([]string, error) {
	return one(f, func() ([]string, error) { return f.store.Programs(ctx) })
}

// Tail gives the counters.
func (f *Faulty) Tail(ctx context.Context) (Tail, error) {
	return one(f, func() (Tail, error) { return f.store.Tail(ctx) })
}

// Close closes the store below; after a crash it gives ErrCrash and leaves it.
func (f *Faulty) Close() error {
	if err := f.alive(); err != nil {
		return err
	}
	return f.store.Close()
}
