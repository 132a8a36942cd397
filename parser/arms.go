package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// arms reads `{ arms }` with a guard around each: a mistake in one leaves the
// others whole.
// What cannot be read is handed to lost.
func (p *parser) arms(of string, arm func(), lost func(ast.At)) {
	if p.at(token.NL) {
		p.skipNL()
	}
	if p.failed {
		return
	}
	opener, outer := -1, p.inside
	if p.at(token.LBrace) {
		opener = p.pos
		p.open(false)
	} else {
		p.report(say.MissingBrace(p.last(), of, p.cur))
		if p.surplus <= 0 {
			return
		}
		p.surplus--
		p.inside = inside{}
	}
	p.armSeparators()
	for !p.at(token.RBrace) && !p.at(token.EOF) && !p.atInterpEnd() && !p.atMember() {
		g := p.guard()
		arm()
		if !p.failed && !p.armSeparators() && !p.at(token.RBrace) && !p.at(token.EOF) {
			p.afterOperand()
		}
		if p.failed {
			lost(ast.At{Place: p.recover(g, stopArm)})
			p.armSeparators()
		}
	}
	p.closeBrace(opener, outer)
}

// armSeparators skips what may stand between arms.
func (p *parser) armSeparators() bool {
	any := p.separators()
	if p.take(token.Bar) {
		any = true
		p.skipNL()
	}
	return any
}

func (p *parser) match(start uint32) ast.Expr {
	m := &ast.Match{X: p.headed()}
	p.arms("`match …`", func() {
		from := p.begin()
		a := ast.Arm{Patterns: p.alternatives()}
		if p.takeWord("if") {
			a.Guard = p.condition()
		}
		a.Body = p.armBody()
		a.At = p.from(from)
		if !p.failed {
			m.Arms = append(m.Arms, a)
		}
	}, func(at ast.At) {
		m.Arms = append(m.Arms, ast.Arm{At: at, Patterns: ast.OrPattern{&ast.BadPattern{At: at}}, Body: &ast.Bad{At: at}})
	})
	m.At = p.from(start)
	return m
}

// armBody reads `=> action`.
func (p *parser) armBody() ast.Expr {
	switch {
	case p.failed:
		return nil
	case p.at(token.Arrow), p.at(token.Colon), p.at(token.Assign):
		p.report(say.ArrowOfArm(p.cur.Span, p.cur.Text))
		p.advance()
	case !p.take(token.FatArrow):
		p.fail(say.Expected(p.where(), p.cur, "`=>`", "between a pattern and what is done"))
	}
	p.skipNL()
	return p.action(false)
}

func (p *parser) selectExpr(start uint32) ast.Expr {
	s := &ast.Select{}
	p.arms("`select`", func() {
		if a := p.selectArm(); !p.failed {
			s.Arms = append(s.Arms, a)
		}
	}, func(at ast.At) {
		s.Arms = append(s.Arms, ast.SelectArm{At: at, Kind: ast.SelectAfter, Value: &ast.Bad{At: at}, Body: &ast.Bad{At: at}})
	})
	s.At = p.from(start)
	return s
}

func (p *parser) selectArm() ast.SelectArm {
	start := p.begin()
	a := ast.SelectArm{}
	switch {
	case p.takeWord("signal"):
		p.signalName(&a)
		if p.at(token.LParen) {
			p.elements(func() {
				if a.Pattern != nil {
					p.fail(say.Expected(p.cur.Span, p.cur, "`)`", "after the payload of a signal"))
				}
				a.Pattern = p.pattern(anyPattern)
				if !p.failed && p.at(token.Colon) {
					p.report(say.TypeOfArm(p.cur.Span, p.cur))
					p.advance()
					p.typ()
				}
			})
		}
	case p.takeWord("after"):
		a.Kind = ast.SelectAfter
		a.Value = p.expr()
	case p.takeWord("at"):
		a.Kind = ast.SelectAt
		a.Value = p.expr()
	default:
		p.fail(say.SelectArm(p.cur.Span, p.cur))
		return a
	}
	a.Body = p.armBody()
	a.At = p.from(start)
	return a
}

func (p *parser) signalName(a *ast.SelectArm) {
	switch p.kind() {
	case token.String:
		a.Name = p.stringLit()
	case token.Open:
		a.Name = p.interpolated()
	default:
		w := p.anyWord("the name of a signal")
		a.Bare = true
		a.Name = &ast.StringLit{At: w.At, Value: w.Name}
	}
}
