package stdlib_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/heaptest"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/stdlib"
)

// bombs are scripts that would take far more memory or time than they may.
// Their faults are those of a used-up limit (memory, fuel, depth), which no try
// catches, or of a bound of the function's own.
var bombs = []struct{ name, code, script string }{
	{"repeat", "memory", `String.repeat("x", 1_000_000_000)`},
	{"repeat much", "memory", `String.repeat("x", 9223372036854775807)`},
	{"repeat long", "memory", `String.repeat(String.repeat("x", 10_000_000), 10_000_000)`},
	{"pad left", "memory", `String.pad_left("x", 1_000_000_000)`},
	{"pad right", "memory", `String.pad_right("x", 9223372036854775807, "ä")`},
	{"split into characters", "memory", `String.to_list(String.repeat("x", 10_000_000))`},
	{"split at commas", "memory", `String.split(String.repeat(",", 10_000_000), ",")`},
	{"lines", "memory", `String.lines(String.repeat("\n", 10_000_000))`},
	{"words", "memory", `String.words(String.repeat("a ", 5_000_000))`},
	{"replace grows", "memory", `String.replace(String.repeat("x", 1_000_000), "x", String.repeat("y", 1_000_000))`},
	{"join grows", "memory", `List.join(List.repeat("", 100_000), String.repeat("y", 1_000_000))`},
	{"range", "memory", `List.range(0, 1_000_000_000_000)`},
	{"range of all", "memory", `List.range(-9223372036854775807, 9223372036854775807)`},
	{"range downwards", "memory", `List.range(9223372036854775807, -9223372036854775807, -1)`},
	{"list repeat", "memory", `List.repeat(1, 1_000_000_000)`},
	{"list repeat large", "memory", `List.repeat(List.range(1, 100_000), 100_000)`},
	{"map to large", "memory", `List.map(List.range(1, 100_000), fn(i) = String.repeat("x", 1_000_000))`},
	{"map to large lists", "memory", `List.range(1, 100_000) |> List.map(fn(i) = List.range(1, 100_000))`},
	{"flat map", "memory", `List.range(1, 100_000) |> List.flat_map(fn(i) = List.range(1, 100_000))`},
	{"flatten", "memory", `List.flatten(List.repeat(List.range(1, 100), 100_000))`},
	{"keys to sort by", "memory", `List.sort_by(List.range(1, 100_000), fn(i) = String.repeat("x", 1_000_000))`},
	{"keys to group by", "memory", `List.group_by(List.range(1, 100_000), fn(i) = String.repeat("x", 1_000_000) + String(i))`},
	{"keys to be unique by", "memory", `List.unique_by(List.range(1, 100_000), fn(i) = [i, String.repeat("x", 1_000_000)])`},
	{"zip", "memory", `let xs = List.range(1, 600_000) in List.zip(xs, xs)`},
	{"map values", "memory", `Record.map_values(List.to_record(List.map(List.range(1, 10_000), fn(i) = (String(i), i))), fn(i) = String.repeat("x", 1_000_000))`},
	{"maps in maps", "memory", `fn deep(n) = List.map([1, 2], fn(x) = if x == 1 then String.repeat("x", 1_000_000) else if n == 0 then "" else String(deep(n - 1)))
deep(100)`},
	{"fold doubling", "memory", `List.fold(List.range(1, 100), "x", fn(s, i) = s + s)`},
	{"nested JSON", "depth", `Json.parse(String.repeat("[", 1_000_000))`},
	{"nested JSON that ends", "depth", `Json.parse(String.repeat("[", 20_000) + String.repeat("]", 20_000))`},
	{"JSON of many lists", "memory", `Json.parse("[" + String.repeat("[],", 3_000_000) + "[]]")`},
	{"JSON of many numbers", "memory", `Json.parse("[" + String.repeat("1,", 5_000_000) + "1]")`},
	{"JSON of a huge number", "overflow", `Json.parse("1e1000000000")`},
	{"JSON of a long number", "overflow", `Json.parse(String.repeat("9", 1_000_000))`},
	{"JSON pretty", "memory", `fn nest(n) = if n == 0 then [] else [nest(n - 1)]
List.range(1, 2_000) |> List.map(fn(i) = nest(300)) |> Json.pretty(16)`},
	{"Decimal of a huge exponent", "overflow", `Decimal("1e1000000000")`},
	{"Decimal of a tiny exponent", "overflow", `Decimal("1e-1000000000")`},
	{"Decimal scale", "range", `Decimal.round(1.5, 1_000_000_000)`},
	{"Decimal split", "range", `Decimal.split(100.00, 1_000_000_000)`},
	{"Decimal power", "overflow", `Math.pow(1.1, 1_000_000_000)`},
	{"Float power", "overflow", `Math.pow(10e0, 1_000_000_000)`},
	{"Int power", "overflow", `Math.pow(10, 1_000_000_000)`},
	{"negative power", "overflow", `Math.pow(1.7, -1_000_000_000)`},
	{"long pattern", "range", `Regex.test("x", String.repeat("(a*)*", 1_000))`},
	{"long text for a pattern", "range", `Regex.test(String.repeat("a", 1_000_000), "(a*)*b")`},
	{"repetition in a pattern", "format", `Regex.test("x", "((a{1000}){1000}){1000}")`},
	{"slow pattern for ever", "fuel", `let text = String.repeat("a", 60_000)
while true { Regex.test(text, "(a|a?)(a|a?)(a|a?)(a|a?)(a|a?)(a|a?){100}b") }`},
	{"replacements grow", "memory", `Regex.replace(String.repeat("a", 60_000), ".*", String.repeat("$0", 400)) |> Regex.replace("^", "") |> String.repeat(10)`},
	{"replace with", "memory", `Regex.replace_with(String.repeat("a", 60_000), "a", fn(x) = String.repeat("x", 100_000))`},
	{"template", "fuel", `let xs = List.range(1, 1_000) in Template.render("{{#xs}}{{#xs}}{{#xs}}x{{/xs}}{{/xs}}{{/xs}}", { xs: xs })`},
	{"template without output", "fuel", `let xs = List.range(1, 1_000) in Template.render("{{#xs}}{{#xs}}{{#xs}}{{/xs}}{{/xs}}{{/xs}}", { xs: xs })`},
	{"template of large values", "memory", `Template.render(String.repeat("{{x}}", 1_000), { x: String.repeat("x", 1_000_000) })`},
	{"deep template", "format", `Template.render(String.repeat("{{#a}}", 100_000), { a: 1 })`},
	{"schema", "schema", `var s = { type: "integer" }
for i in List.range(1, 13) { s = { anyOf: [s, s] } }
Schema.check("x", s)`},
	{"schema for ever", "fuel", `var s = { type: "integer" }
for i in List.range(1, 15) { s = { anyOf: [s, s] } }
while true { Schema.fits("x", s) }`},
	{"schema of itself", "schema", `Schema.check(1, { "$ref": "#" })`},
	{"sums for ever", "fuel", `let xs = List.range(1, 500_000)
while true { List.sum(xs) }`},
	{"schedules for ever", "fuel", `while true { Cron.next("0 0 30 2 *", after: Time("2030-01-01T00:00:00Z"), zone: "Europe/Berlin") }`},
	{"base64 of itself", "memory", `List.fold(List.range(1, 100), "xxxxxxxx", fn(s, i) = Base64.encode(s))`},
	{"urls of themselves", "memory", `List.fold(List.range(1, 100), "%%%%%%%%", fn(s, i) = Url.encode(s + s))`},
	{"merging", "memory", `List.fold(List.range(1, 1_000_000), {}, fn(r, i) = Record.merge(r, { ["key number ${i * 1000}"]: String.repeat("x", 1_000) }))`},
}

