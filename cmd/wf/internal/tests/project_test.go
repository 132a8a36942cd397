package tests_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/tests"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/format"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

// golden has small scripts, each about one thing; workflows the larger ones that
// people read as examples.
const (
	golden    = "../../../../testdata/golden"
	workflows = "../../../../testdata/workflows"
)

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

// The project's own scripts come to their transcripts and pass their tests, and
// do the same with a crash before and after every write of the store.
func TestProject(t *testing.T) {
	paths, errs := tests.Discover([]string{golden, workflows})
	require.Empty(t, errs)
	require.Greater(t, len(paths), 65)
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
	require.Greater(t, points, 3500, "both sides of every write")
}

// The examples are written as wf itself would have them: the checker has nothing
// to say about them, not even a warning, and they are in the canonical style.
// Their tests and transcripts leave none of their parts out.
func TestExamples(t *testing.T) {
	paths, errs := tests.Discover([]string{workflows})
	require.Empty(t, errs)
	for _, path := range paths {
		set, _, said, err := load(path)
		require.NoError(t, err)
		var words strings.Builder
		diag.Render(&words, set, said, diag.RenderOptions{})
		require.Empty(t, words.String())
		tree, _ := parser.Parse(set.Files[0], 0)
		require.Equal(t, format.File(set.Files[0], tree), set.Files[0].Text, "%s: wf fmt -w would change it", path)
	}
	for _, f := range suite(t, t.Context(), paths, tests.Options{Coverage: true}) {
		for _, unit := range f.Units {
			require.True(t, unit.Reached, "%s: nothing reaches %s", f.Path, unit.Name)
		}
	}
}

// Who interrupts gets the cause of it, and no test goes on.
func TestInterrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "busy.wf")
	require.NoError(t, os.WriteFile(path, []byte(`workflow Busy { state n: Int = 0; step a { self.n = self.n + 1; goto a } }
test "busy" { await spawn Busy {} }`), 0o644))
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	began := make(chan struct{}, 1)
	o := tests.Options{Builtins: stdlib.Table(), Load: load, Workers: 1, Wrap: func(s persist.Store) persist.Store {
		began <- struct{}{}
		return s
	}}
	go func() {
		<-began
		cancel(stop)
	}()
	told := 0
	err := tests.Run(ctx, []string{path, path}, o, func(*tests.File) { told++ })
	require.ErrorIs(t, err, stop)
	require.LessOrEqual(t, told, 1, "the second file was not begun")
}

// What was tested before the interrupt is told, the rest of the file is not.
func TestInterruptWithinAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some.wf")
	require.NoError(t, os.WriteFile(path, []byte(`workflow Busy { state n: Int = 0; step a { self.n = self.n + 1; goto a } }
test "good" { expect true }
test "bad" { expect false }
test "busy" { await spawn Busy {} }
test "never run" { expect true }`), 0o644))
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	begun := 0
	o := tests.Options{Builtins: stdlib.Table(), Load: load, Workers: 1, Coverage: true, Wrap: func(s persist.Store) persist.Store {
		if begun++; begun == 3 {
			cancel(stop)
		}
		return s
	}}
	var told []*tests.File
	require.ErrorIs(t, tests.Run(ctx, []string{path, path}, o, func(f *tests.File) { told = append(told, f) }), stop)
	require.Len(t, told, 1)
	f := told[0]
	require.True(t, f.Cut)
	require.Empty(t, f.Units, "what the rest would have reached is not known")
	require.Len(t, f.Results, 2)
	require.Equal(t, tests.Passed, f.Results[0].Status)
	require.Equal(t, tests.Failed, f.Results[1].Status)
}

// BenchmarkHundredScripts tests a hundred scripts against their transcripts, as
// `wf test` does.
func BenchmarkHundredScripts(b *testing.B) {
	found, errs := tests.Discover([]string{golden})
	require.Empty(b, errs)
	paths := make([]string, 100)
	for i := range paths {
		paths[i] = found[i%len(found)]
	}
	o := tests.Options{Builtins: stdlib.Table(), Load: load, Workers: 2, Timeout: time.Minute}
	for b.Loop() {
		require.NoError(b, tests.Run(b.Context(), paths, o, func(f *tests.File) {
			require.Equal(b, tests.Passed, f.Results[0].Status, f.Path)
		}))
	}
}
