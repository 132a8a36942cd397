package value

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rat is the exact number of an Int or Decimal.
func rat(v Value) *big.Rat {
	r, _ := new(big.Rat).SetString(v.Text())
	return r
}

func fits(r *big.Int) bool { return r.IsInt64() }

// Ints behave like integers without bound, or fault.
func TestIntLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := genInt().Draw(t, "x"), genInt().Draw(t, "y")
		bx, by := big.NewInt(x), big.NewInt(y)
		check := func(got Value, err error, want *big.Int) {
			if !fits(want) {
				require.Equal(t, CodeOverflow, err.(*Error).Code)
				return
			}
			require.NoError(t, err)
			require.Equal(t, Int(want.Int64()), got)
		}
		got, err := Add(Int(x), Int(y))
		check(got, err, new(big.Int).Add(bx, by))
		got, err = Sub(Int(x), Int(y))
		check(got, err, new(big.Int).Sub(bx, by))
		got, err = Mul(Int(x), Int(y))
		check(got, err, new(big.Int).Mul(bx, by))
		got, err = Neg(Int(x))
		check(got, err, new(big.Int).Neg(bx))
		if y == 0 {
			_, err = Div(Int(x), Int(y))
			require.Equal(t, CodeDivisionByZero, err.(*Error).Code)
			_, err = Mod(Int(x), Int(y))
			require.Equal(t, CodeDivisionByZero, err.(*Error).Code)
			return
		}
		got, err = Div(Int(x), Int(y))
		check(got, err, new(big.Int).Quo(bx, by))
		got, err = Mod(Int(x), Int(y))
		check(got, err, new(big.Int).Rem(bx, by))
	})
}

// Sums, differences, products and remainders of Decimals are exact, quotients
// have 28 digits.
func TestDecimalLaws(t *testing.T) {
	exact := rapid.OneOf(genDecimal(), rapid.Map(genInt(), Int))
	rapid.Check(t, func(t *rapid.T) {
		x, y := genDecimal().Draw(t, "x"), exact.Draw(t, "y")
		for _, op := range []struct {
			do   func(a, b Value) (Value, error)
			want func(z, a, b *big.Rat) *big.Rat
		}{{Add, (*big.Rat).Add}, {Sub, (*big.Rat).Sub}, {Mul, (*big.Rat).Mul}} {
			got, err := op.do(x, y)
			require.NoError(t, err)
			require.Equal(t, KindDecimal, got.Kind())
			require.Zero(t, op.want(new(big.Rat), rat(x), rat(y)).Cmp(rat(got)))
		}
		c, err := Compare(x, y)
		require.NoError(t, err)
		require.Equal(t, rat(x).Cmp(rat(y)), c)
		require.Equal(t, c == 0, Equal(x, y))
		require.Equal(t, c == 0, Equal(y, x))
		if rat(y).Sign() == 0 {
			_, err := Div(x, y)
			require.Equal(t, CodeDivisionByZero, err.(*Error).Code)
			_, err = Mod(x, y)
			require.Equal(t, CodeDivisionByZero, err.(*Error).Code)
			return
		}
		checkQuotient(t, x, y)
	})
}

func checkQuotient(t *rapid.T, x, y Value) {
	got, err := Div(x, y)
	require.NoError(t, err)
	digits, _ := got.AsDecimal()
	digits, _ = new(apd.Decimal).Reduce(digits)
	require.LessOrEqual(t, digits.NumDigits(), int64(28))
	want := new(big.Rat).Quo(rat(x), rat(y))
	diff := new(big.Rat).Sub(want, rat(got))
	bound := new(big.Rat).Abs(want)
	bound.Mul(bound, new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(27), nil)))
	require.LessOrEqual(t, diff.Abs(diff).Cmp(bound), 0)
	rem, err := Mod(x, y)
	require.NoError(t, err)
	require.Less(t, new(big.Rat).Abs(rat(rem)).Cmp(new(big.Rat).Abs(rat(y))), 0)
	times := new(big.Rat).Quo(new(big.Rat).Sub(rat(x), rat(rem)), rat(y))
	require.True(t, times.IsInt())
	require.True(t, rat(rem).Sign() == 0 || rat(rem).Sign() == rat(x).Sign())
}

