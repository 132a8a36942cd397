package engine_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sort"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist/bolt"
)

const fiveSteps = `
workflow W {
    state n: Int = 0
    state note: String = "a note of some length, so that the state has about two hundred bytes, as in the raw loop"
    step a { self.n = self.n + 1 }
    step b { self.n = self.n + 1 }
    step c { self.n = self.n + 1 }
    step d { self.n = self.n + 1 }
    step e { self.n = self.n + 1 }
}`

// BenchmarkDurableSteps runs workflows of five pure steps, so many at once, and
// the same durable writes in a bare group-commit loop on bbolt in the same run.
// ratio is our durable steps/s over the loop's; p99 is the latency of a whole
// workflow over that of its six writes. -benchtime=20000x sets the instances.
func BenchmarkDurableSteps(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as `wf run` has it, for both
	for _, n := range []int{1, 16, 256, 4096, 20_000} {
		b.Run(fmt.Sprintf("instances=%d", n), func(b *testing.B) {
			count := max(b.N, n)
			ours, p99 := engineSteps(b, count, n)
			raw, rawP99 := rawSteps(b, count, n)
			b.ReportMetric(ours, "steps/s")
			b.ReportMetric(raw, "raw-steps/s")
			b.ReportMetric(ours/raw, "ratio")
			b.ReportMetric(float64(p99)/float64(rawP99), "p99-ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// engineSteps gives the steps/s of count workflows, n at once, and the 99th
// percentile of their latencies.
func engineSteps(b *testing.B, count, n int) (float64, time.Duration) {
	store, err := bolt.Open(filepath.Join(b.TempDir(), "store"), bolt.Options{})
	require.NoError(b, err)
	defer store.Close()
	prog := compile(b, fiveSteps)
	var mu sync.Mutex
	ended := map[string]chan struct{}{}
	c := config(store, nil)
	c.Trace = func(t engine.Trace) {
		if t.Kind == engine.TraceEnded {
			mu.Lock()
			close(ended[t.Instance])
			delete(ended, t.Instance)
			mu.Unlock()
		}
	}
	e, err := engine.Open(b.Context(), c)
	require.NoError(b, err)
	none, _ := value.NewRecord(nil, nil).AsRecord()
	times := make([]time.Duration, count)
	start := time.Now()
	require.NoError(b, e.Drive(b.Context(), engine.UntilIdle, func(ctx context.Context) error {
		return eachOf(count, n, func(i int) error {
			id := fmt.Sprintf("w-%d", i)
			done := make(chan struct{})
			mu.Lock()
			ended[id] = done
			mu.Unlock()
			began := time.Now()
			_, err := e.Spawn(ctx, prog, "W", id, none, "")
			<-done
			times[i] = time.Since(began)
			return err
		})
	}))
	took := time.Since(start)
	require.NoError(b, e.Close())
	return float64(5*count) / took.Seconds(), percentile(times)
}

func percentile(times []time.Duration) time.Duration {
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	return times[len(times)*99/100]
}

// rawSteps does what the engine cannot do without: for each workflow six writes
// of a row and a journal record of 200 bytes, each waited for, gathered by a
// settling committer.
func rawSteps(b *testing.B, count, n int) (float64, time.Duration) {
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "raw.db"), 0o600,
		&bbolt.Options{NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, PageSize: 16 << 10})
	require.NoError(b, err)
	defer db.Close()
	require.NoError(b, db.Update(func(tx *bbolt.Tx) error {
		for _, name := range []string{"rows", "journal"} {
			if _, err := tx.CreateBucket([]byte(name)); err != nil {
				return err
			}
		}
		return nil
	}))
	type write struct {
		instance, seq uint64
		done          chan error
	}
	queue := make(chan write, n)
	var committer sync.WaitGroup
	committer.Go(func() {
		body := make([]byte, 200)
		for first := range queue {
			group := []write{first}
			for settled := false; !settled; {
				before := len(group)
				for range 4 {
					runtime.Gosched()
				}
				for len(queue) > 0 {
					group = append(group, <-queue)
				}
				settled = len(group) == before
			}
			sort.Slice(group, func(i, j int) bool { return group[i].instance < group[j].instance })
			err := db.Update(func(tx *bbolt.Tx) error {
				rows, journal := tx.Bucket([]byte("rows")), tx.Bucket([]byte("journal"))
				for _, w := range group {
					if err := rows.Put(binary.BigEndian.AppendUint64(nil, w.instance), body); err != nil {
						return err
					}
				}
				for _, w := range group {
					key := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, w.instance), w.seq)
					if err := journal.Put(key, body); err != nil {
						return err
					}
				}
				return nil
			})
			for _, w := range group {
				w.done <- err
			}
		}
	})
	times := make([]time.Duration, count)
	start := time.Now()
	require.NoError(b, eachOf(count, n, func(i int) error {
		began := time.Now()
		done := make(chan error, 1)
		for seq := range uint64(6) {
			queue <- write{uint64(i), seq, done}
			if err := <-done; err != nil {
				return err
			}
		}
		times[i] = time.Since(began)
		return nil
	}))
	took := time.Since(start)
	close(queue)
	committer.Wait()
	return float64(5*count) / took.Seconds(), percentile(times)
}
