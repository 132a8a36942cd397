package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// Several signals of one name in quick succession, before the first wait: all
// are consumed, in order, whether one step waits for each or one body for all.
func TestC01SignalsOfOneNameAreAllConsumed(t *testing.T) {
	for name, take := range map[string]string{
		"a visit each": `step take { self.seen = self.seen + [perform Signal.wait("item")]; if self.seen.length < 3 { goto take } }`,
		"one body":     `step take { var all = []; for _ in 1..3 { all = all + [perform Signal.wait("item")] }; self.seen = all }`,
		"a select":     `step take { select { signal item(x) => self.seen = self.seen + [x] }; if self.seen.length < 3 { goto take } }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow W {
    state seen: [String] = []
    step slow { perform World.call("slow") }
    ` + take + `
}
spawn W {} as "w"`,
				setup: func(m *machine) { m.world.takes(5 * time.Second) },
				deeds: []deed{sends(time.Second, "w", "item", value.String("a")), sends(time.Second, "w", "item", value.String("b")),
					sends(time.Second, "w", "item", value.String("c"))},
			}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, "completed", m.show("w").Status)
				require.Equal(t, `["a", "b", "c"]`, m.fieldText("w", "seen"))
				require.Zero(t, m.show("w").Signals, "nothing is left over")
				require.Equal(t, 3, m.journaled("w", engine.RecSignal))
				var taken []uint64
				for _, r := range m.history("w") {
					if r.Kind == engine.RecAnswer && r.Signal != 0 {
						taken = append(taken, r.Signal)
					}
				}
				require.Equal(t, []uint64{1, 2, 3}, taken)
			})
		})
	}
}

// Branches that wait for one name are served from the lowest up, however many
// there are.
func TestC01SignalsOfOneNameGoToTheLowestBranch(t *testing.T) {
	s := scene{text: `
workflow W {
    parallel for n in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] { step take { perform Signal.wait("item") } }
    step last(all) { emit All(all) }
}
spawn W {} as "w"`}
	for i := range 13 {
		s.deeds = append(s.deeds, sends(time.Duration(i)*time.Second, "w", "item", value.Int(int64(i))))
	}
	m := s.play(t, nil)
	require.Equal(t, []string{"All([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])"}, m.events("w"))
}

