package parser_test

import (
	"strings"
	"testing"

	"github.com/wf-lang/wf/parser"
)

// What a prompt has to know: does the text go on?
func TestIncomplete(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "   ": false, "1 + 2": false, "let x = 3": false, "// a remark": false, "x": false, "\x00\xff": false,
		"1 +": true, "1 +\n": true, "let x =": true, "let": true, "f(1,": true, "f(1,\n2": true, "f(1,\n2)": false, "[1, 2": true,
		"{ a: 1": true, "{ a: 1 }": false, "workflow W {": true, "workflow W": true, "workflow W {\n  step a {": true,
		"workflow W {\n  step a {\n  }": true, "workflow W {\n  step a { 1 }\n}": false, "workflow W { stp a { 1 ": true, "workflow W { stp a { 1 } }": false,
		"fn f(a)": true, "fn f(a) =": true, "if x": true, "if x {": true, "if x { 1 }": false, "if x { 1 } else": true, "match x {": true,
		"x |>": true, "x =": true, "perform": true, "perform IO.": true, "spawn W {": true, "ask t": true, "ask t.": true,
		`"""`: true, "\"\"\"\nabc": true, "\"\"\"\nabc\n\"\"\"": false, "/* a": true, "/* a */ 1": false, `"abc`: false, `"a ${x`: false,
		"foo(1]": false, ")": false, "}": false, "f(1))": false, "f(}": false, "let x = ]": false, "1 2": false, "let = 3": false,
		"try { 1 }": true, "let x = 1 in": true, "type T =": true, "for x in": true, "x +\n// and": true, "Order {}": false, "1 == 1 == 1": false,
		"x = = 2": false, "5 min": false, "workflow w {}": false, "a ?? b + 1": false, "x++": false, "x--": true, "x;": false, "x,": false, "if x = 1 {}": false,
		"x == 1 and y": false, "'abc'": false, "x ? 1 : 2": false, "spawn Order": true, "x.1": false, "12abc": false, "1.": true, "@": false, strings.Repeat("(", 1000): false,
	} {
		if got := parser.Incomplete(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
