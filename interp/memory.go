package interp

import (
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// A meter bounds the memory that a run holds. What is allocated is taken off
// room; when there is none left, the values that the run can still reach are
// counted (each one knows its size) and room is what the limit leaves. So a
// loop that drops what it makes runs on, one that keeps it is stopped.
type meter struct {
	limit int64
	room  int64 // until the next count
	held  int64 // in expressions half evaluated, which no slot shows
}

// heavy is the size from which a value counts while it waits in an expression.
const heavy = 1024

// hold counts v while something else is evaluated; the result is to be taken
// off held after.
func (m *machine) hold(v value.Value) int64 {
	if n := v.Size(); n >= heavy {
		m.memory.held += int64(n)
		return int64(n)
	}
	return 0
}

// alloc accounts for n new bytes, and for the work of writing them.
func (m *machine) alloc(n int, at source.Span) bool {
	m.left -= n / bytesPerFuel
	m.memory.room -= int64(n)
	if m.memory.room >= 0 {
		return true
	}
	live := m.live() + int64(n)
	if live > m.memory.limit {
		return m.used(at, CodeMemory, "too much memory: the values in use take more than %d MiB", m.memory.limit>>20)
	}
	m.memory.room = max(m.memory.limit-live, m.memory.limit/8)
	return true
}

// made accounts for a new value that took n bytes and checks its bounds.
func (m *machine) made(v value.Value, n int, at source.Span) (value.Value, status) {
	if v.Size() > maxValue || v.Depth() > value.MaxDepth {
		return m.tooLarge(v, at)
	}
	if !m.alloc(n, at) {
		return value.Nil, failed
	}
	return v, ok
}

func (m *machine) tooLarge(v value.Value, at source.Span) (value.Value, status) {
	if v.Depth() > value.MaxDepth {
		m.used(at, CodeDepth, "values may nest %d deep at most", value.MaxDepth)
	} else {
		m.used(at, CodeMemory, "a value may take %d MiB at most", maxValue>>20)
	}
	return value.Nil, failed
}

// live counts what the run can reach. What several slots share is counted once
// as far as that shows without looking inside.
func (m *machine) live() int64 {
	c := census{objects: map[any]int{}, total: m.memory.held}
	for _, l := range m.stack.lower {
		c.count(l.slab[:l.top])
	}
	c.count(m.stack.slab[:m.stack.top])
	for _, args := range m.given {
		c.count(args)
	}
	for _, w := range m.out.Writes {
		c.add(w.Value)
	}
	for _, e := range m.out.Events {
		c.count(e.Args)
	}
	return c.total + int64(len(m.buf))
}

// running is the builtin that is being computed.
type running struct {
	at   source.Span
	nest int   // of evaluations around it, for those within it
	held int64 // what it asked for
}

// Hold is how a builtin asks for memory before it allocates it.
func (m *machine) Hold(n int) error {
	switch {
	case m.limit != nil:
		return m.limit
	case n > maxValue:
		m.used(m.running.at, CodeMemory, "a value may take %d MiB at most", maxValue>>20)
		return m.err
	case !m.alloc(n, m.running.at):
		return m.err
	}
	m.memory.held += int64(n)
	m.running.held += int64(n)
	return nil
}

// Spend is how a builtin pays for work.
func (m *machine) Spend(evaluations int) error {
	if m.limit != nil {
		return m.limit
	}
	if m.left -= evaluations; m.left < 0 && !m.spend(m.running.at) {
		return m.err
	}
	return nil
}

type census struct {
	objects map[any]int
	total   int64
}

func (c *census) count(vs []value.Value) {
	for _, v := range vs {
		c.add(v)
	}
}

func (c *census) add(v value.Value) {
	n := v.Size()
	if n < heavy {
		c.total += int64(n)
		return
	}
	if id := v.Identity(); id != nil {
		seen := c.objects[id]
		if n <= seen {
			return
		}
		c.objects[id] = n // the beginning of a text or list may have been seen before
		n -= seen
	}
	c.total += int64(n)
}
