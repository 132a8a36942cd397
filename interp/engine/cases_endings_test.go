package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// closing is a workflow with a clean-up, that ends in one of several ways.
const closing = `
workflow W {
    timeout 1h
    state closed: Int = 0
    step a { emit A() } compensate { emit UndoA() }
    step b { BODY }
    command stop() { end "stopped" reply "ok" }
    command give_up() { fail { code: "given_up", message: "no more" } reply "ok" }
    finally(o) {
        self.closed = self.closed + 1
        perform World.call("clean")
        emit Finally(o.status, o.result, if o.failure == nil { nil } else { o.failure.code })
    }
}
let w = spawn W {} as "w"
AND
try { await w } catch e { e.code }`

func TestC60FinallyRunsOnceWhateverTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		body, and, status, result string
		events                    []string
	}{
		"success":          {"7", "", "completed", "7", []string{"A()", `Finally("completed", 7, nil)`}},
		"end":              {"end 8", "", "completed", "8", []string{"A()", `Finally("completed", 8, nil)`}},
		"failure":          {`throw { code: "declined", message: "no" }`, "", "failed", `"declined"`, []string{"A()", "UndoA()", `Finally("failed", nil, "declined")`}},
		"decision":         {`emit B(); fail { code: "declined", message: "no" }`, "", "failed", `"declined"`, []string{"A()", "B()", "UndoA()", `Finally("failed", nil, "declined")`}},
		"workflow limit":   {"perform Timer.sleep(2h)", "", "failed", `"timeout"`, []string{"A()", "UndoA()", `Finally("failed", nil, "timeout")`}},
		"limit in a pause": {`pause "long"`, "", "failed", `"timeout"`, []string{"A()", "UndoA()", `Finally("failed", nil, "timeout")`}},
		"cancel":           {"perform Timer.sleep(2h)", "perform Timer.sleep(1s)\nperform Workflow.cancel(w)", "cancelled", `"cancelled"`, []string{"A()", "UndoA()", `Finally("cancelled", nil, nil)`}},
		"cancel in a call": {`perform World.call("slow")`, "perform Timer.sleep(1s)\nperform Workflow.cancel(w)", "cancelled", `"cancelled"`, []string{"A()", "UndoA()", `Finally("cancelled", nil, nil)`}},
		"cancel a pause":   {`pause "long"`, "perform Timer.sleep(1s)\nperform Workflow.cancel(w)", "cancelled", `"cancelled"`, []string{"A()", "UndoA()", `Finally("cancelled", nil, nil)`}},
		"command ends":     {"perform Timer.sleep(2h)", "perform Timer.sleep(1s)\nask w.stop()", "completed", `"stopped"`, []string{"A()", `Finally("completed", "stopped", nil)`}},
		"command fails":    {"perform Timer.sleep(2h)", "perform Timer.sleep(1s)\nask w.give_up()", "failed", `"given_up"`, []string{"A()", "UndoA()", `Finally("failed", nil, "given_up")`}},
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, fill(closing, "BODY", c.body, "AND", c.and), func(m *machine) {
				m.world.delay = func(_ int, call engine.Call) time.Duration {
					if call.Args[0].Text() == "slow" {
						return 20 * time.Second
					}
					return 0
				}
			}, func(t *testing.T, m *machine) {
				require.Equal(t, c.status, m.show("w").Status)
				require.Equal(t, c.events, m.events("w"))
				require.Equal(t, value.Int(1), m.field("w", "closed"))
				require.Equal(t, c.result, m.show("main-1").Result.String(), "await returns after it")
				keys := map[string]bool{}
				for _, call := range m.world.calls {
					keys[call] = true
				}
				want := 1
				if name == "cancel in a call" {
					want = 2
				}
				require.Len(t, keys, want, "one clean-up, under one key")
				m.noTimers(t)
			})
		})
	}
}

