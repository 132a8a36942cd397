package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/persist"
)

const firstVersion = `
workflow W {
    step wait { let x = perform Signal.wait("go"); emit Went("first", x) }
    step then { emit Then("first", perform Signal.wait("more")) }
}
fn version() -> String { "first ${self.step}" }
spawn W {} as "w"
perform Signal.wait("never")
`

const secondVersion = `
workflow W {
    state extra: Int
    step other { emit Other("second", self.extra) }
}
spawn W { extra: 1 } as "new"
"second is through"
`

func TestC36InstancesGoOnWithTheVersionTheyStartedWith(t *testing.T) {
	for name, file := range map[string]string{"content": "test.wf", "path": "moved.wf"} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, firstVersion)
			m.start()
			first := m.show("w").Program
			m.crash()
			if name == "content" {
				m.under(file, secondVersion)
			} else {
				m.under(file, firstVersion)
			}
			left := m.leaves()
			require.Len(t, left, 1, "the main of the earlier file is left alone, and named")
			require.Equal(t, "main-1", left[0].ID)
			m.settle()
			m.signal("w", "go", value.Int(1))
			m.reopen()
			m.signal("w", "more", value.Int(2))
			require.Equal(t, []string{`Went("first", 1)`, `Then("first", 2)`}, m.events("w"))
			require.Equal(t, first, m.show("w").Program)
			require.Equal(t, "running", m.show("main-1").Status)
			require.Equal(t, "signal never", m.show("main-1").Waiting[0].For)
		})
	}
}

func TestC36TheNewFileRunsBesideTheOld(t *testing.T) {
	m := newMachine(t, firstVersion)
	m.start()
	m.crash()
	m.under("test.wf", secondVersion)
	require.NoError(t, m.begin())
	m.settle()
	require.Equal(t, []string{`Other("second", 1)`}, m.events("new"))
	require.NotEqual(t, m.show("w").Program, m.show("new").Program)
	require.Equal(t, "completed", m.show("main-2").Status)
	m.signal("w", "go", value.Nil)
	require.Equal(t, []string{`Went("first", nil)`}, m.events("w"))

	// Back to the first file: its main goes on, and is not begun anew.
	m.crash()
	m.under("test.wf", firstVersion)
	require.NoError(t, m.begin())
	m.settle()
	require.Equal(t, "main-1", m.main)
	m.signal("main-1", "never", value.Nil)
	require.Equal(t, "completed", m.show("main-1").Status)
}

// The timers of a main that is left alone do not fire, and do not hide those of
// the instances that go on.
func TestC36TimersBehindAMainThatIsLeftAlone(t *testing.T) {
	m := newMachine(t, `
workflow W { step nap { perform Timer.sleep(10s); emit Woke(perform Time.now()) } }
spawn W {} as "w"
perform Timer.sleep(1s)
perform IO.print("main woke")`)
	m.start()
	m.crash()
	m.under("test.wf", secondVersion)
	m.open()
	m.advance(2 * time.Second)
	m.advance(8*time.Second - 1)
	require.Empty(t, m.events("w"))
	m.advance(1)
	require.Equal(t, []string{`Woke(Time("2030-01-01T00:00:10Z"))`}, m.events("w"))
	require.Empty(t, m.out.String())
	require.Equal(t, "running", m.show("main-1").Status)
	_, pending := m.e.NextTimer()
	require.False(t, pending, "the timer that is left is the main's")
}

// Whoever drives a store without a script drives all instances, of all versions.
func TestC36DriverWithoutAScript(t *testing.T) {
	m := newMachine(t, `
workflow W { step a { perform Timer.sleep(1m); emit First() } }
spawn W {} as "a"`)
	m.start()
	m.crash()
	m.under("test.wf", `
workflow W { step a { perform Timer.sleep(1m); emit Second() } }
spawn W {} as "b"`)
	require.NoError(t, m.begin())
	m.settle()
	m.crash()
	m.openWithout()
	m.advance(time.Minute)
	require.Equal(t, []string{"First()"}, m.events("a"))
	require.Equal(t, []string{"Second()"}, m.events("b"))
}

// A main that is left alone takes what comes, and makes nothing of it until its
// own program is run again.
func TestC36MainThatIsLeftAloneTakesWhatComes(t *testing.T) {
	const first = `
workflow W { step a { let x = perform Signal.wait("go"); x } }
let w = spawn W {} as "w"
let x = await w
perform IO.print("main goes on")
let y = perform Signal.wait("late")
(x, y)`
	m := newMachine(t, first)
	m.start()
	m.crash()
	m.under("test.wf", secondVersion)
	m.open()
	m.settle()
	m.signal("w", "go", value.Int(1))
	require.Equal(t, "completed", m.show("w").Status)
	m.signal("main-1", "late", value.Int(2))
	m.advance(time.Hour)
	require.Empty(t, m.out.String())
	require.Equal(t, "running", m.show("main-1").Status)
	m.reopen()
	require.Empty(t, m.out.String())
	m.crash()
	m.under("test.wf", first)
	require.NoError(t, m.begin())
	m.settle()
	require.Equal(t, "main-1", m.main)
	require.Equal(t, "main goes on\n", m.out.String())
	require.Equal(t, "(1, 2)", m.show("main-1").Result.String())
}

