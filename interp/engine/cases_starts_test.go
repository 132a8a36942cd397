package engine_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

const sameID = `
workflow Order {
    state total: Decimal
    state note: String = "none"
    init { self.note = "${self.note}!" }
    step pay { perform IO.print("pay"); emit Paid(self.total) }
    step wait { let x = perform Signal.wait("go"); x }
}
workflow Other { state total: Decimal; step a { 1 } }
`

func TestC45SecondStartWithTheSameID(t *testing.T) {
	everywhere(t, sameID+`
let a = spawn Order { total: 30 } as "X"
let b = spawn Order { total: 30 } as "X"
let c = spawn Order { total: 30.0 } as "X"
let other = try { spawn Order { total: 31 } as "X"; "no error" } catch e { e.code }
let more = try { spawn Order { total: 30, note: "none" } as "X"; "no error" } catch e { e.code }
let kind = try { spawn Other { total: 30 } as "X"; "no error" } catch e { e.code }
signal a.go("done")
let result = await a
let d = spawn Order { total: 30 } as "X"
let late = try { spawn Order { total: 31 } as "X"; "no error" } catch e { e.code }
(a == b, a == c, a == d, other, more, kind, result, await d, late)`, nil, func(t *testing.T, m *machine) {
		require.Equal(t, `(true, true, true, "conflict", "conflict", "conflict", "done", "done", "conflict")`, m.show("main-1").Result.String())
		require.Len(t, m.records("X", engine.RecSpawned), 1)
		require.Equal(t, []string{"pay"}, m.printed("X"))
		require.Len(t, m.events("X"), 1)
		require.Equal(t, value.String("none!"), m.field("X", "note"), "its init ran once")
	})
}

// From outside, with restarts between, and with a program of another version.
func TestC45StartAgainAfterRestartsAndUnderAnotherVersion(t *testing.T) {
	m := newMachine(t, sameID)
	m.start()
	fields := func(total int64) *value.Record {
		r, _ := value.NewRecord([]string{"total"}, []value.Value{value.Int(total)}).AsRecord()
		return r
	}
	first, err := m.e.Spawn(t.Context(), m.prog, "Order", "X", fields(30), "")
	require.NoError(t, err)
	m.settle()
	again := func(status string) {
		s, err := m.e.Spawn(t.Context(), m.prog, "Order", "X", fields(30), "")
		require.NoError(t, err)
		require.Equal(t, first.Number, s.Number)
		require.Equal(t, first.Program, s.Program)
		require.Equal(t, status, s.Status)
		before := m.history("X")
		_, err = m.e.Spawn(t.Context(), m.prog, "Order", "X", fields(31), "")
		require.ErrorIs(t, err, engine.ErrRefused)
		var refusal *engine.RefusedError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, "conflict", refusal.Code)
		_, err = m.e.Spawn(t.Context(), m.prog, "Other", "X", fields(30), "")
		require.ErrorIs(t, err, engine.ErrRefused)
		m.settle()
		require.Equal(t, before, m.history("X"), "the first is untouched")
	}
	again("running")
	m.reopen()
	again("running")
	m.crash()
	m.under("test.wf", sameID+`"another version"`)
	require.NoError(t, m.begin())
	m.settle()
	again("running")
	require.NoError(t, m.e.Signal(t.Context(), "X", "go", value.Nil, ""))
	m.settle()
	again("completed")
	m.reopen()
	again("completed")
	require.Len(t, m.events("X"), 1)
}

