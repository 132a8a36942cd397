package engine

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// errRecord says that a record cannot be read.
var errRecord = errors.New("unreadable record")

// enc writes the engine's records: varints, strings with their length, values
// in their canonical encoding. A value that is no data is remembered in err.
type enc struct {
	b   []byte
	err error
}

func (e *enc) byte(b byte)     { e.b = append(e.b, b) }
func (e *enc) uint(u uint64)   { e.b = binary.AppendUvarint(e.b, u) }
func (e *enc) int(i int64)     { e.b = binary.AppendVarint(e.b, i) }
func (e *enc) fix64(u uint64)  { e.b = binary.BigEndian.AppendUint64(e.b, u) }
func (e *enc) string(s string) { e.uint(uint64(len(s))); e.b = append(e.b, s...) }

func (e *enc) bool(b bool) {
	if b {
		e.byte(1)
	} else {
		e.byte(0)
	}
}

func (e *enc) value(v value.Value) {
	b, err := value.Append(e.b, v)
	if err != nil {
		if e.err == nil {
			e.err = err
		}
		b, _ = value.Append(e.b, value.Nil) // keeps the record well formed; err refuses it
	}
	e.b = b
}

func (e *enc) values(vs []value.Value) {
	e.uint(uint64(len(vs)))
	for _, v := range vs {
		e.value(v)
	}
}

func (e *enc) strings(ss []string) {
	e.uint(uint64(len(ss)))
	for _, s := range ss {
		e.string(s)
	}
}

func (e *enc) span(s source.Span) {
	e.uint(uint64(s.File))
	e.uint(uint64(s.Start))
	e.uint(uint64(s.End))
}

// dec reads what enc wrote. The first thing that does not fit is remembered in
// err; everything after it reads as zero.
type dec struct {
	b   []byte
	err error
}

func (d *dec) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: bad %s", errRecord, what)
	}
	d.b = nil
}

func (d *dec) byte() byte {
	if len(d.b) == 0 {
		d.fail("byte")
		return 0
	}
	c := d.b[0]
	d.b = d.b[1:]
	return c
}

func (d *dec) bool() bool { return d.byte() != 0 }

func (d *dec) uint() uint64 {
	u, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail("number")
		return 0
	}
	d.b = d.b[n:]
	return u
}

func (d *dec) int() int64 {
	i, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail("number")
		return 0
	}
	d.b = d.b[n:]
	return i
}

func (d *dec) fix64() uint64 {
	if len(d.b) < 8 {
		d.fail("number")
		return 0
	}
	u := binary.BigEndian.Uint64(d.b)
	d.b = d.b[8:]
	return u
}

// count reads a number of things of at least one byte each.
func (d *dec) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail("count")
		return 0
	}
	return int(n)
}

func (d *dec) bytes() []byte {
	n := d.count()
	p := d.b[:n:n]
	d.b = d.b[n:]
	return p
}

func (d *dec) string() string { return string(d.bytes()) }

func (d *dec) value() value.Value {
	if d.err != nil {
		return value.Nil
	}
	v, rest, err := value.Decode(d.b)
	if err != nil {
		d.fail("value")
		return value.Nil
	}
	d.b = rest
	return v
}

func (d *dec) values() []value.Value { return list(d, d.value) }
func (d *dec) strings() []string     { return list(d, d.string) }

func (d *dec) span() source.Span {
	return source.Span{File: uint16(d.uint()), Start: uint32(d.uint()), End: uint32(d.uint())}
}

// list reads a count and as many things.
func list[T any](d *dec, one func() T) []T {
	n := d.count()
	if n == 0 {
		return nil
	}
	out := make([]T, 0, min(n, 1024))
	for range n {
		out = append(out, one())
		if d.err != nil {
			return nil
		}
	}
	return out
}

// done is the error of the whole reading; leftover bytes are one.
func (d *dec) done() error {
	if d.err == nil && len(d.b) > 0 {
		d.fail("length")
	}
	return d.err
}
