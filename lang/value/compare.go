package value

import (
	"cmp"
	"math"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Equal reports whether a and b mean the same: numbers by what they are worth
// (an Int equals the Decimal and the Float of the same number; a Decimal never
// equals a Float), records whatever the order of their fields, functions if
// they have the same name or are the same closure.
func Equal(a, b Value) bool {
	switch x := a.ref.(type) {
	case nil:
		return b.ref == nil
	case boolTag, durationTag, timeTag:
		return a.ref == b.ref && a.num == b.num
	case intTag, floatTag, *apd.Decimal:
		return numbersEqual(a, b)
	case string:
		y, ok := b.ref.(string)
		return ok && x == y
	case list:
		y, ok := b.ref.(list)
		return ok && slicesEqual(x, y)
	case tuple:
		y, ok := b.ref.(tuple)
		return ok && slicesEqual(x, y)
	case *Record:
		y, ok := b.ref.(*Record)
		return ok && recordsEqual(x, y)
	case *Variant:
		y, ok := b.ref.(*Variant)
		return ok && (x == y || x.Name == y.Name && slicesEqual(x.Fields, y.Fields))
	case *Func:
		y, ok := b.ref.(*Func)
		return ok && (x == y || x.Name != "" && x.Name == y.Name)
	case *Handle:
		y, ok := b.ref.(*Handle)
		return ok && *x == *y
	case *Secret:
		y, ok := b.ref.(*Secret)
		return ok && (x == y || secretsEqual(x.Parts, y.Parts))
	}
	return false
}

func numbersEqual(a, b Value) bool {
	if a.ref == b.ref && a.Kind() != KindDecimal {
		return a.num == b.num // two Ints, or two Floats (whose zero has one form)
	}
	c, err := Compare(a, b)
	return err == nil && c == 0
}

func slicesEqual(x, y []Value) bool {
	if sameSlice(x, y) {
		return true
	}
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !Equal(x[i], y[i]) {
			return false
		}
	}
	return true
}

func sameSlice(x, y []Value) bool {
	return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
}

func recordsEqual(x, y *Record) bool {
	if x == y {
		return true
	}
	if x.shape == y.shape {
		return slicesEqual(x.vals, y.vals)
	}
	if len(x.vals) != len(y.vals) {
		return false
	}
	for i, k := range x.shape.keys {
		j := i
		if y.shape.keys[i] != k {
			j = y.shape.index(k)
		}
		if j < 0 || !Equal(x.vals[i], y.vals[j]) {
			return false
		}
	}
	return true
}

// Compare orders a and b: -1, 0 or 1. Numbers, strings (by code points),
// durations and instants have an order; lists and tuples of such are ordered by
// their first difference. Everything else is an error of code type.
func Compare(a, b Value) (int, error) {
	switch x := a.ref.(type) {
	case intTag, floatTag, *apd.Decimal:
		return compareNumbers(a, b)
	case string:
		if y, ok := b.AsString(); ok {
			return strings.Compare(x, y), nil
		}
	case durationTag, timeTag:
		if a.ref == b.ref {
			return cmp.Compare(int64(a.num), int64(b.num)), nil
		}
	case list:
		if y, ok := b.AsList(); ok {
			return compareSlices(x, y)
		}
	case tuple:
		if y, ok := b.AsTuple(); ok {
			return compareSlices(x, y)
		}
	}
	return 0, badOp("compare", a, b)
}

func compareSlices(x, y []Value) (int, error) {
	for i := range min(len(x), len(y)) {
		if c, err := Compare(x[i], y[i]); c != 0 || err != nil {
			return c, err
		}
	}
	return cmp.Compare(len(x), len(y)), nil
}

func compareNumbers(a, b Value) (int, error) {
	ka, kb := a.Kind(), b.Kind()
	switch {
	case ka == KindInt && kb == KindInt:
		return cmp.Compare(int64(a.num), int64(b.num)), nil
	case ka == KindFloat && kb == KindFloat:
		return cmp.Compare(widenFloat(a), widenFloat(b)), nil
	case ka == KindInt && kb == KindFloat:
		return compareIntFloat(int64(a.num), widenFloat(b)), nil
	case ka == KindFloat && kb == KindInt:
		return -compareIntFloat(int64(b.num), widenFloat(a)), nil
	case ka == KindDecimal && (kb == KindDecimal || kb == KindInt), ka == KindInt && kb == KindDecimal:
		return widenDecimal(a).Cmp(widenDecimal(b)), nil
	}
	return 0, badOp("compare", a, b)
}

// compareIntFloat compares exactly: a large Int has no Float of its own.
func compareIntFloat(i int64, f float64) int {
	switch {
	case f >= math.MaxInt64: // 2^63 as a Float
		return -1
	case f < math.MinInt64:
		return 1
	}
	whole := int64(f)
	if c := cmp.Compare(i, whole); c != 0 {
		return c
	}
	return cmp.Compare(0, f-float64(whole))
}
