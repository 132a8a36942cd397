package stdlib

import (
	"math"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// mathModule is the module Math.
func mathModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Math.max(x: A, y: A...) -> A", mathExtreme(1),
			"Gives the largest of its arguments: numbers, durations, times or texts.", `Math.max(3, 7, 5) == 7`),
		pure("Math.min(x: A, y: A...) -> A", mathExtreme(-1),
			"Gives the smallest of its arguments: numbers, durations, times or texts.", `Math.min(3, 7, 5) == 3`),
		pure("Math.clamp(x: A, least: A, most: A) -> A", mathClamp,
			"Gives x, or the bound that it lies beyond.", `Math.clamp(12, 0, 10) == 10`, `Math.clamp(2s, 5s, 1m) == 5s`),
		pure("Math.abs(x: A) -> A", mathAbs, "Gives a number or duration without its sign.", `Math.abs(-3) == 3`),
		pure("Math.sign(x: A) -> Int", mathSign, "Gives 1 for a positive number or duration, -1 for a negative one, 0 for zero.", `Math.sign(-2.5) == -1`),
		pure("Math.round(x: Any, places?: Int) -> Any", mathRound("half_up"),
			"Rounds a number to the nearest Int, halves away from zero; with places, to a number with so many digits after the point. Decimal.round has other modes.",
			`Math.round(2.5) == 3`, `Math.round(-2.5) == -3`, `Math.round(2.345, 2) == 2.35`),
		pure("Math.floor(x: Any) -> Int", mathRound("floor"), "Gives the largest Int that is not above a number.", `Math.floor(-2.5) == -3`),
		pure("Math.ceil(x: Any) -> Int", mathRound("ceil"), "Gives the smallest Int that is not below a number.", `Math.ceil(2.1) == 3`),
		pure("Math.trunc(x: Any) -> Int", mathRound("down"), "Gives a number without its fraction.", `Math.trunc(-2.5) == -2`),
		pure("Math.pow(x: A, exponent: Int) -> A", mathPow,
			"Raises a number to a power. A negative exponent is for Decimals and Floats.", `Math.pow(2, 10) == 1024`, `Math.pow(1.1, 2) == 1.21`, `Math.pow(2.0, -1) == 0.5`),
		pure("Math.sqrt(x: Any) -> Float", mathSqrt, "Gives the square root as a Float.", `Math.sqrt(9) == 3e0`),
		pure("Math.mod(x: A, y: A) -> A", mathMod,
			"Gives the remainder with the sign of the divisor, as for clocks and calendars; `%` has that of x.", `Math.mod(-1, 7) == 6`),
		pure("Math.gcd(x: Int, y: Int) -> Int", mathGcd, "Gives the greatest common divisor.", `Math.gcd(12, 18) == 6`),
	}
}

// mathExtreme picks the argument that compares as sign to all others; of equals
// the first.
func mathExtreme(sign int) impl {
	return func(c call) (value.Value, error) {
		best := c.args[0]
		for _, x := range c.args[1:] {
			n, err := value.Compare(x, best)
			if err != nil {
				return value.Nil, err
			}
			if n == sign {
				best = x
			}
		}
		return best, nil
	}
}

func mathClamp(c call) (value.Value, error) {
	x, least, most := c.args[0], c.args[1], c.args[2]
	wrong, err := value.Compare(least, most)
	if err != nil {
		return value.Nil, err
	}
	if wrong > 0 {
		return value.Nil, c.fault(value.CodeRange, "the least, %s, is above the most, %s", least.Short(40), most.Short(40))
	}
	if n, err := value.Compare(x, least); err != nil || n < 0 {
		return least, err
	}
	if n, err := value.Compare(x, most); err != nil || n > 0 {
		return most, err
	}
	return x, nil
}

// sign compares a number or duration with zero.
func (c call) sign(x value.Value) (int, error) {
	switch x.Kind() {
	case value.KindInt, value.KindDecimal, value.KindFloat:
		return value.Compare(x, value.Int(0))
	case value.KindDuration:
		return value.Compare(x, value.Duration(0))
	}
	return 0, wrongKind(c.name, "a number or a duration", x)
}

func mathAbs(c call) (value.Value, error) {
	n, err := c.sign(c.args[0])
	if err != nil || n >= 0 {
		return c.args[0], err
	}
	return value.Neg(c.args[0])
}

func mathSign(c call) (value.Value, error) {
	n, err := c.sign(c.args[0])
	return value.Int(int64(n)), err
}

