package engine_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// The answer of a call that a command has cut is recorded and dropped; that it was
// cancelled is said in words, with the place of the call.
func TestDroppedAnswerOfACancelledCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		prog := compile(t, `
workflow W {
    step a { perform World.call("x") }
    step b { "skipped" }
    command skip() in a { goto b reply "ok" }
}
await spawn W {} as "w"`)
		called := make(chan struct{})
		cfg := config(persist.NewMemory(), nil)
		cfg.Caller = &caller{answer: func(ctx context.Context) (value.Value, error) {
			close(called)
			<-ctx.Done()
			return value.Nil, ctx.Err()
		}}
		e, err := engine.Open(t.Context(), cfg)
		require.NoError(t, err)
		require.NoError(t, e.Drive(t.Context(), engine.UntilDone, func(ctx context.Context) error {
			if _, err := e.RunMain(ctx, prog); err != nil {
				return err
			}
			<-called
			_, err := e.Call(ctx, value.Handle{Type: "W", ID: "w"}, "skip", nil, "", nil)
			return err
		}))
		require.NoError(t, e.Close())
		var dropped []*engine.Record
		require.NoError(t, e.History(t.Context(), "w", func(r *engine.Record) bool {
			if r.Kind == engine.RecDropped {
				dropped = append(dropped, r)
			}
			return true
		}))
		require.Len(t, dropped, 1)
		f := dropped[0].Failure
		require.Equal(t, []string{"cancelled", "it was cut", "test.wf:3:14"}, []string{f.Code, f.Message, f.Place})
		require.Equal(t, value.String("skipped"), resultOf(t, cfg.Store))
	})
}
