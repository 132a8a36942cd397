package say

import (
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
)

// UnclosedBrace is about a `{` without its partner; sp is where that was
// missed.
func UnclosedBrace(sp, opener source.Span, pos source.Position) diag.Diagnostic {
	d := at("WF1201", sp, "`}` is missing here: the `{` of %d:%d is not closed", pos.Line, pos.Column)
	return replace(label(d, opener, "this `{` is not closed"), source.Span{File: sp.File, Start: sp.Start, End: sp.Start}, "}")
}

// MissingBrace is about a head without its `{`.
func MissingBrace(sp source.Span, what string, found *token.Token) diag.Diagnostic {
	d := at("WF1202", sp, "`{` is missing after %s", what)
	if found.Kind != token.NL && found.Kind != token.EOF && !found.Newline {
		d = at("WF1202", sp, "`{` is missing after %s; found %s", what, Describe(found))
	}
	if found.Kind == token.FatArrow {
		return help(d, "`=>` stands only in `match` and `select`; a body is written `{ … }`, of functions and queries also `= value`")
	}
	end := source.Span{File: sp.File, Start: sp.End, End: sp.End}
	if what == "the condition" {
		return replace(help(d, "the body stands in braces: { … }; a single value or statement may stand behind `then`"), end, " {")
	}
	return replace(help(d, "the body stands in braces: { … }"), end, " {")
}

// StrayBrace is about a `}` that closes nothing.
func StrayBrace(sp source.Span) diag.Diagnostic {
	return replace(help(at("WF1203", sp, "this `}` closes nothing"), "remove it, or look above for a `{` that is missing"), sp, "")
}

// ClosedTooEarly is about a member that stands behind the end of its workflow.
func ClosedTooEarly(sp source.Span, word, actor string, closer source.Span) diag.Diagnostic {
	d := at("WF1204", sp, "`%s` stands outside: a `}` above closes `%s` too early", word, actor)
	return help(label(d, closer, "this `}` closes `%s`", actor), "remove a `}` above that is too many, or move this into `%s`", actor)
}

// UnclosedParen is about a `(` or `[` without its partner; sp is where that was
// missed.
func UnclosedParen(sp, opener source.Span, open, closer string, pos source.Position) diag.Diagnostic {
	d := at("WF1205", sp, "`%s` is missing here: the `%s` of %d:%d is not closed", closer, open, pos.Line, pos.Column)
	end := source.Span{File: sp.File, Start: sp.End, End: sp.End}
	return replace(label(d, opener, "this `%s` is not closed", open), end, closer)
}

// StrayCloser is about a `)` or `]` that closes nothing.
func StrayCloser(sp source.Span, closer string) diag.Diagnostic {
	return replace(help(at("WF1206", sp, "this `%s` closes nothing", closer), "remove it, or add what opens it"), sp, "")
}
