package say

import (
	"slices"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
)

// Expected is about a token in a place where only certain ones may stand.
func Expected(sp source.Span, found *token.Token, what, where string) diag.Diagnostic {
	d := at("WF1101", sp, "expected %s, found %s", what, Describe(found))
	if where != "" {
		d = at("WF1101", sp, "expected %s %s, found %s", what, where, Describe(found))
	}
	switch {
	case found.Kind == token.LParen && where == "and the members":
		return help(d, "what it is given and keeps are lines of its state, in the braces: `state name: Type`")
	case found.Kind == token.LParen && where == "in `perform Module.operation(…)`":
		return help(d, "`perform` is for effects of modules, as `Http.get(…)`; an instance is asked: `ask Wallet(id).balance()`; a function is called without a word before it")
	case found.Is("of") && what == "`in`":
		return replace(help(d, "write `in`"), sp, "in")
	case found.Kind == token.LParen && where == "after `for`":
		return help(d, "a loop goes over a list or a range: `for i in 0..9 { … }`")
	case found.Kind == token.FatArrow:
		return help(d, "`=>` stands only in `match` and `select`; a function is written `fn(x) = value` or `fn(x) { … }`")
	}
	return d
}

// OperandMissing is about an operator or word behind which a value must stand.
func OperandMissing(sp source.Span, found, before *token.Token) diag.Diagnostic {
	if found.Kind == token.Word {
		switch found.Text {
		case "else":
			return help(at("WF1102", sp, "`else` without an `if`"), "it stands behind `if c { … }` or `if c then …`")
		case "catch":
			return help(at("WF1102", sp, "`catch` without a `try`"), "it stands behind `try { … }`")
		case "var":
			return help(at("WF1102", sp, "`var` stands where a value is expected"), "`var` begins a statement; inside an expression use `let … in …`")
		}
	}
	if before == nil || before.Kind == token.NL {
		return help(at("WF1102", sp, "a statement or declaration cannot begin with %s", Describe(found)), "remove it, or write what stands before it")
	}
	if found.Kind == token.Plus && before.Kind == token.Plus && found.Span.Start == before.Span.End {
		return help(at("WF1102", sp, "there is no `++`"), "write `x += 1`")
	}
	if found.Kind == token.Colon && (before.Kind == token.Word && slices.Contains(token.Clauses(), before.Text)) {
		return replace(help(at("WF1102", sp, "a value is missing after %s; found %s", Describe(before), Describe(found)), "no `:` stands here: `%s …`", before.Text), sp, "")
	}
	return help(at("WF1102", sp, "a value is missing after %s; found %s", Describe(before), Describe(found)),
		"write the value, or remove %s", Describe(before))
}

// TwoOperands is about `a b`.
func TwoOperands(sp source.Span, found *token.Token, first ast.Word, meant string) diag.Diagnostic {
	d := at("WF1103", sp, "two values in a row: %s cannot follow here", Describe(found))
	switch {
	case slices.Contains([]string{"mock", "expect", "expect_error", "advance"}, first.Name):
		return help(at("WF1103", first.Place, "`%s` is a statement of tests, so %s cannot follow it here", first.Name, Describe(found)),
			"write it into a `test \"what it shows\" { … }`; what several lines there share may be `let f = fn(x) { … }`")
	case meant == "sleep":
		return help(at("WF1103", first.Place, "`%s` is no word of the language, so %s cannot follow it", first.Name, Describe(found)),
			"to wait some time write `perform Timer.sleep(10s)`, for a signal `perform Signal.wait(\"name\")`, for an instance `await instance`")
	case meant != "" && first.Name != "":
		d = at("WF1103", first.Place, "`%s` is no word of the language, so %s cannot follow it", first.Name, Describe(found))
		if first.Name == "new" && (strings.HasSuffix(found.Text, "Error") || strings.HasSuffix(found.Text, "Exception")) {
			return help(d, "an error is a text or a record: `throw \"why\"`, `throw { code: \"declined\", message: \"why\" }`")
		}
		d = replace(help(d, "did you mean `%s`?", meant), first.Place, meant)
	case found.Kind == token.LBrace:
		d = help(d, "a block stands behind a head such as `if c`; each statement has a line of its own")
	default:
		d = help(d, "join them with an operator or a comma, or write each on a line of its own")
	}
	return d
}

