package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// The levels of the operators, loosest first; -1 is no operator.
const (
	levelNone = iota - 1
	levelOr
	levelAnd
	levelCompare
	levelPipe
	levelCoalesce
	levelRange
	levelSum
	levelProduct
)

func level(k token.Kind) int {
	switch k {
	case token.OrOr:
		return levelOr
	case token.AndAnd:
		return levelAnd
	case token.EqEq, token.NotEq, token.Less, token.LessEq, token.More, token.MoreEq:
		return levelCompare
	case token.Pipe:
		return levelPipe
	case token.Coalesce:
		return levelCoalesce
	case token.Range:
		return levelRange
	case token.Plus, token.Minus:
		return levelSum
	case token.Star, token.Slash, token.Percent:
		return levelProduct
	}
	return levelNone
}

// expr reads an expression.
func (p *parser) expr() ast.Expr { return p.binary(levelOr) }

// condition reads an expression in which `=` is surely meant to be `==`.
func (p *parser) condition() ast.Expr {
	start := p.begin()
	e := p.expr()
	for p.at(token.Assign) {
		p.report(say.AssignForEquals(p.cur.Span))
		op := p.here()
		p.advance()
		right := p.binary(levelCompare + 1)
		e = &ast.Binary{At: p.from(start), Op: "==", OpAt: op, X: e, Y: right}
	}
	return e
}

// headed reads an expression that a block follows, as the condition of an if.
// A `{` where a value is missing is that block.
func (p *parser) headed() ast.Expr {
	outer := p.cond
	p.cond = true
	e := p.condition()
	p.cond = outer
	return e
}

// deeper counts one construct in another; it fails where they are too many.
func (p *parser) deeper() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(say.TooDeep(p.cur.Span, maxDepth))
		return false
	}
	return true
}

// longer counts one more link of a chain.
func (p *parser) longer(links *int) bool {
	*links++
	if *links > maxChain {
		p.fail(say.ChainTooLong(p.cur.Span, maxChain))
		return false
	}
	return true
}

// binary reads operands and operators of the level and above.
func (p *parser) binary(lowest int) ast.Expr {
	defer p.shallower(p.depth)
	if !p.deeper() {
		return &ast.Bad{At: p.from(p.begin())}
	}
	start, links := p.begin(), 0
	left := p.unary()
	for !p.failed {
		p.foreignOperator()
		l := level(p.kind())
		if l == levelNone || l < lowest || !p.longer(&links) {
			break
		}
		op := p.cur
		p.advance()
		p.foreignEquals(op)
		var right ast.Expr
		switch l {
		case levelPipe:
			right = p.callee()
		case levelCoalesce:
			right = p.otherwise()
		default:
			right = p.binary(l + 1)
		}
		b := &ast.Binary{At: p.from(start), Op: ast.BinaryOp(op.Kind.String()), OpAt: ast.At{Place: op.Span}, X: left, Y: right}
		p.checkOperands(b, op)
		p.checkChain(l, op)
		left = b
	}
	return left
}

// otherwise reads what stands right of `??`: a value, or an ending, which leaves
// if there is none on the left.
func (p *parser) otherwise() ast.Expr {
	if p.at(token.Word) && isEnding(p.cur.Text) {
		if e := p.ending(true); e != nil {
			return e
		}
	}
	return p.binary(levelCoalesce)
}

func (p *parser) shallower(depth int) { p.depth = depth }

// checkOperands refuses arithmetic beside ?? without parentheses: whether
// `a + b ?? 0` means (a + b) ?? 0 nobody can see. The same goes for ! before |>.
func (p *parser) checkOperands(b *ast.Binary, op *token.Token) {
	if p.failed {
		return
	}
	if not, ok := b.X.(*ast.Unary); ok && not.Op == "!" && op.Kind == token.Pipe {
		bang := source.Span{File: not.Span().File, Start: not.Span().Start, End: not.Span().Start + 1}
		p.report(say.Mixed(op.Span, op.Text, bang, "!", not.Span()))
	}
	if op.Kind != token.Coalesce {
		return
	}
	for _, x := range []ast.Expr{b.X, b.Y} {
		if inner, ok := x.(*ast.Binary); ok {
			switch level(kindOf(inner.Op)) {
			case levelRange, levelSum, levelProduct:
				p.report(say.Mixed(op.Span, op.Text, inner.OpAt.Place, string(inner.Op), x.Span()))
			}
		}
	}
}

