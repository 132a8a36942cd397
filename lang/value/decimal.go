package value

import "github.com/cockroachdb/apd/v3"

// Bounds of Decimals: without them x * x in a loop would double its digits
// until memory ends.
const (
	maxDigits      = 1000 // significant digits
	maxScale       = 1000 // digits after the point
	quotientDigits = 28
)

type decimalOp func(x, y *apd.Decimal) (Value, error)

func context(digits uint32) *apd.Context {
	c := apd.BaseContext
	c.Precision = digits
	c.Rounding = apd.RoundHalfEven
	return &c
}

// NewDecimal makes a Decimal of d if it is finite and within the bounds of the
// kind (1,000 digits, as many of them as one likes after the point). It takes
// d over and may change it.
func NewDecimal(d *apd.Decimal) (Value, error) {
	if d.Form != apd.Finite {
		return Nil, errorf(CodeRange, "the result is not a number")
	}
	if d.Exponent > 0 && d.Exponent <= maxDigits {
		d.Coeff.Mul(&d.Coeff, new(apd.BigInt).Exp(apd.NewBigInt(10), apd.NewBigInt(int64(d.Exponent)), nil))
		d.Exponent = 0
	}
	if d.Exponent > 0 || d.Exponent < -maxScale || d.NumDigits() > maxDigits {
		return Nil, errorf(CodeOverflow, "the result has more than %d digits, more than a Decimal holds", maxDigits)
	}
	if d.Coeff.Sign() == 0 {
		d.Negative = false
	}
	return Decimal(d), nil
}

func widenDecimal(v Value) *apd.Decimal {
	if i, ok := v.AsInt(); ok {
		return apd.New(i, 0)
	}
	d, _ := v.AsDecimal()
	return d
}

func decimalResult(d *apd.Decimal, err error) (Value, error) {
	if err != nil {
		return Nil, errorf(CodeOverflow, "the result has more than %d digits, more than a Decimal holds", maxDigits)
	}
	return NewDecimal(d)
}

func decimalAdd(x, y *apd.Decimal) (Value, error) {
	d := new(apd.Decimal)
	_, err := apd.BaseContext.Add(d, x, y)
	return decimalResult(d, err)
}

func decimalSub(x, y *apd.Decimal) (Value, error) {
	d := new(apd.Decimal)
	_, err := apd.BaseContext.Sub(d, x, y)
	return decimalResult(d, err)
}

func decimalMul(x, y *apd.Decimal) (Value, error) {
	d := new(apd.Decimal)
	_, err := apd.BaseContext.Mul(d, x, y)
	return decimalResult(d, err)
}

func decimalDiv(x, y *apd.Decimal) (Value, error) {
	if y.IsZero() {
		return Nil, divisionByZero(Decimal(x))
	}
	d := new(apd.Decimal)
	cond, err := context(quotientDigits).Quo(d, x, y)
	if err == nil && !cond.Inexact() {
		stripZeros(d, min(x.Exponent, y.Exponent, 0))
	}
	return decimalResult(d, err)
}

// stripZeros removes zeros at the end until d has the exponent.
func stripZeros(d *apd.Decimal, exponent int32) {
	if d.IsZero() {
		d.Exponent = exponent
		return
	}
	ten, quo, rem := apd.NewBigInt(10), new(apd.BigInt), new(apd.BigInt)
	for d.Exponent < exponent {
		if quo.QuoRem(&d.Coeff, ten, rem); rem.Sign() != 0 {
			return
		}
		d.Coeff.Set(quo)
		d.Exponent++
	}
}

func decimalMod(x, y *apd.Decimal) (Value, error) {
	if y.IsZero() {
		return Nil, divisionByZero(Decimal(x))
	}
	d := new(apd.Decimal)
	_, err := context(4*maxDigits).Rem(d, x, y)
	return decimalResult(d, err)
}

func decimalNeg(v Value) Value {
	x, _ := v.AsDecimal()
	d := new(apd.Decimal).Set(x)
	if !d.IsZero() {
		d.Negative = !d.Negative
	}
	return Decimal(d)
}
