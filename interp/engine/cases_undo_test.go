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

// An undo that fails is reported as such; the others run, the failure stays the
// original one, and nothing says that all was undone.
func TestC29FailedUndoIsReported(t *testing.T) {
	s := scene{text: `
workflow W {
    step a { emit A() } compensate { emit UndoA() }
    step b { emit B() } compensate retry 1 { throw { code: "stuck", message: "cannot undo b" } }
    step c { throw { code: "declined", message: "card declined" } } compensate { emit UndoC() }
    finally(o) { emit Finally(o.status, o.failure.code) }
}
let w = spawn W {} as "w"
try { await w } catch e { (e.code, e.message) }`}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		row := m.show("w")
		require.Equal(t, "failed", row.Status)
		require.Equal(t, "declined", row.Failure.Code)
		require.Equal(t, []string{"A()", "B()", "UndoC()", "UndoA()", `Finally("failed", "declined")`}, m.events("w"))
		life := part(t, m.query("w", "lifecycle"), "compensation")
		require.Equal(t, `"failed"`, part(t, life, "status").String())
		require.Equal(t, `[{ step: "b", code: "stuck", message: "cannot undo b" }]`, part(t, life, "failed").String())
		require.Equal(t, `("declined", "card declined")`, m.show("main-1").Result.String())
	})
}

// So it is when the ending is a cancel or a timeout, and when the undo hangs or
// says `fail`.
func TestC29FailedUndoOfEveryKind(t *testing.T) {
	for name, undo := range map[string]string{
		"throw": `compensate { throw "no" }`, "timeout": `compensate timeout 1s { perform World.call("hang") }`,
		"limit": `compensate { while true { } }`, "bad operation": `compensate { 1 / self.zero }`,
	} {
		for _, ending := range []string{"cancelled", "failed"} {
			t.Run(name+" "+ending, func(t *testing.T) {
				s := scene{
					text: `
workflow W {
    timeout 1h
    state zero: Int = 0
    step a { emit A() } compensate { emit UndoA() }
    step b { emit B() } ` + undo + `
    step c { perform Signal.wait("go") } compensate { emit UndoC() }
}
spawn W {} as "w"`,
					setup: func(m *machine) {
						m.world.takes(time.Hour)
						m.limits.Fuel = 10_000
					},
				}
				if ending == "cancelled" {
					s.deeds = []deed{cancels(time.Second, "w")}
				}
				s.everyCrash(t, func(t testing.TB, m *machine) {
					row := m.show("w")
					require.Equal(t, ending, row.Status)
					require.Equal(t, []string{"A()", "B()", "UndoC()", "UndoA()"}, m.events("w"))
					require.Equal(t, "failed", row.Undo.Status.String())
					require.Len(t, row.Undo.Failed, 1)
					require.Equal(t, "b", row.Undo.Failed[0].Step)
				})
			})
		}
	}
}

// What could not be undone can be tried again, and only that is.
func TestC29RetryRunsTheFailedUndosAgain(t *testing.T) {
	for _, down := range []bool{false, true} {
		m := newMachine(t, `
workflow W {
    step a { emit A() } compensate { if perform World.call("undo a") == "bad" { throw "a" }; perform Timer.sleep(1m); emit UndoA() }
    step b { emit B() } compensate { emit UndoB() }
    step c { emit C() } compensate { if perform World.call("undo c") == "bad" { throw "c" }; perform Timer.sleep(1m); emit UndoC() }
    step d { throw "d" }
    finally { emit Finally() }
}
spawn W {} as "w"`)
		bad := true
		m.world.answers(func(string, int) (value.Value, error) {
			if bad {
				return value.String("bad"), nil
			}
			return value.String("good"), nil
		})
		m.run()
		require.Equal(t, []string{"A()", "B()", "C()", "UndoB()", "Finally()"}, m.events("w"))
		require.Len(t, m.show("w").Undo.Failed, 2)
		require.NoError(t, m.e.Retry(t.Context(), "w"))
		m.run()
		require.Len(t, m.show("w").Undo.Failed, 2, "they failed again")
		bad = false
		require.NoError(t, m.e.Retry(t.Context(), "w"))
		if down {
			m.settle()
			m.crash()
			m.open()
		}
		m.run()
		require.Equal(t, []string{"A()", "B()", "C()", "UndoB()", "Finally()", "UndoC()", "UndoA()"}, m.events("w"))
		row := m.show("w")
		require.Equal(t, "failed", row.Status)
		require.Equal(t, "d", row.Failure.Message)
		require.Equal(t, "done", row.Undo.Status.String())
		require.ErrorIs(t, m.e.Retry(t.Context(), "w"), engine.ErrRefused)
		m.noTimers(t)
	}
}

