package stdlib_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
)

var errRoom = errors.New("no room")

// tight is a caller that allows little, so that nothing large is made.
type tight struct{ room, work int }

func (c *tight) Call(fn value.Value, args []value.Value) (value.Value, error) {
	if f, isFunc := fn.AsFunc(); !isFunc || f.Name == "fail" {
		return value.Nil, errors.New("it failed")
	}
	if c.work -= 1; c.work < 0 {
		return value.Nil, errRoom
	}
	return args[0], nil
}

func (c *tight) Hold(n int) error {
	if c.room -= n; n < 0 || c.room < 0 {
		return errRoom
	}
	return nil
}

func (c *tight) Spend(n int) error {
	if c.work -= n; c.work < 0 {
		return errRoom
	}
	return nil
}

// anything draws values of all kinds, unusual ones among them.
func anything() *rapid.Generator[value.Value] {
	decimal := func(s string) value.Value { v, _ := value.ToDecimal(value.String(s)); return v }
	leaf := rapid.OneOf(
		rapid.Map(rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, 1, -1, 2, 7, math.MaxInt64, math.MinInt64})), value.Int),
		rapid.Map(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "day", "[a-z]+", "(a)|(?<n>b)", "{{a}}", "{{#a}}x{{/a}}", "* * * * *", "0 0 31 2 *", "Europe/Berlin", "yyyy-MM-dd", "a.b[0]",
			"https://x.org/?a=1", "{\"a\": [1]}", "PT1H", "half_even", "html", "%zz", "2030-01-01"})), value.String),
		rapid.SampledFrom([]value.Value{value.Nil, value.Bool(true), value.Bool(false), value.Float(1.5), value.Float(-1e300), decimal("12.50"), decimal("-0.001"), decimal("1e300"), value.Unit,
			value.Duration(0), value.Duration(1), value.Duration(math.MinInt64), value.Time(0), value.Time(math.MaxInt64), value.Time(math.MinInt64),
			value.NewFunc(&value.Func{Name: "first"}), value.NewFunc(&value.Func{Name: "fail"}), value.NewHandle(value.Handle{Type: "W", ID: "1"})}),
	)
	nested := func(in *rapid.Generator[value.Value]) *rapid.Generator[value.Value] {
		return rapid.OneOf(in, in,
			rapid.Map(rapid.SliceOfN(in, 0, 4), func(vs []value.Value) value.Value { return value.List(vs...) }),
			rapid.Map(rapid.SliceOfN(in, 2, 3), func(vs []value.Value) value.Value { return value.Tuple(vs...) }),
			rapid.Map(rapid.SliceOfN(in, 1, 1), func(vs []value.Value) value.Value { return value.NewVariant(&value.Variant{Name: "Ok", Fields: vs}) }),
			rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "type", "items", "properties", "anyOf", "$ref", "enum", "format", "minLength"}), in, 0, 4), record))
	}
	return nested(nested(leaf))
}

func record(m map[string]value.Value) value.Value {
	var keys []string
	var vals []value.Value
	for _, k := range []string{"a", "b", "type", "items", "properties", "anyOf", "$ref", "enum", "format", "minLength"} {
		if v, has := m[k]; has {
			keys, vals = append(keys, k), append(vals, v)
		}
	}
	return value.NewRecord(keys, vals)
}

// suited draws a value of the kind that a parameter wants, most of the time.
func suited(t *rapid.T, p program.BuiltinParam) value.Value {
	v := anything().Draw(t, p.Name)
	want := map[program.Base]value.Kind{program.IntType: value.KindInt, program.StringType: value.KindString, program.ListType: value.KindList, program.MapType: value.KindRecord,
		program.TimeType: value.KindTime, program.DurationType: value.KindDuration, program.DecimalType: value.KindDecimal, program.FuncType: value.KindFunc}
	if k, known := want[p.Type.Base]; known {
		for range 12 {
			if v.Kind() == k || p.Optional && v.IsNil() {
				break
			}
			v = anything().Draw(t, p.Name)
		}
	}
	return v
}

// TestNothingPanics calls every pure function with all kinds of values: it gives
// a value that is whole, or an error in words.
func TestNothingPanics(t *testing.T) {
	for _, b := range stdlib.Table() {
		if b.Fn == nil {
			continue
		}
		t.Run(b.FullName(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				args := make([]value.Value, len(b.Params))
				for i, p := range b.Params {
					args[i] = suited(t, p)
				}
				before := value.List(args...).String()
				v, err := b.Fn(&tight{room: 1 << 20, work: 20_000}, args)
				switch {
				case value.List(args...).String() != before:
					t.Fatalf("an argument was changed: %s", before)
				case err == nil && !utf8.ValidString(v.String()):
					t.Fatalf("a broken text: %q", v.String())
				case err == nil && v.Size() > 4<<20:
					t.Fatalf("%d bytes were made and not asked for", v.Size())
				case err != nil && strings.Contains(err.Error(), "%!(EXTRA"), err != nil && strings.Contains(err.Error(), "(MISSING)"):
					t.Fatalf("a badly made message: %s", err)
				}
			})
		})
	}
}
