package engine_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
)

// A call that might not fit beside others waits for them; alone it always fits, as
// long as the budget is not used up.
func TestTallyHoldsCallsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tally engine.Tally
		hold := func(most uint64) bool {
			within, err := tally.Hold(t.Context(), most, 100)
			require.NoError(t, err)
			return within
		}
		require.True(t, hold(60))
		require.True(t, hold(40), "both fit")

		late := make(chan bool, 2)
		for range 2 {
			go func() { late <- hold(1) }()
		}
		synctest.Wait()
		require.Empty(t, late, "nothing is left for them")

		tally.Free(60, 10)
		synctest.Wait()
		require.Len(t, late, 2, "10 are used and 40 held: both fit")
		require.True(t, <-late && <-late)
		tally.Free(1, 1)
		tally.Free(1, 1)
		tally.Free(40, 80)
		require.Equal(t, uint64(92), tally.Used())

		require.True(t, hold(1000), "a call alone always fits")
		refused := make(chan bool, 1)
		go func() { refused <- hold(1) }()
		synctest.Wait()
		require.Empty(t, refused)
		tally.Free(1000, 8)
		require.False(t, <-refused, "the budget is used up")

		within, err := tally.Hold(t.Context(), 1<<63, 0)
		require.True(t, within && err == nil, "0 is no budget")
		tally.Free(1<<63, 0)
	})
}

// Whoever waits for room is let go when nobody wants the call any more.
func TestTallyLetsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tally engine.Tally
		within, err := tally.Hold(t.Context(), 100, 100)
		require.True(t, within && err == nil)
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() {
			_, err := tally.Hold(ctx, 1, 100)
			left <- err
		}()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-left, context.Canceled)
		tally.Free(100, 0)
		within, err = tally.Hold(t.Context(), 100, 100)
		require.True(t, within && err == nil, "who has left holds nothing")
	})
}
