package storetest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"

	"github.com/wf-lang/wf/persist"
)

// Contents is all that can be read from a store.
type Contents struct {
	Tail      persist.Tail
	Instances []Instance // number 0, which has cells only, comes first
	Runnable  []uint64
	Events    []persist.Event
	Timers    []persist.Timer
	Programs  []persist.Program // by hash
}

// Instance is all that can be read of one instance.
type Instance struct {
	Row     persist.Row
	Cells   []persist.Cell // by kind, then key
	Journal []persist.Entry
}

// Dump reads a store through every method of its interface, and checks that
// they agree. It looks for cells of the kinds 0 to 3 only.
func Dump(ctx context.Context, s persist.Store) (c Contents, err error) {
	if c.Tail, err = s.Tail(ctx); err != nil {
		return c, err
	}
	rows, err := collect(s.List(ctx, persist.Filter{}))
	if err != nil {
		return c, err
	}
	for _, r := range append([]persist.Row{{}}, rows...) {
		in, err := dumpInstance(ctx, s, r)
		if err != nil {
			return c, err
		}
		c.Instances = append(c.Instances, in)
	}
	runnable, err := collect(s.List(ctx, persist.Filter{Runnable: true}))
	if err != nil {
		return c, err
	}
	for _, r := range runnable {
		c.Runnable = append(c.Runnable, r.Number)
	}
	if c.Events, err = collect(s.Events(ctx, 0)); err != nil {
		return c, err
	}
	if c.Timers, err = s.Due(ctx, math.MaxInt64, math.MaxInt); err != nil {
		return c, err
	}
	hashes, err := s.Programs(ctx)
	if err != nil {
		return c, err
	}
	slices.Sort(hashes)
	for _, h := range hashes {
		p, err := s.Program(ctx, h)
		if err != nil {
			return c, err
		}
		c.Programs = append(c.Programs, p)
	}
	return c, nil
}

func dumpInstance(ctx context.Context, s persist.Store, r persist.Row) (in Instance, err error) {
	in.Row = r
	if r.Number != 0 {
		for _, read := range []func() (persist.Row, error){
			func() (persist.Row, error) { return s.Load(ctx, r.Number) },
			func() (persist.Row, error) { return s.Lookup(ctx, r.ID) },
		} {
			other, err := read()
			if err != nil {
				return in, err
			}
			if !reflect.DeepEqual(other, r) {
				return in, errors.New("list, load and lookup give different rows")
			}
		}
	}
	for kind := persist.CellKind(0); kind < 4; kind++ {
		cells, err := collect(s.Cells(ctx, r.Number, kind, ""))
		if err != nil {
			return in, err
		}
		in.Cells = append(in.Cells, cells...)
	}
	in.Journal, err = collect(s.Journal(ctx, r.Number, 0))
	return in, err
}
