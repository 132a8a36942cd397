package engine_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// A command that redirects comes at every moment of a step that is retried, the
// one among them at which it is being decided whether to retry: what becomes of
// the old attempt never touches the step that the command went to.
func TestC16RedirectAtEveryMomentIsNotOverwritten(t *testing.T) {
	for name, step := range map[string]string{
		"backoff":   `step a retry 2 backoff 1s { perform World.call("a"); throw "no" }`,
		"at once":   `step a retry 2 { perform World.call("a"); throw "no" }`,
		"failover":  `step a retry 1 else b { perform World.call("a"); throw "no" }`,
		"no time":   `step a timeout 500ms retry 1 { perform World.call("a") }`,
		"computing": `step a retry 1 { throw "no" }`,
		"block":     `parallel { step a retry 1 { perform World.call("a"); throw "no" } step x { perform Timer.sleep(1s) } }`,
		"elements":  `parallel for i in [1, 2, 3] max 2 { step a retry 1 { perform World.call("a"); i } }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow W {
    command stop() { goto stopped }
    ` + step + `
    step never { end }
    step b { goto never }
    step stopped retry 1 { emit Stopped(perform World.call("stopped")); perform Timer.sleep(10s) }
    step last { emit Last() }
}
spawn W {} as "w"`,
				setup: func(m *machine) { m.world.takes(time.Second) },
			}
			accepted := 0
			s.everyMoment(t, func(m *machine) {
				_, err := m.e.Call(m.t.Context(), handle("W", "w"), "stop", nil, "", m.prog)
				if err != nil {
					require.ErrorIs(m.t, err, engine.ErrRefused)
				}
			}, func(t testing.TB, m *machine) {
				if len(m.records("w", engine.RecCommand)) == 0 {
					return
				}
				accepted++
				require.Equal(t, []string{`Stopped("ok")`, "Last()"}, m.events("w"))
				require.Equal(t, "completed", m.show("w").Status)
				require.Equal(t, 0, failuresOf(m, "stopped"))
				m.noTimers(t)
			})
			require.Positive(t, accepted)
		})
	}
}

// failuresOf counts the attempts of the step of "w" that failed.
func failuresOf(m *machine, step string) int {
	n := 0
	for _, r := range m.history("w") {
		if r.Kind == engine.RecFailed && r.Step == step {
			n++
		}
	}
	return n
}

// A command that waits for a step without effects to end is answered also when
// that step never ends, because the instance is cancelled.
func TestC16CommandBehindACutStepIsAnswered(t *testing.T) {
	inside, gate := make(chan struct{}), make(chan struct{})
	all := append(builtins(), &program.Builtin{Module: "World", Name: "gate", Params: []program.BuiltinParam{{Name: "what"}},
		Fn: func(program.Caller, []value.Value) (value.Value, error) {
			close(inside)
			<-gate
			return value.Unit, nil
		}})
	set := &source.Set{}
	set.Add(source.NewFile("test.wf", `
workflow W {
    state n: Int = 0
    command add() -> Int { self.n = self.n + 1; reply self.n }
    step a { World.gate("a") }
    step b { pause }
}`))
	prog, _ := engine.Compile(set, all)
	require.NotNil(t, prog)
	c := config(persist.NewMemory(), nil)
	c.Builtins = all
	e, err := engine.Open(t.Context(), c)
	require.NoError(t, err)
	none, _ := value.NewRecord(nil, nil).AsRecord()
	var answers []error
	require.NoError(t, e.Drive(t.Context(), engine.UntilDone, func(ctx context.Context) error {
		if _, err := e.Spawn(ctx, prog, "W", "w", none, ""); err != nil {
			return err
		}
		<-inside
		bounded, stop := context.WithTimeout(ctx, 20*time.Second)
		defer stop()
		answered := make(chan error)
		for range 16 {
			go func() {
				_, err := e.Call(bounded, handle("W", "w"), "add", nil, "", prog)
				answered <- err
			}()
		}
		for range 1000 {
			runtime.Gosched()
		}
		err := e.Cancel(ctx, "w") // whichever came before it and after it: all have to be answered
		for range 16 {
			answers = append(answers, <-answered)
		}
		close(gate)
		return err
	}))
	for _, err := range answers {
		require.ErrorIs(t, err, engine.ErrRefused)
	}
	require.NoError(t, e.Close())
	s, err := e.Show(t.Context(), "w")
	require.NoError(t, err)
	require.Equal(t, "cancelled", s.Status)
}

