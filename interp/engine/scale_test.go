package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

// growth runs a program of a size and of ten times that size, and reports the
// time of one unit at the large size over that at the small one: 1 is linear.
func growth(b *testing.B, small int, program func(n int) string, check func(*testing.B, persist.Store, int)) {
	per := func(n int) float64 {
		store, err := bolt.Open(filepath.Join(b.TempDir(), "store"), bolt.Options{NoSync: true})
		require.NoError(b, err)
		defer store.Close()
		prog := compile(b, program(n))
		start := time.Now()
		s := drive(b, store, prog, nil)
		took := time.Since(start)
		require.Equal(b, "completed", s.Status, "%v", s.Failure)
		check(b, store, n)
		return float64(took.Nanoseconds()) / float64(n)
	}
	var few, many float64
	for b.Loop() {
		few += per(small)
		many += per(10 * small)
	}
	b.ReportMetric(many/few, "growth")
	b.ReportMetric(many/float64(b.N), "ns/unit")
	b.ReportMetric(0, "ns/op")
}

func statusOf(b *testing.B, store persist.Store, id string) string {
	r, err := store.Lookup(b.Context(), id)
	require.NoError(b, err)
	return r.Status
}

// BenchmarkGoto visits a step over and over: its cost must not depend on how
// often it was visited before.
func BenchmarkGoto(b *testing.B) {
	growth(b, 1000, func(n int) string {
		return fmt.Sprintf(`
workflow W {
    state n: Int = 0
    step a { self.n = self.n + 1; if self.n < %d { goto a } }
}
let w = spawn W {} as "w"
await w`, n)
	}, func(b *testing.B, s persist.Store, _ int) { require.Equal(b, "completed", statusOf(b, s, "w")) })
}

// BenchmarkFanOut runs one branch for each of many elements.
func BenchmarkFanOut(b *testing.B) {
	growth(b, 1000, func(n int) string {
		return fmt.Sprintf(`
workflow W {
    parallel for i in 1..%d max 100 { step a { i * 2 } compensate { emit Undo(i) } }
    step b(values) { emit Count(values.length) }
}
let w = spawn W {} as "w"
await w`, n)
	}, func(b *testing.B, s persist.Store, _ int) { require.Equal(b, "completed", statusOf(b, s, "w")) })
}

// BenchmarkFanOutWaiting has every branch wait for a time.
func BenchmarkFanOutWaiting(b *testing.B) {
	growth(b, 1000, func(n int) string {
		return fmt.Sprintf(`
workflow W {
    parallel for i in 1..%d { step a { perform Timer.sleep(10ms); i } }
    step b(values) { emit Count(values.length) }
}
let w = spawn W {} as "w"
await w`, n)
	}, func(b *testing.B, s persist.Store, _ int) { require.Equal(b, "completed", statusOf(b, s, "w")) })
}

// BenchmarkSignals sends signals in a row to one instance that takes them.
func BenchmarkSignals(b *testing.B) {
	growth(b, 1000, func(n int) string {
		return fmt.Sprintf(`
workflow W {
    state n: Int = 0
    step a { let x = perform Signal.wait("item"); self.n = self.n + x; if self.n < %[1]d { goto a } }
}
let w = spawn W {} as "w"
for _ in 1..%[1]d { signal w.item(1) }
await w`, n)
	}, func(b *testing.B, s persist.Store, _ int) { require.Equal(b, "completed", statusOf(b, s, "w")) })
}

// BenchmarkCommands sends commands to one entity from one caller and from many.
func BenchmarkCommands(b *testing.B) {
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			store, err := bolt.Open(filepath.Join(b.TempDir(), "store"), bolt.Options{})
			require.NoError(b, err)
			defer store.Close()
			prog := compile(b, "entity Count {\n state n: Int = 0\n command add(x: Int) -> Int { self.n += x; reply self.n }\n}")
			e, err := engine.Open(b.Context(), config(store, nil))
			require.NoError(b, err)
			h := value.Handle{Type: "Count", ID: "c", Entity: true}
			start := time.Now()
			require.NoError(b, e.Drive(b.Context(), engine.UntilIdle, func(ctx context.Context) error {
				return eachOf(b.N, callers, func(int) error {
					_, err := e.Call(ctx, h, "add", []value.Value{value.Int(1)}, "", prog)
					return err
				})
			}))
			b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "commands/s")
			require.NoError(b, e.Close())
		})
	}
}

// BenchmarkWaiting has many instances wait for a signal, then starts over: heap
// and disk for each, time to open and to the first step of a new one. The number
// is 100,000; a million with -benchtime=1000000x.
func BenchmarkWaiting(b *testing.B) {
	count := max(b.N, 100_000)
	dir := filepath.Join(b.TempDir(), "store")
	store, err := bolt.Open(dir, bolt.Options{NoSync: true})
	require.NoError(b, err)
	prog := compile(b, `workflow W { step a { let x = perform Signal.wait("go"); emit Got(x) } }
workflow One { step a { emit Ran() } }
let o = spawn One {}
await o`)
	e, err := engine.Open(b.Context(), config(store, nil))
	require.NoError(b, err)
	none, _ := value.NewRecord(nil, nil).AsRecord()
	before := heap()
	require.NoError(b, e.Drive(b.Context(), engine.UntilIdle, func(ctx context.Context) error {
		return eachOf(count, 512, func(i int) error {
			_, err := e.Spawn(ctx, prog, "W", fmt.Sprintf("w-%d", i), none, "")
			return err
		})
	}))
	b.ReportMetric(float64(heap()-before)/float64(count), "heap-B/instance")
	require.NoError(b, e.Close())
	require.NoError(b, store.Close())
	start := time.Now()
	store, err = bolt.Open(dir, bolt.Options{NoSync: true})
	require.NoError(b, err)
	defer store.Close()
	e, err = engine.Open(b.Context(), config(store, nil))
	require.NoError(b, err)
	_, err = e.Recover(b.Context())
	require.NoError(b, err)
	b.ReportMetric(float64(time.Since(start).Milliseconds()), "open-ms")
	require.NoError(b, e.Drive(b.Context(), engine.UntilIdle, func(ctx context.Context) error {
		_, err := e.RunMain(ctx, prog)
		return err
	}))
	b.ReportMetric(float64(time.Since(start).Milliseconds()), "first-step-ms")
	require.NoError(b, e.Close())
	b.ReportMetric(0, "ns/op")
}