// A crash in the middle of undoing: each undo has its effect once, in order, and
// the reason stays.
func TestC30CrashWhileUndoing(t *testing.T) {
	for _, down := range []time.Duration{0, time.Hour} {
		s := scene{
			text: `
workflow W {
    state log: [String] = []
    step one { () } compensate { perform IO.print("undo-1"); self.log = self.log + ["1"] }
    step two { () } compensate { let x = perform World.call("undo two"); perform IO.print("undo-2"); self.log = self.log + [x] }
    step three { () } compensate { perform IO.print("undo-3"); perform Timer.sleep(1m); self.log = self.log + ["3"] }
    step four { throw { code: "declined", message: "card declined" } }
}
spawn W {} as "w"`,
			setup: func(m *machine) { m.world.takes(time.Second) },
			down:  down,
		}
		t.Run(fmt.Sprintf("down %v", down), func(t *testing.T) {
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, `["3", "ok", "1"]`, m.field("w", "log").String())
				require.Equal(t, 3, printsOf(m, "w"))
				require.Len(t, m.world.distinct(), 1)
				row := m.show("w")
				require.Equal(t, "failed", row.Status)
				require.Equal(t, "declined", row.Failure.Code)
				require.Equal(t, "card declined", row.Failure.Message)
				require.Equal(t, "done", row.Undo.Status.String())
			})
		})
	}
}

// The same for branches: whatever crashes, each is undone as a whole, the last
// declared first.
func TestC30CrashWhileUndoingBranches(t *testing.T) {
	for mode, want := range map[string][]string{
		"":        {"X1()", "Y1()", "UndoY1(true)", "UndoX2(false)", "UndoX1(true)", "UndoX()", "UndoBlock()"},
		"settle":  {"X1()", "Y1()", "UndoX2(false)", "UndoX1(true)", "UndoX()", "UndoLast(false)", "UndoY1(true)", "UndoBlock()"},
		"first 1": {"X1()", "Y1()", "UndoX2(false)", "UndoX1(true)", "UndoX()", "UndoLast(false)", "UndoY1(true)", "UndoBlock()"},
	} {
		t.Run("parallel "+mode, func(t *testing.T) {
			s := scene{text: `
workflow W {
    parallel ` + mode + ` {
        branch x {
            step x1 { emit X1() } compensate(err) { perform Timer.sleep(1s); emit UndoX1(err.completed) }
            step x2 { perform Timer.sleep(1s); throw "x2" } compensate(err) { emit UndoX2(err.completed) }
        } compensate { emit UndoX() }
        step y1 { perform Timer.sleep(500ms); emit Y1() } compensate(err) { emit UndoY1(err.completed) }
    } compensate { emit UndoBlock() }
    step last { perform Timer.sleep(10s); throw "last" } compensate(err) { emit UndoLast(err.completed) }
}
spawn W {} as "w"`}
			if mode == "first 1" {
				s.text = strings.Replace(s.text, "sleep(500ms)", "sleep(5s)", 1)
				want = []string{"X1()", "UndoX2(false)", "UndoX1(true)", "UndoX()", "Y1()", "UndoLast(false)", "UndoY1(true)", "UndoBlock()"}
			}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, want, m.events("w"))
				require.Equal(t, "failed", m.show("w").Status)
			})
		})
	}
}
