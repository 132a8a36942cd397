// Package storetest is the conformance suite that every persist.Store runs. It
// knows the contract only; what a store does beyond it is tested beside it.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/wf-lang/wf/persist"
)

// A Harness makes stores to be tested.
type Harness struct {
	// Open makes a new, empty store and opens it. What it needs is cleaned up
	// at the end of the test.
	Open func(t *testing.T) Fixture
}

// A Fixture is one store with the means to end its use and to come back.
type Fixture struct {
	Store persist.Store
	// Reopen closes the store that is open now and opens it again.
	Reopen func(t *testing.T) persist.Store
	// Crash ends the store that is open now without closing it, as the death of
	// its process would, and opens it again.
	Crash func(t *testing.T) persist.Store
}

// lab is what a case works with.
type lab struct {
	*testing.T
	ctx   context.Context
	fix   Fixture
	store persist.Store
}

// testCase is one rule of the contract.
type testCase struct {
	name string
	run  func(l *lab)
}

// Run runs the suite, each case on a store of its own.
func Run(t *testing.T, h Harness) {
	for _, c := range slices.Concat(commitCases(), cellCases(), journalCases(), timerCases(), readCases(), lifeCases()) {
		t.Run(c.name, func(t *testing.T) {
			fix := h.Open(t)
			c.run(&lab{T: t, ctx: context.Background(), fix: fix, store: fix.Store})
		})
	}
}

func (l *lab) reopen() { l.Helper(); l.store = l.fix.Reopen(l.T) }
func (l *lab) crash()  { l.Helper(); l.store = l.fix.Crash(l.T) }

// again runs check now and after the store was closed and opened.
func (l *lab) again(check func()) {
	l.Helper()
	check()
	l.reopen()
	check()
}

func (l *lab) commit(batches ...persist.Batch) {
	l.Helper()
	if err := l.store.Commit(l.ctx, batches); err != nil {
		l.Fatalf("commit: %v", err)
	}
}

// change commits changes as one batch.
func (l *lab) change(changes ...persist.Change) {
	l.Helper()
	l.commit(persist.Batch{Changes: changes})
}

// refused commits batches that must give the error and change nothing.
func (l *lab) refused(want error, batches ...persist.Batch) {
	l.Helper()
	before := l.dump()
	if err := l.store.Commit(l.ctx, batches); !errors.Is(err, want) {
		l.Fatalf("commit gave %v, want %v", err, want)
	}
	l.equal(before, l.dump())
}

func (l *lab) refusedChange(want error, changes ...persist.Change) {
	l.Helper()
	l.refused(want, persist.Batch{Changes: changes})
}

func (l *lab) dump() Contents {
	l.Helper()
	c, err := Dump(l.ctx, l.store)
	if err != nil {
		l.Fatalf("dump: %v", err)
	}
	return c
}

func (l *lab) equal(want, got any) {
	l.Helper()
	if !reflect.DeepEqual(want, got) {
		l.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func (l *lab) isErr(err, want error) {
	l.Helper()
	if !errors.Is(err, want) {
		l.Fatalf("got error %v, want %v", err, want)
	}
}

func (l *lab) load(number uint64) persist.Row {
	l.Helper()
	row, err := l.store.Load(l.ctx, number)
	if err != nil {
		l.Fatalf("load %d: %v", number, err)
	}
	return row
}

func (l *lab) due(now int64, limit int) []persist.Timer {
	l.Helper()
	due, err := l.store.Due(l.ctx, now, limit)
	if err != nil {
		l.Fatalf("due: %v", err)
	}
	return due
}

func (l *lab) journal(number, from uint64) []persist.Entry {
	l.Helper()
	return all(l, l.store.Journal(l.ctx, number, from))
}

func (l *lab) cells(number uint64, kind persist.CellKind, prefix string) []persist.Cell {
	l.Helper()
	return all(l, l.store.Cells(l.ctx, number, kind, prefix))
}

// ids gives the ids of the rows that a filter selects.
func (l *lab) ids(f persist.Filter) []string {
	l.Helper()
	var ids []string
	for _, r := range all(l, l.store.List(l.ctx, f)) {
		ids = append(ids, r.ID)
	}
	return ids
}

func all[T any](l *lab, seq func(func(T, error) bool)) []T {
	l.Helper()
	list, err := collect(seq)
	if err != nil {
		l.Fatalf("sequence: %v", err)
	}
	return list
}

func collect[T any](seq func(func(T, error) bool)) (list []T, err error) {
	seq(func(v T, e error) bool {
		if e != nil {
			err = e
			return false
		}
		list = append(list, v)
		return true
	})
	return list, err
}

// row gives a row in its first version.
func row(number uint64) *persist.Row {
	return &persist.Row{
		Number: number, ID: fmt.Sprintf("id-%d", number), Workflow: "order", Status: "running",
		Program: "hash", Version: 1, Body: fmt.Appendf(nil, "body %d v1", number),
	}
}

// create makes the change that creates an instance.
func create(number uint64) persist.Change {
	return persist.Change{Number: number, Row: row(number)}
}

// update makes the change to a version above 1.
func update(number, version uint64) persist.Change {
	r := row(number)
	r.Version, r.Body = version, fmt.Appendf(nil, "body %d v%d", number, version)
	return persist.Change{Number: number, Expect: version - 1, Row: r}
}

func entry(seq uint64, body string) persist.Entry {
	return persist.Entry{Seq: seq, Body: []byte(body)}
}

func cell(kind persist.CellKind, key, body string) persist.Cell {
	return persist.Cell{Kind: kind, Key: key, Body: []byte(body)}
}

func event(number, instance uint64) persist.Event {
	return persist.Event{Number: number, Instance: instance, Body: fmt.Appendf(nil, "event %d", number)}
}

// forever is later than any timer.
const forever = math.MaxInt64
