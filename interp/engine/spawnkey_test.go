package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
)

// The key of a spawn lives as long as the instance that it made: nothing of it
// stays in the store when that is deleted.
func TestSpawnKeyGoesWithItsInstance(t *testing.T) {
	m := newMachine(t, `workflow W { step a { perform Signal.wait("go") } }`)
	m.run()
	ctx := t.Context()
	cells := func() (n int) {
		for c := persist.CellKind(1); c < 128; c++ {
			for cell, err := range m.store.Cells(ctx, 0, c, "the-key") {
				require.NoError(t, err)
				require.Equal(t, "the-key", cell.Key)
				n++
			}
		}
		return n
	}
	spawn := func() string {
		s, err := m.e.Spawn(ctx, m.prog, "W", "", noFields(), "the-key")
		require.NoError(t, err)
		m.settle()
		return s.ID
	}
	require.Equal(t, "W-1", spawn())
	require.Equal(t, "W-1", spawn())
	require.Equal(t, 1, cells())
	m.crash()
	m.open()
	require.Equal(t, "W-1", spawn())
	require.NoError(t, m.e.Delete(ctx, "W-1", true))
	require.Zero(t, cells())
	require.Equal(t, "W-2", spawn(), "the key is free again")
	require.NoError(t, m.e.Delete(ctx, "W-2", true))
	require.Zero(t, cells())
}
