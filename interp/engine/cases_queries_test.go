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

// A query that would change something, in the ways that can be seen.
func TestC41QueriesThatWriteAreRefusedAtLoad(t *testing.T) {
	const frame = `
fn bump() { self.n = self.n + 1 }
fn twice() { bump(); bump() }
fn tell() { emit Told() }
workflow W {
    state n: Int = 1
    state xs: [Int] = [1]
    query q() { BODY }
    step a { bump(); twice(); tell() }
}`
	for _, body := range []string{
		"self.n = 2", "self.n += 1", "self.xs[0] = 2", "self = { n: 3 }", "(self.n = 2, 1)",
		"bump()", "twice()", "emit Told()", "tell()", "if self.n == 1 { bump() } else { 2 }", "List.map([1], fn(x) = bump())",
		"goto a", "pause", "end", "fail \"no\"", "reply 1", "delete", "reject \"no\"",
	} {
		t.Run(body, func(t *testing.T) {
			said := refused(t, strings.Replace(frame, "BODY", body, 1))
			line, _, _ := strings.Cut(said, ":")
			require.Equal(t, "8", line, "%s", said)
		})
	}
}

// A function that changes something is no query function either: what the
// checker lets pass is an error when it is asked.
func TestC41QueryFunctionsThatWriteAreRefused(t *testing.T) {
	for _, body := range []string{"self.n = 2", "self.n + { self.n = 2; 1 }", "emit Told(); self.n", "emit Told()", "bump()",
		"perform Timer.sleep(1s)", "perform Timer.sleep(1s); self.n", "perform World.call(1)"} {
		t.Run(body, func(t *testing.T) {
			text := `
workflow W { state n: Int = 1; step a { self.n = 2 } }
fn bump() { self.n = self.n + 1 }
fn q() { ` + body + ` }
let w = spawn W {} as "w"
q`
			if prog, _, _ := compileText("test.wf", text); prog == nil {
				t.Log(refused(t, text))
				return
			}
			m := newMachine(t, text)
			m.run()
			before, commits := m.history("w"), m.store.Commits()
			_, err := m.e.Query(t.Context(), "w", "q", nil)
			require.Error(t, err)
			m.settle()
			require.Equal(t, before, m.history("w"))
			require.Equal(t, commits, m.store.Commits())
			require.Empty(t, m.events("w"))
			require.Equal(t, value.Int(2), m.field("w", "n"))
		})
	}
}

// What the checker cannot see, behind a function that is a value, is an error
// when it happens, and changes nothing.
func TestC41HiddenWritesChangeNothing(t *testing.T) {
	for name, body := range map[string]string{"assign": "self.n = 2", "emit": "emit Told()", "wait": "perform Timer.sleep(1s)", "call": `perform World.call("x")`} {
		t.Run(name, func(t *testing.T) {
			text := `
fn hidden() { ` + body + ` }
workflow W {
    state n: Int = 1
    state f: Any = nil
    query q() { let f = self.f; f() }
    step a { self.f = hidden }
    step b { let x = perform Signal.wait("go"); hidden() }
}
spawn W {} as "w"`
			prog, ds, _ := compileText("test.wf", text)
			if prog == nil {
				require.True(t, ds.HasErrors()) // seen at load: better
				t.Log(ds[0].Message)
				return
			}
			m := newMachine(t, text)
			m.run()
			before, state, commits := m.history("w"), m.show("w"), m.store.Commits()
			_, err := m.e.Query(t.Context(), "w", "q", nil)
			require.Error(t, err)
			m.settle()
			require.Equal(t, before, m.history("w"))
			require.Equal(t, state, m.show("w"))
			require.Equal(t, commits, m.store.Commits())
			require.Empty(t, m.events("w"))
			require.Empty(t, m.world.calls)
		})
	}
}

