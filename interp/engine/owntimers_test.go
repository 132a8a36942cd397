package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

// counting counts the timers that are read from a store.
type counting struct {
	persist.Store
	timers int
}

func (c *counting) Due(ctx context.Context, now int64, limit int) ([]persist.Timer, error) {
	due, err := c.Store.Due(ctx, now, limit)
	c.timers += len(due)
	return due, err
}

// naps drives one instance of a number of naps in a store that has timers of
// others, before and between and behind its own. It gives how many timers were
// read, and how long it took.
func naps(t testing.TB, store persist.Store, steps, foreign int) (int, time.Duration) {
	prog := compile(t, fmt.Sprintf(`
workflow Child { step a { perform Timer.sleep(1s) } }
workflow Own {
    state n: Int = 0
    step nap {
        perform Timer.sleep(1s)
        self.n = self.n + 1
        if self.n < %d { goto nap }
    }
    step last { await spawn Child {} }
}
workflow Other { step a { perform Signal.wait("go") } }
`, steps))
	clock := newVirtual()
	passive(t, store, func(ctx context.Context, e *engine.Engine) {
		_, err := e.Spawn(ctx, prog, "Own", "own", fieldsOf(nil), "")
		require.NoError(t, err)
		_, err = e.Spawn(ctx, prog, "Other", "other", fieldsOf(nil), "")
		require.NoError(t, err)
	})
	other, err := store.Lookup(t.Context(), "other")
	require.NoError(t, err)
	var set []persist.Timer
	for i := range foreign {
		at := clock.now + int64(i-foreign/2)*int64(time.Second)
		set = append(set, persist.Timer{At: at, Instance: other.Number, Key: fmt.Sprintf("t%d", i)})
	}
	require.NoError(t, store.Commit(t.Context(), []persist.Batch{{Changes: []persist.Change{{Number: other.Number, Set: set}}}}))

	counted := &counting{Store: store}
	c := config(counted, nil)
	c.Serial, c.Clock = true, clock
	start := time.Now()
	e, err := engine.Open(t.Context(), c)
	require.NoError(t, err)
	require.NoError(t, e.DriveOnly(t.Context(), "own"))
	_, err = e.Recover(t.Context())
	require.NoError(t, err)
	for {
		for e.Step() {
		}
		next, ok := e.NextTimer()
		if !ok {
			break
		}
		clock.now = max(clock.now, next)
	}
	require.NoError(t, e.Err())
	took := time.Since(start)
	s, err := e.Show(t.Context(), "own")
	require.NoError(t, err)
	require.Equal(t, "completed", s.Status)
	require.NoError(t, e.Close())
	left, err := store.Due(t.Context(), 1<<62, 2*foreign+10)
	require.NoError(t, err)
	require.Len(t, left, foreign, "the timers of others are as they were, its own are gone")
	return counted.timers, took
}

// Whoever drives one instance reads the timers of others once, not once a step.
func TestDriveOnlyReadsTimersOfOthersOnce(t *testing.T) {
	few, _ := naps(t, persist.NewMemory(), 3, 500)
	many, _ := naps(t, persist.NewMemory(), 60, 500)
	require.Equal(t, few, many)
	require.LessOrEqual(t, many, 2*500)
}

// BenchmarkDriveOnly drives one instance of 200 naps alone, and beside 10,000
// timers of others: 1 is no slower. The clock is virtual.
func BenchmarkDriveOnly(b *testing.B) {
	per := func(foreign int) float64 {
		store, err := bolt.Open(filepath.Join(b.TempDir(), "store"), bolt.Options{NoSync: true})
		require.NoError(b, err)
		defer store.Close()
		_, took := naps(b, store, 200, foreign)
		return float64(took.Nanoseconds())
	}
	var alone, beside float64
	for b.Loop() {
		alone += per(0)
		beside += per(10_000)
	}
	b.ReportMetric(beside/alone, "beside/alone")
	b.ReportMetric(0, "ns/op")
}
