package bolt

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// holdEnv tells the test binary to hold the store of that folder open.
const holdEnv = "WF_TEST_HOLD_STORE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdEnv); dir != "" {
		os.Exit(hold(dir))
	}
	os.Exit(m.Run())
}

// hold opens a store, says so and keeps it until its input ends.
func hold(dir string) int {
	s, err := Open(dir, Options{})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	row := &persist.Row{Number: 1, ID: "from the other process", Version: 1}
	err = s.Commit(context.Background(), []persist.Batch{{Changes: []persist.Change{{Number: 1, Row: row}}}})
	fmt.Println("open", err)
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // ends with the parent at the latest
	_ = s.Close()
	return 0
}

// snapshot lists all below a folder with mode, size and time.
func snapshot(t *testing.T, dir string) (list []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			list = append(list, fmt.Sprint(path, info.Mode(), info.Size(), info.ModTime().UnixNano()))
		}
		return err
	}))
	return list
}

func TestHeldByAnotherProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), holdEnv+"="+dir)
	in, err := other.StdinPipe()
	require.NoError(t, err)
	out, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "open <nil>\n", line)

	for _, opts := range []Options{{Timeout: 20 * time.Millisecond}, {Timeout: -1}, {ReadOnly: true, Timeout: -1}, {MustExist: true, Timeout: -1}} {
		_, err = Open(dir, opts)
		require.ErrorIs(t, err, persist.ErrLocked)
		var locked *persist.LockedError
		require.ErrorAs(t, err, &locked)
		require.Equal(t, persist.LockedError{Path: dir, PID: other.Process.Pid}, *locked)
	}

	// Its death ends the lock, whatever the file says, and keeps its commit.
	require.NoError(t, other.Process.Kill())
	require.Error(t, other.Wait())
	_ = in.Close() // Wait has closed it
	text, err := os.ReadFile(filepath.Join(dir, lockName))
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("pid %d\n", other.Process.Pid), fmt.Sprintln(strings.TrimSpace(string(text))))
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	_, err = s.Lookup(context.Background(), "from the other process")
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

func TestOpenWaitsForTheLock(t *testing.T) {
	p := newPlace(t)
	opened := make(chan error)
	go func() {
		s, err := Open(p.dir, Options{Timeout: time.Minute})
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	_, err := Open(p.dir, Options{Timeout: 30 * time.Millisecond}) // the other one is waiting by now
	require.ErrorIs(t, err, persist.ErrLocked)
	require.NoError(t, p.open.Close())
	require.NoError(t, <-opened)
	p.start(t)
}

func TestModes(t *testing.T) {
	p := newPlace(t)
	for name, want := range map[string]fs.FileMode{"": folderMode | fs.ModeDir, FileName: fileMode, lockName: fileMode} {
		info, err := os.Stat(filepath.Join(p.dir, name))
		require.NoError(t, err)
		require.Equal(t, want, info.Mode(), name)
	}
	require.Len(t, snapshot(t, p.dir), 3, "nothing else is left there")
}

func TestFolderBelowMissingOnes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b", "c")
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	s, err = Open(dir, Options{MustExist: true, ReadOnly: true})
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

func TestNoStore(t *testing.T) {
	root := t.TempDir()
	empty := filepath.Join(root, "empty")
	require.NoError(t, os.Mkdir(empty, 0o700))
	before := snapshot(t, root)
	for _, dir := range []string{empty, filepath.Join(root, "none"), filepath.Join(root, "none", "below")} {
		for _, opts := range []Options{{ReadOnly: true}, {MustExist: true}} {
			_, err := Open(dir, opts)
			require.ErrorIs(t, err, persist.ErrNotFound)
		}
	}
	require.Equal(t, before, snapshot(t, root))
}

func TestNoPlaceForAStore(t *testing.T) {
	root := t.TempDir()
	text := filepath.Join(root, "notes.txt")
	require.NoError(t, os.WriteFile(text, []byte("not a folder"), 0o600))
	before := snapshot(t, root)
	for _, opts := range []Options{{}, {ReadOnly: true}, {MustExist: true}} {
		_, err := Open(text, opts)
		require.ErrorContains(t, err, "it is a file, not the folder of a store")
		_, err = Open(filepath.Join(text, "below"), opts)
		require.Error(t, err)
		require.NotErrorIs(t, err, persist.ErrNotFound)
	}
	require.Equal(t, before, snapshot(t, root))
}

func TestUnwritableFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	dir := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.Mkdir(dir, 0o500))
	_, err := Open(dir, Options{})
	require.ErrorIs(t, err, fs.ErrPermission)
	_, err = Open(filepath.Join(dir, "below"), Options{})
	require.ErrorIs(t, err, fs.ErrPermission)
}

