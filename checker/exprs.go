package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

func at(n ast.Node) program.At { return program.At{Place: n.Span()} }

// nothing stands for what could not be lowered; there is a diagnostic then.
func nothing(n ast.Node) program.Expr { return &program.Const{At: at(n)} }

func unit(n ast.Node) program.Expr { return &program.TupleExpr{At: at(n)} }

// bare takes parentheses away.
func bare(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

// opt lowers an expression that may be missing.
func (b *body) opt(e ast.Expr) program.Expr {
	if isNil(e) {
		return nil
	}
	return b.expr(e)
}

// expr lowers any expression or statement.
func (b *body) expr(e ast.Expr) program.Expr {
	switch e := e.(type) {
	case nil:
		return nil
	case *ast.NumberLit, *ast.StringLit, *ast.BoolLit, *ast.NilLit:
		return &program.Const{At: at(e), Value: b.c.literal(e)}
	case *ast.Interp:
		return &program.Text{At: at(e), Parts: b.exprs(e.Parts)}
	case *ast.Name:
		return b.name(e)
	case *ast.Self:
		b.self(e.Span())
		return &program.SelfMeta{At: at(e), Part: program.SelfRecord}
	case *ast.Paren:
		return b.expr(e.X)
	case *ast.Tuple:
		return &program.TupleExpr{At: at(e), Elems: b.exprs(e.Elems)}
	case *ast.List:
		return &program.ListExpr{At: at(e), Elems: b.exprs(e.Elems)}
	case *ast.Spread:
		return &program.Spread{At: at(e), X: b.expr(e.X)}
	case *ast.Record:
		return b.record(e)
	case *ast.Block:
		return b.block(e)
	case *ast.Unary:
		return b.unary(e)
	case *ast.Binary:
		return b.binary(e)
	case *ast.Field:
		return b.fieldOf(e)
	case *ast.Index:
		return &program.Index{At: at(e), X: b.expr(e.X), I: b.expr(e.I)}
	case *ast.Call:
		return b.call(e)
	case *ast.Lambda:
		return b.lambda(e)
	case *ast.Bad:
		return nothing(e)
	}
	return b.statement(e)
}

func (b *body) exprs(es []ast.Expr) []program.Expr {
	out := make([]program.Expr, 0, len(es))
	for _, e := range es {
		out = append(out, b.expr(e))
	}
	return out
}

func (b *body) record(r *ast.Record) program.Expr {
	out := &program.RecordExpr{At: at(r)}
	keys := map[string]source.Span{}
	for _, e := range r.Entries {
		var x program.RecordEntry
		switch {
		case !isNil(e.Spread):
			x.Spread = b.expr(e.Spread)
		case !isNil(e.Computed):
			x.Computed, x.Value = b.expr(e.Computed), b.expr(e.Value)
		default:
			x.Key, x.Value = e.Key.Name, b.expr(e.Value)
			if old, ok := keys[e.Key.Name]; ok {
				b.c.sayDuplicateKey(e.Key, old)
			}
			keys[e.Key.Name] = e.Key.Span()
		}
		out.Entries = append(out.Entries, x)
	}
	return out
}

// self notes that self is read, and refuses it where there is none.
func (b *body) self(span source.Span) bool {
	switch b.root().kind {
	case mainBody, outsideBody, stateValue:
		b.c.saySelfHere(span, b.root().kind)
		return false
	}
	b.does(readsSelf, span, "reads `self`")
	return true
}

// fieldOf lowers `x.name`: a part of self, a function of a module, or a field.
func (b *body) fieldOf(e *ast.Field) program.Expr {
	switch x := bare(e.X).(type) {
	case *ast.Self:
		return b.selfField(e)
	case *ast.Name:
		if op, isModule := b.moduleFunc(x, e.Name); isModule {
			if op == nil {
				return nothing(e)
			}
			return &program.BuiltinRef{At: at(e), Fn: op}
		}
	}
	return &program.Field{At: at(e), X: b.expr(e.X), Name: e.Name.Name, Opt: e.Opt}
}

func (b *body) selfField(e *ast.Field) program.Expr {
	if !b.self(e.Span()) {
		return nothing(e)
	}
	if part, ok := reservedPart(e.Name.Name); ok {
		return &program.SelfMeta{At: at(e), Part: part}
	}
	out := &program.SelfField{At: at(e), Slot: -1, Name: e.Name.Name}
	if b.actor == nil {
		b.looseField(e.Name)
	} else if f := b.functionInstead(e.Name.Name); f != nil {
		b.c.sayUnknownField(b.actor, e.Name, f, e.Span())
	} else {
		out.Slot = b.field(e.Name, false)
	}
	return out
}

func (b *body) lambda(l *ast.Lambda) program.Expr {
	fn := &program.Func{Span: l.Span()}
	in := b.c.bodyOf(b.actor, lambdaBody, b.c.newInfo(b.actor, lambdaBody, "this function", fn))
	in.parent = b
	in.info.root = b.root().kind
	in.params(l.Params, wireParam)
	in.info.result = l.Result
	b.c.typeOf(l.Result)
	in.functionBody(l.Body)
	in.done()
	b.info.calls = append(b.info.calls, call{span: l.Span(), to: in.info})
	return &program.Lambda{At: at(l), Fn: fn}
}

// functionBody lowers what follows the head of a function.
func (b *body) functionBody(body ast.Body) {
	if isNil(body.Expr) {
		b.fn.Body = &program.Block{At: program.At{Place: b.fn.Span}}
		return
	}
	b.fn.Body = b.withParams(func() program.Expr { return b.expr(body.Expr) })
}

// constant makes a literal node.
func constant(n ast.Node, v value.Value) program.Expr { return &program.Const{At: at(n), Value: v} }
