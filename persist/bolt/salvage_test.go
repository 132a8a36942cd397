package bolt

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/storetest"
)

// salvaged salvages a store whose file is as given, checks that the old one is
// left alone and the new one in good order, and gives what is in it.
func salvaged(t *testing.T, file []byte, lock string) (storetest.Contents, Report) {
	t.Helper()
	root, err := os.MkdirTemp(t.TempDir(), "")
	require.NoError(t, err)
	old, target := filepath.Join(root, "old"), filepath.Join(root, "below", "new")
	require.NoError(t, os.Mkdir(old, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(old, FileName), file, 0o400))
	if lock != "" {
		require.NoError(t, os.WriteFile(filepath.Join(old, lockName), []byte(lock), 0o600))
	}
	before := snapshot(t, old)
	report, err := Salvage(context.Background(), old, target)
	require.NoError(t, err)
	require.Equal(t, before, snapshot(t, old))
	after, err := os.ReadFile(filepath.Join(old, FileName))
	require.NoError(t, err)
	require.True(t, bytes.Equal(file, after))
	require.Len(t, snapshot(t, target), 3, "the folder, the store and the lock")
	s, err := Open(target, Options{MustExist: true})
	require.NoError(t, err)
	for p, err := range s.Verify(context.Background()) {
		require.NoError(t, err)
		t.Fatalf("the new store: %+v", p)
	}
	c := dump(t, s)
	require.Equal(t, report.StoreID, c.Tail.StoreID)
	next := c.Tail.LastNumber + 1
	require.NoError(t, s.Commit(context.Background(), []persist.Batch{{Changes: []persist.Change{{Number: next, Row: &persist.Row{Number: next, ID: "next", Version: 1}}}}}))
	require.NoError(t, s.Close())
	require.NoError(t, os.RemoveAll(root))
	return c, report
}