func TestArithmetic(t *testing.T) {
	d := mustDecimal
	hour := Duration(time.Hour)
	for _, c := range []struct {
		do   func(a, b Value) (Value, error)
		a, b Value
		want string
	}{
		{Add, d("1.10"), Int(1), "2.10"}, {Add, String("a"), String("b"), `"ab"`}, {Add, List(Int(1)), List(Int(2)), "[1, 2]"}, {Add, List(), List(Int(2)), "[2]"},
		{Add, Time(0), hour, `Time("1970-01-01T01:00:00Z")`}, {Add, hour, Time(0), `Time("1970-01-01T01:00:00Z")`}, {Add, hour, hour, "2h"},
		{Sub, Time(0), hour, `Time("1969-12-31T23:00:00Z")`}, {Sub, Time(int64(time.Hour)), Time(0), "1h"}, {Sub, hour, hour, "0s"},
		{Mul, hour, Int(3), "3h"}, {Mul, Int(3), hour, "3h"}, {Mul, d("1.5"), d("2.00"), "3.000"}, {Mul, Float(1.5), Int(2), "3e0"},
		{Div, Int(7), Int(-2), "-3"}, {Mod, Int(-7), Int(2), "-1"}, {Div, d("10.00"), Int(4), "2.50"}, {Div, d("1.0"), d("0.25"), "4.00"},
		{Div, d("1.0"), Int(3), "0.3333333333333333333333333333"}, {Div, d("2"), Int(3), "0.6666666666666666666666666667"}, {Div, d("0.0"), Int(3), "0.0"},
		{Div, hour, Duration(40 * time.Minute), "1.5e0"}, {Div, hour, Int(2), "30m"}, {Div, Float(1), Int(4), "2.5e-1"}, {Mod, Float(5.5), Int(2), "1.5e0"}, {Mod, d("5.5"), d("2"), "1.5"},
	} {
		got, err := c.do(c.a, c.b)
		require.NoError(t, err)
		require.Equal(t, c.want, got.String())
	}
}

func TestArithmeticFaults(t *testing.T) {
	d := mustDecimal
	hour := Duration(time.Hour)
	huge := Decimal(apd.New(1, -900))
	for _, c := range []struct {
		do            func(a, b Value) (Value, error)
		a, b          Value
		code, message string
	}{
		{Add, Int(1), String("x"), CodeType, "cannot add Int and String"},
		{Sub, String("x"), Int(1), CodeType, "cannot subtract Int from String"},
		{Mul, List(), Int(2), CodeType, "cannot multiply list and Int"},
		{Div, Nil, Int(2), CodeType, "cannot divide nil by Int"},
		{Add, d("1.0"), Float(1), CodeType, "cannot add Decimal and Float: convert one with Decimal(x) or Float(x)"},
		{Add, Time(0), Time(0), CodeType, "cannot add Time and Time"},
		{Mul, hour, hour, CodeType, "cannot multiply Duration and Duration"},
		{Add, Int(math.MaxInt64), Int(1), CodeOverflow, "9223372036854775807 + 1 does not fit an Int"},
		{Sub, Int(math.MinInt64), Int(1), CodeOverflow, "-9223372036854775808 - 1 does not fit an Int"},
		{Div, Int(math.MinInt64), Int(-1), CodeOverflow, "-9223372036854775808 / -1 does not fit an Int"},
		{Add, Duration(math.MaxInt64), hour, CodeOverflow, "106751d23h47m16s854ms775us807ns + 1h does not fit a Duration"},
		{Add, Time(math.MaxInt64), hour, CodeOverflow, `Time("2262-04-11T23:47:16.854775807Z") + 1h does not fit a Time`},
		{Mul, hour, Int(math.MaxInt64), CodeOverflow, "1h * 9223372036854775807 does not fit a Duration"},
		{Div, hour, Int(0), CodeDivisionByZero, "cannot divide 1h by zero"},
		{Div, hour, Duration(0), CodeDivisionByZero, "cannot divide 1h by zero"},
		{Div, Float(1), Int(0), CodeDivisionByZero, "cannot divide 1e0 by zero"},
		{Div, d("1.5"), d("0.00"), CodeDivisionByZero, "cannot divide 1.5 by zero"},
		{Mod, Int(1), Int(0), CodeDivisionByZero, "cannot divide 1 by zero"},
		{Mul, Float(1e300), Float(1e300), CodeOverflow, "the result does not fit a Float: cannot multiply numbers as large as these"},
		{Mul, huge, huge, CodeOverflow, "the result has more than 1000 digits, more than a Decimal holds"},
	} {
		_, err := c.do(c.a, c.b)
		require.Error(t, err)
		require.Equal(t, c.code, err.(*Error).Code)
		require.Equal(t, c.message, err.Error())
	}
	for _, v := range []Value{String("x"), Int(math.MinInt64), Duration(math.MinInt64)} {
		_, err := Neg(v)
		require.Error(t, err)
	}
	// Squaring again and again ends in a fault, soon.
	v, err := d("1.1"), error(nil)
	for range 64 {
		if v, err = Mul(v, v); err != nil {
			break
		}
	}
	require.Equal(t, CodeOverflow, err.(*Error).Code)
}

