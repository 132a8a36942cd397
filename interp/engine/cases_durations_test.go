package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/value"
)

// The timer of a wait that is satisfied is gone with it.
func TestC12SatisfiedWaitLeavesNoTimer(t *testing.T) {
	for name, wait := range map[string]string{
		"select":   `select { signal go => (), after 1h => () }`,
		"wait":     `perform Signal.wait("go", timeout: 1h)`,
		"one body": `for _ in 1..50 { perform Signal.wait("go", timeout: 1h) }; self.n = 50`,
		"branch":   "",
	} {
		t.Run(name, func(t *testing.T) {
			step := `step a { ` + wait + `; self.n = self.n + 1; if self.n < 50 { goto a } }`
			if name == "branch" {
				step = `parallel for i in self.all { step a { perform Signal.wait("go", timeout: 1h) } }`
			}
			s := scene{text: `
workflow W {
    state n: Int = 0
    state all: [Int] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50]
    ` + step + `
}
spawn W {} as "w"`}
			for range 50 {
				s.deeds = append(s.deeds, sends(time.Second, "w", "go", value.Nil))
			}
			m := s.play(t, nil)
			require.Equal(t, "completed", m.show("w").Status)
			require.Equal(t, time.Second, m.elapsed())
			m.noTimers(t)
		})
	}
}

// So is the timer of an `await … for` whose instance has ended.
func TestC12SatisfiedAwaitLeavesNoTimer(t *testing.T) {
	s := scene{text: `
workflow Short { step a { perform Timer.sleep(1s); 7 } }
workflow W { step a { emit Got(await spawn Short {} for 1h) } }
spawn W {} as "w"`}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		require.Equal(t, []string{"Got(7)"}, m.events("w"))
		require.Equal(t, time.Second, m.elapsed())
		m.noTimers(t)
	})
}

