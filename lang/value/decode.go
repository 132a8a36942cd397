package value

import (
	"encoding/binary"
	"math/bits"
	"time"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
)

func leadingZeros(u uint64) int { return bits.LeadingZeros64(u) }

// Decode reads one value from the front of b and gives what follows it. What
// Append cannot have written is an error of code corrupt. It never allocates
// more than a small multiple of b, whatever b claims, and keeps nothing of b.
func Decode(b []byte) (v Value, rest []byte, err error) {
	d := decoder{in: b}
	v = d.value(0)
	if d.err != nil {
		return Nil, b, d.err
	}
	return v, d.in, nil
}

// A decoder reads from in. Every element still owed to the containers being
// read takes at least a byte, so owed never exceeds the rest of the input: that
// bounds what counts may claim.
type decoder struct {
	in   []byte
	owed int
	err  error
	last *Shape // of the record before: many records look alike
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = errorf(CodeCorrupt, "damaged value: %s", what)
	}
	d.in = nil
}

func (d *decoder) value(depth int) Value {
	if len(d.in) == 0 {
		d.fail("it ends too early")
		return Nil
	}
	tag := d.in[0]
	d.in = d.in[1:]
	switch {
	case tag >= tagShortString:
		return String(d.text(int(tag - tagShortString)))
	case tag >= tagSmallInt:
		return Int(int64(tag - tagSmallInt))
	case tag >= tagList && tag <= tagNamed:
		if depth >= MaxDepth {
			d.fail("it nests too deep")
			return Nil
		}
		return d.container(tag, depth+1)
	}
	return d.scalar(tag)
}

func (d *decoder) scalar(tag byte) Value {
	switch tag {
	case tagNil:
		return Nil
	case tagFalse, tagTrue:
		return Bool(tag == tagTrue)
	case tagInt:
		i := d.varint()
		if i >= 0 && i < smallInts {
			d.fail("a small Int in its long form")
		}
		return Int(i)
	case tagDecimal:
		return d.decimal()
	case tagFloat:
		u := d.fixed()
		if !validFloat(u) {
			d.fail("a Float that is no number")
		}
		return Value{num: u, ref: floatTag{}}
	case tagString:
		n := d.count()
		if n < shortStrings {
			d.fail("a short String in its long form")
		}
		return String(d.text(n))
	case tagDuration:
		return Duration(time.Duration(d.varint()))
	case tagTime:
		return Time(int64(d.fixed()))
	case tagFunc:
		name := d.string()
		if name == "" {
			d.fail("a function without a name")
		}
		return NewFunc(&Func{Name: name})
	case tagHandle, tagEntity:
		typ := d.string()
		return NewHandle(Handle{Type: typ, ID: d.string(), Entity: tag == tagEntity})
	case tagSecret:
		return d.secret()
	}
	d.fail("unknown kind")
	return Nil
}

func (d *decoder) container(tag byte, depth int) Value {
	switch tag {
	case tagList:
		return List(d.values(depth)...)
	case tagTuple:
		vs := d.values(depth)
		if len(vs) == 1 {
			d.fail("a tuple of one")
		}
		return Tuple(vs...)
	case tagRecord:
		return d.record(depth)
	case tagVariant:
		name := d.string()
		return NewVariant(&Variant{Name: name, Fields: d.values(depth)})
	}
	name := d.string()
	names, fields := d.fields(depth, nil)
	if len(names) == 0 {
		d.fail("a variant with no names")
	}
	return NewVariant(&Variant{Name: name, Names: names, Fields: fields})
}

// claim reads a count of elements that take at least size bytes each.
func (d *decoder) claim(size int) int {
	n := d.count()
	if n > len(d.in)/size || d.owed+n*size > len(d.in) {
		d.fail("it ends too early")
		return 0
	}
	d.owed += n * size
	return n
}

func (d *decoder) values(depth int) []Value {
	n := d.claim(1)
	vs := make([]Value, n)
	for i := 0; i < n && d.err == nil; i++ {
		d.owed--
		vs[i] = d.value(depth)
	}
	return vs
}

func (d *decoder) record(depth int) Value {
	var like []string
	last := d.last
	if last != nil {
		like = last.keys
	}
	keys, vals := d.fields(depth, like)
	shape, distinct := last, true
	if len(keys) == 0 || len(like) != len(keys) || &keys[0] != &like[0] {
		shape, distinct = NewShape(keys)
	}
	if !distinct {
		d.fail("a record with a field twice")
		return Nil
	}
	d.last = shape
	return shape.Record(vals)
}

// fields reads names and values; if the names are exactly those of like, it
// gives like itself.
func (d *decoder) fields(depth int, like []string) ([]string, []Value) {
	n := d.claim(2)
	vals := make([]Value, n)
	keys := like
	alike := n == len(like)
	if !alike {
		keys = make([]string, n)
	}
	for i := 0; i < n && d.err == nil; i++ {
		d.owed -= 2
		raw := d.raw(d.count())
		if !alike || string(raw) != like[i] {
			if alike {
				alike, keys = false, append(make([]string, 0, n), like[:i]...)[:n]
			}
			keys[i] = d.valid(raw)
		}
		vals[i] = d.value(depth)
	}
	return keys, vals
}

func (d *decoder) decimal() Value {
	exp := d.varint()
	sign := string(d.raw(1))
	coeff := string(d.raw(d.count()))
	if d.err != nil {
		return Nil
	}
	if exp < -2*maxScale || exp > maxDigits || len(coeff) > maxDigits || sign > "\x01" {
		d.fail("a Decimal out of bounds")
		return Nil
	}
	if coeff != "" && coeff[0] == 0 || coeff == "" && sign != "\x00" {
		d.fail("a Decimal in a form of its own")
		return Nil
	}
	out := &apd.Decimal{Exponent: int32(exp), Negative: sign == "\x01"}
	out.Coeff.SetBytes([]byte(coeff))
	return Decimal(out)
}

func (d *decoder) varint() int64 {
	u := d.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (d *decoder) uvarint() uint64 {
	u, n := binary.Uvarint(d.in)
	if n <= 0 || n > 1 && d.in[n-1] == 0 {
		d.fail("a bad number")
		return 0
	}
	d.in = d.in[n:]
	return u
}

// count reads a length; more than what is left is damage.
func (d *decoder) count() int {
	u := d.uvarint()
	if u > uint64(len(d.in)) {
		d.fail("it ends too early")
		return 0
	}
	return int(u)
}

func (d *decoder) fixed() uint64 {
	if len(d.in) < 8 {
		d.fail("it ends too early")
		return 0
	}
	u := binary.BigEndian.Uint64(d.in)
	d.in = d.in[8:]
	return u
}

// raw takes n bytes off the input, without a copy.
func (d *decoder) raw(n int) []byte {
	if n > len(d.in) {
		d.fail("it ends too early")
		return nil
	}
	b := d.in[:n]
	d.in = d.in[n:]
	return b
}

func (d *decoder) string() string { return d.text(d.count()) }

func (d *decoder) text(n int) string { return d.valid(d.raw(n)) }

func (d *decoder) valid(b []byte) string {
	if !utf8.Valid(b) {
		d.fail("a text that is not UTF-8")
		return ""
	}
	return string(b)
}