func TestC42QueriesThatWaitAreRefusedAtLoad(t *testing.T) {
	const frame = `
workflow Other { state n: Int = 1; command c() { self.n = 2 }; step a { let x = perform Signal.wait("s") } }
fn nap() { perform Timer.sleep(1s) }
fn deep() { nap() }
workflow W {
    query q() {
        BODY
    }
    step a { nap(); deep() }
}`
	for _, body := range []string{
		`perform Signal.wait("go")`, `perform Timer.sleep(1s)`, `perform Timer.until(perform Time.now())`, `nap()`, `deep()`,
		`select { signal go(x) => x, after 1s => nil }`, `await Other("o")`, `ask Other("o").c()`, `spawn Other {}`, `signal Other("o").s()`,
		`perform World.call("x")`, `perform IO.print("x")`, `perform Uuid.new()`, `List.map([1], fn(x) = nap())`,
	} {
		t.Run(body, func(t *testing.T) {
			said := refused(t, strings.Replace(frame, "BODY", body, 1))
			if !strings.Contains(body, "List.map") { // that one is told where it sleeps
				require.True(t, strings.HasPrefix(said, "7:"), "%s", said)
			}
		})
	}
	compile(t, strings.Replace(frame, "BODY", "perform Time.now()", 1))
}

const begins = `
workflow W {
    state n: Int = 7
    state who: String
    query n() -> Int { self.n }
    command bump() in a { self.n += 1 }
    step a { self.n = 8 }
    step b { let x = perform Signal.wait("go") }
}
`

func TestC43QueryBeforeTheFirstStep(t *testing.T) {
	store := persist.NewMemory()
	prog := compile(t, begins)
	var out shown
	c := config(store, &out)
	c.Passive = true // nobody drives
	e, err := engine.Open(t.Context(), c)
	require.NoError(t, err)
	given, _ := value.NewRecord([]string{"who"}, []value.Value{value.String("ann")}).AsRecord()
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
		_, err := e.Spawn(ctx, prog, "W", "w", given, "")
		return err
	}))
	require.NoError(t, e.Close())

	m := &machine{t: t, e: e}
	require.Equal(t, value.Int(7), m.query("w", "n"))
	require.Equal(t, value.String("ann"), m.field("w", "who"))
	for name, want := range map[string]value.Value{"status": value.String("running"), "step": value.String("a"), "step_index": value.Int(0),
		"id": value.String("w"), "workflow": value.String("W"), "failure": value.Nil, "result": value.Nil, "ending": value.Nil,
		"is_terminal": value.Bool(false), "commands": value.List(value.String("bump"))} {
		require.Equal(t, want.String(), m.lifecycle("w", name).String(), name)
	}
}

// The initial state is there also between the spawn's commit and the first
// step's, as seen by a query in that moment.
func TestC43QueryAtEveryMoment(t *testing.T) {
	m := newMachine(t, begins+`spawn W { who: "bob" } as "w"`)
	require.NoError(t, m.begin())
	seen := map[string]bool{}
	for m.e.Step() {
		v, err := m.e.Query(t.Context(), "w", "n", nil)
		if err != nil {
			require.ErrorIs(t, err, engine.ErrNotFound)
			require.Empty(t, seen, "once there, always there")
			continue
		}
		seen[v.String()+" "+m.lifecycle("w", "step").String()] = true
	}
	require.Equal(t, map[string]bool{`7 "a"`: true, `8 "b"`: true}, seen)
}

func TestC44QueryDuringAStepSeesTheLastTransition(t *testing.T) {
	const text = `
workflow W {
    state a: Int = 0
    query a() -> Int { self.a }
    step work { self.a = 1; perform Timer.sleep(5s); self.a = 2 }
    step rest { let x = perform Signal.wait("go") }
}
spawn W {} as "w"`
	m := newMachine(t, text)
	m.start()
	for range 5 {
		require.Equal(t, value.Int(0), m.query("w", "a"))
		require.Equal(t, value.String("work"), m.lifecycle("w", "step"))
		m.advance(time.Second - 1)
		require.Equal(t, value.Int(0), m.query("w", "a"))
		m.advance(1)
	}
	require.Equal(t, value.Int(2), m.query("w", "a"))
	require.Equal(t, value.String("rest"), m.lifecycle("w", "step"))
}

