package golden_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/golden"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
)

// load makes a script of a text, which has to pass the checks.
func load(t *testing.T, text string, opts golden.Options) *golden.Script {
	t.Helper()
	s, err := script(t, text, opts)
	require.NoError(t, err)
	return s
}

func script(t *testing.T, text string, opts golden.Options) (*golden.Script, error) {
	t.Helper()
	return fileScript(t, source.NewFile("x.wf", text), opts)
}

func fileScript(t *testing.T, f *source.File, opts golden.Options) (*golden.Script, error) {
	t.Helper()
	set := &source.Set{}
	set.Add(f)
	builtins := opts.Builtins
	if builtins == nil {
		builtins = stdlib.Table()
	}
	prog, ds := engine.Compile(set, builtins)
	if prog == nil {
		var b strings.Builder
		diag.Render(&b, set, ds, diag.RenderOptions{})
		t.Fatal("\n" + b.String())
	}
	return golden.New(prog, opts)
}

func run(t *testing.T, text string, opts golden.Options) string {
	t.Helper()
	got, err := load(t, text, opts).Run(t.Context())
	require.NoError(t, err)
	return got.String()
}

// A transcript has what was shown, the value, the events by instance and branch
// as they are declared (not as they happened), and how every instance ended.
func TestTranscript(t *testing.T) {
	got := run(t, `
workflow Later {
    step only { emit Only(perform Time.now()) }
}
workflow First {
    state n: Int = 0
    parallel {
        step slow { perform Timer.sleep(2s); emit Slow() }
        branch quick { step one { emit One() } step two { emit Two() } }
    } compensate { emit Undone() }
    step last { self.n = 3; throw "no" }
}
entity Counter { state n: Int = 0; command add(n: Int) { self.n += n; emit Added(n); reply self.n } }
let later = [spawn Later {} as "l-10", spawn Later {} as "l-9"]
for l in later { await l }
let f = spawn First {} as "f"
perform IO.print("two\nlines")
ask Counter("c").add(2)
try { await f } catch e { e.message }
`, golden.Options{})
	want := golden.Header + `--- output
two
lines
--- value
"no"
--- events
l-9
    +0s only: Only(Time("2030-01-01T00:00:00Z"))
l-10
    +0s only: Only(Time("2030-01-01T00:00:00Z"))
f
    +2s parallel: Undone()
    branch slow
        +2s slow: Slow()
    branch quick
        +0s one: One()
        +0s two: Two()
Counter/c
    +0s Added(2)
--- instances
main-1: completed, +0s to +2s
l-9: completed at only, step_index 1 of 1, +0s to +0s
l-10: completed at only, step_index 1 of 1, +0s to +0s
f: failed at last, step_index 1 of 2, +0s to +2s
    failure error in last: "no"
        at x.wf:11:29
    compensation done
    self.n = 0
Counter/c: ready, +0s to +0s
    self.n = 2
`
	require.Empty(t, golden.Diff(want, got))
}

const endless = `
workflow Monthly {
    state n: Int = 0
    step count { self.n = self.n + 1; emit Month(self.n); pause for 30d then count }
}
spawn Monthly {} as "m"
`

// What goes on for ever is looked at for a year after main has ended, or as long
// as the first line says.
func TestWhereARunEnds(t *testing.T) {
	year := run(t, endless, golden.Options{})
	require.Contains(t, year, "+360d count: Month(13)")
	require.NotContains(t, year, "Month(14)")
	short := run(t, "// golden: stop after 60d"+endless, golden.Options{})
	require.Contains(t, short, "+60d count: Month(3)")
	require.NotContains(t, short, "Month(4)")
	require.Contains(t, short, "m: paused at count")
	waits := run(t, "// golden: stop after 1h\nperform Timer.sleep(800d)\nperform Signal.wait(\"x\")", golden.Options{})
	require.Contains(t, waits, "main-1: running, +0s to +800d\n    waits for signal x\n", "while main has not ended, its timers fire")
}

func TestFirstLine(t *testing.T) {
	for line, want := range map[string]string{
		"// golden: stop after soon": "x.wf:1: golden: stop after: ",
		"// golden: stop 30d":        "write `// golden: stop after 30d`",
		"//golden:":                  "write `// golden: stop after 30d`",
	} {
		_, err := script(t, line+"\n1", golden.Options{})
		require.ErrorContains(t, err, want, line)
	}
	require.Contains(t, run(t, "// a golden: rule\n1", golden.Options{}), "--- value\n1\n")
}

