package storetest

import (
	"fmt"
	"sync"

	"github.com/wf-lang/wf/persist"
)

func lifeCases() []testCase {
	return []testCase{
		{"a new store is empty", func(l *lab) {
			c := l.dump()
			if c.Tail.StoreID == "" || c.Tail.Created.IsZero() {
				l.Fatalf("tail is %+v", c.Tail)
			}
			l.equal(Contents{Tail: persist.Tail{StoreID: c.Tail.StoreID, Created: c.Tail.Created}, Instances: []Instance{{}}}, c)
			l.again(func() { l.equal(c, l.dump()) })
		}},
		{"reopening gives the same", func(l *lab) {
			l.fill(1, 20)
			want := l.dump()
			for range 3 {
				l.reopen()
				l.equal(want, l.dump())
			}
			l.fill(21, 30)
			want = l.dump()
			l.reopen()
			l.equal(want, l.dump())
		}},
		{"a crash keeps what was committed", func(l *lab) {
			for n := uint64(1); n <= 5; n++ {
				l.fill(n*10, n*10+9)
				want := l.dump()
				l.crash()
				l.equal(want, l.dump())
			}
		}},
		{"a crash after an update and a deletion", func(l *lab) {
			l.fill(1, 5)
			l.change(update(2, 2), persist.Change{Number: 3, Expect: 1, Delete: true})
			want := l.dump()
			l.crash()
			l.equal(want, l.dump())
			l.change(update(2, 3))
		}},
		{"the counters outlive deletion and reopening", func(l *lab) {
			c := create(7)
			c.Events = []persist.Event{event(1, 7)}
			l.change(c)
			l.change(persist.Change{Number: 7, Expect: 1, Delete: true})
			l.again(func() {
				tail, err := l.store.Tail(l.ctx)
				l.isErr(err, nil)
				l.equal([2]uint64{7, 1}, [2]uint64{tail.LastNumber, tail.LastEvent})
			})
			l.refusedChange(persist.ErrConflict, create(7))
			l.crash()
			l.refusedChange(persist.ErrConflict, create(7))
			l.change(create(8))
		}},
		{"a closed store", func(l *lab) {
			l.fill(1, 2)
			old := l.store
			list := old.List(l.ctx, persist.Filter{})
			l.reopen()
			for name, err := range l.useAll(old) {
				if err == nil {
					l.Errorf("%s works", name)
					continue
				}
				l.isErr(err, persist.ErrClosed)
			}
			_, err := collect(list)
			l.isErr(err, persist.ErrClosed)
			l.isErr(old.Close(), nil)
			l.fill(3, 4) // the new one is not touched
		}},
		{"writers take turns", func(l *lab) {
			var writers sync.WaitGroup
			l.change(create(1), create(2), create(3), create(4))
			for n := uint64(1); n <= 4; n++ {
				writers.Go(func() {
					for v := uint64(2); v <= 15; v++ {
						c := update(n, v)
						c.Journal = []persist.Entry{entry(v-1, fmt.Sprint(v))}
						if err := l.store.Commit(l.ctx, []persist.Batch{{Changes: []persist.Change{c}}}); err != nil {
							l.Errorf("writer %d: %v", n, err)
							return
						}
					}
				})
			}
			writers.Wait()
			l.again(func() {
				for n := uint64(1); n <= 4; n++ {
					l.equal(uint64(15), l.load(n).Version)
					l.equal(14, len(l.journal(n, 1)))
				}
			})
		}},
	}
}

// fill creates instances that have some of everything.
func (l *lab) fill(from, to uint64) {
	l.Helper()
	tail, err := l.store.Tail(l.ctx)
	l.isErr(err, nil)
	var b persist.Batch
	for n := from; n <= to; n++ {
		c := create(n)
		c.Row.Runnable = n%3 == 0
		c.Cells = []persist.Cell{cell(1, "k", fmt.Sprint(n)), cell(2, "k", fmt.Sprint(n))}
		c.Journal = []persist.Entry{entry(1, "a"), entry(2, fmt.Sprint(n))}
		tail.LastEvent++
		c.Events = []persist.Event{event(tail.LastEvent, n)}
		c.Set = []persist.Timer{{At: int64(n) * 1000, Instance: n, Key: "t"}}
		b.Changes = append(b.Changes, c)
		b.Programs = append(b.Programs, persist.Program{Hash: fmt.Sprint("program ", n%4), Body: []byte("text")})
	}
	l.commit(b)
}

// useAll calls every method but Close and gives their errors.
func (l *lab) useAll(s persist.Store) map[string]error {
	errs := map[string]error{}
	errs["Commit"] = s.Commit(l.ctx, []persist.Batch{{Changes: []persist.Change{create(99)}}})
	_, errs["Load"] = s.Load(l.ctx, 1)
	_, errs["Lookup"] = s.Lookup(l.ctx, "id-1")
	_, errs["List"] = collect(s.List(l.ctx, persist.Filter{}))
	_, errs["Cells"] = collect(s.Cells(l.ctx, 1, 1, ""))
	_, errs["Journal"] = collect(s.Journal(l.ctx, 1, 1))
	_, errs["Events"] = collect(s.Events(l.ctx, 1))
	_, errs["Due"] = s.Due(l.ctx, 1, 1)
	_, errs["Program"] = s.Program(l.ctx, "program 1")
	_, errs["Programs"] = s.Programs(l.ctx)
	_, errs["Tail"] = s.Tail(l.ctx)
	return errs
}