// A signal at every moment of a step that takes it, fails and takes it again: it
// is consumed once, whenever it comes.
func TestC01SignalAtEveryMomentIsConsumedOnce(t *testing.T) {
	for name, step := range map[string]string{
		"retry":   `step a retry 2 { let x = perform Signal.wait("item"); if perform World.call("a") == "bad" { throw "no" }; self.got = self.got + [x] }`,
		"backoff": `step a retry 2 backoff 1s { let x = perform Signal.wait("item"); if perform World.call("a") == "bad" { throw "no" }; self.got = self.got + [x] }`,
		"timeout": `step a timeout 1500ms retry 2 { let x = perform Signal.wait("item"); perform World.call("slow"); self.got = self.got + [x] }`,
		"block": `parallel settle {
            step bad { let x = perform Signal.wait("item"); perform World.call("bad"); throw "no" }
            step a { let x = perform Signal.wait("item"); self.got = self.got + [x] }
        }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow W {
    state got: [Int] = []
    step before { perform World.call("before") }
    ` + step + `
}
spawn W {} as "w"`,
				setup: func(m *machine) {
					m.world.answers(func(what string, n int) (value.Value, error) {
						if what == "a" && n < 4 {
							return value.String("bad"), nil
						}
						return value.String("ok"), nil
					})
					m.world.delay = func(n int, c engine.Call) time.Duration {
						if c.Args[0].Text() == "slow" && n < 4 {
							return 2 * time.Second
						}
						return time.Second
					}
				},
			}
			s.everyMoment(t, func(m *machine) {
				for m.statusOf("w") == "" {
					if !m.e.Step() {
						return
					}
				}
				require.NoError(m.t, m.e.Signal(m.t.Context(), "w", "item", value.Int(7), ""))
			}, func(t testing.TB, m *machine) {
				if len(m.records("w", engine.RecSignal)) == 0 {
					return // it came to its rest before
				}
				require.Equal(t, "[7]", m.field("w", "got").String())
				require.Equal(t, "completed", m.show("w").Status)
				require.Zero(t, m.show("w").Signals)
				m.noTimers(t)
			})
		})
	}
}

// statusOf is the status of an instance, "" if there is none.
func (m *machine) statusOf(id string) string {
	s, err := m.e.Show(m.t.Context(), id)
	if err != nil {
		return ""
	}
	return s.Status
}

// Whatever is decided about an instance while its attempts compute, fail and
// wait, two decisions at any two moments leave it at rest: ended, with nothing
// pending.
func TestC16TwoDecisionsAtAnyTwoMoments(t *testing.T) {
	s := scene{
		text: `
workflow W {
    command again() { goto a }
    command hold() { pause "held" for 5s }
    command stop() { end }
    step a retry 1 backoff 1s { perform World.call("a"); throw "no" } compensate { perform World.call("undo"); emit Undone() }
    step b { () }
    finally { emit Finally() }
}
spawn W {} as "w"`,
		setup: func(m *machine) { m.world.takes(time.Second) },
	}
	asked := func(name string) func(m *machine) error {
		return func(m *machine) error {
			_, err := m.e.Call(m.t.Context(), handle("W", "w"), name, nil, "", m.prog)
			return err
		}
	}
	acts := map[string]func(m *machine) error{
		"again": asked("again"), "hold": asked("hold"), "stop": asked("stop"),
		"cancel": func(m *machine) error { return m.e.Cancel(m.t.Context(), "w") },
		"resume": func(m *machine) error { return m.e.Resume(m.t.Context(), "w") },
	}
	for _, pair := range []string{"again cancel", "hold resume", "hold cancel", "cancel again", "again again", "stop cancel", "hold again", "cancel stop"} {
		t.Run(pair, func(t *testing.T) {
			first, second, _ := strings.Cut(pair, " ")
			for _, gap := range []int{0, 1, 3, 8} {
				twoMoments(t, s, acts[first], acts[second], gap)
			}
		})
	}
}

func twoMoments(t *testing.T, s scene, first, second func(m *machine) error, gap int) {
	for at, done := 0, true; done; at++ {
		done = false
		p := s.player(t)
		p.watch = func(move int) {
			var err error
			switch move {
			case at:
				done = true
				err = first(p.machine)
			case at + gap + 1:
				err = second(p.machine)
			}
			if err != nil {
				require.ErrorIs(t, err, engine.ErrRefused)
			}
		}
		p.play()
		row := p.show("w")
		require.Contains(t, []string{"completed", "failed", "cancelled"}, row.Status, "at %d", at)
		require.Equal(t, 1, strings.Count(strings.Join(p.events("w"), " "), "Finally()"), "at %d", at)
		if row.Status != "completed" {
			require.Contains(t, p.events("w"), "Undone()", "at %d", at)
		}
		require.Len(t, p.records("w", engine.RecEnded), 1)
		p.noTimers(t)
	}
}
