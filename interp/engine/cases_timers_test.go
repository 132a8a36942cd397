package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
)

// waits are all the ways to wait ten seconds. Each ends with the event Woke and
// the time.
func waits() map[string]string {
	const woke = `emit Woke(perform Time.now())`
	return map[string]string{
		"sleep":            `workflow W { step a { perform Timer.sleep(10s) } step b { ` + woke + ` } }`,
		"sleep by name":    `workflow W { step a { perform Timer.sleep("nap", 10000) } step b { ` + woke + ` } }`,
		"sleep in parts":   `workflow W { step a { for _ in 1..5 { perform Timer.sleep(2s) } } step b { ` + woke + ` } }`,
		"sleep in one":     `workflow W { step a { perform Timer.sleep(10s); ` + woke + ` } }`,
		"until":            `workflow W { step a { perform Timer.until(Time("2030-01-01T00:00:10Z")) } step b { ` + woke + ` } }`,
		"select after":     `workflow W { step a { select { signal go => (), after 10s => () } } step b { ` + woke + ` } }`,
		"select at":        `workflow W { step a { select { at Time("2030-01-01T00:00:10Z") => (), after 20s => () } } step b { ` + woke + ` } }`,
		"signal":           `workflow W { step a { try { perform Signal.wait("go", timeout: 10s) } catch e { () } } step b { ` + woke + ` } }`,
		"pause for":        `workflow W { step a { pause for 10s } step b { ` + woke + ` } }`,
		"pause until":      `workflow W { step a { pause until Time("2030-01-01T00:00:10Z") } step b { ` + woke + ` } }`,
		"pause then":       `workflow W { step a { pause for 10s then b } step c { end } step b { ` + woke + `; goto c } }`,
		"backoff":          `workflow W { step a retry 2 backoff 5s..5s else b { throw "no" } step c { end } step b { ` + woke + `; goto c } }`,
		"workflow timeout": `workflow W { timeout 10s; step a { perform Signal.wait("go") } finally { ` + woke + ` } }`,
		"in a branch":      `workflow W { parallel { step a { perform Timer.sleep(10s) } step x { perform Timer.sleep(3s) } } step b { ` + woke + ` } }`,
		"in an undo":       `workflow W { step a { throw "no" } compensate { perform Timer.sleep(10s) } finally { ` + woke + ` } }`,
		"in finally":       `workflow W { step a { () } finally { perform Timer.sleep(10s); ` + woke + ` } }`,
		"await for": `
workflow Long { step a { perform Timer.sleep(20s) } }
workflow W { state l: Long
    step a { try { await self.l for 10s } catch e { () } } step b { ` + woke + ` } }
let l = spawn Long {}`,
	}
}

// everyWait runs a sub-test for each way to wait.
func everyWait(t *testing.T, f func(t *testing.T, text string)) {
	all := waits()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		spawn := "\nspawn W {} as \"w\""
		if name == "await for" {
			spawn = "\nspawn W { l: l } as \"w\""
		}
		t.Run(name, func(t *testing.T) { f(t, all[name]+spawn) })
	}
}

func wokeAt(d time.Duration) []string {
	return []string{fmt.Sprintf("Woke(Time(%q))", time.Unix(0, newVirtual().now+int64(d)).UTC().Format(time.RFC3339Nano))}
}

// A time that passed while the process was down: what waited goes on at once
// when it starts again, whatever way it waited.
func TestC09OverdueWaitGoesOnAtOnce(t *testing.T) {
	everyWait(t, func(t *testing.T, text string) {
		m := newMachine(t, text)
		require.NoError(t, m.begin())
		m.advance(200 * time.Millisecond)
		m.crash()
		m.advanceClock(time.Hour)
		m.open()
		m.settle()
		if text == waits()["sleep in parts"]+"\nspawn W {} as \"w\"" {
			m.run() // only the part under way was overdue
			return
		}
		if ev := m.events("w"); len(ev) == 0 {
			m.settleWithin(t, 5*time.Second) // the second backoff counts from the attempt
		}
		require.Len(t, m.events("w"), 1)
	})
}

// settleWithin lets the clock run for a while.
func (m *machine) settleWithin(t testing.TB, d time.Duration) {
	before := m.clock.now
	m.run()
	require.LessOrEqual(t, m.clock.now-before, int64(d))
}

// A crash at any store write, the one that sets the timer among them, and a
// process that stays down past the due time: the timer is not lost, fires once,
// and never early.
func TestC10TimerIsNeverLost(t *testing.T) {
	for _, down := range []time.Duration{0, time.Second, time.Hour} {
		everyWait(t, func(t *testing.T, text string) {
			s := scene{text: text, down: down}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Len(t, m.events("w"), 1)
				if down == 0 {
					require.Equal(t, wokeAt(10*time.Second), m.events("w"))
				}
				require.GreaterOrEqual(t, m.elapsed(), 10*time.Second)
				m.noTimers(t)
			})
		})
	}
}