// SpawnMissing is about `Transfer { … }`.
func SpawnMissing(sp, name source.Span, word string) diag.Diagnostic {
	d := help(at("WF1104", sp, "`{` cannot follow `%s`", word), "to start a workflow write `spawn %s { … }`", word)
	return replace(d, source.Span{File: name.File, Start: name.Start, End: name.Start}, "spawn ")
}

// SpawnWithoutFields is about `spawn W` without braces.
func SpawnWithoutFields(sp source.Span, word string) diag.Diagnostic {
	return replace(help(at("WF1105", sp, "the fields are missing after `spawn %s`", word),
		"write `spawn %s {}`, or the fields in the braces", word), sp, " {}")
}

// AssignForEquals is about `=` where only a comparison makes sense.
func AssignForEquals(sp source.Span) diag.Diagnostic {
	return replace(help(at("WF1106", sp, "`=` assigns and gives no value here"), "to compare write `==`"), sp, "==")
}

// EqualsForAssign is about `let x == 1`.
func EqualsForAssign(sp source.Span) diag.Diagnostic {
	return replace(help(at("WF1107", sp, "`==` compares; a name gets its value with `=`"), "write `=`"), sp, "=")
}

// AssignForColon is about `{ a = 1, b: 2 }` and `f(a = 1)`.
func AssignForColon(sp source.Span, what, name string) diag.Diagnostic {
	return replace(help(at("WF1108", sp, "`=` in place of `:` in %s", what), "write `%s: …`", short(name)), sp, ":")
}

// CannotAssign is about an assignment to something that is no place.
func CannotAssign(sp source.Span, op string, target source.Span) diag.Diagnostic {
	d := at("WF1109", sp, "`%s` cannot assign to what stands left of it", op)
	return help(label(d, target, "this is no place for a value"),
		"assign to a name, `self.field`, or a field or element of one; to compare write `==`")
}

// ChainedAssign is about `a = b = c`.
func ChainedAssign(sp source.Span, op string) diag.Diagnostic {
	return help(at("WF1110", sp, "a second `%s` in one statement", op), "an assignment has no value: write two statements; to compare write `==`")
}

// CommaMissing is about two elements without a comma between them.
func CommaMissing(sp source.Span, next *token.Token) diag.Diagnostic {
	return replace(at("WF1111", sp, "a comma is missing before %s", Describe(next)), sp, ",")
}

// CommaBetween is about `{ a, b }`; field is the name of an assignment before
// the comma, which is perhaps meant as a field: `{ a = 1, b: 2 }`.
func CommaBetween(sp source.Span, field string) diag.Diagnostic {
	if field != "" {
		return help(at("WF1112", sp, "a comma between statements"),
			"for a record write `%s: …`, with a colon; statements are split by new lines or `;`", short(field))
	}
	return help(at("WF1112", sp, "a comma between statements"),
		"statements are split by new lines or `;`; a tuple is `(a, b)`, a record `{ a: a, b: b }`")
}

// ShorthandField is about a record field without a value.
func ShorthandField(sp source.Span, name string) diag.Diagnostic {
	end := source.Span{File: sp.File, Start: sp.End, End: sp.End}
	return replace(help(at("WF1113", sp, "the field `%s` has no value", name), "write `%s: %s`", name, name), end, ": "+name)
}

// RecordForBlock is about `if c { a: 1 }`.
func RecordForBlock(sp source.Span) diag.Diagnostic {
	return help(at("WF1114", sp, "a record stands where a block of statements is expected"),
		"put it in the block: `{ { a: 1 } }`, or use the form with `then` or `=`, as in `fn f() = { a: 1 }`")
}

// ChainedComparison is about `a < b < c` and `1..2..3`.
func ChainedComparison(sp, first source.Span, op, second string) diag.Diagnostic {
	d := label(at("WF1115", sp, "`%s` and `%s` cannot stand in one chain", op, second), first, "the first one")
	if op == ".." {
		return help(d, "a range has two ends: `a..b`")
	}
	return help(d, "write `a %s b && b %s c`", op, second)
}

