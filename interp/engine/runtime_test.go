package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

const transfer = `
entity Wallet {
    state balance: Int = 100
    state closed: Bool = false
    command deposit(n: Int) -> Int {
        if self.closed { reject unavailable "wallet is closed" }
        self.balance += n
        emit Deposited(n)
        reply self.balance
    }
    command withdraw(n: Int) -> Int {
        if n > self.balance { reject conflict "not enough money" }
        self.balance -= n
        emit Withdrawn(n)
        reply self.balance
    }
    command close() { self.closed = true }
    command forget() { delete reply "gone" }
    query balance() -> Int { self.balance }
}
workflow Transfer {
    timeout 60s
    default timeout 10s
    state from: String
    state to: String
    state amount: Int
    state status: String = "not-started"
    step idle { pause }
    command start() in idle {
        if self.amount <= 0 { reject "transfer amount must be greater than zero" }
        self.status = "started"
        goto withdraw(self.amount) reply "started"
    }
    query status() -> String { self.status }
    step withdraw(amount: Int) {
        ask Wallet(self.from).withdraw(amount)
        self.status = "withdrawn"
        goto deposit(amount)
    }
    step deposit(amount: Int) retry 1 else undo {
        ask Wallet(self.to).deposit(amount)
        self.status = "completed"
        end
    }
    step undo {
        ask Wallet(self.from).deposit(self.amount)
        self.status = "compensated"
        end
    }
}
`

// call runs a command and gives its reply.
func (m *machine) call(h value.Handle, name string, args ...value.Value) (value.Value, error) {
	v, err := m.e.Call(m.t.Context(), h, name, args, "", m.prog)
	m.settle()
	return v, err
}

func wallet(id string) value.Handle { return value.Handle{Type: "Wallet", ID: id, Entity: true} }

func handle(w, id string) value.Handle { return value.Handle{Type: w, ID: id} }

func TestTransfer(t *testing.T) {
	m := newMachine(t, transfer+`
let t = spawn Transfer { from: "alice", to: "bob", amount: 30 } as "t-1" in {
    ask t.start()
    await t
    ask t.status()
}`)
	m.run()
	require.Equal(t, `"completed"`, m.show("main-1").Result.String())
	require.Equal(t, value.Int(70), m.query("Wallet/alice", "balance"))
	require.Equal(t, value.Int(130), m.query("Wallet/bob", "balance"))
	_, err := m.call(handle("Transfer", "t-1"), "start")
	require.ErrorContains(t, err, "completed")
}

func TestTransferIsCompensated(t *testing.T) {
	m := newMachine(t, transfer+`
ask Wallet("bob").close()
let t = spawn Transfer { from: "alice", to: "bob", amount: 30 } as "t-1"
ask t.start()
await t
ask t.status()`)
	m.run()
	require.Equal(t, `"compensated"`, m.show("main-1").Result.String())
	require.Equal(t, value.Int(100), m.query("Wallet/alice", "balance"))
	require.Equal(t, "unavailable", m.show("t-1").Failure.Code)
	var failed int
	for _, r := range m.history("t-1") {
		if r.Kind == engine.RecFailed {
			failed++
		}
	}
	require.Equal(t, 2, failed, "one retry, then the failover")
}

func TestCommandsAreGuardedAndRefused(t *testing.T) {
	m := newMachine(t, transfer+`
spawn Transfer { from: "alice", to: "bob", amount: 0 } as "t-1"`)
	m.run()
	before := m.history("t-1")
	_, err := m.call(handle("Transfer", "t-1"), "start")
	require.ErrorContains(t, err, "greater than zero")
	require.ErrorIs(t, err, engine.ErrRefused)
	require.Equal(t, before, m.history("t-1"), "a refusal journals nothing")
	require.Equal(t, "paused", m.show("t-1").Status)
	_, err = m.call(handle("Transfer", "t-1"), "strat")
	require.ErrorContains(t, err, `did you mean "start"`)
	_, err = m.call(handle("Transfer", "t-1"), "start", value.Int(1))
	require.ErrorContains(t, err, "no arguments")
	_, err = m.call(wallet("x"), "deposit", value.String("a"))
	require.ErrorContains(t, err, "parameter n")
	_, err = m.e.Show(t.Context(), "Wallet/x")
	require.ErrorIs(t, err, engine.ErrNotFound, "a refused command creates nothing")
	require.Equal(t, value.Int(100), m.query("Wallet/x", "balance"), "a query answers from the initial state")
}

