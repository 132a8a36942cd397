package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// A store that is full for a while, at whatever write, changes nothing in what a
// script comes to, and no call to the world is made twice because of it.
func TestFullAtEveryWrite(t *testing.T) {
	files, err := filepath.Glob("testdata/crash/*.wf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".wf"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			want := crashRun(t, string(text), nil)
			for n := 2; n <= want.commits; n++ {
				got := crashRun(t, string(text), func(i int, _ []persist.Batch) persist.Fault {
					if i >= n && i < n+3 {
						return persist.Full
					}
					return persist.NoFault
				})
				require.Zero(t, got.crashes)
				require.Len(t, got.all, len(want.all), "write %d: %v", n, got.all)
				require.Equal(t, timeless(want.transcript), timeless(got.transcript), "write %d", n)
			}
		})
	}
}

// timeless leaves out what depends on the time that waiting for room takes.
func timeless(text string) string {
	return regexp.MustCompile(`2030-01-01T[0-9:.]+Z`).ReplaceAllString(text, "TIME")
}

// fullMachine is a machine whose store is full while *full is set; told is what
// the engine has said about it.
func fullMachine(t *testing.T, text string) (m *machine, full *bool, told *[]bool) {
	m, full, told = newMachine(t, text), new(bool), new([]bool)
	m.room = func(enough bool) { *told = append(*told, enough) }
	m.plan = func(int, []persist.Batch) persist.Fault {
		if *full {
			return persist.Full
		}
		return persist.NoFault
	}
	return m, full, told
}

const fullScript = `
workflow Job {
    state got: Any = nil
    state n: Int = 0
    state paid: String = ""
    step wait { self.got = perform Signal.wait("go") }
    step pay {
        perform IO.print("paying")
        let x = perform once World.call("pay")
        self.paid = x
    }
    step rest { perform Timer.sleep(1h) }
    command add(k: Int) { self.n = self.n + k; reply self.n }
    query sum() { self.n }
    query got() { self.got }
}
spawn Job { } as "job"
`

// What is asked of an instance for which nothing is under way is taken back: it
// is as if it had not been asked.
func TestFullTakesBack(t *testing.T) {
	m, full, told := fullMachine(t, fullScript)
	ctx := context.Background()
	m.run()
	*full = true
	for range 2 {
		err := m.e.Signal(ctx, "job", "go", value.Int(1), "k")
		require.ErrorIs(t, err, persist.ErrFull)
		require.NotErrorIs(t, err, engine.ErrUnknown)
		_, err = m.e.Call(ctx, value.Handle{Type: "Job", ID: "job"}, "add", []value.Value{value.Int(5)}, "", nil)
		require.ErrorIs(t, err, persist.ErrFull)
		_, err = m.e.Spawn(ctx, m.prog, "Job", "", noFields(), "spawn-key")
		require.ErrorIs(t, err, persist.ErrFull)
		require.ErrorIs(t, m.e.Cancel(ctx, "job"), persist.ErrFull)
	}
	m.settle()
	require.Equal(t, []bool{false}, *told, "it is said once")
	require.Equal(t, value.Int(0), m.query("job", "sum"), "queries go on")
	require.Equal(t, "running", m.show("job").Status)
	require.Empty(t, m.world.calls)

	*full = false
	v, err := m.e.Call(ctx, value.Handle{Type: "Job", ID: "job"}, "add", []value.Value{value.Int(5)}, "", nil)
	require.NoError(t, err)
	require.Equal(t, value.Int(5), v)
	s, err := m.e.Spawn(ctx, m.prog, "Job", "", noFields(), "spawn-key")
	require.NoError(t, err)
	require.Equal(t, "Job-1", s.ID, "no number was used up")
	require.NoError(t, m.e.Signal(ctx, "job", "go", value.Int(1), "k"))
	m.run()
	require.Equal(t, "completed", m.show("job").Status)
	require.Equal(t, value.Int(1), m.query("job", "got"))
	require.Equal(t, []bool{false, true}, *told)
}

// The note of the time is not lost with what is taken back: time does not run
// backward after the next start.
func TestFullKeepsTheTime(t *testing.T) {
	m, full, _ := fullMachine(t, fullScript)
	m.run()
	m.clock.now += int64(time.Hour)
	*full = true
	require.ErrorIs(t, m.e.Signal(context.Background(), "job", "go", value.Int(1), ""), persist.ErrFull)
	*full = false
	m.signal("job", "go", value.Int(1))
	seen := m.e.Now()
	m.crash()
	m.clock.now -= int64(2 * time.Hour)
	m.open()
	require.GreaterOrEqual(t, m.e.Now(), seen-int64(time.Second))
}