// Mixed is about `a + b ?? c` and `!a |> f`: an operator, and another beside it
// in one of its operands.
func Mixed(sp source.Span, op string, other source.Span, beside string, operand source.Span) diag.Diagnostic {
	d := label(at("WF1116", sp, "`%s` and `%s` need parentheses beside each other", op, beside), other, "this `%s`", beside)
	if beside == "!" {
		return help(d, "write `!(a %s f)` for the opposite of the result, or `(!a) %s f`", op, op)
	}
	d.Fixes = append(d.Fixes,
		diag.Fix{Span: source.Span{File: operand.File, Start: operand.Start, End: operand.Start}, Text: "("},
		diag.Fix{Span: source.Span{File: operand.File, Start: operand.End, End: operand.End}, Text: ")"})
	return help(d, "write `(a %s b) %s c` or `a %s (b %s c)`", beside, op, beside, op)
}

// LetWithoutIn is about a `let` inside an expression.
func LetWithoutIn(sp source.Span, found *token.Token) diag.Diagnostic {
	return help(at("WF1117", sp, "a `let` inside an expression needs `in`; found %s", Describe(found)),
		"write `let name = value in …`, or make it a statement of a block: { let name = value … }")
}

// NumberedField is about `t.0`.
func NumberedField(sp source.Span, number string) diag.Diagnostic {
	d := help(at("WF1118", sp, "a number behind a point is no field"), "an element of a list or tuple is `x[%s]`; or take it apart: `let (a, b) = x`", short(number))
	return replace(d, sp, "["+number+"]")
}

// ArrowFunction is about `x => x + 1`.
func ArrowFunction(sp source.Span) diag.Diagnostic {
	return help(at("WF1119", sp, "`=>` stands only in the arms of `match`, `select` and in `mock`"),
		"a function is written `fn(x) = x + 1` or `fn(x) { … }`")
}

// Ternary is about `a ? b : c`.
func Ternary(sp source.Span) diag.Diagnostic {
	return help(at("WF1120", sp, "`?` stands only in types and in `?.` and `??`"), "a choice is written `if a then b else c`")
}

// ColonBehind is about a `:` behind a complete statement; sp is that of `:=` if
// assigns is set.
func ColonBehind(sp source.Span, assigns bool) diag.Diagnostic {
	if assigns {
		return replace(help(at("WF1121", sp, "`:=` is no word of the language"), "an assignment is written `x = 1`, a new name `let x = 1`"), sp, "=")
	}
	return help(at("WF1121", sp, "`:` cannot follow a statement"),
		"a new name is written `let x: Int = 1`; a record or argument stands in `{ }` or `( )`")
}

// ForeignWord is about the word or symbol of another language.
func ForeignWord(sp source.Span, theirs, ours string) diag.Diagnostic {
	return replace(help(at("WF1122", sp, "`%s` is no word of the language", theirs), "write `%s`", ours), sp, ours)
}

// ForTheWorkflows adds to what is said of a constant at top level how workflows
// see one.
func ForTheWorkflows(d diag.Diagnostic, name string) diag.Diagnostic {
	return help(d, "%s, or, if workflows and functions are to see it, `fn %s() = …`", d.Help, name)
}

// ElseWithoutBraces is about `if c { a } else b`.
func ElseWithoutBraces(sp source.Span) diag.Diagnostic {
	return help(at("WF1123", sp, "`else` needs braces here, as its `if` has them"), "write `else { … }`, or `if c then a else b`")
}

// ArrowOfArm is about `pattern -> value` and `pattern: value`.
func ArrowOfArm(sp source.Span, found string) diag.Diagnostic {
	return replace(help(at("WF1124", sp, "`%s` in place of `=>` in an arm", found), "write `pattern => value`"), sp, "=>")
}

// SelectArm is about an arm of a select that begins with something else.
func SelectArm(sp source.Span, found *token.Token) diag.Diagnostic {
	d := at("WF1125", sp, "an arm of `select` begins with `signal`, `after` or `at`; found %s", Describe(found))
	switch found.Text {
	case "timeout", "sleep", "wait", "delay":
		return replace(help(d, "write `after 48h => …`"), sp, "after")
	case "until":
		return replace(help(d, "write `at time => …`"), sp, "at")
	}
	return help(d,
		"write `signal name(payload) => …`, `after 48h => …` or `at time => …`")
}