// A wait is until an instant: the time that the process was down counts, and
// nothing starts over.
func TestC11RestartDoesNotStartTheTimeAnew(t *testing.T) {
	everyWait(t, func(t *testing.T, text string) {
		m := newMachine(t, text)
		require.NoError(t, m.begin())
		m.advance(3500 * time.Millisecond)
		m.crash()
		m.advanceClock(500 * time.Millisecond)
		m.open()
		m.advance(2600 * time.Millisecond)
		m.crash()
		m.advanceClock(400 * time.Millisecond)
		m.open()
		m.advance(2900 * time.Millisecond)
		require.Empty(t, m.events("w"), "early")
		m.advance(100 * time.Millisecond)
		require.Equal(t, wokeAt(10*time.Second), m.events("w"))
	})
}

// A timer that comes due after the instance was ended does not keep it running.
func TestC14NothingHappensAfterTheEnd(t *testing.T) {
	s := scene{text: `
workflow W {
    state n: Int = 0
    step nap { perform Timer.sleep(15s) }
    step write { perform IO.print("line"); self.n = self.n + 1; if self.n < 10 { goto nap } }
}
spawn W {} as "w"`, deeds: []deed{cancels(20*time.Second, "w")}}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		journal := m.history("w")
		m.advance(5 * time.Minute)
		require.Equal(t, "cancelled", m.show("w").Status)
		require.Equal(t, 1, printsOf(m, "w"))
		require.Equal(t, journal, m.history("w"))
		m.noTimers(t)
	})
}

// printsOf counts the recorded prints of an instance.
func printsOf(m *machine, id string) int {
	n := 0
	for _, r := range m.history(id) {
		if r.Print {
			n++
		}
	}
	return n
}

// A cancel at any moment, also one at which a timer is about to fire: the status
// is never overwritten once it is a terminal one.
func TestC16TerminalStatusNeverChanges(t *testing.T) {
	for name, body := range map[string]string{
		"sleep":    `step a { perform Timer.sleep(2s) } step b { perform Timer.sleep(2s) }`,
		"pause":    `step a { pause for 2s then b } step b { perform World.call("b") }`,
		"backoff":  `step a retry 2 backoff 2s { perform World.call("a"); throw "no" }`,
		"block":    `parallel { step a { perform Timer.sleep(2s) } step b { perform Timer.sleep(2s); perform World.call("b") } }`,
		"settle":   `parallel settle { step a { perform Timer.sleep(2s); throw "no" } compensate { perform Timer.sleep(2s) } step b { throw "b" } compensate { perform Timer.sleep(2s) } }`,
		"timeout":  `timeout 2s; step a { perform Timer.sleep(5s) } compensate { perform Timer.sleep(1s) }`,
		"failover": `step a else c { throw "no" } step b { end } step c { perform Timer.sleep(2s); goto b }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{text: `
workflow W {
    ` + body + `
    finally { perform Timer.sleep(1s); emit Finally() }
}
spawn W {} as "w"`, setup: func(m *machine) { m.world.takes(time.Second) }}
			for _, how := range []string{"cancel", "terminate"} {
				t.Run(how, func(t *testing.T) { cancelledAnywhere(t, s, how) })
			}
		})
	}
}

// cancelledAnywhere ends the instance "w" of a scene from outside, at every
// moment.
func cancelledAnywhere(t *testing.T, s scene, how string) {
	for at, done := 0, true; done; at++ {
		done = false
		p := s.player(t)
		accepted, terminal := false, ""
		p.watch = func(move int) {
			if sum, err := p.e.Show(t.Context(), "w"); err == nil {
				if terminal != "" {
					require.Equal(t, terminal, sum.Status, "move %d: it changed after its end", move)
				}
				if !slices.Contains([]string{"running", "paused"}, sum.Status) {
					terminal = sum.Status
				}
			}
			if move != at {
				return
			}
			done = true
			err := p.e.Cancel(t.Context(), "w")
			if how == "terminate" {
				err = p.e.Terminate(t.Context(), "w")
			}
			if accepted = err == nil; !accepted {
				require.ErrorIs(t, err, engine.ErrRefused)
			}
		}
		p.play()
		if accepted && how == "cancel" {
			require.Equal(t, "cancelled", p.show("w").Status, "at move %d", at)
		}
		if how == "cancel" {
			require.Equal(t, []string{"Finally()"}, p.events("w"), "at move %d", at)
		}
		require.Contains(t, []string{"completed", "failed", "cancelled"}, p.show("w").Status)
		require.LessOrEqual(t, len(p.records("w", engine.RecEnded)), 1)
		p.noTimers(t)
	}
}

// Timers that came due while the process was down fire in the order of their
// instants, of one instant in the order of the branches.
func TestC10OverdueTimersFireInOrder(t *testing.T) {
	for name, nap := range map[string]string{"one instant": "5s", "falling": "Duration(\"${20 - n}s\")", "growing": "Duration(\"${n + 1}s\")"} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, `
workflow W {
    parallel for n in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] { step nap { perform Timer.sleep(`+nap+`) } }
}
spawn W {} as "w"`)
			require.NoError(t, m.begin())
			m.settle()
			m.crash()
			m.advanceClock(time.Hour)
			m.open()
			m.settle()
			var woken []string
			for _, r := range m.history("w") {
				if r.Kind == engine.RecAnswer {
					woken = append(woken, r.Path)
				}
			}
			var want []string
			for i := range 13 {
				if name == "falling" {
					i = 12 - i
				}
				want = append(want, fmt.Sprintf("/0.1:%d", i))
			}
			require.Equal(t, want, woken)
		})
	}
}
