package engine_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

const keyed = `
workflow W {
    state n: Int = 0
    step a { perform Signal.wait("go"); perform Signal.wait("never") }
    command add(n: Int) { self.n = self.n + n }
}
entity E {
    state n: Int = 0
    command add(n: Int) { self.n = self.n + n }
}
`

// passive opens an engine that commits and does not drive, and runs work on it.
func passive(t testing.TB, store persist.Store, work func(ctx context.Context, e *engine.Engine)) {
	c := config(store, nil)
	c.Passive = true
	e, err := engine.Open(t.Context(), c)
	require.NoError(t, err)
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
		work(ctx, e)
		return nil
	}))
	require.NoError(t, e.Close())
}

func fieldsOf(keys []string, vals ...value.Value) *value.Record {
	r, _ := value.NewRecord(keys, vals).AsRecord()
	return r
}

func requireCode(t *testing.T, code string, err error) {
	t.Helper()
	var refused *engine.RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, code, refused.Code)
}

// A repeated request under a key is done once, whether the repeat comes at once,
// or to another process later.
func TestKeys(t *testing.T) {
	for name, open := range stores(t) {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			store := open()
			defer store.Close()
			prog := compile(t, keyed)
			none, one := fieldsOf(nil), fieldsOf([]string{"n"}, value.Int(1))
			for range 2 {
				passive(t, store, func(ctx context.Context, e *engine.Engine) {
					for range 2 {
						s, err := e.Spawn(ctx, prog, "W", "", none, "k")
						require.NoError(t, err)
						require.Equal(t, "W-1", s.ID)
						require.NoError(t, e.Signal(ctx, "W-1", "go", value.Int(1), "k"))
						_, err = e.Call(ctx, value.Handle{ID: "W-1"}, "add", []value.Value{value.Int(5)}, "c", nil)
						require.NoError(t, err)
					}
					_, err := e.Spawn(ctx, prog, "W", "", one, "k")
					requireCode(t, "conflict", err)
					requireCode(t, "conflict", e.Signal(ctx, "W-1", "go", value.Int(2), "k"))
					requireCode(t, "conflict", e.Signal(ctx, "W-1", "never", value.Int(1), "k"))
					requireCode(t, "conflict", e.Signal(ctx, "W-1", "go", value.Int(5), "c"))
					s, err := e.Show(ctx, "W-1")
					require.NoError(t, err)
					require.Equal(t, 1, s.Signals)
					require.Equal(t, []engine.NamedValue{{Name: "n", Value: value.Int(5)}}, s.Fields)
				})
			}
			// The key of a spawn lives as long as the instance, that of a signal too,
			// also when the instance has ended.
			passive(t, store, func(ctx context.Context, e *engine.Engine) {
				require.NoError(t, e.Terminate(ctx, "W-1"))
				require.NoError(t, e.Signal(ctx, "W-1", "go", value.Int(1), "k"))
				requireCode(t, "conflict", e.Signal(ctx, "W-1", "go", value.Int(1), "other"))
				require.NoError(t, e.Delete(ctx, "W-1", false))
				s, err := e.Spawn(ctx, prog, "W", "", none, "k")
				require.NoError(t, err)
				require.Equal(t, "W-2", s.ID)
			})
		})
	}
}

// Many at once under one key make one instance.
func TestSpawnUnderOneKeyAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	store, prog := persist.NewMemory(), compile(t, keyed)
	passive(t, store, func(ctx context.Context, e *engine.Engine) {
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				s, err := e.Spawn(ctx, prog, "W", "", fieldsOf(nil), "k")
				if err != nil || s.ID != "W-1" {
					t.Errorf("%s, %v", s.ID, err)
				}
			})
		}
		wg.Wait()
	})
}

func TestHandle(t *testing.T) {
	store, prog := persist.NewMemory(), compile(t, keyed)
	passive(t, store, func(ctx context.Context, e *engine.Engine) {
		_, err := e.Handle(ctx, "E/a")
		require.ErrorIs(t, err, engine.ErrNotFound) // no program is there yet
		_, err = e.Spawn(ctx, prog, "W", "x/w", fieldsOf(nil), "")
		require.NoError(t, err)
		for id, want := range map[string]value.Handle{
			"E/a": {Type: "E", ID: "a", Entity: true},
			"x/w": {Type: "W", ID: "x/w"},
		} {
			h, err := e.Handle(ctx, id)
			require.NoError(t, err)
			require.Equal(t, want, h)
			require.Equal(t, id, h.StoreID())
		}
		_, err = e.Spawn(ctx, prog, "E", "x", fieldsOf(nil), "")
		requireCode(t, "bad_request", err)
		_, err = e.Spawn(ctx, prog, "V", "x", fieldsOf(nil), "")
		requireCode(t, "not_found", err)
	})
}

