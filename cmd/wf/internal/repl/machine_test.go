package repl_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/repl"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist/bolt"
)

// shared is a buffer that several goroutines write to.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer // guarded by mu
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// waitFor waits until a text has been written.
func (s *shared) waitFor(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(s.String(), text); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(deadline), "%q has not come; there is %q", text, s.String())
	}
}

// onDisk is a session over a store on disk, with the real clock.
func onDisk(t *testing.T, dir string) (*room, *shared, func()) {
	out := &shared{}
	store, err := bolt.Open(dir, bolt.Options{NoSync: true})
	require.NoError(t, err)
	var r *room
	r = newRoomOf(t, func(cfg *repl.MachineConfig, o *repl.Options) {
		cfg.Store, cfg.Dir, cfg.Virtual, cfg.Output = store, dir, false, out
		cfg.Notice = func(n engine.Trace) { _, _ = out.Write([]byte(repl.NoticeWords(n) + "\n")) }
		o.Out, o.Err = out, out
	})
	return r, out, func() {
		require.NoError(t, r.machine.Close())
		require.NoError(t, store.Close())
	}
}

const waits = `workflow W {
    state by: String = ""
    step a { perform IO.print("begun"); let by = perform Signal.wait("go"); self.by = by }
    step b { perform Timer.sleep(1ms); "by ${self.by}" }
}`

// With the real clock instances run while nobody types, survive a crash of the
// engine and the end of the session, and other commands reach the store
// meanwhile.
func TestRealTime(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := filepath.Join(t.TempDir(), "s")
	r, out, done := onDisk(t, dir)
	r.Do(t.Context(), waits)
	r.Do(t.Context(), `let w = spawn W {} as "w"; let n = 7`)
	out.waitFor(t, "begun")

	other, err := operate.Open(t.Context(), operate.Options{Dir: dir, Act: true})
	require.NoError(t, err)
	require.NotZero(t, other.Owner(), "the session serves its store")
	r.Do(t.Context(), ":crash")
	require.Contains(t, out.String(), "recovered; unfinished: w")
	require.NoError(t, other.Signal(t.Context(), "w", "go", stringValue("ann"), ""), "also behind a crash")
	require.NoError(t, other.Close())
	require.Equal(t, repl.Done, r.Do(t.Context(), "(await w, n)"))
	require.Contains(t, out.String(), `("by ann", 7)`)
	out.waitFor(t, "  w completed\n")

	r.Do(t.Context(), `spawn W {} as "left"`)
	done()

	r, out, done = onDisk(t, dir)
	r.Do(t.Context(), waits)
	require.Equal(t, repl.Done, r.Do(t.Context(), `signal W("left").go("bob"); await W("left")`))
	require.Contains(t, out.String(), `"by bob"`)
	done()
}

// Ctrl-C during a wait cancels the text, and nothing else.
func TestCancelledWait(t *testing.T) {
	defer goleak.VerifyNone(t)
	r, out, done := onDisk(t, filepath.Join(t.TempDir(), "s"))
	defer done()
	r.Do(t.Context(), waits)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		out.waitFor(t, "begun")
		cancel()
	}()
	require.Equal(t, repl.Cancelled, r.Do(ctx, `let w = spawn W {} as "w"; await w`))
	require.Contains(t, out.String(), "cancelled; what it had sent stands\n")
	require.Equal(t, repl.Failed, r.Do(t.Context(), "w"), "a text that is cancelled binds nothing")
	require.Equal(t, repl.Done, r.Do(t.Context(), `ask W("w").lifecycle().status`))
	require.Contains(t, out.String(), "\"running\"\n")
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	require.Equal(t, repl.Cancelled, r.Do(ctx, "while true {}"))
}

// A clock that is real cannot be moved.
func TestRealClock(t *testing.T) {
	r, out, done := onDisk(t, filepath.Join(t.TempDir(), "s"))
	defer done()
	require.Equal(t, repl.Failed, r.Do(t.Context(), ":clock +1h"))
	require.Contains(t, out.String(), "--virtual")
}

// BenchmarkStart is the time from nothing to the first answer.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		r := newRoom(b, nil)
		require.Equal(b, "2\n", r.tell(b, "1 + 1"))
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/start")
}
