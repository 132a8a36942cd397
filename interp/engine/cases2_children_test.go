package engine_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

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
(a == b, a == c, a == d, other, more, kind, result, await d, late)`, nil, func(t *testing.T, m *play) {
		require.Equal(t, `(true, true, true, "conflict", "conflict", "conflict", "done", "done", "conflict")`, m.show("main-1").Result.String())
		require.Len(t, m.records("X", engine.RecSpawned), 1)
		require.Equal(t, []string{"pay"}, m.printed("X"))
		require.Len(t, m.events("X"), 1)
		require.Equal(t, value.String("none!"), m.field("X", "note"), "its init ran once")
	})
}

// From outside, with restarts between, and with a program of another version.
func TestC45StartAgainAfterRestartsAndUnderAnotherVersion(t *testing.T) {
	m := newPlay(t, sameID)
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

func TestC46ChildStartedAsTheLastActGetsGoing(t *testing.T) {
	for name, end := range map[string]string{"falls through": "", "end": "; end 1", "fails": `; fail "over"`, "goes on": "; goto last"} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, `
workflow Child { step write { perform IO.print("line"); emit Line() } }
workflow Parent { step only { spawn Child {}`+end+` } step last { spawn Child {} } }
spawn Parent {} as "p"`, nil, func(t *testing.T, m *play) {
				require.Equal(t, []string{"Line()"}, m.events("p/only-1"))
				require.Equal(t, []string{"line"}, m.printed("p/only-1"))
				require.Equal(t, "completed", m.show("p/only-1").Status)
			})
		})
	}
}

// Of a parent that is cut right after the spawn, by a fault or a cancel, the
// child lives on as well.
func TestC46ChildOfAFaultingStep(t *testing.T) {
	everywhere(t, `
workflow Child { state n: Int; step write { emit Line(self.n) } }
workflow Parent { step only retry 2 { spawn Child { n: 1 }; throw "no" } }
spawn Parent {} as "p"`, nil, func(t *testing.T, m *play) {
		require.Equal(t, "failed", m.show("p").Status)
		require.Equal(t, []string{"Line(1)"}, m.events("p/only-1"))
		_, err := m.e.Show(t.Context(), "p/only-1-2")
		require.ErrorIs(t, err, engine.ErrNotFound, "a retry finds the child that has not failed")
	})
}

func TestC47ParentDoesNotWaitForADetachedChild(t *testing.T) {
	everywhere(t, `
workflow Child { step nap { perform Timer.sleep(1m); emit Woke() } }
workflow Parent { step only { spawn Child {} } }
let p = spawn Parent {} as "p"
await p
perform Time.now()`, nil, func(t *testing.T, m *play) {
		parent, child := m.show("p"), m.show("p/only-1")
		require.Equal(t, "completed", parent.Status)
		require.Equal(t, time.Duration(0), since(parent.Updated))
		require.Equal(t, "completed", child.Status)
		require.Equal(t, time.Minute, since(child.Updated))
		require.Equal(t, `Time("2030-01-01T00:00:00Z")`, m.show("main-1").Result.String(), "nor does who awaits the parent")
	})
}

const family = `
workflow Child {
    step book { emit Booked() } compensate { emit Unbooked() }
    step nap { perform Timer.sleep(1h); emit Woke() } compensate(err) { emit Unnapped(err.completed) }
}
workflow Parent {
    state a: Child? = nil
    state b: Child? = nil
    step start { self.a = spawn Child {}; self.b = spawn Child {} }
    step nap { perform Timer.sleep(2h) }
    FINALLY
}
let p = spawn Parent {} as "p"
perform Timer.sleep(1m)
CANCEL
`

func TestC48ChildrenOutliveACancelledParent(t *testing.T) {
	m := newPlay(t, familyOf("", ""))
	m.start()
	m.cancel("p")
	require.Equal(t, "cancelled", m.show("p").Status)
	for _, id := range []string{"p/start-1", "p/start-2"} {
		require.Equal(t, "running", m.show(id).Status)
	}
	m.reopen()
	m.advance(time.Hour)
	for _, id := range []string{"p/start-1", "p/start-2"} {
		require.Equal(t, "completed", m.show(id).Status)
		require.Equal(t, []string{"Booked()", "Woke()"}, m.events(id))
	}
}

func TestC48FinallyMayCancelTheChildren(t *testing.T) {
	finally := `finally(o) { for c in [self.a, self.b] { if c != nil { try { perform Workflow.cancel(c) } catch e { emit NotCancelled(e.code) } } }; emit Finally(o.status) }`
	everywhere(t, familyOf(finally, "perform Workflow.cancel(p)\ntry { await p } catch e { e.code }"), nil, func(t *testing.T, m *play) {
		require.Equal(t, `"cancelled"`, m.show("main-1").Result.String())
		require.Equal(t, "cancelled", m.show("p").Status)
		require.Equal(t, []string{`Finally("cancelled")`}, m.events("p"))
		for _, id := range []string{"p/start-1", "p/start-2"} {
			require.Equal(t, "cancelled", m.show(id).Status)
			require.Equal(t, []string{"Booked()", "Unnapped(false)", "Unbooked()"}, m.events(id))
		}
		m.noTimers(t)
	})
}

func familyOf(finally, cancel string) string {
	return fill(family, "FINALLY", finally, "CANCEL", cancel)
}

func TestC49FailureOfAChildReachesTheParent(t *testing.T) {
	everywhere(t, `
