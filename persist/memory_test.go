package persist_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, storetest.Harness{Open: func(t *testing.T) storetest.Fixture {
		m := persist.NewMemory()
		disk, now := m.Disk(), persist.Store(m)
		open := func(t *testing.T) persist.Store {
			m, err := disk.Open()
			require.NoError(t, err)
			now = m
			return m
		}
		return storetest.Fixture{
			Store:  m,
			Reopen: func(t *testing.T) persist.Store { require.NoError(t, now.Close()); return open(t) },
			Crash:  func(t *testing.T) persist.Store { disk.Crash(); return open(t) },
		}
	}})
}

func TestFaultyWithoutFaults(t *testing.T) {
	storetest.Run(t, storetest.Harness{Open: func(t *testing.T) storetest.Fixture {
		disk := persist.NewDisk()
		var now *persist.Faulty
		open := func(t *testing.T) persist.Store {
			m, err := disk.Open()
			require.NoError(t, err)
			now = persist.NewFaulty(m, nil)
			return now
		}
		return storetest.Fixture{
			Store:  open(t),
			Reopen: func(t *testing.T) persist.Store { require.NoError(t, now.Close()); return open(t) },
			Crash: func(t *testing.T) persist.Store {
				now.Crash()
				disk.Crash()
				return open(t)
			},
		}
	}})
}

func TestDiskIsOpenOnce(t *testing.T) {
	created := time.Unix(5, 0)
	disk := persist.NewDiskAs("store", created)
	m, err := disk.Open()
	require.NoError(t, err)
	_, err = disk.Open()
	require.ErrorIs(t, err, persist.ErrLocked)
	var locked *persist.LockedError
	require.ErrorAs(t, err, &locked)
	tail, err := m.Tail(context.Background())
	require.NoError(t, err)
	require.Equal(t, persist.Tail{StoreID: "store", Created: created}, tail)
	disk.Crash()
	_, err = m.Tail(context.Background())
	require.ErrorIs(t, err, persist.ErrCrash)
	require.ErrorIs(t, m.Close(), persist.ErrCrash)
	_, err = disk.Open()
	require.NoError(t, err, "closing a dead handle does not close the new one")
}

func TestFaults(t *testing.T) {
	ctx := context.Background()
	batch := func(n uint64) []persist.Batch {
		return []persist.Batch{{Changes: []persist.Change{{Number: n, Row: &persist.Row{Number: n, ID: fmt.Sprint(n), Version: 1}}}}}
	}
	for _, c := range []struct {
		fault   persist.Fault
		want    error
		written bool
		dead    bool
		latched bool
	}{
		{persist.NoFault, nil, true, false, false},
		{persist.CrashBefore, persist.ErrCrash, false, true, false},
		{persist.CrashAfter, persist.ErrCrash, true, true, false},
		{persist.Refuse, persist.ErrRefused, false, false, true},
		{persist.Full, persist.ErrFull, false, false, false},
		{persist.Unknown, persist.ErrRefused, true, false, true},
	} {
		t.Run(c.fault.String(), func(t *testing.T) {
			disk := persist.NewDisk()
			m, err := disk.Open()
			require.NoError(t, err)
			f := persist.NewFaulty(m, func(n int, batches []persist.Batch) persist.Fault {
				require.Len(t, batches, 1)
				if n == 2 {
					return c.fault
				}
				return persist.NoFault
			})
			require.NoError(t, f.Commit(ctx, batch(1)))
			require.ErrorIs(t, f.Commit(ctx, batch(2)), c.want)
			require.Equal(t, 2, f.Commits())
			_, err = f.Load(ctx, 1)
			third := f.Commit(ctx, batch(3))
			switch {
			case c.dead:
				require.ErrorIs(t, err, persist.ErrCrash)
				require.ErrorIs(t, third, persist.ErrCrash)
				for _, err := range f.List(ctx, persist.Filter{}) {
					require.ErrorIs(t, err, persist.ErrCrash)
				}
				require.ErrorIs(t, f.Close(), persist.ErrCrash)
			case c.latched:
				require.NoError(t, err)
				require.ErrorIs(t, third, persist.ErrRefused)
			default:
				require.NoError(t, err)
				require.NoError(t, third)
			}
			disk.Crash()
			m, err = disk.Open()
			require.NoError(t, err)
			_, err = m.Load(ctx, 2)
			if c.written {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, persist.ErrNotFound)
			}
		})
	}
	require.Equal(t, "Fault(99)", persist.Fault(99).String())
}

func TestMemoryIsFastEnough(t *testing.T) {
	t.Parallel()
	// No linear search anywhere: 100,000 waiting instances with timers in
	// random order take about a second at most; a quadratic form takes minutes.
	ctx, m := context.Background(), persist.NewMemory()
	const n = 100_000
	for i := uint64(1); i <= n; i++ {
		at := int64(i * 2654435761 % 1_000_003)
		c := persist.Change{
			Number: i, Row: &persist.Row{Number: i, ID: fmt.Sprint(i), Version: 1},
			Set: []persist.Timer{{At: at, Instance: i, Key: "wait"}},
		}
		require.NoError(t, m.Commit(ctx, []persist.Batch{{Changes: []persist.Change{c}}}))
	}
	last := int64(math.MinInt64)
	for range n {
		due, err := m.Due(ctx, math.MaxInt64, 1)
		require.NoError(t, err)
		require.Len(t, due, 1)
		require.LessOrEqual(t, last, due[0].At)
		last = due[0].At
		c := persist.Change{Number: due[0].Instance, Clear: due}
		require.NoError(t, m.Commit(ctx, []persist.Batch{{Changes: []persist.Change{c}}}))
	}
}

func TestMemoryRandom(t *testing.T) {
	// Mostly a check that no order of operations breaks the ordered set.
	rapid.Check(t, func(t *rapid.T) {
		ctx, m := context.Background(), persist.NewMemory()
		require.NoError(t, m.Commit(ctx, []persist.Batch{{Changes: []persist.Change{{Number: 1, Row: &persist.Row{Number: 1, ID: "a", Version: 1}}}}}))
		model := map[string]int64{}
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			c := persist.Change{Number: 1}
			for range rapid.IntRange(1, 60).Draw(t, "timers") {
				timer := persist.Timer{Instance: 1, At: rapid.Int64Range(-50, 50).Draw(t, "at"), Key: fmt.Sprint(rapid.IntRange(0, 2000).Draw(t, "key"))}
				c.Set = append(c.Set, timer)
				model[timer.Key] = timer.At
			}
			require.NoError(t, m.Commit(ctx, []persist.Batch{{Changes: []persist.Change{c}}}))
		}
		due, err := m.Due(ctx, math.MaxInt64, math.MaxInt)
		require.NoError(t, err)
		require.Len(t, due, len(model))
		for i, timer := range due {
			require.Equal(t, model[timer.Key], timer.At)
			require.True(t, i == 0 || due[i-1].At < timer.At || due[i-1].At == timer.At && due[i-1].Key < timer.Key)
		}
	})
}
