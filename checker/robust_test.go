package checker_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

// Each type names the one before twice, so that written out the last would be
// longer than any memory: whoever does that never comes to an end.
func TestTypesThatNameEachOtherTwice(t *testing.T) {
	for name, c := range map[string]struct{ first, next string }{
		"records":             {"{ a: Int }", "{ a: T%[2]d, b: T%[2]d }"},
		"optional records":    {"{ a: Int }", "{ a: T%[2]d?, b: [T%[2]d] }"},
		"tuples":              {"(Int, Int)", "(T%[2]d, T%[2]d)"},
		"variants":            {"A(Int) | B", "A%[1]d(T%[2]d) | B%[1]d(T%[2]d)"},
		"records in a circle": {"{ a: Int, last: T60? }", "{ a: T%[2]d?, b: T%[2]d? }"},
	} {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			fmt.Fprintf(&text, "type T0 = %s\n", c.first)
			for i := 1; i <= 60; i++ {
				fmt.Fprintf(&text, "type T%[1]d = "+c.next+"\n", i, i-1)
			}
			text.WriteString(`
event Got(x: T60)
workflow W {
    state last: T60? = nil
    signal go(x: T60)
    step a { self.last = perform Signal.wait("go"); emit Got(self.last) }
    command c(x: T60) -> T60 { reply x }
    query q() -> T60? { self.last }
}
fn _pick(c: Bool, x: T60, y: T60) -> T60 { if c || x == y { x } else { y } }
`)
			syntax, said := tryCheck(text.String())
			require.Empty(t, syntax)
			require.False(t, said.HasErrors(), "%v", said)
		})
	}
}

func tryCheck(text string) (syntax, said diag.List) {
	set := &source.Set{}
	f := source.NewFile("main.wf", text)
	tree, syntax := parser.Parse(f, set.Add(f))
	_, said = checker.CheckWith([]*ast.File{tree}, set, checker.Options{Builtins: table()})
	return syntax, said
}