func TestC45ManyStartsAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	prog := compile(t, sameID)
	store := persist.NewMemory()
	e, err := engine.Open(t.Context(), config(store, nil))
	require.NoError(t, err)
	var conflicts atomic.Int64
	numbers := make([]uint64, 200)
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
		return eachOf(len(numbers), 16, func(i int) error {
			total := int64(30)
			if i%10 == 9 && i > 50 {
				total = 31
			}
			r, _ := value.NewRecord([]string{"total"}, []value.Value{value.Int(total)}).AsRecord()
			s, err := e.Spawn(ctx, prog, "Order", fmt.Sprintf("X-%d", i%2), r, "")
			if err != nil {
				conflicts.Add(1)
				return nil
			}
			numbers[i] = s.Number
			return nil
		})
	}))
	require.NoError(t, e.Close())
	distinct := map[uint64]bool{}
	for _, n := range numbers {
		if n != 0 {
			distinct[n] = true
		}
	}
	require.Len(t, distinct, 2)
	require.NotZero(t, conflicts.Load())
	for id := range 2 {
		spawned := 0
		require.NoError(t, e.History(t.Context(), fmt.Sprintf("X-%d", id), func(r *engine.Record) bool {
			if r.Kind == engine.RecSpawned {
				spawned++
			}
			return true
		}))
		require.Equal(t, 1, spawned)
	}
}

func TestC51SignalWhileNobodyDrives(t *testing.T) {
	for name, body := range map[string]string{
		"waiting": `step a { emit A() } step wait { let x = perform Signal.wait("go"); emit Got(x) }`,
		"paused":  `step a { emit A(); pause } step wait { let x = perform Signal.wait("go"); emit Got(x) }`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, "workflow W { "+body+" }\nspawn W {} as \"w\"")
			m.start()
			status := m.show("w").Status
			m.crash()
			mem, err := m.disk.Open()
			require.NoError(t, err)
			passive, err := engine.Open(t.Context(), engine.Config{Store: mem, Builtins: builtins(), Clock: m.clock, Seed: func() uint64 { return 1 }, Passive: true})
			require.NoError(t, err)
			require.NoError(t, passive.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
				return passive.Signal(ctx, "w", "go", value.Int(5), "")
			}))
			require.NoError(t, passive.Close())
			m.disk.Crash() // what was acknowledged is durable

			m.open()
			require.Equal(t, status, m.show("w").Status)
			require.Len(t, m.records("w", engine.RecSignal), 1)
			m.settle()
			if name == "paused" {
				require.Equal(t, "paused", m.show("w").Status)
				require.Equal(t, 1, m.show("w").Signals, "it is kept until a step waits for it")
				require.Equal(t, []string{"A()"}, m.events("w"))
				require.NoError(t, m.e.Resume(t.Context(), "w"))
				m.settle()
			}
			require.Equal(t, []string{"A()", "Got(5)"}, m.events("w"))
			require.Zero(t, m.show("w").Signals)
			require.Equal(t, "completed", m.show("w").Status)
		})
	}
}

func TestC53DriverKnowsWhatEndedBadly(t *testing.T) {
	m := newMachine(t, `
workflow Good { step a { 1 } }
workflow Bad { step a { throw { code: "declined", message: "card declined" } } }
workflow Nap { step a { perform Timer.sleep(1h) } }
workflow Stop { step a { pause "approval" } }
spawn Good {} as "good"
spawn Bad {} as "bad"
let nap = spawn Nap {} as "nap"
spawn Stop {} as "stop"
perform Workflow.cancel(nap)`)
	m.start()
	require.NoError(t, m.e.Close())
	failed := m.e.Failed()
	var ids []string
	for _, s := range failed.First {
		ids = append(ids, s.ID+" "+s.Status)
	}
	require.ElementsMatch(t, []string{"bad failed", "nap cancelled"}, ids)
	require.Equal(t, 2, failed.Count)
	require.Equal(t, "resume (approval)", m.show("stop").Waiting[0].For)
}

// An id is of one instance: one of an entity's form is not to be had for a
// workflow, whether the entity exists or not.
func TestC45EntityAndWorkflowShareNoID(t *testing.T) {
	m := newMachine(t, `
entity Box { state n: Int = 0; command add() { self.n += 1; reply self.n }; query n() { self.n } }
workflow W { step a { let x = perform Signal.wait("go") } }
ask Box("one").add()
let a = try { spawn W {} as "Box/one"; "spawned" } catch e { e.code }
let b = try { spawn W {} as "Box/two"; "spawned" } catch e { e.code }
(a, b, ask Box("two").add())`)
	m.run()
	require.Equal(t, `("conflict", "conflict", 1)`, m.show("main-1").Result.String())
	require.Equal(t, value.Int(1), m.query("Box/one", "n"))
}