// The same while a call to the world takes its time, from another instance, from
// the instance itself, and in a step that has waited.
func TestC44QueriesFromEverywhereSeeTheLastTransition(t *testing.T) {
	everywhere(t, `
workflow W {
    state a: Int = 0
    query a() -> Int { self.a }
    step work { self.a = 1; perform World.call("slow"); let own = ask W(self.id).a(); self.a = 2; emit Own(own) }
    step rest { perform Timer.sleep(1m) }
}
workflow Other {
    step look { emit Saw(ask W("w").a(), perform Time.now()); perform Timer.sleep(1s) }
    step again { emit Saw(ask W("w").a(), perform Time.now()); perform Timer.sleep(19s) }
    step last { emit Saw(ask W("w").a(), perform Time.now()) }
}
spawn W {} as "w"
spawn Other {} as "o"`, func(m *machine) {
		m.world.delay = func(int, engine.Call) time.Duration { return 5 * time.Second }
	}, func(t *testing.T, m *machine) {
		require.Equal(t, []string{"Own(0)"}, m.events("w"))
		require.Equal(t, []string{`Saw(0, Time("2030-01-01T00:00:00Z"))`, `Saw(0, Time("2030-01-01T00:00:01Z"))`, `Saw(2, Time("2030-01-01T00:00:20Z"))`}, m.events("o"))
	})
}

// Every moment of a run shows a committed state, never one in between.
func TestC44NoStateInBetweenIsEverSeen(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state a: Int = 0
    state b: Int = 0
    query both() { (self.a, self.b) }
    step one { self.a = 1; perform World.call("x"); self.b = 1 }
    parallel {
        step two { self.a = 2; perform World.call("y"); perform Timer.sleep(1s) }
        step three { self.b = 3; perform Timer.sleep(2s) }
    }
    step four retry 1 { self.a = 9; self.b = 9; if perform World.call("z") == "bad" { throw "again" }; self.a = 4; self.b = 4 }
}
spawn W {} as "w"`)
	m.world.answer = func(_ int, c engine.Call) (value.Value, error) {
		if c.Args[0].Text() == "z" && len(m.world.calls) == 3 {
			return value.String("bad"), nil
		}
		return value.String("ok"), nil
	}
	m.start()
	seen := []string{}
	look := func() {
		v, err := m.e.Query(t.Context(), "w", "both", nil)
		require.NoError(t, err)
		if len(seen) == 0 || seen[len(seen)-1] != v.String() {
			seen = append(seen, v.String())
		}
	}
	for {
		look()
		if m.e.Step() {
			continue
		}
		at, ok := m.e.NextTimer()
		if !ok {
			break
		}
		m.clock.now = max(m.clock.now, at)
	}
	require.Equal(t, []string{"(1, 1)", "(2, 1)", "(2, 3)", "(4, 4)"}, seen)
}

// A wait that is hidden behind a function that is a value either is one like any
// other or fails its step with its place: it is no internal error, and commands
// come through all the time.
func TestC44CommandsComeThroughAHiddenWait(t *testing.T) {
	const text = `
fn hidden() { perform Signal.wait("go") }
workflow W {
    state f: Any = nil
    state n: Int = 0
    command add() { self.n += 1; reply self.n }
    step a { self.f = hidden }
    step b else d { let f = self.f; emit Got(f()) }
    step c { end }
    step d { let x = perform Signal.wait("other") }
}
spawn W {} as "w"`
	if prog, ds, _ := compileText("test.wf", text); prog == nil {
		t.Log(ds[0].Message)
		return
	}
	m := newMachine(t, text)
	require.NoError(t, m.begin())
	answered := 0
	for m.e.Step() {
		if v, err := m.e.Call(t.Context(), handle("W", "w"), "add", nil, "", m.prog); err == nil {
			answered++
			require.Equal(t, value.Int(int64(answered)), v)
		} else {
			require.ErrorIs(t, err, engine.ErrNotFound, "only before it is there")
		}
	}
	require.NotZero(t, answered)
	s := m.show("w")
	require.Equal(t, "running", s.Status, "%v", s.Waiting)
	if s.Step == "b" {
		m.signal("w", "go", value.Int(7))
		require.Equal(t, []string{"Got(7)"}, m.events("w"))
		return
	}
	require.Equal(t, "d", s.Step)
	require.Equal(t, "denied", s.Failure.Code)
	require.Equal(t, "test.wf:2:15", s.Failure.Place)
	require.Empty(t, m.events("w"))
}