// A wait of no time returns, on a first visit and on a second one.
func TestC15NoTimeToWaitReturns(t *testing.T) {
	for name, nap := range map[string]string{
		"sleep":        `perform Timer.sleep(0s)`,
		"by name":      `perform Timer.sleep("nap", 0)`,
		"until now":    `perform Timer.until(perform Time.now())`,
		"until past":   `perform Timer.until(Time("1969-12-31T00:00:00Z"))`,
		"after":        `select { signal go => throw "no", after 0s => () }`,
		"at past":      `select { signal go => throw "no", at Time("2001-01-01T00:00:00Z") => () }`,
		"wait":         `try { perform Signal.wait("go", timeout: 0s) } catch e { e.code == "timeout" }`,
		"await itself": `try { await W("other") for 0s } catch e { e.code == "timeout" }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{text: `
workflow Other { step a { perform Signal.wait("end") } }
workflow W {
    state visits: Int = 0
    state other: Other
    step a { self.visits = self.visits + 1; if self.visits == 1 { goto a }; goto nap }
    step nap { ` + nap + `; self.visits = self.visits + 1; if self.visits < 4 { goto nap } }
}
let o = spawn Other {}
spawn W { other: o } as "w"`}
			if name == "await itself" {
				s.text = strings.ReplaceAll(s.text, `W("other")`, `self.other`)
			}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, "completed", m.show("w").Status)
				require.Equal(t, "4", m.field("w", "visits").String())
				require.Zero(t, m.elapsed())
				m.noTimers(t)
			})
		})
	}
	for name, pause := range map[string]string{"for": "pause for 0s", "until": `pause until Time("2001-01-01T00:00:00Z")`, "then": "pause for 0s then b"} {
		t.Run("pause "+name, func(t *testing.T) {
			s := scene{text: `
workflow W { step a { ` + pause + ` } step b { emit B(); end } }
spawn W {} as "w"`}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, []string{"B()"}, m.events("w"))
				require.Zero(t, m.elapsed())
			})
		})
	}
}

// What is no time to wait is refused: in a literal when the program is checked,
// at run time as a failure of the step.
func TestC17GarbageIsNoTime(t *testing.T) {
	for _, wait := range []string{
		`perform Timer.sleep("qwerty")`, `perform Timer.sleep(5)`, `perform Timer.until("qwerty")`, `perform Signal.wait("go", timeout: "qwerty")`,
		`select { signal go => (), after "qwerty" => () }`, `pause for "qwerty"`,
		`perform Timer.sleep(5sec)`, `perform Timer.sleep(1.5h)`,
	} {
		t.Run(wait, func(t *testing.T) {
			found := refusals(t, `
workflow W { step a { `+wait+` } }
spawn W {}`)
			require.NotEmpty(t, found, "it passed the checks")
			require.Contains(t, found[0], "test.wf 2 ")
		})
	}
	const none = "is needed here, not a String"
	for wait, message := range map[string]string{
		`perform Timer.sleep(self.x)`:                           `not "qwerty"`,
		`perform Timer.until(self.x)`:                           `Time`,
		`perform Timer.sleep(Duration(self.x))`:                 `qwerty`,
		`perform Timer.until(Time(self.x))`:                     `qwerty`,
		`perform Signal.wait("go", timeout: self.x)`:            `not "qwerty"`,
		`select { signal go => (), after self.x => () }`:        none,
		`pause for self.x`:                                      none,
		`pause until self.x`:                                    none,
		`perform Timer.sleep(self.d)`:                           `negative`,
		`perform Timer.sleep("nap", self.n)`:                    `negative`,
		`perform Timer.sleep("nap", self.n * 1844674407370955)`: `milliseconds`,
		`perform Timer.sleep("nap", -9223372036854775808)`:      `milliseconds`,
		`perform Signal.wait("go", timeout: self.d)`:            `negative`,
		`select { signal go => (), after self.d => () }`:        `negative`,
		`pause for self.d`:                                      `negative`,
		`let o = spawn Other {}; await o for self.d`:            `negative`,
		`let o = spawn Other {}; await o for Duration(self.x)`:  `qwerty`,
		`perform Timer.sleep(100000d)`:                          `2262`,
	} {
		t.Run(wait, func(t *testing.T) {
			s := scene{text: `
workflow Other { step a { perform Timer.sleep(1s) } }
workflow W {
    state x: Any = "qwerty"
    state d: Any = 0s - 5s
    state n: Int = -5
    step a { ` + wait + ` }
    step b { emit Never() }
}
spawn W {} as "w"`}
			m := s.play(t, nil)
			row := m.show("w")
			require.Equal(t, "failed", row.Status)
			require.Contains(t, row.Failure.Message, message)
			require.Contains(t, row.Failure.Place, "test.wf:7:")
			require.Equal(t, "a", row.Failure.Step)
			m.noTimers(t)
		})
	}
	t.Run("a compound duration", func(t *testing.T) {
		m := (&scene{text: `
workflow W {
    step a { perform Timer.sleep(1h30m) }
    step b { perform Timer.sleep(Duration("1h30m")) }
}
spawn W {} as "w"`}).play(t, nil)
		require.Equal(t, 3*time.Hour, m.elapsed())
		require.Equal(t, "completed", m.show("w").Status)
	})
}

// Of two instants that have passed before a select is reached, the earlier one
// decides, as it does when they pass while it waits.
func TestC17EarlierOfTwoPastInstantsDecides(t *testing.T) {
	for name, before := range map[string]string{"past": `perform Timer.until(Time("2030-01-01T01:00:00Z"))`, "to come": `()`} {
		t.Run(name, func(t *testing.T) {
			m := (&scene{text: `
workflow W {
    step before { ` + before + ` }
    step a { select { at Time("2030-01-01T00:00:20Z") => emit Second(), at Time("2030-01-01T00:00:10Z") => emit First() } }
}
spawn W {} as "w"`}).play(t, nil)
			require.Equal(t, []string{"First()"}, m.events("w"))
		})
	}
}
