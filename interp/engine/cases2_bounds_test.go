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

// Loops that never end, though every round of them is a transition or has an
// effect: others go on, and somebody can stop them.
func TestC56EndlessTransitionsLeaveOthersAlone(t *testing.T) {
	for name, body := range map[string]string{
		"goto":        `step a { goto a }`,
		"goto, reads": `step a { let n = perform Time.now(); goto a }`,
		"goto, calls": `step a { perform World.call("x"); goto a }`,
		"two steps":   `step a { goto b } step b { goto a }`,
		"short naps":  `step a { perform Timer.sleep(0s); goto a }`,
		"pauses":      `step a { pause for 0s then a }`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newPlay(t, `
workflow Bad { `+body+` }
workflow Good { step a { emit One() } step b { perform World.call("x"); emit Two() } step c { let x = perform Signal.wait("go"); emit Three() } }
spawn Bad {} as "bad"
spawn Good {} as "good"`)
			require.NoError(t, m.begin())
			for range 2_000 {
				require.True(t, m.e.Step(), "it goes on and on")
			}
			require.Equal(t, []string{"One()", "Two()"}, m.events("good"))
			require.NoError(t, m.e.Signal(t.Context(), "good", "go", value.Nil, ""))
			for range 200 {
				m.e.Step()
			}
			require.Equal(t, "completed", m.show("good").Status)
			require.NoError(t, m.e.Cancel(t.Context(), "bad"))
			m.settle()
			require.Equal(t, "cancelled", m.show("bad").Status)
			m.noTimers(t)
		})
	}
}

// A loop with an effect in every round has a bound too.
func TestC56EndlessEffectsAreStopped(t *testing.T) {
	for name, body := range map[string]string{
		"clock": "perform Time.now()", "ids": "perform Uuid.new()", "chance": "perform Random.int(1, 6)", "prints": `perform IO.print("x")`,
		"calls": `perform World.call("x")`, "naps": "perform Timer.sleep(0s)", "queries": `ask Good("good").lifecycle()`,
		"signals": `signal Good("good").go()`, "refusals": `try { signal Good("nobody").go() } catch e { 1 }`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newPlay(t, `
workflow Good { step c { let x = perform Signal.wait("go"); let y = perform Signal.wait("stop"); emit Done() } }
workflow Bad { timeout none; step a timeout none { while true { `+body+` } } }
spawn Good {} as "good"
spawn Bad {} as "bad"`)
			require.NoError(t, m.begin())
			steps := 0
			for m.e.Step() {
				steps++
				if steps == 400_000 {
					require.Fail(t, "it goes on and on")
				}
			}
			require.NoError(t, m.e.Err())
			s := m.show("bad")
			require.Equal(t, "failed", s.Status, "%v", s.Waiting)
			require.Regexp(t, `^test\.wf:3:`, s.Failure.Place)
			if name == "signals" {
				return // its inbox is full of them
			}
			m.signal("good", "go", value.Nil)
			m.signal("good", "stop", value.Nil)
			require.Equal(t, []string{"Done()"}, m.events("good"))
		})
	}
}

func TestC56InboxIsBounded(t *testing.T) {
	m := newPlay(t, `
workflow W { step a { perform Timer.sleep(1h) } step b { let x = perform Signal.wait("go"); emit Got(x) } }
spawn W {} as "w"`)
	m.start()
	sent := 0
	for ; sent <= 10_000; sent++ {
		if err := m.e.Signal(t.Context(), "w", "go", value.Int(int64(sent)), ""); err != nil {
			require.ErrorIs(t, err, engine.ErrRefused)
			break
		}
	}
	require.Equal(t, 10_000, sent)
	m.reopen()
	require.Equal(t, 10_000, m.show("w").Signals)
	m.advance(time.Hour)
	require.Equal(t, []string{"Got(0)"}, m.events("w"))
}

