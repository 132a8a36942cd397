package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist"
)

func TestC46ChildStartedAsTheLastActGetsGoing(t *testing.T) {
	for name, end := range map[string]string{"falls through": "", "end": "; end 1", "fails": `; fail "over"`, "goes on": "; goto last"} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, `
workflow Child { step write { perform IO.print("line"); emit Line() } }
workflow Parent { step only { spawn Child {}`+end+` } step last { spawn Child {} } }
spawn Parent {} as "p"`, nil, func(t *testing.T, m *machine) {
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
spawn Parent {} as "p"`, nil, func(t *testing.T, m *machine) {
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
perform Time.now()`, nil, func(t *testing.T, m *machine) {
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
	m := newMachine(t, familyOf("", ""))
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
	everywhere(t, familyOf(finally, "perform Workflow.cancel(p)\ntry { await p } catch e { e.code }"), nil, func(t *testing.T, m *machine) {
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
await p`, nil, func(t *testing.T, m *machine) {
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
spawn Parent {} as "p"`, func(m *machine) {
		m.world.delay = func(int, engine.Call) time.Duration { return time.Minute }
	}, func(t *testing.T, m *machine) {
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

// Whoever awaits an instance that is deleted hears of it.
func TestC49DeletedChildDoesNotLeaveTheParentStuck(t *testing.T) {
	m := newMachine(t, `
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
			m := newMachine(t, `
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

// An instance that awaited another and was deleted is nobody that could be woken.
func TestC49DeletedParentDoesNotHarmTheChild(t *testing.T) {
	m := newMachine(t, `
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
		m := newMachine(t, `
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

// Each visit has children of its own: of a block that is visited twice, of
// elements in elements, and of a step that is undone twice.
func TestEachVisitHasItsOwnChildren(t *testing.T) {
	m := newMachine(t, `
workflow Child { state n: Int; step s { self.n } }
workflow Parent {
    state n = 0
    step begin { self.n += 1 } compensate { spawn Child { n: 7 } }
    parallel { step only { spawn Child { n: 7 } } }
    parallel for x in [0, 1] {
        parallel for y in [0, 1] { step deep { spawn Child { n: 7 } } }
    }
    step again { if self.n < 2 { goto begin } }
    step fails { throw "no" }
}
spawn Parent {} as "p"
`)
	m.run()
	var ids []string
	require.NoError(t, m.e.List(t.Context(), persist.Filter{Workflow: "Child"}, func(s engine.Summary, err error) bool {
		require.NoError(t, err)
		ids = append(ids, s.ID)
		return true
	}))
	slices.Sort(ids)
	require.Equal(t, []string{"p/begin.undo-1", "p/begin.undo.2-1", "p/deep:0:0-1", "p/deep:0:0.2-1", "p/deep:0:1-1", "p/deep:0:1.2-1",
		"p/deep:1:0-1", "p/deep:1:0.2-1", "p/deep:1:1-1", "p/deep:1:1.2-1", "p/only-1", "p/only.2-1"}, ids)
}