// richImage is the file of a store with trees of several levels and many pages
// that are not in use any more.
func richImage(t *testing.T) image {
	p := newPlace(t)
	sample(t, p.open)
	random := rand.New(rand.NewPCG(5, 5))
	for version := uint64(3); version < 9; version++ {
		change(t, p.open, version, random)
	}
	want := dump(t, p.open)
	p.reopen(t)
	file, err := os.ReadFile(filepath.Join(p.dir, FileName))
	require.NoError(t, err)
	meta, _, err := readMeta(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	return image{folder: p.dir, file: file, used: int(meta.pages * meta.pageSize), want: want}
}

func TestSalvageOfACleanStore(t *testing.T) {
	im := richImage(t)
	got, report := salvaged(t, im.file, "")
	require.Equal(t, im.want, got)
	require.Empty(t, report.Damage)
	require.Empty(t, report.Losses)
	require.False(t, report.NewID)
	require.Contains(t, report.Kept, Kept{Bucket: "rows", Records: 39})
}

// differences gives the numbers of the instances that are not the same.
func differences(want, got storetest.Contents) (numbers []uint64) {
	have := map[uint64]storetest.Instance{}
	for _, in := range got.Instances {
		have[in.Row.Number] = in
	}
	for _, in := range want.Instances {
		if !reflect.DeepEqual(in, have[in.Row.Number]) {
			numbers = append(numbers, in.Row.Number)
		}
		delete(have, in.Row.Number)
	}
	for number := range have {
		numbers = append(numbers, number)
	}
	return numbers
}

func reported(r Report, number uint64) bool {
	for _, l := range r.Losses {
		if l.Instance == number {
			return true
		}
	}
	return false
}

// TestSalvageOfOneFlippedBit flips single bits anywhere in the file. At most one
// record is not clean then, so at most one instance, or one event, may be
// missing or different, and it has to be named. Only if the bit was in a link of
// the tree there may be more that are in doubt.
func TestSalvageOfOneFlippedBit(t *testing.T) {
	t.Parallel()
	im := richImage(t)
	random := rand.New(rand.NewPCG(*damageSeed, 1))
	t.Logf("seed %d", *damageSeed)
	damaged, links := 0, 0
	for range *damageEdits / 4 {
		file := bytes.Clone(im.file)
		at := random.IntN(im.used)
		for file[at] == 0 && random.IntN(20) > 0 {
			at = random.IntN(im.used)
		}
		if random.IntN(3) == 0 { // of a page's structure
			at = random.IntN(im.used/pageSize)*pageSize + random.IntN(pageHeader+3*elementLen)
		}
		file[at] ^= 1 << random.IntN(8)
		place := fmt.Sprintf("byte %d of page %d", at%pageSize, at/pageSize)
		got, report := salvaged(t, file, "")
		if len(report.Damage) > 0 {
			damaged++
		}
		if at/pageSize < 2 && len(report.Damage) > 0 {
			continue // the state may be that of the commit before
		}
		wrong := differences(im.want, got)
		missing := 0
		for _, l := range report.Losses {
			if !l.Doubtful {
				missing++
			}
		}
		require.LessOrEqual(t, missing, 1, "%s: %+v", place, report)
		require.Len(t, got.Instances, len(im.want.Instances)-len(missingRows(report)), place)
		if len(wrong) > 1 {
			links++
		}
		for _, number := range wrong {
			require.True(t, reported(report, number), "%s: instance %d %+v", place, number, report)
		}
		lost := 0
		for i, e := range im.want.Events {
			if !reflect.DeepEqual(e, got.Events[i]) {
				require.Equal(t, persist.Event{Number: e.Number, Body: []byte{}}, got.Events[i])
				lost++
			}
		}
		require.LessOrEqual(t, lost, 1, place)
		require.Len(t, got.Events, len(im.want.Events), place)
		require.LessOrEqual(t, len(im.want.Programs)-len(got.Programs), 1)
		if len(wrong) == 0 {
			require.Equal(t, im.want.Timers, got.Timers, "%s %+v", place, report)
			require.Equal(t, im.want.Tail, got.Tail, place)
		}
	}
	require.NotZero(t, damaged)
	t.Logf("%d of %d edits noticed, %d with earlier states", damaged, *damageEdits/4, links)
	require.Less(t, links, damaged/10, "that is the rare case")
}

func missingRows(r Report) (numbers []uint64) {
	for _, l := range r.Losses {
		if l.Bucket == "rows" && !l.Doubtful {
			numbers = append(numbers, l.Instance)
		}
	}
	return numbers
}

// requireNamed checks that whatever differs is in the report.
func requireNamed(t *testing.T, want, got storetest.Contents, r Report, place string) {
	t.Helper()
	require.NotEmpty(t, r.Damage, place)
	for _, number := range differences(want, got) {
		require.True(t, reported(r, number), "%s: instance %d is not named in %+v", place, number, r.Losses)
	}
}

func TestSalvageOfLostPages(t *testing.T) {
	t.Parallel()
	im := richImage(t)
	random := rand.New(rand.NewPCG(2, 2))
	whole := 0
	for page := 2; page < im.used/pageSize; page++ {
		file := bytes.Clone(im.file)
		at := file[page*pageSize : (page+1)*pageSize]
		for i := range at {
			at[i] = byte(random.Uint32() * uint32(page%2)) // zeros or noise
		}
		got, report := salvaged(t, file, "")
		if len(report.Damage) == 0 {
			require.Equal(t, im.want, got, "page %d was in use", page)
			whole++
			continue
		}
		requireNamed(t, im.want, got, report, fmt.Sprint("page ", page))
	}
	require.NotZero(t, whole)
	require.Less(t, whole, im.used/pageSize-10)
}

func TestSalvageOfATruncatedFile(t *testing.T) {
	t.Parallel()
	im := richImage(t)
	for size := im.used - pageSize/2; size > 8*pageSize; size -= im.used / 13 {
		got, report := salvaged(t, im.file[:size], "")
		requireNamed(t, im.want, got, report, fmt.Sprint("size ", size))
	}
}

// TestSalvageWithoutHead destroys both meta pages, so that nothing leads to
// anything.
func TestSalvageWithoutHead(t *testing.T) {
	t.Parallel()
	im := newImage(t)
	file := bytes.Clone(im.file)
	clear(file[:2*pageSize])
	got, report := salvaged(t, file, "")
	requireNamed(t, im.want, got, report, "no head")
	rows := 0
	for _, in := range got.Instances {
		if in.Row.Number != 0 {
			rows++
		}
	}
	require.GreaterOrEqual(t, rows, 39, "every row is clean")
	require.Equal(t, im.want.Events, got.Events)
	require.Equal(t, im.want.Programs, got.Programs)
	require.Equal(t, im.want.Tail, got.Tail)
}

func TestSalvageNamesTheLostCommit(t *testing.T) {
	im := newImage(t)
	meta, _, err := readMeta(bytes.NewReader(im.file), int64(len(im.file)))
	require.NoError(t, err)
	file := bytes.Clone(im.file)
	clear(file[int(meta.txid%2)*pageSize:][:100])
	_, report := salvaged(t, file, fmt.Sprintf("closed at %d\n", meta.txid))
	require.Len(t, report.Damage, 1)
	require.Contains(t, report.Damage[0].Reason, "the last commit is destroyed")
	_, report = salvaged(t, file, "")
	require.Contains(t, report.Damage[0].Reason, "the last commit may be missing")
}

// TestSalvageOfLoops makes every link of the tree lead to one page.
func TestSalvageOfLoops(t *testing.T) {
	im := richImage(t)
	loops := 0
	for page := 2; page < im.used/pageSize; page++ {
		b := bytes.Clone(im.file)
		list, branch, complaint := elements(b[page*pageSize:])
		if !branch || complaint != "" || !bytes.HasPrefix(b[page*pageSize:], numberBody(uint64(page))) {
			continue
		}
		loops++
		for i := range list {
			copy(b[page*pageSize+pageHeader+i*elementLen+8:], numberBody(uint64(page)))
		}
		got, report := salvaged(t, b, "")
		if len(report.Damage) > 0 {
			requireNamed(t, im.want, got, report, fmt.Sprint("page ", page))
		}
	}
	require.NotZero(t, loops)
}

func TestSalvageCutsAJournal(t *testing.T) {
	p := newPlace(t)
	sample(t, p.open)
	want := dump(t, p.open)
	require.NoError(t, p.open.Close())
	file, err := os.ReadFile(filepath.Join(p.dir, FileName))
	require.NoError(t, err)
	p.start(t)
	at := bytes.Index(file, []byte("without the row")) // entry 7 of instance 5
	for i := at; i >= 0; i = bytes.Index(file, []byte("without the row")) {
		file[i] ^= 1 // earlier copies of it too
	}
	got, report := salvaged(t, file, "")
	require.Equal(t, []uint64{5}, differences(want, got))
	require.Len(t, report.Losses, 1)
	require.Equal(t, Loss{Bucket: "journal", Instance: 5, ID: "id-5", Reason: "entries 7 to 7 are lost"}, report.Losses[0])
	require.Equal(t, want.Instances[5].Journal[:6], got.Instances[5].Journal)
}

func TestSalvageRefusals(t *testing.T) {
	ctx := context.Background()
	root := t.TempDir()
	dir := func(name string, file []byte) string {
		d := filepath.Join(root, name)
		require.NoError(t, os.Mkdir(d, 0o700))
		if file != nil {
			require.NoError(t, os.WriteFile(filepath.Join(d, FileName), file, 0o600))
		}
		return d
	}
	p := newPlace(t)
	sample(t, p.open)
	none, text, empty := dir("none", nil), dir("text", bytes.Repeat([]byte("of someone else\n"), 9000)), dir("empty", []byte{})
	target := filepath.Join(t.TempDir(), "target")
	before := snapshot(t, root)
	for _, c := range []struct {
		dir  string
		want error
	}{{none, persist.ErrNotFound}, {text, persist.ErrDamaged}, {empty, persist.ErrDamaged}, {p.dir, persist.ErrLocked}} {
		_, err := Salvage(ctx, c.dir, target)
		require.ErrorIs(t, err, c.want)
		require.Equal(t, before, snapshot(t, root))
		require.NoDirExists(t, target, "nothing is left behind")
	}
	require.NoError(t, p.open.Close())
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err := Salvage(ended, p.dir, target)
	require.ErrorIs(t, err, context.Canceled)
	require.NoDirExists(t, target)
	_, err = Salvage(ctx, p.dir, target)
	require.NoError(t, err)
	_, err = Salvage(ctx, p.dir, target)
	require.ErrorIs(t, err, os.ErrExist, "a store is not replaced")
	_, err = Salvage(ctx, p.dir, p.dir)
	require.ErrorIs(t, err, os.ErrExist)
	p.start(t)
}
