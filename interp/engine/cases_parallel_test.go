package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// branchesABC is a block of which b fails after a second: a is done by then, c
// is not.
const branchesABC = `
workflow P {
    state a: String = ""
    parallel HOW {
        step a { self.a = "a"; perform IO.print("a"); perform World.call("a"); "va" } compensate(err) { emit UndoA(err.completed, err.value) }
        step b { perform Timer.sleep(1s); perform IO.print("b"); throw { code: "broken", message: "b is broken" } } compensate(err) { emit UndoB(err.completed, err.value) }
        step c { perform Timer.sleep(2s); perform IO.print("c"); perform World.call("c"); "vc" } compensate(err) { emit UndoC(err.completed, err.value) }
    } compensate(err) { emit UndoBlock(err.completed, err.code) }
    step after_it(r) { emit After(r) }
}
spawn P {} as "p"`

func TestC31FailingBranchDoesNotHideTheOthers(t *testing.T) {
	everywhere(t, how(branchesABC, ""), onceEach, func(t *testing.T, m *machine) {
		s := m.show("p")
		require.Equal(t, "failed", s.Status)
		require.Equal(t, "broken", s.Failure.Code)
		require.Equal(t, "b is broken", s.Failure.Message)
		require.Equal(t, "b", s.Failure.Step)
		require.Equal(t, value.String("a"), m.field("p", "a"), "what a completed is in the state")
		require.Equal(t, []string{"UndoC(false, nil)", "UndoB(false, nil)", `UndoA(true, "va")`, `UndoBlock(false, "broken")`}, m.events("p"))
		require.Equal(t, []string{"a", "b"}, m.printed("p"), "one line each, none of the branch that was cut")
		m.noTimers(t)
	})
}

func TestC31SettleKeepsAllBranches(t *testing.T) {
	everywhere(t, how(branchesABC, "settle"), onceEach, func(t *testing.T, m *machine) {
		require.Equal(t, "completed", m.show("p").Status)
		require.Equal(t, []string{"a", "b", "c"}, m.printed("p"))
		ev := m.events("p")
		require.Equal(t, "UndoB(false, nil)", ev[0], "the failed branch is undone at once, and no other")
		require.Len(t, ev, 2)
		require.Contains(t, ev[1], `Ok("va")`)
		require.Contains(t, ev[1], `Ok("vc")`)
		require.Contains(t, ev[1], `code: "broken"`)
	})
}

// A branch that is in a call to the world when its sibling fails is cut too, and
// what the call comes to is not applied.
func TestC31AnswerOfACutBranchIsDropped(t *testing.T) {
	everywhere(t, `
workflow P {
    state c: String = ""
    parallel {
        step b { perform Timer.sleep(1s); throw "b is broken" }
        step c { let x = perform World.call("c"); self.c = String(x); emit C(x) } compensate(err) { emit UndoC(err.completed) }
    }
}
spawn P {} as "p"`, func(m *machine) {
		m.world.delay = func(int, engine.Call) time.Duration { return 5 * time.Second }
	}, func(t *testing.T, m *machine) {
		require.Equal(t, "failed", m.show("p").Status)
		require.Equal(t, "b is broken", m.show("p").Failure.Message)
		require.Equal(t, []string{"UndoC(false)"}, m.events("p"))
		require.Equal(t, value.String(""), m.field("p", "c"))
		m.noTimers(t)
	})
}

