package parser

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// begins reports whether an operand may begin with the token.
func begins(t *token.Token) bool {
	switch t.Kind {
	case token.String, token.Open, token.LParen, token.LBrack, token.LBrace, token.Minus, token.Bang:
		return true
	case token.Word:
		return !token.BreaksNoLine(t.Text)
	}
	return t.Kind.IsNumber()
}

func (p *parser) beginsOperand() bool { return begins(p.cur) }

// primary reads an operand without what may stand behind it.
func (p *parser) primary() ast.Expr {
	start := p.begin()
	switch k := p.kind(); {
	case k == token.Word && !(p.cur.Newline && p.declares(p.pos)):
		return p.wordOperand(start)
	case k.IsNumber():
		return p.number(start, "")
	case k == token.String:
		return p.stringLit()
	case k == token.Open:
		return p.interpolated()
	case k == token.LParen:
		return p.parens(start)
	case k == token.LBrack:
		return p.list(start)
	case k == token.LBrace:
		if p.isRecord() {
			return p.record()
		}
		if !p.cond {
			return p.block("`{`")
		}
		p.report(say.OperandMissing(p.where(), p.cur, p.before()))
		return &ast.Bad{At: p.from(start)}
	}
	p.noOperand()
	return &ast.Bad{At: p.from(start)}
}

// noOperand fails for a token at which no operand begins.
func (p *parser) noOperand() {
	if p.failed {
		return
	}
	switch {
	case p.at(token.Stray):
		p.fail(say.StrayBrace(p.cur.Span))
	case p.at(token.RParen) && p.cur.Match < 0, p.at(token.RBrack) && p.cur.Match < 0:
		p.fail(say.StrayCloser(p.cur.Span, p.cur.Text))
	default:
		p.fail(say.OperandMissing(p.whereOperand(), p.cur, p.before()))
	}
}

// before is the token that was read last, nil if there is none.
func (p *parser) before() *token.Token {
	if p.lastEnd == 0 {
		return nil
	}
	return &p.toks[p.lastTok]
}

// wordOperand reads an operand that begins with a word.
func (p *parser) wordOperand(start uint32) ast.Expr {
	w := p.cur.Text
	if !token.Reserved(w) {
		if w == "signal" {
			n := p.next()
			if n.Kind == token.Word && (n.Text == "self" || !token.Reserved(n.Text)) && !p.foreignAnd(n) || p.handleInParens() {
				return p.askOrSignal(start)
			}
		}
		n := &ast.Name{At: p.here(), Name: w}
		p.advance()
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) && p.recordBehind() {
			return p.namedRecord(start, n)
		}
		return n
	}
	switch w {
	case "self":
		return p.single(&ast.Self{At: p.here()})
	case "true", "false":
		return p.single(&ast.BoolLit{At: p.here(), Value: w == "true"})
	case "nil", "null":
		return p.single(&ast.NilLit{At: p.here()})
	case "break":
		return p.single(&ast.Break{At: p.here()})
	case "continue":
		return p.single(&ast.Continue{At: p.here()})
	case "fn":
		return p.lambda(start)
	case "let":
		return p.let(false)
	case "perform":
		return p.perform(start)
	case "ask":
		return p.askOrSignal(start)
	case "await":
		return p.await(start)
	case "spawn":
		return p.spawn(start)
	case "emit":
		return p.emit(start)
	}
	return p.control(start, w)
}

func (p *parser) single(e ast.Expr) ast.Expr {
	p.advance()
	return e
}

// number reads a numeric literal with the sign before it.
func (p *parser) number(start uint32, sign string) ast.Expr {
	n := &ast.NumberLit{Text: sign + p.cur.Value}
	kind := ""
	switch p.kind() {
	case token.Int:
		n.Kind = ast.NumInt
		if _, err := strconv.ParseInt(n.Text, 10, 64); err != nil {
			kind = "an Int"
		}
	case token.Decimal:
		n.Kind = ast.NumDecimal
	case token.Float:
		n.Kind = ast.NumFloat
		if _, err := strconv.ParseFloat(n.Text, 64); err != nil {
			kind = "a Float"
		}
	case token.Duration:
		n.Kind = ast.NumDuration
		if !durationFits(p.cur.Value) {
			kind = "a Duration"
		}
	}
	if kind != "" {
		p.report(say.NumberTooLarge(p.cur.Span, p.cur.Text, kind))
		n.Text = "0"
		if n.Kind == ast.NumDuration {
			n.Text = "0s"
		}
	}
	p.advance()
	p.foreignUnit(n)
	n.At = p.from(start)
	return n
}

