package engine_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

const oneLine = `
workflow Line {
    step write { perform IO.print("line"); perform World.call("write"); emit Line() }
    step wait { let x = perform Signal.wait("go"); emit Went() }
}
`

// What is spawned while the engine starts is not taken up once more by its
// recovery, and what recovery takes up is not started by the spawn.
func TestC34RecoveryDoesNotAdoptWhatWasJustStarted(t *testing.T) {
	defer goleak.VerifyNone(t)
	const count = 40
	prog := compile(t, oneLine)
	store := persist.NewMemory()
	none, _ := value.NewRecord(nil, nil).AsRecord()

	passive := config(store, nil)
	passive.Passive = true
	e, err := engine.Open(t.Context(), passive)
	require.NoError(t, err)
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
		for i := range count {
			if _, err := e.Spawn(ctx, prog, "Line", fmt.Sprintf("old-%d", i), none, ""); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, e.Close())

	c := config(store, nil)
	c.Caller = answering{}
	e, err = engine.Open(t.Context(), c)
	require.NoError(t, err)
	begin := make(chan struct{})
	spawned := make(chan error, 1)
	go func() { // in the same moment: it does not wait for the recovery
		close(begin)
		spawned <- eachOf(2*count, 8, func(i int) error {
			id := fmt.Sprintf("new-%d", i/2) // each of them twice
			if i%4 == 0 {
				id = fmt.Sprintf("old-%d", i/4)
			}
			_, err := e.Spawn(t.Context(), prog, "Line", id, none, "")
			return err
		})
	}()
	<-begin
	taken, err := e.Recover(t.Context())
	require.NoError(t, err)
	require.Len(t, taken, count)
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(context.Context) error { return <-spawned }))
	require.NoError(t, e.Close())
	lines := map[string]int{}
	require.NoError(t, e.Events(t.Context(), "", 1, func(r *engine.EventRecord) bool {
		lines[r.Instance]++
		return true
	}))
	for id, n := range lines {
		require.Equal(t, 1, n, "%s", id)
	}
	require.GreaterOrEqual(t, len(lines), 2*count-count/2)
}

// answering is a world that answers everything.
type answering struct{}

func (answering) Call(context.Context, engine.Call) (value.Value, error) {
	return value.String("ok"), nil
}

// A spawn whose acknowledgement the crash swallowed, asked for again.
func TestC34SpawnAgainAfterACrash(t *testing.T) {
	none, _ := value.NewRecord(nil, nil).AsRecord()
	for n := 1; n <= 8; n++ {
		for _, f := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
			m := newMachine(t, oneLine)
			m.start()
			before := m.store.Commits()
			onceEach(m)
			m.plan = persist.FaultAt(before+n, f)
			for range 3 {
				_, err := m.e.Spawn(t.Context(), m.prog, "Line", "l", none, "")
				if err != nil {
					require.ErrorIs(t, err, engine.ErrUnknown)
				}
				if m.e.Err() == nil {
					for m.e.Step() {
					}
				}
				if m.e.Err() != nil {
					m.crash()
					m.open()
				}
			}
			m.settle()
			require.Equal(t, []string{"Line()"}, m.events("l"), "write %d: %v", n, f)
			require.Equal(t, []string{"line"}, m.printed("l"))
			require.Len(t, m.records("l", engine.RecSpawned), 1)
		}
	}
}

func TestC35RestartBetweenTwoSteps(t *testing.T) {
	everywhere(t, `
workflow W {
    step one { perform World.call("one"); emit One() }
    step two { perform World.call("two"); emit Two() }
    step three { perform World.call("three"); emit Three() }
}
spawn W {} as "w"`, onceEach, func(t *testing.T, m *machine) {
		require.Equal(t, "completed", m.show("w").Status)
		require.Equal(t, []string{"One()", "Two()", "Three()"}, m.events("w"))
		steps := []string{}
		for _, r := range m.records("w", engine.RecCompleted) {
			steps = append(steps, r.Step)
			require.Equal(t, uint32(1), r.Visit)
			require.Equal(t, uint32(1), r.Attempt, "a crash is no failure")
		}
		require.Equal(t, []string{"one", "two", "three"}, steps)
	})
}

// The same between the branches of a block and what follows it, and between the
// rounds of a loop.
func TestC35RestartBetweenRoundsAndBlocks(t *testing.T) {
	everywhere(t, `
workflow W {
    state n: Int = 0
    step round { let x = perform World.call("round ${self.n}"); self.n = self.n + 1; emit Round(self.n); if self.n < 3 { goto round } }
    parallel { step left { emit Left(); 1 } step right { emit Right(); 2 } }
    step last(r) { emit Last(r.left + r.right + self.n) }
}
spawn W {} as "w"`, nil, func(t *testing.T, m *machine) {
		ev := m.events("w")
		require.Len(t, ev, 6)
		require.Equal(t, []string{"Round(1)", "Round(2)", "Round(3)"}, ev[:3])
		require.ElementsMatch(t, []string{"Left()", "Right()"}, ev[3:5])
		require.Equal(t, "Last(6)", ev[5])
		byKey := map[string]bool{}
		for _, c := range m.world.calls {
			byKey[c] = true
		}
		require.Len(t, byKey, 3, "a repeated call has the key of the first")
	})
}

const drawn = `
workflow W {
    state seen: Any = nil
    step draw HOW {
        let now = perform Time.now()
        let id = perform Uuid.new()
        let n = perform Random.int(1, 1000000000)
        perform IO.print(now, id, n)
        let branch = if n % 2 == 0 { "even" } else { "odd" }
        let go = if branch == "even" { perform Signal.wait("even") } else { perform Signal.wait("odd") }
        perform IO.print(now, id, n, perform Time.now())
        emit Drew(now, id, n, branch)
        if go == "again" { throw "again" }
        self.seen = [now, id, n, branch]
    }
    step show { perform IO.print(self.seen) }
}
spawn W {} as "w"`