func TestIdempotencyKeys(t *testing.T) {
	m := newMachine(t, transfer)
	m.run()
	deposit := func(key string, n int64) (value.Value, error) {
		return m.e.Call(t.Context(), wallet("a"), "deposit", []value.Value{value.Int(n)}, key, m.prog)
	}
	for range 3 {
		v, err := deposit("k1", 5)
		require.NoError(t, err)
		require.Equal(t, value.Int(105), v)
	}
	_, err := deposit("k1", 6)
	require.ErrorContains(t, err, "another request")
	m.crash()
	m.open()
	v, err := deposit("k1", 5)
	require.NoError(t, err)
	require.Equal(t, value.Int(105), v, "also after a restart")
	require.Len(t, m.events("Wallet/a"), 1)
}

func TestDeleteRemovesAndALaterOneIsNew(t *testing.T) {
	m := newMachine(t, transfer)
	m.run()
	_, err := m.call(wallet("a"), "deposit", value.Int(5))
	require.NoError(t, err)
	v, err := m.call(wallet("a"), "forget")
	require.NoError(t, err)
	require.Equal(t, `"gone"`, v.String())
	_, err = m.e.Show(t.Context(), "Wallet/a")
	require.ErrorIs(t, err, engine.ErrNotFound)
	v, err = m.call(wallet("a"), "deposit", value.Int(1))
	require.NoError(t, err)
	require.Equal(t, value.Int(101), v)
}

func TestRedirectCutsTheRunningStep(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state note: String = ""
    command stop() { goto stopped reply "ok" }
    command remark(s: String) { self.note = s }
    step work { perform Timer.sleep(1h); emit Worked() } compensate(err) { emit UndoWork(err.completed) }
    step never { emit Never() }
    step stopped { emit Stopped(self.note); throw "later" }
}
spawn W {} as "w"`)
	require.NoError(t, m.begin())
	m.settle()
	_, err := m.call(handle("W", "w"), "remark", value.String("hello"))
	require.NoError(t, err)
	require.Equal(t, "running", m.show("w").Status, "a command that does not transition leaves the step alone")
	v, err := m.call(handle("W", "w"), "stop")
	require.NoError(t, err)
	require.Equal(t, `"ok"`, v.String())
	m.advance(2 * time.Hour)
	require.Equal(t, []string{"UndoWork(false)"}, m.events("w"))
	require.Equal(t, "failed", m.show("w").Status)
}

func TestAttemptSeesItsBaseWhileACommandChangesTheState(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state n: Int = 1
    state seen: Int = 0
    command set(n: Int) in work { self.n = n }
    step work {
        let a = self.n
        let x = perform Signal.wait("go")
        emit Saw(a, self.n, x)
    }
    step after_it { emit Then(self.n) }
}
spawn W {} as "w"`)
	m.run()
	_, err := m.call(handle("W", "w"), "set", value.Int(7))
	require.NoError(t, err)
	m.crash()
	m.open()
	m.signal("w", "go", value.Nil)
	require.Equal(t, []string{"Saw(1, 1, nil)", "Then(7)"}, m.events("w"))
}