// An engine that drives one instance only leaves all others as they are: what is
// runnable, what is overdue, what a signal would move.
func TestDriveOnly(t *testing.T) {
	defer goleak.VerifyNone(t)
	store := persist.NewMemory()
	prog := compile(t, `
workflow Child { step a { perform Timer.sleep(1ms); 5 } }
workflow Parent { step a { await spawn Child {} } }
workflow Other {
    step a { perform Timer.sleep(1ms) }
    step b { perform Signal.wait("go") }
}
`)
	passive(t, store, func(ctx context.Context, e *engine.Engine) {
		_, err := e.Spawn(ctx, prog, "Parent", "p", fieldsOf(nil), "")
		require.NoError(t, err)
		for i := range 50 {
			_, err = e.Spawn(ctx, prog, "Other", fmt.Sprintf("o-%d", i), fieldsOf(nil), "")
			require.NoError(t, err)
		}
		require.NoError(t, e.Signal(ctx, "o-1", "go", value.Nil, ""))
	})
	e, err := engine.Open(t.Context(), config(store, nil))
	require.NoError(t, err)
	require.ErrorIs(t, e.DriveOnly(t.Context(), "q"), persist.ErrNotFound)
	require.NoError(t, e.DriveOnly(t.Context(), "p"))
	taken, err := e.Recover(t.Context())
	require.NoError(t, err)
	require.Len(t, taken, 1)
	require.NoError(t, e.Drive(t.Context(), engine.UntilDone, func(ctx context.Context) error {
		return e.Signal(ctx, "o-2", "go", value.Nil, "")
	}))
	require.NoError(t, e.Close())
	s, err := e.Show(t.Context(), "p")
	require.NoError(t, err)
	require.Equal(t, "completed", s.Status)
	require.Equal(t, value.Int(5), s.Result)
	for i := range 50 {
		s, err := e.Show(t.Context(), fmt.Sprintf("o-%d", i))
		require.NoError(t, err)
		require.Equal(t, "running", s.Status)
		require.Equal(t, "a", s.Step)
		require.Empty(t, s.Waiting, "it has begun")
	}

	// The next driver, which drives everything, is not held up by that.
	e, err = engine.Open(t.Context(), config(store, nil))
	require.NoError(t, err)
	_, err = e.Recover(t.Context())
	require.NoError(t, err)
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, nil))
	require.NoError(t, e.Close())
	s, err = e.Show(t.Context(), "o-1")
	require.NoError(t, err)
	require.Equal(t, "completed", s.Status)
}

// Whoever asks something of an engine that is about to leave hears what became
// of it: done, or stopped and surely not done.
func TestLeavingEngineAnswersEverybody(t *testing.T) {
	defer goleak.VerifyNone(t)
	for range 30 {
		store, prog := persist.NewMemory(), compile(t, keyed)
		passive(t, store, func(ctx context.Context, e *engine.Engine) {
			_, err := e.Spawn(ctx, prog, "W", "w", fieldsOf(nil), "")
			require.NoError(t, err)
		})
		e, err := engine.Open(t.Context(), config(store, nil))
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		done := make([]int, 8)
		begun := make(chan struct{})
		var once sync.Once
		for i := range done {
			wg.Go(func() {
				for {
					_, err := e.Call(context.Background(), value.Handle{ID: "w"}, "add", []value.Value{value.Int(1)}, "", nil)
					if err != nil {
						if !isStopped(err) {
							t.Errorf("call: %v", err)
						}
						return
					}
					if done[i]++; done[i] == 3 {
						once.Do(func() { close(begun) })
					}
				}
			})
		}
		require.ErrorIs(t, e.Drive(ctx, engine.UntilDone, func(context.Context) error {
			<-begun
			cancel()
			return nil
		}), context.Canceled)
		require.NoError(t, e.Close())
		wg.Wait()
		sum := 0
		for _, n := range done {
			sum += n
		}
		s, err := e.Show(t.Context(), "w")
		require.NoError(t, err)
		require.Equal(t, []engine.NamedValue{{Name: "n", Value: value.Int(int64(sum))}}, s.Fields)
	}
}

func TestWhatTheEngineTellsTravels(t *testing.T) {
	store, prog := persist.NewMemory(), compile(t, keyed+`
workflow Bad {
    step a { emit Tried(1.50) } compensate { throw "stuck" }
    step b { throw { code: "no", message: "never", detail: { at: 3s } } }
}
spawn Bad {} as "bad"
spawn W { n: 7 } as "w"`)
	e, err := engine.Open(t.Context(), config(store, nil))
	require.NoError(t, err)
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
		_, err := e.RunMain(ctx, prog)
		return err
	}))
	require.NoError(t, e.Close())
	n := 0
	require.NoError(t, e.List(t.Context(), persist.Filter{}, func(s engine.Summary, err error) bool {
		require.NoError(t, err)
		b, err := s.MarshalBinary()
		require.NoError(t, err)
		var back engine.Summary
		require.NoError(t, back.UnmarshalBinary(b))
		require.Equal(t, s, back)
		for i := range b {
			require.Error(t, new(engine.Summary).UnmarshalBinary(b[:i]))
		}
		require.NoError(t, e.History(t.Context(), s.ID, func(r *engine.Record) bool {
			b, err := r.MarshalBinary()
			require.NoError(t, err)
			var back engine.Record
			require.NoError(t, back.UnmarshalBinary(b))
			require.Equal(t, *r, back)
			require.Error(t, new(engine.Record).UnmarshalBinary(b[:len(b)-1]))
			n++
			return true
		}))
		return true
	}))
	require.Greater(t, n, 8)
	require.NoError(t, e.Events(t.Context(), "", 1, func(ev *engine.EventRecord) bool {
		b, err := ev.MarshalBinary()
		require.NoError(t, err)
		var back engine.EventRecord
		require.NoError(t, back.UnmarshalBinary(b))
		require.Equal(t, *ev, back)
		n = 0
		return true
	}))
	require.Zero(t, n, "there is no event")
}

func isStopped(err error) bool { return err == engine.ErrStopped }
