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

// busy is the error of a service that says when to come again.
func busy(at int64) error {
	return &interp.Fault{Code: "http_429", Message: "busy", Index: -1, Detail: value.NewRecord([]string{"status", "retry_at"}, []value.Value{value.Int(429), value.Time(at)})}
}

// A retry waits at least until the instant that the error names, at most an hour
// for its sake, also after a crash.
func TestRetriesWaitAsAsked(t *testing.T) {
	for _, c := range []struct {
		policy string
		asked  time.Duration
		want   time.Duration
	}{
		{"retry 1", 30 * time.Second, 30 * time.Second},
		{"retry 1 backoff 10s", 30 * time.Second, 30 * time.Second},
		{"retry 1 backoff 2m", 30 * time.Second, 2 * time.Minute},
		{"retry 1", 48 * time.Hour, time.Hour},
		{"retry 1 backoff 2h", 48 * time.Hour, 2 * time.Hour},
		{"retry 1 backoff 5s", -time.Hour, 5 * time.Second},
	} {
		for n := 0; n <= 6; n++ {
			m := newMachine(t, "workflow W { step a "+c.policy+" { perform World.call(\"x\") } }\nawait (spawn W {})")
			start := m.clock.now
			var times []time.Duration
			m.world.answer = func(k int, call engine.Call) (value.Value, error) {
				times = append(times, time.Duration(m.clock.now-start))
				if call.Attempt == 1 {
					return value.Nil, busy(start + int64(c.asked))
				}
				return value.String("ok"), nil
			}
			m.plan = persist.FaultAt(n, persist.CrashAfter)
			m.run()
			require.Equal(t, c.want, times[len(times)-1], "%s, asked for %v, crash at write %d", c.policy, c.asked, n)
			require.Equal(t, time.Duration(0), times[0])
		}
	}
}

// What is not allowed, and what there is no budget for, is not tried again unless
// the policy says so itself.
func TestDeniedIsNotRetried(t *testing.T) {
	for _, code := range []string{"denied", "budget"} {
		for policy, want := range map[string]int{"retry 3 backoff 1h": 1, "retry 3 backoff 1h when true": 4, "": 1} {
			m := newMachine(t, "workflow W { step a "+policy+" else b { perform World.call(\"x\") } step c { end 1 } step b { end self.failure.code } }\nawait (spawn W {})")
			m.world.answer = func(int, engine.Call) (value.Value, error) {
				return value.Nil, &interp.Fault{Code: code, Message: "no", Index: -1}
			}
			start := m.clock.now
			m.run()
			require.Len(t, m.world.calls, want, policy)
			require.Equal(t, want > 1, m.clock.now > start, policy)
		}
	}
}

// A script may set the instant itself.
func TestThrownRetryAt(t *testing.T) {
	m := newMachine(t, `
workflow W { step a retry 1 {
    perform World.call("x")
    if self.id == "W-1" { throw { code: "busy", message: "later", detail: { retry_at: Time("2030-01-01T00:10:00Z") } } }
} }
spawn W {}`)
	start := m.clock.now
	m.run()
	require.Len(t, m.world.calls, 2)
	require.Equal(t, int64(10*time.Minute), m.clock.now-start)
}

// What calls have cost is kept with the instance: answers that came too late and
// errors count too, and a later engine goes on counting from there.
func TestCostsAreKept(t *testing.T) {
	m := newMachine(t, `
workflow W {
    step a { try { perform World.call("fails") } catch e { e.code } }
    step b timeout 1s else c { perform World.call("late"); end 1 }
    step c { perform Signal.wait("go") }
    step d { perform World.call("again") }
}
spawn W {} as "w"
`)
	var before []uint64
	m.world.delay = func(_ int, c engine.Call) time.Duration {
		if c.Args[0].Text() == "late" {
			return time.Minute
		}
		return 0
	}
	m.world.answer = func(_ int, c engine.Call) (value.Value, error) {
		before = append(before, c.Tokens.Used())
		c.Usage.Tokens, c.Usage.Took = 100, 2*time.Second
		if c.Args[0].Text() == "fails" {
			return value.Nil, &interp.Fault{Code: "http_500", Message: "no", Index: -1}
		}
		return value.String("ok"), nil
	}
	m.run()
	m.crash()
	require.NoError(t, m.begin())
	require.NoError(t, m.e.Signal(t.Context(), "w", "go", value.Nil, ""))
	m.run()
	require.Equal(t, []uint64{0, 100, 200}, before)
	var kinds []engine.RecordKind
	require.NoError(t, m.e.History(t.Context(), "w", func(r *engine.Record) bool {
		if r.Usage.Tokens != 0 {
			require.Equal(t, engine.Usage{Tokens: 100, Took: 2 * time.Second}, r.Usage)
			kinds = append(kinds, r.Kind)
		}
		return true
	}))
	require.Equal(t, []engine.RecordKind{engine.RecAnswer, engine.RecDropped, engine.RecAnswer}, kinds)
}

// What is logged is recorded once and in order, and a secret is refused in what
// is shown.
func TestLogs(t *testing.T) {
	m := newMachine(t, `
fn any(x: Any) -> Any { x }
perform Log.info("paid", { order: "o 1", amount: 12.50 }, 3, { ok: true, note: "" })
perform Log.debug("two\nlines")
perform IO.print(try { perform Log.error(perform World.call("secret")) } catch e { e.code })
perform IO.print(try { perform IO.print(perform World.call("secret")) } catch e { e.code })
perform IO.print(try { "${perform World.call("secret")}" } catch e { e.code })
perform IO.print(try { String(perform World.call("secret")) } catch e { e.code })
`)
	m.world.answer = func(int, engine.Call) (value.Value, error) { return value.Named("door"), nil }
	m.run()
	require.Equal(t, "secret\nsecret\nsecret\nsecret\n", m.out.String())
	var logs []string
	require.NoError(t, m.e.History(t.Context(), m.mainID(), func(r *engine.Record) bool {
		if level, text, isLog := r.Logged(); isLog {
			logs = append(logs, level+": "+text)
		}
		return true
	}))
	require.Equal(t, []string{`info: paid order="o 1" amount=12.50 3 ok=true note=""`, "debug: two lines"}, logs)
}

// mainID is the run of the program.
func (m *machine) mainID() string { return "main-1" }
