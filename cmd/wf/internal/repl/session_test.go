package repl_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/repl"
	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// builtins are the real ones and a call to the world.
func builtins() []*program.Builtin {
	what := []program.BuiltinParam{{Name: "what"}}
	return append(stdlib.Table(), &program.Builtin{Module: "World", Name: "call", Effect: program.Performs, Params: what})
}

type world struct{}

func (world) Call(_ context.Context, c engine.Call) (value.Value, error) {
	return value.String("the world says " + c.Args[0].Text()), nil
}

// gather reads a text; in this test nothing is imported.
func gather(set *source.Set, name, text string) diag.List {
	f := source.NewFile(name, text)
	_, said := parser.Parse(f, set.Add(f))
	return said
}

// room is a session with everything around it in memory.
type room struct {
	*repl.Session
	machine *repl.Machine
	out     bytes.Buffer
	files   map[string]string
}

func newRoom(t testing.TB, change func(*repl.MachineConfig, *repl.Options)) *room {
	r := newRoomOf(t, change)
	t.Cleanup(func() { require.NoError(t, r.machine.Close()) })
	return r
}

// newRoomOf is a room whose machine is the caller's to close.
func newRoomOf(t testing.TB, change func(*repl.MachineConfig, *repl.Options)) *room {
	r := &room{files: map[string]string{}}
	draws := uint64(0)
	seed := func() uint64 { draws++; return draws }
	cfg := repl.MachineConfig{Store: persist.NewMemory(), Virtual: true, Builtins: builtins(), Caller: world{}, Output: &r.out, Seed: seed,
		Notice: func(n engine.Trace) {
			if line := repl.NoticeWords(n); line != "" {
				r.out.WriteString(line + "\n")
			}
		}}
	o := repl.Options{Builtins: builtins(), Caller: world{}, Out: &r.out, Err: &r.out, Seed: seed, Gather: gather,
		Read: func(path string) (string, error) {
			if text, ok := r.files[path]; ok {
				return text, nil
			}
			return "", fmt.Errorf("cannot read %s: there is no such file", path)
		},
		Write: func(path, text string) error { r.files[path] = text; return nil },
		Doc: func(w io.Writer, name string) error {
			for _, b := range stdlib.Table() {
				if b.FullName() == name {
					_, err := fmt.Fprintln(w, stdlib.Signature(b))
					return err
				}
			}
			return fmt.Errorf("the library has no %s", name)
		},
	}
	if change != nil {
		change(&cfg, &o)
	}
	m, _, err := repl.NewMachine(t.Context(), cfg)
	require.NoError(t, err)
	o.Machine, r.machine = m, m
	r.Session = repl.New(o)
	return r
}

// tell carries a text out and gives what was shown.
func (r *room) tell(t testing.TB, text string) string {
	r.out.Reset()
	r.Do(t.Context(), text)
	return r.out.String()
}

// TestTranscripts plays each session of testdata and compares what is shown. In
// a transcript "wf> " begins an input, "... " goes on with it; all other lines are
// the answer.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Setenv("TZ", "UTC")
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			want := string(raw)
			got := play(t, newRoom(t, nil), want)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
				return
			}
			require.Equal(t, want, got)
		})
	}
}

// play gives the inputs of a transcript with the answers of a room. Remarks before
// the first input stay; "-- name --" begins a file that the session can load.
func play(t *testing.T, r *room, transcript string) string {
	head, inputs := inputsOf(transcript)
	var sb strings.Builder
	sb.WriteString(head)
	for _, in := range inputs {
		for i, line := range strings.Split(in, "\n") {
			sb.WriteString([]string{"wf> ", "... "}[min(i, 1)] + line + "\n")
		}
		require.False(t, strings.Contains(in, "\n") && !strings.HasPrefix(in, ":") && parser.Incomplete(in), "it goes on: %s", in)
		sb.WriteString(r.tell(t, in))
	}
	return sb.String()
}

func inputsOf(transcript string) (head string, inputs []string) {
	for _, line := range strings.SplitAfter(transcript, "\n") {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "wf> "):
			inputs = append(inputs, text[4:])
		case strings.HasPrefix(text, "... ") && len(inputs) > 0:
			inputs[len(inputs)-1] += "\n" + text[4:]
		case len(inputs) == 0:
			head += line
		}
	}
	return head, inputs
}

// A room whose terminal is small shows wide values over several lines.
func TestWideValues(t *testing.T) {
	r := newRoom(t, func(_ *repl.MachineConfig, o *repl.Options) { o.Terminal = ui.Terminal{Width: 40} })
	got := r.tell(t, `{ name: "a rather long name", items: [1, 2, 3], more: "and so on, until it does not fit into a line of a hundred characters" }`)
	require.Greater(t, strings.Count(got, "\n"), 3, got)
	require.Equal(t, "[1, 2]\n", r.tell(t, "[1, 2]"))
	require.Less(t, len(r.tell(t, `List.map(1..9000, fn(x) = x)`)), 9000)
}

// What is wrong with a long line is shown around its place, as much as the terminal
// is wide at the moment.
func TestNarrowTerminal(t *testing.T) {
	width := 30
	r := newRoom(t, func(_ *repl.MachineConfig, o *repl.Options) { o.Columns = func() int { return width } })
	long := `"a text that is much longer than the line" + nope + "and goes on behind it"`
	require.Equal(t, "input 1:1:46: error[WF2001]: nothing is called `nope` here\n"+
		"  1 | …ine\" + nope + \"and go…\n"+
		"    |         ^^^^\n", r.tell(t, long))
	width = 100
	require.Contains(t, r.tell(t, long), "  1 | "+long+"\n")
}

// With colour a value is what it is without, but for the escape sequences.
func TestColour(t *testing.T) {
	r := newRoom(t, func(_ *repl.MachineConfig, o *repl.Options) { o.Terminal = ui.Terminal{Width: 80, Color: true} })
	got := r.tell(t, `{ a: "x \"1\" \\", b: -1.50, c: Some(true), d: nil }`)
	require.Contains(t, got, "\x1b[32m\"x \\\"1\\\" \\\\\"\x1b[0m")
	require.Contains(t, got, "\x1b[33m1.50\x1b[0m")
	require.Contains(t, got, "\x1b[33mtrue\x1b[0m")
}

// TestManual plays the examples of docs/repl.md, which are one session.
func TestManual(t *testing.T) {
	t.Setenv("TZ", "UTC")
	path := filepath.Join("..", "..", "..", "..", "docs", "repl.md")
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	r := newRoom(t, nil)
	var sb strings.Builder
	blocks := 0
	rest := string(raw)
	for {
		before, block, ok := strings.Cut(rest, "```repl\n")
		sb.WriteString(before)
		if !ok {
			break
		}
		var after string
		block, after, ok = strings.Cut(block, "```\n")
		require.True(t, ok, "a block has no end")
		sb.WriteString("```repl\n" + play(t, r, block) + "```\n")
		blocks++
		rest = after
	}
	require.Greater(t, blocks, 5)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(sb.String()), 0o644))
		return
	}
	require.Equal(t, string(raw), sb.String())
}
