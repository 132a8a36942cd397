package stdlib

import (
	"slices"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// decimalModule is the module Decimal: exact numbers, money above all.
func decimalModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Decimal.round(x: Decimal, places?: Int, mode?: String) -> Decimal", decimalRound("half_up"),
			"Gives a Decimal with exactly so many digits after the point, 0 if nothing is said; negative places round to tens, hundreds and so on. The mode says where what lies between goes: half_up (halves away from zero, as nothing is said), half_even, half_down, up (away from zero), down, floor, ceil.",
			`Decimal.round(2.345, 2) == 2.35`, `Decimal.round(2.345, 2, "half_even") == 2.34`, `String(Decimal.round(5, 2)) == "5.00"`, `Decimal.round(1250, -2) == 1300`),
		pure("Decimal.floor(x: Decimal, places?: Int) -> Decimal", decimalRound("floor"),
			"Gives the nearest Decimal with so many digits after the point that is not above x.", `Decimal.floor(-2.341, 2) == -2.35`),
		pure("Decimal.ceil(x: Decimal, places?: Int) -> Decimal", decimalRound("ceil"),
			"Gives the nearest Decimal with so many digits after the point that is not below x.", `Decimal.ceil(2.341, 2) == 2.35`),
		pure("Decimal.divide(x: Decimal, y: Decimal, places: Int, mode?: String) -> Decimal", decimalDivide,
			"Divides and rounds to places; the modes are those of Decimal.round.", `Decimal.divide(10, 3, 2) == 3.33`),
		pure("Decimal.percent(x: Decimal, percent: Decimal) -> Decimal", func(c call) (value.Value, error) {
			p, err := value.Mul(c.args[0], c.args[1])
			if err != nil {
				return value.Nil, err
			}
			return value.Mul(p, hundredth())
		}, "Gives so many percent of x, exactly.", `Decimal.percent(80.00, 19) == 15.20`),
		pure("Decimal.split(x: Decimal, parts: Int, places?: Int) -> [Decimal]", decimalSplit,
			"Splits an amount into equal parts that add up to it: what cannot be divided goes to the first parts, one unit of the last place each. Places are those of the amount, at least 2 if nothing is said.",
			`Decimal.split(100, 3) == [33.34, 33.33, 33.33]`, `Decimal.split(-0.05, 2) == [-0.03, -0.02]`),
		pure("Decimal.split_by(x: Decimal, weights: [Decimal], places?: Int) -> [Decimal]", decimalSplitBy,
			"Splits an amount in proportion to weights, into parts that add up to it; units of the last place that are left over go to the parts that lost most by rounding, of equal ones to the first. Places are those of the amount, at least 2 if nothing is said.",
			`Decimal.split_by(100, [1, 1, 1]) == [33.34, 33.33, 33.33]`, `Decimal.split_by(10.00, [70, 30]) == [7.00, 3.00]`),
		pure("Decimal.format(x: Decimal; places?: Int, thousands?: String, point?: String, currency?: String, after?: Bool) -> String", decimalFormat,
			"Writes an amount for people: with 2 places or another number, a separator of thousands (`,`), a point of one's choice, and a currency before it, or behind it with `after: true`.",
			`Decimal.format(1234.5, currency: "$") == "$1,234.50"`, `Decimal.format(-1234.5, currency: " €", after: true, thousands: ".", point: ",") == "-1.234,50 €"`),
		pure("Decimal.scale(x: Decimal) -> Int", func(c call) (value.Value, error) { return value.Int(value.Scale(c.args[0])), nil },
			"Counts the digits after the point.", `Decimal.scale(12.50) == 2`),
		pure("Decimal.normalize(x: Decimal) -> Decimal", func(c call) (value.Value, error) { return value.Normal(c.args[0]), nil },
			"Drops zeros at the end of the fraction.", `String(Decimal.normalize(12.500)) == "12.5"`),
		pure("Decimal.to_minor(x: Decimal, places?: Int) -> Int", decimalToMinor,
			"Gives an amount in its smallest unit, cents with 2 places as nothing is said. An amount with more digits is a fault: round it first.", `Decimal.to_minor(12.50) == 1250`),
		pure("Decimal.from_minor(units: Int, places?: Int) -> Decimal", decimalFromMinor,
			"Makes an amount of a number of its smallest units, cents with 2 places as nothing is said.", `Decimal.from_minor(1250) == 12.50`),
	}
}

// hundredth is 0.01.
func hundredth() value.Value {
	v, _ := value.ToDecimal(value.String("0.01"))
	return v
}

