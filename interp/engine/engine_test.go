package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/value"
)

func TestStepsRunInOrderAndEventsAreThere(t *testing.T) {
	m := newMachine(t, `
workflow Counter {
    step start { (emit Started(0), self.step_index = self.step_index + 1) }
    step second { (emit Incremented(1), self.step_index = self.step_index + 1) }
}
spawn Counter {}`)
	m.run()
	require.Equal(t, []string{"Started(0)", "Incremented(1)"}, m.events("Counter-1"))
	s := m.show("Counter-1")
	require.Equal(t, "completed", s.Status)
	require.Equal(t, 2, s.StepIndex)
	require.Equal(t, `Counter("Counter-1")`, m.show("main-1").Result.String())
}

func TestQueryFunctionIsRegisteredWithTheEndOfMain(t *testing.T) {
	m := newMachine(t, `
workflow Counter {
    step bump { self.step_index = self.step_index + 1 }
}
fn progress() -> Int { self.step_index }
let c = spawn Counter {} in { progress }`)
	m.run()
	require.Equal(t, value.Int(1), m.query("Counter-1", "progress"))
	require.Equal(t, "fn progress", m.show("main-1").Result.String())
}

func TestSagaUndoesItsOwnStepFirst(t *testing.T) {
	m := newMachine(t, `
workflow Trip {
    step flight { emit Booked("flight") } compensate(err) { emit Undone("flight", err.completed, err.message) }
    step hotel { emit Booked("hotel") } compensate(err) { emit Undone("hotel", err.completed, err.message) }
    step pay { emit Booked("pay"); throw { code: "declined", message: "card declined" } } compensate(err) { emit Undone("pay", err.completed, err.message) }
}
spawn Trip {}`)
	m.run()
	require.Equal(t, []string{`Booked("flight")`, `Booked("hotel")`, `Undone("pay", false, "card declined")`,
		`Undone("hotel", true, "card declined")`, `Undone("flight", true, "card declined")`}, m.events("Trip-1"))
	s := m.show("Trip-1")
	require.Equal(t, "failed", s.Status)
	require.Equal(t, "declined", s.Failure.Code)
	require.Equal(t, "pay", s.Failure.Step)
	require.Equal(t, "test.wf:5:36", s.Failure.Place)
	require.Equal(t, 2, s.StepIndex)
}

func TestSignalsAreKeptTakenInOrderAndConsumed(t *testing.T) {
	m := newMachine(t, `
workflow Loop {
    state n: Int = 0
    step take {
        let x = perform Signal.wait("item")
        emit Got(x)
        self.n = self.n + 1
        if self.n < 3 { goto take }
    }
}
let l = spawn Loop {}
signal l.item("a")
signal l.item("b")
signal l.item("c")
l`)
	m.run()
	require.Equal(t, []string{`Got("a")`, `Got("b")`, `Got("c")`}, m.events("Loop-1"))
	require.Equal(t, "completed", m.show("Loop-1").Status)
	require.Zero(t, m.show("Loop-1").Signals)
}

func TestWaitingCostsNothingAndSurvivesARestart(t *testing.T) {
	m := newMachine(t, `
workflow Approval {
    step ask_for_it { perform IO.print("asking") }
    step wait {
        let now = perform Time.now()
        let id = perform Uuid.new()
        let who = perform Signal.wait("approve")
        emit Approved(who, now, id)
    }
}
spawn Approval {} as "a-1"`)
	m.run()
	first := m.show("a-1")
	require.Equal(t, "signal approve", first.Waiting[0].For)
	m.crash()
	m.advanceClock(time.Hour)
	m.open()
	m.signal("a-1", "approve", value.String("bob"))
	require.Equal(t, "completed", m.show("a-1").Status)
	require.Contains(t, m.events("a-1")[0], `Approved("bob", Time("2030-01-01T00:00:00Z"), `, "the clock read before the wait is the same after it")
	require.Equal(t, "asking\n", m.out.String())
	err := m.e.Signal(t.Context(), "a-1", "approve", value.Nil, "")
	require.ErrorContains(t, err, "completed")
}

