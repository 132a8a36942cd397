package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// typ reads a type.
func (p *parser) typ() ast.Type {
	defer p.shallower(p.depth)
	start := p.begin()
	if !p.deeper() {
		return &ast.BadType{At: p.from(start)}
	}
	t := p.baseType(start)
	for links := 0; p.at(token.Question) && p.longer(&links); {
		p.advance()
		t = &ast.OptType{At: p.from(start), Elem: t}
	}
	if p.at(token.Coalesce) { // T??
		p.advance()
		t = &ast.OptType{At: p.from(start), Elem: t}
	}
	return p.foreignJoin(start, t)
}

// foreignJoin reads `T | nil` as `T?`, and `A -> B` as `fn(A) -> B`.
func (p *parser) foreignJoin(start uint32, t ast.Type) ast.Type {
	if p.failed || p.newline() || !p.at(token.Bar) && !p.at(token.Arrow) {
		return t
	}
	n := p.next()
	orNil := n.Is("nil") || n.Is("null") || n.Is("undefined") || n.Is("None")
	p.report(say.TypeJoined(p.cur.Span, p.cur, p.file.Text[start:p.lastEnd], orNil))
	arrow := p.at(token.Arrow)
	p.advance()
	other := p.typ()
	switch {
	case arrow:
		return &ast.FnType{At: p.from(start), Params: []ast.Type{t}, Result: other}
	case orNil:
		return &ast.OptType{At: p.from(start), Elem: t}
	}
	return &ast.NameType{At: p.from(start), Name: "Any"}
}

func (p *parser) baseType(start uint32) ast.Type {
	switch k := p.kind(); {
	case p.word("fn"):
		return p.fnType(start)
	case p.word("nil"), p.word("null"):
		p.advance()
		return &ast.NameType{At: p.from(start), Name: "nil"}
	case k == token.Word:
		w := p.name("a type")
		if p.at(token.Less) {
			return p.generic(start, w)
		}
		return &ast.NameType{At: w.At, Name: w.Name}
	case k == token.LBrack:
		l := &ast.ListType{}
		p.elements(func() {
			if l.Elem != nil {
				p.fail(say.Expected(p.cur.Span, p.cur, "`]`", "after the type of the elements"))
			}
			l.Elem = p.typ()
		})
		l.At = p.from(start)
		if l.Elem == nil && !p.failed {
			p.fail(say.TypeMissing(p.where(), p.cur))
		}
		return l
	case k == token.LParen:
		return p.tupleType(start)
	case k == token.LBrace:
		return p.recordType(start)
	}
	p.fail(say.TypeMissing(p.where(), p.cur))
	return &ast.BadType{At: p.from(start)}
}

// tupleType reads `(A, B)`, `()`, or a type in parentheses.
func (p *parser) tupleType(start uint32) ast.Type {
	t := &ast.TupleType{}
	comma := false
	p.elements(func() {
		t.Elems = append(t.Elems, p.typ())
		comma = comma || p.at(token.Comma)
	})
	if len(t.Elems) == 1 && !comma {
		return t.Elems[0]
	}
	t.At = p.from(start)
	return t
}

func (p *parser) fnType(start uint32) ast.Type {
	p.advance()
	f := &ast.FnType{}
	if !p.at(token.LParen) {
		p.fail(say.Expected(p.where(), p.cur, "`(`", "in a type, as in `fn(Int) -> Int`"))
		return f
	}
	p.elements(func() { f.Params = append(f.Params, p.typ()) })
	if p.take(token.Arrow) {
		f.Result = p.typ()
	}
	f.At = p.from(start)
	return f
}

// recordType reads `{ a: T }` or the map `{String: T}`.
func (p *parser) recordType(start uint32) ast.Type {
	opener := p.pos
	outer := p.open(false)
	p.separators()
	if p.word("String") && p.next().Kind == token.Colon {
		p.advance()
		p.advance()
		m := &ast.MapType{Elem: p.typ()}
		p.separators()
		if !p.failed && !p.at(token.RBrace) {
			p.fail(say.Expected(p.where(), p.cur, "`}`", "after the type of a map's values"))
		}
		p.closeBrace(opener, outer)
		m.At = p.from(start)
		return m
	}
	r := &ast.RecordType{}
	for !p.failed && !p.at(token.RBrace) && !p.at(token.EOF) && !p.atMember() {
		r.Fields = append(r.Fields, p.typeField())
		if p.failed || p.separators() || p.at(token.RBrace) || p.at(token.EOF) {
			continue
		}
		if !p.entryFollows() {
			p.fail(say.Expected(p.where(), p.cur, "`,` or `}`", "after a field of a record type"))
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

func (p *parser) typeField() ast.TField {
	start := p.begin()
	f := ast.TField{}
	if p.at(token.String) {
		f.Quoted = true
		f.Name = ast.Word{At: p.here(), Name: p.cur.Value}
		p.advance()
	} else {
		f.Name = p.anyWord("the name of a field")
	}
	if p.expect(token.Colon, "between a field and its type") {
		p.skipNL()
		f.Type = p.typ()
	}
	f.At = p.from(start)
	return f
}

// generic reads `List<Int>` and its like, which other languages write, as the
// type of ours that it stands for.
func (p *parser) generic(start uint32, w ast.Word) ast.Type {
	place := p.cur.Span
	p.advance()
	args := []ast.Type{p.typ()}
	for p.take(token.Comma) {
		args = append(args, p.typ())
	}
	if !p.at(token.More) {
		p.fail(say.GenericType(place, w.Name))
		return &ast.BadType{At: p.from(start)}
	}
	p.advance()
	p.report(say.GenericType(place, w.Name))
	switch last := args[len(args)-1]; w.Name {
	case "List", "Array", "Vec", "Set":
		return &ast.ListType{At: p.from(start), Elem: last}
	case "Map", "Dict", "Record", "HashMap":
		return &ast.MapType{At: p.from(start), Elem: last}
	case "Option", "Optional", "Maybe":
		return &ast.OptType{At: p.from(start), Elem: last}
	}
	return &ast.NameType{At: p.from(start), Name: w.Name}
}

// typeBody reads what stands behind `type Name =`: a sum of variants if the
// first token is `|` or a word with `(` or `|` behind it, else a type.
func (p *parser) typeBody() (ast.Type, []ast.Variant) {
	p.skipNL()
	named := p.at(token.Word) && !token.Reserved(p.cur.Text)
	if n := p.next().Kind; !p.at(token.Bar) && (!named || n != token.LParen && n != token.Bar) {
		return p.typ(), nil
	}
	doc := p.docs[p.pos]
	p.take(token.Bar)
	variants := []ast.Variant{p.variant(doc)}
	for p.at(token.Bar) {
		doc := p.docs[p.pos]
		p.advance()
		variants = append(variants, p.variant(doc))
	}
	return nil, variants
}

func (p *parser) variant(doc string) ast.Variant {
	start := p.begin()
	if d, ok := p.docs[p.pos]; ok {
		doc = d
	}
	v := ast.Variant{Doc: doc, Name: p.name("the name of a variant")}
	if p.at(token.LParen) {
		v.Fields = p.fields()
	}
	v.At = p.from(start)
	return v
}

// fields reads the fields of a variant or event: `(name: T, U)`.
func (p *parser) fields() []ast.VField {
	fields := []ast.VField{}
	p.elements(func() {
		start := p.begin()
		f := ast.VField{}
		if p.at(token.Word) && p.next().Kind == token.Colon {
			f.Name = p.cursorWord()
			p.advance()
		}
		f.Type = p.typ()
		f.At = p.from(start)
		fields = append(fields, f)
	})
	return fields
}
