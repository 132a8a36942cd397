package parser

import (
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// foreignStart reads the words with which other languages begin a statement as
// ours; top says that it stands at top level.
func (p *parser) foreignStart(top bool) {
	if !p.at(token.Word) || p.next().Kind != token.Word {
		return
	}
	if n := p.next(); p.word("async") && (n.Is("fn") || n.Is("function") || n.Is("def") || n.Is("step") || n.Is("command")) {
		p.fail(say.ForeignWord(p.cur.Span.To(n.Span), "async", foreignOr(n.Text)))
		return
	}
	ours := ""
	switch p.cur.Text {
	case "const", "val", "final", "auto":
		ours = "let"
		if top {
			p.report(say.ForTheWorkflows(say.ForeignWord(p.cur.Span, p.cur.Text, ours), p.next().Text))
			p.cur.Text = ours
			return
		}
	case "def", "func", "function", "fun", "proc":
		ours = "fn"
	default:
		return
	}
	p.rewrite(p.pos, ours)
}

// foreignOr is what a word that begins a function is with us.
func foreignOr(word string) string {
	if word == "function" || word == "def" {
		return "fn"
	}
	return word
}

// rewrite reports the word at the index i and reads it as ours.
func (p *parser) rewrite(i int, ours string) {
	t := &p.toks[i]
	p.report(say.ForeignWord(t.Span, t.Text, ours))
	t.Text = ours
}

// foreignElse reports `elif` and its like where `else if` may stand.
func (p *parser) foreignElse() bool {
	switch {
	case !p.at(token.Word):
		return false
	case p.word("elif"), p.word("elseif"), p.word("elsif"):
		p.report(say.ForeignWord(p.cur.Span, p.cur.Text, "else if"))
		return true
	}
	return false
}

// foreignOperator reads `and` and `or` between operands as && and ||.
func (p *parser) foreignOperator() {
	if !p.at(token.Word) {
		return
	}
	ours := token.EOF
	switch p.cur.Text {
	case "and":
		ours = token.AndAnd
	case "or":
		ours = token.OrOr
	default:
		return
	}
	if begins(p.next()) {
		p.report(say.ForeignWord(p.cur.Span, p.cur.Text, ours.String()))
		p.cur.Kind = ours
	}
}

// foreignNot reads `not` before an operand as !.
func (p *parser) foreignNot() {
	if !p.word("not") {
		return
	}
	n := p.next()
	switch n.Kind {
	case token.Word:
		if token.BreaksNoLine(n.Text) || p.foreignAnd(n) || followsValue(n.Text) {
			return
		}
	case token.Bang, token.String, token.Open:
	default:
		return
	}
	p.report(say.ForeignWord(p.cur.Span, p.cur.Text, token.Bang.String()))
	p.cur.Kind = token.Bang
}

// foreignClause is our clause for what other languages call it, "" if none.
func foreignClause(word string) string {
	switch word {
	case "retries", "attempts", "tries", "repeat", "max_retries", "max_attempts":
		return "retry"
	case "delay", "wait", "interval":
		return "backoff"
	case "deadline", "limit", "within":
		return "timeout"
	case "fallback", "failover", "otherwise", "recover":
		return "else"
	}
	return ""
}

// followsValue reports whether a word may stand directly behind a value.
func followsValue(word string) bool {
	switch word {
	case "as", "for", "until", "after", "reply", "max", "timeout", "retry", "backoff", "jitter", "when":
		return true
	}
	return false
}

// foreignAnd reports whether a word is an operator of other languages.
func (p *parser) foreignAnd(t *token.Token) bool { return t.Is("and") || t.Is("or") }

// foreignUnit reads `10 seconds` as `10s`, and `3 times` as 3.
func (p *parser) foreignUnit(n *ast.NumberLit) {
	if p.failed || n.Kind != ast.NumInt && n.Kind != ast.NumDuration || !p.at(token.Word) || p.newline() || token.Reserved(p.cur.Text) {
		return
	}
	number := p.before()
	if n.Kind == ast.NumInt && p.cur.Text == "times" {
		p.report(say.SpacedUnit(p.cur.Span, number.Text, p.cur.Text, ""))
		p.advance()
		return
	}
	unit := say.UnitFor(strings.ToLower(p.cur.Text))
	if unit == "" || n.Kind != ast.NumInt {
		return
	}
	p.report(say.SpacedUnit(number.Span.To(p.cur.Span), number.Text, p.cur.Text, unit))
	if text := n.Text + unit; durationFits(strings.TrimPrefix(text, "-")) {
		n.Kind, n.Text = ast.NumDuration, text
	}
	p.advance()
}

// foreignEquals reads `===` and `!==` as == and !=.
func (p *parser) foreignEquals(op *token.Token) {
	if p.at(token.Assign) && (op.Kind == token.EqEq || op.Kind == token.NotEq) && p.cur.Span.Start == op.Span.End {
		p.report(say.ForeignWord(op.Span.To(p.cur.Span), op.Text+"=", op.Text))
		p.advance()
	}
}

// afterOperand fails for a token that does not fit behind a complete statement.
func (p *parser) afterOperand() {
	t := p.cur
	switch t.Kind {
	case token.Stray:
		p.fail(say.StrayBrace(t.Span))
	case token.RParen, token.RBrack:
		p.fail(say.StrayCloser(t.Span, t.Text))
	case token.Question:
		p.fail(say.Ternary(t.Span))
	case token.FatArrow:
		p.fail(say.ArrowFunction(t.Span))
	case token.Assign, token.PlusEq, token.MinusEq:
		p.fail(say.ChainedAssign(t.Span, t.Text))
	case token.Colon:
		assigns := p.next().Kind == token.Assign && p.next().Span.Start == t.Span.End
		sp := t.Span
		if assigns {
			sp = sp.To(p.next().Span)
		}
		p.fail(say.ColonBehind(sp, assigns))
	case token.Word:
		if t.Text == "else" || t.Text == "catch" {
			p.fail(say.OperandMissing(t.Span, t, p.before()))
			return
		}
		fallthrough
	default:
		if p.beginsOperand() {
			p.twoOperands()
			return
		}
		p.fail(say.Expected(p.where(), t, "the end of the statement", ""))
	}
}

// twoOperands fails for an operand directly behind another one. Often the first
// is a misspelt or foreign word.
func (p *parser) twoOperands() {
	first := p.before()
	alone := first != nil && first.Kind == token.Word && !token.Reserved(first.Text) &&
		(p.lastTok == 0 || p.toks[p.lastTok-1].Kind != token.Dot && p.toks[p.lastTok-1].Kind != token.OptDot)
	if !alone || p.reported[p.file.LineOf(p.cur.Span.Start)] {
		p.fail(say.TwoOperands(p.cur.Span, p.cur, ast.Word{}, ""))
		return
	}
	if p.at(token.LBrace) && p.declares(p.afterBrace()) {
		p.fail(say.ActorWordMissing(p.cur.Span, first.Span, first.Text))
		return
	}
	if p.at(token.LBrace) && first.Text[0] >= 'A' && first.Text[0] <= 'Z' {
		p.fail(say.SpawnMissing(p.cur.Span, first.Span, first.Text))
		return
	}
	if (first.Is("retry") || first.Is("backoff") || first.Is("timeout")) && p.lineBegins(p.lastTok) {
		p.fail(say.ClauseMisplaced(first.Span, first.Text))
		return
	}
	meant := foreignFor(first.Text)
	if first.Is("sleep") || first.Is("wait") || first.Is("delay") {
		meant = "sleep"
	}
	if meant == "" {
		meant = spell.Nearest(first.Text, starters())
	}
	p.fail(say.TwoOperands(p.cur.Span, p.cur, ast.Word{At: ast.At{Place: first.Span}, Name: first.Text}, meant))
}

// starters are the words that begin a statement or operand and have an operand
// behind them.
func starters() []string {
	return []string{
		"let", "var", "fn", "if", "match", "for", "while", "return", "throw", "fail", "goto", "emit", "perform",
		"ask", "await", "spawn", "select", "signal", "pause", "end", "delete", "reply", "reject", "try",
		"expect", "expect_error", "advance", "mock", "workflow", "entity", "agent", "type", "event", "test", "import",
	}
}

// foreignFor is our word for the word of another language, "" if none.
func foreignFor(word string) string {
	switch word {
	case "not":
		return "!"
	case "switch", "case", "when":
		return "match"
	case "elif", "elseif", "elsif":
		return "else if"
	case "raise", "panic":
		return "throw"
	case "print", "println", "echo":
		return "perform IO.print"
	case "new", "start":
		return "spawn"
	case "yield":
		return "return"
	case "foreach", "each":
		return "for"
	case "loop":
		return "while"
	case "call":
		return "ask"
	case "send", "notify":
		return "signal"
	case "stop", "exit", "finish":
		return "end"
	case "class", "struct", "enum", "interface":
		return "type"
	}
	return ""
}