// What is too large is refused or fails the step, wherever it comes from; it
// stops nothing and is not kept.
func TestC56TooLargeIsRefused(t *testing.T) {
	m := newPlay(t, `
entity Box { state s: Any = ""; command set(x: Any) { self.s = x; reply 1 }; command say(x: Any) { emit Said(x) }; command echo(x: Any) { self.s = 1; reply x } }
workflow Field { state s: Any; step a { emit A() } }
workflow Takes { step a { let x = perform Signal.wait("go"); emit Got(x.length) } }
workflow Calls { state s: Any = ""; step a { let x = perform World.call("big"); self.s = x } }
workflow Nests { state s: Any = ""; step a { let x = perform World.call("deep"); self.s = x } }
spawn Takes {} as "takes"`)
	big := value.String(strings.Repeat("x", 5<<20))
	deep := value.Int(1)
	for range 20_000 {
		deep = value.List(deep)
	}
	bad := value.String("a\xff")
	m.world.answer = func(_ int, c engine.Call) (value.Value, error) {
		if c.Args[0].Text() == "deep" {
			return deep, nil
		}
		return big, nil
	}
	m.start()
	box := value.Handle{Type: "Box", ID: "b", Entity: true}
	for name, v := range map[string]value.Value{"big": big, "deep": deep, "bad text": bad, "bad key": value.NewRecord([]string{"a\xff"}, []value.Value{value.Int(1)}),
		"bad text inside": value.List(value.Tuple(bad))} {
		t.Run(name, func(t *testing.T) {
			before := len(m.history("takes"))
			require.Error(t, m.e.Signal(t.Context(), "takes", "go", v, ""))
			m.settle()
			require.Len(t, m.history("takes"), before)
			for _, command := range []string{"set", "say", "echo"} {
				_, err := m.call(box, command, v)
				require.Error(t, err, command)
			}
			given, _ := value.NewRecord([]string{"s"}, []value.Value{v}).AsRecord()
			_, err := m.e.Spawn(t.Context(), m.prog, "Field", "f", given, "")
			require.Error(t, err)
			m.settle()
			_, err = m.e.Show(t.Context(), "f")
			require.ErrorIs(t, err, engine.ErrNotFound)
		})
	}
	none, _ := value.NewRecord(nil, nil).AsRecord()
	for _, w := range []string{"Calls", "Nests"} {
		_, err := m.e.Spawn(t.Context(), m.prog, w, w, none, "")
		require.NoError(t, err)
		m.settle()
		require.Equal(t, "failed", m.show(w).Status, w)
	}
	m.reopen()
	m.signal("takes", "go", value.String("abc"))
	require.Equal(t, []string{"Got(3)"}, m.events("takes"))
}

// An answer of the world that is no text of the language does not get in.
func TestC58BadTextFromTheWorld(t *testing.T) {
	m := newPlay(t, `
workflow W { state s: Any = ""; step a { let x = try { perform World.call("x") } catch e { e.code }; self.s = x } }
spawn W {} as "w"`)
	m.world.answer = func(int, engine.Call) (value.Value, error) { return value.String("a\xff"), nil }
	m.run()
	s := m.show("w")
	require.Contains(t, []string{"completed", "failed"}, s.Status)
	m.reopen()
	require.NotContains(t, fmt.Sprint(m.show("w").Fields), "\xff")
}

// What was spent on undo rows has a bound: a loop with a compensation that goes
// round for ever ends, and says why.
func TestC56UndoRowsAreBounded(t *testing.T) {
	m := newPlay(t, `
workflow W { state n: Int = 0; step a { self.n = self.n + 1; if self.n < 20000 { goto a } } compensate { } step b { let x = perform Signal.wait("go") } }
spawn W {} as "w"`)
	m.start()
	s := m.show("w")
	require.Equal(t, "failed", s.Status)
	require.Contains(t, s.Failure.Message, "10")
	require.Equal(t, "done", s.Undo.Status.String())
}
