package checker_test

import (
	"fmt"
	"testing"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
)

// check parses and checks files, the main one first; nothing is refused.
func check(t testing.TB, texts ...string) (*program.Program, diag.List, *source.Set) {
	t.Helper()
	set := &source.Set{}
	var files []*ast.File
	for i, text := range texts {
		name := "main.wf"
		if i > 0 {
			name = fmt.Sprintf("lib%d.wf", i)
		}
		f := source.NewFile(name, text)
		tree, said := parser.Parse(f, set.Add(f))
		if said.HasErrors() {
			t.Fatalf("syntax: %s\n%s", lines(set, said), text)
		}
		files = append(files, tree)
	}
	p, said := checker.CheckWith(files, set, checker.Options{Builtins: table()})
	return p, said, set
}

// accept checks a script that must be free of errors.
func accept(t testing.TB, texts ...string) *program.Program {
	t.Helper()
	p, said, set := check(t, texts...)
	if said.HasErrors() {
		t.Fatalf("unexpected: %s\n%s", lines(set, said), texts[0])
	}
	if p == nil {
		t.Fatal("no program")
	}
	return p
}

// lines is "line:col code message" of each diagnostic.
func lines(set *source.Set, l diag.List) string {
	out := ""
	for _, d := range l {
		pos := set.Position(d.Span)
		out += fmt.Sprintf("\n%s:%d:%d %s %s", pos.File, pos.Line, pos.Column, d.Code, d.Message)
		for _, x := range d.Labels {
			at := set.Position(x.Span)
			out += fmt.Sprintf("\n    %d:%d %s", at.Line, at.Column, x.Text)
		}
		if d.Help != "" {
			out += "\n    " + d.Help
		}
	}
	return out
}
