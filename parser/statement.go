package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// block reads `{ statements }` of the construct that is named for people; its
// brace may stand on the next line.
func (p *parser) block(of string) *ast.Block {
	if p.failed {
		return &ast.Block{At: p.from(p.begin())}
	}
	if i := p.pastNL(); p.toks[i].Kind == token.LBrace {
		p.pos = i
		p.settle()
		if p.isRecord() && p.toks[p.afterBrace()].Kind != token.RBrace {
			return p.recordForBlock()
		}
		opener := p.pos
		start := p.begin()
		outer := p.open(false)
		return p.blockRest(start, opener, outer)
	}
	return p.blockWithoutBrace(of)
}

// blockWithoutBrace is for a head without its `{`. If the file has a `}` too
// many, the body is read as if the brace stood there.
func (p *parser) blockWithoutBrace(of string) *ast.Block {
	p.report(say.MissingBrace(p.last(), of, p.cur))
	start := p.lastEnd
	if p.surplus <= 0 {
		return &ast.Block{At: p.from(start)}
	}
	p.surplus--
	outer := p.inside
	p.inside = inside{}
	p.settle()
	return p.blockRest(start, -1, outer)
}

// blockRest reads the statements and the `}` of a block whose `{` is read.
// opener is the index of that, -1 if it was missing.
func (p *parser) blockRest(start uint32, opener int, outer inside) *ast.Block {
	b := &ast.Block{}
	for p.gap(); !p.at(token.RBrace) && !p.at(token.EOF) && !p.atInterpEnd() && (!p.atMember() || p.atNestedFunction() || p.atNestedMember()); p.gap() {
		if p.atNestedMember() {
			b.Stmts = append(b.Stmts, p.nestedMember())
			continue
		}
		b.Stmts = append(b.Stmts, p.statement())
	}
	if p.failed {
		return b
	}
	if p.at(token.RBrace) {
		p.close(outer)
	} else {
		p.unclosedBrace(opener)
		p.inside = outer
		p.settle()
	}
	b.At = p.from(start)
	return b
}

// gap skips what may stand between statements and members: line breaks, and
// braces that close nothing.
func (p *parser) gap() {
	for {
		switch p.kind() {
		case token.Stray:
			p.report(say.StrayBrace(p.cur.Span))
			p.advance()
		case token.NL:
			p.advance()
		default:
			return
		}
	}
}

// unclosedBrace reports a `{` whose partner is missed at the current token.
func (p *parser) unclosedBrace(opener int) {
	where := p.cur.Span
	if p.at(token.EOF) {
		where = p.end()
	}
	if opener < 0 || p.reported[p.file.LineOf(where.Start)] {
		return
	}
	at := p.toks[opener].Span
	p.report(say.UnclosedBrace(where, at, p.file.Position(at.Start)))
}

// statement reads one statement and makes sure that it ends; behind it stands
// NL, `}` or the end. What cannot be read becomes Bad.
func (p *parser) statement() ast.Expr {
	g := p.guard()
	e := p.bareStatement()
	if !p.failed {
		p.statementEnd(e)
	}
	if !p.failed {
		return e
	}
	stop := stopStatement
	if !p.paren && p.toks[p.failAt].Kind == token.FatArrow {
		stop = stopBlock // these are arms whose head is broken; none of them is a statement
	}
	return &ast.Bad{At: ast.At{Place: p.recover(g, stop)}}
}

// statementEnd checks that nothing stands behind a statement on its line.
func (p *parser) statementEnd(e ast.Expr) {
	switch p.kind() {
	case token.NL, token.RBrace, token.EOF:
	case token.Comma:
		field := ""
		if a, ok := e.(*ast.Assign); ok {
			if n, ok := a.Target.(*ast.Name); ok {
				field = n.Name
			}
		}
		p.report(say.CommaBetween(p.cur.Span, field))
		p.advance()
	default:
		p.afterOperand()
	}
}

// bareStatement reads a statement without what ends it.
func (p *parser) bareStatement() ast.Expr {
	p.foreignStart(false)
	switch {
	case p.word("let"), p.word("var"):
		return p.let(true)
	case p.atNestedFunction():
		return p.nestedFunction()
	}
	return p.action(false)
}

