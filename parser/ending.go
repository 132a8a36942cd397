package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// ending reads a statement that begins with a word which is special only
// there, nil if the current word is an ordinary name.
func (p *parser) ending(element bool) ast.Expr {
	switch w := p.cur.Text; {
	case isEnding(w):
		if !p.beginsEnding(element, p.ends) {
			return nil
		}
	case w == "mock", w == "expect", w == "expect_error", w == "advance", w == "crash":
		if !p.test || !p.beginsEnding(element, true) {
			return nil
		}
		return p.testStatement()
	default:
		return nil
	}
	start, word := p.begin(), p.cur.Text
	p.advance()
	switch word {
	case "end":
		e := &ast.End{}
		if p.beginsOperand() && !p.word("reply") {
			e.Value = p.expr()
		}
		e.Reply = p.reply()
		e.At = p.from(start)
		return e
	case "pause":
		return p.pause(start)
	case "delete":
		e := &ast.Delete{Reply: p.reply()}
		e.At = p.from(start)
		return e
	case "reply":
		e := &ast.Reply{Value: p.expr()}
		e.At = p.from(start)
		return e
	}
	r := &ast.Reject{}
	if p.at(token.Word) && token.RejectCode(p.cur.Text) && p.operandFollows() {
		r.Code = p.cursorWord()
	}
	r.Value = p.expr()
	if r.Code.Name == "" && !p.failed && p.at(token.Word) && token.RejectCode(p.cur.Text) && !p.newline() {
		p.report(say.CodeBehind(p.cur.Span, r.Value.Span(), p.cur.Text, p.file.Text[r.Value.Span().Start:r.Value.Span().End]))
		r.Code = p.cursorWord()
	}
	r.At = p.from(start)
	return r
}

// isEnding reports whether a word begins an ending, where one may stand.
func isEnding(word string) bool {
	switch word {
	case "end", "pause", "delete", "reply", "reject":
		return true
	}
	return false
}

// beginsEnding decides by the token behind whether a word such as `end` is the
// statement or a name. allowed says whether the statement may stand here at
// all; where it may not, what could be a name is one.
func (p *parser) beginsEnding(element, allowed bool) bool {
	next := p.next()
	switch k := next.Kind; {
	case k.IsNumber(), k == token.String, k == token.Open, k == token.LBrace, k == token.Bang:
		return true // two operands in a row mean nothing else
	case k == token.Word && !token.BreaksNoLine(next.Text):
		return true
	case k == token.LParen, k == token.LBrack, k == token.Minus:
		return allowed
	case k == token.Comma && element, k == token.RParen && element:
		return false
	case k == token.Word, k == token.NL, k == token.EOF, k == token.Comma, k == token.RBrace, k == token.RParen,
		k == token.RBrack, k == token.InterpEnd, k == token.Bar:
		return allowed && standsAlone(p.cur.Text)
	}
	return false
}

// standsAlone reports whether the ending needs nothing behind its word.
func standsAlone(word string) bool {
	switch word {
	case "end", "pause", "delete", "crash":
		return true
	}
	return false
}

// operandFollows reports whether the token behind the current one begins an
// operand on its line.
func (p *parser) operandFollows() bool {
	return begins(p.next())
}

// reply reads `reply e` behind another ending, nil if there is none.
func (p *parser) reply() ast.Expr {
	if !p.takeWord("reply") {
		return nil
	}
	return p.expr()
}

func (p *parser) pause(start uint32) ast.Expr {
	e := &ast.Pause{}
	clause := p.word("for") || p.word("until") || p.word("reply")
	if p.beginsOperand() && !clause {
		e.Reason = p.expr()
	}
	switch {
	case p.takeWord("for"):
		e.For = p.expr()
	case p.takeWord("until"):
		e.Until = p.expr()
	}
	if (e.For != nil || e.Until != nil) && p.takeWord("then") {
		p.skipNL()
		t := p.target()
		e.Then = &t
	}
	e.Reply = p.reply()
	e.At = p.from(start)
	return e
}

// target reads the step of a `goto`, with its input.
func (p *parser) target() ast.Target {
	start := p.begin()
	if n := p.next(); p.word("step") && n.Kind == token.Word && !n.Newline && !followsValue(n.Text) && !token.BreaksNoLine(n.Text) {
		p.report(say.TargetForm(p.cur.Span, "step", n.Text))
		p.advance()
	}
	t := ast.Target{Step: p.anyWord("the name of a step")}
	switch {
	case p.at(token.LParen):
		t.HasArgs = true
		t.Args = p.args()
	case p.word("with") && p.operandFollows() && !p.newline():
		p.report(say.TargetForm(p.cur.Span, "with", t.Step.Name))
		p.advance()
		from := p.begin()
		t.HasArgs = true
		t.Args = []ast.Arg{{Value: p.expr()}}
		t.Args[0].At = p.from(from)
	}
	t.At = p.from(start)
	return t
}

// testStatement reads a statement that only tests have.
func (p *parser) testStatement() ast.Expr {
	start, word := p.begin(), p.cur.Text
	p.advance()
	switch word {
	case "mock":
		return p.mock(start)
	case "expect":
		e := &ast.Expect{X: p.condition()}
		e.At = p.from(start)
		return e
	case "expect_error":
		e := &ast.ExpectError{}
		if p.kind() != token.LBrace {
			e.Code = p.expr()
		}
		e.Body = p.block("`expect_error`")
		e.At = p.from(start)
		return e
	case "advance":
		e := &ast.Advance{By: p.expr()}
		e.At = p.from(start)
		return e
	}
	return &ast.Crash{At: p.from(start)}
}

func (p *parser) mock(start uint32) ast.Expr {
	m := &ast.Mock{}
	if p.word("once") && p.next().Kind == token.Word {
		m.Once = true
		p.advance()
	}
	m.Module = p.name("the module of an effect")
	p.expect(token.Dot, "in `mock Module.op(…) => …`")
	m.Op = p.anyWord("the name of an effect")
	if p.at(token.LParen) {
		m.Args = p.patArgs()
	}
	if p.takeWord("after") {
		m.After = p.expr()
	}
	if p.failed {
		return m
	}
	if !p.take(token.FatArrow) {
		p.fail(say.Expected(p.where(), p.cur, "`=>`", "in `mock Module.op(…) => answer`"))
	}
	p.skipNL()
	m.Body = p.action(false)
	m.At = p.from(start)
	return m
}
