package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

func TestC52DeletingWhileListing(t *testing.T) {
	for name, open := range map[string]func() (persist.Store, error){
		"memory": func() (persist.Store, error) { return persist.NewMemory(), nil },
		"bolt":   func() (persist.Store, error) { return bolt.Open(t.TempDir()+"/store", bolt.Options{NoSync: true}) },
	} {
		t.Run(name, func(t *testing.T) {
			store, err := open()
			require.NoError(t, err)
			defer store.Close()
			prog := compile(t, `
workflow Done { state n: Int; step a { emit Done(self.n) } }
workflow Live { state n: Int; step a { emit Live(self.n) }; step b { let x = perform Signal.wait("go") } }`)
			const count = 1000
			e, err := engine.Open(t.Context(), config(store, nil))
			require.NoError(t, err)
			require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
				return eachOf(count+10, 64, func(i int) error {
					given, _ := value.NewRecord([]string{"n"}, []value.Value{value.Int(int64(i))}).AsRecord()
					workflow := "Done"
					if i%101 == 7 {
						workflow = "Live"
					}
					_, err := e.Spawn(ctx, prog, workflow, fmt.Sprintf("i-%d", i), given, "")
					return err
				})
			}))
			require.NoError(t, e.Close())
			before := listed(t, store)
			require.Len(t, before, count+10)

			e, err = engine.Open(t.Context(), config(store, nil))
			require.NoError(t, err)
			require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
				return e.List(ctx, persist.Filter{Status: "completed"}, func(s engine.Summary, err error) bool {
					require.NoError(t, err)
					require.NoError(t, e.Delete(ctx, s.ID, false))
					return true
				})
			}))
			require.NoError(t, e.Close())
			after := listed(t, store)
			require.Len(t, after, 10)
			for id, status := range after {
				require.Equal(t, "running", status)
				require.Equal(t, before[id], status)
				_, err := e.Show(t.Context(), id)
				require.NoError(t, err)
				records := 0
				require.NoError(t, e.History(t.Context(), id, func(*engine.Record) bool { records++; return true }))
				require.NotZero(t, records)
			}
			for id := range before {
				if _, lives := after[id]; !lives {
					_, err := e.Show(t.Context(), id)
					require.ErrorIs(t, err, engine.ErrNotFound)
				}
			}
		})
	}
}

func listed(t *testing.T, store persist.Store) map[string]string {
	out := map[string]string{}
	for r, err := range store.List(t.Context(), persist.Filter{}) {
		require.NoError(t, err)
		require.NotContains(t, out, r.ID)
		out[r.ID] = r.Status
	}
	return out
}

// bombs are bodies that would never end, or not fit, if nobody stopped them.
var bombs = map[string]string{
	"recursion":        "forever(1)",
	"mutual recursion": "ping(1)",
	"through a lambda": "let f = fn(x) = lambda(x); f(1)",
	"through builtin":  "deepmap(1)",
	"loop":             "while true { }",
	"loop with work":   "var n = 0; while true { n = n + 1; if n > 1000 { n = 0 } }",
	"range":            "for i in 1..9223372036854775807 { let x = i }",
	"doubling text":    `var s = "x"; while true { s = s + s }`,
	"doubling list":    `var l = [1]; while true { l = l + l }`,
	"growing list":     `var l = [1]; while true { l = l + [1] }`,
	"nested list":      `var l = [1]; for i in 1..100000 { l = [l] }; self.x = l`,
	"nested record":    `var r = { a: 1 }; for i in 1..100000 { r = { a: r } }; self.x = r`,
	"nested for ever":  `var l = [1]; while true { l = [l, l] }`,
	"interpolation":    `var s = "x"; while true { s = "${s}${s}" }`,
	"record keys":      `var r = {}; var n = 0; while true { r = { ...r, ["k${n}"]: n }; n = n + 1 }`,
	"fold":             `List.fold(1..1000000, [], fn(a, x) = [a, a])`,
}

const bombFunctions = `
fn forever(n) { 1 + forever(n + 1) }
fn ping(n) { 1 + pong(n + 1) }
fn pong(n) { 1 + ping(n + 1) }
fn lambda(x) { let f = fn(y) = lambda(y); 1 + f(x) }
fn deepmap(n) { List.map([n], fn(x) = deepmap(x)) }
`

