package checker_test

import (
	"strings"
	"testing"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/parser"
)

// outside is a session of texts that are checked, and run, one after the other.
type outside struct {
	t      *testing.T
	set    source.Set
	trees  []*ast.File // with declarations
	names  []checker.Name
	values []value.Value
}

// check reads a text and checks it behind those before it.
func (o *outside) check(text string) (*checker.Statements, diag.List) {
	o.t.Helper()
	f := source.NewFile("line", text)
	tree, said := parser.Parse(f, o.set.Add(f))
	if said.HasErrors() {
		o.t.Fatalf("syntax: %s", lines(&o.set, said))
	}
	s, said := checker.CheckOutside(append([]*ast.File{tree}, o.trees...), &o.set, checker.Options{Builtins: table()}, o.names)
	decls := &ast.File{At: tree.At}
	for _, it := range tree.Items {
		if _, isStatement := it.(*ast.Statement); !isStatement {
			decls.Items = append(decls.Items, it)
		}
	}
	o.trees = append(o.trees, decls)
	return s, said
}

// run evaluates a text that must be right and gives its value.
func (o *outside) run(text string) string {
	o.t.Helper()
	s, said := o.check(text)
	if s == nil || len(said) > 0 {
		o.t.Fatalf("%s: %s", text, lines(&o.set, said))
	}
	out, err := interp.Run(nil, interp.Call{Fn: s.Func, Args: o.values})
	if err != nil {
		o.t.Fatal(err)
	}
	v, values := s.Unpack(out.Result, o.values)
	o.names, o.values = s.Names, values
	return v.String()
}

// refuse demands one complaint about a text, and gives it.
func (o *outside) refuse(text, code string) string {
	o.t.Helper()
	s, said := o.check(text)
	if s != nil || len(said) != 1 || string(said[0].Code) != code {
		o.t.Fatalf("%s: %s", text, lines(&o.set, said))
	}
	return said[0].Message + " " + said[0].Help
}

// What a text binds, also a function without a name, is there for the next one,
// and a variable is what it was last; a new binding hides an old one, but not
// for what was made before.
func TestOutsideNames(t *testing.T) {
	o := &outside{t: t}
	for _, c := range [][2]string{
		{"let x = 3", "()"}, {"x + 1", "4"}, {"var n = x", "()"}, {"n += 10; n", "13"}, {"n", "13"},
		{"let add = fn(a) = a + x", "()"}, {"let x = 100", "()"}, {"add(1)", "4"}, {"x", "100"},
		{"fn twice(a: Int) = 2 * a", "()"}, {"let (a, { b }) = (twice(2), { b: \"ü\" })", "()"}, {"(a, b, n)", "(4, \"ü\", 13)"},
		{"if n > 5 { let inner = 1; n = inner }", "()"}, {"n", "1"},
		{"type Color = Red | Green", "()"}, {"match Red { Red => 1, Green => 2 }", "1"},
		{"let v = Green", "()"}, {"v", "Green"},
	} {
		if got := o.run(c[0]); got != c[1] {
			t.Fatalf("%s is %s, not %s", c[0], got, c[1])
		}
	}
	for i, n := range o.names {
		for _, m := range o.names[:i] {
			if n.Name == m.Name {
				t.Errorf("%s is there twice", n.Name)
			}
		}
	}
	if s := o.refuse("inner", "WF2001"); strings.Contains(s, "did you mean") {
		t.Error(s)
	}
}

// What is known of a name stays known: its type, whether it may be assigned,
// what it is a handle of.
func TestOutsideTypes(t *testing.T) {
	o := &outside{t: t}
	o.run("let s = \"a\"; let list = [1, 2]; var k = 1; var open = nil")
	s, _ := o.check("list")
	if got := s.Type.String(); got != "[Int]" {
		t.Errorf("the type is %s", got)
	}
	o.refuse("s * 2", "WF2705")
	o.refuse("s = \"b\"", "WF2505")
	o.run("k = 2; open = 3")
	o.run("let r = { a: \"x\", more: { b: [1] } }; var wide = { a: 1 }")
	o.refuse("r.a + 1", "WF2705")
	o.refuse("r.b", "WF2718")
	o.run("wide.b = 2; wide.b")
	o.run("workflow W { state n: Int = 0; step a { pause }; command go() in a { end } }")
	w := &outside{t: t, names: append(o.names, checker.Name{Name: "h", Type: handleOf("W")}), trees: o.trees, set: o.set}
	w.refuse("ask h.stop()", "WF2211")
	if s, said := w.check("ask h.go()"); s == nil {
		t.Error(lines(&w.set, said))
	}
}

// What needs an instance has no place outside of one.
func TestOutsideRefuses(t *testing.T) {
	o := &outside{t: t}
	o.run("fn tell() { emit Told() }")
	o.refuse("emit Told()", "WF2501")
	o.refuse("tell()", "WF2502")
	o.refuse("self.x", "WF2106")
	o.refuse("self.x = 1", "WF2106")
	o.refuse("end 3", "WF2318")
	o.refuse("pause", "WF2318")
	o.refuse("return 3", "WF2320")
	if s, said := o.check("fail \"no\""); s == nil {
		t.Error(lines(&o.set, said))
	}
}

// A workflow without state lines may read what a later spawn gives.
func TestOutsideFields(t *testing.T) {
	o := &outside{t: t}
	if s, said := o.check("workflow W { step a { self.total = 1; self.customer } }"); s == nil || len(s.Program.Actor("W").Fields) != 2 {
		t.Error(lines(&o.set, said))
	}
	o.refuse("workflow V { step a { self.total = 1 }; query q() { self.totl } }", "WF2102")
}

// An error is said at its place in the text that has it.
func TestOutsidePlaces(t *testing.T) {
	o := &outside{t: t}
	o.run("let ü = 1")
	_, said := o.check("ü + xyz")
	if got := o.set.Position(said[0].Span); got.Column != 5 || said[0].Span.File != 1 {
		t.Errorf("%v in %d", got, said[0].Span.File)
	}
}

func handleOf(actor string) *types.Type { return types.Handle(actor) }
