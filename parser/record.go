package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// afterBrace is the index of the first token behind the current `{` that is no
// line break.
func (p *parser) afterBrace() int {
	i := p.pos + 1
	for i < len(p.toks)-1 && p.toks[i].Kind == token.NL {
		i++
	}
	return min(i, len(p.toks)-1)
}

// isRecord decides whether the current `{` begins a record or a block.
func (p *parser) isRecord() bool {
	i := p.afterBrace()
	switch t := &p.toks[i]; t.Kind {
	case token.RBrace, token.Ellipsis:
		return true
	case token.Word, token.String:
		return p.toks[i+1].Kind == token.Colon
	case token.LBrack:
		return t.Match >= 0 && p.toks[t.Match+1].Kind == token.Colon
	}
	return false
}

// recordForBlock reads a record where a block must stand.
func (p *parser) recordForBlock() *ast.Block {
	p.report(say.RecordForBlock(p.cur.Span))
	start := p.begin()
	r := p.record()
	return &ast.Block{At: p.from(start), Stmts: []ast.Expr{r}}
}

// record reads `{ entries }`.
func (p *parser) record() *ast.Record {
	r := &ast.Record{}
	start, opener := p.begin(), p.pos
	outer := p.open(false)
	p.separators()
	for !p.failed && !p.at(token.RBrace) && !p.at(token.EOF) && !p.atMember() && !p.foreignCloser() {
		r.Entries = append(r.Entries, p.entry())
		if p.failed || p.separators() || p.at(token.RBrace) || p.at(token.EOF) || p.foreignCloser() {
			continue
		}
		if !p.entryFollows() {
			p.fail(say.Expected(p.where(), p.cur, "`,` or `}`", "after an entry of a record"))
			break
		}
		if !p.cur.Newline {
			p.report(say.CommaMissing(p.end(), p.cur))
		}
	}
	p.closeBrace(opener, outer)
	r.At = p.from(start)
	return r
}

// closeBrace reads the `}` of a record, pattern, type or list of arms.
func (p *parser) closeBrace(opener int, outer inside) {
	switch {
	case p.failed:
	case p.at(token.RBrace):
		p.close(outer)
	default:
		p.unclosedBrace(opener)
		p.inside = outer
		p.settle()
	}
}

// foreignCloser reports whether a ) or ] stands where the } of a { without
// partner must stand.
func (p *parser) foreignCloser() bool {
	return !p.balanced && (p.at(token.RParen) || p.at(token.RBrack))
}

// separators skips commas and line breaks; it reports whether there was one.
func (p *parser) separators() bool {
	any := false
	for p.at(token.Comma) || p.at(token.NL) {
		any = true
		p.advance()
	}
	return any
}

// entryFollows reports whether the current token begins an entry of a record.
func (p *parser) entryFollows() bool {
	switch p.kind() {
	case token.Word, token.String:
		return p.next().Kind == token.Colon
	case token.LBrack, token.Ellipsis:
		return true
	}
	return false
}

func (p *parser) entry() ast.Entry {
	start := p.begin()
	e := ast.Entry{}
	switch p.kind() {
	case token.Ellipsis:
		p.advance()
		e.Spread = p.expr()
		e.At = p.from(start)
		return e
	case token.String:
		e.Quoted = true
		e.Key = ast.Word{At: p.here(), Name: p.cur.Value}
		p.advance()
	case token.LBrack:
		e.Computed = p.index()
	case token.Word:
		e.Key = p.cursorWord()
	default:
		p.fail(say.Expected(p.where(), p.cur, "an entry", "of the record, as in `name: value`"))
		return e
	}
	p.colon(&e)
	e.Value = p.expr()
	if p.at(token.Assign) {
		p.report(say.AssignForEquals(p.cur.Span))
		p.advance()
		p.expr()
	}
	e.At = p.from(start)
	return e
}

// colon reads the colon of an entry; where it is missing or `=`, that is said.
func (p *parser) colon(e *ast.Entry) {
	switch {
	case p.take(token.Colon):
		p.skipNL()
	case p.at(token.Assign):
		p.report(say.AssignForColon(p.cur.Span, "a field of a record", e.Key.Name))
		p.advance()
	case e.Key.Name != "" && !e.Quoted && (p.at(token.Comma) || p.at(token.RBrace) || p.at(token.NL)):
		p.fail(say.ShorthandField(e.Key.Place, e.Key.Name))
	default:
		p.fail(say.Expected(p.where(), p.cur, "`:`", "after the name of a field"))
	}
}
