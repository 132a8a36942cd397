package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
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
		m.noTimers(t)
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
		m.noTimers(t)
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