func TestTimerIsAnInstantAndNotStartedAnew(t *testing.T) {
	m := newMachine(t, `
workflow Nap {
    step sleep { perform Timer.sleep(10s) }
    step woke { emit Woke(perform Time.now()) }
}
spawn Nap {} as "n"`)
	require.NoError(t, m.begin())
	m.settle()
	m.advance(6 * time.Second)
	m.crash()
	m.advanceClock(time.Second)
	m.open()
	m.settle()
	require.Equal(t, "running", m.show("n").Status)
	m.advance(2 * time.Second)
	require.Empty(t, m.events("n"))
	m.advance(time.Second)
	require.Equal(t, []string{`Woke(Time("2030-01-01T00:00:10Z"))`}, m.events("n"))
}

func TestOverdueTimerFiresAtOnce(t *testing.T) {
	m := newMachine(t, `
workflow Nap {
    step sleep { perform Timer.sleep(2s) }
    step woke { emit Woke() }
}
spawn Nap {} as "n"`)
	require.NoError(t, m.begin())
	m.settle()
	m.crash()
	m.advanceClock(time.Hour)
	m.open()
	m.settle()
	require.Equal(t, []string{"Woke()"}, m.events("n"))
}

func (m *machine) advanceClock(d time.Duration) { m.clock.now += int64(d) }

func TestParallelBranches(t *testing.T) {
	m := newMachine(t, `
workflow ParallelTest {
    step before { (emit BeforeDone(), self.step_index = self.step_index + 1) }
    parallel {
        step branch_a { emit BranchA_Done() }
        step branch_b { emit BranchB_Done() }
    }
    step after { emit AfterDone() }
}
spawn ParallelTest {}`)
	m.run()
	ev := m.events("ParallelTest-1")
	require.Len(t, ev, 4)
	require.Equal(t, "BeforeDone()", ev[0])
	require.ElementsMatch(t, []string{"BranchA_Done()", "BranchB_Done()"}, ev[1:3])
	require.Equal(t, "AfterDone()", ev[3])
	require.Equal(t, 3, m.show("ParallelTest-1").StepIndex)
}

func TestAwaitGivesResultOrFailure(t *testing.T) {
	m := newMachine(t, `
workflow Good { step a { perform Timer.sleep(1s); 42 } }
workflow Bad { step a { throw { code: "declined", message: "no" } } }
let g = spawn Good {}
let b = spawn Bad {}
let x = await g
let y = try { await b } catch e { e.code }
(x, y)`)
	m.run()
	require.Equal(t, `(42, "declined")`, m.show("main-1").Result.String())
}

func TestAwaitOfTwoByEachOtherAndOfOneself(t *testing.T) {
	m := newMachine(t, `
workflow Slow { step a { perform Timer.sleep(1h) } }
let s = spawn Slow {}
try { await s for 5m } catch e { e.code }`)
	m.run()
	require.Equal(t, `"timeout"`, m.show("main-1").Result.String())
	require.Equal(t, "completed", m.show("Slow-1").Status)
}

func TestPauseUntilTimeThenStep(t *testing.T) {
	m := newMachine(t, `
workflow P {
    step a { pause "approval" for 1h then late }
    step b { emit B() }
    step late { emit Late() }
}
spawn P {} as "p"`)
	require.NoError(t, m.begin())
	m.settle()
	s := m.show("p")
	require.Equal(t, "paused", s.Status)
	require.Equal(t, 1, s.StepIndex)
	require.Equal(t, "a", s.Step)
	m.advance(time.Hour)
	require.Equal(t, []string{"Late()"}, m.events("p"))
}

