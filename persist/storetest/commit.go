package storetest

import (
	"context"
	"fmt"
	"strings"

	"github.com/wf-lang/wf/persist"
)

func commitCases() []testCase {
	conflict := persist.ErrConflict
	return []testCase{
		{"create, load and lookup", func(l *lab) {
			l.change(create(1))
			l.again(func() {
				l.equal(*row(1), l.load(1))
				got, err := l.store.Lookup(l.ctx, "id-1")
				l.isErr(err, nil)
				l.equal(*row(1), got)
			})
		}},
		{"every field of a row survives", func(l *lab) {
			r := persist.Row{Number: 1 << 40, ID: "ä/b:c@d", Workflow: "w", Status: "", Program: "p", Version: 1, Runnable: true, Body: []byte{0, 255, 0}}
			l.change(persist.Change{Number: r.Number, Row: &r})
			l.again(func() { l.equal(r, l.load(r.Number)) })
		}},
		{"unknown instances are not found", func(l *lab) {
			l.change(create(1))
			for _, n := range []uint64{0, 2, 1 << 63} {
				_, err := l.store.Load(l.ctx, n)
				l.isErr(err, persist.ErrNotFound)
			}
			for _, id := range []string{"", "id", "id-10"} {
				_, err := l.store.Lookup(l.ctx, id)
				l.isErr(err, persist.ErrNotFound)
			}
		}},
		{"update replaces the row", func(l *lab) {
			l.change(create(1))
			l.change(update(1, 2))
			l.again(func() { l.equal(*update(1, 2).Row, l.load(1)) })
		}},
		{"wrong version", func(l *lab) {
			l.change(create(1))
			l.change(update(1, 2))
			l.refusedChange(conflict, update(1, 2))
			l.refusedChange(conflict, update(1, 4))
			l.reopen()
			l.refusedChange(conflict, update(1, 2))
			l.change(update(1, 3))
		}},
		{"a conflict writes nothing of the whole group", func(l *lab) {
			l.change(create(1))
			good := create(2)
			good.Cells = []persist.Cell{cell(1, "k", "v")}
			good.Journal = []persist.Entry{entry(1, "j")}
			good.Events = []persist.Event{event(1, 2)}
			good.Set = []persist.Timer{{At: 1, Instance: 2, Key: "t"}}
			l.refused(conflict,
				persist.Batch{Programs: []persist.Program{{Hash: "h", Body: []byte("p")}}, Changes: []persist.Change{good}},
				persist.Batch{Changes: []persist.Change{update(1, 5)}})
			l.commit(persist.Batch{Changes: []persist.Change{good}}) // nothing of it is remembered
		}},
		{"several batches and versions of one instance in a group", func(l *lab) {
			first := create(1)
			first.Journal = []persist.Entry{entry(1, "a")}
			second := update(1, 2)
			second.Journal = []persist.Entry{entry(2, "b"), entry(3, "c")}
			l.commit(persist.Batch{Changes: []persist.Change{first}}, persist.Batch{Changes: []persist.Change{second, update(1, 3)}})
			l.again(func() {
				l.equal(*update(1, 3).Row, l.load(1))
				l.equal([]persist.Entry{entry(1, "a"), entry(2, "b"), entry(3, "c")}, l.journal(1, 1))
			})
			l.change(update(1, 4))
		}},
		{"order within a group counts", func(l *lab) {
			l.change(create(1))
			l.refused(conflict, persist.Batch{Changes: []persist.Change{update(1, 3)}}, persist.Batch{Changes: []persist.Change{update(1, 2)}})
		}},
		{"created id exists", func(l *lab) {
			l.change(create(1))
			twin := create(2)
			twin.Row.ID = "id-1"
			l.refusedChange(conflict, twin)
			third := create(3)
			third.Row.ID = "id-2"
			l.refusedChange(conflict, create(2), third)
		}},
		{"created number exists", func(l *lab) {
			l.change(create(2))
			again := create(2)
			again.Row.ID = "other"
			l.refusedChange(conflict, again)
			l.refusedChange(conflict, create(1))
			l.refusedChange(conflict, create(4), create(3))
			l.change(create(3), create(7))
		}},
		{"an id does not change", func(l *lab) {
			l.change(create(1))
			other := update(1, 2)
			other.Row.ID = "other"
			l.refusedChange(conflict, other)
			l.reopen()
			l.refusedChange(conflict, other)
		}},
		{"changes that contradict themselves", func(l *lab) {
			l.change(create(1))
			for _, c := range []persist.Change{
				{Number: 1, Expect: 1, Row: row(2)},
				{Number: 1, Expect: 1, Row: row(1)},
				{Number: 2, Row: &persist.Row{Number: 2, Version: 1}},
				{Number: 0, Row: &persist.Row{ID: "x", Version: 1}},
				{Number: 0, Journal: []persist.Entry{entry(1, "")}},
				{Number: 1, Expect: 1, Delete: true, Row: update(1, 2).Row},
				{Number: 1, Expect: 1, Delete: true, Cells: []persist.Cell{cell(1, "k", "v")}},
				{Number: 1, Delete: true},
				{Number: 1, Set: []persist.Timer{{Instance: 2}}},
				{Number: 1, Events: []persist.Event{event(1, 2)}},
			} {
				l.refusedChange(conflict, c)
			}
			l.refused(conflict, persist.Batch{Programs: []persist.Program{{Body: []byte("x")}}})
		}},
		{"a change without a row needs one", func(l *lab) {
			l.refusedChange(conflict, persist.Change{Number: 1, Cells: []persist.Cell{cell(1, "k", "v")}})
			l.refusedChange(conflict, persist.Change{Number: 1, Journal: []persist.Entry{entry(1, "x")}})
		}},
		{"a change without a row checks no version", func(l *lab) {
			l.change(create(1))
			l.change(persist.Change{Number: 1, Expect: 99, Cells: []persist.Cell{cell(1, "k", "v")}})
			l.equal(*row(1), l.load(1))
			l.change(update(1, 2))
		}},
		{"too large", func(l *lab) {
			l.change(create(1))
			huge := make([]byte, persist.MaxRecord+1)
			long := strings.Repeat("x", persist.MaxKey+1)
			bigRow, longID := update(1, 2), create(2)
			bigRow.Row.Body, longID.Row.ID = huge, long
			for _, c := range []persist.Change{
				bigRow, longID,
				{Number: 1, Cells: []persist.Cell{{Body: huge}}},
				{Number: 1, Cells: []persist.Cell{cell(1, long, "")}},
				{Number: 1, Journal: []persist.Entry{{Seq: 1, Body: huge}}},
				{Number: 1, Events: []persist.Event{{Number: 1, Instance: 1, Body: huge}}},
				{Number: 1, Set: []persist.Timer{{Instance: 1, Key: long}}},
			} {
				l.refusedChange(persist.ErrTooLarge, update(1, 2), c)
			}
			l.refused(persist.ErrTooLarge, persist.Batch{Programs: []persist.Program{{Hash: "h", Body: huge}}})
		}},
		{"large bodies and long keys", func(l *lab) {
			big := []byte(strings.Repeat("0123456789", 100_000))
			long := strings.Repeat("k", persist.MaxKey)
			c := create(1)
			c.Row.ID, c.Row.Body = long, big
			c.Cells = []persist.Cell{{Kind: 1, Key: long, Body: big}}
			c.Journal = []persist.Entry{{Seq: 1, Body: big}}
			c.Set = []persist.Timer{{At: 5, Instance: 1, Key: long}}
			l.change(c)
			l.again(func() {
				l.equal(*c.Row, l.load(1))
				l.equal(c.Cells, l.cells(1, 1, "k"))
				l.equal(c.Journal, l.journal(1, 1))
				l.equal(c.Set, l.due(5, 9))
			})
		}},
		{"context ended before the commit", func(l *lab) {
			ctx, cancel := context.WithCancel(l.ctx)
			cancel()
			before := l.dump()
			l.isErr(l.store.Commit(ctx, []persist.Batch{{Changes: []persist.Change{create(1)}}}), context.Canceled)
			l.equal(before, l.dump())
			l.change(create(1))
		}},
		{"nothing to commit", func(l *lab) {
			before := l.dump()
			l.commit()
			l.commit(persist.Batch{})
			l.equal(before, l.dump())
		}},
		{"what was committed is not the caller's memory", func(l *lab) {
			c := create(1)
			c.Cells = []persist.Cell{cell(1, "k", "cell")}
			c.Journal = []persist.Entry{entry(1, "journal")}
			c.Events = []persist.Event{event(1, 1)}
			l.change(c)
			before := l.dump()
			for _, b := range [][]byte{c.Row.Body, c.Cells[0].Body, c.Journal[0].Body, c.Events[0].Body} {
				clear(b)
			}
			l.equal(before, l.dump())
		}},
		{"delete removes everything but events", func(l *lab) {
			for n := uint64(1); n <= 3; n++ {
				c := create(n)
				c.Row.Runnable = true
				c.Cells = []persist.Cell{cell(0, "k", "v"), cell(3, "k", "v")}
				c.Journal = []persist.Entry{entry(1, "a"), entry(2, "b")}
				c.Events = []persist.Event{event(n, n)}
				c.Set = []persist.Timer{{At: 1, Instance: n, Key: "t"}, {At: -1, Instance: n, Key: "u"}}
				l.change(c)
			}
			want := l.dump()
			l.change(persist.Change{Number: 2, Expect: 1, Delete: true, Events: []persist.Event{event(4, 2)}})
			want.Instances = append(want.Instances[:2], want.Instances[3])
			want.Runnable = []uint64{1, 3}
			want.Timers = l.timersOf(want.Timers, 1, 3)
			want.Events = append(want.Events, event(4, 2))
			want.Tail.LastEvent = 4
			l.again(func() {
				l.equal(want, l.dump())
				l.equal(0, len(l.cells(2, 0, ""))+len(l.journal(2, 1)))
				_, err := l.store.Load(l.ctx, 2)
				l.isErr(err, persist.ErrNotFound)
				_, err = l.store.Lookup(l.ctx, "id-2")
				l.isErr(err, persist.ErrNotFound)
			})
		}},
		{"delete takes what the same group has added", func(l *lab) {
			l.change(create(1))
			want := l.dump()
			c := create(2)
			c.Cells = []persist.Cell{cell(1, "k", "v")}
			c.Journal = []persist.Entry{entry(1, "a")}
			c.Set = []persist.Timer{{At: 1, Instance: 2, Key: "t"}}
			more := persist.Change{Number: 2, Cells: []persist.Cell{cell(1, "l", "w")}, Journal: []persist.Entry{entry(2, "b")}}
			l.change(c, more, persist.Change{Number: 2, Expect: 1, Delete: true})
			want.Tail.LastNumber = 2
			l.again(func() { l.equal(want, l.dump()) })
		}},
		{"delete checks the version", func(l *lab) {
			l.change(create(1))
			l.change(update(1, 2))
			l.refusedChange(conflict, persist.Change{Number: 1, Expect: 1, Delete: true})
			l.refusedChange(conflict, persist.Change{Number: 9, Expect: 1, Delete: true})
			l.change(persist.Change{Number: 1, Expect: 2, Delete: true})
			l.refusedChange(conflict, persist.Change{Number: 1, Expect: 2, Delete: true})
			l.refusedChange(conflict, update(1, 3))
		}},
		{"an id can be used again, a number cannot", func(l *lab) {
			c := create(1)
			c.Journal = []persist.Entry{entry(1, "old")}
			c.Cells = []persist.Cell{cell(1, "k", "old")}
			l.change(c)
			l.change(persist.Change{Number: 1, Expect: 1, Delete: true})
			l.refusedChange(conflict, create(1))
			l.reopen()
			l.refusedChange(conflict, create(1))
			next := create(2)
			next.Row.ID = "id-1"
			next.Journal = []persist.Entry{entry(1, "new")}
			l.change(next)
			again := create(3) // and both in one group
			again.Row.ID = "id-1"
			l.change(persist.Change{Number: 2, Expect: 1, Delete: true}, again)
			l.again(func() {
				got, err := l.store.Lookup(l.ctx, "id-1")
				l.isErr(err, nil)
				l.equal(uint64(3), got.Number)
				l.equal([]string{"id-1"}, l.ids(persist.Filter{}))
			})
		}},
		{"a large group", func(l *lab) {
			var group []persist.Batch
			for n := uint64(1); n <= 3000; n++ {
				c := create(n)
				c.Journal = []persist.Entry{entry(1, "x")}
				group = append(group, persist.Batch{Changes: []persist.Change{c}})
			}
			l.commit(group...)
			for i := range group {
				n := uint64(3000 - i) // not in order of number
				c := update(n, 2)
				c.Journal = []persist.Entry{entry(2, fmt.Sprint(n))}
				group[i] = persist.Batch{Changes: []persist.Change{c}}
			}
			l.commit(group...)
			l.again(func() {
				l.equal(3000, len(l.ids(persist.Filter{})))
				l.equal([]persist.Entry{entry(1, "x"), entry(2, "1234")}, l.journal(1234, 1))
			})
		}},
	}
}

func (l *lab) timersOf(list []persist.Timer, instances ...uint64) (kept []persist.Timer) {
	for _, t := range list {
		for _, n := range instances {
			if t.Instance == n {
				kept = append(kept, t)
			}
		}
	}
	return kept
}
