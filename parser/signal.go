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

// payload reads what a declared signal carries, `(name: Type)`, if that stands
// there. A type without a name is reported and read as what it means, and a body
// is passed over.
func (p *parser) payload() (paramNode, bool) {
	start, of := p.begin(), p.before()
	m := paramNode{}
	unnamed := func(t ast.Type, at ast.At) {
		if len(m.list) == 0 && !p.failed {
			p.report(say.PayloadUnnamed(of.Text, at.Place, p.text(t)))
		}
		m.list = append(m.list, ast.Param{At: at, Name: ast.Word{At: at, Name: "payload"}, Type: t})
	}
	switch {
	case p.at(token.LParen) && p.typeBegins(p.pos+1) && p.toks[p.pos+2].Kind != token.Colon:
		p.elements(func() {
			t := p.typ()
			unnamed(t, ast.At{Place: t.Span()})
		})
	case p.at(token.LParen):
		m.list = p.params()
	case p.at(token.Colon) && !p.newline():
		p.advance()
		t := p.typ()
		unnamed(t, p.from(start))
	}
	m.At = p.from(start)
	body := p.at(token.LBrace) && !p.newline() && int(p.cur.Match) > p.pos
	if body && !p.failed {
		p.report(say.SignalBody(p.cur.Span))
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
