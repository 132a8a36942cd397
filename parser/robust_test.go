package parser

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
)

// deepTexts are texts that make careless parsers die or hang.
func deepTexts(n int) map[string]string {
	return map[string]string{
		"parens":         strings.Repeat("(", n),
		"brackets":       strings.Repeat("[", n),
		"braces":         strings.Repeat("{", n),
		"braces by line": strings.Repeat("{\n", n),
		"closers":        strings.Repeat(")", n),
		"close braces":   strings.Repeat("}", n),
		"close by line":  strings.Repeat(" }\n", n),
		"mixed":          strings.Repeat("([{", n/3),
		"crossed":        strings.Repeat("([", n/4) + strings.Repeat(")]", n/4),
		"turned":         strings.Repeat("(", n/2) + strings.Repeat("]", n/2),
		"minus":          strings.Repeat("-", n),
		"not":            strings.Repeat("!", n),
		"sum":            "1" + strings.Repeat("+1", n/2),
		"coalesce":       "a" + strings.Repeat("??a", n/3),
		"fields":         "a" + strings.Repeat(".a", n/2),
		"calls":          "a" + strings.Repeat("()", n/2),
		"await":          strings.Repeat("await ", n/6),
		"if":             strings.Repeat("if a then ", n/10),
		"else if":        "if a { }" + strings.Repeat("else if a { }", n/13),
		"if blocks":      strings.Repeat("if a {", n/6),
		"let in":         strings.Repeat("let a = ", n/8),
		"lambda":         strings.Repeat("fn(x) = ", n/8),
		"patterns":       "let " + strings.Repeat("[", n/2),
		"types":          "type A = " + strings.Repeat("[", n/2),
		"fn types":       "type A = " + strings.Repeat("fn()->", n/6),
		"optional":       "type A = Int" + strings.Repeat("?", n),
		"generic":        "type A = " + strings.Repeat("List<", n/5),
		"strings":        strings.Repeat(`"${`, n/3),
		"raw strings":    strings.Repeat(`"""${`, n/5),
		"raw by line":    strings.Repeat("\"\"\"${\n", n/6),
		"quotes":         strings.Repeat(`"`, n),
		"quotes by line": strings.Repeat("\"\n", n/2),
		"raw quotes":     strings.Repeat("\"\"\"\n", n/4),
		"comments":       strings.Repeat("/*\n", n/3),
		"semicolons":     strings.Repeat(";", n),
		"statements":     strings.Repeat("a;", n/2),
		"two operands":   strings.Repeat("a b;", n/4),
		"bad lines":      strings.Repeat("a b\n", n/4),
		"workflows":      strings.Repeat("workflow W {\n", n/13),
		"one line":       "workflow W {" + strings.Repeat("step a { x y }", n/14),
		"parallel":       "workflow W {" + strings.Repeat("parallel {", n/10),
		"members":        strings.Repeat("step a {\n", n/9),
		"words":          strings.Repeat("step ", n/5),
		"numbers":        strings.Repeat("9", n),
		"units":          strings.Repeat("1h", n/2),
		"dots":           strings.Repeat(".", n),
		"nul":            strings.Repeat("\x00", n),
		"invalid":        strings.Repeat("\xff", n),
		"invalid lines":  strings.Repeat("\xff\n", n/2),
		"marks":          strings.Repeat("\uFEFF", n/3),
		"match":          strings.Repeat("match a { b => ", n/15),
		"spawn":          strings.Repeat("spawn A { a: ", n/13),
		"clauses":        "workflow W { step a " + strings.Repeat("retry 1 ", n/8),
		"commas":         "f(" + strings.Repeat(",", n),
		"no commas":      "f(" + strings.Repeat("a ", n/2) + ")",
		"records":        strings.Repeat("{a:", n/3),
		"bars":           "type A = " + strings.Repeat("|", n),
	}
}

// TestDeepTexts reads large texts of every such kind: nothing dies, hangs or
// takes long. The bound on time is far above what is needed, so that a busy
// machine does not fail the test, and far below what a quadratic walk takes.
func TestDeepTexts(t *testing.T) {
	read := func(name, text string) {
		start := time.Now()
		tree, diags := Parse(source.NewFile("deep.wf", text), 0)
		took := time.Since(start)
		require.NotNil(t, tree, name)
		require.Less(t, took, 10*time.Second, name)
		if took > 300*time.Millisecond {
			t.Logf("%s, %d bytes: %v, %d diagnostics", name, len(text), took, len(diags))
		}
	}
	const megabyte = 1 << 20
	read("parens", strings.Repeat("(", megabyte))
	if testing.Short() {
		return
	}
	for name, text := range deepTexts(megabyte / 4) {
		read(name, text)
	}
}

func TestManyParensIsOneDiagnosticAtOnce(t *testing.T) {
	file := source.NewFile("deep.wf", strings.Repeat("(", 100_000))
	start := time.Now()
	_, diags := Parse(file, 0)
	t.Logf("100,000 ( took %v", time.Since(start))
	require.Len(t, diags, 1)
	require.Equal(t, diag.Code("WF1127"), diags[0].Code)
	require.Less(t, time.Since(start), 2*time.Second)
}

func TestLargeFileIsRefused(t *testing.T) {
	tree, diags := Parse(source.NewFile("large.wf", strings.Repeat(" ", 1<<20+1)), 0)
	require.NotNil(t, tree)
	require.Len(t, diags, 1)
	require.Equal(t, diag.Code("WF1014"), diags[0].Code)
}

// An interpolation that is not closed in its string goes on to the `}` of a later
// one, which then closes nothing around it: it is passed over, and the steps
// behind it are read.
func TestTheEndOfALostInterpolationIsPassedOver(t *testing.T) {
	const text = `workflow W {
    step a {
        f(h: { "K": "${x   body: { id: 1 })
    }
    step b {
        f("${y}/d", h: { "K": "${r}-d" },
            1)
    }
}
let t = 1
`
	read := make(chan diag.List, 1)
	go func() {
		_, diags := Parse(source.NewFile("lost.wf", text), 0)
		read <- diags
	}()
	select {
	case diags := <-read:
		require.NotEmpty(t, diags)
		require.Equal(t, diag.Code("WF1010"), diags[0].Code)
	case <-time.After(10 * time.Second):
		t.Fatal("the parser hangs")
	}
}

func TestABrokenClauseBehindADeclarationLosesNothingElse(t *testing.T) {
	const text = "let a = 1\ntype T = Int backoff fn g(\nlet b = 2\nworkflow W {\n  state s = 1 backoff fn g(\n  step c { }\n}\n"
	tree, diags := Parse(source.NewFile("clause.wf", text), 0)
	require.NotEmpty(t, diags)
	require.Len(t, tree.Items, 4)
	require.Len(t, tree.Items[3].(*ast.Workflow).Members, 2)
}
