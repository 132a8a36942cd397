package storetest

import (
	"fmt"
	"math"

	"github.com/wf-lang/wf/persist"
)

func cellCases() []testCase {
	return []testCase{
		{"cells are put, replaced and deleted", func(l *lab) {
			c := create(1)
			c.Cells = []persist.Cell{cell(1, "a", "1"), cell(1, "b", "2"), cell(1, "c", "3")}
			l.change(c)
			l.change(persist.Change{Number: 1, Cells: []persist.Cell{cell(1, "b", "two"), {Kind: 1, Key: "c"}, {Kind: 1, Key: "never"}}})
			l.again(func() { l.equal([]persist.Cell{cell(1, "a", "1"), cell(1, "b", "two")}, l.cells(1, 1, "")) })
		}},
		{"the last of several changes of a cell counts", func(l *lab) {
			c := create(1)
			c.Cells = []persist.Cell{cell(1, "a", "1"), {Kind: 1, Key: "a"}, cell(1, "b", "1"), cell(1, "b", "2"), cell(1, "c", "1")}
			l.change(c, persist.Change{Number: 1, Cells: []persist.Cell{{Kind: 1, Key: "c"}, cell(1, "a", "3")}})
			l.again(func() { l.equal([]persist.Cell{cell(1, "a", "3"), cell(1, "b", "2")}, l.cells(1, 1, "")) })
		}},
		{"cells come by key, bytewise", func(l *lab) {
			c := create(1)
			var want []persist.Cell
			for _, k := range []string{"", "\x00", "A", "a", "a\x00", "a/1", "a/10", "a/2", "b", "ä", "\xff"} {
				want = append(want, cell(2, k, "v"+k))
				c.Cells = append([]persist.Cell{cell(2, k, "v"+k)}, c.Cells...)
			}
			l.change(c)
			l.again(func() {
				l.equal(want, l.cells(1, 2, ""))
				l.equal(want[5:8], l.cells(1, 2, "a/"))
				l.equal(want[10:], l.cells(1, 2, "\xff"))
				l.equal(0, len(l.cells(1, 2, "zz")))
			})
		}},
		{"kinds and instances are apart", func(l *lab) {
			a, b := create(1), create(2)
			a.Cells = []persist.Cell{cell(1, "k", "a1"), cell(2, "k", "a2"), cell(255, "k", "a255")}
			b.Cells = []persist.Cell{cell(1, "k", "b1")}
			l.change(a, b)
			l.again(func() {
				l.equal([]persist.Cell{cell(1, "k", "a1")}, l.cells(1, 1, ""))
				l.equal([]persist.Cell{cell(255, "k", "a255")}, l.cells(1, 255, ""))
				l.equal([]persist.Cell{cell(1, "k", "b1")}, l.cells(2, 1, ""))
				l.equal(0, len(l.cells(1, 0, "")))
			})
		}},
		{"an empty body is not none", func(l *lab) {
			c := create(1)
			c.Row.Body = nil
			c.Cells = []persist.Cell{{Kind: 1, Key: "k", Body: []byte{}}}
			c.Journal = []persist.Entry{{Seq: 1}}
			c.Events = []persist.Event{{Number: 1, Instance: 1}}
			l.change(c)
			l.again(func() {
				l.equal([]persist.Cell{cell(1, "k", "")}, l.cells(1, 1, ""))
				l.equal([]persist.Entry{entry(1, "")}, l.journal(1, 1))
				l.equal([]byte{}, l.load(1).Body)
				l.equal([]byte{}, l.dump().Events[0].Body)
			})
		}},
		{"more cells than a page", func(l *lab) {
			c := create(1)
			for i := range 2500 {
				c.Cells = append(c.Cells, cell(1, fmt.Sprintf("%05d", i), fmt.Sprint(i)))
			}
			l.change(c)
			l.equal(c.Cells, l.cells(1, 1, ""))
			l.equal(c.Cells[1000:2000], l.cells(1, 1, "01"))
		}},
		{"the store has cells of its own", func(l *lab) {
			l.change(persist.Change{Cells: []persist.Cell{cell(1, "k", "v")}, Events: []persist.Event{event(1, 0)}, Set: []persist.Timer{{At: 1, Key: "t"}}})
			l.again(func() {
				l.equal([]persist.Cell{cell(1, "k", "v")}, l.cells(0, 1, ""))
				l.equal([]persist.Timer{{At: 1, Key: "t"}}, l.due(1, 1))
				l.equal(0, len(l.ids(persist.Filter{})))
			})
			l.change(persist.Change{Clear: []persist.Timer{{At: 1, Key: "t"}}})
			l.equal(0, len(l.due(forever, 1)))
		}},
	}
}