// Whoever runs another program is not kept by the timers of a main that it
// leaves alone.
func TestC36DriverIsNotKeptByAMainThatIsLeftAlone(t *testing.T) {
	store := persist.NewMemory()
	c := config(store, nil)
	c.Passive = true
	e, err := engine.Open(t.Context(), c)
	require.NoError(t, err)
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
		_, err := e.RunMain(ctx, compile(t, `perform Timer.sleep(50ms)`+"\n"+`perform Timer.sleep(2h)`))
		return err
	}))
	require.NoError(t, e.Close())
	ctx, cancel := context.WithCancel(t.Context())
	e, err = engine.Open(ctx, config(store, nil))
	require.NoError(t, err)
	_, err = e.Recover(ctx)
	require.NoError(t, err)
	require.ErrorIs(t, e.Drive(ctx, engine.UntilDone, func(ctx context.Context) error {
		waitFor(t, func() bool {
			s, err := e.Show(ctx, "main-1")
			return err == nil && len(s.Waiting) > 0 && s.Waiting[0].Until > e.Now()+int64(time.Hour)
		})
		cancel()
		return nil
	}), context.Canceled)
	require.NoError(t, e.Close())

	second := compile(t, `perform Timer.sleep(20ms)`+"\n7")
	e, err = engine.Open(t.Context(), config(store, nil))
	require.NoError(t, err)
	run, err := e.FindMain(t.Context(), second)
	require.NoError(t, err)
	require.Len(t, run.LeftAlone, 1)
	_, err = e.Recover(t.Context())
	require.NoError(t, err)
	var main string
	require.NoError(t, e.Drive(t.Context(), engine.UntilDone, func(ctx context.Context) error {
		main, err = e.RunMain(ctx, second)
		return err
	}))
	require.NoError(t, e.Close())
	s, err := e.Show(t.Context(), main)
	require.NoError(t, err)
	require.Equal(t, value.Int(7), s.Result)
	s, err = e.Show(t.Context(), "main-1")
	require.NoError(t, err)
	require.Equal(t, "running", s.Status)
}

// stored gives the program of a text as an earlier version would have taken it,
// whatever this one thinks of it.
func stored(t *testing.T, text string) *program.Program {
	set := &source.Set{}
	f := source.NewFile("test.wf", text)
	tree, ds := parser.Parse(f, set.Add(f))
	require.Empty(t, ds)
	prog, ds := checker.Check([]*ast.File{tree}, set, builtins())
	require.True(t, ds.HasErrors(), "it breaks no rule")
	return prog
}

// An instance goes on under a version of wf that has a rule more than the one
// that has taken its program. What has no meaning for this one is said to be so,
// and the instance stays as it is.
func TestC36RulesThatCameLater(t *testing.T) {
	for _, c := range []struct{ name, text, code string }{
		{"a match that leaves out a case", `
type Answer = Yes | No
workflow W {
    step wait { perform Signal.wait("go") }
    step then { let a: Answer = Yes; match a { Yes => emit Then("yes") } }
}`, ""},
		{"a value that may be nil", `
workflow W {
    state n: Int? = nil
    step wait { perform Signal.wait("go"); self.n = 1 }
    step then { if self.id == "w" { emit Then("yes") } else { emit Then(self.n + 1) } }
    command clear() in wait { self.n = nil }
}`, ""},
		{"a signal that is not declared", `
workflow W {
    signal other
    step wait { perform Signal.wait("go") }
    step then { emit Then("yes") }
}`, ""},
		{"a name that nobody knows", `
workflow W {
    step wait { perform Signal.wait("go") }
    step then { emit Then(unheard) }
}`, "WF2001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, `perform Signal.wait("never")`)
			m.start()
			none, _ := value.NewRecord(nil, nil).AsRecord()
			_, err := m.e.Spawn(context.Background(), stored(t, c.text), "W", "w", none, "")
			require.NoError(t, err)
			m.settle()
			require.Equal(t, "signal go", m.show("w").Waiting[0].For)
			m.reopen()
			if c.code != "" {
				err := m.e.Signal(context.Background(), "w", "go", value.Nil, "")
				require.ErrorContains(t, err, "this version of wf cannot read program")
				require.ErrorContains(t, err, "test.wf:4:")
				require.ErrorContains(t, err, c.code)
				return
			}
			m.signal("w", "go", value.Nil)
			require.Equal(t, []string{`Then("yes")`}, m.events("w"))
			require.Equal(t, "completed", m.show("w").Status)
		})
	}
}
