package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// control reads what begins with a reserved word that steers the flow.
func (p *parser) control(start uint32, word string) ast.Expr {
	switch word {
	case "then", "else", "in", "catch", "var":
		p.fail(say.OperandMissing(p.where(), p.cur, p.before()))
		return &ast.Bad{At: p.from(start)}
	}
	defer p.shallower(p.depth)
	if !p.deeper() {
		return &ast.Bad{At: p.from(start)}
	}
	p.advance()
	switch word {
	case "if":
		return p.ifExpr(start)
	case "match":
		return p.match(start)
	case "select":
		return p.selectExpr(start)
	case "for":
		return p.forLoop(start)
	case "while":
		cond := p.headed()
		body := p.block("`while …`")
		return &ast.While{At: p.from(start), Cond: cond, Body: body}
	case "try":
		return p.try(start)
	case "return":
		e := &ast.Return{}
		if p.beginsOperand() {
			e.Value = p.expr()
		}
		e.At = p.from(start)
		return e
	case "throw":
		x := p.thrown(word)
		return &ast.Throw{At: p.from(start), Value: x}
	case "fail":
		e := &ast.Fail{Value: p.thrown(word)}
		e.Reply = p.reply()
		e.At = p.from(start)
		return e
	}
	e := &ast.Goto{Target: p.target()}
	e.Reply = p.reply()
	e.At = p.from(start)
	return e
}

// thrown reads what stands behind `throw` and `fail`. `fail conflict "why"` is
// the form of `reject`.
func (p *parser) thrown(word string) ast.Expr {
	x := p.expr()
	name, ok := x.(*ast.Name)
	if p.failed || !ok || !p.at(token.String) && !p.at(token.Open) || p.newline() {
		return x
	}
	at := name.Span()
	x = p.expr()
	p.report(say.CodeAsWord(at.To(x.Span()), word, name.Name, p.file.Text[x.Span().Start:x.Span().End]))
	return x
}

// ifExpr reads what stands behind `if`, in either form.
func (p *parser) ifExpr(start uint32) ast.Expr {
	e := &ast.If{Cond: p.headed()}
	if p.takeWord("then") {
		e.ThenForm = true
		p.skipNL()
		e.Then = p.action(false)
	} else {
		e.Then = p.block("the condition")
	}
	if p.failed {
		return e
	}
	switch {
	case p.foreignElse():
		from := p.begin()
		p.advance()
		e.Else = p.ifExpr(from)
	case p.takeWord("else"):
		p.skipNL()
		e.Else = p.elseBranch(e.ThenForm)
	}
	e.At = p.from(start)
	return e
}

func (p *parser) elseBranch(thenForm bool) ast.Expr {
	switch {
	case thenForm:
		return p.action(false)
	case p.word("if"):
		defer p.shallower(p.depth)
		if !p.deeper() {
			return &ast.Bad{At: p.from(p.begin())}
		}
		start := p.begin()
		p.advance()
		return p.ifExpr(start)
	case p.at(token.LBrace), p.at(token.NL), !p.beginsOperand():
		return p.block("`else`")
	}
	p.report(say.ElseWithoutBraces(p.cur.Span))
	return p.action(false)
}

func (p *parser) forLoop(start uint32) ast.Expr {
	f := &ast.For{}
	f.Pattern, f.In = p.forHead()
	f.Body = p.block("`for … in …`")
	f.At = p.from(start)
	return f
}

// forHead reads `pattern in e`.
func (p *parser) forHead() (ast.Pattern, ast.Expr) {
	if p.counting() {
		p.fail(say.Expected(p.where(), p.cur, "a name and `in`", "after `for`"))
	}
	pat := p.pattern(bindings)
	if !p.takeWord("in") {
		p.fail(say.Expected(p.where(), p.cur, "`in`", "in `for name in list`"))
	}
	p.skipNL()
	return pat, p.headed()
}

// counting reports whether the head of another language's loop stands here:
// `(i = 0; …)`, `(let i = 0; …)`.
func (p *parser) counting() bool {
	i := p.pos
	if p.failed || p.toks[i].Kind != token.LParen {
		return false
	}
	for i++; p.toks[i].Kind == token.Word; i++ {
	}
	return p.toks[i].Kind == token.Assign
}

// tryFinally passes over a `finally` behind a try. On a line of its own it may
// also be a workflow's, if a brace is missing.
func (p *parser) tryFinally() {
	i := p.pastNL()
	if p.failed || !p.toks[i].Is("finally") || p.toks[i].Newline && !p.balanced || p.toks[i+1].Kind != token.LBrace {
		return
	}
	p.pos = i
	p.settle()
	p.report(say.TryFinally(p.cur.Span))
	p.advance()
	p.block("`finally`")
}

func (p *parser) try(start uint32) ast.Expr {
	t := &ast.Try{Body: p.block("`try`")}
	if !p.takeWord("catch") {
		p.fail(say.Expected(p.where(), p.cur, "`catch`", "after `try { … }`"))
		return t
	}
	if p.at(token.LParen) {
		p.elements(func() {
			w := p.name("a name for the error")
			t.Err = &w
		})
	} else if p.at(token.Word) {
		w := p.name("a name for the error")
		t.Err = &w
	}
	t.Catch = p.block("`catch`")
	t.At = p.from(start)
	p.tryFinally()
	return t
}
