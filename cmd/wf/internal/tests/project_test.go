package tests_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/tests"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/stdlib"
)

const folder = "../../../../testdata/golden"

// load reads a script that imports nothing.
func load(path string) (*source.Set, *program.Program, diag.List, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	set := &source.Set{}
	set.Add(source.NewFile(path, string(text)))
	prog, ds := engine.Compile(set, stdlib.Table())
	return set, prog, ds, nil
}

// suite tests scripts and gives what they come to.
func suite(t *testing.T, ctx context.Context, paths []string, o tests.Options) []*tests.File {
	t.Helper()
	o.Load, o.Builtins, o.Workers, o.Timeout = load, stdlib.Table(), 2, time.Minute
	var out []*tests.File
	require.NoError(t, tests.Run(ctx, paths, o, func(f *tests.File) { out = append(out, f) }))
	require.Len(t, out, len(paths))
	return out
}

// The project's own scripts come to their transcripts, and to the same with a
// crash before and after every write of the store.
func TestProject(t *testing.T) {
	paths, errs := tests.Discover([]string{folder})
	require.Empty(t, errs)
	require.Greater(t, len(paths), 40)
	points := 0
	for i, f := range suite(t, t.Context(), paths, tests.Options{Crash: true}) {
		require.Equal(t, paths[i], f.Path, "in order")
		require.NoError(t, f.Err)
		require.False(t, f.Broken, f.Path)
		require.NotEmpty(t, f.Results, f.Path)
		for _, r := range f.Results {
			require.Equal(t, tests.Passed, r.Status, "%s %s: %v\n%s", filepath.Base(f.Path), r.Name, r.Failure, r.Diff)
			points += r.Points
		}
	}
	require.Greater(t, points, 1500, "both sides of every write")
}
