package parser

import (
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// closerOf is the kind of bracket that closes the given one.
func closerOf(open token.Kind) token.Kind {
	switch open {
	case token.LParen:
		return token.RParen
	case token.LBrack:
		return token.RBrack
	case token.Interp:
		return token.InterpEnd
	}
	return token.RBrace
}

// elements reads what stands between ( ) or [ ], split by commas; each is read
// by elem.
func (p *parser) elements(elem func()) {
	opener := p.pos
	closer := closerOf(p.kind())
	outer := p.open(true)
	for !p.failed && !p.at(closer) && !p.noElement(opener, closer) {
		before := p.pos
		elem()
		if p.failed || p.take(token.Comma) {
			continue
		}
		if p.at(closer) || !p.commaMissing(opener) || p.pos == before {
			break
		}
	}
	p.closeParen(opener, outer)
}

// noElement reports whether the list ends without its closer. A closer of
// another kind that is too many is passed over.
func (p *parser) noElement(opener int, closer token.Kind) bool {
	for {
		switch p.kind() {
		case token.EOF:
			return true
		case token.RParen, token.RBrack:
			if p.kind() == closer || p.toks[opener].Match < 0 || p.cur.Match >= 0 {
				return p.kind() != closer
			}
			p.report(say.StrayCloser(p.cur.Span, p.cur.Text))
			p.advance()
		case token.RBrace, token.InterpEnd:
			return true
		default:
			return p.toks[opener].Match < 0 && p.cur.Newline && p.atMember()
		}
	}
}

// commaMissing decides what is wrong behind an element that neither a comma nor
// the closer follows: it reports whether another element follows.
func (p *parser) commaMissing(opener int) bool {
	if p.toks[opener].Match < 0 {
		return false // the closer is missing, which closeParen says
	}
	switch p.kind() {
	case token.RParen, token.RBrack:
		return true // too many, which noElement says
	}
	if !p.beginsOperand() && !p.at(token.Ellipsis) {
		return false
	}
	p.report(say.CommaMissing(p.end(), p.cur))
	return true
}

// closeParen reads the closer of the ( [ or ${ at the index opener. A missing
// one is reported where it was missed, and what follows is read as outside.
func (p *parser) closeParen(opener int, outer inside) {
	open := &p.toks[opener]
	closer := closerOf(open.Kind)
	switch {
	case p.failed:
	case p.at(closer):
		p.close(outer)
	case open.Match < 0 || p.at(token.EOF) || p.at(token.RBrace):
		if !p.reported[p.file.LineOf(p.lastEnd)] {
			p.report(say.UnclosedParen(p.last(), open.Span, open.Text, closer.String(), p.file.Position(open.Span.Start)))
		}
		p.resume(outer)
	default:
		p.fail(say.Expected(p.where(), p.cur, "`,` or `"+closer.String()+"`", ""))
	}
}
