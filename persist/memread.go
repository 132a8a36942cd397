package persist

import (
	"context"
	"fmt"
	"iter"
	"math"
	"strings"
)

// pageLen is how many records an iterator copies out at a time.
const pageLen = 1000

// read calls fn with the contents while nobody changes them.
func (m *Memory) read(ctx context.Context, op string, fn func(d *contents) error) error {
	m.disk.mu.RLock()
	defer m.disk.mu.RUnlock()
	err := m.usable(ctx)
	if err == nil {
		err = fn(&m.disk.data)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return nil
}

// paged yields the records that fill gives, page after page. fill gets an
// empty page and returns it filled; an empty or short one is the last.
func paged[T any](m *Memory, ctx context.Context, op string, fill func(d *contents, page []T) (full []T, more bool)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var page []T
		for more := true; more; {
			err := m.read(ctx, op, func(d *contents) error {
				page, more = fill(d, page[:0])
				return nil
			})
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
			for _, v := range page {
				if !yield(v, nil) {
					return
				}
			}
		}
	}
}

// Load gives the row of a number.
func (m *Memory) Load(ctx context.Context, number uint64) (row Row, err error) {
	err = m.read(ctx, "load", func(d *contents) error {
		in := d.instances[number]
		if in == nil || number == 0 {
			return fmt.Errorf("instance %d: %w", number, ErrNotFound)
		}
		row = in.row
		row.Body = copied(row.Body)
		return nil
	})
	return row, err
}

// Lookup gives the row of an id.
func (m *Memory) Lookup(ctx context.Context, id string) (row Row, err error) {
	err = m.read(ctx, "lookup", func(d *contents) error {
		number, ok := d.names[id]
		if !ok {
			return fmt.Errorf("instance %q: %w", id, ErrNotFound)
		}
		row = d.instances[number].row
		row.Body = copied(row.Body)
		return nil
	})
	return row, err
}

// List gives the rows that pass the filter.
func (m *Memory) List(ctx context.Context, f Filter) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		next := f.From
		paged(m, ctx, "list", func(d *contents, page []Row) ([]Row, bool) {
			more := false
			d.numbers.from(next, func(n uint64) bool {
				if len(page) == pageLen {
					more = true
					return false
				}
				next = n + 1
				if row := d.instances[n].row; f.Passes(&row) {
					row.Body = copied(row.Body)
					page = append(page, row)
				}
				return true
			})
			return page, more
		})(yield)
	}
}

// Passes tells whether the filter selects the row.
func (f Filter) Passes(r *Row) bool {
	return r.Number >= f.From &&
		(f.Workflow == "" || f.Workflow == r.Workflow) &&
		(f.Status == "" || f.Status == r.Status) &&
		(!f.Runnable || r.Runnable)
}

// Cells gives the cells of a kind whose key has the prefix.
func (m *Memory) Cells(ctx context.Context, number uint64, kind CellKind, prefix string) iter.Seq2[Cell, error] {
	return func(yield func(Cell, error) bool) {
		next := prefix
		paged(m, ctx, "cells", func(d *contents, page []Cell) ([]Cell, bool) {
			in := d.instances[number]
			if in == nil || in.cells[kind] == nil {
				return page, false
			}
			more := false
			in.cells[kind].from(Cell{Key: next}, func(c Cell) bool {
				if !strings.HasPrefix(c.Key, prefix) {
					return false
				}
				if len(page) == pageLen {
					more = true
					return false
				}
				next = c.Key + "\x00"
				c.Body = copied(c.Body)
				page = append(page, c)
				return true
			})
			return page, more
		})(yield)
	}
}

// Journal gives the entries from Seq from on.
func (m *Memory) Journal(ctx context.Context, number, from uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		next := max(from, 1)
		paged(m, ctx, "journal", func(d *contents, page []Entry) ([]Entry, bool) {
			in := d.instances[number]
			if in == nil {
				return page, false
			}
			last := uint64(len(in.journal))
			for ; next <= last && len(page) < pageLen; next++ {
				page = append(page, Entry{Seq: next, Body: copied(in.journal[next-1])})
			}
			return page, next <= last
		})(yield)
	}
}

// Events gives the log from number from on.
func (m *Memory) Events(ctx context.Context, from uint64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		next := max(from, 1)
		paged(m, ctx, "events", func(d *contents, page []Event) ([]Event, bool) {
			last := uint64(len(d.events))
			for ; next <= last && len(page) < pageLen; next++ {
				e := d.events[next-1]
				e.Body = copied(e.Body)
				page = append(page, e)
			}
			return page, next <= last
		})(yield)
	}
}

// Due gives the first timers that are due.
func (m *Memory) Due(ctx context.Context, now int64, limit int) (due []Timer, err error) {
	err = m.read(ctx, "due", func(d *contents) error {
		d.timers.from(Timer{At: math.MinInt64}, func(t Timer) bool {
			if t.At > now || len(due) >= limit {
				return false
			}
			due = append(due, t)
			return true
		})
		return nil
	})
	return due, err
}

// Program gives the program of a hash.
func (m *Memory) Program(ctx context.Context, hash string) (p Program, err error) {
	err = m.read(ctx, "program", func(d *contents) error {
		body, ok := d.programs[hash]
		if !ok {
			return fmt.Errorf("program %q: %w", hash, ErrNotFound)
		}
		p = Program{Hash: hash, Body: copied(body)}
		return nil
	})
	return p, err
}

// Programs lists the hashes of all programs.
func (m *Memory) Programs(ctx context.Context) (hashes []string, err error) {
	err = m.read(ctx, "programs", func(d *contents) error {
		for hash := range d.programs {
			hashes = append(hashes, hash)
		}
		return nil
	})
	return hashes, err
}

// Tail gives the counters.
func (m *Memory) Tail(ctx context.Context) (tail Tail, err error) {
	err = m.read(ctx, "tail", func(d *contents) error {
		tail = d.tail
		return nil
	})
	return tail, err
}