func TestResumeRunsTheNextItem(t *testing.T) {
	m := newMachine(t, `
workflow P {
    step a { pause "approval" }
    step b { emit B() }
}
spawn P {} as "p"`)
	m.run()
	require.NoError(t, m.e.Resume(t.Context(), "p"))
	m.settle()
	require.Equal(t, []string{"B()"}, m.events("p"))
	require.ErrorContains(t, m.e.Resume(t.Context(), "p"), "not paused")
}

func TestCancelUndoesWhatWasDone(t *testing.T) {
	m := newMachine(t, `
workflow C {
    step a { emit A() } compensate { emit UndoA() }
    step b { perform Timer.sleep(1h); emit B() } compensate(err) { emit UndoB(err.completed) }
}
spawn C {} as "c"`)
	require.NoError(t, m.begin())
	m.settle()
	require.NoError(t, m.e.Cancel(t.Context(), "c"))
	m.settle()
	m.advance(2 * time.Hour)
	require.Equal(t, []string{"A()", "UndoB(false)", "UndoA()"}, m.events("c"))
	require.Equal(t, "cancelled", m.show("c").Status)
	_, pending := m.e.NextTimer()
	require.False(t, pending, "no timer is left")
	require.Error(t, m.e.Cancel(t.Context(), "c"))
}

func TestFailedAttemptLeavesNoTrace(t *testing.T) {
	m := newMachine(t, `
workflow F {
    state a: Int = 1
    step x { self.a = 2; emit E(); throw "no" }
}
spawn F {} as "f"`)
	m.run()
	require.Empty(t, m.events("f"))
	require.Equal(t, value.Int(1), m.show("f").Fields[0].Value)
}

func TestFailKeepsWhatTheStepDid(t *testing.T) {
	m := newMachine(t, `
workflow F {
    state a: Int = 1
    step x { self.a = 2; emit E(); fail { code: "declined", message: "no" } }
}
spawn F {} as "f"`)
	m.run()
	require.Equal(t, []string{"E()"}, m.events("f"))
	require.Equal(t, value.Int(2), m.show("f").Fields[0].Value)
	require.Equal(t, "failed", m.show("f").Status)
}

func TestOutsideCallsAreAnsweredFromTheJournal(t *testing.T) {
	m := newMachine(t, `
workflow W {
    step a {
        let x = perform World.call("one")
        let go = perform Signal.wait("go")
        let y = perform World.call("two")
        emit Done(x, y)
    }
}
spawn W {} as "w"`)
	m.run()
	require.Len(t, m.world.calls, 1)
	m.crash()
	m.open()
	m.signal("w", "go", value.Nil)
	require.Len(t, m.world.calls, 2)
	require.Equal(t, []string{`Done("ok", "ok")`}, m.events("w"))
}

func TestClockThatIsSetBackOrJumps(t *testing.T) {
	for name, c := range map[string]struct {
		jump time.Duration
		left time.Duration // until the timer fires, after the jump
	}{
		"back an hour":    {-time.Hour, 4 * time.Second},
		"back ten years":  {-87600 * time.Hour, 4 * time.Second},
		"forward an hour": {time.Hour, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, `
workflow Nap {
    step begin { perform Timer.sleep(6s) }
    step sleep { perform Timer.sleep(4s) }
    step woke { emit Woke() }
}
spawn Nap {} as "n"`)
			require.NoError(t, m.begin())
			m.settle()
			m.advance(6 * time.Second)
			m.crash()
			m.advanceClock(c.jump)
			m.open()
			m.settle()
			if c.left > 0 {
				require.Empty(t, m.events("n"))
				m.advanceClock(c.left - time.Second)
				m.settle()
				require.Empty(t, m.events("n"), "never early")
				m.advanceClock(time.Second)
				m.settle()
			}
			require.Equal(t, []string{"Woke()"}, m.events("n"))
			last := int64(0)
			for _, r := range m.history("n") {
				require.GreaterOrEqual(t, r.Time, last, "time does not run backward")
				last = r.Time
			}
		})
	}
}