func TestC56BombsAreStoppedWithAPosition(t *testing.T) {
	for name, body := range bombs {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, bombFunctions+`
workflow Bad {
    state x: Any = nil
    step a { `+body+` } compensate(err) { emit Undone(err.code) }
}
workflow Good { step a { perform Timer.sleep(1s); emit Done() } }
spawn Bad {} as "bad"
spawn Good {} as "good"`)
			m.limits = interp.Limits{Fuel: 1_000_000}
			began := time.Now()
			m.run()
			require.Less(t, time.Since(began), 20*time.Second)
			s := m.show("bad")
			require.Equal(t, "failed", s.Status)
			require.Contains(t, []string{"fuel", "depth", "memory", "limit", "too_large"}, s.Failure.Code)
			require.Regexp(t, `^test\.wf:\d+:\d+$`, s.Failure.Place)
			require.Equal(t, "a", s.Failure.Step)
			require.Less(t, len(s.Failure.Message), 300)
			require.NotContains(t, s.Failure.Message, "goroutine")
			require.Len(t, m.events("bad"), 1, "it is undone like any other")
			require.Equal(t, []string{"Done()"}, m.events("good"))
			require.True(t, s.Fields == nil, "nothing of it is kept")
			m.reopen()
			require.Equal(t, "failed", m.show("bad").Status)
		})
	}
}

// A used-up limit cannot be caught, and is not worth a retry.
func TestC56LimitsCannotBeCaught(t *testing.T) {
	for name, body := range bombs {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, bombFunctions+`
workflow Bad {
    state x: Any = nil
    step a retry 3 { perform IO.print("try"); let y = try { `+body+` } catch e { "caught" }; emit Survived() }
}
spawn Bad {} as "bad"`)
			m.limits = interp.Limits{Fuel: 1_000_000}
			m.run()
			require.Equal(t, "failed", m.show("bad").Status)
			require.Empty(t, m.events("bad"))
			require.Equal(t, []string{"try"}, m.printed("bad"))
		})
	}
}

// Bombs in every other place that computes.
func TestC56BombsInHandlersAndClauses(t *testing.T) {
	for name, body := range map[string]string{"recursion": "forever(1)", "loop": "loops()"} {
		for place, text := range map[string]string{
			"retry":        `workflow W { step a retry BOMB { throw "no" } }`,
			"when":         `workflow W { step a retry 1 when e.code != BOMB { throw "no" } }`,
			"for":          `workflow W { parallel for x in [BOMB] { step a { 1 } } }`,
			"first":        `workflow W { parallel first BOMB { step a { 1 } step b { 2 } } }`,
			"select":       `workflow W { step a { select { signal "s${BOMB}"(x) => 1, after 1s => 2 } } }`,
			"compensate":   `workflow W { step a { 1 } compensate { BOMB } step b { throw "no" } }`,
			"finally":      `workflow W { step a { throw "no" } finally(o) { BOMB } }`,
			"spawn fields": `workflow W { step a { spawn V { x: BOMB } } }`,
			"emit":         `workflow W { step a { emit E(BOMB) } }`,
			"branch":       `workflow W { parallel { step a { BOMB } step b { perform Timer.sleep(1h) } } }`,
		} {
			t.Run(place+" "+name, func(t *testing.T) {
				m := newMachine(t, bombFunctions+`
fn loops() { while true { } }
workflow V { state x: Any = nil; step a { 1 } }
workflow Good { step a { perform Timer.sleep(1s); emit Done() } }
`+strings.Replace(text, "BOMB", body, 1)+`
spawn W {} as "w"
spawn Good {} as "good"`)
				m.limits = interp.Limits{Fuel: 200_000}
				m.run()
				require.Equal(t, []string{"Done()"}, m.events("good"))
				s := m.show("w")
				require.Equal(t, "failed", s.Status)
				require.False(t, s.Parked)
				m.noTimers(t)
			})
		}
	}
}