// number wants a number at i.
func (c call) number(i int) (value.Value, error) {
	switch c.args[i].Kind() {
	case value.KindInt, value.KindDecimal, value.KindFloat:
		return c.args[i], nil
	}
	return value.Nil, wrongKind(c.name, "a number", c.args[i])
}

// mathRound rounds to an Int or, of Math.round, to places.
func mathRound(mode string) impl {
	return func(c call) (value.Value, error) {
		x, err := c.number(0)
		if err != nil {
			return value.Nil, err
		}
		if len(c.args) > 1 && c.given(1) {
			return c.roundTo(x, mode)
		}
		if x.Kind() == value.KindInt {
			return x, nil
		}
		if f, isFloat := x.AsFloat(); isFloat {
			return value.ToInt(value.Float(roundFloat(f, mode)))
		}
		d, err := value.RoundDecimal(x, 0, mode)
		if err != nil {
			return value.Nil, err
		}
		return value.ToInt(d)
	}
}

func roundFloat(f float64, mode string) float64 {
	switch mode {
	case "floor":
		return math.Floor(f)
	case "ceil":
		return math.Ceil(f)
	case "down":
		return math.Trunc(f)
	}
	return math.Round(f)
}

func (c call) roundTo(x value.Value, mode string) (value.Value, error) {
	d, err := value.ToDecimal(x)
	if err != nil {
		return value.Nil, err
	}
	if d, err = value.RoundDecimal(d, c.int(1), mode); err != nil || x.Kind() != value.KindFloat {
		return d, err
	}
	return value.ToFloat(d)
}

// mathPow multiplies again and again: exact, and bounded by what the kinds hold.
func mathPow(c call) (value.Value, error) {
	base, err := c.number(0)
	if err != nil {
		return value.Nil, err
	}
	n := c.int(1)
	if f, isFloat := base.AsFloat(); isFloat {
		p := math.Pow(f, float64(n))
		if math.IsInf(p, 0) || math.IsNaN(p) {
			return value.Nil, c.tooHigh(base, n)
		}
		return value.Float(p), nil
	}
	if n < 0 && base.Kind() == value.KindInt {
		return value.Nil, c.fault(value.CodeRange, "a negative exponent has no Int as its result: write the base as a Decimal, %d.0", c.int(0))
	}
	out, square := value.Int(1), base
	for left := uint64(max(n, -n)); left > 0; {
		if left&1 == 1 {
			if out, err = value.Mul(out, square); err != nil {
				return value.Nil, c.tooHigh(base, n)
			}
		}
		if left >>= 1; left > 0 {
			if square, err = value.Mul(square, square); err != nil {
				return value.Nil, c.tooHigh(base, n)
			}
		}
	}
	if n < 0 {
		return value.Div(value.Int(1), mustDecimal(out))
	}
	return out, nil
}

// tooHigh is the fault of a power that its kind does not hold.
func (c call) tooHigh(base value.Value, n int64) error {
	return c.fault(value.CodeOverflow, "%s to the power of %d does not fit %s", base.Short(40), n, base.Kind().Article())
}

// mustDecimal widens an Int.
func mustDecimal(v value.Value) value.Value {
	if d, err := value.ToDecimal(v); err == nil {
		return d
	}
	return v
}

func mathSqrt(c call) (value.Value, error) {
	x, err := c.number(0)
	if err != nil {
		return value.Nil, err
	}
	if x, err = value.ToFloat(x); err != nil {
		return value.Nil, err
	}
	f, _ := x.AsFloat()
	if f < 0 {
		return value.Nil, c.fault(value.CodeRange, "a negative number has no square root")
	}
	return value.Float(math.Sqrt(f)), nil
}

func mathMod(c call) (value.Value, error) {
	rest, err := value.Mod(c.args[0], c.args[1])
	if err != nil {
		return value.Nil, err
	}
	a, err := c.sign(rest)
	if err != nil {
		return value.Nil, err
	}
	b, err := c.sign(c.args[1])
	if err != nil || a == 0 || a == b {
		return rest, err
	}
	return value.Add(rest, c.args[1])
}

func mathGcd(c call) (value.Value, error) {
	a, b := c.int(0), c.int(1)
	for b != 0 {
		if b == -1 {
			return value.Int(1), nil
		}
		a, b = b, a%b
	}
	if a == math.MinInt64 {
		return value.Nil, c.fault(value.CodeOverflow, "the result does not fit an Int")
	}
	return value.Int(max(a, -a)), nil
}
