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

// A cancelled instance undoes what it has done, last first, and the cancel does
// not interrupt that; nor does a second one.
func TestC26CancelUndoesAndIsNotInterrupted(t *testing.T) {
	s := scene{
		text: `
workflow W {
    step a { emit A() } compensate(err) { perform Timer.sleep(1m); perform World.call("undo a"); emit UndoA(err.completed, err.code) }
    step b { emit B() } compensate(err) { perform World.call("undo b"); perform Timer.sleep(1m); emit UndoB(err.completed, err.code) }
    step c { perform Timer.sleep(1h); emit C() }
    finally(o) { emit Finally(o.status) }
}
spawn W {} as "w"`,
		setup: func(m *machine) { m.world.takes(time.Second) },
		deeds: []deed{cancels(10*time.Second, "w"), cancels(20*time.Second, "w").refused("ending already")},
	}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		require.Equal(t, []string{"A()", "B()", `UndoB(true, "cancelled")`, `UndoA(true, "cancelled")`, `Finally("cancelled")`}, m.events("w"))
		row := m.show("w")
		require.Equal(t, "cancelled", row.Status)
		require.Equal(t, "cancel", row.Ending)
		require.Equal(t, "done", row.Undo.Status.String())
		require.Nil(t, row.Failure)
		wantNoTimer(t, m)
	})
}