func TestC56BombsInCommandsQueriesInit(t *testing.T) {
	m := newMachine(t, bombFunctions+`
fn loops() { while true { } }
entity E { state n: Int = 0; command boom() { self.n = 1; loops() }; command deep() { self.n = forever(1) }; query q() { loops() }; query d() { forever(1) }; query n() { self.n } }
workflow I { init { loops() }; step a { 1 } }
workflow J { state n: Int = forever(1); step a { 1 } }
workflow Good { step a { let x = perform Signal.wait("go"); emit Done() } }
spawn Good {} as "good"`)
	m.run()
	e := value.Handle{Type: "E", ID: "e", Entity: true}
	for _, name := range []string{"boom", "deep"} {
		_, err := m.call(e, name)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "goroutine")
	}
	for _, name := range []string{"q", "d"} {
		_, err := m.e.Query(t.Context(), "E/e", name, nil)
		require.Error(t, err)
	}
	require.Equal(t, value.Int(0), m.query("E/e", "n"))
	none, _ := value.NewRecord(nil, nil).AsRecord()
	for _, w := range []string{"I", "J"} {
		_, err := m.e.Spawn(t.Context(), m.prog, w, "x", none, "")
		require.Error(t, err)
		_, err = m.e.Show(t.Context(), "x")
		require.ErrorIs(t, err, engine.ErrNotFound)
	}
	m.signal("good", "go", value.Nil)
	require.Equal(t, []string{"Done()"}, m.events("good"))
}

// Nesting in the source is bounded too, whatever is nested.
func TestC56DeepSourcesAreSourceErrors(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"list":         strings.Repeat("[", n) + strings.Repeat("]", n),
		"list, open":   strings.Repeat("[", n),
		"record":       "let x = " + strings.Repeat("{ a: ", n) + "1" + strings.Repeat("}", n),
		"tuple":        strings.Repeat("(", n) + "1" + strings.Repeat(")", n),
		"block":        "let x = " + strings.Repeat("{ ", n) + "1" + strings.Repeat("}", n),
		"minus":        strings.Repeat("-", n) + "1",
		"not":          strings.Repeat("!", n) + "true",
		"if":           strings.Repeat("if true then ", n/4) + "1",
		"else if":      "if true { 1 }" + strings.Repeat(" else if true { 1 }", n/2),
		"lambda":       "let f = " + strings.Repeat("fn(x) = ", n) + "1",
		"let in":       strings.Repeat("let a = 1 in ", n/4) + "a",
		"text":         strings.Repeat(`"${`, n) + "1" + strings.Repeat(`}"`, n),
		"type":         "type T = " + strings.Repeat("[", n) + "Int" + strings.Repeat("]", n),
		"pattern":      "match 1 { " + strings.Repeat("[", n) + "x" + strings.Repeat("]", n) + " => 1 }",
		"comment":      strings.Repeat("/* ", n) + strings.Repeat("*/ ", n) + "1 +",
		"block of par": "workflow W { " + strings.Repeat("parallel { branch b { ", n/4) + strings.Repeat("} } ", n/4) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			t.Log(refused(t, text))
			require.Less(t, time.Since(began), 10*time.Second)
		})
	}
}

// What is long but not deep is a program, or refused; never a crash.
func TestC56LongSources(t *testing.T) {
	const n = 50_000
	for name, text := range map[string]string{
		"sum":   "1" + strings.Repeat(" + 1", n),
		"text":  `"a"` + strings.Repeat(` + "a"`, n),
		"and":   "true" + strings.Repeat(" && true", n),
		"pipe":  "fn f(x) { x }\n1" + strings.Repeat(" |> f()", n),
		"field": "let r = { a: 1 }\nr" + strings.Repeat("?.a", n),
		"call":  "fn f() { f }\nf" + strings.Repeat("()", n),
		"list":  "[1" + strings.Repeat(", 1", n) + "]",
		"lines": strings.Repeat("let x = 1\n", 1) + strings.Repeat("x\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			prog, ds, _ := compileText("test.wf", text)
			if prog == nil {
				require.True(t, ds.HasErrors())
				t.Log(ds[0].Message)
				return
			}
			m := &machine{t: t, disk: newDisk(), clock: newVirtual(), world: &world{}, prog: prog}
			m.run()
			require.Contains(t, []string{"completed", "failed"}, m.show("main-1").Status)
		})
	}
}
