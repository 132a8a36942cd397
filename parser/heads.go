package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// The productions that the heads of declarations consist of, as participle
// calls them.

// headName reads the name of a declaration. One that is missing before its
// parameters or body is reported and left empty.
func (p *parser) headName() ast.Word {
	if p.nameMissing() {
		return ast.Word{At: p.from(p.lastEnd)}
	}
	return p.name("a name")
}

// headWord is headName for names that may be any word.
func (p *parser) headWord() ast.Word {
	if p.nameMissing() {
		return ast.Word{At: p.from(p.lastEnd)}
	}
	return p.anyWord("a name")
}

func (p *parser) nameMissing() bool {
	switch p.kind() {
	case token.LBrace, token.LParen, token.Assign, token.Colon:
		p.report(say.NameMissing(p.where(), p.cur, "a name"))
		return true
	}
	return false
}

// plainString reads a string without interpolation.
func (p *parser) plainString() ast.Node {
	if !p.at(token.String) {
		p.fail(say.Expected(p.where(), p.cur, "a string without `${…}`", ""))
		return &ast.StringLit{At: p.from(p.begin())}
	}
	return p.stringLit()
}

// about reads what a tool tells the model, if it stands on the line.
func (p *parser) about() (ast.Node, bool) {
	if !p.at(token.String) {
		return nil, false
	}
	return p.stringLit(), true
}

// headExpr reads the expression of a clause. A `{` in place of a value is the
// body.
func (p *parser) headExpr() ast.Expr {
	if p.at(token.LBrace) && !p.failed {
		p.report(say.OperandMissing(p.where(), p.cur, p.before()))
		return &ast.Bad{At: p.from(p.lastEnd)}
	}
	return p.headed()
}

// Lists as nodes, for participle.
type (
	paramNode struct {
		ast.At
		list []ast.Param
	}
	fieldNode struct {
		ast.At
		list []ast.VField
	}
	typeNode struct {
		ast.At
		typ      ast.Type
		variants []ast.Variant
	}
	bodyNode struct {
		ast.At
		body ast.Body
	}
)

func (p *parser) paramList() paramNode {
	start := p.begin()
	list := p.params()
	return paramNode{At: p.from(start), list: list}
}

func (p *parser) optionalParams() (paramNode, bool) {
	if !p.at(token.LParen) {
		return paramNode{}, false
	}
	return p.paramList(), true
}

func (p *parser) fieldList() (fieldNode, bool) {
	if !p.at(token.LParen) {
		return fieldNode{}, false
	}
	start := p.begin()
	list := p.fields()
	return fieldNode{At: p.from(start), list: list}, true
}

func (p *parser) typeBodyNode() typeNode {
	start := p.begin()
	t, variants := p.typeBody()
	return typeNode{At: p.from(start), typ: t, variants: variants}
}

func (p *parser) bodyNode(ends bool) bodyNode {
	start := p.begin()
	p.foreignResult()
	b := p.body(ends, "the head")
	return bodyNode{At: p.from(start), body: b}
}

// foreignResult reports what stands between the parameters and the body and is
// no result: `: Int`, as other languages write it, or a type without its arrow.
func (p *parser) foreignResult() {
	if p.failed || p.at(token.Assign) || p.newline() {
		return
	}
	if p.at(token.Colon) {
		p.report(say.ForeignWord(p.cur.Span, ":", "->"))
		p.advance()
		p.typ()
		return
	}
	p.bodyBehindGarbage(func() diag.Diagnostic {
		return say.Expected(p.cur.Span, p.cur, "`->`, `=` or `{`", "after the parameters")
	})
}

// commandBody reads the body of a command; an agent's may have none.
func (p *parser) commandBody() bodyNode {
	if p.agent && !p.at(token.Assign) && p.toks[p.pastNL()].Kind != token.LBrace {
		return bodyNode{At: p.from(p.begin())}
	}
	return p.bodyNode(true)
}

// bodyBlock reads the block of a step, handler or test.
func (p *parser) bodyBlock(of string, ends, test bool) *ast.Block {
	p.skipGarbage()
	outerEnds, outerTest := p.ends, p.test
	p.ends, p.test = ends, test
	b := p.block(of)
	p.ends, p.test = outerEnds, outerTest
	return b
}

// outcome reads `(name)` behind `compensate` or `finally`.
func (p *parser) outcome() (ast.Node, bool) {
	if !p.at(token.LParen) {
		return nil, false
	}
	w := ast.Word{}
	p.elements(func() { w = p.name(say.Outcome) })
	return w, true
}

// bodyBehindGarbage goes to the `{` that stands further right on the line and
// says what is wrong with what stands before it. The result is whether there is
// such a `{`.
func (p *parser) bodyBehindGarbage(wrong func() diag.Diagnostic) bool {
	if p.failed || p.at(token.LBrace) {
		return !p.failed
	}
	const far = 64 // tokens; what is longer is no head
	i := p.pos
	for ; p.toks[i].Kind != token.LBrace; i++ {
		switch k := p.toks[i].Kind; {
		case k == token.NL, k == token.EOF, k == token.RBrace, i > p.pos && p.toks[i].Newline, i > p.pos+far:
			return false
		}
	}
	p.report(wrong())
	p.pos = i
	p.settle()
	return true
}

// nearlyUndo reports whether the token i is a misspelt `compensate`.
func (p *parser) nearlyUndo(i int) bool {
	t := &p.toks[i]
	if t.Kind != token.Word || isMember(t.Text) {
		return false
	}
	if k := p.toks[i+1].Kind; k != token.LBrace && k != token.LParen {
		return false
	}
	return spell.Within(t.Text, []string{"compensate"}, 2) != ""
}

// undo reads the compensation behind a step, branch or block; it may stand on
// the next line.
func (p *parser) undo() (ast.Node, bool) {
	i := p.pastNL()
	if p.failed || !p.toks[i].Is("compensate") && !p.nearlyUndo(i) {
		return nil, false
	}
	p.pos = i
	p.settle()
	if !p.word("compensate") {
		p.respell("compensate")
	}
	g := p.guard()
	start := p.begin()
	m := p.readDeclaration()
	if p.failed || m == nil {
		return &ast.Compensate{At: ast.At{Place: p.recover(g, stopMember)}, Body: &ast.Block{}}, true
	}
	c, _ := m.node(p.from(start), "").(*ast.Compensate)
	return c, true
}
