package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// failedAt lists when attempts of an instance failed, since the start.
func (m *machine) failedAt(id string) []time.Duration {
	var out []time.Duration
	for _, r := range m.history(id) {
		if r.Kind == engine.RecFailed {
			out = append(out, time.Duration(r.Time-newVirtual().now))
		}
	}
	return out
}

// After the last attempt nothing is set for one more: the step fails at once, no
// timer is left, and others go on.
func TestC13NoTimerAfterTheLastAttempt(t *testing.T) {
	for name, body := range map[string]string{
		"step":   `step a retry 2 backoff 5s..5s { throw "no" }`,
		"branch": `parallel { step a retry 2 backoff 5s..5s { throw "no" } }`,
		"undo":   `step a { throw "first" } compensate retry 2 backoff 5s..5s { throw "no" }`,
	} {
		t.Run(name, func(t *testing.T) {
			s := scene{text: `
workflow W { ` + body + ` }
workflow Other { step a { perform Timer.sleep(12s); emit Done() } }
spawn W {} as "w"
spawn Other {} as "other"`}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				failed := m.failedAt("w")
				if name == "undo" {
					failed = failed[1:]
				}
				require.Equal(t, []time.Duration{0, 5 * time.Second, 10 * time.Second}, failed)
				row := m.show("w")
				require.Equal(t, "failed", row.Status)
				require.Equal(t, failed[2], time.Duration(row.Updated-newVirtual().now))
				require.Empty(t, row.Waiting)
				require.Equal(t, []string{"Done()"}, m.events("other"))
				m.noTimers(t)
			})
		})
	}
}

// `retry n` is n more attempts; the lifecycle counts attempts and retries apart.
func TestC18RetryIsTheNumberOfFurtherAttempts(t *testing.T) {
	for n := range 5 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := scene{text: fmt.Sprintf(`
workflow W { step a retry %d { perform IO.print("run"); throw "no" } }
spawn W {} as "w"`, n)}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				require.Equal(t, n+1, printsOf(m, "w"))
				require.Len(t, m.records("w", engine.RecFailed), n+1)
				life := m.query("w", "lifecycle")
				require.Equal(t, value.Int(int64(n+1)), part(t, life, "attempts"))
				if n == 0 {
					require.Equal(t, "{}", part(t, life, "retries").String())
					return
				}
				require.Equal(t, value.Int(int64(n)), part(t, part(t, life, "retries"), "a"))
			})
		})
	}
}

// part is a field of a record.
func part(t testing.TB, v value.Value, name string) value.Value {
	r, ok := v.AsRecord()
	require.True(t, ok, "%s is no record", v)
	f, ok := r.Get(name)
	require.True(t, ok, "%s has no %s", v, name)
	return f
}

// A retry in a parallel block is counted as well, by step.
func TestC18RetriesOfBranchesAreCounted(t *testing.T) {
	m := (&scene{text: `
workflow W { parallel { step a retry 2 backoff 1m { throw "no" } step b { perform Signal.wait("go") } } }
spawn W {} as "w"`}).player(t)
	require.NoError(t, m.begin())
	m.advance(30 * time.Second)
	require.Equal(t, value.Int(1), part(t, part(t, m.query("w", "lifecycle"), "retries"), "a"))
}

// `fail` is a decision: one run, no failover, and what started is undone, this
// step too. A `throw` is a fault, and is tried again.
func TestC22FailIsNotRetriedAndThrowIs(t *testing.T) {
	text := func(how string) string {
		return `
workflow W {
    state tried: Int = 0
    step before { () } compensate(err) { emit UndoBefore(err.completed, err.message) }
    step a retry 3 else plan_b {
        self.tried = self.tried + 1
        emit Tried()
        try { perform World.call("get") } catch e { ` + how + ` }
    } compensate(err) { emit UndoA(err.completed, err.message) }
    step done { end }
    step plan_b { emit PlanB(self.tried); goto done }
}
spawn W {} as "w"`
	}
	setup := func(m *machine) {
		m.world.answers(func(string, int) (value.Value, error) { return value.Nil, fault("http_404", "404") })
	}
	fails := scene{text: text(`fail "not found"`), setup: setup}
	fails.everyCrash(t, func(t testing.TB, m *machine) {
		require.Len(t, m.world.distinct(), 1)
		row := m.show("w")
		require.Equal(t, "failed", row.Status)
		require.Equal(t, "not found", row.Failure.Message)
		require.Equal(t, []string{"Tried()", `UndoA(false, "not found")`, `UndoBefore(true, "not found")`}, m.events("w"))
		require.Equal(t, "1", m.field("w", "tried").String(), "a decision keeps what the step did")
	})
	throws := scene{text: text(`throw e`), setup: setup}
	throws.everyCrash(t, func(t testing.TB, m *machine) {
		require.Len(t, m.world.distinct(), 4)
		require.Equal(t, "completed", m.show("w").Status)
		require.Len(t, m.records("w", engine.RecFailed), 4)
		require.Equal(t, []string{"PlanB(0)"}, m.events("w"), "no trace of the attempts, and nothing undone")
	})
}

// distinct are the calls to the world without repeats under the same key.
func (w *world) distinct() []string {
	var out []string
	for _, c := range w.calls {
		if !strings.Contains("\n"+strings.Join(out, "\n")+"\n", "\n"+c+"\n") {
			out = append(out, c)
		}
	}
	return out
}