// In a block over elements the failure tells which one, and its branches before
// and after it are not run again.
func TestC31FailingElementIsNamed(t *testing.T) {
	everywhere(t, `
workflow P {
    state items: [Int] = [10, 20, 30, 40]
    parallel for item in self.items max 2 {
        step reserve { perform IO.print(item); if item == 30 { throw { code: "sold_out", message: "no ${item}" } }; item } compensate(err) { emit Undo(item, err.completed) }
    }
}
let p = spawn P {} as "p"
try { await p } catch e { (e.code, e.detail.failure.index, e.detail.failure.step) }`, nil, func(t *testing.T, m *machine) {
		require.Equal(t, "failed", m.show("p").Status)
		require.Equal(t, int64(2), m.show("p").Failure.Index)
		require.Equal(t, `("sold_out", 2, "reserve")`, m.show("main-1").Result.String())
		lines := m.printed("p")
		require.Contains(t, lines, "30")
		seen := map[string]bool{}
		for _, l := range lines {
			require.False(t, seen[l], "element %s ran twice", l)
			seen[l] = true
		}
		ev := m.events("p")
		require.Contains(t, ev, "Undo(30, false)")
		for _, l := range lines {
			require.Condition(t, func() bool {
				return slices.Contains(ev, "Undo("+l+", true)") || slices.Contains(ev, "Undo("+l+", false)")
			})
		}
		undone := map[string]bool{}
		for _, e := range ev {
			require.False(t, undone[e], "%s twice", e)
			undone[e] = true
		}
	})
}

const fooAndBar = `
workflow P {
    parallel {
        step one { let x = perform Signal.wait("foo"); emit One(x); x }
        step two { let x = perform Signal.wait("bar"); emit Two(x); x }
    }
    step joined(r) { emit Joined(r.one, r.two) }
}
let p = spawn P {} as "p"`

func TestC32WaitsInBranchesAreNotMixedUp(t *testing.T) {
	everywhere(t, fooAndBar+`
perform Timer.sleep(1s)
signal p.bar("for two")
perform Timer.sleep(1s)
signal p.foo("for one")
await p`, nil, func(t *testing.T, m *machine) {
		require.Equal(t, []string{`Two("for two")`, `One("for one")`, `Joined("for one", "for two")`}, m.events("p"))
		waits := map[string]int{}
		for _, r := range m.records("p", engine.RecWaiting) {
			waits[r.Step]++
		}
		require.Equal(t, map[string]int{"one": 1, "two": 1}, waits)
	})
}

func TestC32RestartBetweenTheSignals(t *testing.T) {
	m := newMachine(t, fooAndBar)
	m.start()
	m.reopen()
	m.signal("p", "bar", value.String("for two"))
	require.Equal(t, []string{`Two("for two")`}, m.events("p"))
	m.reopen()
	require.Equal(t, "signal foo", m.show("p").Waiting[0].For)
	require.Len(t, m.show("p").Waiting, 1)
	m.signal("p", "foo", value.String("for one"))
	require.Equal(t, []string{`Two("for two")`, `One("for one")`, `Joined("for one", "for two")`}, m.events("p"))
	require.Len(t, m.records("p", engine.RecWaiting), 2)
}

// Of two branches that wait for one name the lowest is served first, whatever
// the order in which they came to wait.
func TestC32LowestBranchIsServedFirst(t *testing.T) {
	everywhere(t, `
workflow P {
    parallel {
        step one { perform Timer.sleep(1s); let x = perform Signal.wait("foo"); emit One(x) }
        step two { let x = perform Signal.wait("foo"); emit Two(x) }
    }
}
let p = spawn P {} as "p"
perform Timer.sleep(2s)
signal p.foo(1)
signal p.foo(2)
await p`, nil, func(t *testing.T, m *machine) {
		require.ElementsMatch(t, []string{"One(1)", "Two(2)"}, m.events("p"))
	})
}

const waitABAndSleep = `
workflow P {
    parallel {
        step a { let x = WAIT; emit A(x, perform Time.now()) } compensate(err) { emit UndoA(err.completed) }
        step b { let x = perform Signal.wait("b"); emit B(x, perform Time.now()) } compensate(err) { emit UndoB(err.completed) }
        step c { perform Timer.sleep(10s); emit C(perform Time.now()) } compensate(err) { emit UndoC(err.completed) }
    }
    step joined { emit Joined(perform Time.now()) }
}
let p = spawn P {} as "p"
SEND
try { await p } catch e { e.code }`

