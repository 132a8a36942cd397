package parser

import (
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// Where a pattern stands; it only shapes what is said about a wrong one.
type patternPlace string

const (
	bindings   patternPlace = "a name"
	anyPattern patternPlace = "a pattern"
)

// alternatives reads patterns split by `|`.
func (p *parser) alternatives() ast.OrPattern {
	alts := ast.OrPattern{p.pattern(anyPattern)}
	for p.take(token.Bar) {
		p.skipNL()
		alts = append(alts, p.pattern(anyPattern))
	}
	return alts
}

// pattern reads one pattern.
func (p *parser) pattern(place patternPlace) ast.Pattern {
	defer p.shallower(p.depth)
	start := p.begin()
	if !p.deeper() {
		return &ast.BadPattern{At: p.from(start)}
	}
	switch k := p.kind(); {
	case k == token.Minus && p.next().Kind.IsNumber():
		p.advance()
		return literal(p.number(start, "-"))
	case k.IsNumber():
		return literal(p.number(start, ""))
	case k == token.String:
		return literal(p.stringLit())
	case k == token.Word:
		return p.wordPattern(start)
	case k == token.LParen:
		t := &ast.TuplePattern{}
		p.elements(func() { t.Elems = append(t.Elems, p.alternatives()) })
		t.At = p.from(start)
		return t
	case k == token.LBrack:
		t := &ast.ListPattern{}
		p.elements(func() { t.Elems = append(t.Elems, p.listElem()) })
		t.At = p.from(start)
		return t
	case k == token.LBrace:
		return p.recordPattern(start)
	}
	p.fail(say.PatternMissing(p.whereOperand(), p.cur, string(place)))
	return &ast.BadPattern{At: p.from(start)}
}

func literal(e ast.Expr) ast.Pattern {
	return &ast.LitPattern{At: ast.At{Place: e.Span()}, Value: e}
}

func (p *parser) wordPattern(start uint32) ast.Pattern {
	switch p.cur.Text {
	case "true", "false":
		return literal(p.single(&ast.BoolLit{At: p.here(), Value: p.word("true")}))
	case "nil", "null":
		return literal(p.single(&ast.NilLit{At: p.here()}))
	}
	w := p.name("a variable")
	if !isVariant(w.Name) {
		return &ast.BindPattern{At: w.At, Name: w.Name}
	}
	v := &ast.VariantPattern{Name: w}
	if p.at(token.LParen) {
		v.Args = p.patArgs()
	}
	v.At = p.from(start)
	return v
}

// isVariant reports whether a word in a pattern is a variant and binds no name.
func isVariant(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// restName reads the name behind `...`, nil if there is none.
func (p *parser) restName() *ast.Word {
	if !p.at(token.Word) {
		return nil
	}
	w := p.name("a variable")
	return &w
}

func (p *parser) listElem() ast.ListElem {
	start := p.begin()
	e := ast.ListElem{}
	if p.take(token.Ellipsis) {
		e.Rest = true
		e.Name = p.restName()
	} else {
		e.Pattern = p.alternatives()
	}
	e.At = p.from(start)
	return e
}

// patArgs reads the arguments of a variant or mock.
func (p *parser) patArgs() *ast.PatArgs {
	start := p.begin()
	a := &ast.PatArgs{}
	p.elements(func() {
		from := p.begin()
		e := ast.PatArg{}
		switch {
		case p.take(token.Ellipsis):
			e.Rest = true
		case p.at(token.Word) && p.next().Kind == token.Colon:
			e.Name = p.cursorWord()
			p.advance()
			e.Pattern = p.alternatives()
		default:
			e.Pattern = p.alternatives()
		}
		e.At = p.from(from)
		a.Args = append(a.Args, e)
	})
	a.At = p.from(start)
	return a
}

func (p *parser) recordPattern(start uint32) ast.Pattern {
	r := &ast.RecordPattern{}
	opener := p.pos
	outer := p.open(false)
	p.separators()
	for !p.failed && !p.at(token.RBrace) && !p.at(token.EOF) {
		r.Fields = append(r.Fields, p.fieldPattern())
		if p.failed || p.separators() || p.at(token.RBrace) || p.at(token.EOF) {
			continue
		}
		if !p.at(token.Word) && !p.at(token.String) && !p.at(token.Ellipsis) {
			p.fail(say.Expected(p.where(), p.cur, "`,` or `}`", "in a record pattern"))
			break
		}
		p.report(say.CommaMissing(p.end(), p.cur))
	}
	p.closeBrace(opener, outer)
	r.At = p.from(start)
	return r
}

func (p *parser) fieldPattern() ast.FieldPattern {
	start := p.begin()
	f := ast.FieldPattern{}
	switch {
	case p.take(token.Ellipsis):
		f.Rest = true
		if w := p.restName(); w != nil {
			f.Key = *w
		}
		f.At = p.from(start)
		return f
	case p.at(token.String):
		f.Quoted = true
		f.Key = ast.Word{At: p.here(), Name: p.cur.Value}
		p.advance()
	case p.at(token.Word):
		if p.next().Kind != token.Colon {
			f.Key = p.name("a variable")
			f.At = p.from(start)
			return f
		}
		f.Key = p.cursorWord()
	default:
		p.fail(say.PatternMissing(p.where(), p.cur, "a field"))
		return f
	}
	if p.expect(token.Colon, "after the name of a field") {
		p.skipNL()
		f.Pattern = p.alternatives()
	}
	f.At = p.from(start)
	return f
}
