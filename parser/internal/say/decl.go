package say

import (
	"strings"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
)

// Misspelt is about a word that begins no declaration or member, but nearly.
func Misspelt(sp source.Span, word, meant string) diag.Diagnostic {
	return replace(help(at("WF1301", sp, "`%s` is no word that begins something here", word), "did you mean `%s`?", meant), sp, meant)
}

// NoMember is about something in the body of an actor that is no member.
func NoMember(sp source.Span, found, next *token.Token, actor string) diag.Diagnostic {
	d := at("WF1302", sp, "%s begins no member of %s", Describe(found), actor)
	if found.Kind == token.Word && !token.Reserved(found.Text) && (next.Kind == token.Assign || next.Kind == token.Colon) {
		return replace(help(d, "a field is declared with `state %s`", short(found.Text)), source.Span{File: sp.File, Start: sp.Start, End: sp.Start}, "state ")
	}
	if found.Is("on") || found.Is("handler") || found.Is("method") {
		return help(d, "what is called from outside is a `command name() { … }` or a `query name() { … }`")
	}
	if found.Is("let") || found.Is("var") {
		return help(d, "what an instance keeps is written `state name = …`; variables belong into a step or handler")
	}
	if found.Is("perform") || found.Is("ask") || found.Is("await") || found.Is("emit") || found.Is("spawn") || found.Is("signal") || found.Is("if") || found.Is("for") || found.Is("while") {
		return help(d, "a statement stands inside of a step, also in a `parallel` block: `step name { %s … }`", found.Text)
	}
	return help(d, "members are `state`, `step`, `parallel`, `command`, `query`, `signal`, `fn`, `init`, `timeout`, `default`, `compensate`, `finally`, and those of a block `step` and `branch`; statements stand inside them")
}

// MemberOutside is about a member at top level without a workflow before it.
func MemberOutside(sp source.Span, word string) diag.Diagnostic {
	return help(at("WF1303", sp, "`%s` stands outside of a workflow", word), "put it into `workflow Name { … }`")
}

// ClauseMisplaced is about a clause that stands outside of a head.
func ClauseMisplaced(sp source.Span, word string) diag.Diagnostic {
	return help(at("WF1304", sp, "the clause `%s` stands outside of a step's head", word),
		"clauses stand between the name of a step and its body: `step name %s … { … }`", word)
}

// UnknownClause is about a word in a head that begins no clause.
func UnknownClause(sp source.Span, found *token.Token, meant string) diag.Diagnostic {
	d := at("WF1305", sp, "%s begins no clause", Describe(found))
	if meant != "" {
		return replace(help(d, "did you mean `%s`?", meant), sp, meant)
	}
	switch found.Kind {
	case token.Comma:
		return replace(help(d, "clauses stand beside each other, without commas"), sp, "")
	case token.Colon, token.FatArrow:
		return replace(help(d, "the body stands directly behind the head: `step name { … }`"), sp, "")
	case token.Arrow:
		return help(d, "a step has no type of its own: its value goes to the item behind it, and what that may be is said there, `step next(x: Int)`")
	}
	return help(d, "the clauses of a head are %s", "`"+strings.Join(token.Clauses(), "`, `")+"`; then follows `{`")
}

// LineMissing is about two members or declarations on one line.
func LineMissing(sp source.Span, found *token.Token) diag.Diagnostic {
	d := at("WF1306", sp, "the line does not end here: %s follows", Describe(found))
	if found.Kind == token.Comma {
		return replace(help(d, "remove it; members are split by new lines, not by commas"), sp, "")
	}
	return help(d, "each member and declaration stands on a line of its own, or behind `;`")
}

// PayloadUnnamed is about a declared signal that has only the type of what it
// carries, or no parentheses.
func PayloadUnnamed(signal string, sp source.Span, name, typ string) diag.Diagnostic {
	d := at("WF1308", sp, "what a signal carries has a name and a type, in parentheses")
	return help(d, "write `signal %s(%s: %s)`", signal, name, typ)
}

// TypeOfArm is about a type behind what an arm of a select takes of a signal.
func TypeOfArm(sp source.Span, found *token.Token) diag.Diagnostic {
	return help(Expected(sp, found, "`)`", "after the payload of a signal"), "types stand where the workflow declares it: `signal name(payload: Type)` among its members")
}

// SignalBody is about a declared signal with a body, or a result.
func SignalBody(sp source.Span, what string) diag.Diagnostic {
	return help(at("WF1309", sp, "a declared signal has no %s", what),
		"a step takes it: `let x = perform Signal.wait(\"name\")`, or an arm `signal name(x) => …` of a `select`; what acts at once is a `command`")
}

// ActorWordMissing is about `Order { state … }`.
func ActorWordMissing(sp, name source.Span, word string) diag.Diagnostic {
	d := help(at("WF1307", sp, "members stand in the braces behind `%s`, but no word says what it is", word),
		"write `workflow %s { … }`, or `entity` or `agent`", word)
	return replace(d, source.Span{File: name.File, Start: name.Start, End: name.Start}, "workflow ")
}

// FailoverMissing is about `else { … }` and `else goto step` in a head.
func FailoverMissing(sp source.Span, step string) diag.Diagnostic {
	if step == "" {
		return help(at("WF1310", sp, "behind `else` stands the name of a step, not a block"),
			"write the block as a step of its own, behind the others, and here its name: `else undo`")
	}
	return replace(help(at("WF1310", sp, "behind `else` stands the name of a step alone"), "write `else %s`", short(step)), sp, "")
}
