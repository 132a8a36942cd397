package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/value"
)

// approving is a workflow that has done one step and stands in `approve`.
const approving = `
workflow Order {
    step reserve { emit Reserved() }
    step approve { APPROVE }
    step ship { emit Shipped() }
    command go() in approve { goto ship reply "ok" }
}
`

func TestC37StepsInsertedRenamedDeleted(t *testing.T) {
	changes := map[string]func(string) string{
		"insert": func(s string) string {
			return strings.Replace(s, "    step approve", "    step precheck { emit Prechecked() }\n    step approve", 1)
		},
		"rename": func(s string) string { return strings.ReplaceAll(s, "approve", "consent") },
		"delete": func(s string) string {
			return strings.Replace(s, "    step reserve { emit Reserved() }\n", "", 1)
		},
		"everything else": func(s string) string {
			return "workflow Order { step x { emit X() } }"
		},
	}
	waits := map[string]string{
		"waiting": `let x = perform Signal.wait("ok"); emit Approved(x)`,
		"paused":  `emit Asked(); pause "approval"`,
		"timer":   `perform Timer.sleep(1h); emit Approved(1)`,
	}
	for change, edit := range changes {
		for how, wait := range waits {
			t.Run(change+" "+how, func(t *testing.T) {
				text := strings.Replace(approving, "APPROVE", wait, 1)
				m := newMachine(t, text+`spawn Order {} as "old"`)
				m.start()
				position := m.show("old")
				m.crash()
				m.under("test.wf", edit(text)+`spawn Order {} as "new"`)
				require.NoError(t, m.begin())
				m.settle()
				require.Equal(t, "approve", m.show("old").Step)
				require.Equal(t, position.StepIndex, m.show("old").StepIndex)
				require.Equal(t, position.Waiting, m.show("old").Waiting)
				switch how {
				case "waiting":
					m.signal("old", "ok", value.Int(1))
				case "paused":
					require.NoError(t, m.e.Resume(t.Context(), "old"))
					m.settle()
				case "timer":
					m.advance(time.Hour)
				}
				require.Equal(t, "completed", m.show("old").Status)
				ev := m.events("old")
				require.Equal(t, "Reserved()", ev[0])
				require.Equal(t, "Shipped()", ev[len(ev)-1])
				require.Len(t, ev, 3)
				require.NotContains(t, ev, "Prechecked()")
				switch change {
				case "insert":
					require.Equal(t, []string{"Reserved()", "Prechecked()"}, m.events("new")[:2])
				case "rename":
					require.Contains(t, m.stepsOf("new"), "consent")
					require.NotContains(t, m.stepsOf("new"), "approve")
				case "delete":
					require.NotContains(t, m.events("new"), "Reserved()")
				default:
					require.Equal(t, []string{"X()"}, m.events("new"))
				}
			})
		}
	}
}

// Commands of an instance are those of its own version.
func TestC37CommandsAreOfTheInstancesVersion(t *testing.T) {
	m := newMachine(t, strings.Replace(approving, "APPROVE", "pause", 1)+`spawn Order {} as "old"`)
	m.start()
	m.crash()
	m.under("test.wf", strings.Replace(strings.ReplaceAll(approving, "command go", "command proceed"), "APPROVE", "pause", 1)+`spawn Order {} as "new"`)
	require.NoError(t, m.begin())
	m.settle()
	_, err := m.call(handle("Order", "old"), "proceed")
	require.ErrorContains(t, err, "no command")
	v, err := m.call(handle("Order", "old"), "go")
	require.NoError(t, err)
	require.Equal(t, value.String("ok"), v)
	require.Equal(t, []string{"Reserved()", "Shipped()"}, m.events("old"))
	_, err = m.call(handle("Order", "new"), "go")
	require.ErrorContains(t, err, "no command")
}

// An entity has no position: it runs the newest version that declares it.
func TestC37EntitiesRunTheNewestVersion(t *testing.T) {
	m := newMachine(t, `
entity Box { state n: Int = 1; command add() -> Int { self.n += 1; reply self.n }; query n() { self.n } }
ask Box("b").add()`)
	m.run()
	m.crash()
	m.under("test.wf", `
entity Box { state n: Int = 1; state more: String = "more"; command add() -> Int { self.n += 10; reply self.n }; query n() { (self.n, self.more) } }
"x"`)
	require.NoError(t, m.begin())
	m.settle()
	require.Equal(t, `(2, "more")`, m.query("Box/b", "n").String())
	v, err := m.call(wallet("b"), "add")
	require.Error(t, err, "%s", v)
	v, err = m.call(value.Handle{Type: "Box", ID: "b", Entity: true}, "add")
	require.NoError(t, err)
	require.Equal(t, value.Int(12), v)
}

func TestC40FinishedInstancesAnswerAfterARestart(t *testing.T) {
	for status, bad := range map[string]string{"completed": "0", "failed": "3"} {
		m := newMachine(t, strings.Replace(finished, "BAD", bad, 1))
		m.run()
		n, life := m.query("w", "n"), m.query("w", "lifecycle")
		m.crash()
		m.openWithout() // another process, without the script
		require.Equal(t, n, m.query("w", "n"))
		require.Equal(t, life, m.query("w", "lifecycle"))
		require.Equal(t, value.String(status), m.lifecycle("w", "status"))
		require.Equal(t, value.Bool(true), m.lifecycle("w", "is_terminal"))
		require.Equal(t, "completed", m.show("main-1").Status)
		require.Equal(t, value.Int(map[string]int64{"completed": 30, "failed": 20}[status]), m.query("w", "total"))
	}
}

const finished = `
workflow W {
    state n: Int = 1
    query n() -> Int { self.n }
    step a { self.n = 2 }
    step b { self.n = 3; if self.n == BAD { throw "no" } }
}
fn total() -> Int { self.n * 10 }
let w = spawn W {} as "w"
total`

func TestC40CancelledAndTerminatedAnswerToo(t *testing.T) {
	for _, end := range []string{"cancel", "terminate"} {
		m := newMachine(t, `
workflow W {
    state n: Int = 1
    query n() -> Int { self.n }
    step a { self.n = 2 }
    step b { perform Timer.sleep(1h); self.n = 3 }
}
spawn W {} as "w"`)
		m.start()
		if end == "cancel" {
			m.cancel("w")
		} else {
			require.NoError(t, m.e.Terminate(t.Context(), "w"))
			m.settle()
		}
		m.crash()
		m.openWithout()
		require.Equal(t, value.Int(2), m.query("w", "n"))
		require.Equal(t, value.String("cancelled"), m.lifecycle("w", "status"))
		require.Equal(t, value.String(end), m.lifecycle("w", "ending"))
		m.noTimers(t)
	}
}
