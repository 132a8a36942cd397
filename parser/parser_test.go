package parser

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
)

// parse reads a correct text.
func parse(t *testing.T, text string) *ast.File {
	file := source.NewFile("a.wf", text)
	tree, diags := Parse(file, 2)
	require.Empty(t, show(file, diags))
	return tree
}

func TestDocsBelongToWhatFollows(t *testing.T) {
	tree := parse(t, `/// A workflow.
workflow W {
    /// The money.
    /// In cents.
    state x: Int = 0 /// not for the next line's neighbour
    step a { 1 }
    /// Asks.
    query q() { 1 }
}
/// Says yes or no.
type C =
    /// Yes.
    | Yes
    /// No.
    | No(why: String)
/// Twice.
fn f(x) = x + x
`)
	w := tree.Items[0].(*ast.Workflow)
	require.Equal(t, "A workflow.", w.Doc)
	require.Equal(t, "The money.\nIn cents.", w.Members[0].(*ast.State).Doc)
	require.Equal(t, "Asks.", w.Members[2].(*ast.Query).Doc)
	c := tree.Items[1].(*ast.TypeDecl)
	require.Equal(t, "Says yes or no.", c.Doc)
	require.Equal(t, []string{"Yes.", "No."}, []string{c.Variants[0].Doc, c.Variants[1].Doc})
	require.Equal(t, "Twice.", tree.Items[2].(*ast.FnDecl).Doc)
	require.Len(t, tree.Comments, 9)
}

func TestPlacesAreThoseOfTheSource(t *testing.T) {
	text := "let x = 1\n/// Doc.\nworkflow W {\n  step a(n) retry 2 { self.x = n + 1 }\n}\n"
	tree := parse(t, text)
	of := func(n ast.Node) string {
		sp := n.Span()
		require.Equal(t, uint16(2), sp.File)
		return text[sp.Start:sp.End]
	}
	require.Equal(t, "let x = 1", of(tree.Items[0]))
	w := tree.Items[1].(*ast.Workflow)
	require.Equal(t, text[19:len(text)-1], of(w))
	require.Equal(t, "W", of(w.Name))
	s := w.Members[0].(*ast.Step)
	require.Equal(t, "step a(n) retry 2 { self.x = n + 1 }", of(s))
	require.Equal(t, "n", of(s.Params[0]))
	require.Equal(t, "retry 2", of(s.Clauses[0]))
	a := s.Body.Stmts[0].(*ast.Assign)
	require.Equal(t, "self.x = n + 1", of(a))
	require.Equal(t, "+", of(a.Value.(*ast.Binary).OpAt))
	require.Equal(t, text, of(tree))
}

func TestValuesOfLiterals(t *testing.T) {
	tree := parse(t, "[-1_000, 1_0.5_0, 1h30m, \"a\\n\", \"\"\"\n  b\n  \"\"\", - 7]")
	var got []string
	for _, e := range tree.Items[0].(*ast.Statement).Expr.(*ast.List).Elems {
		switch x := e.(type) {
		case *ast.NumberLit:
			got = append(got, x.Text)
		case *ast.StringLit:
			got = append(got, x.Value)
		}
	}
	require.Equal(t, []string{"-1000", "10.50", "1h30m", "a\n", "b", "-7"}, got)
}

// TestMistakesKeepTheRest checks that what stands around a mistake is read: the
// checker goes on with it.
func TestMistakesKeepTheRest(t *testing.T) {
	for _, c := range []struct{ source, tree string }{
		{"let a = 1\nlet b = )\nlet c = 3", "(let a 1) | BAD | (let c 3)"},
		{"workflow W {\n step a { x = ]; 1 }\n state = 2 3\n step b { 2 }\n}", "(workflow W ({} (step a   (do BAD 1)) (state  = 2) BAD (step b   (do 2))))"},
		{"workflow W {\n stpe a { 1 }\n}", "(workflow W ({} (step a   (do 1))))"},
		{"workflow W {\n step a {\n  1\n step b { 2 }\n}", "(workflow W ({} (step a   (do 1)) (step b   (do 2))))"},
		{"workflow W {\nstep a { 1 } }\nstep b { 2 }\n}\nf()", "(workflow W ({} (step a   (do 1)) (step b   (do 2)))) | (call f (args))"},
		{"match x {\n 1 => a\n 2 2 => b\n 3 => c\n}", `(match x (=> "1" a) (=> BAD BAD) (=> "3" c))`},
		{"if a = b { 1 }", "(if (== a b) (do 1))"},
		{"f(a b, c = 1)", "(call f (args a b (: c 1)))"},
		{"let x = f(1, 2\nlet y = [3\n y", "(let x (call f (args 1 2))) | (let y (list 3)) | y"},
		{"type A = List<Int>\nlet x = b and c", "(type A (list Int)) | (let x (&& b c))"},
		{"if a { 1 } elif b { 2 } else 3", "(if a (do 1) (if b (do 2) 3))"},
		{"def f(x) { x }", "(fn f (params x) (do x))"},
	} {
		file := source.NewFile("a.wf", c.source)
		tree, diags := Parse(file, 0)
		require.NotEmpty(t, diags, c.source)
		require.Equal(t, c.tree, printer{file}.items(tree.Items), "%s\n%s", c.source, show(file, diags))
	}
}
