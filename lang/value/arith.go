package value

import (
	"math"
	"math/bits"
	"time"
)

// Add is a + b: numbers, strings, lists, durations, an instant and a duration.
func Add(a, b Value) (Value, error) {
	switch x := a.ref.(type) {
	case intTag:
		if y, ok := b.AsInt(); ok {
			return addInts(int64(a.num), y)
		}
	case string:
		if y, ok := b.AsString(); ok {
			return String(x + y), nil
		}
	case list:
		if y, ok := b.AsList(); ok {
			return joinLists(a, b, x, y), nil
		}
	case durationTag:
		switch b.ref.(type) {
		case durationTag:
			return addNanos(a, b, b.num, Duration(0))
		case timeTag:
			return addNanos(b, a, a.num, Time(0))
		}
	case timeTag:
		if _, ok := b.AsDuration(); ok {
			return addNanos(a, b, b.num, Time(0))
		}
	}
	return arithmetic("add", a, b, func(x, y float64) float64 { return x + y }, decimalAdd)
}

// Sub is a - b: numbers, durations, an instant and a duration, two instants.
func Sub(a, b Value) (Value, error) {
	switch a.ref.(type) {
	case intTag:
		if y, ok := b.AsInt(); ok {
			return subInts(int64(a.num), y)
		}
	case durationTag:
		if _, ok := b.AsDuration(); ok {
			return subNanos(a, b, Duration(0))
		}
	case timeTag:
		switch b.ref.(type) {
		case durationTag:
			return subNanos(a, b, Time(0))
		case timeTag:
			return subNanos(a, b, Duration(0))
		}
	}
	return arithmetic("subtract", a, b, func(x, y float64) float64 { return x - y }, decimalSub)
}

// Mul is a * b: numbers, a duration and an Int.
func Mul(a, b Value) (Value, error) {
	x, aInt := a.AsInt()
	y, bInt := b.AsInt()
	switch {
	case aInt && bInt:
		if p, ok := mulInt64(x, y); ok {
			return Int(p), nil
		}
		return Nil, errorf(CodeOverflow, "%d * %d does not fit an Int", x, y)
	case bInt && a.Kind() == KindDuration:
		return mulDuration(a, y)
	case aInt && b.Kind() == KindDuration:
		return mulDuration(b, x)
	}
	return arithmetic("multiply", a, b, func(x, y float64) float64 { return x * y }, decimalMul)
}

// Div is a / b. Int by Int truncates toward zero; a Decimal quotient keeps 28
// significant digits, an exact one the larger scale of the two; a duration by a
// duration is a Float, by an Int a duration.
func Div(a, b Value) (Value, error) {
	x, aInt := a.AsInt()
	y, bInt := b.AsInt()
	if bInt && y == 0 && (aInt || a.Kind() == KindDuration) {
		return Nil, divisionByZero(a)
	}
	switch {
	case aInt && bInt:
		if x == math.MinInt64 && y == -1 {
			return Nil, errorf(CodeOverflow, "%d / -1 does not fit an Int", x)
		}
		return Int(x / y), nil
	case a.Kind() == KindDuration && bInt:
		if int64(a.num) == math.MinInt64 && y == -1 {
			return Nil, errorf(CodeOverflow, "%s / -1 does not fit a Duration", a)
		}
		return Duration(time.Duration(int64(a.num) / y)), nil
	case a.Kind() == KindDuration && b.Kind() == KindDuration:
		if b.num == 0 {
			return Nil, divisionByZero(a)
		}
		return Float(float64(int64(a.num)) / float64(int64(b.num))), nil
	}
	return arithmetic("divide", a, b, func(x, y float64) float64 { return x / y }, decimalDiv)
}

// Mod is a % b: the remainder with the sign of a.
func Mod(a, b Value) (Value, error) {
	x, aInt := a.AsInt()
	y, bInt := b.AsInt()
	if aInt && bInt {
		if y == 0 {
			return Nil, divisionByZero(a)
		}
		if y == -1 {
			return Int(0), nil
		}
		return Int(x % y), nil
	}
	return arithmetic("divide", a, b, math.Mod, decimalMod)
}

