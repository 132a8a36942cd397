package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// Load gives the row of a number.
func (s *Store) Load(ctx context.Context, number uint64) (row persist.Row, err error) {
	err = s.view(ctx, "load", func(tx *bbolt.Tx) (err error) {
		row, err = loadRow(tx, number)
		return err
	})
	return row, err
}

func loadRow(tx *bbolt.Tx, number uint64) (persist.Row, error) {
	key := numberKey(number)
	value, err := find(inTx{tx}, kindRows, key)
	if err != nil {
		return persist.Row{}, err
	}
	if value == nil {
		return persist.Row{}, fmt.Errorf("instance %d: %w", number, persist.ErrNotFound)
	}
	row, _, err := decodeRow(key, value, true)
	return row, err
}

// Lookup gives the row of an id.
func (s *Store) Lookup(ctx context.Context, id string) (row persist.Row, err error) {
	err = s.view(ctx, "lookup", func(tx *bbolt.Tx) error {
		key := []byte(id)
		value, err := find(inTx{tx}, kindNames, key)
		if err != nil {
			return err
		}
		if value == nil {
			return fmt.Errorf("instance %q: %w", id, persist.ErrNotFound)
		}
		number, err := decodeName(key, value)
		if err != nil {
			return err
		}
		row, err = loadRow(tx, number)
		if errors.Is(err, persist.ErrNotFound) || err == nil && row.ID != id {
			return damaged(kindNames, key, "instance %d is another one or missing", number)
		}
		return err
	})
	return row, err
}

// decodeName gives the number in a name's record.
func decodeName(key, value []byte) (uint64, error) {
	body, err := unseal(kindNames, key, value)
	if err != nil {
		return 0, err
	}
	d := decoder{rest: body}
	number := d.uint64()
	if d.bad {
		return 0, damaged(kindNames, key, "malformed")
	}
	return number, nil
}

// List gives the rows that pass the filter. A row that cannot be read is given
// as an error with its Number, and the sequence goes on behind it.
func (s *Store) List(ctx context.Context, f persist.Filter) iter.Seq2[persist.Row, error] {
	return func(yield func(persist.Row, error) bool) {
		next := numberKey(f.From)
		paged(ctx, s, "list", func(tx *bbolt.Tx, page []item[persist.Row]) ([]item[persist.Row], bool, error) {
			c := cursor(tx, kindRows)
			if f.Runnable {
				c = cursor(tx, kindRunnable)
			}
			key, value := c.Seek(next)
			for left := newRoom(); key != nil; key, value = c.Next() {
				if !left.take(nil) {
					next = append(next[:0], key...)
					return page, true, nil
				}
				row, err := listed(tx, key, value, f.Runnable)
				left.bytes -= len(row.Body)
				if err != nil || f.Passes(&row) {
					page = append(page, item[persist.Row]{row, err})
				}
			}
			return page, false, nil
		})(yield)
	}
}

// listed reads the row that a record of rows or of runnable stands for.
func listed(tx *bbolt.Tx, key, value []byte, runnable bool) (row persist.Row, err error) {
	if !runnable {
		row, _, err = decodeRow(key, value, true)
	} else if _, err = unseal(kindRunnable, key, value); err == nil {
		row, err = loadRow(tx, keyNumber(key))
		if errors.Is(err, persist.ErrNotFound) || err == nil && !row.Runnable {
			err = damaged(kindRunnable, key, "not the row's state")
		}
	}
	row.Number = keyNumber(key)
	return row, err
}

// Cells gives the cells of a kind whose key has the prefix.
func (s *Store) Cells(ctx context.Context, number uint64, ck persist.CellKind, prefix string) iter.Seq2[persist.Cell, error] {
	return func(yield func(persist.Cell, error) bool) {
		base := append(append(numberKey(number), byte(ck)), prefix...)
		next, first := bytes.Clone(base), true
		paged(ctx, s, "cells", func(tx *bbolt.Tx, page []item[persist.Cell]) ([]item[persist.Cell], bool, error) {
			c := cursor(tx, kindCells)
			key, value := c.Seek(next)
			if first {
				// The one before may be the first of these, with a damaged key.
				if err := intact(kindCells)(c.Prev()); err != nil {
					return page, false, err
				}
				first = false
				key, value = c.Seek(next)
			}
			for left := newRoom(); bytes.HasPrefix(key, base); key, value = c.Next() {
				if !left.take(value) {
					next = append(next[:0], key...)
					return page, true, nil
				}
				body, err := unseal(kindCells, key, value)
				if err != nil {
					return page, false, err
				}
				page = append(page, item[persist.Cell]{value: persist.Cell{Kind: ck, Key: string(key[9:]), Body: copied(body)}})
			}
			return page, false, intact(kindCells)(key, value) // it may be the last of these
		})(yield)
	}
}

