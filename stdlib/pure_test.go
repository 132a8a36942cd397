package stdlib_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
)

// counting is a caller that notes what a function was called with.
type counting struct {
	calls []value.Value
	give  func(value.Value) value.Value
}

func (c *counting) Call(_ value.Value, args []value.Value) (value.Value, error) {
	c.calls = append(c.calls, args[0])
	return c.give(args[0]), nil
}
func (c *counting) Hold(int) error  { return nil }
func (c *counting) Spend(int) error { return nil }

func builtin(t *testing.T, name string) *program.Builtin {
	t.Helper()
	all := stdlib.Table()
	i := slices.IndexFunc(all, func(b *program.Builtin) bool { return b.FullName() == name })
	require.GreaterOrEqual(t, i, 0, name)
	return all[i]
}

// TestC59KeysAreCalledOnceInOrder: the key function is called exactly once for
// each element, in their order, and equal keys keep theirs.
func TestC59KeysAreCalledOnceInOrder(t *testing.T) {
	for _, name := range []string{"List.sort_by", "List.group_by", "List.unique_by", "List.min_by", "List.max_by", "List.index_by", "List.count_by", "List.map"} {
		b := builtin(t, name)
		xs := make([]value.Value, 500)
		for i := range xs {
			xs[i] = value.Int(int64(i * 37 % 500))
		}
		c := &counting{give: func(v value.Value) value.Value { n, _ := v.AsInt(); return value.Int(n % 3) }}
		args := []value.Value{value.List(xs...), value.NewFunc(&value.Func{Name: "key"})}
		for range b.Params[2:] {
			args = append(args, value.Nil)
		}
		out, err := b.Fn(c, args)
		require.NoError(t, err)
		require.Equal(t, xs, c.calls, name)
		if name != "List.sort_by" {
			continue
		}
		last := map[int64]int{}
		sorted, _ := out.AsList()
		require.Len(t, sorted, 500)
		key := int64(0)
		for _, x := range sorted {
			n, _ := x.AsInt()
			require.GreaterOrEqual(t, n%3, key)
			key = n % 3
			at := slices.Index(xs, x)
			require.GreaterOrEqual(t, at, last[key], "an element with an equal key has moved before it")
			last[key] = at
		}
	}
}

// Texts count characters, and no text that comes out is broken.
func TestTextsAreWhole(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "añb", "日本語", "e\u0301x", "👩‍👩‍👧", "a\x00b"}))
	cut := []string{"slice", "truncate", "pad_left", "reverse", "to_list", "split", "title", "capitalize", "upper", "lower", "replace"}
	rapid.Check(t, func(t *rapid.T) {
		s := value.String(texts.Draw(t, "text"))
		n, m := value.Int(int64(rapid.IntRange(-5, 9).Draw(t, "n"))), value.Int(int64(rapid.IntRange(-5, 9).Draw(t, "m")))
		part := value.String(texts.Draw(t, "part"))
		args := map[string][]value.Value{
			"slice": {s, n, m}, "truncate": {s, n, value.Nil}, "pad_left": {s, n, value.Nil}, "reverse": {s}, "to_list": {s}, "split": {s, part, value.Nil},
			"title": {s}, "capitalize": {s}, "upper": {s}, "lower": {s}, "replace": {s, part, part, value.Nil},
		}
		all := stdlib.Table()
		for _, name := range cut {
			i := slices.IndexFunc(all, func(b *program.Builtin) bool { return b.FullName() == "String."+name })
			out, err := all[i].Fn(&counting{}, args[name])
			if err == nil && !utf8.ValidString(out.String()) {
				t.Fatalf("String.%s(%v) is %q", name, args[name], out.String())
			}
		}
	})
}

