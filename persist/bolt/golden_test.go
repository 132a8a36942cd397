package bolt

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/storetest"
)

var update = flag.Bool("update", false, "write the golden store of the present format anew")

// TestGoldenStores opens a store of every format that there has been, and
// compares what is in it with what was in it when it was made. A store that
// somebody has must never become unreadable: the files of earlier formats are
// not written again.
func TestGoldenStores(t *testing.T) {
	present := filepath.Join("testdata", fmt.Sprint("format", formatVersion))
	if *update {
		writeGolden(t, present)
	}
	stores, err := filepath.Glob(filepath.Join("testdata", "format*.db.gz"))
	require.NoError(t, err)
	require.Contains(t, stores, present+".db.gz")
	for _, store := range stores {
		t.Run(filepath.Base(store), func(t *testing.T) {
			want := readGolden(t, store[:len(store)-len(".db.gz")]+".json")
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), unpacked(t, store), 0o600))
			requireSame(t, dir, want)
			_, report := salvaged(t, unpacked(t, store), "")
			require.Empty(t, report.Losses)
			s, err := Open(dir, Options{})
			require.NoError(t, err)
			row, err := s.Lookup(context.Background(), "id-5")
			require.NoError(t, err)
			row.Version++
			entry := persist.Entry{Seq: uint64(len(want.Instances[5].Journal)) + 1}
			require.NoError(t, s.Commit(context.Background(), []persist.Batch{{Changes: []persist.Change{
				{Number: row.Number, Expect: row.Version - 1, Row: &row, Journal: []persist.Entry{entry}},
			}}}))
			require.NoError(t, s.Close())
		})
	}
}

func readGolden(t *testing.T, path string) (c storetest.Contents) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &c))
	return c
}

func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	packed, err := os.ReadFile(path)
	require.NoError(t, err)
	r, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	file, err := io.ReadAll(r)
	require.NoError(t, err)
	return file
}

func writeGolden(t *testing.T, name string) {
	dir := filepath.Join(t.TempDir(), "store")
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	sample(t, s)
	require.NoError(t, s.Commit(context.Background(), []persist.Batch{{Changes: []persist.Change{{
		Cells: []persist.Cell{{Kind: 3, Key: "of the store", Body: []byte{0, 255}}},
		Set:   []persist.Timer{{At: -1, Key: "of the store"}},
	}}}}))
	text, err := json.MarshalIndent(dump(t, s), "", " ")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, _, err = Compact(context.Background(), dir)
	require.NoError(t, err)
	file, err := os.ReadFile(filepath.Join(dir, FileName))
	require.NoError(t, err)
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(file)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name+".db.gz", packed.Bytes(), 0o644))
	require.NoError(t, os.WriteFile(name+".json", text, 0o644))
}