// An answer that was lost leaves open whether the call was done: the retry has its
// key. An error that came as an answer makes a new request.
func TestC21ALostAnswerKeepsTheKey(t *testing.T) {
	for _, c := range []struct {
		first string
		want  int // keys
	}{{"unavailable", 1}, {"timeout", 1}, {"http_503", 2}, {"exec_1", 2}} {
		for name, body := range map[string]string{
			"retried": `step a retry 1 { perform World.call("pay") }`,
			"caught":  `step a { for _ in 1..2 { try { perform World.call("pay"); break } catch e { e } } }`,
		} {
			t.Run(c.first+" "+name, func(t *testing.T) {
				var keys []string
				s := scene{
					text: "workflow W {\n" + body + "\n}\nspawn W {} as \"w\"",
					setup: func(m *machine) {
						keys = nil
						failed := false
						m.world.answer = func(_ int, call engine.Call) (value.Value, error) {
							if !slices.Contains(keys, call.Key) {
								keys = append(keys, call.Key)
							}
							if !failed {
								failed = true
								return value.Nil, fault(c.first, "no")
							}
							return value.String("paid"), nil
						}
					},
				}
				m := s.play(t, nil)
				require.Len(t, keys, c.want)
				for n := 1; n <= m.store.Commits(); n++ {
					s.play(t, persist.FaultAt(n, persist.CrashAfter))
					require.LessOrEqual(t, len(keys), c.want, "crash at write %d", n)
				}
			})
		}
	}
}

// `when` says that an error is not worth another attempt.
func TestC22WhenEndsTheRetries(t *testing.T) {
	s := scene{
		text: `
workflow W { step a retry 3 when e.code != "http_404" { perform World.call("get") } }
spawn W {} as "w"`,
		setup: func(m *machine) {
			m.world.answers(func(_ string, n int) (value.Value, error) {
				if n < 3 {
					return value.Nil, fault("http_503", "503")
				}
				return value.Nil, fault("http_404", "404")
			})
		},
	}
	m := s.play(t, nil)
	require.Len(t, m.world.calls, 3)
	require.Equal(t, "http_404", m.show("w").Failure.Code)
}

// Backoff doubles exactly, up to its cap.
func TestC23BackoffDoublesUpToItsCap(t *testing.T) {
	for clause, want := range map[string][]time.Duration{
		"retry 5 backoff 1s..5s":                {1, 2, 4, 5, 5},
		"retry 3 backoff 2s..2s":                {2, 2, 2},
		"retry 9 backoff 1s":                    {1, 2, 4, 8, 16, 32, 64, 100, 100},
		"retry 2 backoff 0s..1s":                {0, 0},
		"retry 3":                               {0, 0, 0},
		"retry self.n backoff self.b..self.b*3": {2, 4, 6},
	} {
		t.Run(clause, func(t *testing.T) {
			s := scene{text: `
workflow W {
    state n: Int = 3
    state b: Duration = 2s
    step a ` + clause + ` { throw "no" }
}
spawn W {} as "w"`}
			s.everyCrash(t, func(t testing.TB, m *machine) {
				at, sum := m.failedAt("w"), time.Duration(0)
				require.Len(t, at, len(want)+1)
				for i, d := range want {
					sum += d * time.Second
					require.Equal(t, sum, at[i+1])
				}
			})
		})
	}
}

// Backoff beyond what a time can hold ends at the greatest; it does not wrap
// around, or end the retries.
func TestC23LongBackoffDoesNotWrapAround(t *testing.T) {
	for _, clause := range []string{"backoff 2000d", "backoff 1d..106000d", "backoff 100000d..106000d"} {
		t.Run(clause, func(t *testing.T) {
			m := newMachine(t, `
workflow W { step a retry 3 `+clause+` { throw "no" } }
spawn W {} as "w"`)
			require.NoError(t, m.begin())
			m.advance(23 * time.Hour)
			require.Equal(t, "running", m.show("w").Status)
			require.Len(t, m.records("w", engine.RecFailed), 1)
			require.Len(t, m.show("w").Waiting, 1)
		})
	}
}

// A server that says when to come again: wait as long, then go on, without using
// up a retry.
func TestC24WaitingAsTheServerSaysUsesNoRetry(t *testing.T) {
	s := scene{
		text: `
workflow W {
    state wait: Duration = 0s
    step get retry 1 {
        let answer = perform World.call("get")
        if answer.status == 429 { self.wait = Duration("${answer.after}s"); goto rest }
        emit Got(answer.status)
        end
    }
    step rest { perform Timer.sleep(self.wait); goto get }
}
spawn W {} as "w"`,
		setup: func(m *machine) {
			keys := map[string]int{} // a request repeated under its key is the same request
			m.world.answer = func(_ int, c engine.Call) (value.Value, error) {
				if _, known := keys[c.Key]; !known {
					keys[c.Key] = len(keys) + 1
				}
				status := 429
				if keys[c.Key] > 2 {
					status = 200
				}
				return value.NewRecord([]string{"status", "after"}, []value.Value{value.Int(int64(status)), value.Int(30)}), nil
			}
		},
	}
	s.everyCrash(t, func(t testing.TB, m *machine) {
		require.Equal(t, []string{"Got(200)"}, m.events("w"))
		require.Equal(t, 60*time.Second, m.elapsed())
		require.Empty(t, m.records("w", engine.RecFailed))
	})
}