// TestBombs runs each bomb: it ends soon, with its fault at a place in the
// script, and without having taken much memory. What runs after it is well.
func TestBombs(t *testing.T) {
	for _, b := range bombs {
		t.Run(b.name, func(t *testing.T) {
			set := &source.Set{}
			f := source.NewFile("main.wf", b.script)
			tree, said := parser.Parse(f, set.Add(f))
			require.False(t, said.HasErrors(), said)
			p, said := checker.Check([]*ast.File{tree}, set, stdlib.Table())
			require.False(t, said.HasErrors(), said)

			var err error
			top := heaptest.Top(func() {
				_, err = interp.Run(noWorld{}, interp.Call{Fn: p.Main.Items[0].Step.Body, Program: p})
			})

			var fault *interp.Fault
			require.True(t, errors.As(err, &fault), "it came to an end: %v", err)
			require.Equal(t, b.code, fault.Code, fault.Message)
			require.False(t, fault.Span.IsZero(), "the fault has no place: %s", fault.Message)
			limit := b.code == "memory" || b.code == "fuel" || strings.Contains(b.name, "nested JSON") && fault.Final
			require.Equal(t, limit, fault.Final, fault.Message)
			require.Less(t, top, int64(128<<20), "bytes that were in use at once")
			require.Equal(t, "[2, 4]", eval(t, `List.map([1, 2], fn(x) = x * 2)`))
		})
	}
}
