package engine_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// Crash enumeration: a script run once to its end, then again with a crash at
// every single store write, before it and after it, must come to the same
// output, events, results and states, and repeat no call whose answer was there.
func TestCrashAtEveryWrite(t *testing.T) {
	files, err := filepath.Glob("testdata/crash/*.wf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	points := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".wf"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			want := crashRun(t, string(text), nil)
			require.NotZero(t, want.commits)
			for n := 1; n <= want.commits; n++ {
				for _, f := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
					got := crashRun(t, string(text), persist.FaultAt(n, f))
					require.Equal(t, 1, got.crashes, "write %d: %v", n, f)
					if strings.Contains(string(text), "perform once") {
						// Cut in the middle, such a call is not made again: its outcome is unknown.
						got.transcript = strings.ReplaceAll(got.transcript, "outcome_unknown", "ok")
						require.LessOrEqual(t, got.count("pay"), 1)
						require.Subset(t, want.calls, got.calls, "write %d: %v", n, f)
					} else {
						require.Equal(t, want.calls, got.calls, "write %d: %v", n, f)
					}
					require.Equal(t, want.transcript, got.transcript, "write %d: %v", n, f)
					require.Subset(t, got.shown, want.shown, "write %d: %v: a recorded line was never shown", n, f)
					points++
				}
			}
		})
	}
	t.Logf("%d crash points", points)
}

// A crash while the engine recovers from a crash is no different.
func TestCrashTwice(t *testing.T) {
	for _, name := range []string{"saga", "signals", "children", "parallel_fails"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata/crash", name+".wf"))
			require.NoError(t, err)
			want := crashRun(t, string(text), nil)
			for n := 1; n <= want.commits; n++ {
				got := crashRun(t, string(text), func(i int, _ []persist.Batch) persist.Fault {
					switch i {
					case n:
						return persist.CrashAfter
					case n + 1:
						return persist.CrashBefore
					case n + 3:
						return persist.CrashAfter
					}
					return persist.NoFault
				})
				require.NotZero(t, got.crashes)
				require.Equal(t, want.transcript, got.transcript, "write %d", n)
				require.Equal(t, want.calls, got.calls, "write %d", n)
			}
		})
	}
}

// lastFirst is a picker that commits before any job.
type lastFirst struct{}

func (lastFirst) Pick(n int) int { return n - 1 }

// An attempt that was cut, and whose worker has not come back when the engine
// ends, leaves no goroutine.
func TestCrashBehindACut(t *testing.T) {
	routines := runtime.NumGoroutine()
	m := newMachine(t, `
workflow Job {
    step work {
        perform World.call("a")
        perform World.call("b")
    }
}
spawn Job {} as "job"
`)
	m.picker = lastFirst{}
	require.NoError(t, m.begin())
	for len(m.world.calls) == 0 {
		require.True(t, m.e.Step())
	}
	require.NoError(t, m.e.Cancel(t.Context(), "job"))
	require.Len(t, m.world.calls, 1, "the attempt has an answer and has not gone on with it")
	m.crash()
	require.LessOrEqual(t, runtime.NumGoroutine(), routines)
}

type crashResult struct {
	transcript string
	calls      []string // distinct ones, in order of first appearance
	all        []string
	shown      []string // lines of the output
	commits    int
	crashes    int
}

// count is how often the world was called with the argument.
func (r crashResult) count(arg string) int {
	n := 0
	for _, c := range r.all {
		if strings.Contains(c, " "+arg+" ") {
			n++
		}
	}
	return n
}

func crashRun(t *testing.T, text string, plan persist.Plan) crashResult {
	return crashRunOn(t, newDisk(), text, plan)
}

func crashRunOn(t *testing.T, d disk, text string, plan persist.Plan) crashResult {
	m := newMachine(t, text)
	m.disk, m.plan, m.room = d, plan, func(bool) {}
	answered := map[string]value.Value{}
	m.world.answer = func(n int, c engine.Call) (value.Value, error) {
		// As a good service does: a request repeated under its key gets the first answer.
		if v, ok := answered[c.Key]; ok {
			return v, nil
		}
		v := value.String("again")
		if c.Args[0].Text() == "pay" || c.Args[0].Text() == "book" {
			v = value.String("ok")
		} else if len(answered) == 0 {
			v = value.String("first")
		}
		answered[c.Key] = v
		return v, nil
	}
	m.run()
	r := crashResult{transcript: m.transcript(), commits: m.commits + m.store.Commits(), crashes: m.crashes}
	r.all = m.world.calls
	for _, c := range m.world.calls {
		if !slices.Contains(r.calls, c) {
			r.calls = append(r.calls, c)
		}
	}
	r.shown = strings.Split(m.out.String(), "\n")
	return r
}
