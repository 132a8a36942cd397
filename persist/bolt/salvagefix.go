package bolt

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"time"

	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// reconcile makes the records of the new store agree with each other and says
// what is missing.
func (s *salvage) reconcile() error {
	s.doubt(0, "")
	for _, step := range []func() error{
		func() error { return s.eachRecord(kindRows, s.fixRow) },
		func() error { return s.eachRecord(kindRows, s.fixUnnamed) },
		func() error { return s.eachRecord(kindNames, s.fixName) },
		func() error { return s.eachRecord(kindHeads, s.fixOwned(kindHeads)) },
		func() error { return s.eachRecord(kindJournal, s.fixOwned(kindJournal)) },
		func() error { return s.eachRecord(kindCells, s.fixOwned(kindCells)) },
		func() error { return s.eachRecord(kindTimerKeys, s.fixOwned(kindTimerKeys)) },
		func() error { return s.eachRecord(kindTimers, s.fixTimer) },
		func() error { return s.eachRecord(kindTimerKeys, s.fixTimerKey) },
		s.fixEvents,
		s.fixMeta,
		s.count,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func get(tx *bbolt.Tx, k kind, key []byte) []byte { return tx.Bucket(buckets[k].name).Get(key) }

// fixRow makes the indexes of a row and brings it and its journal together.
func (s *salvage) fixRow(tx *bbolt.Tx, key, value []byte) ([]op, error) {
	row, h, err := decodeRow(key, value, true)
	if err != nil {
		s.report.lose(kindRows, keyNumber(key), "", false, "the row cannot be read: %v", err)
		return []op{dropFrom(kindRows, key)}, nil
	}
	ops := []op{putIn(kindNames, []byte(row.ID), numberBody(row.Number))}
	if row.Runnable {
		ops = append(ops, putIn(kindRunnable, key, nil))
	}
	s.doubt(row.Number, row.ID)
	if row.Program != "" && len(s.from.gaps[kindPrograms].list) > 0 && get(tx, kindPrograms, []byte(row.Program)) == nil {
		s.report.lose(kindPrograms, row.Number, row.ID, false, "the program %s is lost", row.Program)
	}
	return append(ops, s.fixJournal(tx, &row, h)...), nil
}

// doubt says that an instance may lack what is in gaps.
func (s *salvage) doubt(number uint64, id string) {
	key := numberKey(number)
	if s.from.gaps[kindCells].touches(key) {
		s.report.lose(kindCells, number, id, true, "some may be missing, or not the last ones")
	}
	if s.from.gaps[kindTimerKeys].touches(key) && len(s.from.gaps[kindTimers].list) > 0 {
		s.report.lose(kindTimers, number, id, true, "some may be missing, or not the last ones")
	}
}

// fixUnnamed removes a row whose name is that of another one: it is one that was
// deleted, and its id used again.
func (s *salvage) fixUnnamed(tx *bbolt.Tx, key, value []byte) ([]op, error) {
	row, _, err := decodeRow(key, value, true)
	if err != nil {
		return nil, err
	}
	name := []byte(row.ID)
	if number, err := decodeName(name, get(tx, kindNames, name)); err == nil && number == row.Number {
		return nil, nil
	}
	s.report.lose(kindRows, row.Number, row.ID, true, "left out: a newer instance has the same id")
	return []op{dropFrom(kindRows, key), dropFrom(kindRunnable, key)}, nil
}

// fixJournal cuts the journal of a row before the first entry that is lost.
func (s *salvage) fixJournal(tx *bbolt.Tx, row *persist.Row, h head) (ops []op) {
	key := numberKey(row.Number)
	want, chain := h.seq, h.chain
	seq, at, err := readJournalHead(inTx{tx}, key)
	if err == nil && seq > want {
		want, chain = seq, at
	}
	j := journalReader{c: cursor(tx, kindJournal), number: row.Number}
	_ = j.seek(1) // of the first entry: cannot fail
	n := uint64(0)
	for ; bytes.HasPrefix(j.key, key); n++ {
		if _, err := j.entry(n + 1); err != nil {
			break
		}
	}
	for ; bytes.HasPrefix(j.key, key); j.key, j.value = j.c.Next() {
		ops = append(ops, dropFrom(kindJournal, j.key))
	}
	switch {
	case n == want && j.chain == chain:
		return ops
	case n < want:
		s.report.lose(kindJournal, row.Number, row.ID, false, "entries %d to %d are lost", n+1, want)
	case n > want:
		s.report.lose(kindJournal, row.Number, row.ID, true, "has %d entries, the row knows of %d", n, want)
	default:
		s.report.lose(kindJournal, row.Number, row.ID, true, "is not the one that the row knows")
	}
	h.seq, h.chain = n, j.chain
	return append(ops, putIn(kindRows, key, appendRow(nil, row, &h)), dropFrom(kindHeads, key))
}

// fixName removes a name whose row is lost.
func (s *salvage) fixName(tx *bbolt.Tx, key, value []byte) ([]op, error) {
	number, err := decodeName(key, value)
	if err == nil {
		var row persist.Row
		if row, err = loadRow(tx, number); err == nil && row.ID == string(key) {
			return nil, nil
		}
	}
	s.loseInstance(number, string(key))
	return []op{dropFrom(kindNames, key)}, nil
}

// loseInstance says once that a row is lost.
func (s *salvage) loseInstance(number uint64, id string) {
	if _, known := s.lostRows[number]; known {
		return
	}
	if s.lostRows == nil {
		s.lostRows = map[uint64]struct{}{}
	}
	if len(s.lostRows) < MaxReported {
		s.lostRows[number] = struct{}{}
	}
	s.report.lose(kindRows, number, id, false, "the row is lost, and all that belongs to it left out")
}

// fixOwned gives a check that removes what has no row.
func (s *salvage) fixOwned(k kind) func(tx *bbolt.Tx, key, value []byte) ([]op, error) {
	return func(tx *bbolt.Tx, key, value []byte) ([]op, error) {
		number := keyNumber(key)
		if len(key) >= 8 && (number == 0 || get(tx, kindRows, key[:8]) != nil) {
			return nil, nil
		}
		if len(key) >= 8 && s.from.gaps[kindRows].has(key[:8]) {
			s.loseInstance(number, "")
		}
		return []op{dropFrom(k, key)}, nil
	}
}

// fixTimer removes a timer that is not, or no longer, that of its row, and gives
// one whose other record is lost that record again.
func (s *salvage) fixTimer(tx *bbolt.Tx, key, _ []byte) ([]op, error) {
	t, err := decodeTimer(key)
	if err != nil || t.Instance != 0 && get(tx, kindRows, numberKey(t.Instance)) == nil {
		return []op{dropFrom(kindTimers, key)}, nil
	}
	other := append(numberKey(t.Instance), t.Key...)
	at, err := decodeTimerKey(other, get(tx, kindTimerKeys, other))
	switch {
	case err == nil && at == t.At:
		return nil, nil
	case err == nil || !s.from.gaps[kindTimerKeys].has(other):
		return []op{dropFrom(kindTimers, key)}, nil
	}
	return []op{putIn(kindTimerKeys, other, binary.LittleEndian.AppendUint64(nil, uint64(t.At)))}, nil
}

// fixTimerKey gives a timer whose record by instant is lost that record again,
// and removes one that has none because it was cleared.
func (s *salvage) fixTimerKey(tx *bbolt.Tx, key, value []byte) ([]op, error) {
	at, err := decodeTimerKey(key, value)
	if err != nil {
		s.report.lose(kindTimerKeys, keyNumber(key), "", false, "a timer cannot be read: %v", err)
		return []op{dropFrom(kindTimerKeys, key)}, nil
	}
	timer := appendTimer(nil, persist.Timer{At: at, Instance: keyNumber(key), Key: string(key[8:])})
	if get(tx, kindTimers, timer) != nil {
		return nil, nil
	}
	if !s.from.gaps[kindTimers].has(timer) {
		return []op{dropFrom(kindTimerKeys, key)}, nil
	}
	return []op{putIn(kindTimers, timer, nil)}, nil
}

// fixEvents finds out which events are lost and fills their places.
func (s *salvage) fixEvents() error {
	next, lost := uint64(1), [][2]uint64{}
	err := s.eachRecord(kindEvents, func(_ *bbolt.Tx, key, value []byte) ([]op, error) {
		number := keyNumber(key)
		if _, err := decodeEvent(key, value, number); err != nil {
			return []op{dropFrom(kindEvents, key)}, nil
		}
		if number > next {
			lost = append(lost, [2]uint64{next, number - 1})
		}
		next = number + 1
		return nil, nil
	})
	if err != nil {
		return err
	}
	if s.counters.LastEvent >= next {
		lost = append(lost, [2]uint64{next, s.counters.LastEvent})
	}
	s.counters.LastEvent = max(s.counters.LastEvent, next-1)
	for _, r := range lost {
		s.report.lose(kindEvents, 0, "", false, "events %d to %d are lost", r[0], r[1])
		if err := s.putLost(r[0], r[1]); err != nil {
			return err
		}
	}
	return nil
}

// putLost writes the records that stand for lost events.
func (s *salvage) putLost(from, to uint64) error {
	for from <= to {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		err := s.db.Update(func(tx *bbolt.Tx) error {
			var todo [kindCount][]op
			for ; from <= to && len(todo[kindEvents]) < 10*pageLen; from++ {
				todo[kindEvents] = append(todo[kindEvents], putIn(kindEvents, numberKey(from), numberBody(0)))
			}
			return applySalvaged(tx, &todo)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fixMeta writes what the store knows of itself.
func (s *salvage) fixMeta() error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		if s.counters.StoreID == "" {
			s.counters.StoreID, s.counters.Created = rand.Text(), time.Now()
			s.report.NewID = true
			s.report.lose(kindMeta, 0, "", false, "the id of the store is lost")
		}
		if last, _ := cursor(tx, kindRows).Last(); last != nil {
			s.counters.LastNumber = max(s.counters.LastNumber, keyNumber(last))
		}
		s.report.StoreID = s.counters.StoreID
		return errors.Join(
			putStoreID(tx, s.counters.StoreID, s.counters.Created),
			putMeta(tx, metaTail, appendNumber(appendNumber(nil, s.counters.LastNumber), s.counters.LastEvent)),
		)
	})
}

// count says what the new store has.
func (s *salvage) count() error {
	return s.db.View(func(tx *bbolt.Tx) error {
		for k := kindMeta; k < kindCount; k++ {
			n := tx.Bucket(buckets[k].name).Stats().KeyN
			s.report.Kept = append(s.report.Kept, Kept{Bucket: k.String(), Records: uint64(n)})
		}
		return nil
	})
}
