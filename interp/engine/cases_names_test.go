package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

// An answer of the world that is no text of the language does not get in.
func TestC58BadTextFromTheWorld(t *testing.T) {
	m := newMachine(t, `
workflow W { state s: Any = ""; step a { let x = try { perform World.call("x") } catch e { e.code }; self.s = x } }
spawn W {} as "w"`)
	m.world.answer = func(int, engine.Call) (value.Value, error) { return value.String("a\xff"), nil }
	m.run()
	m.reopen()
	require.Equal(t, "completed", m.show("w").Status)
	require.Equal(t, value.String("bad_request"), m.field("w", "s"))

	// In an error what is no text is replaced.
	m = newMachine(t, `
workflow W { step a { perform World.call("x") } }
spawn W {} as "w"`)
	m.world.answer = func(int, engine.Call) (value.Value, error) {
		return value.Nil, &interp.Fault{Code: "c\xff", Message: "m\xff", Detail: value.String("\xff"), Index: -1}
	}
	m.run()
	m.reopen()
	require.Equal(t, "failed", m.show("w").Status)
	require.Equal(t, "m\ufffd", m.show("w").Failure.Message)
	require.Equal(t, value.Nil, m.show("w").Failure.Detail)
	m.history("w")
}

// Names that are as long as a source may be harm nothing: they are refused, or
// kept.
func TestC58LongNames(t *testing.T) {
	for _, n := range []int{250, 40_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { longNames(t, strings.Repeat("n", n)) })
	}
}

func longNames(t *testing.T, long string) {
	for name, text := range map[string]string{
		"field":    `workflow W { state ` + long + `: Any = 0; step a { let s = String.join(List.map(1..600, fn(i) = "x")); self.` + long + ` = s } } spawn W {} as "w"`,
		"step":     `workflow W { step ` + long + ` { emit A(); perform World.call("x") } compensate { emit B() } step b { let c = spawn V {} } } workflow V { step a { 1 } }; spawn W {} as "w"`,
		"branch":   `workflow W { parallel { branch ` + long + ` { step a { emit A(); let x = perform Signal.wait("s", timeout: 1s) } } step b { 1 } } }; spawn W {} as "w"`,
		"workflow": `workflow N` + long + ` { step a { emit A() } }; spawn N` + long + ` {}`,
		"entity":   `entity N` + long + ` { state n: Int = 0; command add() { self.n += 1; reply 1 } }; ask N` + long + `("x").add()`,
		"child":    `workflow V { step a { 1 } }; workflow W { step ` + long + ` { let c = spawn V {} } }; spawn W {} as "w"`,
		"event":    `workflow W { step a { emit N` + long + `(1) } }; spawn W {} as "w"`,
		"signal":   `workflow W { step a { let x = perform Signal.wait("` + long + `", timeout: 1s) } }; let w = spawn W {} as "w"; perform Workflow.signal(w, "` + long + `", 1)`,
		"id":       `workflow W { step a { 1 } }; spawn W {} as "` + long + `"`,
		"key":      `workflow W { state r: Any = nil; step a { self.r = { ` + long + `: 1 } } }; spawn W {} as "w"`,
	} {
		t.Run(name, func(t *testing.T) {
			prog, ds, _ := compileText("test.wf", strings.ReplaceAll(text, "; ", "\n"))
			if prog == nil {
				require.True(t, ds.HasErrors())
				t.Log(firstOf(ds))
				return
			}
			store, err := bolt.Open(t.TempDir()+"/store", bolt.Options{NoSync: true})
			require.NoError(t, err)
			defer store.Close()
			c := config(store, nil)
			c.Caller = answering{}
			e, err := engine.Open(t.Context(), c)
			require.NoError(t, err)
			require.NoError(t, e.Drive(t.Context(), engine.UntilDone, func(ctx context.Context) error {
				_, err := e.RunMain(ctx, prog)
				return err
			}))
			require.NoError(t, e.Close())
			for r, err := range store.List(t.Context(), persist.Filter{}) {
				require.NoError(t, err)
				require.Contains(t, []string{"completed", "failed", "ready"}, r.Status)
				require.NoError(t, e.History(t.Context(), r.ID, func(*engine.Record) bool { return true }))
			}
		})
	}
}

// firstOf is the first message of a list, cut.
func firstOf(ds diag.List) string { return ds[0].Message[:min(len(ds[0].Message), 100)] }
