package value

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
)

func cannotConvert(v Value, to Kind) error {
	return errorf(CodeType, "cannot make %s of %s", to.Article(), v.Kind().Article())
}

func badText(s string, to Kind) error {
	return errorf(CodeFormat, "%s is not %s", String(s).Short(40), to.Article())
}

// ToInt is Int(x): a Decimal or Float loses its fraction (toward zero), a
// String must be a whole number in digits.
func ToInt(v Value) (Value, error) {
	switch r := v.ref.(type) {
	case intTag:
		return v, nil
	case floatTag:
		f := math.Trunc(widenFloat(v))
		if f < math.MinInt64 || f >= math.MaxInt64 {
			return Nil, errorf(CodeOverflow, "%s does not fit an Int", v)
		}
		return Int(int64(f)), nil
	case *apd.Decimal:
		var whole, fraction apd.Decimal
		r.Modf(&whole, &fraction)
		i, err := whole.Int64()
		if err != nil {
			return Nil, errorf(CodeOverflow, "%s does not fit an Int", v.Short(40))
		}
		return Int(i), nil
	case string:
		i, err := strconv.ParseInt(r, 10, 64)
		if err == nil && r[0] != '+' {
			return Int(i), nil
		}
		if isNumber(r) && !strings.ContainsAny(r, ".eE") {
			return Nil, errorf(CodeOverflow, "%s does not fit an Int", v.Short(40))
		}
		return Nil, badText(r, KindInt)
	}
	return Nil, cannotConvert(v, KindInt)
}

// ToFloat is Float(x): the Float nearest to a number or to a number's text.
func ToFloat(v Value) (Value, error) {
	switch r := v.ref.(type) {
	case intTag:
		return Float(float64(int64(v.num))), nil
	case floatTag:
		return v, nil
	case *apd.Decimal:
		return parseFloat(r.Text('E'), v)
	case string:
		if !isNumber(r) {
			return Nil, badText(r, KindFloat)
		}
		return parseFloat(r, v)
	}
	return Nil, cannotConvert(v, KindFloat)
}

func parseFloat(s string, v Value) (Value, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return Nil, errorf(CodeOverflow, "%s does not fit a Float", v.Short(40))
	}
	return Float(f), nil
}

// ToDecimal is Decimal(x): a Float becomes the shortest Decimal that reads back
// as it; a String keeps its scale.
func ToDecimal(v Value) (Value, error) {
	switch r := v.ref.(type) {
	case intTag:
		return Decimal(apd.New(int64(v.num), 0)), nil
	case floatTag:
		return parseDecimal(strconv.FormatFloat(widenFloat(v), 'g', -1, 64))
	case *apd.Decimal:
		return v, nil
	case string:
		if !isNumber(r) {
			return Nil, badText(r, KindDecimal)
		}
		return parseDecimal(r)
	}
	return Nil, cannotConvert(v, KindDecimal)
}

// parseDecimal reads a text that isNumber accepts.
func parseDecimal(s string) (Value, error) {
	if len(s) <= maxDigits+maxScale {
		if d, _, err := apd.NewFromString(s); err == nil {
			if v, err := NewDecimal(d); err == nil {
				return v, nil
			}
		}
	}
	return Nil, errorf(CodeOverflow, "%s does not fit a Decimal", String(s).Short(40))
}

// isNumber reports whether s is a number as JSON writes it, zeros before it
// allowed.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	rest := trimDigits(s)
	if len(rest) == len(s) {
		return false
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		if rest = trimDigits(after); len(rest) == len(after) {
			return false
		}
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	exp := rest[1:]
	if exp != "" && (exp[0] == '+' || exp[0] == '-') {
		exp = exp[1:]
	}
	return exp != "" && trimDigits(exp) == ""
}

func trimDigits(s string) string {
	for s != "" && s[0] >= '0' && s[0] <= '9' {
		s = s[1:]
	}
	return s
}

// ToText is String(x): v's text, which the conversions of the other kinds read
// back. What holds a secret has none: an error of code secret.
func ToText(v Value) (Value, error) {
	if err := NoText(v); err != nil {
		return Nil, err
	}
	return String(v.Text()), nil
}

// ToDuration is Duration(x): of a Duration or of its notation, `"1h30m"`.
func ToDuration(v Value) (Value, error) {
	switch r := v.ref.(type) {
	case durationTag:
		return v, nil
	case string:
		d, err := ParseDuration(r)
		if err != nil {
			return Nil, err
		}
		return Duration(d), nil
	}
	return Nil, cannotConvert(v, KindDuration)
}

// ToTime is Time(x): of a Time or of a text like `"2030-01-01T00:00:00Z"` (RFC
// 3339, fractions of seconds and other offsets allowed).
func ToTime(v Value) (Value, error) {
	switch r := v.ref.(type) {
	case timeTag:
		return v, nil
	case string:
		t, err := time.Parse(time.RFC3339Nano, r)
		if err != nil {
			return Nil, errorf(CodeFormat, "%s is not a time: write it like 2030-01-01T00:00:00Z", v.Short(40))
		}
		return FromTime(t)
	}
	return Nil, cannotConvert(v, KindTime)
}

// FromTime makes an instant of t; outside of the years 1678 to 2262 it is an
// error of code range.
func FromTime(t time.Time) (Value, error) {
	if t.Before(time.Unix(0, math.MinInt64)) || t.After(time.Unix(0, math.MaxInt64)) {
		return Nil, errorf(CodeRange, "the year %d is outside of what a Time holds (1678 to 2262)", t.UTC().Year())
	}
	return Time(t.UnixNano()), nil
}
