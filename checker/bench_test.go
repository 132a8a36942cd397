package checker_test

import (
	"fmt"
	goast "go/ast"
	goparser "go/parser"
	gotoken "go/token"
	gotypes "go/types"
	"strings"
	"testing"
	"time"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/stdlib"
)

// large is a program of n workflows and functions, with types, that call each
// other in a chain.
func large(n int) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, `
// Order number %[1]d, with all that belongs to it.
type Item%[1]d = { sku: String, qty: Int, price: Decimal, note: String? }
event Done%[1]d(total: Decimal)
workflow W%[1]d {
    state items: [Item%[1]d] = []
    state total: Decimal = 0.00
    state b = 1
    state at: Time? = nil
    step a retry 3 {
        var sum = 0.00
        for item in self.items {
            if item.qty > 0 && item.note != nil { sum += item.price * item.qty } else { sum += 1 }
        }
        self.total = sum + f%[1]d(%[1]d)
        emit Done%[1]d(self.total)
    } compensate { self.total = 0.00 }
    parallel { step b { self.b = 1 } step c { self.at = perform Time.now() } }
    step d(r: { b: Any, c: Any }) { if self.at == nil { goto e("late") } else { goto e("${self.total} of ${r.b}") } }
    step e(text: String) { end String.upper(text) + ", done" }
    query total() -> Decimal { self.total }
}
fn f%[1]d(x: Int) -> Int { if x > 10 then x * 2 + 1 else f%[2]d(x + 1) }
`, i, (i+1)%n)
	}
	return sb.String()
}

// largeGo is Go code of about the same size.
func largeGo(size int) string {
	var sb strings.Builder
	sb.WriteString("package p\n")
	for i := 0; sb.Len() < size; i++ {
		fmt.Fprintf(&sb, `
// Item%[1]d is one line of an order, with all that belongs to it.
type Item%[1]d struct { Sku string; Qty int; Price float64; Note *string }
// W%[1]d is an order.
type W%[1]d struct { items []Item%[1]d; total float64; b int }
// A adds up.
func (w *W%[1]d) A() error {
	sum := 0.0
	for _, item := range w.items {
		if item.Qty > 0 && item.Note != nil { sum += item.Price * float64(item.Qty) } else { sum += 1 }
	}
	w.total = sum + float64(F%[1]d(%[1]d))
	return nil
}
// E ends.
func (w *W%[1]d) E(text string) string { if w.total > 3 { return text + ", done" }; return text + "late" }
// F%[1]d counts.
func F%[1]d(x int) int { if x > 10 { return x*2 + 1 }; return F%[1]d(x + 1) }
`, i)
	}
	return sb.String()
}

func checkGo(b *testing.B, text string) {
	fset := gotoken.NewFileSet()
	f, err := goparser.ParseFile(fset, "p.go", text, goparser.ParseComments)
	if err != nil {
		b.Fatal(err)
	}
	info := &gotypes.Info{
		Types: map[goast.Expr]gotypes.TypeAndValue{}, Defs: map[*goast.Ident]gotypes.Object{}, Uses: map[*goast.Ident]gotypes.Object{},
	}
	if _, err := (&gotypes.Config{}).Check("p", fset, []*goast.File{f}, info); err != nil {
		b.Fatal(err)
	}
}

// parseAndCheck is what `wf check` does.
func parseAndCheck(b *testing.B, text string) {
	set := &source.Set{}
	f := source.NewFile("main.wf", text)
	tree, said := parser.Parse(f, set.Add(f))
	if len(said) > 0 {
		b.Fatal(said[0])
	}
	if _, said := checker.Check([]*ast.File{tree}, set, stdlib.Table()); said.HasErrors() {
		b.Fatal(said[0])
	}
}

// BenchmarkCheck parses and checks a program of about 1 MB, and beside it, in
// the same run, Go code of the same size with the Go parser and type checker:
// go/wf is how many times faster Go is.
func BenchmarkCheck(b *testing.B) {
	text := large(900)
	other := largeGo(len(text))
	b.SetBytes(int64(len(text)))
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		parseAndCheck(b, text)
		ours += time.Since(start)
		b.StopTimer()
		start = time.Now()
		checkGo(b, other)
		theirs += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(ours)/float64(theirs), "wf/go")
}

// BenchmarkCheckOnly checks a tree that is parsed already.
func BenchmarkCheckOnly(b *testing.B) {
	text := large(900)
	set := &source.Set{}
	f := source.NewFile("main.wf", text)
	tree, said := parser.Parse(f, set.Add(f))
	if len(said) > 0 {
		b.Fatal(said[0])
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, said := checker.Check([]*ast.File{tree}, set, stdlib.Table()); said.HasErrors() {
			b.Fatal(said[0])
		}
	}
}

// BenchmarkMisspelt checks a program whose every name is misspelt: suggestions
// must not be sought for each of them among all others.
func BenchmarkMisspelt(b *testing.B) {
	var sb strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&sb, "fn counted_%d(x) = x + conted_%d\n", i, i)
	}
	text := sb.String()
	set := &source.Set{}
	f := source.NewFile("main.wf", text)
	tree, _ := parser.Parse(f, set.Add(f))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		checker.Check([]*ast.File{tree}, set, stdlib.Table())
	}
}
