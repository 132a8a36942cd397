package bolt

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
)

// fillUp commits until the store is full, and checks that nothing of the refused
// commits is there, that reading goes on, and that the store takes commits again
// when there is room, while it is open and after it was opened again. It gives
// the store, open.
func fillUp(t *testing.T, s *Store, reopen func() *Store) *Store {
	t.Helper()
	ctx := context.Background()
	sample(t, s)
	commit := func(changes ...persist.Change) error {
		return s.Commit(ctx, []persist.Batch{{Changes: changes}})
	}
	create := func(n uint64, body int) persist.Change {
		c := persist.Change{Number: n, Row: &persist.Row{Number: n, ID: fmt.Sprint(n), Version: 1, Body: make([]byte, body)}}
		c.Journal = []persist.Entry{{Seq: 1, Body: make([]byte, body)}}
		c.Cells = []persist.Cell{{Kind: 2, Key: "k", Body: make([]byte, body)}}
		return c
	}
	n, err := uint64(1000), error(nil)
	want := dump(t, s)
	for rounds := 0; err == nil; rounds++ {
		n++
		require.Less(t, rounds, 1000, "it never fills")
		if err = commit(create(n, 10), create(n+1, 30_000)); err == nil {
			n++
			want = dump(t, s)
		}
	}
	for range 3 { // it stays full, and says so
		require.ErrorIs(t, err, persist.ErrFull)
		require.True(t, reflect.DeepEqual(want, dump(t, s)), "nothing half written")
		err = commit(create(n+2, 400_000))
	}
	s = reopen()
	require.True(t, reflect.DeepEqual(want, dump(t, s)), "nothing half written")
	require.ErrorIs(t, commit(create(n+2, 400_000)), persist.ErrFull)
	removed := 0
	for _, in := range want.Instances {
		if number := in.Row.Number; number > 40 && len(in.Row.Body) > 1000 {
			require.NoError(t, commit(persist.Change{Number: number, Expect: 1, Delete: true}))
			if removed++; removed == 8 {
				break
			}
		}
	}
	require.NoError(t, commit(create(n+3, 100)), "there is room again")
	s = reopen()
	require.NoError(t, commit(create(n+4, 100)))
	for problem, err := range s.Verify(ctx) {
		t.Fatal(problem, err)
	}
	return s
}

func TestFull(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "store")
	open := func() *Store {
		s, err := Open(dir, Options{MaxSize: 4 << 20})
		require.NoError(t, err)
		return s
	}
	s := open()
	s = fillUp(t, s, func() *Store {
		require.NoError(t, s.Close())
		s = open()
		return s
	})
	require.NoError(t, s.Close())
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	_, err = s.Load(context.Background(), 7)
	require.NoError(t, err)
	require.NoError(t, s.Close())
}
