package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

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
		require.Len(t, m.records("w", engine.RecFailed), 1)
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
		require.Len(t, m.records("w", engine.RecFailed), 3)
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
		m.noTimers(t)
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
		m.noTimers(t)
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
