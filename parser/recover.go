package parser

import (
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
)

// A guarded construct remembers where it began and what held there.
type guarded struct {
	pos               int
	inside            inside
	ends, test, agent bool
	depth, interps    int
}

func (p *parser) guard() guarded {
	return guarded{pos: p.pos, inside: p.inside, ends: p.ends, test: p.test, agent: p.agent, depth: p.depth, interps: p.interps}
}

// What kind of construct a guard stands around; it decides where one goes on.
type stopAt uint8

const (
	stopStatement stopAt = iota // NL or }
	stopBlock                   // }
	stopArm                     // NL, comma or }
	stopMember                  // NL or }
	stopItem                    // NL
)

// recover ends the failed state and goes to the first place, at or behind the
// token at which the construct failed, where the next one may begin. It walks
// from the construct's beginning to know which brackets are its own. The
// result is the place of all that was skipped.
func (p *parser) recover(g guarded, stop stopAt) source.Span {
	p.failed = false
	p.inside, p.ends, p.test, p.agent, p.depth, p.interps = g.inside, g.ends, g.test, g.agent, g.depth, g.interps
	start := p.toks[g.pos].Span.Start
	w := walk{p: p, stop: stop, from: g.pos}
	i := g.pos
	for !w.done(i) {
		i = w.step(i)
	}
	if i > 0 {
		last := i - 1
		for last > g.pos && p.toks[last].Kind == token.NL {
			last--
		}
		p.lastTok, p.lastEnd = last, p.toks[last].Span.End
	}
	p.pos = i
	p.settle()
	return source.Span{File: p.fileNum, Start: start, End: max(start, p.lastEnd)}
}

// A walk goes over the tokens of a failed construct.
type walk struct {
	p      *parser
	stop   stopAt
	from   int
	stack  []int // openers on the way
	braces int   // { and ${ among them
	lost   int   // ( and [ without partner among them
}

// done reports whether the next construct may begin at the token i.
func (w *walk) done(i int) bool {
	t := &w.p.toks[i]
	if t.Kind == token.EOF {
		return true
	}
	if i < w.p.failAt {
		return false
	}
	if i > w.from && w.p.declares(i) {
		return true
	}
	closer := t.Kind == token.RBrace || t.Kind == token.InterpEnd
	if len(w.stack) > 0 && !(closer && w.braces == 0) {
		return w.braces == 0 && w.lost > 0 && (t.Kind == token.NL || t.Newline)
	}
	switch t.Kind {
	case token.NL:
		return w.stop != stopBlock && (i > w.from || w.stop != stopItem)
	case token.RBrace:
		return w.stop != stopItem
	case token.InterpEnd: // one that ends nothing around is passed over, or nobody would
		return w.p.interps > 0
	case token.Comma:
		return w.stop == stopArm
	}
	return false
}

// step passes over the token i and is the index of the next one to look at.
func (w *walk) step(i int) int {
	t := &w.p.toks[i]
	switch t.Kind {
	case token.LParen, token.LBrack, token.LBrace, token.Interp:
		match := int(t.Match)
		paren := t.Kind == token.LParen || t.Kind == token.LBrack
		if match > i && (match < w.p.failAt || paren || w.p.balanced) {
			return match + 1
		}
		w.stack = append(w.stack, i)
		if !paren {
			w.braces++
		} else if match < 0 {
			w.lost++
		}
	case token.RParen, token.RBrack, token.RBrace, token.InterpEnd:
		w.close(t)
	}
	return i + 1
}

// close takes the opener of a closer off the stack, and what was opened inside
// it; one without an opener here is passed over.
func (w *walk) close(t *token.Token) {
	const far = 64 // a ) or ] that reaches further counts as stray, to keep the walk linear
	n := len(w.stack) - 1
	brace := t.Kind == token.RBrace || t.Kind == token.InterpEnd
	if brace && w.braces == 0 {
		return
	}
	for ; n >= 0; n-- {
		k := w.p.toks[w.stack[n]].Kind
		if closerOf(k) == t.Kind {
			break
		}
		if !brace && (k == token.LBrace || k == token.Interp || len(w.stack)-n > far) {
			return
		}
	}
	if n < 0 {
		return
	}
	for _, at := range w.stack[n:] {
		switch o := &w.p.toks[at]; {
		case o.Kind == token.LBrace, o.Kind == token.Interp:
			w.braces--
		case o.Match < 0:
			w.lost--
		}
	}
	w.stack = w.stack[:n]
}

// atInterpEnd reports whether the interpolation around ends at the current
// token, although the block in it is not closed.
func (p *parser) atInterpEnd() bool { return p.interps > 0 && p.at(token.InterpEnd) }

// atMember reports whether a declaration or member begins at the current
// token, although the block around is not closed.
func (p *parser) atMember() bool { return p.cur.Kind == token.Word && p.declares(p.pos) }

// declares reports whether a declaration or member begins at the token i: a
// word that declares with what it needs behind it, at the beginning of a line
// or behind a }. Inside a statement nothing of this can stand, because two
// operands in a row mean nothing.
func (p *parser) declares(i int) bool {
	t := &p.toks[i]
	if t.Kind != token.Word || !p.lineBegins(i) {
		return false
	}
	n := &p.toks[i+1]
	switch t.Text {
	case "step", "command", "query", "branch", "state", "default":
		return n.Kind == token.Word
	case "parallel":
		return n.Kind == token.LBrace || n.Is("first") || n.Is("settle") || n.Is("for")
	case "init":
		return n.Kind == token.LBrace
	case "finally":
		return n.Kind == token.LBrace || n.Kind == token.LParen && p.kinds(i+2, token.Word, token.RParen, token.LBrace)
	case "fn", "tool":
		return p.kinds(i+1, token.Word, token.LParen)
	case "signal":
		return p.kinds(i+1, token.Word, token.LParen, token.Word, token.Colon) && p.typeBegins(i+5) && p.declaresSignal(i)
	}
	return p.declaresTop(i)
}

// declaresTop is declares for what stands at top level only.
func (p *parser) declaresTop(i int) bool {
	t := &p.toks[i]
	if t.Kind != token.Word || !p.lineBegins(i) {
		return false
	}
	n := &p.toks[i+1]
	switch t.Text {
	case "workflow", "entity", "agent", "type", "event":
		return n.Kind == token.Word
	case "test":
		return n.Kind == token.String && p.kinds(i+2, token.LBrace)
	case "import":
		return n.Kind == token.String
	}
	return false
}

// lineBegins reports whether the token i is the first of its line or stands
// behind a } or ;.
func (p *parser) lineBegins(i int) bool {
	if i == 0 || p.toks[i].Newline {
		return true
	}
	k := p.toks[i-1].Kind
	return k == token.RBrace || k == token.NL
}

// kinds reports whether the tokens from i on are of these kinds.
func (p *parser) kinds(i int, kinds ...token.Kind) bool {
	for _, k := range kinds {
		if i >= len(p.toks) || p.toks[i].Kind != k {
			return false
		}
		i++
	}
	return true
}
