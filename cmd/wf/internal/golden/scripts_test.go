package golden_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/golden"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/format"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/stdlib"
)

var update = flag.Bool("update", false, "write the transcripts of testdata/workflows")

// TestWorkflows runs the scripts of testdata/workflows, which people read as
// examples: the checker has nothing to say about them, they are in the canonical
// style, they come to the transcripts beside them, and they come to them also
// with a crash before and after each write to the store.
//
// go test ./cmd/wf/internal/golden -run TestWorkflows -update writes the
// transcripts.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/workflows/*.wf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".wf"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			file := source.NewFile(filepath.Base(name), string(text))
			tree, _ := parser.Parse(file, 0)
			require.Empty(t, golden.Diff(string(text), format.File(file, tree)), "wf fmt would change it")

			s := clean(t, file)
			got, err := s.Run(t.Context())
			require.NoError(t, err)
			beside := strings.TrimSuffix(name, ".wf") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(beside, []byte(got.String()), 0o644))
			}
			want, err := os.ReadFile(beside)
			require.NoError(t, err)
			require.Empty(t, golden.Diff(string(want), got.String()))
			points, err := s.Crash(t.Context())
			require.NoError(t, err)
			t.Logf("%d crash points", points)
		})
	}
}

// clean makes a script of a file about which the checker has nothing to say.
func clean(t *testing.T, file *source.File) *golden.Script {
	t.Helper()
	set := &source.Set{}
	set.Add(file)
	prog, said := engine.Compile(set, stdlib.Table())
	if len(said) > 0 {
		var b strings.Builder
		diag.Render(&b, set, said, diag.RenderOptions{})
		t.Fatal("\n" + b.String())
	}
	s, err := golden.New(prog, golden.Options{})
	require.NoError(t, err)
	return s
}