// MessageMissing is about `ask h` without `.name(…)`.
func MessageMissing(sp source.Span, found *token.Token, signal bool) diag.Diagnostic {
	word := "ask"
	if signal {
		word = "signal"
	}
	return help(at("WF1126", sp, "the message is missing after `%s`; found %s", word, Describe(found)),
		"write `%s instance.name(…)`; an instance that is computed stands in parentheses", word)
}

// ArgumentsMissing is about `ask h.name` without `(…)`.
func ArgumentsMissing(sp source.Span, name string, signal bool) diag.Diagnostic {
	what := "command or query"
	if signal {
		what = "signal"
	}
	d := help(at("WF1136", sp, "the arguments of the %s `%s` are missing", what, short(name)), "write `.%s()`, also when it takes none", short(name))
	return replace(d, source.Span{File: sp.File, Start: sp.Start, End: sp.Start}, "()")
}

// ParametersMissing is about `query name { … }`.
func ParametersMissing(sp source.Span) diag.Diagnostic {
	return replace(help(at("WF1137", sp, "the parameters are missing"), "write `()` behind the name, also when there are none"), sp, "()")
}

// TooDeepCode is the code of TooDeep. The scanner and the parser both find
// this, and it is said once.
const TooDeepCode diag.Code = "WF1127"

// TooDeep is about constructs in constructs without end.
func TooDeep(sp source.Span, limit int) diag.Diagnostic {
	return help(at(TooDeepCode, sp, "more than %d constructs stand in one another", limit), "give the inner parts names with `let`, or make them functions")
}

// ChainTooLong is about operators in a row without end.
func ChainTooLong(sp source.Span, limit int) diag.Diagnostic {
	return help(at("WF1128", sp, "more than %d operators or calls in a row", limit), "split it with `let`, or use a list and a function over it")
}

// PatternMissing is about a token at which no pattern begins.
func PatternMissing(sp source.Span, found *token.Token, what string) diag.Diagnostic {
	d := at("WF1129", sp, "expected %s, found %s", what, Describe(found))
	if found.Kind == token.Open {
		return help(d, "a string in a pattern has no `${…}`; compare it in a guard: `x if x == \"…\"`")
	}
	return help(d, "a pattern is a literal, a name, `Variant(x)`, `(a, b)`, `[x, ...rest]` or `{ field }`")
}

// TypeMissing is about a token at which no type begins.
func TypeMissing(sp source.Span, found *token.Token) diag.Diagnostic {
	return help(at("WF1130", sp, "expected a type, found %s", Describe(found)),
		"types are `Int`, `[Int]`, `{String: Int}`, `{ a: Int }`, `(Int, String)`, `fn(Int) -> Int`, `Int?` and declared names")
}

// GenericType is about `List<Int>`.
func GenericType(sp source.Span, name string) diag.Diagnostic {
	d := at("WF1131", sp, "types have no parameters in `< >`")
	switch name {
	case "Map", "Dict", "Record", "HashMap":
		return help(d, "a map is written `{String: T}`")
	case "Option", "Optional", "Maybe":
		return help(d, "a value that may be nil is written `T?`")
	}
	return help(d, "a list is written `[T]`, a map `{String: T}`")
}

// What a place wants, for NameMissing.
const (
	Parameter = "the name of a parameter"
	Outcome   = "a name for the error or outcome"
)

// NameMissing is about a token where a name must stand.
func NameMissing(sp source.Span, found *token.Token, what string) diag.Diagnostic {
	d := at("WF1132", sp, "expected %s, found %s", strings.TrimSpace(what), Describe(found))
	switch found.Kind {
	case token.String, token.Open:
		return help(d, "a name stands without quotes")
	case token.LBrace, token.LParen, token.LBrack:
		if what == Outcome {
			return help(d, "write a name, and take it apart in the body with `let`")
		}
	}
	return d
}

