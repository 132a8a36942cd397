package bolt

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// BenchmarkCommit measures the durable change of one row of 200 bytes with one
// journal entry of 200 bytes, in groups of several instances, and the same
// records put into plain bbolt. It reports, per change, the time of both and
// their ratio (1: the store costs nothing). Flags of its own: none; -benchtime
// gives the number of groups.
func BenchmarkCommit(b *testing.B) {
	for _, sync := range []bool{true, false} {
		for _, n := range []int{1, 16, 256, 4096} {
			b.Run(fmt.Sprintf("sync=%v/group=%d", sync, n), func(b *testing.B) { benchCommit(b, n, !sync) })
		}
	}
}

func benchCommit(b *testing.B, n int, noSync bool) {
	s, err := Open(filepath.Join(b.TempDir(), "store"), Options{NoSync: noSync})
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	raw := openRaw(b, noSync)
	ctx := context.Background()
	rows := make([]persist.Row, n)
	create := make([]persist.Batch, n)
	for i := range rows {
		num := uint64(i + 1)
		rows[i] = persist.Row{Number: num, ID: fmt.Sprintf("order-%d", num), Workflow: "order", Status: "running", Program: "p", Version: 1, Runnable: true, Body: make([]byte, 160)}
		create[i] = persist.Batch{Changes: []persist.Change{{Number: num, Row: &rows[i]}}}
	}
	require.NoError(b, s.Commit(ctx, create))
	body := make([]byte, 200)
	var ours, theirs time.Duration
	b.ResetTimer()
	for i := range b.N {
		group := make([]persist.Batch, n)
		for j := range group {
			rows[j].Version++
			group[j] = persist.Batch{Changes: []persist.Change{{
				Number: rows[j].Number, Expect: rows[j].Version - 1, Row: &rows[j],
				Journal: []persist.Entry{{Seq: uint64(i + 1), Body: body}},
			}}}
		}
		start := time.Now()
		if err := s.Commit(ctx, group); err != nil {
			b.Fatal(err)
		}
		mid := time.Now()
		if err := commitRaw(raw, n, uint64(i+1), body); err != nil {
			b.Fatal(err)
		}
		ours += mid.Sub(start)
		theirs += time.Since(mid)
	}
	b.StopTimer()
	per := float64(b.N * n)
	info, err := os.Stat(s.db.Path())
	require.NoError(b, err)
	b.ReportMetric(float64(info.Size())/per, "bytes/change")
	b.ReportMetric(float64(ours.Nanoseconds())/per, "ns/change")
	b.ReportMetric(float64(theirs.Nanoseconds())/per, "raw-ns/change")
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
}

// BenchmarkShapes measures groups of 4096 batches of several kinds, without
// flushes, and reports per batch the time, and what was allocated, bbolt's part
// included: an update as in BenchmarkCommit, one with two cells and a timer that
// is moved, the creation of an instance, and lives of one creation and five steps.
func BenchmarkShapes(b *testing.B) {
	for _, shape := range []struct {
		name string
		next func(l *load) persist.Change
	}{{"update", (*load).update}, {"cells", (*load).cells}, {"create", (*load).create}, {"lives", (*load).live}} {
		b.Run(shape.name, func(b *testing.B) { benchShape(b, shape.next) })
	}
}

// load makes changes.
type load struct {
	rows  []persist.Row // those in use, by turns
	turn  int
	last  uint64
	times []int64
	body  []byte
}

func (l *load) create() persist.Change {
	l.last++
	row := &persist.Row{Number: l.last, ID: fmt.Sprintf("order-%d", l.last), Workflow: "order", Status: "running", Program: "p", Version: 1, Runnable: true, Body: l.body[:160]}
	return persist.Change{Number: l.last, Row: row, Journal: []persist.Entry{{Seq: 1, Body: l.body}}}
}

func (l *load) update() persist.Change {
	row := &l.rows[l.turn%len(l.rows)]
	l.turn++
	row.Version++
	return persist.Change{Number: row.Number, Expect: row.Version - 1, Row: row, Journal: []persist.Entry{{Seq: row.Version, Body: l.body}}}
}

func (l *load) cells() persist.Change {
	at := l.turn % len(l.rows)
	c := l.update()
	c.Cells = []persist.Cell{{Kind: 1, Key: fmt.Sprint(c.Expect), Body: l.body}, {Kind: 1, Key: fmt.Sprint(c.Expect - 1)}}
	c.Clear = []persist.Timer{{At: l.times[at], Instance: c.Number, Key: "wait"}}
	l.times[at] += int64(at * 7919 % 1000)
	c.Set = []persist.Timer{{At: l.times[at], Instance: c.Number, Key: "wait"}}
	return c
}

func (l *load) live() persist.Change {
	if row := &l.rows[l.turn%len(l.rows)]; row.Version == 6 {
		c := l.create()
		*row = *c.Row
		c.Row = row
		l.turn++
		return c
	}
	return l.update()
}

