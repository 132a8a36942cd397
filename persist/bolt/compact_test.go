package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/storetest"
)

// bulky makes a store that was once much larger than what is left in it.
func bulky(t *testing.T) (dir string, want storetest.Contents) {
	t.Helper()
	p := newPlace(t)
	sample(t, p.open)
	ctx := context.Background()
	var create, remove persist.Batch
	for n := uint64(100); n < 200; n++ {
		row := &persist.Row{Number: n, ID: fmt.Sprint(n), Version: 1, Body: make([]byte, 40_000)}
		create.Changes = append(create.Changes, persist.Change{Number: n, Row: row})
		remove.Changes = append(remove.Changes, persist.Change{Number: n, Expect: 1, Delete: true})
	}
	require.NoError(t, p.open.Commit(ctx, []persist.Batch{create}))
	require.NoError(t, p.open.Commit(ctx, []persist.Batch{remove}))
	want = dump(t, p.open)
	require.NoError(t, p.open.Close())
	return p.dir, want
}

// requireSame opens the store for reading and for writing, and compares.
func requireSame(t *testing.T, dir string, want storetest.Contents) {
	t.Helper()
	for _, readOnly := range []bool{true, false} {
		s, err := Open(dir, Options{MustExist: true, ReadOnly: readOnly})
		require.NoError(t, err)
		require.Equal(t, want, dump(t, s))
		for problem, err := range s.Verify(context.Background()) {
			t.Fatal(problem, err)
		}
		require.NoError(t, s.Close())
	}
	require.Len(t, snapshot(t, dir), 3, "nothing but the store and the lock")
}

func TestCompact(t *testing.T) {
	dir, want := bulky(t)
	before, after, err := Compact(context.Background(), dir)
	require.NoError(t, err)
	require.Less(t, after, before/10)
	info, err := os.Stat(filepath.Join(dir, FileName))
	require.NoError(t, err)
	require.Equal(t, after, info.Size())
	require.Equal(t, os.FileMode(fileMode), info.Mode())
	requireSame(t, dir, want)
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	row, err := s.Load(context.Background(), 7)
	require.NoError(t, err)
	row.Version++
	require.NoError(t, s.Commit(context.Background(), []persist.Batch{{Changes: []persist.Change{{Number: 7, Expect: row.Version - 1, Row: &row}}}}))
	_, _, err = Compact(context.Background(), dir)
	require.ErrorIs(t, err, persist.ErrLocked)
	want = dump(t, s)
	require.NoError(t, s.Close())
	again, small, err := Compact(context.Background(), dir)
	require.NoError(t, err)
	require.LessOrEqual(t, small, again)
	requireSame(t, dir, want)
}

func TestCompactKeepsTheCheckOfTheLastCommit(t *testing.T) {
	dir, want := bulky(t)
	_, _, err := Compact(context.Background(), dir)
	require.NoError(t, err)
	path := filepath.Join(dir, FileName)
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	meta, both, err := readMeta(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	require.True(t, both)
	for slot, lost := range map[uint64]bool{meta.txid % 2: true, 1 - meta.txid%2: false} {
		damagedFile := bytes.Clone(file)
		clear(damagedFile[slot*pageSize:][:100])
		require.NoError(t, os.WriteFile(path, damagedFile, 0o600))
		if !lost {
			s, err := Open(dir, Options{ReadOnly: true})
			require.NoError(t, err)
			require.Equal(t, want, dump(t, s))
			require.NoError(t, s.Close())
			continue
		}
		_, err = Open(dir, Options{ReadOnly: true})
		require.ErrorContains(t, err, "last commit")
	}
}

// TestCrashInsideCompact takes the files as a crash would leave them after each
// step, with the new file whole or half written.
func TestCrashInsideCompact(t *testing.T) {
	dir, want := bulky(t)
	c, err := startCompaction(dir)
	require.NoError(t, err)
	image := func(edit func(temp string)) {
		crashed := filepath.Join(t.TempDir(), "crashed")
		require.NoError(t, os.CopyFS(crashed, os.DirFS(dir)))
		if temp := filepath.Join(crashed, FileName+suffixNew); present(temp) {
			edit(temp)
		}
		requireSame(t, crashed, want)
		_, _, err := Compact(context.Background(), crashed)
		require.NoError(t, err)
		requireSame(t, crashed, want)
	}
	for _, step := range c.steps() {
		require.NoError(t, step(context.Background()))
		image(func(string) {})
		image(func(temp string) { require.NoError(t, os.Truncate(temp, 3*pageSize/2)) })
		image(func(temp string) { require.NoError(t, os.Truncate(temp, 0)) })
	}
	require.NoError(t, c.end())
	image(func(string) {})
}

func TestCompactGivesUp(t *testing.T) {
	dir, want := bulky(t)
	before, err := os.ReadFile(filepath.Join(dir, FileName))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err = Compact(ctx, dir)
	require.ErrorIs(t, err, context.Canceled)
	after, err := os.ReadFile(filepath.Join(dir, FileName))
	require.NoError(t, err)
	require.True(t, bytes.Equal(before, after))
	requireSame(t, dir, want)
	_, _, err = Compact(context.Background(), filepath.Join(dir, "none"))
	require.ErrorIs(t, err, persist.ErrNotFound)
}

func TestBackup(t *testing.T) {
	p := newPlace(t)
	sample(t, p.open)
	for _, readOnly := range []bool{false, true} {
		require.NoError(t, p.open.Close())
		s, err := Open(p.dir, Options{ReadOnly: readOnly})
		require.NoError(t, err)
		p.open = s
		var out bytes.Buffer
		require.NoError(t, s.Backup(context.Background(), &out))
		require.Len(t, snapshot(t, p.dir), 3, "nothing is left there")
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), out.Bytes(), 0o600))
		requireSame(t, dir, dump(t, s))
	}
	require.NoError(t, p.open.Close())
	require.ErrorIs(t, p.open.Backup(context.Background(), &bytes.Buffer{}), persist.ErrClosed)
	p.start(t)
}

