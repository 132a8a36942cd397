package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// caller notes the calls made and has them answered by a function.
type caller struct {
	mu     sync.Mutex
	keys   []string
	answer func(context.Context) (value.Value, error)
}

func (c *caller) Call(ctx context.Context, call engine.Call) (value.Value, error) {
	c.mu.Lock()
	c.keys = append(c.keys, call.Key)
	c.mu.Unlock()
	return c.answer(ctx)
}

// interrupted drives a program, or what is unfinished of it, until ctx is done,
// and closes the engine: it gives how long that took, the calls that it said it
// waits for, and whether the program came to its end.
func interrupted(t *testing.T, ctx context.Context, store persist.Store, prog *program.Program, c engine.Caller) (time.Duration, []engine.CallUnderWay, bool) {
	cfg := config(store, nil)
	cfg.Caller = c
	e, err := engine.Open(t.Context(), cfg)
	require.NoError(t, err)
	_, err = e.Recover(t.Context())
	require.NoError(t, err)
	err = e.Drive(ctx, engine.UntilDone, func(ctx context.Context) error {
		_, err := e.RunMain(ctx, prog)
		return err
	})
	if err != nil {
		require.ErrorIs(t, err, context.Canceled)
	}
	calls, begun := e.CallsUnderWay(), time.Now()
	require.NoError(t, e.Close())
	return time.Since(begun), calls, err == nil
}

// resultOf is what the workflow of these tests has come to.
func resultOf(t *testing.T, store persist.Store) value.Value {
	e, err := engine.Open(t.Context(), config(store, nil))
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	s, err := e.Show(t.Context(), "w")
	require.NoError(t, err)
	return s.Result
}

const callsOnce = `
workflow W {
    step a { perform World.call("x") }
    step b(r) { r }
}
await spawn W {} as "w"`

// Whoever leaves waits a moment for the calls under way, and records what they
// answer: the next driver does not make them again.
func TestLeavingRecordsTheAnswerOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, prog := persist.NewMemory(), compile(t, callsOnce)
		ctx, interrupt := context.WithCancel(t.Context())
		c := &caller{answer: func(context.Context) (value.Value, error) {
			interrupt()
			time.Sleep(2 * time.Second)
			return value.String("answer"), nil
		}}
		took, calls, _ := interrupted(t, ctx, store, prog, c)
		require.Equal(t, 2*time.Second, took)
		require.Equal(t, []engine.CallUnderWay{{Instance: "w", Op: "World.call"}}, calls)
		_, calls, done := interrupted(t, t.Context(), store, prog, c)
		require.True(t, done)
		require.Empty(t, calls)
		require.Len(t, c.keys, 1)
		require.Equal(t, value.String("answer"), resultOf(t, store))
	})
}

// A call that does not come back is cancelled, and made again under its key, as
// after a crash.
func TestLeavingCancelsACallThatLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, prog := persist.NewMemory(), compile(t, callsOnce)
		ctx, interrupt := context.WithCancel(t.Context())
		c := &caller{answer: func(ctx context.Context) (value.Value, error) {
			interrupt()
			<-ctx.Done()
			return value.Nil, errors.New("cancelled")
		}}
		took, _, _ := interrupted(t, ctx, store, prog, c)
		require.Equal(t, 3*time.Second, took)
		c.answer = func(context.Context) (value.Value, error) { return value.String("answer"), nil }
		_, calls, done := interrupted(t, t.Context(), store, prog, c)
		require.True(t, done)
		require.Empty(t, calls)
		require.Len(t, c.keys, 2)
		require.Equal(t, c.keys[0], c.keys[1])
	})
}

// An interruption at any write leaves no call without its answer, neither one
// that may be repeated nor one that may not.
func TestLeavingAtEveryWrite(t *testing.T) {
	for _, once := range []string{"", "once "} {
		prog := compile(t, `
workflow W {
    step a { perform `+once+`World.call("x") }
    step b(r) { r }
}
await spawn W {} as "w"`)
		for n := 0; n < 20; n++ {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				store := persist.NewFaulty(persist.NewMemory(), func(i int, _ []persist.Batch) persist.Fault {
					if i == n {
						interrupt()
					}
					return persist.NoFault
				})
				c := &caller{answer: func(context.Context) (value.Value, error) { return value.String("answer"), nil }}
				_, _, done := interrupted(t, ctx, store, prog, c)
				for i := 0; !done && i < 3; i++ {
					_, _, done = interrupted(t, t.Context(), store, prog, c)
				}
				require.Equal(t, value.String("answer"), resultOf(t, store), fmt.Sprint(once, n))
				require.Len(t, c.keys, 1, fmt.Sprint(once, n))
			})
		}
	}
}

// A countdown is a context that ends when its error has been asked for so often.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// An interruption while the engine takes up what is unfinished, or lists it, is an
// interruption, whatever it was reading at that moment, and says nothing about an
// instance.
func TestInterruptedWhileTakingUp(t *testing.T) {
	prog := compile(t, `workflow W { step a { perform World.call("x") } }`)
	empty, _ := value.NewRecord(nil, nil).AsRecord()
	for name, open := range stores(t) {
		t.Run(name, func(t *testing.T) {
			store := open()
			defer store.Close()
			passive := config(store, nil)
			passive.Passive = true
			e, err := engine.Open(t.Context(), passive)
			require.NoError(t, err)
			require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
				for range 5 {
					if _, err := e.Spawn(ctx, prog, "W", "", empty, ""); err != nil {
						return err
					}
				}
				return nil
			}))
			require.NoError(t, e.Close())
			cut := 0
			for n := range 100 {
				cfg := config(store, nil)
				cfg.Trace = func(tr engine.Trace) { require.NotEqual(t, engine.TracePaused, tr.Kind, "%s %s", tr.Instance, tr.Text) }
				e, err := engine.Open(t.Context(), cfg)
				require.NoError(t, err)
				taken, err := e.Recover(&countdown{t.Context(), n})
				if err == nil {
					require.Len(t, taken, 5)
				} else {
					require.ErrorIs(t, err, context.Canceled)
					cut++
				}
				listed := 0
				err = e.List(&countdown{t.Context(), n}, persist.Filter{}, func(s engine.Summary, bad error) bool {
					require.NoError(t, bad, s.ID)
					listed++
					return true
				})
				if err == nil {
					require.Equal(t, 5, listed)
				} else {
					require.ErrorIs(t, err, context.Canceled)
				}
				require.NoError(t, e.Close())
			}
			require.NotZero(t, cut)
		})
	}
}

// Whoever leaves in good order has not died, however often, and though nothing was
// committed: the instance is not set aside for it.
func TestLeavingIsNoDeath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, prog := persist.NewMemory(), compile(t, callsOnce)
		c := &caller{}
		for range 10 {
			ctx, interrupt := context.WithCancel(t.Context())
			c.answer = func(ctx context.Context) (value.Value, error) {
				interrupt()
				<-ctx.Done()
				return value.Nil, ctx.Err()
			}
			interrupted(t, ctx, store, prog, c)
		}
		c.answer = func(context.Context) (value.Value, error) { return value.String("answer"), nil }
		_, _, done := interrupted(t, t.Context(), store, prog, c)
		require.True(t, done)
		require.Equal(t, value.String("answer"), resultOf(t, store))
		require.Len(t, c.keys, 11)
	})
}
