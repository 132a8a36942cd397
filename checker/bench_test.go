package checker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/stdlib"
)

// BenchmarkCheck checks a program of 1,000 workflows and 1,000 functions that
// call each other in a chain, about 300 KB.
func BenchmarkCheck(b *testing.B) {
	var sb strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&sb, `
workflow W%d {
    step a { self.total = f%d(%d)
        emit Done%d(self.total) } compensate { self.total = 0 }
    parallel { step b { self.b = 1 } step c { self.c = perform Time.now() } }
    query total() { self.total }
}
fn f%d(x) = if x > 10 then x else f%d(x + 1)
`, i, i, i, i, i, (i+1)%1000)
	}
	set := &source.Set{}
	f := source.NewFile("main.wf", sb.String())
	tree, said := parser.Parse(f, set.Add(f))
	if len(said) > 0 {
		b.Fatal(said)
	}
	b.SetBytes(int64(sb.Len()))
	for b.Loop() {
		if _, said := checker.Check([]*ast.File{tree}, set, stdlib.Table()); said.HasErrors() {
			b.Fatal(said[0])
		}
	}
}