func TestForeignFiles(t *testing.T) {
	for name, contents := range map[string][]byte{
		"empty":  {},
		"text":   []byte("a file of someone else\n"),
		"sqlite": append([]byte("SQLite format 3\x00"), make([]byte, 100_000)...),
		"zeros":  make([]byte, 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, FileName)
			require.NoError(t, os.WriteFile(path, contents, 0o600))
			before := snapshot(t, dir)
			for _, opts := range []Options{{}, {ReadOnly: true}, {MustExist: true}} {
				_, err := Open(dir, opts)
				require.ErrorIs(t, err, persist.ErrDamaged)
			}
			_, _, err := Compact(context.Background(), dir)
			require.ErrorIs(t, err, persist.ErrDamaged)
			require.Equal(t, before, snapshot(t, dir), "nothing is left behind")
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, contents, after)
		})
	}
	t.Run("folder", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, FileName), 0o700))
		before := snapshot(t, dir)
		_, err := Open(dir, Options{})
		require.ErrorIs(t, err, persist.ErrDamaged)
		require.Equal(t, before, snapshot(t, dir), "nothing is left behind")
	})
	for _, noFreelistSync := range []bool{true, false} {
		t.Run(fmt.Sprint("bbolt file of another program ", noFreelistSync), func(t *testing.T) {
			dir := t.TempDir()
			db, err := bbolt.Open(filepath.Join(dir, FileName), 0o600, &bbolt.Options{NoFreelistSync: noFreelistSync})
			require.NoError(t, err)
			require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
				_, err := tx.CreateBucket([]byte("theirs"))
				return err
			}))
			require.NoError(t, db.Close())
			before := snapshot(t, dir)
			file, err := os.ReadFile(filepath.Join(dir, FileName))
			require.NoError(t, err)
			_, err = Open(dir, Options{})
			require.ErrorIs(t, err, persist.ErrDamaged)
			require.Equal(t, before, snapshot(t, dir), "nothing is left behind")
			after, err := os.ReadFile(filepath.Join(dir, FileName))
			require.NoError(t, err)
			require.Equal(t, file, after)
		})
	}
}

func TestNewerFormat(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, p.open.db.Update(func(tx *bbolt.Tx) error {
		return putMeta(tx, metaFormat, binary.BigEndian.AppendUint32(nil, formatVersion+1))
	}))
	require.NoError(t, p.open.Close())
	for _, readOnly := range []bool{false, true} {
		_, err := Open(p.dir, Options{ReadOnly: readOnly})
		require.ErrorIs(t, err, persist.ErrFormat)
	}
	_, err := Salvage(context.Background(), p.dir, filepath.Join(t.TempDir(), "new"))
	require.ErrorIs(t, err, persist.ErrFormat)
	require.NoError(t, os.Remove(filepath.Join(p.dir, lockName)))
	before := snapshot(t, p.dir)
	_, err = Open(p.dir, Options{})
	require.ErrorIs(t, err, persist.ErrFormat)
	require.Equal(t, before, snapshot(t, p.dir), "nothing is left behind")
}

