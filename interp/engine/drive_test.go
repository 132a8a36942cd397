package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

// stores are the stores that a driven engine is tried on.
func stores(t testing.TB) map[string]func() persist.Store {
	return map[string]func() persist.Store{
		"memory": func() persist.Store { return persist.NewMemory() },
		"bolt": func() persist.Store {
			s, err := bolt.Open(t.TempDir()+"/store", bolt.Options{})
			require.NoError(t, err)
			return s
		},
	}
}

// shown is what an engine has printed: the printer's goroutine writes it.
type shown struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (s *shown) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shown) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func config(store persist.Store, out *shown) engine.Config {
	c := engine.Config{Store: store, Builtins: builtins(), Clock: engine.SystemClock(), Seed: func() uint64 { return 1 }}
	if out != nil {
		c.Output = out
	}
	return c
}

// drive runs a program to its end on a store and gives its main's summary.
func drive(t testing.TB, store persist.Store, prog *program.Program, out *shown) engine.Summary {
	e, err := engine.Open(t.Context(), config(store, out))
	require.NoError(t, err)
	var main string
	require.NoError(t, e.Drive(t.Context(), engine.UntilDone, func(ctx context.Context) error {
		main, err = e.RunMain(ctx, prog)
		return err
	}))
	require.NoError(t, e.Close())
	s, err := e.Show(t.Context(), main)
	require.NoError(t, err)
	return s
}

func TestDriveRunsManyInstancesToTheEnd(t *testing.T) {
	count := 10_000
	if raceEnabled {
		count = 500
	}
	prog := compile(t, fmt.Sprintf(`
workflow W {
    state n: Int = 0
    step a { self.n = 1 }
    step b { self.n = self.n + 1 }
    step c { self.n = self.n + 1 }
    step d { self.n = self.n + 1 }
    step e { self.n = self.n + 1; emit Done(self.n) }
}
for _ in 1..%d { spawn W {} }`, count))
	for name, open := range stores(t) {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			store := open()
			defer store.Close()
			require.Equal(t, "completed", drive(t, store, prog, nil).Status)
			done, events := 0, 0
			for r, err := range store.List(t.Context(), persist.Filter{Workflow: "W"}) {
				require.NoError(t, err)
				require.Equal(t, "completed", r.Status)
				done++
			}
			for _, err := range store.Events(t.Context(), 1) {
				require.NoError(t, err)
				events++
			}
			require.Equal(t, count, done)
			require.Equal(t, count, events)
		})
	}
}

func TestDriveWaitsForRealTimers(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out shown
	s := drive(t, persist.NewMemory(), compile(t, `
workflow W { step a { perform Timer.sleep(30ms); 7 } }
let w = spawn W {}
perform IO.print("spawned")
await w`), &out)
	require.Equal(t, value.Int(7), s.Result)
	require.Equal(t, "spawned\n", out.String())
}

func TestDriveCanBeInterruptedAndTakenUpAgain(t *testing.T) {
	for name, open := range stores(t) {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			store := open()
			defer store.Close()
			prog := compile(t, `
workflow W {
    step a { emit A() }
    step b { let x = perform Signal.wait("go"); emit B(x) }
}
spawn W {} as "w"`)
			ctx, cancel := context.WithCancel(t.Context())
			e, err := engine.Open(ctx, config(store, nil))
			require.NoError(t, err)
			err = e.Drive(ctx, engine.UntilDone, func(ctx context.Context) error {
				if _, err := e.RunMain(ctx, prog); err != nil {
					return err
				}
				waitFor(t, func() bool {
					s, err := e.Show(ctx, "w")
					return err == nil && len(s.Waiting) > 0
				})
				cancel()
				return nil
			})
			require.ErrorIs(t, err, context.Canceled)
			require.NoError(t, e.Close())

			e, err = engine.Open(t.Context(), config(store, nil))
			require.NoError(t, err)
			run, err := e.FindMain(t.Context(), prog)
			require.NoError(t, err)
			require.Equal(t, "main-1", run.ID)
			_, err = e.Recover(t.Context())
			require.NoError(t, err)
			require.NoError(t, e.Drive(t.Context(), engine.UntilDone, func(ctx context.Context) error {
				return e.Signal(ctx, "w", "go", value.Int(5), "")
			}))
			require.NoError(t, e.Close())
			var events []string
			require.NoError(t, e.Events(t.Context(), "w", 1, func(r *engine.EventRecord) bool {
				events = append(events, r.String())
				return true
			}))
			require.Equal(t, []string{"A()", "B(5)"}, events)
		})
	}
}