// atNestedFunction reports whether a function with a name stands where a
// statement of a block does. Where a brace was forgotten it is rather a member
// or declaration behind the block.
func (p *parser) atNestedFunction() bool {
	return p.balanced && p.word("fn") && p.declares(p.pos)
}

// atNestedMember reports whether a member stands where a statement does, although
// every brace has its partner.
func (p *parser) atNestedMember() bool {
	switch p.cur.Text {
	case "step", "parallel", "branch", "command", "query", "state", "init", "finally", "compensate":
		return p.balanced && p.at(token.Word) && (p.declares(p.pos) || p.word("compensate") && p.next().Kind == token.LBrace && p.lineBegins(p.pos))
	}
	return false
}

// nestedMember reads a member in a body and says that it cannot stand there.
func (p *parser) nestedMember() ast.Expr {
	start := p.begin()
	p.report(say.MemberInBlock(p.cur.Span, p.cur.Text))
	p.member()
	return &ast.Bad{At: p.from(start)}
}

// nestedFunction reports `fn name(…) { … }` in a block and reads it as a
// function that a variable holds.
func (p *parser) nestedFunction() ast.Expr {
	start := p.begin()
	p.advance()
	name := p.cursorWord()
	p.report(say.NestedFunction(name.Span(), name.Name))
	l := p.lambdaRest(name.Span().Start)
	return &ast.Let{At: p.from(start), Pattern: &ast.BindPattern{At: name.At, Name: name.Name}, Value: l}
}

// let reads `let p = e` or `var p = e`, and `in body` behind it: optional in a
// statement, required anywhere else.
func (p *parser) let(statement bool) ast.Expr {
	start, first, before := p.begin(), p.cur, p.before()
	where := p.where()
	l := &ast.Let{Var: p.cur.Text == "var"}
	p.advance()
	l.Pattern = p.pattern(bindings)
	if p.take(token.Colon) {
		l.Type = p.typ()
	}
	if p.at(token.EqEq) {
		p.report(say.EqualsForAssign(p.cur.Span))
		p.advance()
	} else if !p.take(token.Assign) {
		p.fail(say.Expected(p.where(), p.cur, "`=`", "in `let name = value`"))
	}
	p.skipNL()
	l.Value = p.expr()
	switch {
	case !l.Var && p.takeWord("in"):
		p.skipNL()
		l.In = p.action(false)
	case statement || p.failed:
	case first.Newline && before != nil: // `x =` and a let on the next line
		p.fail(say.OperandMissing(where, first, before))
	default:
		p.fail(say.LetWithoutIn(p.where(), p.cur))
	}
	l.At = p.from(start)
	return l
}

// action reads what may be done where a statement stands: an ending, an
// expression, an assignment, `spawn … in …`. element says that it stands
// directly in parentheses.
func (p *parser) action(element bool) ast.Expr {
	if p.at(token.Word) {
		if e := p.ending(element); e != nil {
			return e
		}
	}
	start := p.begin()
	e := p.expr()
	switch p.kind() {
	case token.Assign, token.PlusEq, token.MinusEq:
		return p.assign(start, e)
	}
	if s, ok := e.(*ast.Spawn); ok && p.takeWord("in") {
		p.skipNL()
		body := p.action(false)
		return &ast.SpawnIn{At: p.from(start), Spawn: s, In: body}
	}
	return e
}

func (p *parser) assign(start uint32, target ast.Expr) ast.Expr {
	a := &ast.Assign{Op: p.cur.Text, Target: target}
	if !assignable(target) {
		p.fail(say.CannotAssign(p.cur.Span, a.Op, target.Span()))
		return target
	}
	p.advance()
	a.Value = p.expr()
	a.At = p.from(start)
	return a
}

// assignable reports whether e is a name or self, or fields and elements of one.
func assignable(e ast.Expr) bool {
	for {
		switch x := e.(type) {
		case *ast.Name, *ast.Self, *ast.Bad:
			return true
		case *ast.Field:
			if x.Opt {
				return false
			}
			e = x.X
		case *ast.Index:
			e = x.X
		default:
			return false
		}
	}
}