func TestNegAll(t *testing.T) {
	for in, want := range map[string]Value{
		"-1": Int(1), "1.50": mustDecimal("-1.50"), "0.0": mustDecimal("0.0"), "-1e0": Float(1), "-1h": Duration(time.Hour), "0e0": Float(0),
	} {
		got, err := Neg(want)
		require.NoError(t, err)
		require.Equal(t, in, got.String())
	}
}

// Quotients with a number of places are rounded once, as exact fractions are.
func TestDivDecimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := genDecimal().Draw(t, "x"), genDecimal().Draw(t, "y")
		places := rapid.Int64Range(0, 12).Draw(t, "places")
		mode := rapid.SampledFrom(RoundModes()).Draw(t, "mode")
		got, err := DivDecimal(x, y, places, mode)
		if rat(y).Sign() == 0 {
			require.Equal(t, CodeDivisionByZero, err.(*Error).Code)
			return
		}
		require.NoError(t, err)
		require.Equal(t, places, Scale(got))
		unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(places), nil))
		exact := new(big.Rat).Quo(rat(x), rat(y))
		off := new(big.Rat).Sub(rat(got), exact)
		twice := new(big.Rat).Mul(new(big.Rat).Abs(off), big.NewRat(2, 1))
		require.Negative(t, new(big.Rat).Abs(off).Cmp(unit))
		switch mode {
		case "floor":
			require.LessOrEqual(t, off.Sign(), 0)
		case "ceil":
			require.GreaterOrEqual(t, off.Sign(), 0)
		case "down":
			require.LessOrEqual(t, new(big.Rat).Abs(rat(got)).Cmp(new(big.Rat).Abs(exact)), 0)
		case "up":
			require.GreaterOrEqual(t, new(big.Rat).Abs(rat(got)).Cmp(new(big.Rat).Abs(exact)), 0)
		default:
			require.LessOrEqual(t, twice.Cmp(unit), 0)
		}
	})
	for _, c := range []struct{ x, y, mode, want string }{
		{"1.00", "8", "half_even", "0.12"}, {"3.00", "8", "half_even", "0.38"}, {"1.00", "8", "half_up", "0.13"}, {"1.00", "8", "half_down", "0.12"}, {"-1.00", "8", "half_up", "-0.13"}, {"-1.00", "8", "floor", "-0.13"}, {"-1.00", "8", "ceil", "-0.12"}, {"1.00", "1", "up", "1.00"},
	} {
		got, err := DivDecimal(mustDecimal(c.x), mustDecimal(c.y), 2, c.mode)
		require.NoError(t, err)
		require.Equal(t, c.want, got.Text(), c)
	}
}

// Parts add up to what was split, and none is off by a unit or more.
func TestApportion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount, err := RoundDecimal(genDecimal().Draw(t, "amount"), 2, "half_up")
		require.NoError(t, err)
		weights := rapid.SliceOfN(rapid.Map(rapid.Int64Range(0, 1000), Int), 1, 9).Draw(t, "weights")
		parts, err := Apportion(amount, weights, 2)
		total := int64(0)
		for _, w := range weights {
			i, _ := w.AsInt()
			total += i
		}
		if total == 0 {
			require.Equal(t, CodeRange, err.(*Error).Code)
			return
		}
		require.NoError(t, err)
		sum := new(big.Rat)
		ps, _ := parts.AsList()
		for i, p := range ps {
			sum.Add(sum, rat(p))
			w, _ := weights[i].AsInt()
			due := new(big.Rat).Mul(rat(amount), big.NewRat(w, total))
			off := due.Sub(due, rat(p))
			require.Negative(t, off.Abs(off).Cmp(big.NewRat(1, 100)))
			require.False(t, w == 0 && rat(p).Sign() != 0, "a part of weight 0 got something")
		}
		require.Zero(t, sum.Cmp(rat(amount)))
	})
}
