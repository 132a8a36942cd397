package value

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConversions(t *testing.T) {
	d := mustDecimal
	for _, c := range []struct {
		name string
		do   func(Value) (Value, error)
		in   Value
		want string
	}{
		{"Int", ToInt, Int(3), "3"}, {"Int", ToInt, d("2.99"), "2"}, {"Int", ToInt, d("-2.99"), "-2"}, {"Int", ToInt, Float(-2.9), "-2"}, {"Int", ToInt, String("-42"), "-42"}, {"Int", ToInt, String("007"), "7"},
		{"Float", ToFloat, Int(2), "2e0"}, {"Float", ToFloat, d("0.1"), "1e-1"}, {"Float", ToFloat, String("2.5e3"), "2.5e3"}, {"Float", ToFloat, String("3"), "3e0"},
		{"Decimal", ToDecimal, Int(2), "Decimal(2)"}, {"Decimal", ToDecimal, Float(0.1), "0.1"}, {"Decimal", ToDecimal, String("12.30"), "12.30"}, {"Decimal", ToDecimal, String("1e3"), "Decimal(1000)"},
		{"String", ToText, Int(2), `"2"`}, {"String", ToText, List(String("a")), `"[\"a\"]"`}, {"String", ToText, String("a"), `"a"`},
		{"Duration", ToDuration, String("1h30m"), "1h30m"}, {"Duration", ToDuration, Duration(1), "1ns"},
		{"Time", ToTime, String("2030-01-01T02:00:00+02:00"), `Time("2030-01-01T00:00:00Z")`}, {"Time", ToTime, Time(0), `Time("1970-01-01T00:00:00Z")`},
	} {
		got, err := c.do(c.in)
		require.NoError(t, err)
		require.Equal(t, c.want, got.String(), "%s(%s)", c.name, c.in)
	}
	for _, c := range []struct {
		do            func(Value) (Value, error)
		in            Value
		code, message string
	}{
		{ToInt, String("x"), CodeFormat, `"x" is not an Int`}, {ToInt, String(""), CodeFormat, `"" is not an Int`}, {ToInt, String("1.5"), CodeFormat, `"1.5" is not an Int`}, {ToInt, String("+1"), CodeFormat, `"+1" is not an Int`},
		{ToInt, String("99999999999999999999"), CodeOverflow, `"99999999999999999999" does not fit an Int`}, {ToInt, d("1e30"), CodeOverflow, `Decimal("10000000000…00000000000000000") does not fit an Int`}, {ToInt, Float(1e30), CodeOverflow, "1e30 does not fit an Int"},
		{ToInt, Bool(true), CodeType, "cannot make an Int of a Bool"}, {ToInt, Nil, CodeType, "cannot make an Int of nil"},
		{ToFloat, String("NaN"), CodeFormat, `"NaN" is not a Float`}, {ToFloat, String("0x1p3"), CodeFormat, `"0x1p3" is not a Float`}, {ToFloat, String("1e999"), CodeOverflow, `"1e999" does not fit a Float`}, {ToFloat, List(), CodeType, "cannot make a Float of a list"},
		{ToDecimal, String("1,5"), CodeFormat, `"1,5" is not a Decimal`}, {ToDecimal, String("1e9999"), CodeOverflow, `"1e9999" does not fit a Decimal`}, {ToDecimal, Nil, CodeType, "cannot make a Decimal of nil"},
		{ToDuration, String("soon"), CodeFormat, `"soon" is not a duration: write it like 1h30m, 150ms or 7d`}, {ToDuration, Int(1), CodeType, "cannot make a Duration of an Int"},
		{ToTime, String("yesterday"), CodeFormat, `"yesterday" is not a time: write it like 2030-01-01T00:00:00Z`}, {ToTime, String("9999-01-01T00:00:00Z"), CodeRange, "the year 9999 is outside of what a Time holds (1678 to 2262)"}, {ToTime, Int(1), CodeType, "cannot make a Time of an Int"},
	} {
		_, err := c.do(c.in)
		require.Error(t, err)
		require.Equal(t, c.code, err.(*Error).Code)
		require.Equal(t, c.message, err.Error())
	}
	_, err := ToDecimal(String("0." + strings.Repeat("1", 5000)))
	require.Equal(t, CodeOverflow, err.(*Error).Code)
}

func TestKinds(t *testing.T) {
	for k, want := range map[Kind]string{KindNil: "nil", KindInt: "an Int", KindList: "a list", KindHandle: "a handle", Kind(99): "a value"} {
		require.Equal(t, want, k.Article())
	}
	require.Equal(t, "Wallet/a", Handle{Type: "Wallet", ID: "a", Entity: true}.StoreID())
	require.Equal(t, "W-1", Handle{Type: "W", ID: "W-1"}.StoreID())
	v := NewVariant(&Variant{Name: "A", Names: []string{"x", ""}, Fields: []Value{Int(1), Int(2)}})
	x, _ := v.AsVariant()
	f, has := x.Field("x")
	require.True(t, has)
	require.Equal(t, Int(1), f)
	_, has = x.Field("")
	require.False(t, has)
	require.True(t, Nil.IsNil())
	require.True(t, Unit.IsUnit())
	require.Equal(t, Int(3), Tuple(Int(3)))
}

// ISO 8601 durations read and write alike.
func TestISODurations(t *testing.T) {
	for in, want := range map[string]string{
		"PT1H30M": "1h30m", "P2D": "2d", "P1W": "7d", "PT0.5S": "500ms", "-PT1S": "-1s", "P1DT2H3M4.000000005S": "1d2h3m4s5ns", "PT0S": "0s", "PT90M": "1h30m",
	} {
		v, err := DurationFromISO(in)
		require.NoError(t, err, in)
		require.Equal(t, want, v.String())
		d, _ := v.AsDuration()
		again, err := DurationFromISO(DurationToISO(d))
		require.NoError(t, err)
		require.Equal(t, v, again)
	}
	for in, code := range map[string]string{
		"": CodeFormat, "P": CodeFormat, "PT": CodeFormat, "1h": CodeFormat, "P1Y": CodeFormat, "P1M": CodeFormat, "PT1.5H": CodeFormat, "PT1S1M": CodeFormat, "P1H": CodeFormat, "PTS": CodeFormat,
		"PT1.S": CodeFormat, "P9999999D": CodeOverflow, "PT99999999999999999999S": CodeOverflow, "P1DT": CodeFormat, "PT1H-1M": CodeFormat,
	} {
		_, err := DurationFromISO(in)
		require.Error(t, err, in)
		require.Equal(t, code, err.(*Error).Code, in)
	}
	require.Equal(t, "-P106751DT23H47M16.854775808S", DurationToISO(math.MinInt64))
}
