package parser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wf-lang/wf/lang/source"
)

// What is said about malformed sources: the code and place of every message,
// in order.
var errorCases = []struct {
	name, source string
	want         string // "WF1102@1:5 WF…"
}{
	// characters, numbers, strings
	{"unknown character", "let x = 1\nlet y = x @ 2", "WF1001@2:11"},
	{"one message for a character and what it breaks", "let y = @", "WF1001@1:9"},
	{"hexadecimal", "f(0x1F, 2)", "WF1005@1:3"},
	{"leading zero", "let x = 007", "WF1005@1:9"},
	{"underscore at the end", "let x = 1_", "WF1005@1:9"},
	{"unknown unit", "sleep(10sec)", "WF1006@1:7"},
	{"units in the wrong order", "sleep(3m1h)", "WF1006@1:7"},
	{"unit twice", "sleep(3m3m)", "WF1006@1:7"},
	{"fraction of a unit", "sleep(1.5h)", "WF1007@1:7"},
	{"bidi in a comment", "a // x\u202e\nb", "WF1004@1:7"},
	{"control character", "a\x00b\nc", "WF1002@1:2"},
	{"bytes that are no text", "let a = \"\xff\xfe\"\nlet b = 1", "WF1003@1:10"},
	{"too large", "let x = 99999999999999999999\nlet y = 300000d", "WF1008@1:9 WF1008@2:9"},
	{"bad escape", `let x = "a\qb"`, "WF1009@1:11"},
	{"lone surrogate", `let x = "\ud800"`, "WF1009@1:10"},
	{"unclosed string costs its line", "let x = \"abc\nlet y = }\nz", "WF1010@1:9 WF1102@2:9"},
	{"unclosed string in a call", "f(\"abc)\ng(1)", "WF1010@1:3"},
	{"unclosed interpolation", "let x = \"a ${b\nlet y = 1", "WF1010@1:9"},
	{"unclosed string in an interpolation", "let x = \"a ${f(\"b)} c\nlet y = 1", "WF1010@1:16"},
	{"unclosed raw string", "let x = \"\"\"abc\nlet y = }\n", "WF1011@1:9 WF1102@2:9"},
	{"unclosed comment", "let x = 1 /* a\nlet y = }\n", "WF1012@1:11 WF1102@2:9"},
	{"unclosed interpolation in a raw string", "let x = \"\"\"\n a ${b\n c\n \"\"\"\nlet y = }", "WF1018@2:4 WF1102@5:9"},

	{"unclosed string that swallows a {", "fn f() {\n  if x == \"abc {\n    g()\n  }\n  h()\n}\nlet y = }", "WF1010@2:11 WF1102@7:9"},
	{"unclosed string that swallows a }", "fn f() {\n  if c { g(\"abc) }\n  h()\n}\nlet y = )", "WF1010@2:12 WF1206@5:9"},

	// E4 operand missing
	{"value missing", "fn f() { x = }\nlet y = 1", "WF1102@1:14"},
	{"value missing, next line closes", "fn f() {\n x = 1 +\n}\nlet y = 1", "WF1102@2:9"},
	{"emit without event", "fn f() { emit }", "WF1132@1:15"},
	{"value missing before a member", "workflow W {\n state x =\n step a { 1 }\n}", "WF1102@2:11"},
	{"else without if", "a\nelse b", "WF1102@2:1"},
	{"argument missing", "f(1, + 2)", "WF1102@1:6"},

	// E5 two operands
	{"two operands", "let x = a b\nlet y = }", "WF1103@1:11 WF1102@2:9"},
	{"misspelt emit", "step_x\nemitt Foo()", "WF1103@2:1"},
	{"workflow without spawn", "let t = Transfer { amount: 1 }", "WF1104@1:18"},
	{"spawn without fields", "let t = spawn W\nlet u = 1", "WF1105@1:16"},

	// E6 =
	{"= in a condition", "if a = b { f() }", "WF1106@1:6"},
	{"= in a named argument", "f(a = 1)", "WF1108@1:5"},
	{"= in a record", "let r = { a: 1, b = 2 }", "WF1108@1:19"},
	{"+= in a condition", "if a += b { f() }", "WF1202@1:4"},

	// E7 comma missing
	{"comma missing in a call", "f(a b, c)", "WF1111@1:4"},
	{"comma missing in a list", "let x = [1 2\n 3, 4]", "WF1111@1:11"},
	{"comma missing in a record", "let r = { a: 1 b: 2 }", "WF1111@1:15"},

	// E8, E9
	{"comma between statements", "let x = { a, b }", "WF1112@1:12"},
	{"call and record in a block", "let x = { f(), { a: 1 } }", "WF1112@1:14"},
	{"record for a block", "if c { a: 1 }\nlet y = }", "WF1114@1:6 WF1102@2:9"},
	{"record for a body", "fn f() { \"a\": 1 }", "WF1114@1:8"},

	// E10 misspelt
	{"misspelt member", "workflow W {\n stpe c { x = }\n step d { 1 }\n}", "WF1301@2:2"},
	{"misspelt member keeps its body", "workflow W {\n stpe c {\n  x = }\n step d { 1 }\n}", "WF1301@2:2 WF1102@3:7"},
	{"misspelt declaration", "worklow A {\n step a { 1 }\n}\nlet y = 1", "WF1301@1:1"},
	{"statement among members", "workflow W {\n self.x = 1\n step d { 1 }\n}", "WF1302@2:2"},

	// E11 { missing
	{"{ missing after a step", "workflow W {\n step a\n  f()\n }\n step b { g() }\n}", "WF1202@2:7"},
	{"{ missing after a condition", "fn f() {\n if a\n  b()\n }\n c()\n}", "WF1202@2:5"},
	{"body missing", "fn f() {\n if a\n b()\n}", "WF1202@2:5"},
	{"{ missing after match", "fn f() {\n  match x\n    1 => a\n    2 => b\n  }\n}", "WF1202@2:9"},

	// E12 } missing
	{"} missing in a step", "workflow W {\n step a {\n  f()\n step b { g() }\n}\nlet y = 1", "WF1201@3:6"},
	{"} missing in an if", "workflow W {\n  step a {\n    if c {\n      f()\n    g()\n  }\n  step b { h() }\n}", "WF1201@4:10"},
	{"} missing at the end", "workflow W {\n  step a {\n    f()\n  }\n", "WF1201@4:4"},
	{"} missing without indentation", "workflow W {\nstep a {\nf()\nstep b {\ng()\n}\n}\nlet y = 1", "WF1201@4:1"},
	{"} missing before a workflow", "workflow V {\n  step a { 1 }\n\nworkflow W {\n  step a { 1 }\n}\n", "WF1201@2:15"},
	{"} missing in a record", "f([{ a: 1, b: 2 ])\nlet y = 1", "WF1201@1:17"},

	// E13 } too many
	{"} too many", "fn f() { 1 }\n}\nlet y = 1", "WF1203@2:1"},
	{"} too many in a workflow", "workflow W {\n  step a { 1 } }\n  step b { 2 }\n}", "WF1203@2:16"},
	{"workflow closed too early", "workflow W {\nstep a { 1 } }\nstep b { 2 }\nstep c { 3 }\n}\nlet x = 1", "WF1204@3:1"},
	{"member outside", "step a { 1 }\nlet x = 1", "WF1303@1:1"},

	// E14 ) missing
	{") missing", "let x = f(1, 2\nlet y = }", "WF1205@1:14 WF1102@2:9"},
	{") missing in a condition", "if f(x { g() }\nlet y = }", "WF1205@1:6 WF1102@2:9"},
	{"] missing", "let x = [1, 2\nlet y = 2", "WF1205@1:13"},
	{") too many", "let x = f(1))\nlet y = 2", "WF1206@1:13"},
	{"] in place of )", "fn f() {\n  g(1]\n  h()\n}", "WF1205@2:5"},

	// E15 clauses
	{"clause before the step", "workflow W {\n retry 3 step a { 1 }\n}", "WF1304@2:2"},
	{"clause behind the body", "workflow W {\n step a { 1 } retry 3\n step b { 2 }\n}", "WF1304@2:15"},
	{"unknown clause", "workflow W {\n step a fast { 1 }\n}", "WF1305@2:9"},
	{"misspelt clause", "workflow W {\n step a retyr 3 timeout 1s { 1 }\n}", "WF1305@2:9"},
	{"timeout without a value", "workflow W {\n timeout { 1 }\n step b { 1 }\n}\n", "WF1102@2:10"},
	{"timeout at the end", "workflow W {\n timeout", "WF1102@2:9"},
	{"parallel without a number", "workflow W {\n parallel first { step b { x = } }\n parallel for x in { step b { 1 } }\n parallel for x in xs max { step b { 1 } }\n}\n", "WF1102@2:17 WF1102@3:20 WF1102@4:27"},
	{"clause without a value", "workflow W {\n step a retry { x = }\n}", "WF1102@2:15"},

	// E16, E17
	{"reserved name", "let match = 1\nfn if(x) { x }\nfn f(for) { 1 }", "WF1133@1:5 WF1133@2:4 WF1133@3:6"},
	{"generic type", "type A = List<Int>\nfn f(m: Map<String, Int>) { m }", "WF1131@1:14 WF1131@2:12"},
	{"numbered field", "let a = t.0 + t.1", "WF1118@1:10"},
	{"# comment", "a # b c d\nb", "WF1015@1:3"},
	{"single quotes", "let a = 'x y'", "WF1017@1:9"},
	{"&", "let a = b & c\nlet d = b &&& c", "WF1016@1:11 WF1016@2:11"},
	{"and, or", "let a = b and c or d", "WF1122@1:11"},
	{"elif", "if a { 1 } elif b { 2 } else { 3 }", "WF1122@1:12"},
	{"else without braces", "if a { 1 } else 2", "WF1123@1:17"},
	{"def", "def f(x) { x }\nconst y = 1", "WF1122@1:1 WF1122@2:1"},
	{"===", "let a = b === c", "WF1122@1:11"},
	{"arrow function", "let f = (x) => x + 1", "WF1119@1:13"},
	{"ternary", "let x = a ? 1 : 2", "WF1120@1:11"},

	// E18
	{"too deep", "let x = " + strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300) + "\nlet y = }", "WF1127@1:259 WF1102@2:9"},
	{"chain too long", "let x = 1" + strings.Repeat("+1", 600) + "\nlet y = }", "WF1128@1:1010 WF1102@2:9"},

	// patterns, selects, heads
	{"pattern", "match x {\n  1 + 2 => a\n  2 => ,\n  3 => c\n}", "WF1101@2:5 WF1102@3:8"},
	{"string with interpolation as a pattern", "match x { \"a${b}\" => 1 }", "WF1129@1:11"},
	{"select", "select {\n  foo(x) => 1\n  after => 2\n  after 3s => 4\n}", "WF1125@2:3 WF1102@3:9"},
	{"name missing", "workflow {\n step { 1 }\n}", "WF1132@1:10 WF1132@2:7"},
	{"result without its arrow", "fn f(a) Int { a }\nfn g(a): Int { a }\nlet y = }", "WF1101@1:9 WF1122@2:8 WF1102@3:9"},
	{"words behind the name of a workflow", "workflow W extends V { step a { x = } }", "WF1101@1:12"},
	{"default value", "fn f(a = 1) { a }", "WF1135@1:8"},
	{"for without in", "for x of xs { f(x) }", "WF1101@1:7"},
	{"type without =", "type A Int", "WF1101@1:8"},
	{"let in a tuple", "(let x = 1, x)", "WF1117@1:11"},
	{"try without catch", "try { a }\nlet b = 1", "WF1101@1:10"},
}

func TestErrors(t *testing.T) {
	for _, c := range errorCases {
		t.Run(c.name, func(t *testing.T) {
			file := source.NewFile("case.wf", c.source)
			tree, diags := Parse(file, 0)
			assert.NotNil(t, tree)
			var got []string
			for _, d := range diags {
				p := file.Position(d.Span.Start)
				got = append(got, fmt.Sprintf("%s@%d:%d", d.Code, p.Line, p.Column))
			}
			assert.Equal(t, c.want, strings.Join(got, " "), show(file, diags))
		})
	}
}
