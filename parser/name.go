package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// cursorWord reads the current token, a word, as a name.
func (p *parser) cursorWord() ast.Word {
	w := ast.Word{At: p.here(), Name: p.cur.Text}
	p.advance()
	return w
}

// name reads the name of a variable, parameter, function, type and the like. A
// reserved word is reported and taken.
func (p *parser) name(what string) ast.Word {
	if !p.at(token.Word) {
		p.fail(say.NameMissing(p.where(), p.cur, what))
		return ast.Word{At: p.from(p.begin())}
	}
	if token.Reserved(p.cur.Text) {
		p.report(say.ReservedName(p.cur.Span, p.cur.Text))
	}
	return p.cursorWord()
}

// anyWord reads a name that may be any word.
func (p *parser) anyWord(what string) ast.Word {
	if !p.at(token.Word) {
		p.fail(say.NameMissing(p.where(), p.cur, what))
		return ast.Word{At: p.from(p.begin())}
	}
	return p.cursorWord()
}

// params reads `(a, b: T, (c, d))`.
func (p *parser) params() []ast.Param {
	if !p.at(token.LParen) {
		if !p.failed && (p.at(token.LBrace) || p.at(token.Assign) || p.at(token.Arrow) || p.word("in")) {
			p.report(say.ParametersMissing(p.end()))
			return []ast.Param{}
		}
		p.fail(say.Expected(p.where(), p.cur, "`(`", "and the parameters"))
		return nil
	}
	params := []ast.Param{}
	p.elements(func() {
		start := p.begin()
		q := ast.Param{}
		if p.paramPattern() {
			q.Pattern = p.pattern(bindings)
			q.Name.At = ast.At{Place: q.Pattern.Span()}
		} else {
			q.Name = p.name(say.Parameter)
		}
		if p.take(token.Colon) {
			q.Type = p.typ()
		} else if q.Pattern == nil && p.at(token.Word) && p.typeFollows() {
			start, at := p.begin(), p.end()
			q.Type = p.typ()
			p.report(say.TypeColon(at, q.Name.Name, p.file.Text[start:p.lastEnd]))
		}
		if p.at(token.Assign) {
			p.fail(say.DefaultValue(p.cur.Span))
		}
		q.At = p.from(start)
		params = append(params, q)
	})
	return params
}

// paramPattern reports whether a parameter begins like a pattern that is no
// name.
func (p *parser) paramPattern() bool {
	switch p.kind() {
	case token.LParen, token.LBrace, token.LBrack:
		return true
	case token.Word:
		return p.next().Kind == token.LParen && isVariant(p.cur.Text)
	}
	return false
}
