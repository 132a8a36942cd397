package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// A Problem is one record that is not what was written, or does not agree with
// another one.
type Problem struct {
	Bucket string
	Key    []byte
	Err    error // wraps persist.ErrDamaged or persist.ErrFormat
}

// Verify reads all records and gives those that are damaged, do not agree with
// each other or are missing: every record by its checksum, journals and the
// event log as chains, the heads of the file, and the indexes in both directions (a name, a place in
// the list of runnable instances and a timer belong to a row, and a row has
// them). Its time is that of reading the whole file; it needs little memory,
// however large the store is. The error is one that ends the search, of ctx or
// persist.ErrClosed. The store may be in use meanwhile: each record is compared
// with what stands at the time.
func (s *Store) Verify(ctx context.Context) iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		if p, err := s.verifyHeads(ctx); err != nil || p != nil {
			if p == nil {
				p = &Problem{}
			}
			if !yield(*p, err) || err != nil {
				return
			}
		}
		for k := kindMeta; k < kindCount; k++ {
			for p, err := range s.verifyKind(ctx, k) {
				if !yield(p, err) || err != nil {
					return
				}
			}
		}
		s.verifyChains(ctx, yield)
	}
}

// verifyHeads looks at the two heads of the file, of which the newer one counts.
// Without the other one nothing is lost, but nothing may happen to this one.
func (s *Store) verifyHeads(ctx context.Context) (p *Problem, err error) {
	err = s.use(ctx, func() (err error) {
		s.writing.Lock() // a head may be half written while a commit is
		defer s.writing.Unlock()
		f, err := os.Open(filepath.Join(s.dir, FileName))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if _, both, err := readMeta(f, info.Size()); err != nil || !both {
			p = &Problem{Bucket: "file", Err: fmt.Errorf("one of its two heads is destroyed; all that was written is there, and the next commits write that head anew: %w", persist.ErrDamaged)}
		}
		return nil
	})
	return p, err
}

// verifyKind checks the records of a bucket one by one.
func (s *Store) verifyKind(ctx context.Context, k kind) iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		next := []byte{}
		paged(ctx, s, "verify", func(tx *bbolt.Tx, page []item[Problem]) ([]item[Problem], bool, error) {
			n, c := 0, cursor(tx, k)
			for key, value := c.Seek(next); key != nil; key, value = c.Next() {
				if n++; n > pageLen {
					next = append(next[:0], key...)
					return page, true, nil
				}
				if err := verifyRecord(tx, k, key, value); err != nil {
					page = append(page, item[Problem]{value: Problem{Bucket: k.String(), Key: bytes.Clone(key), Err: err}})
				}
			}
			return page, false, nil
		})(yield)
	}
}

// verifyRecord checks one record and those it has to agree with.
func verifyRecord(tx *bbolt.Tx, k kind, key, value []byte) error {
	if k != kindJournal { // whose checksums need the one before
		if _, err := unseal(k, key, value); err != nil {
			return err
		}
	}
	switch k {
	case kindRows:
		row, _, err := decodeRow(key, value, true)
		if err != nil {
			return err
		}
		name := []byte(row.ID)
		if number, err := decodeName(name, tx.Bucket(buckets[kindNames].name).Get(name)); err != nil || number != row.Number {
			return damaged(k, key, "the name %q is not of this row", row.ID)
		}
		if (tx.Bucket(buckets[kindRunnable].name).Get(key) != nil) != row.Runnable {
			return damaged(k, key, "the index of runnable rows does not agree")
		}
	case kindNames:
		number, err := decodeName(key, value)
		if err != nil {
			return err
		}
		if row, err := loadRow(tx, number); err != nil || row.ID != string(key) {
			return damaged(k, key, "there is no such row")
		}
	case kindMeta:
		return verifyCounter(tx, key)
	case kindHeads:
		if _, _, err := readJournalHead(inTx{tx}, key); err != nil {
			return err
		}
	case kindEvents:
		_, err := decodeEvent(key, value, keyNumber(key))
		return err
	}
	return verifyOwner(tx, k, key, value)
}

// verifyOwner checks that a record that belongs to an instance has its row.
func verifyOwner(tx *bbolt.Tx, k kind, key, value []byte) error {
	switch k {
	case kindCells, kindJournal, kindHeads, kindTimerKeys, kindRunnable:
		has := tx.Bucket(buckets[kindRows].name).Get
		if number := keyNumber(key); len(key) < 8 || number != 0 && has(key[:8]) == nil {
			return damaged(k, key, "there is no such row")
		}
	}
	return verifyTimer(tx, k, key, value)
}

// verifyTimer checks that the two records of a timer agree.
func verifyTimer(tx *bbolt.Tx, k kind, key, value []byte) error {
	switch k {
	case kindTimers:
		t, err := decodeTimer(key)
		if err != nil {
			return err
		}
		other := append(numberKey(t.Instance), t.Key...)
		if at, err := decodeTimerKey(other, tx.Bucket(buckets[kindTimerKeys].name).Get(other)); err != nil || at != t.At {
			return damaged(k, key, "the index by instance does not agree")
		}
	case kindTimerKeys:
		at, err := decodeTimerKey(key, value)
		if err != nil {
			return err
		}
		other := appendTimer(nil, persist.Timer{At: at, Instance: keyNumber(key), Key: string(key[8:])})
		if tx.Bucket(buckets[kindTimers].name).Get(other) == nil {
			return damaged(k, key, "there is no such timer")
		}
	}
	return nil
}

// verifyCounter checks that the counters are not behind what they count.
func verifyCounter(tx *bbolt.Tx, key []byte) error {
	if !bytes.Equal(key, metaTail) {
		return nil
	}
	tail, err := readTail(tx)
	if err != nil {
		return err
	}
	row, _ := cursor(tx, kindRows).Last()
	if event, _ := cursor(tx, kindEvents).Last(); keyNumber(row) > tail.LastNumber || keyNumber(event) > tail.LastEvent {
		return damaged(kindMeta, key, "behind the last row or event")
	}
	return nil
}

// verifyChains checks what is only seen in a whole sequence: journals and the
// event log.
func (s *Store) verifyChains(ctx context.Context, yield func(Problem, error) bool) {
	report := func(k kind, key []byte, err error) bool {
		if !errors.Is(err, persist.ErrDamaged) && !errors.Is(err, persist.ErrFormat) {
			yield(Problem{}, err)
			return false
		}
		return yield(Problem{Bucket: k.String(), Key: key, Err: err}, nil)
	}
	for _, err := range s.Events(ctx, 1) {
		if err != nil && !report(kindEvents, nil, err) {
			return
		}
	}
	for number, err := range s.numbers(ctx) {
		if err != nil {
			yield(Problem{}, err)
			return
		}
		for _, err := range s.Journal(ctx, number, 1) {
			// That the row itself is damaged was reported with its bucket.
			if err != nil && !report(kindJournal, numberKey(number), err) {
				return
			}
		}
	}
}

// numbers gives the numbers of all rows, damaged ones too.
func (s *Store) numbers(ctx context.Context) iter.Seq2[uint64, error] {
	return func(yield func(uint64, error) bool) {
		next := []byte{}
		paged(ctx, s, "verify", func(tx *bbolt.Tx, page []item[uint64]) ([]item[uint64], bool, error) {
			c := cursor(tx, kindRows)
			for key, _ := c.Seek(next); key != nil; key, _ = c.Next() {
				if len(page) == pageLen {
					next = append(next[:0], key...)
					return page, true, nil
				}
				page = append(page, item[uint64]{value: keyNumber(key)})
			}
			return page, false, nil
		})(yield)
	}
}
