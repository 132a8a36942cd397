package value

import (
	"math/big"
	"slices"

	"github.com/cockroachdb/apd/v3"
)

// RoundModes are the ways of rounding, by the names that scripts use.
func RoundModes() []string {
	return []string{"half_even", "half_up", "half_down", "up", "down", "floor", "ceil"}
}

func rounder(mode string) (apd.Rounder, bool) {
	switch mode {
	case "half_even":
		return apd.RoundHalfEven, true
	case "half_up":
		return apd.RoundHalfUp, true
	case "half_down":
		return apd.RoundHalfDown, true
	case "up":
		return apd.RoundUp, true
	case "down":
		return apd.RoundDown, true
	case "floor":
		return apd.RoundFloor, true
	case "ceil":
		return apd.RoundCeiling, true
	}
	return "", false
}

// RoundDecimal gives a Decimal with exactly so many digits after the point;
// with negative places it rounds to tens, hundreds and so on. Modes are those
// of RoundModes: the halves go to the even neighbour, away from zero (half_up),
// toward it; up is away from zero, down toward it. Errors have the codes type
// and range.
func RoundDecimal(v Value, places int64, mode string) (Value, error) {
	d, ok := v.AsDecimal()
	if !ok {
		return Nil, cannotConvert(v, KindDecimal)
	}
	r, ok := rounder(mode)
	if !ok {
		return Nil, errorf(CodeRange, "there is no way of rounding called %s", String(mode).Short(40))
	}
	if places > maxScale || places < -maxDigits {
		return Nil, errorf(CodeRange, "a Decimal has at most %d digits after its point, not %d", maxScale, places)
	}
	c := context(4 * maxDigits)
	c.Rounding = r
	out := new(apd.Decimal)
	if _, err := c.Quantize(out, d, int32(-places)); err != nil {
		return Nil, errorf(CodeOverflow, "the result has more than %d digits, more than a Decimal holds", maxDigits)
	}
	return NewDecimal(out)
}

// Scale is how many digits a Decimal has after its point; 0 for other values.
func Scale(v Value) int64 {
	d, ok := v.AsDecimal()
	if !ok {
		return 0
	}
	return int64(max(-d.Exponent, 0))
}

// Normal is a Decimal without zeros at the end of its fraction; other values
// stay as they are.
func Normal(v Value) Value {
	d, ok := v.AsDecimal()
	if !ok {
		return v
	}
	out := new(apd.Decimal).Set(d)
	stripZeros(out, 0)
	return Decimal(out)
}

// DivDecimal is a / b with exactly so many digits after the point, rounded once
// by a mode of RoundModes.
func DivDecimal(a, b Value, places int64, mode string) (Value, error) {
	x, y := widenDecimal(a), widenDecimal(b)
	if x == nil || y == nil {
		return Nil, badOp("divide", a, b)
	}
	r, ok := rounder(mode)
	switch {
	case !ok:
		return Nil, errorf(CodeRange, "there is no way of rounding called %s", String(mode).Short(40))
	case places > maxScale || places < 0:
		return Nil, errorf(CodeRange, "a Decimal has 0 to %d digits after its point, not %d", maxScale, places)
	case y.IsZero():
		return Nil, divisionByZero(a)
	}
	// One division to whole units leaves a rest: it says exactly on which side
	// of a half the quotient lies, whatever the number of digits.
	c := context(4 * maxDigits)
	scaled := new(apd.Decimal).Set(x)
	scaled.Exponent += int32(places)
	whole, rest := new(apd.Decimal), new(apd.Decimal)
	if _, err := c.QuoInteger(whole, scaled, y); err != nil {
		return Nil, errorf(CodeOverflow, "the result has more than %d digits, more than a Decimal holds", maxDigits)
	}
	if _, err := c.Rem(rest, scaled, y); err != nil {
		return Nil, errorf(CodeOverflow, "the result has more than %d digits, more than a Decimal holds", maxDigits)
	}
	negative := x.Negative != y.Negative && !x.IsZero()
	twice := new(apd.Decimal)
	if _, err := c.Mul(twice, rest, apd.New(2, 0)); err != nil {
		return Nil, errorf(CodeOverflow, "the result has more than %d digits, more than a Decimal holds", maxDigits)
	}
	half := twice.Abs(twice).Cmp(new(apd.Decimal).Abs(y))
	whole.Negative = false
	if r.ShouldAddOne(&whole.Coeff, negative, half) && !rest.IsZero() {
		if _, err := c.Add(whole, whole, apd.New(1, 0)); err != nil {
			return Nil, errorf(CodeOverflow, "the result has more than %d digits, more than a Decimal holds", maxDigits)
		}
	}
	if _, err := c.Quantize(whole, whole, 0); err != nil {
		return Nil, errorf(CodeOverflow, "the result has more than %d digits, more than a Decimal holds", maxDigits)
	}
	whole.Negative = negative
	whole.Exponent = -int32(places)
	return NewDecimal(whole)
}

