package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// begun is the instant at which every virtual clock begins.
var begun = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// A play is a machine with more to do and to look at.
type play struct{ *machine }

func newPlay(t testing.TB, text string) *play { return &play{newMachine(t, text)} }

// since is how long after the beginning an instant lies.
func since(at int64) time.Duration { return time.Unix(0, at).Sub(begun) }

// chance is a picker of its seed.
type chance struct{ *rand.Rand }

func (c chance) Pick(n int) int { return c.IntN(n) }

// everywhere runs a script to rest, then again with a crash before and after
// every single store write, then in ten other orders of work and commits. After
// each run check looks at what came of it.
func everywhere(t *testing.T, text string, prepare func(m *play), check func(t *testing.T, m *play)) {
	t.Helper()
	run := func(t *testing.T, plan func(int, []persist.Batch) persist.Fault, p engine.Picker) *play {
		m := newPlay(t, text)
		m.plan, m.picker = plan, p
		if prepare != nil {
			prepare(m)
		}
		m.run()
		return m
	}
	whole := run(t, nil, nil)
	check(t, whole)
	writes := whole.commits + whole.store.Commits()
	require.NotZero(t, writes)
	for n := 1; n <= writes; n++ {
		for _, fault := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
			ok := t.Run(fmt.Sprintf("%s write %d", fault, n), func(t *testing.T) {
				m := run(t, atWrite(n, fault), nil)
				require.Equal(t, 1, m.crashes)
				check(t, m)
			})
			if !ok {
				return
			}
		}
	}
	for seed := range uint64(10) {
		ok := t.Run(fmt.Sprintf("order %d", seed), func(t *testing.T) {
			check(t, run(t, nil, chance{rand.New(rand.NewPCG(seed, 0))}))
		})
		if !ok {
			return
		}
	}
}

// atWrite is the plan of one fault at the n-th write.
func atWrite(n int, f persist.Fault) func(int, []persist.Batch) persist.Fault {
	return func(i int, _ []persist.Batch) persist.Fault {
		if i == n {
			return f
		}
		return persist.NoFault
	}
}

// reopen is a crash while nothing moves, and a new engine that has taken up
// what is there and come to rest.
func (m *play) reopen() {
	m.crash()
	m.open()
	m.settle()
}

// start runs the program as far as it goes without the clock.
func (m *play) start() {
	require.NoError(m.t, m.begin())
	m.settle()
}

// cancel cancels an instance and lets it undo.
func (m *play) cancel(id string) {
	require.NoError(m.t, m.e.Cancel(m.t.Context(), id))
	m.settle()
}

// printed lists the lines that an instance's journal has as printed, in order.
func (m *play) printed(id string) []string {
	var out []string
	for _, r := range m.history(id) {
		if r.Print {
			out = append(out, strings.TrimSuffix(r.Value.Text(), "\n"))
		}
	}
	return out
}

// records lists the records of a kind in an instance's journal.
func (m *play) records(id string, k engine.RecordKind) []*engine.Record {
	var out []*engine.Record
	for _, r := range m.history(id) {
		if r.Kind == k {
			out = append(out, r)
		}
	}
	return out
}

// field gives a state field of an instance, nil if it has no value.
func (m *play) field(id, name string) value.Value {
	for _, f := range m.show(id).Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return value.Nil
}

// lifecycle gives a field of the lifecycle query.
func (m *play) lifecycle(id, name string) value.Value {
	r, ok := m.query(id, engine.LifecycleQuery).AsRecord()
	require.True(m.t, ok)
	v, has := r.Get(name)
	require.True(m.t, has, "lifecycle has no %q", name)
	return v
}

// noTimers says that nothing is left that the clock could move.
func (m *play) noTimers(t *testing.T) {
	t.Helper()
	at, pending := m.e.NextTimer()
	require.False(t, pending, "a timer is left at %s", since(at))
}

// under has the machine's next engine run another program over the same disk.
func (m *play) under(name, text string) {
	set := &source.Set{}
	set.Add(source.NewFile(name, text))
	prog, ds := engine.Compile(set, builtins())
	require.NotNil(m.t, prog, "%v", ds)
	m.prog = prog
}

// refused compiles what must not pass the checks, and gives the first error with
// its place, as "line:column code message".
func refused(t testing.TB, text string) string {
	t.Helper()
	set := &source.Set{}
	set.Add(source.NewFile("test.wf", text))
	prog, ds := engine.Compile(set, builtins())
	require.Nil(t, prog, "the program passes the checks:\n%s", text)
	for _, d := range ds {
		if d.Severity == diag.Error {
			at := set.Position(d.Span)
			require.Positive(t, at.Line)
			require.Positive(t, at.Column)
			return fmt.Sprintf("%d:%d %s %s", at.Line, at.Column, d.Code, d.Message)
		}
	}
	t.Fatal("no program, and no error either")
	return ""
}

// onceEach has the world check that nothing is called for a step that the
// journal has as completed. The argument of a call is the name of its step.
func onceEach(m *play) {
	m.world.answer = func(_ int, c engine.Call) (value.Value, error) {
		for _, r := range m.records(c.Instance, engine.RecCompleted) {
			require.NotEqual(m.t, r.Step, c.Args[0].Text(), "a step that is done runs again")
		}
		return value.String("ok"), nil
	}
}

// how puts a word in the place of HOW.
func how(text, word string) string { return strings.Replace(text, "HOW", word, 1) }

// compileQuietly compiles a text that may be refused.
func compileQuietly(text string) (*program.Program, diag.List) {
	set := &source.Set{}
	set.Add(source.NewFile("test.wf", text))
	return engine.Compile(set, builtins())
}

// fill puts texts in the places of words, given in pairs.
func fill(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }

// stepsOf lists the steps that an instance's journal speaks of, each once.
func (m *play) stepsOf(id string) []string {
	var out []string
	for _, r := range m.history(id) {
		if r.Step != "" && !slices.Contains(out, r.Step) {
			out = append(out, r.Step)
		}
	}
	return out
}

// leaves starts an engine with the machine's program over the disk, and gives
// the mains that it leaves alone.
func (m *play) leaves() []engine.Summary {
	m.open()
	run, err := m.e.FindMain(m.t.Context(), m.prog)
	require.NoError(m.t, err)
	return run.LeftAlone
}

// openWithout starts an engine that was given no program.
func (m *play) openWithout() {
	mem, err := m.disk.Open()
	require.NoError(m.t, err)
	m.store = persist.NewFaulty(mem, nil)
	m.e, err = engine.Open(m.t.Context(), engine.Config{Store: m.store, Builtins: builtins(), Clock: m.clock,
		Seed: func() uint64 { return 42 }, Caller: m.world, Output: &m.out, Serial: true})
	require.NoError(m.t, err)
	m.t.Cleanup(func() { m.e.Close() })
	_, err = m.e.LeaveMains(m.t.Context(), "")
	require.NoError(m.t, err)
	_, err = m.e.Recover(m.t.Context())
	require.NoError(m.t, err)
	m.settle()
}
