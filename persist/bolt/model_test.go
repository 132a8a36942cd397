package bolt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/storetest"
)

// TestSameAsMemory commits random groups, good and bad ones, to both stores and
// compares all that can be read, with reopenings and crashes between. The seed
// is rapid's (-rapid.seed).
func TestSameAsMemory(t *testing.T) {
	t.Parallel()
	accepted, refused := 0, 0
	defer func() { t.Logf("%d groups accepted, %d refused", accepted, refused) }()
	rapid.Check(t, func(rt *rapid.T) {
		ctx := context.Background()
		p := newPlace(t)
		tail, err := p.open.Tail(ctx)
		require.NoError(rt, err)
		memory, err := persist.NewDiskAs(tail.StoreID, tail.Created).Open()
		require.NoError(rt, err)
		g := &generator{t: rt, versions: map[uint64]uint64{}, seqs: map[uint64]uint64{}}
		for range rapid.IntRange(1, 12).Draw(rt, "groups") {
			saved := g.clone()
			group := g.group()
			want, got := memory.Commit(ctx, group), p.open.Commit(ctx, group)
			require.Equal(rt, want == nil, got == nil, "memory: %v, bolt: %v", want, got)
			if want == nil {
				accepted++
			} else {
				refused++
				require.True(rt, errors.Is(want, persist.ErrConflict) && errors.Is(got, persist.ErrConflict), "memory: %v, bolt: %v", want, got)
				g = saved
			}
			switch rapid.IntRange(0, 5).Draw(rt, "then") {
			case 0:
				p.reopen(t)
			case 1:
				p.crash(t)
			case 2:
				p.open.heads = headCache{} // as after many other instances
			}
			expected, err := storetest.Dump(ctx, memory)
			require.NoError(rt, err)
			actual, err := storetest.Dump(ctx, p.open)
			require.NoError(rt, err)
			require.Equal(rt, expected, actual)
		}
		for problem, err := range p.open.Verify(ctx) {
			rt.Fatal(problem, err)
		}
		require.NoError(rt, p.open.Close())
	})
}

// generator makes groups that mostly keep the rules.
type generator struct {
	t        *rapid.T
	versions map[uint64]uint64
	seqs     map[uint64]uint64
	last     uint64
	event    uint64
}

func (g *generator) clone() *generator {
	c := &generator{t: g.t, versions: map[uint64]uint64{}, seqs: map[uint64]uint64{}, last: g.last, event: g.event}
	for n, v := range g.versions {
		c.versions[n], c.seqs[n] = v, g.seqs[n]
	}
	return c
}

func (g *generator) upTo(n int, label string) int { return rapid.IntRange(0, n).Draw(g.t, label) }

// slip tells whether to break a rule, seldom.
func (g *generator) slip() bool { return rapid.IntRange(0, 150).Draw(g.t, "slip") == 77 }

func (g *generator) group() (group []persist.Batch) {
	for range g.upTo(4, "batches") {
		var b persist.Batch
		for range g.upTo(3, "changes") {
			b.Changes = append(b.Changes, g.change())
		}
		if g.upTo(5, "program") == 0 {
			b.Programs = append(b.Programs, persist.Program{Hash: fmt.Sprint("h", g.upTo(3, "hash")), Body: []byte("text")})
		}
		group = append(group, b)
	}
	return group
}

func (g *generator) change() persist.Change {
	var numbers []uint64
	for n := range g.versions {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	kind := g.upTo(9, "kind")
	if len(numbers) == 0 || kind <= 1 {
		g.last += uint64(1 + g.upTo(2, "gap"))
		g.versions[g.last] = 0
		return g.fill(persist.Change{Number: g.last, Row: g.row(g.last)})
	}
	n := numbers[g.upTo(len(numbers)-1, "instance")]
	switch {
	case kind == 2:
		c := persist.Change{Number: n, Expect: g.versions[n], Delete: true, Events: g.events(n)}
		delete(g.versions, n)
		delete(g.seqs, n)
		return c
	case kind <= 5:
		return g.fill(persist.Change{Number: n})
	case kind == 6:
		return persist.Change{Cells: g.cells(), Events: g.events(0), Set: g.timers(0), Clear: g.timers(0)}
	}
	return g.fill(persist.Change{Number: n, Expect: g.versions[n], Row: g.row(n)})
}

func (g *generator) row(n uint64) *persist.Row {
	g.versions[n]++
	version := g.versions[n]
	if g.slip() {
		version++
	}
	id := fmt.Sprint("id", n)
	if g.slip() {
		id = "id1"
	}
	return &persist.Row{Number: n, ID: id, Workflow: "w", Status: fmt.Sprint(g.upTo(3, "status")), Version: version, Runnable: g.upTo(1, "runnable") == 1, Body: g.body()}
}

func (g *generator) body() []byte { return make([]byte, g.upTo(1, "large")*g.upTo(9000, "length")) }

func (g *generator) fill(c persist.Change) persist.Change {
	c.Cells, c.Events, c.Set, c.Clear = g.cells(), g.events(c.Number), g.timers(c.Number), g.timers(c.Number)
	for range g.upTo(3, "entries") {
		g.seqs[c.Number]++
		seq := g.seqs[c.Number]
		if g.slip() {
			seq++
		}
		c.Journal = append(c.Journal, persist.Entry{Seq: seq, Body: g.body()})
	}
	return c
}

func (g *generator) cells() (cells []persist.Cell) {
	for range g.upTo(3, "cells") {
		c := persist.Cell{Kind: persist.CellKind(g.upTo(3, "cell kind")), Key: fmt.Sprint(g.upTo(5, "cell key"))}
		if g.upTo(2, "put") > 0 {
			c.Body = g.body()
		}
		cells = append(cells, c)
	}
	return cells
}

func (g *generator) events(n uint64) (events []persist.Event) {
	for range g.upTo(2, "events") {
		g.event++
		events = append(events, persist.Event{Number: g.event, Instance: n, Body: g.body()})
	}
	return events
}

func (g *generator) timers(n uint64) (timers []persist.Timer) {
	for range g.upTo(2, "timers") {
		timers = append(timers, persist.Timer{At: int64(g.upTo(4, "at")) - 2, Instance: n, Key: fmt.Sprint(g.upTo(2, "timer"))})
	}
	return timers
}
