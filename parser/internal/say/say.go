// Package say holds the constructors of every diagnostic of the scanner and
// the parser, one function and one code each. It knows how a message reads,
// not when it is due.
//
// A message says what was found and what was expected; the help says what to
// write instead; a label shows the other party, as the bracket that lacks its
// partner. The codes are explained in the registry of package diag.
package say

import (
	"fmt"
	"strings"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
)

func at(code diag.Code, sp source.Span, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Span: sp, Message: fmt.Sprintf(format, args...)}
}

func help(d diag.Diagnostic, format string, args ...any) diag.Diagnostic {
	d.Help = fmt.Sprintf(format, args...)
	return d
}

// replace adds the fix that writes text over the span.
func replace(d diag.Diagnostic, sp source.Span, text string) diag.Diagnostic {
	d.Fixes = append(d.Fixes, diag.Fix{Span: sp, Text: text})
	return d
}

func label(d diag.Diagnostic, sp source.Span, format string, args ...any) diag.Diagnostic {
	if !sp.IsZero() {
		d.Labels = append(d.Labels, diag.Label{Span: sp, Text: fmt.Sprintf(format, args...)})
	}
	return d
}

// Describe names a token for people.
func Describe(t *token.Token) string {
	switch t.Kind {
	case token.EOF:
		return "the end of the file"
	case token.NL:
		if t.Text == ";" {
			return "`;`"
		}
		return "the end of the line"
	case token.String, token.Open:
		if len(t.Text) > 24 || strings.ContainsAny(t.Text, "\n`") || t.Kind == token.Open {
			return "a string"
		}
	case token.InterpEnd, token.RBrace, token.Close:
		if t.Text == "" {
			return "the end of the string"
		}
	}
	return "`" + short(t.Text) + "`"
}

// short cuts what is too long to be quoted in a message.
func short(text string) string {
	const most = 40
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i] + "…"
		}
	}
	return text
}
