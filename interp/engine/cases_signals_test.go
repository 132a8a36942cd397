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
				require.Equal(t, `["a", "b", "c"]`, m.field("w", "seen").String())
				require.Zero(t, m.show("w").Signals, "nothing is left over")
				require.Len(t, m.records("w", engine.RecSignal), 3)
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
				m.noTimers(t)
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
				require.Len(t, m.records("first", engine.RecSignal), 1)
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
	require.Len(t, m.records("t", engine.RecSignal), 1)
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
		require.Equal(t, accepted, len(m.records("w", engine.RecSignal)) == 1)
		require.Len(t, m.events("w"), 3)
		m.noTimers(t)
		accepted = false
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
				require.Equal(t, "[0, 1, 2, 3, 4]", p.field("w", "seen").String(), "seed %d", seed)
				require.Equal(t, "completed", p.show("w").Status, "seed %d", seed)
			}
		})
	}
}
