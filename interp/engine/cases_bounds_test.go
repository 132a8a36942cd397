package engine_test

import (
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
			m := newMachine(t, `
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
			m := newMachine(t, `
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
	m := newMachine(t, `
workflow W { step a { perform Timer.sleep(1h) } step b { let x = perform Signal.wait("go"); emit Got(x) } }
let w = spawn W {} as "w"
var refused = []
for i in 1..10002 { try { signal w.go(i) } catch e { refused = refused + [(i, e.code)] } }
refused`)
	m.start()
	require.Equal(t, `[(10001, "unavailable"), (10002, "unavailable")]`, m.show("main-1").Result.String())
	require.ErrorIs(t, m.e.Signal(t.Context(), "w", "go", value.Nil, ""), engine.ErrRefused)
	m.reopen()
	require.Equal(t, 10_000, m.show("w").Signals)
	m.advance(time.Hour)
	require.Equal(t, []string{"Got(1)"}, m.events("w"))
	require.Equal(t, "completed", m.show("w").Status)
}

// What is too large is refused or fails the step, wherever it comes from; it
// stops nothing and is not kept.
func TestC56TooLargeIsRefused(t *testing.T) {
	m := newMachine(t, `
entity Box { state s: Any = ""; command set(x: Any) { self.s = x; reply 1 }; command say(x: Any) { emit Said(x) }; command echo(x: Any) { self.s = 1; reply x } }
workflow Field { state s: Any; step a { emit A() } }
workflow Takes { step a { let x = perform Signal.wait("go"); emit Got(x.length) } }
workflow Calls { state s: Any = ""; step a { let x = perform World.call("big"); self.s = x } }
workflow Nests { state s: Any = ""; step a { let x = perform World.call("deep"); self.s = x } }
spawn Takes {} as "takes"`)
	big := value.String(strings.Repeat("x", 5<<20))
	large := value.String(strings.Repeat("x", 2<<20)) // as a payload it passes, as a state it does not
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
	_, err := m.call(box, "set", large)
	require.Error(t, err)
	given, _ := value.NewRecord([]string{"s"}, []value.Value{large}).AsRecord()
	_, err = m.e.Spawn(t.Context(), m.prog, "Field", "f", given, "")
	require.Error(t, err)
	_, err = m.e.Show(t.Context(), "f")
	require.ErrorIs(t, err, engine.ErrNotFound)
	require.Error(t, m.e.Signal(t.Context(), "takes", "g\xffo", value.Nil, ""))
	require.Error(t, m.e.Signal(t.Context(), "takes", "go", value.Nil, "k\xff"))
	require.Error(t, m.e.Signal(t.Context(), "takes", "go", value.Nil, strings.Repeat("k", 100_000)))
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

// What was spent on undo rows has a bound: a loop with a compensation that goes
// round for ever ends, and says why.
func TestC56UndoRowsAreBounded(t *testing.T) {
	m := newMachine(t, `
workflow W { state n: Int = 0; step a { self.n = self.n + 1; if self.n < 20000 { goto a } } compensate { } step b { let x = perform Signal.wait("go") } }
spawn W {} as "w"`)
	m.start()
	s := m.show("w")
	require.Equal(t, "failed", s.Status)
	require.Contains(t, s.Failure.Message, "10")
	require.Equal(t, "done", s.Undo.Status.String())
}

// Texts that are each within the limits, handed on six at a time: whatever takes
// them refuses them or keeps them, and the engine lives.
func TestC56SixLargeTextsAtOnce(t *testing.T) {
	for name, body := range map[string]string{
		"print":       "perform IO.print(s, s, s, s, s, s)",
		"emit":        "emit E(s, s, s, s, s, s)",
		"many emits":  "emit E(s); emit E(s); emit E(s); emit E(s); emit E(s)",
		"ask":         `ask Box("b").take(s, s, s, s, s, s)`,
		"reply":       `ask Box("b").give(12)`,
		"call":        "perform World.call(s)",
		"call, tuple": "perform World.call((s, s, s, s, s, s))",
		"signal":      `signal Takes("takes").go(s)`,
		"spawn":       `spawn Fields { a: s, b: s, c: s, d: s, e: s, f: s }`,
		"init":        `spawn Inits {}`,
		"init emits":  `spawn InitEmits {}`,
		"goto":        `goto next(s)`,
		"goto, tuple": `goto next((s, s, s, s, s, s))`,
		"pause":       `pause s`,
		"throw":       `throw { code: s, message: s, detail: [s] }`,
		"fail":        `fail { code: s, message: s, detail: [s] }`,
		"end":         `end s`,
		"value":       `s`,
		"state":       `self.x = s`,
		"query":       `let x = ask Box("b").large(); let y = ask Box("b").large(); let z = perform Time.now(); perform Timer.sleep(1s); (x.length, y.length)`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, `
fn large(n) { var s = "0123456789abcdef"; for i in 1..n { s = s + s }; s }
entity Box {
    state n: Int = 0
    command take(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) { self.n += 1; reply 1 }
    command give(n: Int) { self.n += 1; let s = large(19); reply [s] }
    query large() { large(19) }
}
workflow Takes { step a { let x = perform Signal.wait("go") } }
workflow Fields { state a: Any = 0; state b: Any = 0; state c: Any = 0; state d: Any = 0; state e: Any = 0; state f: Any = 0; step x { 1 } }
workflow Inits { state a: Any = 0; init { self.a = large(18) }; step x { 1 } }
workflow InitEmits { init { let s = large(19); emit E(s, s, s, s, s, s) }; step x { 1 } }
workflow Bad {
    state x: Any = nil
    step a { let s = large(19); `+body+` } compensate { emit Undone() }
    step b { end 1 }
    step next(x) { perform Timer.sleep(1s) }
}
workflow Good { step a { perform Timer.sleep(1h); emit Done() } }
spawn Takes {} as "takes"
spawn Good {} as "good"
spawn Bad {} as "bad"`)
			m.start()
			m.advance(time.Minute)
			m.reopen()
			m.advance(2 * time.Hour)
			require.Equal(t, []string{"Done()"}, m.events("good"))
			s := m.show("bad")
			require.False(t, s.Parked, "%v", s.Waiting)
			m.history("bad")
			for _, f := range s.Fields {
				require.Less(t, value.Size(f.Value), 1<<20)
			}
			for id := range map[string]bool{"bad/a-1": true, "Box/b": true} {
				if s, err := m.e.Show(t.Context(), id); err == nil {
					for _, f := range s.Fields {
						require.Less(t, value.Size(f.Value), 1<<20, "%s of %s", f.Name, id)
					}
				}
			}
			for _, r := range m.history("bad") {
				require.LessOrEqual(t, value.Size(r.Value), 4<<20, "a journaled payload: %v %s", r.Kind, r.What)
			}
		})
	}
}