// Apportion splits an amount in proportion to weights into Decimals with so many
// digits after the point that add up to it. Each part gets what it is due
// without its fraction of a unit of the last place; the units that are left go
// one each to the parts with the largest fractions, of equal ones to the first.
// Errors have the codes type (a weight that is no number) and range (a negative
// one, weights that are all zero, an amount with more digits).
func Apportion(amount Value, weights []Value, places int64) (Value, error) {
	units, err := unitsOf(amount, places)
	if err != nil {
		return Nil, err
	}
	negative := units.Sign() < 0
	units.Abs(units)
	shares, total, err := weigh(weights)
	if err != nil {
		return Nil, err
	}
	parts, rests := make([]*big.Int, len(shares)), make([]*big.Int, len(shares))
	left := new(big.Int).Set(units)
	for i, w := range shares {
		parts[i], rests[i] = new(big.Int).QuoRem(new(big.Int).Mul(units, w), total, new(big.Int))
		left.Sub(left, parts[i])
	}
	order := make([]int, len(shares))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rests[b].Cmp(rests[a]) })
	for _, i := range order[:left.Int64()] { // fewer than there are parts
		parts[i].Add(parts[i], big.NewInt(1))
	}
	out := make([]Value, len(parts))
	for i, p := range parts {
		d := &apd.Decimal{Exponent: -int32(places), Negative: negative}
		d.Coeff.SetMathBigInt(p)
		if out[i], err = NewDecimal(d); err != nil {
			return Nil, err
		}
	}
	return List(out...), nil
}

// unitsOf counts an amount in units of its last place.
func unitsOf(amount Value, places int64) (*big.Int, error) {
	if places > maxScale || places < Scale(amount) {
		return nil, errorf(CodeRange, "%s cannot be split into parts with %d digits after the point", amount.Short(40), places)
	}
	d, err := RoundDecimal(amount, places, "down")
	if err != nil {
		return nil, err
	}
	x, _ := d.AsDecimal()
	units := x.Coeff.MathBigInt()
	if x.Negative {
		units.Neg(units)
	}
	return units, nil
}

// weigh makes whole numbers of weights, in the same proportion.
func weigh(weights []Value) (shares []*big.Int, total *big.Int, err error) {
	scale := int64(0)
	for _, w := range weights {
		if k := w.Kind(); k != KindInt && k != KindDecimal {
			return nil, nil, errorf(CodeType, "a weight is an Int or a Decimal, not %s", k.Article())
		}
		scale = max(scale, Scale(w))
	}
	total = new(big.Int)
	for _, w := range weights {
		d, err := ToDecimal(w)
		if err != nil {
			return nil, nil, err
		}
		u, err := unitsOf(d, scale)
		if err != nil {
			return nil, nil, err
		}
		if u.Sign() < 0 {
			return nil, nil, errorf(CodeRange, "a weight may not be negative, and one is %s", w.Short(40))
		}
		shares = append(shares, u)
		total.Add(total, u)
	}
	if total.Sign() == 0 {
		return nil, nil, errorf(CodeRange, "the weights are all zero")
	}
	return shares, total, nil
}
