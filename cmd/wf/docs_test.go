package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

var update = flag.Bool("update", false, "write what the examples of the documentation show, and the grammar, anew")

// A fence is a fenced block of a document.
type fence struct {
	info string // what stands behind the three backquotes
	text string
	line int // of its first line of text, from 1
	from int // the lines of its text in the document, from 0
	to   int
}

// fences finds the fenced blocks of a document.
func fences(lines []string) []fence {
	var out []fence
	open := -1
	for i, line := range lines {
		switch info, found := strings.CutPrefix(line, "```"); {
		case found && open < 0:
			open = i
			out = append(out, fence{info: strings.TrimSpace(info), from: i + 1, line: i + 2})
		case found:
			f := &out[len(out)-1]
			f.to = i
			f.text = strings.Join(lines[f.from:i], "\n") + "\n"
			open = -1
		}
	}
	return out
}

// document reads a file of ../../docs as lines.
func document(t *testing.T, name string) (path string, lines []string) {
	t.Helper()
	path = filepath.Join("..", "..", "docs", name)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return path, strings.Split(string(text), "\n")
}

// TestLanguageExamples checks every ```wf block of the reference:
//
//	```wf             has no errors, nor warnings but those about unused names
//	```wf bad WF2101  draws this diagnostic and no other
//	```wf run         is run, with a clock that never waits; what it shows is
//	                  the ```output block behind it
//	```wf run events  the same, and then the events that were emitted
//
// -update writes the output blocks.
func TestLanguageExamples(t *testing.T) {
	path, lines := document(t, "language.md")
	all := fences(lines)
	blocks := map[string]int{}
	for i := len(all) - 1; i >= 0; i-- { // from behind, so that lines keep their numbers
		f := all[i]
		words := strings.Fields(f.info)
		if len(words) == 0 || words[0] != "wf" {
			continue
		}
		where := fmt.Sprintf("%s:%d", path, f.line)
		set, prog, said := compileText(f.text)
		kind := strings.Join(words[1:], " ")
		switch {
		case kind == "":
			blocks["plain"]++
			for _, d := range slices.DeleteFunc(said, unusedName) {
				t.Errorf("%s: %s", where, oneLine(set, d))
			}
		case words[1] == "bad" && len(words) == 3:
			blocks["bad"]++
			said = slices.DeleteFunc(said, unusedName)
			if len(said) != 1 || string(said[0].Code) != words[2] {
				t.Errorf("%s: not exactly %s", where, words[2])
				for _, d := range said {
					t.Log(oneLine(set, d))
				}
			}
		case kind == "run" || kind == "run events":
			blocks["run"]++
			if prog == nil {
				for _, d := range said {
					t.Errorf("%s: %s", where, oneLine(set, d))
				}
				continue
			}
			shown := runText(t, prog, kind == "run events")
			if i+1 == len(all) || all[i+1].info != "output" {
				t.Errorf("%s: no output block follows", where)
				continue
			}
			out := all[i+1]
			if *update {
				text := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
				lines = slices.Concat(lines[:out.from], text, lines[out.to:])
			} else if out.text != shown {
				t.Errorf("%s shows\n%s\nnot\n%s", where, shown, out.text)
			}
		default:
			t.Errorf("%s: unknown kind of example %q", where, f.info)
		}
	}
	require.Positive(t, blocks["plain"])
	require.Greater(t, blocks["bad"], 5)
	require.Greater(t, blocks["run"], 25)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644))
	}
}

// TestLanguageGrammar compares the grammar in the reference with the parser's.
func TestLanguageGrammar(t *testing.T) {
	path, lines := document(t, "language.md")
	text := strings.Join(lines, "\n")
	const begin, end = "<!-- the parser's grammar -->\n```ebnf\n", "```\n<!-- end of the parser's grammar -->"
	before, rest, found := strings.Cut(text, begin)
	require.True(t, found)
	shown, after, found := strings.Cut(rest, end)
	require.True(t, found)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(before+begin+parser.EBNF()+end+after), 0o644))
		return
	}
	require.Equal(t, parser.EBNF(), shown)
}

// TestLanguageLibrary compares what the reference says about the library with
// the library.
func TestLanguageLibrary(t *testing.T) {
	_, lines := document(t, "language.md")
	text := strings.Join(lines, "\n")
	_, library, found := strings.Cut(text, "\n## 9. ")
	require.True(t, found)
	library, _, _ = strings.Cut(library, "\n## 10. ")
	for _, b := range stdlib.Table() {
		row := b.FullName() + "("
		if b.Effect == 0 && b.Module != "" { // its functions are in docs/stdlib.md
			row = b.Module + "`"
		}
		if !strings.Contains(library, "`"+row) {
			t.Errorf("section 9 does not have %s", b.FullName())
		}
	}
}

func compileText(text string) (*source.Set, *program.Program, diag.List) {
	set := &source.Set{}
	set.Add(source.NewFile("example.wf", text))
	prog, said := engine.Compile(set, stdlib.Table())
	return set, prog, said
}

// unusedName is for what any excerpt of a program draws.
func unusedName(d diag.Diagnostic) bool { return d.Code == "WF2801" || d.Code == "WF2802" }

// oneLine is a diagnostic on a line.
func oneLine(set *source.Set, d diag.Diagnostic) string {
	p := set.Position(d.Span)
	return fmt.Sprintf("%d:%d %s %s", p.Line, p.Column, d.Code, d.Message)
}

// docClock is a clock that moves when nothing else does.
type docClock struct{ now int64 }

func (c *docClock) Now() int64 { return c.now }

// runText runs a program in memory until nothing can move and gives what it
// shows: what it prints, its value, and why it failed.
func runText(t *testing.T, prog *program.Program, events bool) string {
	t.Helper()
	ctx := context.Background()
	var out bytes.Buffer
	clock := &docClock{now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()}
	store := persist.NewMemory()
	e, err := engine.Open(ctx, engine.Config{Store: store, Builtins: stdlib.Table(), Clock: clock,
		Seed: func() uint64 { return 1 }, Output: &out, Serial: true})
	require.NoError(t, err)
	_, err = e.Recover(ctx)
	require.NoError(t, err)
	id, err := e.RunMain(ctx, prog)
	require.NoError(t, err)
	for steps := 0; ; steps++ {
		require.Less(t, steps, 100_000)
		if e.Step() {
			continue
		}
		require.NoError(t, e.Err())
		at, ok := e.NextTimer()
		if !ok {
			break
		}
		clock.now = max(clock.now, at)
	}
	main, err := e.Show(ctx, id)
	require.NoError(t, err)
	switch {
	case main.Failure != nil:
		fmt.Fprintf(&out, "failed with %s: %s\n", main.Failure.Code, main.Failure.Message)
	case !main.Result.IsNil() && !main.Result.IsUnit():
		fmt.Fprintln(&out, main.Result)
	}
	if events {
		require.NoError(t, e.Events(ctx, "", 1, func(r *engine.EventRecord) bool {
			fmt.Fprintf(&out, "event of %s: %s\n", r.Instance, r)
			return true
		}))
	}
	require.NoError(t, e.Close())
	require.NoError(t, store.Close())
	return out.String()
}
