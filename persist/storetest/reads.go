package storetest

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/wf-lang/wf/persist"
)

func readCases() []testCase {
	return []testCase{
		{"list filters", func(l *lab) {
			for n := uint64(1); n <= 6; n++ {
				c := create(n)
				c.Row.Workflow = []string{"order", "refund"}[n%2]
				c.Row.Status = []string{"running", "waiting", "done"}[n%3]
				c.Row.Runnable = n > 4
				l.change(c)
			}
			l.again(func() {
				l.equal([]string{"id-1", "id-2", "id-3", "id-4", "id-5", "id-6"}, l.ids(persist.Filter{}))
				l.equal([]string{"id-2", "id-4", "id-6"}, l.ids(persist.Filter{Workflow: "order"}))
				l.equal([]string{"id-3", "id-6"}, l.ids(persist.Filter{Status: "running"}))
				l.equal([]string{"id-6"}, l.ids(persist.Filter{Status: "running", Workflow: "order", Runnable: true}))
				l.equal([]string{"id-5", "id-6"}, l.ids(persist.Filter{Runnable: true}))
				l.equal([]string{"id-6"}, l.ids(persist.Filter{Runnable: true, From: 6}))
				l.equal([]string{"id-5", "id-6"}, l.ids(persist.Filter{From: 5}))
				l.equal(0, len(l.ids(persist.Filter{From: math.MaxUint64})))
				l.equal(0, len(l.ids(persist.Filter{Workflow: "none"})))
			})
		}},
		{"runnable follows the row", func(l *lab) {
			l.change(create(1), create(2))
			version := map[uint64]uint64{1: 1, 2: 1}
			set := func(n uint64, runnable bool) persist.Change {
				version[n]++
				c := update(n, version[n])
				c.Row.Runnable = runnable
				return c
			}
			l.change(set(1, true), set(2, true))
			l.again(func() { l.equal([]uint64{1, 2}, l.dump().Runnable) })
			l.change(set(1, false), set(1, true), set(2, false))
			l.again(func() { l.equal([]uint64{1}, l.dump().Runnable) })
			l.change(set(1, false))
			l.again(func() { l.equal(0, len(l.dump().Runnable)) })
		}},
		{"list over several pages", func(l *lab) {
			var changes []persist.Change
			for n := uint64(1); n <= 2500; n++ {
				c := create(n)
				c.Row.Runnable = n%2 == 0
				if n > 2400 {
					c.Row.Status = "rare"
				}
				changes = append(changes, c)
			}
			l.change(changes...)
			l.equal(2500, len(l.ids(persist.Filter{})))
			l.equal(1250, len(l.ids(persist.Filter{Runnable: true})))
			l.equal(100, len(l.ids(persist.Filter{Status: "rare"})))
			l.equal("id-2401", l.ids(persist.Filter{Status: "rare"})[0])
			l.equal(501, len(l.ids(persist.Filter{From: 2000})))
		}},
		{"sequences can be left and run again", func(l *lab) {
			c := create(1)
			for i := uint64(1); i <= 1500; i++ {
				c.Journal = append(c.Journal, entry(i, "x"))
			}
			l.change(c)
			seq := l.store.Journal(l.ctx, 1, 1)
			for range 2 {
				n := 0
				for e, err := range seq {
					l.isErr(err, nil)
					if n++; e.Seq == 1200 {
						break
					}
				}
				l.equal(1200, n)
			}
			l.equal(1500, len(all(l, seq)))
		}},
		{"the store can be used inside a sequence", func(l *lab) {
			l.change(create(1), create(2))
			n := 0
			for r, err := range l.store.List(l.ctx, persist.Filter{}) {
				l.isErr(err, nil)
				l.change(update(r.Number, 2))
				l.equal(uint64(2), l.load(r.Number).Version)
				n++
			}
			l.equal(2, n)
		}},
		{"what is read is the reader's memory", func(l *lab) {
			c := create(1)
			c.Cells = []persist.Cell{cell(1, "k", "cell")}
			c.Journal = []persist.Entry{entry(1, "journal")}
			c.Events = []persist.Event{event(1, 1)}
			l.commit(persist.Batch{Programs: []persist.Program{{Hash: "h", Body: []byte("p")}}, Changes: []persist.Change{c}})
			before := l.dump()
			d := l.dump()
			p, err := l.store.Program(l.ctx, "h")
			l.isErr(err, nil)
			r, err := l.store.Lookup(l.ctx, "id-1")
			l.isErr(err, nil)
			for _, b := range [][]byte{d.Instances[1].Row.Body, d.Instances[1].Cells[0].Body, d.Instances[1].Journal[0].Body, d.Events[0].Body, d.Programs[0].Body, p.Body, r.Body, l.load(1).Body} {
				clear(b)
				_ = append(b, "overwritten"...)
			}
			l.equal(before, l.dump())
		}},
		{"reads end with their context", func(l *lab) {
			l.change(create(1))
			ctx, cancel := context.WithCancel(l.ctx)
			cancel()
			_, err := l.store.Load(ctx, 1)
			l.isErr(err, context.Canceled)
			_, err = collect(l.store.List(ctx, persist.Filter{}))
			l.isErr(err, context.Canceled)
			_, err = l.store.Due(ctx, 0, 1)
			l.isErr(err, context.Canceled)
		}},
		{"readers see whole commits only", wholeCommits},
	}
}

// wholeCommits moves an amount between cells while others add them up.
func wholeCommits(l *lab) {
	const cells, rounds = 10, 60
	c := create(1)
	for i := range cells {
		c.Cells = append(c.Cells, cell(1, fmt.Sprint(i), "0"))
	}
	l.change(c)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			for {
				seen := map[string]bool{}
				cells, err := collect(l.store.Cells(l.ctx, 1, 1, ""))
				for _, c := range cells {
					seen[string(c.Body)] = true
				}
				if err != nil || len(seen) != 1 {
					l.Errorf("a reader saw %v, %v", seen, err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for round := range rounds {
		var c persist.Change
		c.Number = 1
		for i := range cells {
			c.Cells = append(c.Cells, cell(1, fmt.Sprint(i), fmt.Sprint(round)))
		}
		l.change(c)
	}
	close(done)
	readers.Wait()
}
