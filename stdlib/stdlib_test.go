package stdlib_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/stdlib"
)

type noWorld struct{}

func (noWorld) Do(r interp.Request) (value.Value, error) {
	if r.Kind == interp.Perform && r.Op.FullName() == "Secret.get" {
		return value.Named("door"), nil
	}
	return value.Unit, nil
}

// eval runs a script; a fault is its code and message.
func eval(t *testing.T, text string) string {
	t.Helper()
	if contains(text, "perform Secret.get") { // a program must not give a secret back
		text = "fn result() {\n" + text + "\n}\n"
	}
	text = "fn any(x: Any) -> Any { x }\n" + text // hides a type from the checker
	set := &source.Set{}
	f := source.NewFile("main.wf", text)
	tree, said := parser.Parse(f, set.Add(f))
	if said.HasErrors() {
		t.Fatalf("%s: %v", text, said)
	}
	p, said := checker.Check([]*ast.File{tree}, set, stdlib.Table())
	if said.HasErrors() {
		t.Fatalf("%s: %v", text, said)
	}
	fn := p.Func("result")
	if fn == nil {
		fn = p.Main.Items[0].Step.Body
	}
	out, err := interp.Run(noWorld{}, interp.Call{Fn: fn, Program: p})
	var fault *interp.Fault
	if errors.As(err, &fault) {
		return fault.Code + ": " + fault.Message
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Result.String()
}

// mistakes is what the checker says of a script.
func mistakes(t *testing.T, text string) string {
	t.Helper()
	set := &source.Set{}
	f := source.NewFile("main.wf", text)
	tree, said := parser.Parse(f, set.Add(f))
	if said.HasErrors() {
		t.Fatalf("%s: %v", text, said)
	}
	_, said = checker.Check([]*ast.File{tree}, set, stdlib.Table())
	var out []string
	for _, d := range said {
		out = append(out, string(d.Code)+" "+d.Message+" "+d.Help)
	}
	return strings.Join(out, "\n")
}

func contains(s, part string) bool { return strings.Contains(s, part) }

// TestExamples evaluates the example of every built-in.
func TestExamples(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range stdlib.Table() {
		name := b.FullName()
		if seen[name] {
			t.Errorf("%s is in the table twice", name)
		}
		seen[name] = true
		if b.Doc == "" || b.Example == "" {
			t.Errorf("%s has no doc or no example", name)
		}
		if (b.Fn == nil) != (b.Effect != 0) {
			t.Errorf("%s: a function without effect has Fn, an effect has none", name)
		}
		text := b.Example
		if strings.Contains(text, "(h") { // a handle, in the examples
			text = "workflow W { step a { 1 } }\nlet h = W(\"w-1\")\n" + text
		}
		if b.Module == "Secret" {
			text = "let s = perform Secret.get(\"door\")\n" + text
		}
		got := eval(t, text)
		if strings.Contains(b.Example, " == ") && got != "true" {
			t.Errorf("%s: %s is %s", name, b.Example, got)
		}
		for _, e := range b.More {
			if got := eval(t, e); got != "true" {
				t.Errorf("%s: %s is %s", name, e, got)
			}
		}
		if b.Effect == 0 && !strings.Contains(b.Example, " == ") {
			t.Errorf("%s: the example says no value", name)
		}
	}
}

// TestEdges holds the functions against unusual and wrong arguments.
func TestEdges(t *testing.T) {
	cases := []struct{ expr, want string }{
		{`List.sum([])`, `0`},
		{`List.sum([1, 2.50])`, `3.50`},
		{`List.sum([1s, 2m])`, `2m1s`},
		{`List.sum(["a"])`, `type: List.sum needs numbers or durations, and this is a String`},
		{`List.sum([1, "a"])`, `type: List.sum needs numbers or durations, and this is a String`},
		{`List.first([])`, `nil`},
		{`List.map([], fn(x) = x)`, `[]`},
		{`List.map(any(3), fn(x) = x)`, `type: List.map needs a list, and this is an Int`},
		{`List.filter([any(1)], fn(x) = x)`, `type: the function given to List.filter must give a Bool, and gives an Int`},
		{`List.map([1], fn(x) { throw "no" })`, `error: no`},
		{`List.sort_by([(2, "a"), (1, "b"), (2, "c"), (1, "d")], fn(p) = match p { (n, _) => n })`, `[(1, "b"), (1, "d"), (2, "a"), (2, "c")]`},
		{`List.sort_by([1, "a"], fn(x) = x)`, `type: cannot compare String and Int`},
		{`List.reverse([])`, `[]`},
		{`String.join([])`, `""`},
		{`String.join([1, nil, "x"], "-")`, `"1-nil-x"`},
		{`String.split("", ",")`, `[""]`},
		{`String.split("añb", "")`, `["a", "ñ", "b"]`},
		{`String.upper(any(3))`, `type: String.upper needs a String, and this is an Int`},
		{`String.contains("a", "")`, `true`},
		{`Record.keys({})`, `[]`},
		{`Record.keys(any([]))`, `type: Record.keys needs a record, and this is a list`},
		{`Math.abs(-1h)`, `1h`},
		{`Math.abs(-2.50)`, `2.50`},
		{`Math.abs(any("a"))`, `type: Math.abs needs a number or a duration, and this is a String`},
		{`Math.abs(-9223372036854775808)`, `overflow: the negative of -9223372036854775808 does not fit an Int`},
		{`Math.max(1, 2.5)`, `2.5`},
		{`Math.min("b", "a")`, `"a"`},
		{`Secret.join("a", perform Secret.get("x"), Secret.basic("u", perform Secret.get("y")), "b", "c")`, `Secret(text "a", "door", text "Basic ", base64 Secret(text "u:", "door"), text "bc")`},
		{`Secret.join("a")`, `type: there is no secret among the parts`},
		{`Secret.bearer(any("text"))`, `type: there is no secret among the parts`},
		{`Secret.join(any(3))`, `type: Secret.join needs secrets and Strings, and this is an Int`},
		{`Secret.basic("a:b", perform Secret.get("x"))`, `bad_argument: the user of Secret.basic cannot have a colon in it`},
		{`"a" + any(perform Secret.get("x"))`, `type: cannot add String and Secret`},
		{`Math.max(1, "a")`, `type: cannot compare String and Int`},
	}
	for _, c := range cases {
		if got := eval(t, c.expr); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.expr, got, c.want)
		}
	}
}