// A signal sent with the start is there for the very first wait, in whatever
// order things happen.
func TestC02SignalWithTheStartIsSeenByTheFirstStep(t *testing.T) {
	for name, wait := range map[string]string{
		"select":  `select { signal foo(x) => emit Got(x), after 5s => emit TooLate() }`,
		"wait":    `let x = try { perform Signal.wait("foo", timeout: 5s) } catch e { e.code }; emit Got(x)`,
		"no time": `perform World.call("after the signal"); select { signal foo(x) => emit Got(x), after 0s => emit TooLate() }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{text: `
workflow W { step a { ` + wait + ` } }
let w = spawn W {} as "w"
signal w.foo("bar")`, setup: func(m *machine) { m.world.takes(time.Millisecond) }}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, []string{`Got("bar")`}, m.events("w"))
				wantNoTimer(t, m)
			})
			for seed := range uint64(50) {
				s.setup = func(m *machine) {
					m.world.takes(time.Millisecond)
					m.picker = newDice(seed)
				}
				require.Equal(t, []string{`Got("bar")`}, s.play(t, nil).events("w"), "seed %d", seed)
			}
		})
	}
}

// A signal that came before its wait is taken by it, even if the process was
// down for longer than the wait's limit in between.
func TestC03EarlySignalIsKeptUntilItsWait(t *testing.T) {
	for _, down := range []time.Duration{0, time.Hour} {
		s := scene{
			text: `
workflow First {
    step busy { perform World.call("slow") }
    step take { select { signal hello(x) => emit Got(x), after 5s => emit TooLate() } }
}
workflow Second {
    state to: First
    step a { signal self.to.hello("hi") }
}
let f = spawn First {} as "first"
spawn Second { to: f } as "second"`,
			setup: func(m *machine) { m.world.takes(10 * time.Second) },
			down:  down,
		}
		t.Run(fmt.Sprintf("down %v", down), func(t *testing.T) {
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, []string{`Got("hi")`}, m.events("first"))
				require.Equal(t, 1, m.journaled("first", engine.RecSignal))
				require.Equal(t, "completed", m.show("second").Status)
			})
		})
	}
}

// A retried step repeats its signal under the same key: the receiver has it once.
func TestC03SignalOfARetriedStepArrivesOnce(t *testing.T) {
	s := scene{
		text: `
workflow Taker { step take { let x = perform Signal.wait("item"); perform Timer.sleep(1m); emit Took(x) } }
workflow Giver {
    state to: Taker
    step give retry 2 { signal self.to.item("a"); if perform World.call("check") == "bad" { throw "again" } }
}
let t = spawn Taker {} as "t"
spawn Giver { to: t } as "g"`,
		setup: func(m *machine) {
			m.world.answers(func(_ string, n int) (value.Value, error) {
				if n < 3 {
					return value.String("bad"), nil
				}
				return value.String("good"), nil
			})
		},
	}
	m := s.play(t, nil)
	require.Equal(t, "completed", m.show("g").Status)
	require.Equal(t, 1, m.journaled("t", engine.RecSignal))
	require.Zero(t, m.show("t").Signals)
}

// A signal to an instance that has ended is refused, and changes nothing.
func TestC04SignalToAFinishedInstanceIsRefused(t *testing.T) {
	for name, end := range map[string]string{"completed": "self.n = 7", "failed": `throw "no"`, "cancelled": `perform Timer.sleep(1h)`} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, `
workflow W {
    state n: Int = 0
    query n() -> Int { self.n }
    step a { select { signal go => (), after 1s => () } }
    step b { `+end+` }
}
spawn W {} as "w"`)
			require.NoError(t, m.begin())
			m.advance(time.Minute)
			if name == "cancelled" {
				require.NoError(t, m.e.Cancel(t.Context(), "w"))
				m.settle()
			}
			before, row := m.history("w"), m.show("w")
			require.Equal(t, name, row.Status)
			for range 2 {
				err := m.e.Signal(t.Context(), "w", "go", value.Nil, "")
				require.ErrorIs(t, err, engine.ErrRefused)
				require.ErrorContains(t, err, "is "+name)
				m.settle()
				require.Equal(t, before, m.history("w"))
				require.Equal(t, row, m.show("w"))
				m.query("w", "n")
				m.crash()
				m.open()
				m.settle()
			}
		})
	}
}

// At whatever moment a signal comes, it is either accepted and in the journal,
// or refused; an instance that has ended stays as it is.
func TestC04SignalIsAcceptedOrRefusedAtEveryMoment(t *testing.T) {
	s := scene{text: `
workflow W {
    step a { select { signal go => emit Went(), after 1s => emit Waited() } }
    step b { emit B() }
    finally { emit Finally() }
}
spawn W {} as "w"`}
	accepted := false
	s.everyMoment(t, func(m *machine) {
		err := m.e.Signal(t.Context(), "w", "go", value.Nil, "")
		accepted = err == nil
		if err != nil {
			require.ErrorIs(m.t, err, engine.ErrRefused)
		}
	}, func(t testing.TB, m *machine) {
		require.Equal(t, "completed", m.show("w").Status)
		require.Equal(t, accepted, m.journaled("w", engine.RecSignal) == 1)
		require.Len(t, m.events("w"), 3)
		wantNoTimer(t, m)
		accepted = false
	})
}

// A payload that nothing matches fails the step where it stands; the signal is
// put back, not swallowed, and retries and failover have their say.
func TestC05UnexpectedPayloadFailsTheStep(t *testing.T) {
	const take = `{
        let x = perform Signal.wait("item")
        match x { "a" => emit A(), "b" => emit B() }
    }`
	s := scene{
		text: `
workflow W { step take ` + take + ` }
spawn W {} as "w"`,
		deeds: []deed{sends(time.Second, "w", "item", value.Int(42))},
	}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		row := m.show("w")
		require.Equal(t, "failed", row.Status)
		require.Equal(t, "test.wf:4:9", row.Failure.Place)
		require.Contains(t, row.Failure.Message, "42")
		require.Equal(t, 1, m.journaled("w", engine.RecFailed))
		require.Equal(t, 1, row.Signals, "the signal is left over, not lost")
		require.Empty(t, m.events("w"))
	})
	s.text = `
workflow W {
    step take retry 2 backoff 1s else sort_out ` + take + `
    step done { end }
    step sort_out { let x = perform Signal.wait("item"); emit SortedOut(x, self.failure.code); goto done }
}
spawn W {} as "w"`
	s.everyCrash(t, func(t testing.TB, m *machine) {
		row := m.show("w")
		require.Equal(t, "completed", row.Status)
		require.Equal(t, 3, m.journaled("w", engine.RecFailed))
		require.Len(t, m.events("w"), 1)
		require.Contains(t, m.events("w")[0], "SortedOut(42, ")
		require.Zero(t, row.Signals)
	})
}

// A signal that a failed branch puts back goes to another branch that waits for
// it: a wait looks at the inbox first.
func TestC05SignalPutBackIsGivenToWhoWaits(t *testing.T) {
	for name, block := range map[string]string{
		"fails":   `step one { let x = perform Signal.wait("item"); perform World.call("one"); throw "cannot use it" }`,
		"retries": `step one retry 1 backoff 1h { let x = perform Signal.wait("item"); perform World.call("one"); throw "cannot use it" }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow W {
    parallel settle {
        ` + block + `
        step two { select { signal item(x) => emit Two(x), after 1m => emit TooLate() } }
    }
}
spawn W {} as "w"`,
				setup: func(m *machine) { m.world.takes(time.Second) },
				deeds: []deed{sends(time.Second, "w", "item", value.String("a"))},
			}
			if name == "retries" {
				s.deeds = append(s.deeds, sends(2*time.Hour, "w", "item", value.String("b")))
			}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, []string{`Two("a")`}, m.events("w"))
				require.Equal(t, "completed", m.show("w").Status)
			})
		})
	}
}

// Of a two-way wait the loser is gone at once: the instance ends, no timer and
// no wait are left.
func TestC06LoserOfATwoWayWaitIsGone(t *testing.T) {
	s := scene{
		text: `
workflow W {
    step a { select { signal done => emit Done(), signal error => emit Failed(), after 1h => emit TooLate() } }
}
spawn W {} as "w"`,
		deeds: []deed{sends(time.Second, "w", "done", value.Nil), sends(time.Second, "w", "error", value.Nil).refused("completed")},
	}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		require.Equal(t, "completed", m.show("w").Status)
		require.Empty(t, m.show("w").Waiting)
		require.Equal(t, []string{"Done()"}, m.events("w"))
		require.Equal(t, time.Second, m.elapsed(), "nothing waited any longer")
		wantNoTimer(t, m)
	})
}

// A branch of `first` that lost is gone as well.
func TestC06LoserOfABlockIsGone(t *testing.T) {
	s := scene{
		text: `
workflow W {
    parallel first 1 {
        step done { perform Signal.wait("done"); emit Done() }
        step error { perform Signal.wait("error", timeout: 1h); emit Failed() }
    }
}
spawn W {} as "w"`,
		deeds: []deed{sends(time.Second, "w", "done", value.Nil), sends(time.Second, "w", "error", value.Nil).refused("completed")},
	}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		require.Equal(t, []string{"Done()"}, m.events("w"))
		require.Equal(t, time.Second, m.elapsed())
		wantNoTimer(t, m)
	})
}

// After the limit has fired only its path runs; the late signal stays and does
// not re-enter the wait that is over.
func TestC07LateSignalDoesNotReenterTheOldWait(t *testing.T) {
	for name, wait := range map[string]string{
		"select": `select { signal first(x) => goto got(x), after 5s => goto late }`,
		"wait":   `let x = try { perform Signal.wait("first", timeout: 5s) } catch e { goto late }; goto got(x)`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{
				text: `
workflow W {
    step a { ` + wait + ` }
    step got(x) { emit Got(x); end }
    step late { let y = perform Signal.wait("second"); emit Late(y); end }
}
spawn W {} as "w"`,
				deeds: []deed{sends(10*time.Second, "w", "first", value.String("too late")), sends(20*time.Second, "w", "second", value.String("in time"))},
			}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, []string{`Late("in time")`}, m.events("w"))
				require.Equal(t, 1, m.show("w").Signals, "the late one is left over")
			})
		})
	}
	t.Run("pause", func(t *testing.T) {
		s := scene{
			text: `
workflow W {
    command first() in a { goto got }
    step a { pause "for a while" for 5s then late }
    step got { emit Got(); end }
    step late { let y = perform Signal.wait("second"); emit Late(y); end }
}
spawn W {} as "w"`,
			deeds: []deed{asks(10*time.Second, "W", "w", "first").refused("not possible in late"), sends(20*time.Second, "w", "second", value.String("in time"))},
		}
		s.everyCrash(t, func(t testing.TB, m *machine) {
			require.Equal(t, []string{`Late("in time")`}, m.events("w"))
		})
	})
}

// An instance that goes to itself between waits loses nothing, whenever the
// signals come and in whatever order things are done.
func TestC08NoSignalIsLostBetweenVisits(t *testing.T) {
	for name, between := range map[string]string{"at once": "", "sleep 0": "perform Timer.sleep(0s)", "sleep 1ns": "perform Timer.sleep(1ns)"} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(100) {
				dice := newDice(seed)
				s := scene{
					text: `
workflow W {
    state seen: [Int] = []
    step take {
        let x = perform Signal.wait("Event")
        ` + between + `
        self.seen = self.seen + [x]
        if self.seen.length < 5 { goto take }
    }
}
spawn W {} as "w"`,
					setup: func(m *machine) { m.picker = dice },
				}
				p := s.player(t)
				sent := 0
				p.play()
				for sent < 5 {
					require.NoError(t, p.e.Signal(t.Context(), "w", "Event", value.Int(int64(sent)), ""))
					sent++
					for range dice.IntN(8) {
						p.e.Step()
					}
					if dice.IntN(10) == 0 {
						p.crash()
						p.open()
					}
				}
				p.rest()
				p.run()
				require.Equal(t, "[0, 1, 2, 3, 4]", p.fieldText("w", "seen"), "seed %d", seed)
				require.Equal(t, "completed", p.show("w").Status, "seed %d", seed)
			}
		})
	}
}
