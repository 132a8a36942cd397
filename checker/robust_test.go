package checker_test

import (
	"regexp"
	"testing"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
)

var piece = regexp.MustCompile(`"[^"\n]*"|[\p{L}\p{N}_]+|[^\s]`)

// TestBrokenScripts deletes and doubles every fifth piece of the examples. Whatever
// is left over is checked without a panic, and a script that could not be read
// seldom draws more from the checker.
func TestBrokenScripts(t *testing.T) {
	scripts := append([]string{transfer}, overview...)
	for _, e := range diag.All() {
		scripts = append(scripts, e.Right, e.Wrong)
	}
	broken, extra := 0, 0
	for i, s := range scripts {
		right := i <= len(overview) || (i-len(overview))%2 == 1
		for n, at := range piece.FindAllStringIndex(s, -1) {
			if (n+i)%5 != 0 {
				continue
			}
			for _, text := range []string{
				s[:at[0]] + s[at[1]:],
				s[:at[1]] + " " + s[at[0]:at[1]] + s[at[1]:],
			} {
				syntax, said := tryCheck(text)
				if !right || !syntax.HasErrors() {
					continue
				}
				broken++
				if said.HasErrors() {
					extra++
				}
			}
		}
	}
	if extra*8 > broken {
		t.Errorf("%d of %d scripts that could not be read draw more errors", extra, broken)
	}
}

func tryCheck(text string) (syntax, said diag.List) {
	set := &source.Set{}
	f := source.NewFile("main.wf", text)
	tree, syntax := parser.Parse(f, set.Add(f))
	_, said = checker.CheckWith([]*ast.File{tree}, set, checker.Options{Builtins: table()})
	return syntax, said
}