func TestInitRejectsAndFinallyRuns(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state n: Int
    init { if self.n < 0 { reject "n is negative" }; self.n = self.n * 2 }
    step a { if self.n == 4 { throw "four" }; self.n }
    finally(o) { emit Finally(o.status, o.result, o.steps) }
}
let a = spawn W { n: 1 } as "a"
let b = spawn W { n: 2 } as "b"
try { spawn W { n: -1 } as "c" } catch e { e.message }`)
	m.run()
	require.Equal(t, `"n is negative"`, m.show("main-1").Result.String())
	require.Equal(t, []string{`Finally("completed", 2, ["a"])`}, m.events("a"))
	require.Equal(t, []string{`Finally("failed", nil, ["a"])`}, m.events("b"))
	_, err := m.e.Show(t.Context(), "c")
	require.ErrorIs(t, err, engine.ErrNotFound)
}

func TestBlocksForSettleFirst(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state items: [Int] = [1, 2, 3, 4]
    parallel for item in self.items max 2 { step double { perform Timer.sleep(1s); item * 2 } }
    step list(r) { emit List(r) }
    parallel settle { step good { 1 } step bad { throw "no" } compensate { emit UndoBad() } }
    step settled(r) { emit Settled(match r.good { Ok(v) => v, Err(_) => -1 }, match r.bad { Ok(_) => "ok", Err(e) => e.message }) }
    parallel first 1 {
        step slow { perform Timer.sleep(1h); "slow" } compensate(err) { emit UndoSlow(err.completed) }
        step quick { perform Timer.sleep(1s); "quick" }
    }
    step won(r) { emit Won(r) }
}
spawn W {} as "w"`)
	m.run()
	require.Equal(t, []string{"List([2, 4, 6, 8])", "UndoBad()", `Settled(1, "no")`, "UndoSlow(false)", `Won(["quick"])`}, m.events("w"))
	require.Equal(t, "completed", m.show("w").Status)
}

func TestStepTimeoutCutsEachAttempt(t *testing.T) {
	m := newMachine(t, `
workflow W {
    step a timeout 1s retry 1 { perform World.call("slow") }
}
spawn W {} as "w"`)
	m.world.delay = func(n int, _ engine.Call) time.Duration { return time.Hour }
	m.run()
	s := m.show("w")
	require.Equal(t, "failed", s.Status)
	require.Equal(t, "timeout", s.Failure.Code)
	require.Len(t, m.world.calls, 2)
	require.Equal(t, m.world.calls[0], m.world.calls[1], "the same key while the outcome is unknown")
}

func TestStepTimeoutRetryMayBeFast(t *testing.T) {
	m := newMachine(t, `
workflow W {
    step a timeout 2s retry 2 { perform World.call("slow") }
}
spawn W {} as "w"`)
	m.world.delay = func(n int, _ engine.Call) time.Duration {
		if n == 1 {
			return 5 * time.Second
		}
		return 0
	}
	m.run()
	require.Equal(t, "completed", m.show("w").Status)
}

func TestWorkflowTimeoutNamesTheLastError(t *testing.T) {
	m := newMachine(t, `
workflow W {
    timeout 5s
    step a retry 1000 backoff 1s..1s { throw { code: "declined", message: "card declined" } } compensate { emit Undo() }
}
spawn W {} as "w"`)
	m.run()
	s := m.show("w")
	require.Equal(t, "failed", s.Status)
	require.Equal(t, "timeout", s.Failure.Code)
	require.Contains(t, s.Failure.Message, "card declined")
	require.Equal(t, []string{"Undo()"}, m.events("w"))
	_, pending := m.e.NextTimer()
	require.False(t, pending)
}

func TestOnceIsNotRepeated(t *testing.T) {
	m := newMachine(t, `
workflow W {
    step a retry 1 {
        let x = perform once World.call("pay")
        let y = perform World.call("then")
        if y == "bad" { throw "again" }
        emit Paid(x, y)
    }
}
spawn W {} as "w"`)
	m.world.answer = func(n int, c engine.Call) (value.Value, error) {
		switch {
		case c.Args[0].Text() == "pay":
			return value.String("paid"), nil
		case n == 2:
			return value.String("bad"), nil
		}
		return value.String("good"), nil
	}
	m.run()
	require.Equal(t, []string{`Paid("paid", "good")`}, m.events("w"))
	require.Len(t, m.world.calls, 3)
}