// waitFor polls with a bound; no result depends on how long it takes.
func waitFor(t testing.TB, ready func() bool) {
	for range 20_000 {
		if ready() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("it did not happen")
}

// A store that fails stops the engine: nothing is published, whoever waits hears
// that the outcome is unknown, and nothing is tried again.
func TestFailStop(t *testing.T) {
	prog := compile(t, `
workflow W { step a { perform IO.print("shown") } }
spawn W {} as "w"`)
	for _, fault := range []persist.Fault{persist.Refuse, persist.Unknown, persist.Full} {
		for n := 1; n <= 4; n++ {
			t.Run(fmt.Sprint(fault, n), func(t *testing.T) {
				defer goleak.VerifyNone(t)
				failed := false
				store := persist.NewFaulty(persist.NewMemory(), func(i int, _ []persist.Batch) persist.Fault {
					require.False(t, failed, "a commit after a failed one")
					if i == n {
						failed = true
						return fault
					}
					return persist.NoFault
				})
				var out shown
				e, err := engine.Open(t.Context(), config(store, &out))
				require.NoError(t, err)
				before := ""
				err = e.Drive(t.Context(), engine.UntilDone, func(ctx context.Context) error {
					_, err := e.RunMain(ctx, prog)
					before = out.String()
					return err
				})
				cerr := e.Close()
				if !failed {
					require.NoError(t, errors.Join(err, cerr), "fewer writes than that")
					return
				}
				if err == nil {
					require.ErrorContains(t, cerr, "commit", "the last write of a run notes what was shown")
					return
				}
				require.Error(t, cerr)
				if fault == persist.Full {
					require.ErrorIs(t, err, persist.ErrFull)
				} else {
					require.ErrorIs(t, err, engine.ErrUnknown)
				}
				if n == 1 {
					require.Empty(t, before)
					require.Empty(t, out.String())
				}
			})
		}
	}
}

// A panic is a bug of ours: it parks the one instance and leaves the others alone.
func TestPanicParksOneInstance(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state bad: Bool
    step a { if self.bad { World.bug("x") }; emit A() }
}
spawn W { bad: true } as "bad"
spawn W { bad: false } as "good"`)
	m.run()
	require.Equal(t, "completed", m.show("good").Status)
	s := m.show("bad")
	require.Equal(t, "paused", s.Status)
	require.True(t, s.Parked)
	require.Contains(t, s.Waiting[0].For, "internal error")
	require.Empty(t, m.events("bad"))
	require.NoError(t, m.e.Resume(t.Context(), "bad"))
	m.settle()
	require.Equal(t, "paused", m.show("bad").Status, "it tries again, and is parked again")
	require.NoError(t, m.e.Cancel(t.Context(), "bad"))
	m.settle()
	require.Equal(t, "cancelled", m.show("bad").Status)
}

// Waiting for a signal costs no goroutine and next to no memory.
func TestWaitingInstancesAreNotInMemory(t *testing.T) {
	count := 100_000
	if raceEnabled || testing.Short() {
		count = 2_000
	}
	prog := compile(t, `workflow W { step a { let x = perform Signal.wait("go"); emit Got(x) } }`)
	store, err := bolt.Open(t.TempDir()+"/store", bolt.Options{NoSync: true})
	require.NoError(t, err)
	defer store.Close()
	e, err := engine.Open(t.Context(), config(store, nil))
	require.NoError(t, err)
	none, _ := value.NewRecord(nil, nil).AsRecord()
	before := heap()
	goroutines := runtime.NumGoroutine()
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
		return eachOf(count, 512, func(i int) error {
			_, err := e.Spawn(ctx, prog, "W", fmt.Sprintf("w-%d", i), none, "")
			return err
		})
	}))
	require.LessOrEqual(t, runtime.NumGoroutine(), goroutines+16)
	perInstance := float64(heap()-before) / float64(count)
	t.Logf("%d waiting instances: %.0f bytes of heap each, %d goroutines", count, perInstance, runtime.NumGoroutine())
	if count >= 100_000 {
		require.Less(t, perInstance, 512.0)
	}
	require.NoError(t, e.Close())
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// eachOf calls f for 0..n-1 from a number of goroutines.
func eachOf(n, at int, f func(int) error) error {
	next := make(chan int)
	errs := make(chan error, at)
	var wg sync.WaitGroup
	for range at {
		wg.Go(func() {
			for i := range next {
				if err := f(i); err != nil {
					select {
					case errs <- err:
					default:
					}
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	close(errs)
	var all []error
	for err := range errs {
		all = append(all, err)
	}
	return errors.Join(all...)
}

func TestPassiveEngineCommitsAndDoesNotDrive(t *testing.T) {
	store := persist.NewMemory()
	prog := compile(t, `workflow W { step a { let x = perform Signal.wait("go"); perform IO.print(x) } }`)
	var out shown
	c := config(store, &out)
	c.Passive = true
	e, err := engine.Open(t.Context(), c)
	require.NoError(t, err)
	none, _ := value.NewRecord(nil, nil).AsRecord()
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
		if _, err := e.Spawn(ctx, prog, "W", "w", none, ""); err != nil {
			return err
		}
		return e.Signal(ctx, "w", "go", value.String("hello"), "")
	}))
	require.NoError(t, e.Close())
	s, err := e.Show(t.Context(), "w")
	require.NoError(t, err)
	require.Equal(t, 1, s.Signals)
	require.Empty(t, out.String())

	e, err = engine.Open(t.Context(), config(store, &out))
	require.NoError(t, err)
	_, err = e.Recover(t.Context())
	require.NoError(t, err)
	require.NoError(t, e.Drive(t.Context(), engine.UntilDone, nil))
	require.NoError(t, e.Close())
	require.Equal(t, "hello", strings.TrimSpace(out.String()))
}
