package bolt

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"go.etcd.io/bbolt"
)

// pageLen is how many records are read in one transaction at most, so that none
// is held open for long: bbolt cannot use pages again that a reader may see.
const pageLen = 1000

// pageBytes is the length of bodies after which a page ends early, so that
// reading takes a bounded amount of memory besides one record.
const pageBytes = 4 << 20

// room is what is left of a page.
type room struct {
	records, bytes int
}

func newRoom() room { return room{records: pageLen, bytes: pageBytes} }

// take counts a record in; it tells whether there was room for it.
func (r *room) take(value []byte) bool {
	ok := r.records > 0 && r.bytes > 0
	r.records--
	r.bytes -= len(value)
	return ok
}

// view calls fn in a transaction for reading.
func (s *Store) view(ctx context.Context, op string, fn func(tx *bbolt.Tx) error) error {
	if err := s.use(ctx, func() error { return s.db.View(fn) }); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return nil
}

// item is a record, or why it cannot be read.
type item[T any] struct {
	value T
	err   error
}

// paged yields what fill reads, page after page. fill gets an empty page to
// append to and tells whether there may be more.
func paged[T any](ctx context.Context, s *Store, op string, fill func(tx *bbolt.Tx, page []item[T]) ([]item[T], bool, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var page []item[T]
		for more := true; more; {
			err := s.view(ctx, op, func(tx *bbolt.Tx) (err error) {
				page, more, err = fill(tx, page[:0])
				return err
			})
			for _, it := range page {
				if it.err != nil {
					it.err = fmt.Errorf("%s: %w", op, it.err)
				}
				if !yield(it.value, it.err) {
					return
				}
			}
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
		}
	}
}

// lookup gives a cursor in a bucket.
type lookup interface {
	cursor(k kind) *bbolt.Cursor
}

// inTx is a lookup that makes a new cursor each time.
type inTx struct{ tx *bbolt.Tx }

func (t inTx) cursor(k kind) *bbolt.Cursor { return cursor(t.tx, k) }

// find gives the value of a key, nil if there is none. A damaged key keeps its
// place between its neighbours, so these are checked before it is said that
// there is none.
func find(in lookup, k kind, key []byte) ([]byte, error) {
	c := in.cursor(k)
	next, value := c.Seek(key)
	if bytes.Equal(next, key) {
		return value, nil
	}
	if err := intact(k)(next, value); err != nil {
		return nil, err
	}
	return nil, intact(k)(c.Prev())
}

// intact gives a check of one record, which may be none.
func intact(k kind) func(key, value []byte) error {
	return func(key, value []byte) error {
		if key == nil {
			return nil
		}
		_, err := unseal(k, key, value)
		return err
	}
}

func cursor(tx *bbolt.Tx, k kind) *bbolt.Cursor { return tx.Bucket(buckets[k].name).Cursor() }