func TestC38WhatWasDrawnStays(t *testing.T) {
	for seed := range uint64(6) { // both branches
		m := newMachine(t, how(drawn, ""))
		m.seed = seed
		m.start()
		before := m.printed("w")
		require.Len(t, before, 1)
		wait := m.show("w").Waiting[0].For
		for range 3 {
			m.advanceClock(time.Hour)
			m.reopen()
			require.Equal(t, before, m.printed("w"))
			require.Equal(t, wait, m.show("w").Waiting[0].For)
		}
		name := "odd"
		if wait == "signal even" {
			name = "even"
		}
		m.signal("w", name, value.Nil)
		require.Equal(t, "completed", m.show("w").Status)
		lines := m.printed("w")
		require.Len(t, lines, 3)
		require.Equal(t, before[0]+" 2030-01-01T03:00:00Z", lines[1], "what comes after the wait is read then")
		require.Len(t, m.events("w"), 1)
		require.Contains(t, m.events("w")[0], fmt.Sprintf("%q", name))
	}
}

// Instances draw differently in the same place, also where all have one seed.
func TestInstancesDrawDifferently(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state token: String
    init { self.token = perform Uuid.new() }
    step draw { [self.token, perform Uuid.new()] }
}
entity E { command draw() { reply perform Uuid.new() } }
workflow V { step draw { perform Uuid.new() } }
let a = spawn W {} as "a"
let b = spawn W {} as "b"
perform IO.print(List.unique((await a) + (await b) + [await spawn V {} as "v", ask E("a").draw(), ask E("b").draw()]).length)
`)
	m.start()
	require.Equal(t, []string{"7"}, m.printed("main-1"))
}

// A retry draws anew.
func TestC38ARetryDrawsAnew(t *testing.T) {
	m := newMachine(t, how(drawn, "retry 1"))
	m.seed = 2 // the retry draws another branch, where the signal that is back does not count
	m.start()
	either := func(payload value.Value) {
		name := "odd"
		if m.show("w").Waiting[0].For == "signal even" {
			name = "even"
		}
		m.signal("w", name, payload)
	}
	m.reopen()
	either(value.String("again"))
	m.reopen()
	m.advance(time.Second)
	either(value.Nil)
	require.Equal(t, "completed", m.show("w").Status)
	lines := m.printed("w")
	require.Len(t, lines, 5)
	require.NotEqual(t, lines[0], lines[2])
	require.Equal(t, lines[1][:len(lines[0])], lines[0])
	require.Equal(t, lines[3][:len(lines[2])], lines[2])
	require.Len(t, m.events("w"), 1, "the events of the failed attempt never appear")
}

func TestC38DrawnValuesAtEveryCrash(t *testing.T) {
	var want string
	everywhere(t, how(drawn, "")+`
perform Timer.sleep(1h)
signal W("w").even(1)
signal W("w").odd(1)
await W("w")`, nil, func(t *testing.T, m *machine) {
		got := fmt.Sprint(m.printed("w"), m.events("w"))
		if want == "" {
			want = got
		}
		require.Equal(t, want, got)
		require.Equal(t, "completed", m.show("w").Status)
	})
}

func TestC39SleepGoesOnAndSignalsAreNotSentAgain(t *testing.T) {
	const text = `
workflow W {
    step nap { perform IO.print("x"); perform Timer.sleep(7d); perform IO.print("y"); emit Woke(perform Time.now()) }
    step take { let s = perform Signal.wait("s"); emit Took(s, perform Time.now()); s }
}
let w = spawn W {} as "w"
`
	day := 24 * time.Hour
	m := newMachine(t, text)
	m.start()
	m.advance(3 * day)
	m.reopen()
	m.advance(day)
	m.signal("w", "s", value.Int(4))
	m.advance(day)
	m.reopen()
	require.Equal(t, []string{"x"}, m.printed("w"))
	require.Empty(t, m.events("w"))
	m.advance(2*day - time.Nanosecond)
	require.Empty(t, m.events("w"), "not a moment early")
	m.advance(time.Nanosecond)
	require.Equal(t, []string{"x", "y"}, m.printed("w"))
	require.Equal(t, []string{`Woke(Time("2030-01-08T00:00:00Z"))`, `Took(4, Time("2030-01-08T00:00:00Z"))`}, m.events("w"))
	require.Len(t, m.records("w", engine.RecSignal), 1)
	require.Zero(t, m.show("w").Signals)
	require.Equal(t, "x\ny\n", m.out.String())

	everywhere(t, text+`
perform Timer.sleep(4d)
signal w.s(4)
await w`, nil, func(t *testing.T, m *machine) {
		require.Equal(t, []string{`Woke(Time("2030-01-08T00:00:00Z"))`, `Took(4, Time("2030-01-08T00:00:00Z"))`}, m.events("w"))
		require.Equal(t, []string{"x", "y"}, m.printed("w"))
		require.Len(t, m.records("w", engine.RecSignal), 1)
	})
}

// A wait that is satisfied takes its limit along: whoever runs the program need
// not wait for a timer that nobody has set any more.
func TestC39DriverDoesNotWaitForTimersThatAreGone(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := drive(t, persist.NewMemory(), compile(t, `
workflow W { step a { let x = perform Signal.wait("go", timeout: 1h); x } }
let w = spawn W {}
perform Timer.sleep(20ms)
signal w.go(7)
await w`), nil)
	require.Equal(t, value.Int(7), s.Result)
}
