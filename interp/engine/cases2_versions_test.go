package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
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
			m := newPlay(t, firstVersion)
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
	m := newPlay(t, firstVersion)
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
	m := newPlay(t, `
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
	m.noTimers(t)
}

// approving is a workflow that has done one step and stands in `approve`.
const approving = `
workflow Order {
    step reserve { emit Reserved() }
    step approve { APPROVE }
    step ship { emit Shipped() }
    command go() in approve { goto ship reply "ok" }
}
`

func TestC37StepsInsertedRenamedDeleted(t *testing.T) {
	changes := map[string]func(string) string{
		"insert": func(s string) string {
			return strings.Replace(s, "    step approve", "    step precheck { emit Prechecked() }\n; step approve", 1)
		},
		"rename": func(s string) string { return strings.ReplaceAll(s, "approve", "consent") },
		"delete": func(s string) string {
			return strings.Replace(s, "    step reserve { emit Reserved() }\n", "", 1)
		},
		"everything else": func(s string) string {
			return "workflow Order { step x { emit X() } }"
		},
	}
	waits := map[string]string{
		"waiting": `let x = perform Signal.wait("ok"); emit Approved(x)`,
		"paused":  `emit Asked(); pause "approval"`,
		"timer":   `perform Timer.sleep(1h); emit Approved(1)`,
	}
	for change, edit := range changes {
		for how, wait := range waits {
			t.Run(change+" "+how, func(t *testing.T) {
				text := strings.Replace(approving, "APPROVE", wait, 1)
				m := newPlay(t, text+`spawn Order {} as "old"`)
				m.start()
				position := m.show("old")
				m.crash()
				m.under("test.wf", edit(text)+`spawn Order {} as "new"`)
				require.NoError(t, m.begin())
				m.settle()
				require.Equal(t, "approve", m.show("old").Step)
				require.Equal(t, position.StepIndex, m.show("old").StepIndex)
				require.Equal(t, position.Waiting, m.show("old").Waiting)
				switch how {
				case "waiting":
					m.signal("old", "ok", value.Int(1))
				case "paused":
					require.NoError(t, m.e.Resume(t.Context(), "old"))
					m.settle()
				case "timer":
					m.advance(time.Hour)
				}
				require.Equal(t, "completed", m.show("old").Status)
				ev := m.events("old")
				require.Equal(t, "Reserved()", ev[0])
				require.Equal(t, "Shipped()", ev[len(ev)-1])
				require.Len(t, ev, 3)
				require.NotContains(t, ev, "Prechecked()")
				switch change {
				case "insert":
					require.Equal(t, []string{"Reserved()", "Prechecked()"}, m.events("new")[:2])
				case "rename":
					require.Contains(t, m.stepsOf("new"), "consent")
					require.NotContains(t, m.stepsOf("new"), "approve")
				case "delete":
					require.NotContains(t, m.events("new"), "Reserved()")
				default:
					require.Equal(t, []string{"X()"}, m.events("new"))
				}
			})
		}
	}
}

// Commands of an instance are those of its own version.
func TestC37CommandsAreOfTheInstancesVersion(t *testing.T) {
	m := newPlay(t, strings.Replace(approving, "APPROVE", "pause", 1)+`spawn Order {} as "old"`)
	m.start()
	m.crash()
	m.under("test.wf", strings.Replace(strings.ReplaceAll(approving, "command go", "command proceed"), "APPROVE", "pause", 1)+`spawn Order {} as "new"`)
	require.NoError(t, m.begin())
	m.settle()
	_, err := m.call(handle("Order", "old"), "proceed")
	require.ErrorContains(t, err, "no command")
	v, err := m.call(handle("Order", "old"), "go")
	require.NoError(t, err)
	require.Equal(t, value.String("ok"), v)
	require.Equal(t, []string{"Reserved()", "Shipped()"}, m.events("old"))
	_, err = m.call(handle("Order", "new"), "go")
	require.ErrorContains(t, err, "no command")
}

// An entity has no position: it runs the newest version that declares it.
func TestC37EntitiesRunTheNewestVersion(t *testing.T) {
	m := newPlay(t, `
entity Box { state n: Int = 1; command add() -> Int { self.n += 1; reply self.n }; query n() { self.n } }
ask Box("b").add()`)
	m.run()
	m.crash()
	m.under("test.wf", `
entity Box { state n: Int = 1; state more: String = "more"; command add() -> Int { self.n += 10; reply self.n }; query n() { (self.n, self.more) } }
"x"`)
	require.NoError(t, m.begin())
	m.settle()
	require.Equal(t, `(2, "more")`, m.query("Box/b", "n").String())
	v, err := m.call(wallet("b"), "add")
	require.Error(t, err, "%s", v)
	v, err = m.call(value.Handle{Type: "Box", ID: "b", Entity: true}, "add")
	require.NoError(t, err)
	require.Equal(t, value.Int(12), v)
}

// Whoever drives a store without a script drives all instances, of all versions.
func TestC36DriverWithoutAScript(t *testing.T) {
	m := newPlay(t, `
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

func TestC40FinishedInstancesAnswerAfterARestart(t *testing.T) {
	for status, bad := range map[string]string{"completed": "0", "failed": "3"} {
		m := newPlay(t, strings.Replace(finished, "BAD", bad, 1))
		m.run()
		n, life := m.query("w", "n"), m.query("w", "lifecycle")
		m.crash()
		m.openWithout() // another process, without the script
		require.Equal(t, n, m.query("w", "n"))
		require.Equal(t, life, m.query("w", "lifecycle"))
		require.Equal(t, value.String(status), m.lifecycle("w", "status"))
		require.Equal(t, value.Bool(true), m.lifecycle("w", "is_terminal"))
		require.Equal(t, "completed", m.show("main-1").Status)
		require.Equal(t, value.Int(map[string]int64{"completed": 30, "failed": 20}[status]), m.query("w", "total"))
	}
}

const finished = `
workflow W {
    state n: Int = 1
    query n() -> Int { self.n }
    step a { self.n = 2 }
    step b { self.n = 3; if self.n == BAD { throw "no" } }
}
fn total() -> Int { self.n * 10 }
let w = spawn W {} as "w"
total`

func TestC40CancelledAndTerminatedAnswerToo(t *testing.T) {
	for _, end := range []string{"cancel", "terminate"} {
		m := newPlay(t, `
workflow W {
    state n: Int = 1
    query n() -> Int { self.n }
    step a { self.n = 2 }
    step b { perform Timer.sleep(1h); self.n = 3 }
}
spawn W {} as "w"`)
		m.start()
		if end == "cancel" {
			m.cancel("w")
		} else {
			require.NoError(t, m.e.Terminate(t.Context(), "w"))
			m.settle()
		}
		m.crash()
		m.openWithout()
		require.Equal(t, value.Int(2), m.query("w", "n"))
		require.Equal(t, value.String("cancelled"), m.lifecycle("w", "status"))
		require.Equal(t, value.String(end), m.lifecycle("w", "ending"))
		m.noTimers(t)
	}
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
	m := newPlay(t, first)
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
