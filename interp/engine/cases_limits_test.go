package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// Each attempt has the whole time: one that was cut can be tried again.
func TestC19TimeLimitIsForOneAttempt(t *testing.T) {
	s := scene{
		text: `
workflow W { step a timeout 2s retry 2 { emit Got(perform World.call("x")) } }
spawn W {} as "w"`,
		setup: func(m *machine) {
			m.world.delay = func(n int, _ engine.Call) time.Duration {
				if n == 1 {
					return 5 * time.Second
				}
				return 1500 * time.Millisecond
			}
		},
	}
	m := s.play(t, nil)
	require.Equal(t, []string{`Got("ok")`}, m.events("w"))
	require.Len(t, m.records("w", engine.RecFailed), 1)
	s.everyCrash(t, func(t testing.TB, m *machine) {
		require.Equal(t, []string{`Got("ok")`}, m.events("w"))
		require.LessOrEqual(t, len(m.records("w", engine.RecFailed)), 1)
	})
}

// The limit cuts every attempt, not only the first.
func TestC20TimeLimitCutsEveryAttempt(t *testing.T) {
	for name, clauses := range map[string]string{"clause": "timeout 1s retry 1", "default": ""} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow W {
    default timeout 1s retry 1
    step a ` + clauses + ` { perform World.call("x") }
}
spawn W {} as "w"`,
				setup: func(m *machine) { m.world.takes(time.Hour) },
			}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				row := m.show("w")
				require.Equal(t, "failed", row.Status)
				require.Equal(t, "timeout", row.Failure.Code)
				require.Contains(t, row.Failure.Message, "timeout of 1s")
				at := m.failedAt("w")
				require.Len(t, at, 2)
				if m.crashes == 0 { // what was driven before a crash is not counted
					require.Equal(t, []time.Duration{time.Second, 2 * time.Second}, at)
				}
				require.Equal(t, value.Int(2), part(t, m.query("w", "lifecycle"), "attempts"))
			})
		})
	}
}

// What counts is the time that an attempt was driven, over all of its stretches
// between waits.
func TestC20TimeLimitIsOverAllStretchesOfAnAttempt(t *testing.T) {
	const call = `perform World.call("x")`
	for name, between := range map[string]string{
		"calls": call, "sleep": `perform Timer.sleep(1h)`, "signal": `try { perform Signal.wait("go", timeout: 1h) } catch e { () }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow W { step a timeout 10s { ` + call + `; ` + between + `; ` + call + `; ` + between + `; ` + call + ` } }
spawn W {} as "w"`,
				setup: func(m *machine) { m.world.takes(6 * time.Second) },
			}
			m := s.play(t, nil)
			require.Equal(t, "failed", m.show("w").Status)
			require.Equal(t, "timeout", m.show("w").Failure.Code)
			s.setup = func(m *machine) { m.world.takes(time.Second) }
			m = s.play(t, nil)
			require.Equal(t, "completed", m.show("w").Status, "waiting does not count")
		})
	}
}

// When the workflow's own limit ends the retries, the failure names the limit
// and the last error of the step.
func TestC21LimitOfTheWorkflowKeepsTheLastError(t *testing.T) {
	for name, body := range map[string]string{
		"step":     `step a retry 1000 backoff 1s..1s DECLINED`,
		"branch":   `parallel { step a retry 1000 backoff 1s..1s DECLINED step b { perform Timer.sleep(4500ms) } step c { () } }`,
		"failover": `step a else c DECLINED step b { end } step c { perform Timer.sleep(1h); goto b }`,
		"call":     `step a retry 1000 backoff 1s..1s { perform World.call("pay") }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow W {
    timeout 5s
    ` + strings.ReplaceAll(body, "DECLINED", `{ throw { code: "declined", message: "card declined" } }`) + `
}
spawn W {} as "w"`,
				setup: func(m *machine) {
					m.world.answers(func(string, int) (value.Value, error) { return value.Nil, fault("declined", "card declined") })
				},
			}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				row := m.show("w")
				require.Equal(t, "failed", row.Status)
				require.Equal(t, "timeout", row.Failure.Code)
				require.Contains(t, row.Failure.Message, "the workflow's timeout")
				require.Contains(t, row.Failure.Message, "card declined")
				require.Equal(t, `"declined"`, part(t, row.Failure.Detail, "code").String())
				m.noTimers(t)
			})
		})
	}
}

// What a run that failed has written is gone: its retry and its failover see the
// last committed state.
func TestC25WritesOfAFailedRunAreDiscarded(t *testing.T) {
	for name, hang := range map[string]string{"timeout": `perform World.call("hang")`, "throw": `throw "no"`, "limit": `while true { }`} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow W {
    state a: Int = 1
    step set { self.a = 2 }
    step x timeout 2s retry 1 else y { perform IO.print(self.a); self.a = 3; emit Never(); ` + hang + ` }
    step done { end }
    step y { emit Saw(self.a, self.failure.code); goto done }
}
spawn W {} as "w"`,
				setup: func(m *machine) {
					m.world.takes(time.Hour)
					m.limits.Fuel = 10_000
				},
			}
			code := map[string]string{"timeout": "timeout", "throw": "error", "limit": "fuel"}[name]
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, []string{fmt.Sprintf("Saw(2, %q)", code)}, m.events("w"))
				require.Equal(t, "2", m.field("w", "a").String())
				for _, r := range m.history("w") {
					if r.Print {
						require.Equal(t, "2\n", r.Value.Text())
					}
				}
			})
		})
	}
}
