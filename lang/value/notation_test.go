package value

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// samples has a value of each kind with its notation and text beside it below.
func samples() []Value {
	all := forms()
	vs := make([]Value, len(all))
	for i := range all {
		vs[i] = all[i].v
	}
	return vs
}

type form struct {
	v              Value
	notation, text string // text "" if it is the notation
}

func forms() []form {
	return []form{
		{v: Nil, notation: "nil"},
		{v: Unit, notation: "()"},
		{v: Bool(true), notation: "true"},
		{v: Int(-42), notation: "-42"},
		{v: mustDecimal("12.30"), notation: "12.30"},
		{v: mustDecimal("-0.05"), notation: "-0.05"},
		{v: mustDecimal("12"), notation: "Decimal(12)", text: "12"},
		{v: mustDecimal("123456789012345678901"), notation: `Decimal("123456789012345678901")`, text: "123456789012345678901"},
		{v: Decimal(apd.New(5, 2)), notation: "Decimal(500)", text: "500"},
		{v: Float(2.5), notation: "2.5e0"},
		{v: Float(1e9), notation: "1e9"},
		{v: Float(-1.25e-7), notation: "-1.25e-7"},
		{v: String("a\"b\\c\n\t\r$x ${y} é\x00😀"), notation: `"a\"b\\c\n\t\r$x \${y} é\u{0}😀"`, text: "a\"b\\c\n\t\r$x ${y} é\x00😀"},
		{v: Duration(90 * time.Minute), notation: "1h30m"},
		{v: Duration(0), notation: "0s"},
		{v: Duration(-(7*24*time.Hour + 1)), notation: "-7d1ns"},
		{v: Duration(1500 * time.Millisecond), notation: "1s500ms"},
		{v: Time(1893456000000000000), notation: `Time("2030-01-01T00:00:00Z")`, text: "2030-01-01T00:00:00Z"},
		{v: Time(1893456000500000000), notation: `Time("2030-01-01T00:00:00.5Z")`, text: "2030-01-01T00:00:00.5Z"},
		{v: List(Int(1), String("x"), Nil), notation: `[1, "x", nil]`},
		{v: Tuple(Int(1), mustDecimal("2")), notation: `(1, Decimal(2))`},
		{v: NewRecord([]string{"a", "b c", "if", ""}, []Value{Int(1), Int(2), Int(3), Int(4)}), notation: `{ a: 1, "b c": 2, if: 3, "": 4 }`},
		{v: NewRecord(nil, nil), notation: "{}"},
		{v: NewVariant(&Variant{Name: "Some", Fields: []Value{Int(3)}}), notation: "Some(3)"},
		{v: NewVariant(&Variant{Name: "Approved", Names: []string{"by"}, Fields: []Value{String("x")}}), notation: `Approved(by: "x")`},
		{v: NewVariant(&Variant{Name: "None"}), notation: "None"},
		{v: NewFunc(&Func{Name: "progress"}), notation: "fn progress"},
		{v: NewFunc(&Func{}), notation: "fn(…)"},
		{v: NewHandle(Handle{Type: "PurchaseOrder", ID: "PurchaseOrder-1"}), notation: `PurchaseOrder("PurchaseOrder-1")`},
	}
}

func TestNotation(t *testing.T) {
	for _, f := range forms() {
		require.Equal(t, f.notation, f.v.String())
		if f.text == "" {
			f.text = f.notation
		}
		require.Equal(t, f.text, f.v.Text())
		require.Equal(t, "x"+f.text, string(f.v.AppendText([]byte("x"))))
	}
}

// A notation is one line of valid UTF-8, and different values look different.
func TestNotationSane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genValue(3).Draw(t, "a"), genValue(3).Draw(t, "b")
		s := a.String()
		require.True(t, utf8.ValidString(s))
		require.NotContains(t, s, "\n")
		if s == b.String() && !strings.Contains(s, "(\"") { // handles of entities and workflows look alike
			require.True(t, Equal(a, b), "%s", s)
		}
	})
}

// The conversions read what Text writes.
func TestTextReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := genScalar().Draw(t, "value")
		back := map[Kind]func(Value) (Value, error){KindInt: ToInt, KindDecimal: ToDecimal, KindFloat: ToFloat, KindDuration: ToDuration, KindTime: ToTime, KindString: ToText}[v.Kind()]
		if back == nil {
			return
		}
		got, err := back(String(v.Text()))
		require.NoError(t, err)
		require.Equal(t, v.String(), got.String())
	})
}

func TestShort(t *testing.T) {
	v := List(String("alpha"), String("beta"), Int(12345))
	require.Equal(t, `["alpha", "beta", 12345]`, v.Short(24))
	require.Equal(t, `["alpha", "…ta", 12345]`, v.Short(23))
	require.Equal(t, `["…5]`, v.Short(5))
	require.Equal(t, "…", v.Short(1))
	huge := List(String(strings.Repeat("é", 1<<17)), Int(1))
	require.Equal(t, `["éééééé…`, huge.Short(9))
	rapid.Check(t, func(t *rapid.T) {
		v, n := genValue(3).Draw(t, "value"), rapid.IntRange(1, 80).Draw(t, "n")
		s := v.Short(n)
		require.LessOrEqual(t, utf8.RuneCountInString(s), n)
		if full := v.String(); utf8.RuneCountInString(full) <= n {
			require.Equal(t, full, s)
		}
	})
}

func TestParseDuration(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"1h30m": 90 * time.Minute, "150ms": 150 * time.Millisecond, "7d": 168 * time.Hour, "-2s": -2 * time.Second, "0s": 0,
		"1d2h3m4s5ms6us7ns":            26*time.Hour + 3*time.Minute + 4*time.Second + 5006007,
		"9223372036854775807ns":        1<<63 - 1,
		"-106751d23h47m16s854775808ns": -1 << 63,
	} {
		got, err := ParseDuration(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got)
	}
	for _, in := range []string{"", "-", "5", "h", "1x", "1m1h", "1s1s", "1.5h", " 1s", "1s ", "+1s", "1 s", "1sm"} {
		_, err := ParseDuration(in)
		require.Error(t, err, in)
		require.Equal(t, CodeFormat, err.(*Error).Code, in)
	}
	for _, in := range []string{"106752d", "9223372036854775808ns", "99999999999999999999s"} {
		_, err := ParseDuration(in)
		require.Error(t, err, in)
		require.Equal(t, CodeOverflow, err.(*Error).Code, in)
	}
}
