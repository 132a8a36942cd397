package bolt

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/storetest"
)

// TestCrashInsideCommit makes the files that a crash in the middle of a commit
// may leave: some of its pages written, others not, and its meta page not or,
// with all the others, written. The first must be the commit before, whole, the
// second the commit itself; both must take further commits.
func TestCrashInsideCommit(t *testing.T) {
	t.Parallel()
	const seed = 1
	random := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	p := newPlace(t)
	path := filepath.Join(p.dir, FileName)
	read := func() []byte {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return b
	}
	sample(t, p.open)
	before, want := read(), dump(t, p.open)
	for version := uint64(3); version < 15; version++ {
		change(t, p.open, version, random)
		after, wantAfter := read(), dump(t, p.open)
		meta, _, err := readMeta(bytes.NewReader(after), int64(len(after)))
		require.NoError(t, err)
		for range 6 {
			image := bytes.Clone(after)
			for page := 2; page < len(image)/pageSize; page++ {
				if at := page * pageSize; random.IntN(2) == 0 && at < len(before) {
					copy(image[at:at+pageSize], before[at:])
				}
			}
			slot := int(meta.txid%2) * pageSize
			copy(image[slot:slot+pageSize], before[slot:])
			requireStore(t, image, want, version)
		}
		requireStore(t, after, wantAfter, version+1)
		before, want = after, wantAfter
	}
}

// change updates some instances and adds some bulk.
func change(t *testing.T, s *Store, version uint64, random *rand.Rand) {
	t.Helper()
	var b persist.Batch
	for n := uint64(7); n <= 30; n++ {
		row := &persist.Row{Number: n, ID: fmt.Sprintf("id-%d", n), Version: version + 1, Body: make([]byte, random.IntN(2000))}
		c := persist.Change{Number: n, Expect: version, Row: row}
		c.Cells = []persist.Cell{{Kind: 1, Key: "bulk", Body: make([]byte, random.IntN(20_000))}}
		b.Changes = append(b.Changes, c)
	}
	require.NoError(t, s.Commit(context.Background(), []persist.Batch{b}))
}

func requireStore(t *testing.T, file []byte, want storetest.Contents, version uint64) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), file, 0o600))
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	require.Equal(t, want, dump(t, s))
	for problem, err := range s.Verify(context.Background()) {
		t.Fatal(problem, err)
	}
	change(t, s, version, rand.New(rand.NewPCG(version, 0)))
	require.NoError(t, s.Close())
}