// durationFits reports whether a duration has less than 2^63 nanoseconds.
func durationFits(text string) bool {
	const most = float64(1<<63 - 1)
	total := 0.0
	for text != "" {
		i := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
		if i < 0 {
			return false
		}
		n, err := strconv.ParseFloat(text[:i], 64)
		if err != nil {
			return false
		}
		text = text[i:]
		j := strings.IndexFunc(text, func(r rune) bool { return r >= '0' && r <= '9' })
		if j < 0 {
			j = len(text)
		}
		total += n * nanoseconds(text[:j])
		text = text[j:]
	}
	return total < most
}

func nanoseconds(unit string) float64 {
	switch unit {
	case "us":
		return 1e3
	case "ms":
		return 1e6
	case "s":
		return 1e9
	case "m":
		return 60e9
	case "h":
		return 3600e9
	case "d":
		return 86400e9
	}
	return 1
}

// stringLit reads a string without interpolation.
func (p *parser) stringLit() *ast.StringLit {
	s := &ast.StringLit{At: p.here(), Value: p.cur.Value, Raw: strings.HasPrefix(p.cur.Text, `"""`)}
	p.advance()
	return s
}

// interpolated reads a string with interpolations.
func (p *parser) interpolated() ast.Expr {
	start := p.begin()
	s := &ast.Interp{Raw: p.cur.Text == `"""`}
	p.advance()
	for {
		switch p.kind() {
		case token.Text:
			s.Parts = append(s.Parts, &ast.StringLit{At: p.here(), Value: p.cur.Value, Raw: s.Raw})
			p.advance()
		case token.Interp:
			opener := p.pos
			outer := p.open(true)
			p.interps++
			s.Parts = append(s.Parts, p.expr())
			p.interps--
			p.closeParen(opener, outer)
		case token.Close:
			p.advance()
			s.At = p.from(start)
			return s
		default:
			p.fail(say.Expected(p.where(), p.cur, "the end of the string", ""))
			return &ast.Bad{At: p.from(start)}
		}
	}
}

// parens reads `(e)`, a tuple or `()`.
func (p *parser) parens(start uint32) ast.Expr {
	var elems []ast.Expr
	comma := false
	p.elements(func() {
		elems = append(elems, p.action(true))
		comma = comma || p.at(token.Comma)
	})
	if len(elems) == 1 && !comma {
		return &ast.Paren{At: p.from(start), X: elems[0]}
	}
	return &ast.Tuple{At: p.from(start), Elems: elems}
}

func (p *parser) list(start uint32) ast.Expr {
	l := &ast.List{}
	p.elements(func() {
		from := p.begin()
		if !p.take(token.Ellipsis) {
			l.Elems = append(l.Elems, p.condition())
			return
		}
		x := p.expr()
		l.Elems = append(l.Elems, &ast.Spread{At: p.from(from), X: x})
	})
	l.At = p.from(start)
	return l
}

// lambda reads a function without a name.
func (p *parser) lambda(start uint32) ast.Expr {
	if n := p.next(); n.Kind == token.Word {
		p.fail(say.NestedFunction(n.Span, n.Text))
		return &ast.Bad{At: p.from(start)}
	}
	p.advance()
	return p.lambdaRest(start)
}

// lambdaRest reads the parameters and the body of a function.
func (p *parser) lambdaRest(start uint32) ast.Expr {
	l := &ast.Lambda{Params: p.params()}
	if p.take(token.Arrow) {
		l.Result = p.typ()
	}
	l.Body = p.body(false, "the head of a function")
	l.At = p.from(start)
	return l
}

// body reads what a function or handler does: a block, or an action after `=`.
// ends says whether endings may stand in it.
func (p *parser) body(ends bool, of string) ast.Body {
	outer, cond := p.ends, p.cond
	p.ends, p.cond = ends, false
	b := ast.Body{}
	if p.take(token.Assign) {
		b.Equals = true
		p.skipNL()
		b.Expr = p.action(false)
	} else {
		b.Expr = p.block(of)
	}
	p.ends, p.cond = outer, cond
	return b
}