func TestEndlessLoopIsStoppedAndOthersGoOn(t *testing.T) {
	m := newMachine(t, `
workflow Bad { step a { while true { } } }
workflow Good { step a { emit Done() } }
spawn Bad {} as "bad"
spawn Good {} as "good"`)
	m.limits = interp.Limits{Fuel: 100_000}
	m.run()
	require.Equal(t, "failed", m.show("bad").Status)
	require.Equal(t, []string{"Done()"}, m.events("good"))
}

func TestRetryUndoesWhatFailed(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state broken: Bool = true
    command mend() { self.broken = false }
    step a { emit A() } compensate { if perform World.call("undo") == "bad" { throw "not now" }; emit UndoA() }
    step b { throw "no" }
}
spawn W {} as "w"`)
	bad := true
	m.world.answer = func(int, engine.Call) (value.Value, error) {
		if bad {
			return value.String("bad"), nil
		}
		return value.String("good"), nil
	}
	m.run()
	s := m.show("w")
	require.Equal(t, "failed", s.Status)
	require.Equal(t, "not now", s.Undo.Failed[0].Message)
	bad = false
	require.NoError(t, m.e.Retry(t.Context(), "w"))
	m.settle()
	s = m.show("w")
	require.Equal(t, "failed", s.Status)
	require.Empty(t, s.Undo.Failed)
	require.Equal(t, []string{"A()", "UndoA()"}, m.events("w"))
	require.Error(t, m.e.Retry(t.Context(), "w"))
}

// What a terminate has left is listed, and a retry undoes it, the last first, as
// if it had been cancelled; crashes do not matter.
func TestRetryAfterTerminate(t *testing.T) {
	const text = `
workflow W {
    step a { emit A(); 1 } compensate(err) { emit UndoA(err.code, err.completed, err.value) }
    step b { () }
    parallel {
        step c { emit C(); 3 } compensate(err) { emit UndoC(err.completed, err.value) }
        step d { perform Signal.wait("never") } compensate(err) { emit UndoD(err.completed) }
    }
    finally(o) { emit Over(o.status) }
}
spawn W {} as "w"`
	for _, crash := range []bool{false, true} {
		m := newMachine(t, text)
		m.run()
		require.ErrorContains(t, m.e.Retry(t.Context(), "w"), "nothing to be tried again")
		require.NoError(t, m.e.Terminate(t.Context(), "w"))
		m.settle()
		s := m.show("w")
		require.Equal(t, "cancelled", s.Status)
		steps := []string{}
		for _, f := range s.Undo.Failed {
			require.Equal(t, "terminated", f.Code)
			steps = append(steps, f.Step)
		}
		require.Equal(t, []string{"d", "c", "a"}, steps)
		require.Equal(t, []string{"A()", "C()"}, m.events("w"), "nothing was undone")
		if crash {
			m.crash()
			m.open()
			m.settle()
			require.Len(t, m.events("w"), 2)
		}
		require.NoError(t, m.e.Retry(t.Context(), "w"))
		if crash {
			m.crash()
			m.open()
		}
		m.settle()
		s = m.show("w")
		require.Equal(t, "cancelled", s.Status)
		require.Empty(t, s.Undo.Failed)
		require.Equal(t, []string{"A()", "C()", `UndoD(false)`, `UndoC(true, 3)`, `UndoA("cancelled", true, 1)`}, m.events("w"))
		require.ErrorContains(t, m.e.Retry(t.Context(), "w"), "nothing to be tried again")
	}
}

func TestCompensationWaitsForTheCutCall(t *testing.T) {
	m := newMachine(t, `