// stuckWriter calls stuck when the first bytes come.
type stuckWriter struct {
	bytes.Buffer
	stuck func() error
}

func (w *stuckWriter) Write(b []byte) (int, error) {
	if w.stuck != nil {
		stuck := w.stuck
		w.stuck = nil
		if err := stuck(); err != nil {
			return 0, err
		}
	}
	return w.Buffer.Write(b)
}

// TestBackupToASlowWriter commits while the receiver of a backup takes nothing:
// the commits go on, the file does not grow because of it, and the copy is the
// state before them.
func TestBackupToASlowWriter(t *testing.T) {
	p := newPlace(t)
	sample(t, p.open)
	want := dump(t, p.open)
	path := filepath.Join(p.dir, FileName)
	size := func() uint64 {
		f, err := os.Open(path)
		require.NoError(t, err)
		defer func() { require.NoError(t, f.Close()) }()
		meta, _, err := readMeta(f, 1<<40)
		require.NoError(t, err)
		return meta.pages * meta.pageSize
	}
	before := size()
	written := 0
	w := &stuckWriter{stuck: func() error {
		for version := uint64(3); version < 103; version++ {
			row := &persist.Row{Number: 1, ID: "id-1", Version: version + 1, Body: make([]byte, 100_000)}
			require.NoError(t, p.open.Commit(context.Background(), []persist.Batch{{Changes: []persist.Change{{Number: 1, Expect: version, Row: row}}}}))
			written += len(row.Body)
		}
		require.Less(t, size(), before+uint64(written)/10, "pages are used again")
		return nil
	}}
	require.NoError(t, p.open.Backup(context.Background(), w))
	require.NotZero(t, written)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), w.Bytes(), 0o600))
	requireSame(t, dir, want)
}

func TestBackupFails(t *testing.T) {
	p := newPlace(t)
	sample(t, p.open)
	broken := errors.New("connection reset")
	require.ErrorIs(t, p.open.Backup(context.Background(), &stuckWriter{stuck: func() error { return broken }}), broken)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	require.ErrorIs(t, p.open.Backup(ctx, &out), context.Canceled)
	require.Zero(t, out.Len())
	require.Len(t, snapshot(t, p.dir), 3, "nothing is left there")
}

// TestBackupUnderLoad takes backups while commits go on. Every commit changes two
// instances in the same way, so a copy that is not of one moment is seen.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	p := newPlace(t)
	sample(t, p.open)
	both := func(version uint64) error {
		var changes []persist.Change
		for _, n := range []uint64{1, 40} {
			row := &persist.Row{Number: n, ID: fmt.Sprint("id-", n), Version: version + 1, Body: make([]byte, version%7*5000)}
			changes = append(changes, persist.Change{Number: n, Expect: version, Row: row})
		}
		return p.open.Commit(ctx, []persist.Batch{{Changes: changes}})
	}
	require.NoError(t, both(3))
	load := make(chan error)
	go func() {
		for version := uint64(4); ; version++ {
			if err := both(version); err != nil {
				load <- err
				return
			}
		}
	}()
	id := ""
	versions := map[uint64]bool{}
	for range 8 {
		var out bytes.Buffer
		require.NoError(t, p.open.Backup(context.Background(), &out))
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), out.Bytes(), 0o600))
		s, err := Open(dir, Options{})
		require.NoError(t, err)
		c := dump(t, s)
		for problem, err := range s.Verify(context.Background()) {
			t.Fatal(problem, err)
		}
		require.NoError(t, s.Close())
		first, last := c.Instances[1].Row, c.Instances[len(c.Instances)-1].Row
		require.Equal(t, [3]any{uint64(40), first.Version, first.Body}, [3]any{last.Number, last.Version, last.Body})
		versions[first.Version], id = true, c.Tail.StoreID
	}
	cancel()
	require.ErrorIs(t, <-load, context.Canceled)
	tail, err := p.open.Tail(context.Background())
	require.NoError(t, err)
	require.Equal(t, tail.StoreID, id)
	require.Greater(t, len(versions), 1, "there was load")
}
