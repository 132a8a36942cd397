package parser

import (
	"strings"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
	"github.com/wf-lang/wf/parser/internal/scan"
)

// Incomplete reports whether a text that is being typed goes on in the next
// line: a bracket, a raw string or a comment is open, or something is missing
// where it ends. A mistake before that does not count while a bracket is open;
// a closing bracket without its partner says that more lines would not help.
func Incomplete(text string) bool {
	text = strings.TrimRight(text, " \t\r\n")
	file := source.NewFile("", text)
	scanned := scan.Scan(file, 0)
	for _, d := range scanned.Diags {
		switch d.Code {
		case say.TooDeepCode:
			return false
		case say.UnclosedRaw(d.Span).Code, say.UnclosedComment(d.Span).Code:
			return true
		}
	}
	if open, stray := openBrackets(scanned.Tokens); open || stray {
		return open && !stray
	}
	tree, p := read(file, 0)
	return tree != nil && p.short && len(p.diags) == 1
}

// openBrackets reports whether a bracket has no partner at the end of the text,
// and whether one closes that none has opened.
func openBrackets(toks []token.Token) (open, stray bool) {
	closer := map[token.Kind]token.Kind{token.LParen: token.RParen, token.LBrack: token.RBrack, token.LBrace: token.RBrace}
	var stack []token.Kind
	for i := range toks {
		k := toks[i].Kind
		if toks[i].Text == "" {
			continue // put in by the scanner
		}
		if c, ok := closer[k]; ok {
			stack = append(stack, c)
			continue
		}
		switch k {
		case token.RParen, token.RBrack, token.RBrace:
			if len(stack) == 0 || stack[len(stack)-1] != k {
				return true, true
			}
			stack = stack[:len(stack)-1]
		case token.Stray:
			return true, true
		}
	}
	return len(stack) > 0, false
}