// What has cut an attempt is not taken back: nobody would begin the attempt again.
// It waits for room, and whoever asked for it is told so.
func TestFullKeepsWhatHasCut(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		do   func(m *machine) error
		want string
	}{
		"cancel": {func(m *machine) error { return m.e.Cancel(ctx, "job") }, "cancelled"},
		"park":   {func(m *machine) error { return m.e.Park(ctx, "job", "why not") }, "paused"},
		"command": {func(m *machine) error {
			_, err := m.e.Call(ctx, value.Handle{Type: "Job", ID: "job"}, "leave", nil, "", nil)
			return err
		}, "completed"},
		"delete": {func(m *machine) error { return m.e.Delete(ctx, "job", true) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m, full, _ := fullMachine(t, strings.Replace(fullScript, "query sum", "command leave() { end }\n query sum", 1))
			m.run()
			require.NoError(t, m.e.Signal(ctx, "job", "go", value.Int(1), "")) // its attempt goes on, and has done nothing yet
			*full = true
			require.ErrorIs(t, c.do(m), engine.ErrUnknown)
			m.advance(time.Minute)
			require.Equal(t, "running", m.show("job").Status)
			*full = false
			m.run()
			if c.want == "" {
				_, err := m.e.Show(ctx, "job")
				require.ErrorIs(t, err, engine.ErrNotFound)
				return
			}
			require.Equal(t, c.want, m.show("job").Status)
		})
	}
}

// The answer of a call that finds the store full is kept until there is room:
// the call is not made again, and nothing fails. Meanwhile nothing new is taken.
func TestFullKeepsAnswers(t *testing.T) {
	m, full, told := fullMachine(t, fullScript)
	ctx := context.Background()
	m.run()
	m.world.answer = func(int, engine.Call) (value.Value, error) {
		*full = true
		return value.String("receipt"), nil
	}
	m.signal("job", "go", value.Nil)
	require.Len(t, m.world.calls, 1)
	for range 5 {
		m.advance(time.Minute)
		_, err := m.e.Call(ctx, value.Handle{Type: "Job", ID: "job"}, "add", []value.Value{value.Int(5)}, "", nil)
		require.ErrorIs(t, err, persist.ErrFull)
		require.NotErrorIs(t, err, engine.ErrUnknown)
		require.Equal(t, "pay", m.show("job").Step)
		require.Equal(t, value.Int(0), m.query("job", "sum"))
	}
	require.Equal(t, []bool{false}, *told)
	*full = false
	m.run()
	require.Equal(t, "completed", m.show("job").Status)
	require.Len(t, m.world.calls, 1)
	require.Equal(t, "paying\n", m.out.String())
	require.Equal(t, []bool{false, true}, *told)
}

// Who is on the way to the store together with something that has to stay is
// told that nobody knows: it may yet come true, and does when there is room.
func TestFullWithOthersOnTheWay(t *testing.T) {
	m, full, _ := fullMachine(t, fullScript+"spawn Job { } as \"other\"\n")
	ctx := context.Background()
	m.run()
	m.world.answer = func(int, engine.Call) (value.Value, error) {
		*full = true
		return value.String("receipt"), nil
	}
	require.NoError(t, m.e.Signal(ctx, "job", "go", value.Nil, ""))
	for len(m.world.calls) == 0 {
		require.True(t, m.e.Step())
	}
	err := m.e.Signal(ctx, "other", "go", value.Int(7), "k")
	require.ErrorIs(t, err, engine.ErrUnknown)
	require.ErrorIs(t, err, persist.ErrFull)
	require.Equal(t, value.Nil, m.query("other", "got"))
	require.ErrorIs(t, m.e.Signal(ctx, "other", "go", value.Int(7), "k"), engine.ErrUnknown, "asked again under its key, nobody knows either")
	require.NotErrorIs(t, m.e.Signal(ctx, "other", "go", value.Int(7), "new"), engine.ErrUnknown)
	*full, m.world.answer = false, nil
	m.run()
	require.Equal(t, value.Int(7), m.query("other", "got"))
	require.NoError(t, m.e.Signal(ctx, "other", "go", value.Int(7), "k"), "repeated under its key it is the same signal")
	require.Equal(t, "completed", m.show("other").Status)
	require.Equal(t, "completed", m.show("job").Status)
}

// A process that dies while it waits for room has lost nothing that was said, and
// the next one waits as well.
func TestCrashWhileFull(t *testing.T) {
	m, full, _ := fullMachine(t, strings.Replace(fullScript, "perform once", "perform", 1))
	m.run()
	m.world.answer = func(int, engine.Call) (value.Value, error) {
		*full = true
		return value.String("receipt"), nil
	}
	m.signal("job", "go", value.Int(3))
	require.Len(t, m.world.calls, 1)
	m.crash()
	m.open()
	m.settle()
	require.Equal(t, "pay", m.show("job").Step)
	require.Equal(t, value.Int(3), m.query("job", "got"))
	m.advance(time.Minute)
	require.Equal(t, "pay", m.show("job").Step)
	*full = false
	m.run()
	require.Equal(t, "completed", m.show("job").Status)
	require.Equal(t, m.world.calls[0], m.world.calls[1], "the same request under the same key")
}

// noFields are those of an instance that is given none.
func noFields() *value.Record {
	r, _ := value.NewRecord(nil, nil).AsRecord()
	return r
}
