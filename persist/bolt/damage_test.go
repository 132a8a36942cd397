package bolt

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/storetest"
)

var (
	damageSeed  = flag.Uint64("damage.seed", 1, "seed of the random damage of store files")
	damageEdits = flag.Int("damage.edits", 700, "number of random edits of store files")
)

// image is the file of a sample store that was closed, or left by a crash.
type image struct {
	folder string
	file   []byte
	used   int // bytes up to the high-water mark
	want   storetest.Contents
}

func newImage(t *testing.T) image {
	p := newPlace(t)
	sample(t, p.open)
	want := dump(t, p.open)
	require.NoError(t, p.open.Close())
	file, err := os.ReadFile(filepath.Join(p.dir, FileName))
	require.NoError(t, err)
	meta, both, err := readMeta(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	require.True(t, both)
	p.open = p.start(t)
	return image{folder: p.dir, file: file, used: int(meta.pages * meta.pageSize), want: want}
}

// read opens a store whose file is as given and reads all of it. It tells
// whether the store could be opened.
func (im image) read(t *testing.T, dir string, file []byte, lock string) (c storetest.Contents, opened bool, err error) {
	require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), file, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, lockName), []byte(lock), 0o600))
	s, err := Open(dir, Options{ReadOnly: true})
	if err != nil {
		after, rerr := os.ReadFile(filepath.Join(dir, FileName))
		require.NoError(t, rerr)
		require.True(t, bytes.Equal(file, after), "a damaged store is left as it is")
		return c, false, err
	}
	c, err = storetest.Dump(context.Background(), s)
	problems := 0
	for p, verr := range s.Verify(context.Background()) {
		require.NoError(t, verr)
		require.NotEmpty(t, p.Bucket)
		problems++
	}
	if err != nil {
		require.NotZero(t, problems, "found by reading, not by Verify: %v", err)
	}
	require.NoError(t, s.Close())
	return c, true, err
}

func TestDamageIsNeverSilent(t *testing.T) {
	t.Parallel()
	im := newImage(t)
	lock := "closed at 1000000\n" // later than any: the last meta page may not be lost
	closed, err := os.ReadFile(filepath.Join(im.folder, lockName))
	require.NoError(t, err)
	require.NotEmpty(t, closed)
	dir := t.TempDir()
	_, _, err = im.read(t, dir, im.file, lock)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(*damageSeed, 0))
	t.Logf("seed %d", *damageSeed)
	refused, failed, same := 0, 0, 0
	for i := range *damageEdits {
		file := bytes.Clone(im.file)
		at := random.IntN(im.used)
		for file[at] == 0 && random.IntN(20) > 0 { // most of the file is empty
			at = random.IntN(im.used)
		}
		switch i % 3 {
		case 0:
			file[at] ^= 1 << random.IntN(8)
		case 1:
			file[at] = byte(random.Uint32())
		case 2:
			n := min(1+random.IntN(64), im.used-at)
			clear(file[at : at+n])
		}
		got, opened, err := im.read(t, dir, file, lock)
		switch {
		case err == nil:
			require.True(t, reflect.DeepEqual(im.want, got), "edit %d at %d is silent", i, at)
			same++
		case opened:
			require.ErrorIs(t, err, persist.ErrDamaged, "edit %d at %d", i, at)
			failed++
		default:
			require.ErrorIs(t, err, persist.ErrDamaged, "edit %d at %d", i, at)
			refused++
		}
	}
	t.Logf("%d edits: %d stores refused, %d records refused, %d without effect", *damageEdits, refused, failed, same)
	require.NotZero(t, refused)
	require.NotZero(t, failed)
}

func TestEveryPageHeader(t *testing.T) {
	t.Parallel()
	im := newImage(t)
	dir := t.TempDir()
	for page := 2 * pageSize; page < im.used; page += pageSize {
		for at := page + 8; at < page+pageHeader+elementLen; at++ {
			for _, change := range []byte{1, im.file[at], 0x80} { // a low bit, all that are set, the high bit
				file := bytes.Clone(im.file)
				file[at] ^= change
				if got, _, err := im.read(t, dir, file, ""); err == nil {
					require.True(t, reflect.DeepEqual(im.want, got), "byte %d of page %d ^ %d", at-page, page/pageSize, change)
				}
			}
		}
	}
}