workflow Child {
    step work retry 2 backoff 1s { perform IO.print("try"); throw { code: "timeout", message: "no answer in time" } }
}
workflow Parent {
    step wait retry 1 else plan_b {
        let c = spawn Child {}
        await c
    }
    step done { end "done" }
    step plan_b { emit PlanB(self.failure.code, self.failure.message, self.failure.detail.id); goto done }
}
let p = spawn Parent {} as "p"
await p`, nil, func(t *testing.T, m *play) {
		require.Equal(t, `"done"`, m.show("main-1").Result.String())
		require.Equal(t, []string{`PlanB("timeout", "no answer in time", "p/wait-1-2")`}, m.events("p"), "the retry had a child of its own")
		for _, id := range []string{"p/wait-1", "p/wait-1-2"} {
			require.Equal(t, "failed", m.show(id).Status)
			require.Equal(t, []string{"try", "try", "try"}, m.printed(id))
		}
		m.noTimers(t)
	})
}

// A child that runs out of its own time, one that is cancelled, one that is not
// there: the parent hears of each and is never stuck.
func TestC49WhateverBecomesOfAChild(t *testing.T) {
	everywhere(t, `
workflow Slow { timeout 5s; step nap { perform Timer.sleep(1h) } }
workflow Late { step call timeout 1s { perform World.call("slow") } }
workflow Named { step a { fail { code: "declined", message: "no", more: 1 } } }
workflow Parent {
    state said: [Any] = []
    step slow { let c = spawn Slow {}; let x = try { await c } catch e { (e.code, e.detail.id) }; self.said = self.said + [x] }
    step late { let c = spawn Late {}; let x = try { await c } catch e { (e.code, e.detail.id) }; self.said = self.said + [x] }
    step cancelled { let c = spawn Slow {}; perform Workflow.cancel(c); let x = try { await c } catch e { (e.code, e.detail.id) }; self.said = self.said + [x] }
    step missing { let x = try { await Slow("nobody") } catch e { e.code }; self.said = self.said + [x] }
    step named retry 1 { let c = spawn Named {} as "n"; await c }
}
spawn Parent {} as "p"`, func(m *play) {
		m.world.delay = func(int, engine.Call) time.Duration { return time.Minute }
	}, func(t *testing.T, m *play) {
		require.Equal(t, `[("timeout", "p/slow-1"), ("timeout", "p/late-1"), ("cancelled", "p/cancelled-1"), "not_found"]`, m.field("p", "said").String())
		s := m.show("p")
		require.Equal(t, "failed", s.Status)
		require.Equal(t, "declined", s.Failure.Code)
		require.Equal(t, "no", s.Failure.Message)
		require.Contains(t, s.Failure.Detail.String(), `"n"`)
		require.Equal(t, "named", s.Failure.Step)
		m.noTimers(t)
	})
}

func TestC51SignalWhileNobodyDrives(t *testing.T) {
	for name, body := range map[string]string{
		"waiting": `step a { emit A() } step wait { let x = perform Signal.wait("go"); emit Got(x) }`,
		"paused":  `step a { emit A(); pause } step wait { let x = perform Signal.wait("go"); emit Got(x) }`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newPlay(t, "workflow W { "+body+" }\nspawn W {} as \"w\"")
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
	m := newPlay(t, `
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