// A clean-up that fails, waits, or is asked to hurry changes no ending.
func TestC60FinallyChangesNoEnding(t *testing.T) {
	const text = `
workflow W {
    step a { BODY }
    finally(o) { emit Began(o.status); FINALLY }
}
let w = spawn W {} as "w"
AND
try { await w } catch e { e.code }`
	for name, c := range map[string]struct{ body, finally, and, status, result string }{
		"fault after success":  {"7", `throw "no"`, "", "completed", "7"},
		"fault after failure":  {`throw { code: "first", message: "1" }`, `throw { code: "second", message: "2" }`, "", "failed", `"first"`},
		"waits":                {"7", "perform Timer.sleep(1h)", "", "completed", "7"},
		"cancelled meanwhile":  {"7", "perform Timer.sleep(1h)", "perform Timer.sleep(1s)\nlet c = try { perform Workflow.cancel(w); \"cancelled\" } catch e { e.code }\nperform IO.print(c)", "completed", "7"},
		"waits for no signal":  {"7", `let x = perform Signal.wait("never", timeout: 1m)`, "", "completed", "7"},
		"retries":              {"7", `perform World.call("x"); throw "again"`, "", "completed", "7"},
		"used-up limit":        {"7", "while true { }", "", "completed", "7"},
		"cancelled, then slow": {"perform Timer.sleep(1h)", "perform Timer.sleep(1m)", "perform Timer.sleep(1s)\nperform Workflow.cancel(w)", "cancelled", `"cancelled"`},
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, fill(text, "BODY", c.body, "FINALLY", c.finally, "AND", c.and), func(m *machine) { m.limits.Fuel = 10_000 }, func(t *testing.T, m *machine) {
				require.Equal(t, c.status, m.show("w").Status)
				require.Equal(t, c.result, m.show("main-1").Result.String())
				require.LessOrEqual(t, len(m.events("w")), 1)
				if name == "cancelled meanwhile" {
					require.Equal(t, []string{"conflict"}, m.printed("main-1"))
				}
				m.noTimers(t)
			})
		})
	}
}

// While the clean-up runs the ending is decided, the status is not yet.
func TestC60WhileFinallyRuns(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state n: Int = 1
    query n() { self.n }
    command add() { self.n += 1 }
    command go() { goto a }
    step a { throw { code: "declined", message: "no" } } compensate { perform Timer.sleep(1m) }
    finally(o) { perform Timer.sleep(1m); emit Finally(o.status, self.n) }
}
spawn W {} as "w"`)
	m.start()
	for _, undo := range []string{"running", "done"} {
		require.Equal(t, value.String("running"), m.lifecycle("w", "status"))
		require.Equal(t, value.String("failure"), m.lifecycle("w", "ending"))
		c, _ := m.lifecycle("w", "compensation").AsRecord()
		status, _ := c.Get("status")
		require.Equal(t, value.String(undo), status)
		_, err := m.call(handle("W", "w"), "go")
		require.ErrorIs(t, err, engine.ErrRefused)
		require.ErrorIs(t, m.e.Cancel(t.Context(), "w"), engine.ErrRefused)
		_, err = m.call(handle("W", "w"), "add")
		require.NoError(t, err)
		m.reopen()
		m.advance(time.Minute)
	}
	require.Equal(t, "failed", m.show("w").Status)
	require.Equal(t, "declined", m.show("w").Failure.Code)
	require.Equal(t, []string{`Finally("failed", 2)`}, m.events("w"), "the attempt sees its base")
	require.Equal(t, value.Int(3), m.query("w", "n"))
}

// Terminating runs neither compensations nor the clean-up, also in the middle of
// either.
func TestC60TerminateRunsNothingMore(t *testing.T) {
	for _, after := range []time.Duration{0, time.Minute} {
		m := newMachine(t, `
workflow W {
    step a { emit A() } compensate { emit UndoA() }
    step b { throw "no" } compensate { perform Timer.sleep(1m); emit UndoB() }
    finally(o) { perform Timer.sleep(1m); emit Finally() }
}
spawn W {} as "w"`)
		m.start()
		m.advance(after)
		before := m.events("w")
		require.NoError(t, m.e.Terminate(t.Context(), "w"))
		m.settle()
		m.reopen()
		m.advance(time.Hour)
		require.Equal(t, before, m.events("w"))
		require.Equal(t, "failed", m.show("w").Status, "what was decided before")
		m.noTimers(t)
	}
}
