package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// foreignStart reads the words with which other languages begin a statement as
// ours.
func (p *parser) foreignStart() {
	if !p.at(token.Word) || p.next().Kind != token.Word {
		return
	}
	ours := ""
	switch p.cur.Text {
	case "const", "val", "final", "auto":
		ours = "let"
	case "def", "func", "function", "fun", "proc":
		ours = "fn"
	default:
		return
	}
	p.rewrite(p.pos, ours)
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

// foreignAnd reports whether a word is an operator of other languages.
func (p *parser) foreignAnd(t *token.Token) bool { return t.Is("and") || t.Is("or") }

// foreignEquals reads `===` and `!==` as == and !=.
func (p *parser) foreignEquals(op *token.Token) {
	if p.at(token.Assign) && (op.Kind == token.EqEq || op.Kind == token.NotEq) && p.cur.Span.Start == op.Span.End {
		p.report(say.ForeignWord(op.Span.To(p.cur.Span), op.Text+"=", op.Text))
		p.advance()
	}
}

// afterOperand fails for a token that does not fit behind the complete
// statement e (nil if it was no plain expression).
func (p *parser) afterOperand(e ast.Expr) {
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
		p.fail(say.ColonBehind(t.Span))
	default:
		if p.beginsOperand() {
			p.twoOperands(e)
			return
		}
		p.fail(say.Expected(p.where(), t, "the end of the statement", ""))
	}
}

// twoOperands fails for an operand directly behind another one. Often the first
// is a misspelt or foreign word.
func (p *parser) twoOperands(e ast.Expr) {
	name, ok := e.(*ast.Name)
	if !ok || p.reported[p.file.LineOf(p.cur.Span.Start)] {
		p.fail(say.TwoOperands(p.cur.Span, p.cur, ast.Word{}, ""))
		return
	}
	if p.at(token.LBrace) && name.Name != "" && name.Name[0] >= 'A' && name.Name[0] <= 'Z' {
		p.fail(say.SpawnMissing(p.cur.Span, name.Place, name.Name))
		return
	}
	meant := foreignFor(name.Name)
	if meant == "" {
		meant = spell.Nearest(name.Name, starters())
	}
	p.fail(say.TwoOperands(p.cur.Span, p.cur, ast.Word{At: name.At, Name: name.Name}, meant))
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