func journalCases() []testCase {
	conflict := persist.ErrConflict
	return []testCase{
		{"a journal is read from any place", func(l *lab) {
			c := create(1)
			for i := uint64(1); i <= 5; i++ {
				c.Journal = append(c.Journal, entry(i, fmt.Sprint(i)))
			}
			l.change(c)
			l.again(func() {
				for from := uint64(0); from <= 7; from++ {
					got := l.journal(1, from)
					l.equal(append([]persist.Entry(nil), c.Journal[min(max(from, 1)-1, 5):]...), got)
				}
				l.equal(0, len(l.journal(1, math.MaxUint64)))
				l.equal(0, len(l.journal(2, 1)))
			})
		}},
		{"a journal grows with and without its row", func(l *lab) {
			var want []persist.Entry
			l.change(create(1))
			version := uint64(1)
			for seq := uint64(1); seq <= 12; seq++ {
				c := persist.Change{Number: 1}
				if seq%3 == 0 {
					version++
					c = update(1, version)
				}
				c.Journal = []persist.Entry{entry(seq, fmt.Sprint(seq))}
				want = append(want, c.Journal...)
				l.change(c)
				if seq%4 == 0 {
					l.reopen()
				}
				l.equal(want, l.journal(1, 1))
			}
			l.change(update(1, version+1))
			l.again(func() { l.equal(want, l.journal(1, 0)) })
		}},
		{"gaps in a journal are refused", func(l *lab) {
			l.refusedChange(conflict, create(1), persist.Change{Number: 1, Journal: []persist.Entry{entry(2, "")}})
			c := create(1)
			c.Journal = []persist.Entry{entry(1, ""), entry(2, "")}
			l.change(c)
			for _, bad := range [][]persist.Entry{{entry(0, "")}, {entry(1, "")}, {entry(2, "")}, {entry(4, "")}, {entry(3, ""), entry(5, "")}, {entry(3, ""), entry(3, "")}} {
				l.refusedChange(conflict, persist.Change{Number: 1, Journal: bad})
			}
			l.reopen()
			l.refusedChange(conflict, persist.Change{Number: 1, Journal: []persist.Entry{entry(4, "")}})
			l.change(persist.Change{Number: 1, Journal: []persist.Entry{entry(3, "")}})
		}},
		{"a long journal", func(l *lab) {
			c := create(1)
			for i := uint64(1); i <= 2500; i++ {
				c.Journal = append(c.Journal, entry(i, fmt.Sprint(i)))
			}
			l.change(c, create(2))
			l.equal(c.Journal, l.journal(1, 1))
			l.equal(c.Journal[999:], l.journal(1, 1000))
		}},
		{"events are numbered without gaps", func(l *lab) {
			c := create(1)
			c.Events = []persist.Event{event(1, 1), event(2, 1)}
			l.change(c)
			for _, bad := range [][]persist.Event{{event(0, 1)}, {event(2, 1)}, {event(4, 1)}, {event(3, 1), event(5, 1)}} {
				l.refusedChange(conflict, persist.Change{Number: 1, Events: bad})
			}
			d := create(2)
			d.Events = []persist.Event{event(3, 2)}
			l.change(d, persist.Change{Number: 1, Events: []persist.Event{event(4, 1)}})
			l.again(func() {
				l.equal([]persist.Event{event(1, 1), event(2, 1), event(3, 2), event(4, 1)}, all(l, l.store.Events(l.ctx, 0)))
				l.equal([]persist.Event{event(4, 1)}, all(l, l.store.Events(l.ctx, 4)))
				l.equal(0, len(all(l, l.store.Events(l.ctx, 5))))
			})
		}},
		{"a long event log", func(l *lab) {
			c := create(1)
			for i := uint64(1); i <= 2500; i++ {
				c.Events = append(c.Events, event(i, 1))
			}
			l.change(c)
			l.equal(c.Events, all(l, l.store.Events(l.ctx, 1)))
		}},
		{"programs are kept once", func(l *lab) {
			p := persist.Program{Hash: "h1", Body: []byte("text")}
			l.commit(persist.Batch{Programs: []persist.Program{p}}, persist.Batch{Programs: []persist.Program{p, {Hash: "h2", Body: []byte("other")}}})
			l.commit(persist.Batch{Programs: []persist.Program{{Hash: "h1", Body: []byte("not the same")}}})
			l.reopen()
			l.commit(persist.Batch{Programs: []persist.Program{{Hash: "h1", Body: []byte("not the same")}}})
			l.again(func() {
				got, err := l.store.Program(l.ctx, "h1")
				l.isErr(err, nil)
				l.equal(p, got)
				l.equal(2, len(l.dump().Programs))
				_, err = l.store.Program(l.ctx, "h3")
				l.isErr(err, persist.ErrNotFound)
			})
		}},
	}
}

