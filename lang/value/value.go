// Package value holds the values of the language: immutable, comparable by
// meaning, printable in the language's own notation, and encodable in one
// canonical way. It knows no program, no store and no clock.
//
// A Value is two words of interface and one of number. Integers, booleans,
// floats, durations and instants live in the number and need no allocation. A
// container keeps in it what would otherwise have to be searched for: the size
// of all it holds, how deep it nests, and whether a closure or a secret is in
// it, so that the evaluator's limits and "is this data?" cost nothing. The zero Value is
// nil.
//
// Operations that cannot be done return an *Error with one of these codes:
//
//	type              the kinds do not fit the operation
//	overflow          the result is too large for its kind
//	division_by_zero  the divisor is zero
//	range             a number or instant outside of what its kind holds, NaN
//	format            a text that is not what a conversion reads
//	depth             values nested deeper than MaxDepth
//	not_data          a closure where only data may be
//	secret            a secret where its text would be needed
//	corrupt           bytes that no encoder wrote
//	size              more memory than was allowed
package value

import (
	"math"
	"time"

	"github.com/cockroachdb/apd/v3"
)

// A Value is one value. Values never change; "changing" makes a new one.
type Value struct {
	num uint64 // content of scalars, meta of containers
	ref any    // nil for nil, else: a tag, string, *apd.Decimal, list, tuple, *Record, *Variant, *Func, *Handle, *Secret
}

// The tags mark the kinds that live in num alone.
type (
	boolTag     struct{}
	intTag      struct{}
	floatTag    struct{}
	durationTag struct{}
	timeTag     struct{}
)

// list and tuple hold their elements; nobody may change the slices after.
type (
	list  []Value
	tuple []Value
)

// A Variant is a constructor with its fields by position. Names has the names
// of the fields ("" for those without, nil if there are no names at all); it is
// shared by all values of the declaration.
type Variant struct {
	Name   string
	Names  []string
	Fields []Value
}

// Field finds a field by name.
func (x *Variant) Field(name string) (Value, bool) {
	for i, n := range x.Names {
		if n == name && n != "" && i < len(x.Fields) {
			return x.Fields[i], true
		}
	}
	return Nil, false
}

// A Func is a function. A top-level function is data (Name is set and Impl nil
// or an implementation found by name); a closure is not.
type Func struct {
	Name string // of a top-level function, or of a builtin ("List.map"); "" for a lambda
	Impl any    // the evaluator's; nil after decoding until it is looked up by name
	Held int    // bytes of the values that a closure holds, for Size
}

// A Handle names an instance. Entity instances carry the bare key in ID; see
// StoreID.
type Handle struct {
	Type   string // workflow or entity name
	ID     string
	Entity bool
}

// StoreID is the instance's name in the store, the CLI and the API.
func (h Handle) StoreID() string {
	if h.Entity {
		return h.Type + "/" + h.ID
	}
	return h.ID
}

// Nil is nil; Unit the empty tuple. Nobody may change them.
var (
	Nil  = Value{}
	Unit = Tuple()
)

// Bool makes a Bool.
func Bool(b bool) Value {
	if b {
		return Value{num: 1, ref: boolTag{}}
	}
	return Value{ref: boolTag{}}
}

// Int makes an Int.
func Int(i int64) Value { return Value{num: uint64(i), ref: intTag{}} }

// Duration makes a Duration.
func Duration(d time.Duration) Value { return Value{num: uint64(d), ref: durationTag{}} }

// Time makes an instant, in UTC to the nanosecond, between the years 1678 and
// 2262.
func Time(unixNano int64) Value { return Value{num: uint64(unixNano), ref: timeTag{}} }

// Float makes a Float; NaN and infinities are the caller's to refuse. Negative
// zero becomes zero, so that equal Floats have equal bits.
func Float(f float64) Value {
	if f == 0 {
		f = 0
	}
	return Value{num: math.Float64bits(f), ref: floatTag{}}
}