func TestTruncatedFile(t *testing.T) {
	im := newImage(t)
	for _, size := range []int{0, 1, 79, 80, 4096, pageSize, pageSize + 80, 2 * pageSize, im.used / 2, im.used - 1} {
		_, opened, err := im.read(t, t.TempDir(), im.file[:size], "")
		require.ErrorIs(t, err, persist.ErrDamaged, "size %d", size)
		require.False(t, opened)
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), im.file[:size], 0o600))
		_, err = Open(dir, Options{})
		require.ErrorIs(t, err, persist.ErrDamaged, "size %d", size)
		info, err := os.Stat(filepath.Join(dir, FileName))
		require.NoError(t, err)
		require.Equal(t, int64(size), info.Size())
	}
}

func TestLostMetaPage(t *testing.T) {
	im := newImage(t)
	lock, err := os.ReadFile(filepath.Join(im.folder, lockName))
	require.NoError(t, err)
	require.Contains(t, string(lock), "pid", "the store is open")
	meta, _, err := readMeta(bytes.NewReader(im.file), int64(len(im.file)))
	require.NoError(t, err)
	file := bytes.Clone(im.file)
	current := int(meta.txid % 2 * pageSize)
	clear(file[current : current+100])

	// After a good close the last commit is known to be missing.
	_, _, err = im.read(t, t.TempDir(), file, fmt.Sprintf("closed at %d\n", meta.txid))
	require.ErrorIs(t, err, persist.ErrDamaged)
	require.ErrorContains(t, err, "last commit")

	// After a crash it was not acknowledged: the one before counts.
	_, opened, err := im.read(t, t.TempDir(), file, "pid 1\n")
	require.NoError(t, err)
	require.True(t, opened)

	// The older meta page does not matter.
	file = bytes.Clone(im.file)
	clear(file[pageSize-current : pageSize-current+100])
	got, _, err := im.read(t, t.TempDir(), file, fmt.Sprintf("closed at %d\n", meta.txid))
	require.NoError(t, err)
	require.Equal(t, im.want, got)
}

// edit changes records behind the store's back and opens it again.
func edit(t *testing.T, fn func(tx *bbolt.Tx)) *Store {
	t.Helper()
	p := newPlace(t)
	sample(t, p.open)
	require.NoError(t, p.open.db.Update(func(tx *bbolt.Tx) error { fn(tx); return nil }))
	return p.reopen(t)
}