workflow W {
    parallel {
        step call { perform World.call("slow") } compensate { emit Undo(perform Time.now()) }
        step bad { perform Timer.sleep(1s); throw "no" }
    }
}
spawn W {} as "w"`)
	for _, d := range []time.Duration{3 * time.Second, time.Hour} {
		t.Run(d.String(), func(t *testing.T) {
			m = newMachine(t, m.text)
			m.world.delay = func(int, engine.Call) time.Duration { return d }
			m.run()
			want := begun.UnixNano() + int64(min(d, 6*time.Second)) // 1 s until the cut, 5 s of grace at most
			require.Equal(t, []string{"Undo(" + value.Time(want).String() + ")"}, m.events("w"))
			var dropped int
			for _, r := range m.history("w") {
				if r.Kind == engine.RecDropped {
					dropped++
				}
			}
			require.LessOrEqual(t, dropped, 1)
			if d < time.Minute {
				require.Equal(t, want, m.e.Now(), "nobody waits for the rest of the grace")
			}
		})
	}
}

func TestTooManyRequestsOfAnAttempt(t *testing.T) {
	m := newMachine(t, `
workflow W { step a { for i in 1..20000 { perform Time.now() } } }
spawn W {} as "w"`)
	m.run()
	require.Equal(t, "failed", m.show("w").Status)
	require.Equal(t, "limit", m.show("w").Failure.Code)
}

// The process dies in one instance at every start. After two unclean starts the
// engine drives one instance at a time and notes which; the third death in the
// same one parks it, and the others go on.
func TestProcessThatDiesInOneInstance(t *testing.T) {
	m := newMachine(t, `
workflow Good { step a { emit Good() } }
workflow Bad { step a { perform World.call("die"); emit Bad() } }
spawn Good {} as "g1"
spawn Bad {} as "bad"
spawn Good {} as "g2"
0`)
	dies := 0
	m.world.answer = func(int, engine.Call) (value.Value, error) {
		dies++
		panic(died{})
	}
	// A crash before the first commit of the instances leaves all three to be driven.
	m.plan = func(n int, _ []persist.Batch) persist.Fault {
		if n == 2 {
			return persist.CrashAfter
		}
		return persist.NoFault
	}
	starts := 0
	for ; starts < 12; starts++ {
		if m.runUntilDeath() {
			break
		}
	}
	require.Less(t, starts, 12, "it never gets over the bad instance")
	require.Equal(t, "paused", m.show("bad").Status)
	require.Contains(t, m.show("bad").Waiting[0].For, "has died 3 times")
	require.Equal(t, "completed", m.show("g1").Status)
	require.Equal(t, "completed", m.show("g2").Status)
	require.LessOrEqual(t, dies, 8)
}

type died struct{}

// runUntilDeath runs until nothing moves; it gives false if the process died,
// and leaves the machine as after that.
func (m *machine) runUntilDeath() (alive bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(died); !ok {
				panic(r)
			}
			m.crash()
			m.e = nil
		}
	}()
	m.run()
	return true
}

func TestSpawnFromOutsideFitsTheDeclaredTypes(t *testing.T) {
	m := newMachine(t, `
entity Wallet {
    state b: Int = 0
    command add(n: Int) { self.b += n }
}
workflow W {
    state a: Decimal
    state d: Duration = 1s
    step x { emit Got(self.a, self.d * 2) }
}
0`)
	m.run()
	spawn := func(id string, keys []string, vals ...value.Value) error {
		fields, _ := value.NewRecord(keys, vals).AsRecord()
		_, err := m.e.Spawn(t.Context(), m.prog, "W", id, fields, "")
		m.settle()
		return err
	}
	for range 2 { // the second finds the first: the same fields, fitted
		require.NoError(t, spawn("w", []string{"a", "d"}, value.Int(1), value.String("2s")))
	}
	require.Equal(t, []string{"Got(Decimal(1), 4s)"}, m.events("w"))
	require.ErrorContains(t, spawn("", []string{"a"}, value.String("x")), `field a of W: is "x", not Decimal`)
	require.ErrorContains(t, spawn("", []string{"a"}, value.Nil), "not Decimal")
	require.ErrorContains(t, spawn("Wallet/x", []string{"a"}, value.Int(1)), "entity")
	require.ErrorContains(t, spawn("main-7", []string{"a"}, value.Int(1)), "programs")
	_, err := m.call(wallet("x"), "add", value.Int(1))
	require.NoError(t, err)
	require.ErrorContains(t, m.e.DriveOnly(t.Context(), "Wallet/x"), "entity")
}
