package bolt

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// TestVerifyComparesRecords changes one of two records that have to agree, with a
// right checksum, and asks that it is found, in whichever of them.
func TestVerifyComparesRecords(t *testing.T) {
	id := func(n uint64) []byte { return fmt.Appendf(nil, "id-%d", n) }
	timer := appendTimer(nil, persist.Timer{At: 9000, Instance: 9, Key: "t1"})
	timerKey := append(numberKey(9), "t1"...)
	for _, c := range []struct {
		name string
		ops  []op // n is the kind
		want string
	}{
		{"a row without its name", []op{dropFrom(kindNames, id(9))}, "rows"},
		{"a name without its row", []op{putIn(kindNames, []byte("other"), numberBody(9))}, "names"},
		{"a name of no row", []op{putIn(kindNames, []byte("other"), numberBody(999))}, "names"},
		{"runnable, but not in the index", []op{dropFrom(kindRunnable, numberKey(8))}, "rows"},
		{"not runnable, but in the index", []op{putIn(kindRunnable, numberKey(9), nil)}, "rows"},
		{"in the index of runnables without a row", []op{putIn(kindRunnable, numberKey(999), nil)}, "runnable"},
		{"a timer only by instant", []op{dropFrom(kindTimerKeys, timerKey)}, "timers"},
		{"a timer only by instance", []op{dropFrom(kindTimers, timer)}, "timerkeys"},
		{"a timer at another instant", []op{putIn(kindTimerKeys, timerKey, numberBody(5))}, "timerkeys"},
		{"a timer without a row", []op{
			putIn(kindTimers, appendTimer(nil, persist.Timer{At: 5, Instance: 999, Key: "t"}), nil),
			putIn(kindTimerKeys, append(numberKey(999), 't'), numberBody(5)),
		}, "timerkeys"},
		{"a cell without a row", []op{putIn(kindCells, append(numberKey(999), 1, 'k'), []byte("body"))}, "cells"},
		{"a journal without a row", []op{putIn(kindJournal, appendNumber(numberKey(999), 1), nil)}, "journal"},
		{"a journal head without a row", []op{putIn(kindHeads, numberKey(999), appendJournalHead(nil, &head{seq: 1}))}, "heads"},
		{"a malformed journal head", []op{putIn(kindHeads, numberKey(9), []byte{1})}, "heads"},
		{"a journal that is longer than its head says", []op{putIn(kindJournal, appendNumber(numberKey(9), 7), nil)}, "journal"},
		{"an event without an instance", []op{putIn(kindEvents, numberKey(3), []byte{1})}, "events"},
		{"an event missing", []op{dropFrom(kindEvents, numberKey(3))}, "events"},
		{"counters behind the rows", []op{putIn(kindMeta, metaTail, appendNumber(numberKey(5), 120))}, "meta"},
		{"counters behind the events", []op{putIn(kindMeta, metaTail, appendNumber(numberKey(40), 119))}, "meta"},
		{"counters before the events", []op{putIn(kindMeta, metaTail, appendNumber(numberKey(40), 121))}, "events"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := edit(t, func(tx *bbolt.Tx) {
				var todo [kindCount][]op
				for _, o := range c.ops {
					todo[o.n] = append(todo[o.n], o)
				}
				require.NoError(t, applySalvaged(tx, &todo))
			})
			found := map[string]bool{}
			for p, err := range s.Verify(context.Background()) {
				require.NoError(t, err)
				require.ErrorIs(t, p.Err, persist.ErrDamaged)
				found[p.Bucket] = true
			}
			require.True(t, found[c.want], "found in %v", found)
		})
	}
}

func TestVerifyEndsWithItsContext(t *testing.T) {
	p := newPlace(t)
	sample(t, p.open)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, lastError(p.open.Verify(ctx)), context.Canceled)
	require.NoError(t, p.open.Close())
	require.ErrorIs(t, lastError(p.open.Verify(context.Background())), persist.ErrClosed)
	p.start(t)
}

// TestPagesAreBounded reads records that do not all fit into one page of reading.
func TestPagesAreBounded(t *testing.T) {
	left := newRoom()
	n := 0
	for left.take(make([]byte, pageBytes/4)) {
		n++
	}
	require.Equal(t, 4, n)
	left = newRoom()
	require.True(t, left.take(make([]byte, persist.MaxRecord)), "one record always fits")
	require.False(t, left.take(nil))

	ctx := context.Background()
	p := newPlace(t)
	large := bytes.Repeat([]byte("x"), 700_000)
	var b persist.Batch
	for n := uint64(1); n <= 9; n++ {
		c := persist.Change{Number: n, Row: &persist.Row{Number: n, ID: fmt.Sprint(n), Version: 1, Runnable: true, Body: large}}
		if n == 1 {
			for i := uint64(1); i <= 20; i++ {
				c.Journal = append(c.Journal, persist.Entry{Seq: i, Body: large})
				c.Cells = append(c.Cells, persist.Cell{Key: string(rune('a' + i)), Body: large})
				c.Events = append(c.Events, persist.Event{Number: i, Instance: 1, Body: large})
			}
		}
		b.Changes = append(b.Changes, c)
	}
	require.NoError(t, p.open.Commit(ctx, []persist.Batch{b}))
	c := dump(t, p.open)
	require.Len(t, c.Runnable, 9)
	require.Len(t, c.Events, 20)
	require.Equal(t, b.Changes[0].Journal, c.Instances[1].Journal)
	require.Equal(t, b.Changes[0].Cells, c.Instances[1].Cells)
}

// Either head of the file may be lost without losing a record; it is said.
func TestVerifyLooksAtBothHeads(t *testing.T) {
	im := newImage(t)
	meta, both, err := readMeta(bytes.NewReader(im.file), int64(len(im.file)))
	require.NoError(t, err)
	require.True(t, both)
	for head := range 2 {
		dir := t.TempDir()
		file := bytes.Clone(im.file)
		file[head*int(meta.pageSize)+pageHeader+20] ^= 0xff
		require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), file, 0o600))
		s, err := Open(dir, Options{})
		if err != nil {
			require.ErrorIs(t, err, persist.ErrDamaged)
			continue
		}
		var found []string
		for p, err := range s.Verify(context.Background()) {
			require.NoError(t, err)
			found = append(found, p.Bucket+": "+p.Err.Error())
		}
		require.NotEmpty(t, found)
		require.Contains(t, found[0], "one of its two heads is destroyed")
		require.NoError(t, s.Close())
	}
}
