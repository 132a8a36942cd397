package bolt

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/storetest"
)

// place is where the store of a test is, which a crash moves.
type place struct {
	dir  string
	open *Store
}

func newPlace(t *testing.T) *place {
	p := &place{dir: filepath.Join(t.TempDir(), "store")}
	t.Cleanup(func() { require.NoError(t, p.open.Close()) })
	p.start(t)
	return p
}

func (p *place) start(t *testing.T) *Store {
	t.Helper()
	s, err := Open(p.dir, Options{})
	require.NoError(t, err)
	p.open = s
	return s
}

func (p *place) reopen(t *testing.T) *Store {
	t.Helper()
	require.NoError(t, p.open.Close())
	return p.start(t)
}

// crash goes on with a copy of the folder as it is while the store is open,
// which is what the death of the process would leave.
func (p *place) crash(t *testing.T) *Store {
	t.Helper()
	old := p.open
	dir := filepath.Join(t.TempDir(), "crashed")
	require.NoError(t, os.CopyFS(dir, os.DirFS(p.dir)))
	p.dir = dir
	t.Cleanup(func() { require.NoError(t, old.Close()) })
	return p.start(t)
}

func TestStore(t *testing.T) {
	storetest.Run(t, storetest.Harness{Open: func(t *testing.T) storetest.Fixture {
		p := newPlace(t)
		return storetest.Fixture{
			Store:  p.open,
			Reopen: func(t *testing.T) persist.Store { return p.reopen(t) },
			Crash:  func(t *testing.T) persist.Store { return p.crash(t) },
		}
	}})
}

func TestFaultyStore(t *testing.T) {
	storetest.Run(t, storetest.Harness{Open: func(t *testing.T) storetest.Fixture {
		p := newPlace(t)
		now := persist.NewFaulty(p.open, nil)
		return storetest.Fixture{
			Store: now,
			Reopen: func(t *testing.T) persist.Store {
				require.NoError(t, now.Close())
				now = persist.NewFaulty(p.start(t), nil)
				return now
			},
			Crash: func(t *testing.T) persist.Store {
				now.Crash()
				now = persist.NewFaulty(p.crash(t), nil)
				return now
			},
		}
	}})
}

// sample fills a store with some of everything, in several commits, over
// several pages.
func sample(t *testing.T, s persist.Store) {
	t.Helper()
	ctx := context.Background()
	event := uint64(0)
	commit := func(b persist.Batch) {
		require.NoError(t, s.Commit(ctx, []persist.Batch{b}))
	}
	for round := range uint64(3) {
		var b persist.Batch
		for i := range uint64(40) {
			n := i + 1
			event++
			c := persist.Change{
				Number: n, Expect: round,
				Row:     &persist.Row{Number: n, ID: fmt.Sprintf("id-%d", n), Workflow: "order", Status: "running", Program: "h", Version: round + 1, Runnable: n%2 == 0, Body: fmt.Appendf(nil, "%0100d", n*round)},
				Journal: []persist.Entry{{Seq: 2*round + 1, Body: fmt.Appendf(nil, "%0100d", n)}},
				Events:  []persist.Event{{Number: event, Instance: n, Body: []byte("event")}},
				Cells:   []persist.Cell{{Kind: 1, Key: fmt.Sprint(round), Body: fmt.Appendf(nil, "cell of %d", n)}},
				Set:     []persist.Timer{{At: int64(n * 1000), Instance: n, Key: fmt.Sprint("t", round)}},
			}
			b.Changes = append(b.Changes, c, persist.Change{Number: n, Journal: []persist.Entry{{Seq: 2*round + 2, Body: []byte("more")}}})
		}
		b.Programs = []persist.Program{{Hash: fmt.Sprint("h", round), Body: []byte("program text")}}
		commit(b)
	}
	commit(persist.Batch{Changes: []persist.Change{
		{Number: 5, Journal: []persist.Entry{{Seq: 7, Body: []byte("without the row")}}},
		{Number: 6, Expect: 3, Delete: true},
	}})
}

func dump(t *testing.T, s persist.Store) storetest.Contents {
	t.Helper()
	c, err := storetest.Dump(context.Background(), s)
	require.NoError(t, err)
	return c
}