// Neg is -a of a number or a duration.
func Neg(a Value) (Value, error) {
	switch a.Kind() {
	case KindInt, KindDuration:
		if int64(a.num) == math.MinInt64 {
			return Nil, errorf(CodeOverflow, "the negative of %s does not fit %s", a, a.Kind().Article())
		}
		return Value{num: -a.num, ref: a.ref}, nil
	case KindFloat:
		f, _ := a.AsFloat()
		return Float(-f), nil
	case KindDecimal:
		return decimalNeg(a), nil
	}
	return Nil, errorf(CodeType, "cannot negate %s", a.Kind())
}

// arithmetic does the operations on two numbers of which at least one is no Int.
func arithmetic(verb string, a, b Value, floats func(x, y float64) float64, decimals decimalOp) (Value, error) {
	ka, kb := a.Kind(), b.Kind()
	switch {
	case ka == KindFloat && (kb == KindFloat || kb == KindInt), kb == KindFloat && ka == KindInt:
		x, y := widenFloat(a), widenFloat(b)
		if y == 0 && verb == "divide" {
			return Nil, divisionByZero(a)
		}
		return checkFloat(floats(x, y), verb)
	case ka == KindDecimal && (kb == KindDecimal || kb == KindInt), kb == KindDecimal && ka == KindInt:
		return decimals(widenDecimal(a), widenDecimal(b))
	}
	return Nil, badOp(verb, a, b)
}

func widenFloat(v Value) float64 {
	if i, ok := v.AsInt(); ok {
		return float64(i)
	}
	f, _ := v.AsFloat()
	return f
}

func checkFloat(f float64, verb string) (Value, error) {
	if math.IsNaN(f) {
		return Nil, errorf(CodeRange, "the result is not a number")
	}
	if math.IsInf(f, 0) {
		return Nil, errorf(CodeOverflow, "the result does not fit a Float: cannot %s numbers as large as these", verb)
	}
	return Float(f), nil
}

func divisionByZero(a Value) error {
	return errorf(CodeDivisionByZero, "cannot divide %s by zero", a.Short(40))
}

func addInts(x, y int64) (Value, error) {
	s := x + y
	if (s > x) != (y > 0) && y != 0 {
		return Nil, errorf(CodeOverflow, "%d + %d does not fit an Int", x, y)
	}
	return Int(s), nil
}

func subInts(x, y int64) (Value, error) {
	d := x - y
	if (d < x) != (y > 0) && y != 0 {
		return Nil, errorf(CodeOverflow, "%d - %d does not fit an Int", x, y)
	}
	return Int(d), nil
}

func mulInt64(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	if hi != 0 {
		return 0, false
	}
	if (x < 0) != (y < 0) {
		return int64(-lo), lo <= 1<<63
	}
	return int64(lo), lo < 1<<63
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// addNanos adds nanoseconds to a; the result is of the kind of like.
func addNanos(a, b Value, n uint64, like Value) (Value, error) {
	v, err := addInts(int64(a.num), int64(n))
	if err != nil {
		return Nil, errorf(CodeOverflow, "%s + %s does not fit a %s", a, b, like.Kind())
	}
	return Value{num: v.num, ref: like.ref}, nil
}

func subNanos(a, b, like Value) (Value, error) {
	v, err := subInts(int64(a.num), int64(b.num))
	if err != nil {
		return Nil, errorf(CodeOverflow, "%s - %s does not fit a %s", a, b, like.Kind())
	}
	return Value{num: v.num, ref: like.ref}, nil
}

func mulDuration(d Value, n int64) (Value, error) {
	p, ok := mulInt64(int64(d.num), n)
	if !ok {
		return Nil, errorf(CodeOverflow, "%s * %d does not fit a Duration", d, n)
	}
	return Duration(time.Duration(p)), nil
}

func joinLists(a, b Value, x, y []Value) Value {
	switch {
	case len(x) == 0:
		return b
	case len(y) == 0:
		return a
	}
	all := make([]Value, 0, len(x)+len(y))
	all = append(append(all, x...), y...)
	return Value{num: joinMeta(a.num, b.num), ref: list(all)}
}
