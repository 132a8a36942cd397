package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// settle makes cur agree with pos: it passes over line breaks that do not
// count.
func (p *parser) settle() {
	if p.failed {
		p.cur = &p.toks[len(p.toks)-1]
		return
	}
	p.pos = p.skip(p.pos)
	p.cur = &p.toks[p.pos]
}

// skip is the index of the first token at or behind i that counts.
func (p *parser) skip(i int) int {
	if p.paren {
		for p.toks[i].Kind == token.NL && p.toks[i].Text == "" {
			i++
		}
	}
	return i
}

// advance goes to the next token.
func (p *parser) advance() {
	if p.failed || p.cur.Kind == token.EOF {
		return
	}
	if p.cur.Kind != token.NL {
		p.lastEnd = p.cur.Span.End
		p.lastTok = p.pos
	}
	p.pos++
	p.settle()
}

// kind is that of the current token.
func (p *parser) kind() token.Kind { return p.cur.Kind }

// at reports whether the current token is of the kind.
func (p *parser) at(k token.Kind) bool { return p.cur.Kind == k }

// word reports whether the current token is the word w.
func (p *parser) word(w string) bool { return p.cur.Kind == token.Word && p.cur.Text == w }

// next is the token behind the current one.
func (p *parser) next() *token.Token {
	if p.failed || p.cur.Kind == token.EOF {
		return &p.toks[len(p.toks)-1]
	}
	return &p.toks[p.skip(p.pos+1)]
}

// take advances over a token of the kind, if the current one is.
func (p *parser) take(k token.Kind) bool {
	if p.cur.Kind != k {
		return false
	}
	p.advance()
	return true
}

// takeWord advances over the word w, if the current token is.
func (p *parser) takeWord(w string) bool {
	if !p.word(w) {
		return false
	}
	p.advance()
	return true
}

// expect advances over a token of the kind or fails.
func (p *parser) expect(k token.Kind, where string) bool {
	if p.take(k) {
		return true
	}
	p.fail(say.Expected(p.where(), p.cur, "`"+k.String()+"`", where))
	return false
}

// skipNL advances over line breaks and ";".
func (p *parser) skipNL() {
	for p.at(token.NL) {
		p.advance()
	}
}

// pastNL is the index of the first token at or behind the current one that is
// no NL.
func (p *parser) pastNL() int {
	i := p.pos
	for p.toks[i].Kind == token.NL {
		i++
	}
	return i
}

// An inside is what holds between two brackets.
type inside struct {
	paren bool // line breaks do not count: the innermost open bracket is ( [ or ${
	cond  bool // a block follows the expression, as in the condition of an if
}

// open advances over an opening bracket inside which line breaks count or do
// not. It returns what held outside, which close needs.
func (p *parser) open(paren bool) inside {
	outer := p.inside
	p.inside = inside{paren: paren}
	p.advance()
	return outer
}

// close advances over the closing bracket of an open.
func (p *parser) close(outer inside) {
	p.inside = outer
	p.advance()
}

// resume goes back to the token behind the last one that was read, with line
// breaks counting as they did outside a bracket that was not closed.
func (p *parser) resume(outer inside) {
	if p.failed {
		return
	}
	p.inside = outer
	if p.lastTok < p.pos {
		p.pos = p.lastTok + 1
	}
	p.settle()
}

// begin is the offset of the current token.
func (p *parser) begin() uint32 {
	if p.failed {
		return p.toks[p.failAt].Span.Start
	}
	return p.cur.Span.Start
}

// from is the place from the offset to the last token that was read.
func (p *parser) from(start uint32) ast.At {
	return ast.At{Place: source.Span{File: p.fileNum, Start: start, End: max(start, p.lastEnd)}}
}

// here is the place of the current token.
func (p *parser) here() ast.At { return ast.At{Place: p.cur.Span} }

// end is the empty place behind the last token that was read.
func (p *parser) end() source.Span {
	return source.Span{File: p.fileNum, Start: p.lastEnd, End: p.lastEnd}
}

// last is the place of the last token that was read.
func (p *parser) last() source.Span {
	if p.lastEnd == 0 {
		return p.end()
	}
	return p.toks[p.lastTok].Span
}

// where is the place at which to complain about the current token: its own,
// or, if it stands on a later line than what came before, the end of that.
func (p *parser) where() source.Span {
	switch {
	case p.lastEnd == 0:
	case p.at(token.NL), p.at(token.EOF):
		return p.end()
	case p.newline() && (p.paren || p.toks[p.pos-1].Kind != token.NL):
		return p.end()
	}
	return p.cur.Span
}

// whereOperand is where for the first thing behind a brace: that is expected on
// a line of its own.
func (p *parser) whereOperand() source.Span {
	if b := p.before(); b != nil && b.Kind == token.LBrace && !p.at(token.EOF) {
		return p.cur.Span
	}
	return p.where()
}

// newline reports whether the current token stands on another line than the
// one before.
func (p *parser) newline() bool {
	return p.cur.Newline || p.pos > 0 && p.toks[p.pos-1].Kind == token.NL
}