// checkChain refuses `a < b < c` and `1..2..3`.
func (p *parser) checkChain(l int, op *token.Token) {
	if (l == levelCompare || l == levelRange) && level(p.kind()) == l {
		p.fail(say.ChainedComparison(p.cur.Span, op.Span, op.Text, p.cur.Text))
	}
}

// kindOf is the kind of token an operator is spelled with.
func kindOf(op ast.BinaryOp) token.Kind {
	switch op {
	case "..":
		return token.Range
	case "+":
		return token.Plus
	case "-":
		return token.Minus
	case "*":
		return token.Star
	case "/":
		return token.Slash
	case "%":
		return token.Percent
	}
	return token.EOF
}

// unary reads prefix operators and the operand behind them.
func (p *parser) unary() ast.Expr {
	p.foreignNot()
	if !p.at(token.Minus) && !p.at(token.Bang) {
		return p.postfix(p.primary())
	}
	op, start := p.cur, p.begin()
	if op.Kind == token.Minus {
		if p.next().Kind.IsNumber() {
			p.advance()
			return p.postfix(p.number(start, "-"))
		}
	}
	p.advance()
	defer p.shallower(p.depth)
	if !p.deeper() {
		return &ast.Bad{At: p.from(start)}
	}
	x := p.unary()
	return &ast.Unary{At: p.from(start), Op: ast.UnaryOp(op.Kind.String()), X: x}
}

// postfix reads calls, indices and fields behind an operand.
func (p *parser) postfix(e ast.Expr) ast.Expr {
	start := e.Span().Start
	for links := 0; !p.failed && p.longer(&links); {
		switch p.kind() {
		case token.LParen:
			args := p.args()
			e = &ast.Call{At: p.from(start), Fn: e, Args: args}
		case token.LBrack:
			i := p.index()
			e = &ast.Index{At: p.from(start), X: e, I: i}
		case token.Dot, token.OptDot:
			opt, dot := p.at(token.OptDot), p.cur.Span
			p.advance()
			if p.kind().IsNumber() {
				p.report(say.NumberedField(dot.To(p.cur.Span), p.cur.Text))
				p.advance()
				continue
			}
			w := p.anyWord("the name of a field")
			e = &ast.Field{At: p.from(start), X: e, Name: w, Opt: opt}
		default:
			return e
		}
	}
	return e
}

// index reads `[e]`.
func (p *parser) index() ast.Expr {
	opener := p.pos
	outer := p.open(true)
	i := p.expr()
	p.closeParen(opener, outer)
	return i
}

// callee reads what may stand right of |>.
func (p *parser) callee() ast.Expr {
	switch {
	case p.at(token.LParen):
	case p.word("fn"):
	case p.at(token.Word) && !token.Reserved(p.cur.Text):
	case p.at(token.Word) && p.next().Kind == token.LParen:
		// a reserved word as a function is reported by primary
	default:
		p.fail(say.Expected(p.where(), p.cur, "a function", "right of `|>`, as in `xs |> List.map(f)`"))
		return &ast.Bad{At: p.from(p.begin())}
	}
	return p.postfix(p.primary())
}

// args reads the arguments of a call.
func (p *parser) args() []ast.Arg {
	args := []ast.Arg{}
	p.elements(func() {
		args = append(args, p.arg())
	})
	return args
}

func (p *parser) arg() ast.Arg {
	start := p.begin()
	a := ast.Arg{}
	if p.at(token.Word) && p.next().Kind == token.Colon {
		a.Name = p.cursorWord()
		p.advance()
	}
	a.Value = p.expr()
	if p.at(token.Assign) {
		name, ok := a.Value.(*ast.Name)
		if ok && a.Name.Name == "" {
			p.report(say.AssignForColon(p.cur.Span, "a named argument", name.Name))
			a.Name = ast.Word{At: name.At, Name: name.Name}
		} else {
			p.report(say.AssignForEquals(p.cur.Span))
		}
		p.advance()
		a.Value = p.expr()
	}
	a.At = p.from(start)
	return a
}