func TestC33SelectBesideASleepEndsAtItsLimit(t *testing.T) {
	for name, send := range map[string]string{"early": `signal p.b(1)`, "during the wait": "perform Timer.sleep(1s)\nsignal p.b(1)"} {
		t.Run(name, func(t *testing.T) {
			at := "00"
			if name != "early" {
				at = "01"
			}
			everywhere(t, fill(waitABAndSleep, "WAIT", `select { signal a(x) => x, after 2s => "late" }`, "SEND", send), nil, func(t *testing.T, m *machine) {
				require.Equal(t, "completed", m.show("p").Status)
				require.Equal(t, []string{`B(1, Time("2030-01-01T00:00:` + at + `Z"))`, `A("late", Time("2030-01-01T00:00:02Z"))`,
					`C(Time("2030-01-01T00:00:10Z"))`, `Joined(Time("2030-01-01T00:00:10Z"))`}, m.events("p"))
			})
		})
	}
}

func TestC33UncaughtTimeoutFailsTheBlockAtOnce(t *testing.T) {
	everywhere(t, fill(waitABAndSleep, "WAIT", `perform Signal.wait("a", timeout: 2s)`, "SEND", `signal p.b(1)`), nil, func(t *testing.T, m *machine) {
		s := m.show("p")
		require.Equal(t, "failed", s.Status)
		require.Equal(t, "timeout", s.Failure.Code)
		require.Equal(t, "a", s.Failure.Step)
		require.Equal(t, 2*time.Second, since(s.Updated), "the sleep is cut")
		require.Equal(t, []string{`B(1, Time("2030-01-01T00:00:00Z"))`, "UndoC(false)", "UndoB(true)", "UndoA(false)"}, m.events("p"))
		require.Equal(t, `"timeout"`, m.show("main-1").Result.String())
		m.noTimers(t)
	})
}

// A timed wait that is over leaves no timer behind while its siblings go on.
func TestC33SatisfiedWaitHasNoTimer(t *testing.T) {
	m := newMachine(t, `
workflow P {
    parallel {
        step a { let x = perform Signal.wait("a", timeout: 1h); emit A(x) }
        step b { let x = perform Signal.wait("b"); emit B(x) }
    }
}
spawn P {} as "p"`)
	m.start()
	m.signal("p", "a", value.Int(1))
	m.noTimers(t)
	m.reopen()
	m.noTimers(t)
	m.advance(2 * time.Hour)
	m.signal("p", "b", value.Int(2))
	require.Equal(t, []string{"A(1)", "B(2)"}, m.events("p"))
	require.Equal(t, "completed", m.show("p").Status)
}

// Branches over elements wait for names of their own, and each gets its own.
func TestC32ElementsWaitForTheirOwnNames(t *testing.T) {
	everywhere(t, `
workflow P {
    parallel for x in ["a", "b", "c"] {
        step wait { let v = perform Signal.wait("reply-${x}"); (x, v) }
    }
    step joined(r) { emit Joined(r) }
}
let p = spawn P {} as "p"
for (name, n) in [("reply-c", 3), ("reply-a", 1), ("reply-b", 2)] { perform Timer.sleep(1s); perform Workflow.signal(p, name, n) }
await p`, nil, func(t *testing.T, m *machine) {
		require.Equal(t, []string{`Joined([("a", 1), ("b", 2), ("c", 3)])`}, m.events("p"))
		require.Len(t, m.records("p", engine.RecWaiting), 3)
	})
}

// A block over many elements of which one fails begins none that had not begun.
func TestC31ElementsThatHaveNotBegunDoNotBegin(t *testing.T) {
	everywhere(t, `
workflow P {
    state items: [Int] = [1, 2, 3, 4, 5, 6]
    parallel for item in self.items max 2 else tell {
        step work { perform IO.print(item); perform Timer.sleep(1s); if item == 2 { throw "no" }; item } compensate(err) { emit Undo(item, err.completed) }
    }
    step done { end "done" }
    step tell { emit Told(self.failure.message, self.failure.index); goto done }
}
spawn P {} as "p"`, nil, func(t *testing.T, m *machine) {
		require.Equal(t, "completed", m.show("p").Status)
		require.NotContains(t, m.printed("p"), "5")
		require.NotContains(t, m.printed("p"), "6")
		require.Equal(t, []string{`Told("no", 1)`}, m.events("p"), "with an else nothing is undone")
		m.noTimers(t)
	})
}