func journalError(s *Store, number, from uint64) error {
	for _, err := range s.Journal(context.Background(), number, from) {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestExchangedRecords(t *testing.T) {
	ctx := context.Background()
	key := func(number, seq uint64) []byte { return appendNumber(numberKey(number), seq) }
	put := func(t *testing.T, tx *bbolt.Tx, k kind, key, value []byte) {
		require.NoError(t, tx.Bucket(buckets[k].name).Put(key, bytes.Clone(value)))
	}
	get := func(tx *bbolt.Tx, k kind, key []byte) []byte { return tx.Bucket(buckets[k].name).Get(key) }
	del := func(t *testing.T, tx *bbolt.Tx, k kind, key []byte) {
		require.NoError(t, tx.Bucket(buckets[k].name).Delete(key))
	}
	for _, c := range []struct {
		name string
		edit func(t *testing.T, tx *bbolt.Tx)
		read func(s *Store) error
	}{
		{"last journal entry removed", func(t *testing.T, tx *bbolt.Tx) { del(t, tx, kindJournal, key(5, 7)) },
			func(s *Store) error { return journalError(s, 5, 1) }},
		{"the same, read from there", func(t *testing.T, tx *bbolt.Tx) { del(t, tx, kindJournal, key(5, 7)) },
			func(s *Store) error { return journalError(s, 5, 7) }},
		{"entry removed in the middle", func(t *testing.T, tx *bbolt.Tx) { del(t, tx, kindJournal, key(5, 3)) },
			func(s *Store) error { return journalError(s, 5, 1) }},
		{"entries exchanged", func(t *testing.T, tx *bbolt.Tx) {
			a, b := bytes.Clone(get(tx, kindJournal, key(5, 2))), bytes.Clone(get(tx, kindJournal, key(5, 4)))
			put(t, tx, kindJournal, key(5, 2), b)
			put(t, tx, kindJournal, key(5, 4), a)
		}, func(s *Store) error { return journalError(s, 5, 1) }},
		{"journal of another instance", func(t *testing.T, tx *bbolt.Tx) {
			put(t, tx, kindJournal, key(5, 1), get(tx, kindJournal, key(7, 1)))
		}, func(s *Store) error { return journalError(s, 5, 1) }},
		{"entry forged at the end", func(t *testing.T, tx *bbolt.Tx) {
			put(t, tx, kindJournal, key(5, 8), get(tx, kindJournal, key(5, 7)))
		}, func(s *Store) error { return journalError(s, 5, 1) }},
		{"row of another instance", func(t *testing.T, tx *bbolt.Tx) {
			put(t, tx, kindRows, numberKey(5), get(tx, kindRows, numberKey(7)))
		}, func(s *Store) error { _, err := s.Load(ctx, 5); return err }},
		{"row removed", func(t *testing.T, tx *bbolt.Tx) { del(t, tx, kindRows, numberKey(5)) },
			func(s *Store) error { _, err := s.Lookup(ctx, "id-5"); return err }},
		{"runnable row removed", func(t *testing.T, tx *bbolt.Tx) { del(t, tx, kindRows, numberKey(4)) },
			func(s *Store) error {
				for _, err := range s.List(ctx, persist.Filter{Runnable: true}) {
					if err != nil {
						return err
					}
				}
				return nil
			}},
		{"name of another instance", func(t *testing.T, tx *bbolt.Tx) {
			put(t, tx, kindNames, []byte("id-5"), get(tx, kindNames, []byte("id-7")))
		}, func(s *Store) error { _, err := s.Lookup(ctx, "id-5"); return err }},
		{"event removed", func(t *testing.T, tx *bbolt.Tx) { del(t, tx, kindEvents, numberKey(120)) },
			func(s *Store) error { return lastError(s.Events(ctx, 1)) }},
		{"row cut short", func(t *testing.T, tx *bbolt.Tx) {
			put(t, tx, kindRows, numberKey(5), get(tx, kindRows, numberKey(5))[:3])
		}, func(s *Store) error { _, err := s.Load(ctx, 5); return err }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := edit(t, func(tx *bbolt.Tx) { c.edit(t, tx) })
			require.ErrorIs(t, c.read(s), persist.ErrDamaged)
			n := 0
			for p, err := range s.Verify(ctx) {
				require.NoError(t, err)
				require.Error(t, p.Err)
				n++
			}
			require.NotZero(t, n)
		})
	}
}

func lastError[T any](seq func(func(T, error) bool)) (err error) {
	seq(func(_ T, e error) bool { err = e; return e == nil })
	return err
}

func TestOneDamagedRowLeavesTheOthers(t *testing.T) {
	ctx := context.Background()
	s := edit(t, func(tx *bbolt.Tx) {
		require.NoError(t, tx.Bucket(buckets[kindRows].name).Put(numberKey(10), []byte("no row at all")))
		timer := appendTimer(nil, persist.Timer{At: 3000, Instance: 3, Key: "t0"})
		require.NoError(t, tx.Bucket(buckets[kindTimers].name).Put(timer, []byte("no timer")))
	})
	for _, f := range []persist.Filter{{}, {Runnable: true}} {
		good, bad := 0, []uint64{}
		for row, err := range s.List(ctx, f) {
			if err != nil {
				require.ErrorIs(t, err, persist.ErrDamaged)
				require.ErrorContains(t, err, "bucket rows, key 000000000000000a")
				bad = append(bad, row.Number)
				continue
			}
			good++
		}
		require.Equal(t, []uint64{10}, bad)
		require.Equal(t, map[bool]int{false: 38, true: 18}[f.Runnable], good)
	}
	due, err := s.Due(ctx, 4000, 100)
	require.ErrorIs(t, err, persist.ErrDamaged)
	require.Len(t, due, 11)
	row, err := s.Load(ctx, 11)
	require.NoError(t, err)
	row.Version++
	require.NoError(t, s.Commit(ctx, []persist.Batch{{Changes: []persist.Change{{Number: 11, Expect: 3, Row: &row}}}}))
}

func TestCleanStoreVerifies(t *testing.T) {
	p := newPlace(t)
	sample(t, p.open)
	p.reopen(t)
	for problem, err := range p.open.Verify(context.Background()) {
		t.Fatal(problem, err)
	}
}
