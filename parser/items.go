package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// program reads the whole file.
func (p *parser) program() []ast.Item {
	tree, err := run(p, p.grammar.program)
	if err != nil || tree == nil { // items recover by themselves; if ever not, it is said
		p.fail(say.Expected(p.where(), p.cur, "a declaration or statement", ""))
		return nil
	}
	var items []ast.Item
	for _, i := range tree.Items {
		if _, gone := i.(*absorbed); !gone {
			items = append(items, i)
		}
	}
	return items
}

// absorbed stands for an item that became part of another one.
type absorbed struct{ ast.BadItem }

// item reads one declaration or statement at top level; false at the end.
func (p *parser) item() (item, bool) {
	for p.gap(); p.at(token.RBrace); p.gap() {
		p.strayBrace()
	}
	if p.at(token.EOF) {
		return nil, false
	}
	if p.at(token.Word) {
		p.foreignStart(true)
		p.misspeltDeclaration()
		switch {
		case p.declaresHere():
			return p.declaration(), true
		case p.declares(p.pos):
			return p.memberOutside(), true
		}
	}
	e := p.statement()
	return &ast.Statement{At: ast.At{Place: e.Span()}, Expr: e}, true
}

// strayBrace passes over a `}` at top level.
func (p *parser) strayBrace() {
	p.report(say.StrayBrace(p.cur.Span))
	p.lastCloser = p.cur.Span
	p.advance()
}

// declaresHere reports whether the current word begins a declaration.
func (p *parser) declaresHere() bool {
	n := p.next()
	switch p.cur.Text {
	case "workflow", "entity", "agent":
		return n.Kind == token.Word || n.Kind == token.LBrace
	case "type", "event", "fn":
		return n.Kind == token.Word
	case "import", "test":
		return n.Kind == token.String || n.Kind == token.Open
	}
	return false
}

// misspeltDeclaration reads a word that nearly begins a declaration as that.
func (p *parser) misspeltDeclaration() {
	i := p.pos
	if token.Reserved(p.cur.Text) || p.toks[i+1].Kind != token.Word {
		return
	}
	after := token.EOF
	if i+2 < len(p.toks) {
		after = p.toks[i+2].Kind
	}
	if after != token.LBrace && after != token.LParen && after != token.Assign && after != token.NL {
		return
	}
	if p.declares(i) || p.declaresHere() {
		return
	}
	meant := spell.Within(p.cur.Text, append(token.Declarations(), starters()...), 2)
	switch meant {
	case "workflow", "entity", "agent", "type", "event", "fn":
		p.respell(meant)
	}
}

// respell reports the current word and reads it as the one that was meant.
func (p *parser) respell(meant string) {
	p.report(say.Misspelt(p.cur.Span, p.cur.Text, meant))
	p.cur.Text = meant
}

// declaration reads one declaration at top level.
func (p *parser) declaration() ast.Item {
	g := p.guard()
	start, doc := p.begin(), p.docs[p.pos]
	p.agent = p.word("agent")
	d := p.readDeclaration()
	if p.failed || d == nil {
		return &ast.BadItem{At: ast.At{Place: p.recover(g, stopItem)}}
	}
	p.agent = false
	it := d.node(p.from(start), doc)
	if w, ok := it.(*ast.Workflow); ok {
		p.actor, p.lastCloser = w, p.last()
	}
	p.itemEnd(stopItem)
	return it
}

// itemEnd makes sure that nothing follows a declaration or member on its line,
// unless it ended in a `}`. A clause there that cannot be read is passed over.
func (p *parser) itemEnd(stop stopAt) {
	switch p.kind() {
	case token.NL, token.EOF, token.RBrace, token.Stray:
		return
	}
	if p.cur.Newline || p.toks[p.lastTok].Kind == token.RBrace {
		return
	}
	g := p.guard()
	if p.misplacedClause() {
		if p.failed {
			p.recover(g, stop)
		}
		return
	}
	p.report(say.LineMissing(p.cur.Span, p.cur))
	p.take(token.Comma)
}