// Decimal makes a Decimal of a finite d; nobody may change d after.
func Decimal(d *apd.Decimal) Value { return Value{ref: d} }

// String makes a String; it must be valid UTF-8.
func String(s string) Value { return Value{ref: s} }

// List makes a list; nobody may change vs after.
func List(vs ...Value) Value { return Value{num: metaOf(vs), ref: list(vs)} }

// ListGrown makes the list of all, whose first elements are exactly those of
// prefix. It costs as much as what is new. Nobody may change all after.
func ListGrown(prefix Value, all []Value) Value {
	old, _ := prefix.AsList()
	return Value{num: joinMeta(prefix.num, metaOf(all[len(old):])), ref: list(all)}
}

// Tuple makes a tuple; one element is not possible (it is the element).
func Tuple(vs ...Value) Value {
	if len(vs) == 1 {
		return vs[0]
	}
	return Value{num: metaOf(vs), ref: tuple(vs)}
}

// NewVariant makes a variant value.
func NewVariant(v *Variant) Value { return Value{num: metaOf(v.Fields), ref: v} }

// NewFunc makes a function value.
func NewFunc(f *Func) Value {
	if f.Name == "" {
		return Value{num: closureBit | uint64(max(f.Held, 0))&sizeMask, ref: f}
	}
	return Value{ref: f}
}

// NewHandle makes a handle.
func NewHandle(h Handle) Value { return Value{ref: &h} }

// The As functions give the content of a value and whether it is of the kind.

// AsBool gives the content of a Bool.
func (v Value) AsBool() (b, ok bool) { _, ok = v.ref.(boolTag); return v.num != 0, ok }

// AsInt gives the content of an Int.
func (v Value) AsInt() (int64, bool) { _, ok := v.ref.(intTag); return int64(v.num), ok }

// AsFloat gives the content of a Float.
func (v Value) AsFloat() (float64, bool) {
	_, ok := v.ref.(floatTag)
	return math.Float64frombits(v.num), ok
}

// AsDuration gives the content of a Duration.
func (v Value) AsDuration() (time.Duration, bool) {
	_, ok := v.ref.(durationTag)
	return time.Duration(v.num), ok
}

// AsTime gives the content of a Time in Unix nanoseconds.
func (v Value) AsTime() (int64, bool) { _, ok := v.ref.(timeTag); return int64(v.num), ok }

// AsString gives the content of a String.
func (v Value) AsString() (string, bool) { s, ok := v.ref.(string); return s, ok }

// AsDecimal gives the content of a Decimal; it must not be changed.
func (v Value) AsDecimal() (*apd.Decimal, bool) { d, ok := v.ref.(*apd.Decimal); return d, ok }

// AsList gives the elements of a list; they must not be changed.
func (v Value) AsList() ([]Value, bool) { l, ok := v.ref.(list); return l, ok }

// AsTuple gives the elements of a tuple; they must not be changed.
func (v Value) AsTuple() ([]Value, bool) { t, ok := v.ref.(tuple); return t, ok }

// AsRecord gives a record.
func (v Value) AsRecord() (*Record, bool) { r, ok := v.ref.(*Record); return r, ok }

// AsVariant gives a variant; it must not be changed.
func (v Value) AsVariant() (*Variant, bool) { x, ok := v.ref.(*Variant); return x, ok }

// AsFunc gives a function.
func (v Value) AsFunc() (*Func, bool) { f, ok := v.ref.(*Func); return f, ok }

// AsHandle gives a handle.
func (v Value) AsHandle() (Handle, bool) {
	if h, ok := v.ref.(*Handle); ok {
		return *h, true
	}
	return Handle{}, false
}

// IsNil reports whether v is nil.
func (v Value) IsNil() bool { return v.ref == nil }

// IsUnit reports whether v is ().
func (v Value) IsUnit() bool { t, ok := v.ref.(tuple); return ok && len(t) == 0 }