// round rounds to the places and the mode of the call.
func (c call) round(x value.Value, places int64, mode string) (value.Value, error) {
	if modes := value.RoundModes(); !slices.Contains(modes, mode) {
		return value.Nil, c.fault(value.CodeRange, "there is no way of rounding called %s; there are %s", value.String(mode).Short(40), strings.Join(modes, ", "))
	}
	return value.RoundDecimal(x, places, mode)
}

func decimalRound(mode string) impl {
	return func(c call) (value.Value, error) {
		if len(c.args) > 2 {
			return c.round(c.args[0], c.int(1), c.textOr(2, mode))
		}
		return c.round(c.args[0], c.int(1), mode)
	}
}

func decimalDivide(c call) (value.Value, error) {
	q, err := value.DivDecimal(c.args[0], c.args[1], c.int(2), c.textOr(3, "half_up"))
	if err != nil {
		return value.Nil, err
	}
	return q, nil
}

// places are those of an amount, given by an argument or its own, at least 2.
func (c call) places(arg int) (int64, error) {
	if !c.given(arg) {
		return max(2, value.Scale(c.args[0])), nil
	}
	n := c.int(arg)
	if n < value.Scale(c.args[0]) {
		return 0, c.fault(value.CodeRange, "%s has more than %d digits after the point: round it first", c.args[0].Text(), n)
	}
	return n, nil
}

// maxParts bounds into how many parts an amount is split.
const maxParts = 100_000

func decimalSplit(c call) (value.Value, error) {
	n := c.int(1)
	if n < 1 || n > maxParts {
		return value.Nil, c.fault(value.CodeRange, "the number of parts lies between 1 and %d, and it is %d", maxParts, n)
	}
	weights := make([]value.Value, n)
	for i := range weights {
		weights[i] = value.Int(1)
	}
	return c.apportion(weights, 2)
}

func decimalSplitBy(c call) (value.Value, error) {
	if n := len(c.list(1)); n == 0 || n > maxParts {
		return value.Nil, c.fault(value.CodeRange, "the number of weights lies between 1 and %d, and it is %d", maxParts, n)
	}
	return c.apportion(c.list(1), 2)
}

// apportion splits the amount by weights.
func (c call) apportion(weights []value.Value, placesArg int) (value.Value, error) {
	places, err := c.places(placesArg)
	if err != nil {
		return value.Nil, err
	}
	if err := c.Hold(128 * len(weights)); err != nil {
		return value.Nil, err
	}
	if err := c.Spend(c.args[0].Size() / 64 * len(weights)); err != nil {
		return value.Nil, err
	}
	return value.Apportion(c.args[0], weights, places)
}

func decimalFormat(c call) (value.Value, error) {
	x, err := value.RoundDecimal(c.args[0], max(c.intOr(1, 2), 0), "half_up")
	if err != nil {
		return value.Nil, err
	}
	c.args = slices.Clone(c.args)
	c.args[1] = value.Nil
	shown, err := c.shown(x, 1)
	if err != nil || !c.given(4) {
		return shown, err
	}
	s, negative := strings.CutPrefix(shown.Text(), "-")
	if c.flag(5) {
		s += c.text(4)
	} else {
		s = c.text(4) + s
	}
	if negative {
		s = "-" + s
	}
	return value.String(s), nil
}

// shift is one unit of the last of so many places, turned around: 100 for 2.
func (c call) shift(arg int) (value.Value, error) {
	n := c.intOr(arg, 2)
	if n < 0 || n > 18 {
		return value.Nil, c.fault(value.CodeRange, "the places lie between 0 and 18, and they are %d", n)
	}
	unit := int64(1)
	for range n {
		unit *= 10
	}
	return value.Int(unit), nil
}

func decimalToMinor(c call) (value.Value, error) {
	unit, err := c.shift(1)
	if err != nil {
		return value.Nil, err
	}
	n, err := value.Mul(c.args[0], unit)
	if err != nil {
		return value.Nil, err
	}
	i, err := value.ToInt(n)
	if err == nil && !value.Equal(i, n) {
		err = c.fault(value.CodeRange, "%s has more than %d digits after the point: round it first", c.args[0].Text(), c.intOr(1, 2))
	}
	return i, err
}

func decimalFromMinor(c call) (value.Value, error) {
	unit, err := c.shift(1)
	if err != nil {
		return value.Nil, err
	}
	return value.DivDecimal(mustDecimal(c.args[0]), mustDecimal(unit), c.intOr(1, 2), "half_up")
}