func benchShape(b *testing.B, shape func(l *load) persist.Change) {
	const n = 4096
	ctx := context.Background()
	s, err := Open(filepath.Join(b.TempDir(), "store"), Options{NoSync: true})
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	l := &load{body: make([]byte, 200), times: make([]int64, n)}
	group := make([]persist.Batch, n)
	for i := range group {
		c := l.create()
		l.rows = append(l.rows, *c.Row)
		group[i] = persist.Batch{Changes: []persist.Change{c}}
	}
	require.NoError(b, s.Commit(ctx, group))
	for i := range l.rows { // so that lives do not end all at once
		for range i % 6 {
			l.turn = i
			require.NoError(b, s.Commit(ctx, []persist.Batch{{Changes: []persist.Change{l.update()}}}))
		}
	}
	l.turn = 0
	var before, after runtime.MemStats
	var spent time.Duration
	var objects, bytes uint64
	b.ResetTimer()
	for range b.N {
		for i := range group {
			group[i].Changes = []persist.Change{shape(l)}
		}
		runtime.ReadMemStats(&before)
		start := time.Now()
		if err := s.Commit(ctx, group); err != nil {
			b.Fatal(err)
		}
		spent += time.Since(start)
		runtime.ReadMemStats(&after)
		objects, bytes = objects+after.Mallocs-before.Mallocs, bytes+after.TotalAlloc-before.TotalAlloc
	}
	per := float64(b.N * n)
	b.ReportMetric(float64(spent.Nanoseconds())/per, "ns/batch")
	b.ReportMetric(float64(objects)/per, "objects/batch")
	b.ReportMetric(float64(bytes)/per, "B/batch")
}

func openRaw(b *testing.B, noSync bool) *bbolt.DB {
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "raw.db"), 0o600, boltOptions(Options{NoSync: noSync}, time.Second))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, db.Close()) })
	require.NoError(b, db.Update(func(tx *bbolt.Tx) error {
		for _, name := range []string{"rows", "journal"} {
			if _, err := tx.CreateBucket([]byte(name)); err != nil {
				return err
			}
		}
		return nil
	}))
	return db
}

func commitRaw(db *bbolt.DB, n int, seq uint64, body []byte) error {
	return db.Update(func(tx *bbolt.Tx) error {
		rows, journal := tx.Bucket([]byte("rows")), tx.Bucket([]byte("journal"))
		for i := range n {
			key := numberKey(uint64(i + 1))
			if err := rows.Put(key, body); err != nil {
				return err
			}
		}
		for i := range n {
			key := appendNumber(numberKey(uint64(i+1)), seq)
			if err := journal.Put(key, body); err != nil {
				return err
			}
		}
		return nil
	})
}

// BenchmarkOpen measures the opening of a store with 100,000 waiting instances,
// the check of its structure included, and reports its size.
func BenchmarkOpen(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "store")
	fillWaiting(b, dir, 100_000)
	info, err := os.Stat(filepath.Join(dir, FileName))
	require.NoError(b, err)
	for b.Loop() {
		s, err := Open(dir, Options{})
		require.NoError(b, err)
		require.NoError(b, s.Close())
	}
	b.ReportMetric(float64(info.Size())/100_000, "bytes/instance")
}

// BenchmarkWake measures the change of 4096 instances at random among 100,000,
// whose heads are not in the cache.
func BenchmarkWake(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "store")
	const n = 100_000
	fillWaiting(b, dir, n)
	s, err := Open(dir, Options{})
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	random := rand.New(rand.NewPCG(1, 1))
	versions := make([]uint64, n+1)
	for b.Loop() {
		b.StopTimer()
		s.heads = headCache{}
		var group []persist.Batch
		for _, i := range random.Perm(n)[:4096] {
			number := uint64(i + 1)
			versions[number]++
			v := versions[number]
			row := waiting(number)
			row.Version = v + 1
			group = append(group, persist.Batch{Changes: []persist.Change{{
				Number: number, Expect: v, Row: row,
				Journal: []persist.Entry{{Seq: v, Body: make([]byte, 200)}},
			}}})
		}
		b.StartTimer()
		if err := s.Commit(context.Background(), group); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*4096), "ns/change")
}

// BenchmarkCare measures what is done to whole stores, on one of 100,000 waiting
// instances. Its MB/s are those of the store's file.
func BenchmarkCare(b *testing.B) {
	ctx := context.Background()
	dir := filepath.Join(b.TempDir(), "store")
	fillWaiting(b, dir, 100_000)
	size, err := fileSize(filepath.Join(dir, FileName))
	require.NoError(b, err)
	run := func(name string, fn func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				require.NoError(b, fn())
			}
		})
	}
	run("salvage", func() error { _, err := Salvage(ctx, dir, filepath.Join(b.TempDir(), "new")); return err })
	s, err := Open(dir, Options{})
	require.NoError(b, err)
	run("backup", func() error { return s.Backup(ctx, io.Discard) })
	run("verify", func() error { return lastError(s.Verify(ctx)) })
	require.NoError(b, s.Close())
	run("compact", func() error { _, _, err := Compact(ctx, dir); return err })
}

func waiting(number uint64) *persist.Row {
	return &persist.Row{Number: number, ID: fmt.Sprintf("order-%d", number), Workflow: "order", Status: "waiting", Program: "p", Version: 1, Body: make([]byte, 160)}
}

// fillWaiting makes a store of n instances that wait for a timer.
func fillWaiting(b *testing.B, dir string, n uint64) {
	b.Helper()
	s, err := Open(dir, Options{})
	require.NoError(b, err)
	for number := uint64(1); number <= n; {
		var group []persist.Batch
		for range min(4096, n-number+1) {
			group = append(group, persist.Batch{Changes: []persist.Change{{
				Number: number, Row: waiting(number),
				Set: []persist.Timer{{At: int64(number * 2654435761 % 1e9), Instance: number, Key: "wait"}},
			}}})
			number++
		}
		require.NoError(b, s.Commit(context.Background(), group))
	}
	require.NoError(b, s.Close())
}
