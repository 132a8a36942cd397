package parser

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// limit reads the duration behind `timeout`, unless `none` stands there.
func (p *parser) limit() (ast.Expr, bool) {
	if b := p.before(); b != nil && b.Is("none") {
		return nil, false
	}
	return p.headExpr(), true
}

// headClause reads a clause of a head that still lacks its body, so it may
// stand on a line of its own.
func (p *parser) headClause() (ast.Node, bool) {
	if p.failed {
		return nil, false
	}
	if n := p.next(); p.at(token.Comma) && n.Kind == token.Word && slices.Contains(token.Clauses(), n.Text) {
		p.report(say.UnknownClause(p.cur.Span, p.cur, ""))
		p.advance()
	}
	return p.clause(p.pastNL())
}

// clause reads the clause that begins at the token i, if one does.
func (p *parser) clause(i int) (ast.Node, bool) {
	t := &p.toks[i]
	if p.failed || t.Kind != token.Word {
		return nil, false
	}
	c := ast.Clause{}
	switch t.Text {
	case "timeout":
		c.Kind = ast.ClauseTimeout
	case "retry":
		c.Kind = ast.ClauseRetry
	case "backoff":
		c.Kind = ast.ClauseBackoff
	case "when":
		c.Kind = ast.ClauseWhen
	case "else":
		c.Kind = ast.ClauseElse
	default:
		return nil, false
	}
	p.pos = i
	p.settle()
	start := p.begin()
	p.advance()
	p.clauseValue(&c)
	c.At = p.from(start)
	return c, true
}

func (p *parser) clauseValue(c *ast.Clause) {
	switch {
	case c.Kind == ast.ClauseElse:
		c.Target = p.failover()
	case c.Kind == ast.ClauseTimeout && p.takeWord("none"):
	default:
		c.Value = p.headExpr()
		if c.Kind == ast.ClauseBackoff {
			c.Value = p.foreignRange(c.Value)
			c.Jitter = p.takeWord("jitter")
		}
	}
}

// failover reads the step behind an `else` in a head.
func (p *parser) failover() ast.Word {
	switch {
	case p.at(token.LBrace):
		p.report(say.FailoverMissing(p.cur.Span, ""))
		return ast.Word{At: p.from(p.lastEnd)}
	case p.word("goto") && p.next().Kind == token.Word:
		p.report(say.FailoverMissing(p.cur.Span, p.next().Text))
		p.advance()
	}
	return p.headWord()
}

// foreignRange reads `1s to 60s` and `1s, 60s` as `1s..60s`.
func (p *parser) foreignRange(from ast.Expr) ast.Expr {
	if p.failed || !p.at(token.Comma) && !p.word("to") || !p.next().Kind.IsNumber() {
		return from
	}
	op := p.here()
	p.report(say.ForeignWord(p.cur.Span, p.cur.Text, ".."))
	p.advance()
	to := p.headExpr()
	return &ast.Binary{At: p.from(from.Span().Start), Op: "..", OpAt: op, X: from, Y: to}
}

// skipGarbage passes over what stands between a head and its `{` on the same
// line and is no clause, and says so.
func (p *parser) skipGarbage() {
	for !p.failed && p.at(token.Word) && !p.newline() {
		if _, ok := p.clause(p.pos); ok {
			continue
		}
		meant := foreignClause(p.cur.Text)
		if meant == "" {
			meant = spell.Within(p.cur.Text, token.Clauses(), 2)
		}
		if meant == "" || !p.operandFollows() {
			break
		}
		p.report(say.UnknownClause(p.cur.Span, p.cur, meant))
		p.cur.Text = meant
	}
	p.bodyBehindGarbage(func() diag.Diagnostic { return say.UnknownClause(p.cur.Span, p.cur, "") })
}
