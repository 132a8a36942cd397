package checker_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wf-lang/wf/lang/diag"
)

// scripts are the texts of all scripts of the project, good and bad.
func scripts(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, dir := range []string{"../testdata", "../interp", "../parser/testdata", "testdata"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".wf" {
				return err
			}
			text, err := os.ReadFile(path)
			out = append(out, string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range diag.All() {
		out = append(out, e.Wrong, e.Right)
	}
	return append(out, hostile()...)
}

// hostile are texts that are meant to hurt: deep, wide, circular.
func hostile() []string {
	wide := strings.Builder{}
	for range 3000 {
		wide.WriteString("match x { Some(Some(None)) => 1, None | Some(None) => 2 }\n")
	}
	loops := strings.Repeat("while c { var v = 1\n", 60) + "v = v + 1.5" + strings.Repeat("\nx = [x] }", 60)
	return []string{
		"type T = { a: T, b: T?, c: [T] }\ntype U = { a: U, b: U?, c: [U] }\nfn f(t: T) -> U { t }\nfn g(u: U) -> T { u }\n",
		"type A = B\ntype B = A\nfn f(a: A) -> B { a }\n", "type A = [A]\ntype B = [B]\nfn f(a: A) = a[0][0][0]\nfn g(b: B) -> A { b }\nworkflow W { state a: A\n step s { self.a = [[], [self.a]] } }\nspawn W { a: [] }\n", "type A = A?\nfn f(a: A) = a + 1\n",
		"fn f(x) = f(g(x))\nfn g(x) = g(f(x))\nf(1)\n", "let f = fn(f) = f(f)\nf(f)\n",
		"var x = []\nfor i in 1..3 { x = [x, x] }\nx\n", "var x = {}\nwhile true { x = { a: x, b: x } }\n",
		"fn f(c, x) { " + strings.Repeat("if c { x } else { ", 80) + "x" + strings.Repeat(" }", 80) + " }\n",
		"let x = 1\n" + wide.String(), "fn f(c) { var x = 0\n" + loops + " }\n",
		"let x = " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n",
		"let x = " + strings.Repeat("fn(a) = ", 200) + "a\n", "let x = " + strings.Repeat("1 + ", 3000) + "1\n",
		"type V = " + strings.Repeat("A(V, V, V) | ", 1) + "B\nfn f(v: V) = match v { A(A(A(B, _, _), _, B), A(_, B, _), _) => 1, A(B, B, B) => 2 }\n",
		"workflow W { state x = self.x\n step a(v) { goto a(fn() = v) } step a { self = self\n await self.handle } }\nawait W(1)\nawait await W(\"\")\n",
	}
}

// FuzzCheck parses and checks arbitrary text: no panic, no endless work.
func FuzzCheck(f *testing.F) {
	for _, s := range scripts(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			t.Skip()
		}
		tryCheck(text)
	})
}

// TestOnePieceMissing takes one piece at random out of every script, ten times:
// whatever is left is checked without a panic.
func TestOnePieceMissing(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 11))
	for _, s := range scripts(t) {
		at := piece.FindAllStringIndex(s, -1)
		for range 10 {
			if len(at) == 0 || len(s) > 50_000 {
				break
			}
			p := at[chance.IntN(len(at))]
			tryCheck(s[:p[0]] + s[p[1]:])
		}
	}
}
