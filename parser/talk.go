package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// emit reads `emit Name(args)`.
func (p *parser) emit(start uint32) ast.Expr {
	p.advance()
	e := &ast.Emit{Name: p.name("the name of an event")}
	if p.at(token.LParen) {
		e.HasArgs = true
		e.Args = p.args()
	} else if p.recordBehind() {
		p.report(say.BracesBehind(p.cur.Span, e.Name.Span(), e.Name.Name, "an event"))
		e.HasArgs = true
		e.Args = argsOf(p.record())
	}
	e.At = p.from(start)
	return e
}

// recordBehind reports whether a record follows a name on its line, which it
// never may.
func (p *parser) recordBehind() bool {
	return !p.failed && !p.cond && p.at(token.LBrace) && !p.newline() && p.isRecord() && !p.declares(p.afterBrace())
}

// argsOf are the fields of a record as arguments.
func argsOf(r *ast.Record) []ast.Arg {
	args := []ast.Arg{}
	for _, x := range r.Entries {
		if x.Key.Name != "" && x.Value != nil {
			args = append(args, ast.Arg{At: x.At, Name: x.Key, Value: x.Value})
		}
	}
	return args
}

// namedRecord reads `Name { … }` as what it is meant for: a spawn, a record or a
// variant.
func (p *parser) namedRecord(start uint32, n *ast.Name) ast.Expr {
	what := p.declaredAs(n.Name)
	if what == "" {
		p.report(say.SpawnMissing(p.cur.Span, n.Span(), n.Name))
		return p.spawnRest(start, &ast.Spawn{Workflow: ast.Word{At: n.At, Name: n.Name}})
	}
	p.report(say.BracesBehind(p.cur.Span, n.Span(), n.Name, what))
	r := p.record()
	if what == "a type" {
		return r
	}
	return &ast.Call{At: p.from(start), Fn: n, Args: argsOf(r)}
}

// declaredAs is what the file declares a name as, if that is a type or variant;
// else "".
func (p *parser) declaredAs(name string) string {
	inType := false
	for i := range p.toks {
		t := &p.toks[i]
		if t.Kind != token.Word {
			continue
		}
		switch {
		case t.Text == "type" && p.declaresTop(i):
			if p.toks[i+1].Text == name {
				return "a type"
			}
			inType = true
		case p.declares(i):
			inType = false
		case inType && t.Text == name && i > 0 && (p.toks[i-1].Kind == token.Bar || p.toks[i-1].Kind == token.Assign):
			return "a variant"
		}
	}
	return ""
}

// perform reads `perform [once] Module.op(args)`.
func (p *parser) perform(start uint32) ast.Expr {
	p.advance()
	e := &ast.Perform{}
	if p.word("once") && p.next().Kind == token.Word {
		e.Once = true
		p.advance()
	}
	e.Module = p.name("the module of an effect")
	p.expect(token.Dot, "in `perform Module.operation(…)`")
	e.Op = p.anyWord("the name of an effect")
	if !p.failed && !p.at(token.LParen) {
		p.fail(say.Expected(p.where(), p.cur, "`(`", "and the arguments of the effect"))
	}
	e.Args = p.argsOrNone()
	e.At = p.from(start)
	return e
}

func (p *parser) argsOrNone() []ast.Arg {
	if p.failed {
		return nil
	}
	return p.args()
}

// askOrSignal reads `ask handle.name(args)` or `signal handle.name(args)`. The
// first `.name(…)` is the message; what follows applies to the answer.
func (p *parser) askOrSignal(start uint32) ast.Expr {
	signal := p.word("signal")
	p.advance()
	h := p.handleBase()
	from := h.Span().Start
	for links := 0; p.longer(&links); {
		switch {
		case p.at(token.LBrack):
			i := p.index()
			h = &ast.Index{At: p.from(from), X: h, I: i}
			continue
		case p.at(token.Dot):
			p.advance()
			name := p.anyWord("the name of a command, query or signal")
			if !p.at(token.LParen) {
				h = &ast.Field{At: p.from(from), X: h, Name: name}
				continue
			}
			args := p.args()
			if signal {
				return &ast.Signal{At: p.from(start), Handle: h, Name: name, Args: args}
			}
			return &ast.Ask{At: p.from(start), Handle: h, Name: name, Args: args}
		}
		break
	}
	if f, ok := h.(*ast.Field); ok && !p.failed {
		p.fail(say.ArgumentsMissing(p.where(), f.Name.Name, signal))
		return &ast.Bad{At: p.from(start)}
	}
	p.fail(say.MessageMissing(p.where(), p.cur, signal))
	return &ast.Bad{At: p.from(start)}
}

// handleInParens reports whether a handle in parentheses and a message follow
// the current word: `(hs[0]).go(`.
func (p *parser) handleInParens() bool {
	i := p.skip(p.pos + 1)
	for p.toks[i].Kind == token.LParen || p.toks[i].Kind == token.LBrack {
		if p.toks[i].Match < 0 {
			return false
		}
		i = p.skip(int(p.toks[i].Match) + 1)
		for p.toks[i].Kind == token.Dot {
			if i = p.skip(i + 1); p.toks[i].Kind != token.Word {
				return false
			}
			if i = p.skip(i + 1); p.toks[i].Kind == token.LParen {
				return true
			}
		}
	}
	return false
}

// handleBase reads what a handle begins with: a name, an instance as
// `Wallet("a")`, self, or any expression in parentheses.
func (p *parser) handleBase() ast.Expr {
	start := p.begin()
	switch {
	case p.at(token.LParen):
		return p.parens(start)
	case p.word("self"):
		return p.single(&ast.Self{At: p.here()})
	case p.at(token.Word):
		w := p.name("an instance")
		n := &ast.Name{At: w.At, Name: w.Name}
		if !p.at(token.LParen) {
			return n
		}
		args := p.args()
		return &ast.Call{At: p.from(start), Fn: n, Args: args}
	}
	p.fail(say.NameMissing(p.where(), p.cur, "an instance"))
	return &ast.Bad{At: p.from(start)}
}

// await reads `await handle [for duration]`.
func (p *parser) await(start uint32) ast.Expr {
	defer p.shallower(p.depth)
	if !p.deeper() {
		return &ast.Bad{At: p.from(start)}
	}
	p.advance()
	e := &ast.Await{Handle: p.postfix(p.primary())}
	if p.takeWord("for") {
		e.For = p.unary()
	}
	e.At = p.from(start)
	return e
}

// spawn reads `spawn W { fields } [as id]`.
func (p *parser) spawn(start uint32) ast.Expr {
	defer p.shallower(p.depth)
	if !p.deeper() {
		return &ast.Bad{At: p.from(start)}
	}
	p.advance()
	e := &ast.Spawn{Workflow: p.name("the name of a workflow")}
	if p.failed {
		return e
	}
	if i := p.pastNL(); p.toks[i].Kind != token.LBrace || i != p.pos && !p.paren {
		p.fail(say.SpawnWithoutFields(p.end(), e.Workflow.Name))
		return e
	}
	return p.spawnRest(start, e)
}

// spawnRest reads the fields and the id of a spawn.
func (p *parser) spawnRest(start uint32, e *ast.Spawn) ast.Expr {
	e.Fields = p.record()
	if p.takeWord("as") {
		e.As = p.binary(levelSum)
	}
	e.At = p.from(start)
	return e
}