func TestErrors(t *testing.T) {
	loop := "workflow W { state n: Int = 0; step a { self.n = self.n + 1; goto a } }\nspawn W {}"
	_, err := load(t, loop, golden.Options{MaxWork: 500}).Run(t.Context())
	var restless *golden.RestlessError
	require.ErrorAs(t, err, &restless)
	require.ErrorContains(t, err, "goes round and round and waits for nothing")
	_, err = load(t, strings.Replace(loop, "goto a", "perform Timer.sleep(1s); goto a", 1), golden.Options{MaxWork: 500}).Run(t.Context())
	require.ErrorContains(t, err, "// golden: stop after 30d")
	_, err = load(t, loop+"\nawait W(\"W-1\")", golden.Options{MaxWork: 500}).Run(t.Context())
	require.ErrorContains(t, err, "main has not ended")
}

// A call to the world fails the run, also if the script would catch the error.
func TestNoWorldOutside(t *testing.T) {
	call := &program.Builtin{Module: "World", Name: "call", Effect: program.Performs, Params: []program.BuiltinParam{{Name: "what"}}}
	opts := golden.Options{Builtins: append(stdlib.Table(), call)}
	text := "workflow W { step a { perform World.call(1) } }\nspawn W {} as \"w\"\ntry { perform World.call(2) } catch e { e.code }"
	_, err := load(t, text, opts).Run(t.Context())
	var out *golden.OutsideError
	require.ErrorAs(t, err, &out)
	require.Equal(t, "World.call", out.Operation)
	require.Contains(t, []string{"w", "main-1"}, out.Instance)
	_, err = load(t, text, opts).Crash(t.Context())
	require.ErrorAs(t, err, &out)
}

// What is not the same after a crash is found, with the write and the difference.
// The script cheats: it counts outside of the engine how often it is computed.
func TestCrashFindsADifference(t *testing.T) {
	counted := int64(0)
	cheat := &program.Builtin{Module: "Cheat", Name: "count", Fn: func(program.Caller, []value.Value) (value.Value, error) {
		counted++
		return value.Int(counted), nil
	}}
	opts := golden.Options{Builtins: append(stdlib.Table(), cheat)}
	text := "workflow W { state n: Int = 0; step a { self.n = Cheat.count() } step b { self.n = self.n - Cheat.count() } }\nawait spawn W {}"
	points, err := load(t, text, opts).Crash(t.Context())
	var crash *golden.CrashError
	require.ErrorAs(t, err, &crash)
	require.Contains(t, crash.Diff, "-     self.n = -1\n")
	require.Equal(t, points, 2*(crash.Write-1)+btoi(crash.After), "the points before it were good")
	require.ErrorContains(t, err, fmt.Sprintf("write %d ", crash.Write))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The same script, with prints and timers, at every write: nothing differs.
func TestCrashPoints(t *testing.T) {
	points, err := load(t, `workflow W { step a { perform IO.print("a"); perform Timer.sleep(1h); perform IO.print("b") } }
perform IO.print("main")
let ws = [spawn W {}, spawn W {}]
for w in ws { await w }`, golden.Options{}).Crash(t.Context())
	require.NoError(t, err)
	require.Greater(t, points, 10)
	require.Zero(t, points%2, "before and after each write")
}

func TestDiff(t *testing.T) {
	require.Empty(t, golden.Diff("a\nb\n", "a\nb\n"))
	require.Equal(t, "  a\n- b\n+ x\n  c\n", golden.Diff("a\nb\nc\n", "a\nx\nc\n"))
	require.Equal(t, "+ a\n", golden.Diff("", "a\n"))
	require.Equal(t, "- a\n+ a (no line break at the end)\n", golden.Diff("a\n", "a"))
	numbers := func(skip int) string {
		var b strings.Builder
		for i := range 20 {
			if i != skip {
				fmt.Fprintln(&b, i)
			}
		}
		return b.String()
	}
	require.Equal(t, "  ...\n  7\n  8\n  9\n- 10\n  11\n  12\n  13\n  ...\n", golden.Diff(numbers(-1), numbers(10)))
	require.Equal(t, "- 0\n  1\n  2\n  3\n  ...\n", golden.Diff(numbers(-1), numbers(0)))
	require.Equal(t, "  ...\n  16\n  17\n  18\n+ 19\n", golden.Diff(numbers(19), numbers(-1)))
}

// Texts that have nothing in common are not compared line by line, which would
// take gigabytes.
func TestDiffOfLargeTexts(t *testing.T) {
	many := func(what string) string { return strings.Repeat(what+"\n", 50_000) }
	diff := golden.Diff("same\n"+many("a"), "same\n"+many("b"))
	require.Equal(t, 100_001, strings.Count(diff, "\n"))
}
