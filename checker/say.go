package checker

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/spell"
)

// label points at the other side; places that no text has give no label.
func label(span source.Span, text string) []diag.Label {
	if span.IsZero() {
		return nil
	}
	return []diag.Label{{Span: span, Text: text}}
}

// meant is the help and the fix for a misspelt word; without a near word the
// help lists what there is, if that is short.
func (c *checker) meant(span source.Span, word string, candidates []string) (string, []diag.Fix) {
	if c.compared += len(candidates); c.compared > mostCompared {
		return "", nil
	}
	near := ""
	for _, k := range candidates {
		if strings.EqualFold(k, word) && k != word {
			near = k
		}
	}
	if near == "" {
		near = spell.Nearest(word, candidates)
	}
	if utf8.RuneCountInString(word) < 3 && !strings.EqualFold(near, word) {
		near = "" // of names that short any is near any other
	}
	if near != "" {
		return "did you mean `" + near + "`?", []diag.Fix{{Span: span, Text: near}}
	}
	if n := len(candidates); n > 0 && n <= 8 {
		return "there is " + listing(candidates), nil
	}
	return "", nil
}

// mostCompared bounds how many words are compared for suggestions in one run: a
// program with thousands of unknown names has another problem.
const mostCompared = 200_000

// listing is "`a`, `b` and `c`".
func listing(words []string) string {
	var sb strings.Builder
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			sb.WriteString(" and ")
		case i > 0:
			sb.WriteString(", ")
		}
		sb.WriteString("`" + w + "`")
	}
	return sb.String()
}

// count is "1 argument", "3 arguments".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// itemWord is the keyword of a member or declaration, and its place: the first
// word of its text.
func itemWord(it ast.Item) (string, source.Span) {
	word := ""
	switch it := it.(type) {
	case *ast.State:
		word = "state"
	case *ast.Timeout:
		word = "timeout"
	case *ast.Default:
		word = "default"
	case *ast.Init:
		word = "init"
	case *ast.Step:
		word = "step"
	case *ast.Compensate:
		word = "compensate"
	case *ast.Finally:
		word = "finally"
	case *ast.Parallel:
		word = "parallel"
	case *ast.Branch:
		word = "branch"
	case *ast.Command:
		word = "command"
	case *ast.Query:
		word = "query"
	case *ast.SignalDecl:
		word = "signal"
	case *ast.Setting:
		return it.Name.Name, it.Name.Span()
	case *ast.Tool:
		word = "tool"
	case *ast.FnDecl:
		word = "fn"
	case *ast.TypeDecl:
		word = "type"
	case *ast.EventDecl:
		word = "event"
	case *ast.Workflow:
		word = it.Kind.Keyword()
	case *ast.Import:
		word = "import"
	case *ast.Test:
		word = "test"
	case *ast.Statement:
		return "a statement", it.Span()
	}
	s := it.Span()
	s.End = min(s.End, s.Start+uint32(len(word)))
	return word, s
}

// head is the first word of an expression's text, for endings.
func head(e ast.Node, word string) source.Span {
	s := e.Span()
	s.End = min(s.End, s.Start+uint32(len(word)))
	return s
}
