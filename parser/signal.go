package parser

import (
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// Declared signals. `signal` begins a statement too, and an arm of a `select`.

// declaresSignal reports whether the word `signal` at the token i, where a member
// may stand, declares one: what sends a signal has a message behind the handle,
// what takes one an arrow.
func (p *parser) declaresSignal(i int) bool {
	if i++; p.toks[i].Kind != token.Word {
		return true // a name that is missing
	}
	if i++; p.toks[i].Kind == token.LParen && int(p.toks[i].Match) > i {
		i = int(p.toks[i].Match) + 1
	}
	switch p.toks[i].Kind {
	case token.Dot, token.LBrack, token.FatArrow:
		return false
	}
	return true
}

// typeBegins reports whether the token i is what only a type or a literal begins
// with, and no name of a value.
func (p *parser) typeBegins(i int) bool {
	switch t := &p.toks[i]; t.Kind {
	case token.LBrace, token.LBrack, token.LParen:
		return true
	case token.Word:
		r, _ := utf8.DecodeRuneInString(t.Text)
		return t.Text == "nil" || t.Text == "fn" || unicode.IsUpper(r)
	}
	return false
}

// patternBegins reports whether the token i opens a pattern that stands where the
// name of a parameter does: its type is behind it, or a name inside has none.
func (p *parser) patternBegins(i int) bool {
	open := &p.toks[i]
	if open.Kind == token.Word || int(open.Match) <= i {
		return false
	}
	field := open.Kind == token.LBrace && p.toks[i+1].Kind == token.Word && p.toks[i+2].Kind != token.Colon
	return field || p.toks[open.Match+1].Kind == token.Colon
}

// payload reads what a declared signal carries, `(name: Type)`, if that stands
// there. A type without a name is reported and read as what it means, and a body
// is passed over.
func (p *parser) payload() (paramNode, bool) {
	start, of := p.begin(), p.before()
	m := paramNode{}
	unnamed := func(name string, t ast.Type, at ast.At) {
		if len(m.list) == 0 && !p.failed {
			p.report(say.PayloadUnnamed(of.Text, at.Place, name, p.text(t)))
		}
		m.list = append(m.list, ast.Param{At: at, Name: ast.Word{At: at, Name: name}, Type: t})
	}
	switch {
	case p.at(token.LParen) && p.typeBegins(p.pos+1) && p.toks[p.pos+2].Kind != token.Colon && !p.patternBegins(p.pos+1):
		p.elements(func() {
			t := p.typ()
			unnamed("payload", t, ast.At{Place: t.Span()})
		})
	case p.at(token.LParen):
		m.list = p.params()
	case p.at(token.Colon) && !p.newline():
		p.advance()
		t := p.typ()
		unnamed("payload", t, p.from(start))
	case p.at(token.Word) && !p.newline() && p.toks[p.pos+1].Kind == token.Colon:
		name := p.cur.Text
		p.advance()
		p.advance()
		t := p.typ()
		unnamed(name, t, p.from(start))
	}
	m.At = p.from(start)
	if p.at(token.Arrow) && !p.newline() && !p.failed {
		arrow := p.begin()
		p.advance()
		p.typ()
		if !p.failed {
			p.report(say.SignalBody(p.from(arrow).Place, "result"))
		}
	}
	body := p.at(token.LBrace) && !p.newline() && int(p.cur.Match) > p.pos
	if body && !p.failed {
		p.report(say.SignalBody(p.cur.Span, "body"))
		p.pos = int(p.cur.Match)
		p.settle()
		p.advance()
	}
	return m, m.list != nil || body
}

// text is a node as it is written.
func (p *parser) text(n ast.Node) string {
	s := n.Span()
	return p.file.Text[s.Start:s.End]
}