func TestPure(t *testing.T) {
	evalAll(t, []struct{ expr, want string }{
		// C57: 64 bits are exact, more are refused.
		{`Json.encode(Json.parse("7615917337495251231"))`, `"7615917337495251231"`},
		{`Json.parse("76159173374952512310")`, `overflow: the number 76159173374952512310 does not fit an Int (-9223372036854775808 to 9223372036854775807)`},
		{`Json.encode(Json.parse("0.1000000000000000055511151231257827021181583404541015625"))`, `"0.1000000000000000055511151231257827021181583404541015625"`},
		{`Json.parse("{\"a\": 1, \"a\": 2}")`, `format: invalid JSON at byte 16: the field "a" stands there twice`},
		{`Json.encode(fn(x) = x)`, `not_data: a function cannot be written as JSON`},
		{`Json.pretty({ a: "x,{[\"]}", b: {}, c: [] }, 1)`, `"{\n \"a\": \"x,{[\\\"]}\",\n \"b\": {},\n \"c\": []\n}"`},
		{`Json.get({ a: 1 }, "a..b")`, `format: Json.get: "a..b" is no path: write it like items[0].sku or ["a b"].c`},
		{`Json.get([1, 2], "1")`, `2`},
		{`Json.get({ a: nil }, "a", 7)`, `7`},
		{`List.sort([3, "a"])`, `type: cannot compare String and Int`},
		{`List.sort([])`, `[]`},
		{`List.slice([1, 2, 3], 2, 1)`, `[]`},
		{`List.slice([1, 2, 3], -100, 100)`, `[1, 2, 3]`},
		{`List.take([1], -1)`, `range: List.take: the count may not be negative, and it is -1`},
		{`List.chunk([1], 0)`, `range: List.chunk: the size must be at least 1, and it is 0`},
		{`List.chunk([], 3)`, `[]`},
		{`List.range(9223372036854775806, 9223372036854775807)`, `[9223372036854775806, 9223372036854775807]`},
		{`List.range(5, 5, -1)`, `[5]`},
		{`List.range(1, 2, 0)`, `range: List.range: a step of 0 leads nowhere`},
		{`List.average([])`, `range: List.average: an empty list has no average`},
		{`List.max([])`, `nil`},
		{`List.index_of([1.0, 2], 2.00)`, `1`},
		{`List.group_by([1, 2, 3], fn(n) = n % 2)`, `{ "1": [1, 3], "0": [2] }`},
		{`List.to_record([("a", 1), ("a", 2)])`, `{ a: 2 }`},
		{`List.to_record([any(1)])`, `type: List.to_record needs pairs of a name and a value, and this is an Int`},
		{`List.remove_at([1], 1)`, `index: List.remove_at: there is no index 1: the list has length 1`},
		{`List.unique([{ a: 1, b: 2 }, { b: 2.0, a: 1 }])`, `[{ a: 1, b: 2 }]`},
		{`List.repeat("x", any("y"))`, "type: List.repeat needs an Int for `count`, and this is a String"},
		{`List.map(["a"], String.upper)`, `["A"]`},
		{`String.slice("日本語", 1, 2)`, `"本"`},
		{`"日本語".length == String.to_list("日本語").length`, `true`},
		{`String.pad_left("日本", 4, "本")`, `"本本日本"`},
		{`String.pad_left("x", 4, "ab")`, `range: String.pad_left: the fill is one character, and it is "ab"`},
		{`String.replace("aaa", "", "x")`, `range: String.replace: the empty text occurs everywhere`},
		{`String.truncate("abcdef", 0)`, `""`},
		{`String.lines("")`, `[]`},
		{`String.title("o'neil's éclair")`, `"O'neil's Éclair"`},
		{`String.format_number(-1234.5)`, `"-1,234.5"`},
		{`String.format_number(1e3)`, `"1,000"`},
		{`String.format_bytes(-9223372036854775807)`, `"-8.0 EiB"`},
		{`Record.merge({ a: 1 }, any([]))`, "type: Record.merge needs a record for `other`, and this is a list"},
		{`Record.get({ a: nil }, "a", 1)`, `nil`},
		{`Math.clamp(1, 3, 2)`, `range: Math.clamp: the least, 3, is above the most, 2`},
		{`Math.pow(2, -1)`, `range: Math.pow: a negative exponent has no Int as its result: write the base as a Decimal, 2.0`},
		{`Math.pow(0.0, -1)`, `division_by_zero: cannot divide Decimal(1) by zero`},
		{`Math.pow(2, 63)`, `overflow: Math.pow: 2 to the power of 63 does not fit an Int`},
		{`Math.round(1e300)`, `overflow: 1e300 does not fit an Int`},
		{`Math.round(2.675e0, 2)`, `2.68e0`},
		{`Math.sqrt(-1)`, `range: Math.sqrt: a negative number has no square root`},
		{`Decimal.round(any(2.5e0))`, `type: Decimal.round needs a Decimal, and this is a Float`},
		{`Decimal.round(2.5, 0, "odd")`, `range: Decimal.round: there is no way of rounding called "odd"; there are half_even, half_up, half_down, up, down, floor, ceil`},
		{`Decimal.split(10.005, 2, 2)`, `range: Decimal.split: 10.005 has more than 2 digits after the point: round it first`},
		{`Decimal.split_by(10, [0, 0])`, `range: the weights are all zero`},
		{`Decimal.split_by(10, [1, -1])`, `range: a weight may not be negative, and one is -1`},
		{`Decimal.to_minor(1.005)`, `range: Decimal.to_minor: 1.005 has more than 2 digits after the point: round it first`},
		{`Decimal.format(0.005, currency: "€")`, `"€0.01"`},
		{`Regex.test("x", "(")`, `format: Regex.test: the pattern "(" cannot be read: missing closing ): (`},
		{`Regex.test("x", "(?=x)")`, `format: Regex.test: the pattern "(?=x)" cannot be read: looking ahead or behind is not possible: (?=`},
		{`Regex.groups("b", "(a)|(b)")`, `[nil, "b"]`},
		{`Regex.split("abc", "")`, `["a", "b", "c"]`},
		{`Base64.decode("/w==")`, `format: Base64.decode: the bytes are no text (not UTF-8)`},
		{`Hex.decode("ff")`, `format: Hex.decode: the bytes are no text (not UTF-8)`},
		{`Url.decode("%ff")`, `format: Url.decode: the bytes are no text (not UTF-8)`},
		{`Url.decode("100%")`, `format: Url.decode: "100%" has a % that is no escape`},
		{`Url.build("https://x.org/a?b=1#c", { d: [1, 2] })`, `"https://x.org/a?b=1&d=1&d=2#c"`},
		{`Url.parse("mailto:ann@x.org?subject=hi").path`, `"ann@x.org"`},
		{`Url.parse("https://x.org/?a=%ff")`, `format: Url.parse: the bytes are no text (not UTF-8)`},
		{`Result.unwrap(Err("no"))`, `error: no`},
		{`Result.unwrap(Err({ code: "declined", message: "not today" }))`, `declined: not today`},
		{`Result.oks([Ok(1), any(2)])`, `type: Result.oks needs Ok(…) or Err(…), and this is an Int`},
	})
}
