package checker_test

import (
	"strings"
	"testing"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
)

// TestInferredTypes: what is not written but follows is handed on to those who
// check what comes from outside; what does not follow stays open.
func TestInferredTypes(t *testing.T) {
	p := accept(t, `workflow W {
    state n = 0
    state ratio = 1
    state mixed = 1
    state unset = nil
    state list = []
    state written: String
    step a { self.ratio = 0.5; self.mixed = "x"; self.n += 1 }
    query n() { self.n }
    query all() { (self.n, self.list) }
    query text() -> String { self.written }
    command add(k: Int) { self.n = k; reply "sum ${self.n}" }
    command none() { reject "no" }
}`)
	w := p.Actor("W")
	for name, want := range map[string]string{"n": "Int", "ratio": "Decimal", "mixed": "", "unset": "", "list": "", "written": "String"} {
		if got := w.Fields[w.Field(name)].Type.Text; got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	for name, want := range map[string]program.Base{"n": program.IntType, "all": program.AnyType, "text": program.StringType} {
		if got := w.Query(name).Result.Base; got != want {
			t.Errorf("query %s gives %d, not %d", name, got, want)
		}
	}
	if got := w.Command("add").Result.Base; got != program.StringType {
		t.Errorf("command add gives %d", got)
	}
	if got := w.Command("none").Result.Base; got != program.AnyType {
		t.Errorf("command none gives %d", got)
	}
}

// TestBothSides: an error about types names the value, what was declared, and
// where.
func TestBothSides(t *testing.T) {
	_, said, set := check(t, "fn pay(amount: Decimal) = amount * 2\nperform IO.print(pay(\"12\"))\n")
	if len(said) != 1 || len(said[0].Labels) != 1 {
		t.Fatalf("said: %s", lines(set, said))
	}
	d := said[0]
	if !strings.Contains(d.Message, "`amount` of `pay` is a Decimal, and this is a String") {
		t.Error(d.Message)
	}
	if at := set.Position(d.Labels[0].Span); at.Line != 1 || !strings.Contains(d.Labels[0].Text, "declared here as Decimal") {
		t.Errorf("%d: %s", at.Line, d.Labels[0].Text)
	}
}

// TestBeside: on a line that cannot be read nothing else is said; on others it
// is.
func TestBeside(t *testing.T) {
	set := &source.Set{}
	f := source.NewFile("main.wf", "let a = 1 + + \"x\" + nope\nlet b = 1 + \"x\"\nperform IO.print(a, b)\n")
	tree, syntax := parser.Parse(f, set.Add(f))
	if !syntax.HasErrors() {
		t.Fatal("it was read")
	}
	_, found := checker.CheckWith([]*ast.File{tree}, set, checker.Options{Builtins: table()})
	for _, d := range diag.Beside(set, syntax, append(found, diag.Diagnostic{Code: "WF2705", Span: syntax[0].Span})) {
		if set.Position(d.Span).Line == 1 {
			t.Errorf("line 1: %s", d.Message)
		}
	}
	if got := diag.Beside(set, nil, diag.List{{Code: "WF2705"}}); len(got) != 1 {
		t.Error("without syntax errors something is left out")
	}
}
