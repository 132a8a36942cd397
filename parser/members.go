package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// memberOutside reads members that stand at top level. They belong to the
// actor before them, which a `}` closed too early, and go on to its real one.
func (p *parser) memberOutside() ast.Item {
	word, place := p.cur.Text, p.cur.Span
	switch {
	case p.actor != nil:
		p.report(say.ClosedTooEarly(place, word, p.actor.Kind.Keyword()+" "+p.actor.Name.Name, p.lastCloser))
	default:
		p.report(say.MemberOutside(place, word))
	}
	list := p.memberList()
	if p.at(token.RBrace) {
		p.lastCloser = p.cur.Span
		p.advance()
	}
	if p.actor != nil && len(list) > 0 {
		p.actor.Members = append(p.actor.Members, list...)
		p.actor.Place = p.actor.Place.To(list[len(list)-1].Span())
	}
	return &absorbed{}
}

// memberList reads members up to a `}` or a declaration.
func (p *parser) memberList() []ast.Item {
	var list []ast.Item
	for p.gap(); !p.at(token.RBrace) && !p.at(token.EOF) && !p.declaresTop(p.pos) && !p.atStatement(); p.gap() {
		if one := p.member(); one != nil {
			list = append(list, one)
		}
	}
	return list
}

// atStatement reports whether a statement of the top level begins at the
// current token, so that the body around must have ended: it stands at the very
// left of a text whose members do not.
func (p *parser) atStatement() bool {
	t := p.cur
	if t.Kind != token.Word || p.beginsMember() || !p.lineBegins(p.pos) {
		return false
	}
	at := t.Span.Start
	return at > 0 && p.file.Text[at-1] == '\n' && (t.Text == "let" || t.Text == "var" || !p.balanced)
}

// A memberNode is a list of members as a node.
type memberNode struct {
	ast.At
	list []ast.Item
}

// members reads `{ members }`.
func (p *parser) members() memberNode {
	opener, start := -1, p.begin()
	if i := p.pastNL(); p.toks[i].Kind == token.LBrace {
		p.pos = i
		p.settle()
		start = p.begin()
		opener = p.pos
		p.advance()
	} else if !p.bodyBehindGarbage(func() diag.Diagnostic { return say.Expected(p.where(), p.cur, "`{`", "and the members") }) {
		p.report(say.MissingBrace(p.last(), "the head", p.cur))
		if p.surplus <= 0 {
			return memberNode{At: p.from(start)}
		}
		p.surplus--
	} else {
		opener = p.pos
		p.advance()
	}
	m := memberNode{list: p.memberList()}
	p.closeBrace(opener, inside{})
	m.At = p.from(start)
	return m
}

// member reads one member; nil if there is nothing to keep.
func (p *parser) member() ast.Item {
	g := p.guard()
	if p.misplacedClause() {
		if p.failed {
			p.recover(g, stopMember)
		}
		return nil
	}
	p.foreignStart(false)
	p.misspeltMember()
	if p.depth++; p.depth > maxDepth {
		p.fail(say.TooDeep(p.cur.Span, maxDepth))
	} else if !p.beginsMember() {
		p.fail(say.NoMember(p.cur.Span, p.cur, p.next(), "a workflow, entity or agent"))
	}
	start, doc := p.begin(), p.docs[g.pos]
	var m declaration
	if !p.failed {
		m = p.readDeclaration()
	}
	if p.failed || m == nil {
		return &ast.BadItem{At: ast.At{Place: p.recover(g, stopMember)}}
	}
	p.depth--
	it := m.node(p.from(start), doc)
	if s, ok := it.(*ast.State); ok {
		p.typeWithoutColon(s)
	}
	p.itemEnd(stopMember)
	return it
}

// typeWithoutColon reads what stands behind `state name` as its type.
func (p *parser) typeWithoutColon(s *ast.State) {
	if s.Type != nil || s.Init != nil || s.Name.Name == "" || !p.typeFollows() {
		return
	}
	start := p.begin()
	at := p.end()
	s.Type = p.typ()
	if p.failed {
		p.failed, s.Type = false, nil
		return
	}
	p.report(say.TypeColon(at, s.Name.Name, p.file.Text[start:p.lastEnd]))
	if p.take(token.Assign) {
		p.skipNL()
		s.Init = p.expr()
	}
	s.Place.End = p.lastEnd
}

// typeFollows reports whether a type stands where only a colon may: a word with
// an upper-case letter, or what it begins with.
func (p *parser) typeFollows() bool {
	if p.failed || p.newline() {
		return false
	}
	switch p.kind() {
	case token.Word:
		return isVariant(p.cur.Text) || p.word("fn") && p.next().Kind == token.LParen
	case token.LBrack, token.LBrace:
		return true
	}
	return false
}

// beginsMember reports whether the current token is the first one of a member.
func (p *parser) beginsMember() bool {
	return p.at(token.Word) && isMember(p.cur.Text) && (!p.word("signal") || p.declaresSignal(p.pos))
}

func isMember(w string) bool {
	switch w {
	case "state", "timeout", "default", "init", "step", "parallel", "command", "query", "signal", "fn",
		"finally", "compensate", "branch", "model", "system", "tool":
		return true
	}
	return false
}

// misspeltMember reads a word that nearly begins a member as that.
func (p *parser) misspeltMember() {
	if !p.at(token.Word) || isMember(p.cur.Text) || len(p.cur.Text) < 3 {
		return
	}
	switch n := p.next(); n.Kind {
	case token.Word, token.LBrace, token.String, token.Duration:
	default:
		return
	}
	if meant := spell.Within(p.cur.Text, token.Members(), min(2, spell.Bound(p.cur.Text))); meant != "" {
		p.respell(meant)
	}
}

// misplacedClause reads and reports a clause that stands outside of a head.
func (p *parser) misplacedClause() bool {
	if !p.word("retry") && !p.word("backoff") && !p.word("when") || !p.operandFollows() {
		return false
	}
	p.report(say.ClauseMisplaced(p.cur.Span, p.cur.Text))
	p.clause(p.pos)
	return true
}