// However an instance ends badly, what started is undone.
func TestC26EveryBadEndingUndoes(t *testing.T) {
	for name, c := range map[string]struct {
		step  string
		deeds []deed
		code  string
	}{
		"throw":            {step: `step c { throw { code: "x", message: "no" } }`, code: "x"},
		"fail":             {step: `step c { fail { code: "x", message: "no" } }`, code: "x"},
		"limit":            {step: `step c { while true { } }`, code: "fuel"},
		"step timeout":     {step: `step c timeout 1s { perform World.call("hang") }`, code: "timeout"},
		"workflow timeout": {step: `step c { perform Timer.sleep(1h) }`, code: "timeout"},
		"cancel":           {step: `step c { perform Timer.sleep(1h) }`, code: "cancelled", deeds: []deed{cancels(time.Second, "w")}},
		"cancel in a call": {step: `step c { perform World.call("hang") }`, code: "cancelled", deeds: []deed{cancels(time.Second, "w")}},
		"cancel in pause":  {step: `step c { pause "for ever" }`, code: "cancelled", deeds: []deed{cancels(time.Second, "w")}},
		"cancel in retry":  {step: `step c retry 1 backoff 1h { throw "no" }`, code: "cancelled", deeds: []deed{cancels(time.Second, "w")}},
		"cancel in block": {step: `parallel { step c { perform Timer.sleep(1h) } step d { perform Signal.wait("go") } }`, code: "cancelled",
			deeds: []deed{cancels(time.Second, "w")}},
		"cancel in await": {step: `step c { await spawn Long {} }`, code: "cancelled", deeds: []deed{cancels(time.Second, "w")}},
		"command":         {step: `step c { perform Timer.sleep(1h) } command give_up() in c { fail { code: "x", message: "no" } }`, code: "x", deeds: []deed{asks(time.Second, "W", "w", "give_up")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow Long { step a { perform Timer.sleep(2h) } }
workflow W {
    timeout 30m
    step a { emit A() } compensate(err) { emit UndoA(err.completed, err.code) }
    step b { emit B(); 7 } compensate(err) { emit UndoB(err.value, err.code) }
    ` + c.step + `
}
spawn W {} as "w"`,
				setup: func(m *machine) {
					m.world.takes(time.Hour)
					m.limits.Fuel = 10_000
				},
				deeds: c.deeds,
			}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				undone := []string{"A()", "B()", fmt.Sprintf("UndoB(7, %q)", c.code), fmt.Sprintf("UndoA(true, %q)", c.code)}
				require.Equal(t, undone, m.events("w"))
				want := "failed"
				if c.code == "cancelled" {
					want = "cancelled"
				}
				require.Equal(t, want, m.show("w").Status)
				require.Equal(t, "done", m.show("w").Undo.Status.String())
			})
		})
	}
}

// What undoes a call that was cut does not begin before the call has come back,
// or five seconds have passed, whatever cut it.
func TestC26UndoWaitsForTheCutCall(t *testing.T) {
	for name, c := range map[string]struct {
		clause string
		deeds  []deed
	}{
		"cancel":           {deeds: []deed{cancels(time.Second, "w")}},
		"step timeout":     {clause: "timeout 1s"},
		"workflow timeout": {clause: "timeout none"},
		"command":          {deeds: []deed{asks(time.Second, "W", "w", "give_up")}},
	} {
		for takes, want := range map[time.Duration]time.Duration{3 * time.Second: 3 * time.Second, time.Hour: 6 * time.Second} {
			t.Run(fmt.Sprintf("%s %v", name, takes), func(t *testing.T) {
				limit := ""
				if name == "workflow timeout" {
					limit = "timeout 1s"
				}
				s := scene{
					text: `
workflow W {
    ` + limit + `
    command give_up() in a { fail "given up" }
    step a ` + c.clause + ` { perform World.call("pay") } compensate { emit Undoing(perform Time.now()) }
}
spawn W {} as "w"`,
					setup: func(m *machine) { m.world.takes(takes) },
					deeds: c.deeds,
				}
				m := s.play(t, nil)
				at := time.Unix(0, newVirtual().now).Add(want).UTC().Format(time.RFC3339)
				require.Equal(t, []string{fmt.Sprintf("Undoing(Time(%q))", at)}, m.events("w"))
			})
		}
	}
}

// A cancel at any moment of a saga: each step that has started is undone exactly
// once, in reverse order, and nothing else is.
func TestC26CancelAtEveryMoment(t *testing.T) {
	s := scene{
		text: `
workflow W {
    step a { perform World.call("a"); emit A() } compensate(err) { perform World.call("undo a"); emit UndoA(err.completed) }
    step b retry 1 { perform Timer.sleep(1s); emit B() } compensate(err) { emit UndoB(err.completed) }
    step c { emit C() } compensate(err) { perform Timer.sleep(1s); emit UndoC(err.completed) }
    step d retry 1 backoff 1s { throw "d" } compensate(err) { emit UndoD(err.completed) }
}
spawn W {} as "w"`,
		setup: func(m *machine) { m.world.takes(time.Second) },
	}
	statuses := map[string]int{}
	s.everyMoment(t, func(m *machine) {
		if err := m.e.Cancel(m.t.Context(), "w"); err != nil {
			require.ErrorIs(m.t, err, engine.ErrRefused)
		}
	}, func(t testing.TB, m *machine) {
		events := m.events("w")
		statuses[m.show("w").Status]++
		done, undone := 0, ""
		for _, e := range events {
			if strings.HasPrefix(e, "Undo") {
				undone += e
			} else {
				require.Empty(t, undone, "a step after an undo")
				done++
			}
		}
		// What was done has been undone as completed; one more may have started.
		all := []string{"UndoD(false)", "UndoC(true)", "UndoB(true)", "UndoA(true)"}
		var want []string
		for _, u := range all[4-min(done+1, 4):] {
			want = append(want, u)
		}
		whole := strings.Join(want, "")
		if done < 3 {
			begun := strings.Replace(whole, "true", "false", 1)
			require.Contains(t, []string{begun, strings.Join(all[4-done:], "")}, undone)
		} else {
			require.Contains(t, []string{whole, strings.Join(all[1:], "")}, undone)
		}
		wantNoTimer(t, m)
	})
	require.Positive(t, statuses["cancelled"])
	require.Positive(t, statuses["failed"])
}

// The middle step fails: its own undo runs first, then that of what was done
// before; the one that never started has none.
func TestC27MiddleStepFails(t *testing.T) {
	s := scene{text: `
workflow W {
    step one { emit One() } compensate(err) { emit Undo(1, err.completed, err.step, err.message) }
    step two { emit Two(); throw "broken" } compensate(err) { emit Undo(2, err.completed, err.step, err.message) }
    step three { emit Three() } compensate { emit Undo(3) }
}
spawn W {} as "w"`}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		require.Equal(t, []string{"One()", `Undo(2, false, "two", "broken")`, `Undo(1, true, "two", "broken")`}, m.events("w"))
		require.Equal(t, "failed", m.show("w").Status)
		require.Equal(t, "two", m.show("w").Failure.Step)
		require.Equal(t, 1, m.show("w").StepIndex)
	})
}

// Each visit is undone once, with the input that it had, whichever way the step
// was reached and left.
func TestC27EveryVisitIsUndoneWithItsInput(t *testing.T) {
	s := scene{text: `
workflow W {
    state n: Int = 0
    step first { goto work(1) } compensate { emit UndoFirst() }
    step work(x) { self.n = x; if x < 3 { goto work(x + 1) } else { goto last } } compensate(err) { emit UndoWork(x, err.completed) }
    step skipped { () } compensate { emit UndoSkipped() }
    step last else plan_b { throw "last" } compensate(err) { emit UndoLast(err.completed) }
    step never { end }
    step plan_b { throw "plan b" } compensate(err) { emit UndoPlanB(err.completed) }
}
spawn W {} as "w"`}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		require.Equal(t, []string{"UndoPlanB(false)", "UndoLast(false)", "UndoWork(3, true)", "UndoWork(2, true)", "UndoWork(1, true)", "UndoFirst()"}, m.events("w"))
		require.Equal(t, "plan b", m.show("w").Failure.Message)
	})
}

// Bodies that count step_index by hand, and bodies that do not, are undone alike.
func TestC28StepIndexByHandChangesNothing(t *testing.T) {
	text := func(bump string) string {
		return strings.ReplaceAll(`
workflow W {
    step one { (emit One(), BUMP) } compensate(err) { (emit Undo(1, err.completed, self.step_index), BUMP) }
    step two { (emit Two(), BUMP) } compensate(err) { emit Undo(2, err.completed, self.step_index) }
    parallel { step x { (emit X(), BUMP) } compensate { emit UndoX() } step y { (emit Y(), BUMP) } compensate { emit UndoY() } }
    step three { (emit Three(), BUMP); throw "no" } compensate(err) { emit Undo(3, err.completed, self.step_index) }
}
spawn W {} as "w"`, "BUMP", bump)
	}
	bare := scene{text: text("()")}
	want := bare.play(t, nil)
	require.Equal(t, []string{"One()", "Two()", "X()", "Y()", "Undo(3, false, 3)", "UndoY()", "UndoX()", "Undo(2, true, 3)", "Undo(1, true, 3)"}, want.events("w"))
	counted := scene{text: text("self.step_index = self.step_index + 1")}
	if found := refusals(t, counted.text); found != nil {
		// In a compensation the position does not move: the checker says so.
		counted.text = strings.Replace(counted.text, "(emit Undo(1, err.completed, self.step_index), self.step_index = self.step_index + 1)",
			"emit Undo(1, err.completed, self.step_index)", 1)
	}
	counted.everyCrash(t, func(t testing.TB, m *machine) {
		require.Equal(t, want.events("w"), m.events("w"))
		require.Equal(t, want.show("w").StepIndex, m.show("w").StepIndex)
	})
}

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
		wantNoTimer(t, m)
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
				require.Equal(t, `["3", "ok", "1"]`, m.fieldText("w", "log"))
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