func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	p := newPlace(t)
	sample(t, p.open)
	want := dump(t, p.open)
	require.NoError(t, p.open.Close())
	for _, withLock := range []bool{true, false} {
		if !withLock {
			require.NoError(t, os.Remove(filepath.Join(p.dir, lockName)))
		}
		before := snapshot(t, p.dir)
		a, err := Open(p.dir, Options{ReadOnly: true})
		require.NoError(t, err)
		b, err := Open(p.dir, Options{ReadOnly: true})
		require.NoError(t, err, "readers share")
		require.Equal(t, want, dump(t, a))
		require.Equal(t, want, dump(t, b))
		row := &persist.Row{Number: 100, ID: "new", Version: 1}
		require.ErrorIs(t, a.Commit(ctx, []persist.Batch{{Changes: []persist.Change{{Number: 100, Row: row}}}}), ErrReadOnly)
		if withLock {
			_, err = Open(p.dir, Options{Timeout: -1})
			require.ErrorIs(t, err, persist.ErrLocked)
		}
		require.NoError(t, a.Close())
		require.NoError(t, b.Close())
		require.Equal(t, before, snapshot(t, p.dir))
	}
	p.start(t)
}

func TestLeftoverOfACrashedCreation(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, FileName+".new"), []byte("half"), 0o600))
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "closing again does nothing")
	require.NoFileExists(t, filepath.Join(dir, FileName+".new"))
	// What crashes have left beside a store goes too, and nothing else.
	for _, name := range []string{FileName + ".new", FileName + ".copy-123", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600))
	}
	s, err = Open(dir, Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.Len(t, snapshot(t, dir), 4)
	require.FileExists(t, filepath.Join(dir, "notes.txt"))
}

func TestUnknownOutcomeEndsWriting(t *testing.T) {
	ctx := context.Background()
	p := newPlace(t)
	change := func(version uint64) []persist.Batch {
		row := &persist.Row{Number: 1, ID: "1", Version: version}
		return []persist.Batch{{Changes: []persist.Change{{Number: 1, Expect: version - 1, Row: row}}}}
	}
	require.NoError(t, p.open.Commit(ctx, change(1)))
	require.NoError(t, p.open.db.Close()) // pull the file away from under it
	err := p.open.Commit(ctx, change(2))
	require.Error(t, err)
	require.NotErrorIs(t, err, persist.ErrConflict)
	require.ErrorContains(t, p.open.Commit(ctx, change(2)), "after an earlier error")
	p.reopen(t)
	_, err = p.open.Load(ctx, 1)
	require.NoError(t, err)
}

func TestHeadCache(t *testing.T) {
	var c headCache
	for n := uint64(1); n <= 3*maxHeads; n++ {
		c.put(n, head{seq: n}, noSlot)
		h, slot := c.get(n)
		require.True(t, slot != noSlot && h.seq == n)
		require.True(t, len(c.index) <= maxHeads && len(c.slots) <= maxHeads, "it is bounded")
	}
	h, slot := c.get(3 * maxHeads)
	h.seq++
	c.put(3*maxHeads, h, slot)
	for n := uint64(1); n <= 3*maxHeads; n++ { // each head is its own, the oldest ones are gone
		h, slot := c.get(n)
		require.Equal(t, n > 2*maxHeads, slot != noSlot, n)
		if slot != noSlot {
			require.Equal(t, n+n/(3*maxHeads), h.seq)
		}
	}
	for n := uint64(4 * maxHeads); n < 5*maxHeads; n++ {
		c.put(n, head{seq: n}, noSlot)
	}
	c.put(3*maxHeads, h, slot) // its slot has another head by now
	h, _ = c.get(3 * maxHeads)
	require.Equal(t, uint64(3*maxHeads+1), h.seq)
	for n := uint64(4 * maxHeads); n < 5*maxHeads; n++ {
		if h, slot := c.get(n); slot != noSlot {
			require.Equal(t, n, h.seq)
		}
	}
	c.drop(3 * maxHeads)
	c.drop(3 * maxHeads)
	_, slot = c.get(3 * maxHeads)
	require.Equal(t, int32(noSlot), slot)
	require.Less(t, len(c.index), maxHeads)
}