// Events gives the log from number from on.
func (s *Store) Events(ctx context.Context, from uint64) iter.Seq2[persist.Event, error] {
	return func(yield func(persist.Event, error) bool) {
		next := max(from, 1)
		paged(ctx, s, "events", func(tx *bbolt.Tx, page []item[persist.Event]) ([]item[persist.Event], bool, error) {
			tail, err := readTail(tx)
			if err != nil {
				return page, false, err
			}
			c, left := cursor(tx, kindEvents), newRoom()
			for key, value := c.Seek(numberKey(next)); next <= tail.LastEvent; key, value = c.Next() {
				if !left.take(value) {
					return page, true, nil
				}
				e, err := decodeEvent(key, value, next)
				if err != nil {
					return page, false, err
				}
				page = append(page, item[persist.Event]{value: e})
				next++
			}
			return page, false, nil
		})(yield)
	}
}

// decodeEvent gives the event of a record that has to be the one of number.
func decodeEvent(key, value []byte, number uint64) (persist.Event, error) {
	if len(key) != 8 || keyNumber(key) != number {
		return persist.Event{}, damaged(kindEvents, numberKey(number), "missing")
	}
	body, err := unseal(kindEvents, key, value)
	if err != nil {
		return persist.Event{}, err
	}
	d := decoder{rest: body}
	e := persist.Event{Number: number, Instance: d.uint64()}
	if d.bad {
		return persist.Event{}, damaged(kindEvents, key, "malformed")
	}
	e.Body = copied(d.rest)
	return e, nil
}

// Due gives the first timers that are due. Timers whose record is damaged are
// left out and reported by the error, which comes along with the others.
func (s *Store) Due(ctx context.Context, now int64, limit int) (due []persist.Timer, err error) {
	next := []byte{}
	for more := true; more && len(due) < limit; {
		n := 0
		more = false
		verr := s.view(ctx, "due", func(tx *bbolt.Tx) (bad error) {
			c := cursor(tx, kindTimers)
			for key, value := c.Seek(next); key != nil && len(due) < limit; key, value = c.Next() {
				if n++; n > pageLen {
					next, more = bytes.Clone(key), true
					return bad
				}
				_, err := unseal(kindTimers, key, value)
				t, kerr := decodeTimer(key)
				if err = errors.Join(err, kerr); err != nil {
					bad = err
					continue
				}
				if t.At > now {
					return bad
				}
				due = append(due, t)
			}
			return bad
		})
		if verr != nil {
			err = verr
			if !errors.Is(verr, persist.ErrDamaged) {
				return nil, verr
			}
		}
	}
	return due, err
}

// Program gives the program of a hash.
func (s *Store) Program(ctx context.Context, hash string) (p persist.Program, err error) {
	err = s.view(ctx, "program", func(tx *bbolt.Tx) error {
		key := []byte(hash)
		value, err := find(inTx{tx}, kindPrograms, key)
		if err != nil {
			return err
		}
		if value == nil {
			return fmt.Errorf("program %q: %w", hash, persist.ErrNotFound)
		}
		body, err := unseal(kindPrograms, key, value)
		p = persist.Program{Hash: hash, Body: copied(body)}
		return err
	})
	return p, err
}

// Programs lists the hashes of all programs, in ascending order.
func (s *Store) Programs(ctx context.Context) (hashes []string, err error) {
	err = s.view(ctx, "programs", func(tx *bbolt.Tx) error {
		c := cursor(tx, kindPrograms)
		for key, value := c.First(); key != nil; key, value = c.Next() {
			if _, err := unseal(kindPrograms, key, value); err != nil {
				return err
			}
			hashes = append(hashes, string(key))
		}
		return nil
	})
	return hashes, err
}

// Tail gives the counters.
func (s *Store) Tail(ctx context.Context) (tail persist.Tail, err error) {
	err = s.view(ctx, "tail", func(tx *bbolt.Tx) (err error) {
		tail, err = readTail(tx)
		return err
	})
	return tail, err
}