func timerCases() []testCase {
	at := func(at int64, instance uint64, key string) persist.Timer {
		return persist.Timer{At: at, Instance: instance, Key: key}
	}
	return []testCase{
		{"timers come by instant, instance and key", func(l *lab) {
			a, b := create(1), create(2)
			a.Set = []persist.Timer{at(20, 1, "x"), at(10, 1, "b"), at(10, 1, "a"), at(-5, 1, "neg")}
			b.Set = []persist.Timer{at(10, 2, "A"), at(math.MinInt64, 2, "min"), at(math.MaxInt64, 2, "max"), at(0, 2, "zero")}
			l.change(a, b)
			want := []persist.Timer{at(math.MinInt64, 2, "min"), at(-5, 1, "neg"), at(0, 2, "zero"), at(10, 1, "a"), at(10, 1, "b"), at(10, 2, "A"), at(20, 1, "x"), at(math.MaxInt64, 2, "max")}
			l.again(func() { l.equal(want, l.due(forever, 100)) })
		}},
		{"due stops at now and at the limit", func(l *lab) {
			c := create(1)
			for i := range int64(10) {
				c.Set = append(c.Set, at(i-5, 1, fmt.Sprint(i)))
			}
			l.change(c)
			l.equal(c.Set[:6], l.due(0, 100))
			l.equal(c.Set[:3], l.due(0, 3))
			l.equal(c.Set[:1], l.due(forever, 1))
			l.equal(0, len(l.due(forever, 0)))
			l.equal(0, len(l.due(-6, 100)))
			l.equal(0, len(l.due(math.MinInt64, 100)))
		}},
		{"timers are cleared by all three fields", func(l *lab) {
			c, d := create(1), create(2)
			c.Set = []persist.Timer{at(1, 1, "a"), at(2, 1, "b"), at(3, 1, "c")}
			d.Set = []persist.Timer{at(1, 2, "a")}
			l.change(c, d)
			l.change(persist.Change{Number: 1, Clear: []persist.Timer{at(1, 1, "a"), at(9, 1, "b"), at(3, 1, "x"), at(3, 1, "c")}})
			l.again(func() { l.equal([]persist.Timer{at(1, 2, "a"), at(2, 1, "b")}, l.due(forever, 9)) })
		}},
		{"a timer set again is moved", func(l *lab) {
			c := create(1)
			c.Set = []persist.Timer{at(1, 1, "a"), at(5, 1, "a")}
			l.change(c)
			l.equal([]persist.Timer{at(5, 1, "a")}, l.due(forever, 9))
			l.reopen()
			l.change(persist.Change{Number: 1, Set: []persist.Timer{at(3, 1, "a")}}, persist.Change{Number: 1, Set: []persist.Timer{at(3, 1, "a")}})
			l.again(func() { l.equal([]persist.Timer{at(3, 1, "a")}, l.due(forever, 9)) })
		}},
		{"clear comes before set", func(l *lab) {
			c := create(1)
			c.Set = []persist.Timer{at(1, 1, "a"), at(2, 1, "b")}
			l.change(c)
			l.change(persist.Change{Number: 1, Clear: []persist.Timer{at(1, 1, "a"), at(2, 1, "b")}, Set: []persist.Timer{at(1, 1, "a"), at(9, 1, "b")}})
			l.again(func() { l.equal([]persist.Timer{at(1, 1, "a"), at(9, 1, "b")}, l.due(forever, 9)) })
			l.change(persist.Change{Number: 1, Set: []persist.Timer{at(4, 1, "a")}}, persist.Change{Number: 1, Clear: []persist.Timer{at(4, 1, "a")}})
			l.again(func() { l.equal([]persist.Timer{at(9, 1, "b")}, l.due(forever, 9)) })
		}},
		{"many timers", func(l *lab) {
			c := create(1)
			for i := range int64(2500) {
				c.Set = append(c.Set, at(i*7919%2500, 1, fmt.Sprint(i)))
			}
			l.change(c)
			due := l.due(forever, 5000)
			l.equal(2500, len(due))
			for i, t := range due {
				l.equal(int64(i), t.At)
			}
		}},
	}
}