// ReservedName is about a word of the language used as a name.
func ReservedName(sp source.Span, word string) diag.Diagnostic {
	return help(at("WF1133", sp, "`%s` is a word of the language: fields and steps may be called so, this may not", word),
		"choose another name, as `%s_`", word)
}

// NestedFunction is about a named function inside a block.
func NestedFunction(sp source.Span, name string) diag.Diagnostic {
	return help(at("WF1134", sp, "a function with a name stands at top level or in a workflow, not in a block"),
		"write `let %s = fn(…) { … }`", name)
}

// DefaultValue is about `fn f(a = 1)`.
func DefaultValue(sp source.Span) diag.Diagnostic {
	return help(at("WF1135", sp, "parameters have no default values"), "make the type optional (`a: Int?`) and write `a ?? 1` in the body")
}

// BracesBehind is about `Order { … }` where Order is an event, a type or a variant.
func BracesBehind(sp, name source.Span, word, what string) diag.Diagnostic {
	d := at("WF1138", sp, "braces cannot follow the name of %s", what)
	if what == "a type" {
		return replace(help(d, "a record of a type is written without its name: `{ … }`"), name, "")
	}
	return help(d, "its fields stand in parentheses: `%s(name: value)`", short(word))
}

// CodeBehind is about `reject "why" conflict`.
func CodeBehind(sp, text source.Span, code, why string) diag.Diagnostic {
	d := help(at("WF1139", sp, "the code of a `reject` stands before its text"), "write `reject %s %s`", code, short(why))
	return replace(d, text.To(sp), code+" "+why)
}

// CodeAsWord is about `fail conflict "why"` and `throw conflict "why"`.
func CodeAsWord(sp source.Span, word, code, why string) diag.Diagnostic {
	record := "{ code: \"" + code + "\", message: " + why + " }"
	return replace(help(at("WF1140", sp, "`%s` takes a text or a record, not a word and a text", word), "write `%s { code: \"%s\", message: … }`", word, short(code)), sp, record)
}

// TryFinally is about `finally` behind a `try`.
func TryFinally(sp source.Span) diag.Diagnostic {
	return help(at("WF1141", sp, "a `try` has no `finally`"), "what is to be done in any case stands behind the `try`: `catch` goes on there")
}

// TypeColon is about `amount Int`: sp is where the colon is missing.
func TypeColon(sp source.Span, name, typ string) diag.Diagnostic {
	return replace(help(at("WF1142", sp, "a colon is missing between `%s` and its type", short(name)), "write `%s: %s`", short(name), short(typ)), sp, ":")
}

// TypeJoined is about `String | nil` and `Int -> Int` in the place of a type.
func TypeJoined(sp source.Span, found *token.Token, left string, orNil bool) diag.Diagnostic {
	d := at("WF1143", sp, "%s cannot follow a type", Describe(found))
	switch {
	case found.Kind == token.Arrow:
		return help(d, "the type of a function is written `fn(%s) -> …`", short(left))
	case orNil:
		return help(d, "a type whose values may be nil is written `%s?`", short(left))
	}
	return help(d, "one of several is a declared type: `type T = A(x: Int) | B(y: String)`; any value is `Any`")
}

// TargetForm is about `goto step b`, `goto "b"` and `goto b with 3`.
func TargetForm(sp source.Span, word, target string) diag.Diagnostic {
	if word == "with" {
		return help(at("WF1144", sp, "the input of a step stands in parentheses"), "write `%s(…)`", short(target))
	}
	return replace(help(at("WF1144", sp, "behind `goto` stands the name of a step alone"), "write `goto %s`", short(target)), sp, "")
}

// MemberInBlock is about a step or another member inside of a body.
func MemberInBlock(sp source.Span, word string) diag.Diagnostic {
	d := at("WF1311", sp, "`%s` cannot stand inside of a body", word)
	switch word {
	case "step", "parallel", "branch":
		return help(d, "steps and `parallel` blocks stand beside each other in the workflow and run one after the other; close the body before it")
	case "compensate", "finally":
		return help(d, "it stands behind the `}` of what it belongs to")
	}
	return help(d, "members stand in the workflow itself, beside the steps")
}
