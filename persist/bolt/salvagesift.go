package bolt

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// salvage makes a new store of what a sifter finds in a damaged one. The new
// file is also its memory: first all clean records go there, then it makes them
// agree with each other.
type salvage struct {
	ctx    context.Context
	db     *bbolt.DB
	report *Report
	from   *sifter

	pending []finding
	bytes   int // in pending

	counters persist.Tail        // of the old store, as far as known
	lostRows map[uint64]struct{} // instances reported as lost; bounded by MaxReported
}

// finding is a record that was found and is not written yet.
type finding struct {
	kind       kind
	key, value []byte
	linked     bool
}

// sift takes over the clean records of the damaged file.
func (s *salvage) sift(f *os.File, closedAt uint64) error {
	from, root, err := newSifter(f, closedAt, s.report.damage)
	if err != nil {
		return err
	}
	s.from = from
	from.found = func(k kind, key, value []byte, linked bool) error {
		if k == kindRunnable {
			return nil // is made from the rows
		}
		f := finding{k, key, value, linked}
		s.note(f)
		s.pending = append(s.pending, f)
		if s.bytes += len(key) + len(value); s.bytes < copyBytes && len(s.pending) < 10*pageLen {
			return nil
		}
		return s.flush()
	}
	if err := from.run(root, s.flush); err != nil {
		return err
	}
	if err := s.flush(); err != nil {
		return err
	}
	return s.db.View(s.readCounters)
}

// readCounters reads what the old store knew of itself, if that is there.
func (s *salvage) readCounters(tx *bbolt.Tx) error {
	empty := true
	for k := range buckets {
		key, _ := cursor(tx, kind(k)).First()
		empty = empty && key == nil
	}
	if empty {
		return fmt.Errorf("there is no clean record of a store: %w", persist.ErrDamaged)
	}
	if format, err := metaBody(tx, metaFormat, 4); err == nil {
		if err := checkFormat(format); err != nil {
			return err
		}
	}
	if store, err := metaBody(tx, metaStore, 8); err == nil {
		s.counters.StoreID, s.counters.Created = decodeStoreID(store)
	}
	if tail, err := metaBody(tx, metaTail, 16); err == nil {
		last, event := keyNumber(tail), keyNumber(tail[8:])
		s.counters.LastNumber, s.counters.LastEvent = max(last, s.counters.LastNumber), event
	}
	return nil
}

// note remembers the highest instance number that was in use, so that none is
// used again even if the counters are lost.
func (s *salvage) note(f finding) {
	number := uint64(0)
	switch f.kind {
	case kindRows, kindCells, kindHeads, kindTimerKeys:
		number = keyNumber(f.key)
	case kindJournal:
		if keyNumber(f.key[8:]) == 1 { // others may be not checked yet
			number = keyNumber(f.key)
		}
	case kindNames:
		number, _ = decodeName(f.key, f.value)
	case kindEvents:
		if e, err := decodeEvent(f.key, f.value, keyNumber(f.key)); err == nil {
			number = e.Instance
		}
	}
	s.counters.LastNumber = max(s.counters.LastNumber, number)
}

// flush writes what is pending.
func (s *salvage) flush() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	err := s.db.Update(func(tx *bbolt.Tx) error {
		for _, f := range s.pending {
			if !f.linked && !s.wanted(tx, f) {
				continue
			}
			b := tx.Bucket(buckets[f.kind].name)
			b.FillPercent = max(copyFill, buckets[f.kind].fill)
			if err := b.Put(f.key, f.value); err != nil {
				return err
			}
		}
		return nil
	})
	clear(s.pending)
	s.pending, s.bytes = s.pending[:0], 0
	return err
}

// wanted tells whether to take a record to which nothing leads. It may be an
// earlier state of one that is there, or have been deleted.
func (s *salvage) wanted(tx *bbolt.Tx, f finding) bool {
	have := tx.Bucket(buckets[f.kind].name).Get(f.key)
	switch f.kind {
	case kindRows:
		row, _, err := decodeRow(f.key, f.value, true)
		if err != nil {
			return false
		}
		if !s.from.gaps[kindNames].has([]byte(row.ID)) {
			name := tx.Bucket(buckets[kindNames].name).Get([]byte(row.ID))
			if number, err := decodeName([]byte(row.ID), name); err != nil || number != row.Number {
				return false // deleted
			}
		}
		if old, _, err := decodeRow(f.key, have, true); err == nil && old.Version >= row.Version {
			return false
		}
		s.report.lose(f.kind, row.Number, row.ID, true, "the row was found where nothing leads to it")
		return true
	case kindHeads, kindMeta:
		return have == nil || len(have) == len(f.value) && newer(f, have)
	}
	return have == nil
}

// newer tells whether a head or counter is further on than another one.
func newer(f finding, have []byte) bool {
	if f.kind == kindMeta {
		return bytes.Equal(f.key, metaTail) && bytes.Compare(f.value[headerLen:], have[headerLen:]) > 0
	}
	a, b := decoder{rest: f.value[headerLen:]}, decoder{rest: have[headerLen:]}
	return a.uint64() > b.uint64()
}

// eachRecord calls fn for all records of a bucket of the new store, a few in one
// transaction. fn gives what is to be changed, which is written before the next
// few are read.
func (s *salvage) eachRecord(k kind, fn func(tx *bbolt.Tx, key, value []byte) ([]op, error)) error {
	next := []byte{}
	for more := true; more; {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		more = false
		var todo [kindCount][]op
		err := s.db.Update(func(tx *bbolt.Tx) error {
			c, left, ops := cursor(tx, k), newRoom(), 0
			for key, value := c.Seek(next); key != nil; key, value = c.Next() {
				if !left.take(value) || ops > 10*pageLen {
					next, more = bytes.Clone(key), true
					break
				}
				list, err := fn(tx, key, value)
				if err != nil {
					return err
				}
				for _, o := range list {
					todo[o.n] = append(todo[o.n], o)
				}
				ops += len(list)
			}
			return applySalvaged(tx, &todo)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// putIn and dropFrom make ops for eachRecord, whose n is the kind.
func putIn(k kind, key, body []byte) op {
	key = bytes.Clone(key)
	value := append(make([]byte, headerLen, headerLen+len(body)), body...)
	seal(k, key, value)
	return op{key: key, value: value, n: int(k)}
}

func dropFrom(k kind, key []byte) op { return op{key: bytes.Clone(key), n: int(k)} }

func applySalvaged(tx *bbolt.Tx, todo *[kindCount][]op) error {
	for k := range todo {
		b := tx.Bucket(buckets[k].name)
		for _, o := range todo[k] {
			var err error
			if o.value == nil {
				err = b.Delete(o.key)
			} else {
				err = b.Put(o.key, o.value)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
