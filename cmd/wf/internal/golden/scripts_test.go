package golden_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/golden"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
)

var update = flag.Bool("update", false, "write the transcripts instead of comparing them")

const folder = "../../../../testdata/golden"

// Every script of the folder comes to the transcript that is kept beside it,
// and to the same one with a crash before and after every write of the store.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder, "*.wf"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	points := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".wf"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			set := &source.Set{}
			set.Add(source.NewFile(filepath.Base(file), string(text)))
			got, err := golden.Run(set, golden.Options{})
			explain(t, err)
			compare(t, strings.TrimSuffix(file, ".wf")+".golden", got.String())
			n, err := golden.Crash(set, golden.Options{})
			require.NoError(t, err)
			points += n
		})
	}
	t.Logf("%d scripts, %d crash points", len(files), points)
}

// explain fails with the diagnostics in full.
func explain(t *testing.T, err error) {
	var bad *golden.SourceError
	if errors.As(err, &bad) {
		var b strings.Builder
		diag.Render(&b, bad.Set, bad.Diagnostics, diag.RenderOptions{})
		t.Fatal("\n" + b.String())
	}
	require.NoError(t, err)
}

func compare(t *testing.T, file, got string) {
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "write it with: go test ./cmd/wf/internal/golden -update")
	if diff := golden.Diff(string(want), got); diff != "" {
		t.Fatalf("%s: the transcript differs:\n%s", filepath.Base(file), diff)
	}
}