// Whoever awaits an instance that is deleted hears of it.
func TestC49DeletedChildDoesNotLeaveTheParentStuck(t *testing.T) {
	m := newPlay(t, `
workflow Child { step a { perform Timer.sleep(1h) } }
workflow Parent { step wait { let c = spawn Child {}; try { await c } catch e { e.code } } }
let p = spawn Parent {} as "p"
await p`)
	m.start()
	require.ErrorIs(t, m.e.Delete(t.Context(), "p/wait-1", false), engine.ErrRefused)
	require.NoError(t, m.e.Delete(t.Context(), "p/wait-1", true))
	m.settle()
	m.noTimers(t)
	require.Equal(t, `"not_found"`, m.show("main-1").Result.String())
	m.reopen()
	_, err := m.e.Show(t.Context(), "p/wait-1")
	require.ErrorIs(t, err, engine.ErrNotFound)
}

// The answer to a call that an instance was in when it was deleted, terminated
// or cancelled goes nowhere, and harms nobody.
func TestC49LateAnswersOfInstancesThatAreGone(t *testing.T) {
	for _, end := range []string{"delete", "terminate", "cancel"} {
		t.Run(end, func(t *testing.T) {
			m := newPlay(t, `
workflow W { step a { let x = perform World.call("slow"); emit Got(x) } compensate { emit Undo() } }
workflow Good { step a { perform Timer.sleep(1h); emit Done() } }
spawn W {} as "w"
spawn Good {} as "good"`)
			m.world.delay = func(int, engine.Call) time.Duration { return 5 * time.Second }
			m.start()
			m.advance(time.Second)
			switch end {
			case "delete":
				require.NoError(t, m.e.Delete(t.Context(), "w", true))
			case "terminate":
				require.NoError(t, m.e.Terminate(t.Context(), "w"))
			case "cancel":
				require.NoError(t, m.e.Cancel(t.Context(), "w"))
			}
			m.settle()
			m.advance(time.Minute)
			if end == "delete" {
				_, err := m.e.Show(t.Context(), "w")
				require.ErrorIs(t, err, engine.ErrNotFound)
			} else {
				require.Equal(t, "cancelled", m.show("w").Status)
				require.NotContains(t, m.events("w"), `Got("ok")`)
			}
			m.advance(time.Hour)
			require.Equal(t, []string{"Done()"}, m.events("good"))
		})
	}
}

// An id is of one instance, whether it was spawned or is an entity's.
func TestC45EntityAndWorkflowShareNoID(t *testing.T) {
	m := newPlay(t, `
entity Box { state n: Int = 0; command add() { self.n += 1; reply self.n }; query n() { self.n } }
workflow W { step a { let x = perform Signal.wait("go") } }
ask Box("one").add()
let a = try { spawn W {} as "Box/one"; "spawned" } catch e { e.code }
spawn W {} as "Box/two"
let b = try { ask Box("two").add() } catch e { e.code }
(a, b)`)
	m.run()
	r := m.show("main-1").Result.String()
	require.Contains(t, []string{`("conflict", "not_found")`, `("conflict", "conflict")`}, r)
	require.Equal(t, value.Int(1), m.query("Box/one", "n"))
	require.Equal(t, "running", m.show("Box/two").Status)
}

// An instance that awaited another and was deleted is nobody that could be woken.
func TestC49DeletedParentDoesNotHarmTheChild(t *testing.T) {
	m := newPlay(t, `
workflow Child { step a { perform Timer.sleep(1m); emit Done() } }
workflow Parent { step wait { let c = spawn Child {}; await c } }
spawn Parent {} as "p"`)
	m.start()
	m.reopen()
	require.NoError(t, m.e.Delete(t.Context(), "p", true))
	m.settle()
	m.advance(time.Minute)
	require.Equal(t, []string{"Done()"}, m.events("p/wait-1"))
	require.Equal(t, "completed", m.show("p/wait-1").Status)
	m.noTimers(t)
}

// The same when the deletion is still on its way.
func TestC49DeletedInTheSameMoment(t *testing.T) {
	for n := range 30 {
		m := newPlay(t, `
workflow Child { step a { let x = perform World.call("x"); emit Done(x) } }
workflow Parent { step wait { let c = spawn Child {}; await c } step nap { perform Timer.sleep(1s) } }
workflow Good { step a { perform Timer.sleep(1h); emit Done() } }
spawn Good {} as "good"
spawn Parent {} as "p"`)
		require.NoError(t, m.begin())
		for range n {
			m.e.Step()
		}
		for _, id := range []string{"p", "p/wait-1"} {
			if err := m.e.Delete(t.Context(), id, true); err != nil {
				require.ErrorIs(t, err, engine.ErrNotFound)
			}
		}
		m.settle()
		m.advance(time.Hour)
		require.Equal(t, []string{"Done()"}, m.events("good"))
	}
}
