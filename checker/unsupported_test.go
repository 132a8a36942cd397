package checker_test

import (
	"slices"
	"testing"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/stdlib"
)

// TestFeatures lists what a script with every feature asks to have run, in the
// order in which it is met.
func TestFeatures(t *testing.T) {
	set := &source.Set{}
	f := source.NewFile("main.wf", `agent A { model "m" }
entity E { state n = 0
    command add() { self.n += 1 } }
workflow W {
    timeout 1h
    init { 1 }
    step a timeout 1s retry 1 backoff 1s when e.code == "x" else z { perform once IO.print(1) }
    parallel first 1 { step b { 1 } step c { 2 } }
    parallel settle { step d { 1 } step g { 2 } }
    parallel for x in [1] { step h { x } }
    step i { select { after 1s => end } }
    step z { end }
    command go() in a { 1 }
    finally { 1 }
}
`)
	tree, said := parser.Parse(f, set.Add(f))
	if said.HasErrors() {
		t.Fatal(lines(set, said))
	}
	var asked []string
	_, said = checker.CheckWith([]*ast.File{tree}, set, checker.Options{Builtins: stdlib.Table(), Refuse: func(feature string) bool {
		if !slices.Contains(asked, feature) {
			asked = append(asked, feature)
		}
		return true
	}})
	slices.Sort(asked)
	want := []string{
		"agent", "command", "else", "entity", "finally", "init", "parallel first", "parallel for", "parallel settle",
		"perform once", "retry", "select", "timeout",
	}
	if !slices.Equal(asked, want) {
		t.Errorf("got %q", asked)
	}
	for _, d := range said {
		if d.Code != "WF2901" && d.Code != "WF2309" {
			t.Error(lines(set, said))
		}
	}
}
