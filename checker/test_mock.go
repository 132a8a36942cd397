package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// outsideOp finds an operation of the world outside by name, and says so if there
// is none: what the engine does itself needs no mock and is not counted.
func (b *body) outsideOp(module, op ast.Word) *program.Builtin {
	m := b.c.lib.modules[module.Name]
	if m == nil {
		b.c.sayUnknownModule(module, b.c.lib.outside())
		return nil
	}
	x := m.ops[op.Name]
	switch {
	case x == nil:
		b.c.sayUnknownOp(module.Name, op, m.names(true))
		return nil
	case !outsideEffect(x):
		b.c.sayNotOutside(module, op, x)
		return nil
	}
	return x
}

// outsideEffect reports whether an operation leaves the engine. A secret does not
// when it is got: what a script has is its name.
func outsideEffect(op *program.Builtin) bool {
	return op.FullName() != "Secret.get" && effects(op.Effect)&performs != 0 && effects(op.Effect)&waits == 0 &&
		!slices.Contains([]string{"IO", "Log", "Signal", "Workflow", "Timer"}, op.Module)
}

// outside lists the modules with an operation that leaves the engine.
func (l library) outside() []string {
	var out []string
	for _, name := range l.order {
		for _, op := range l.modules[name].order {
			if outsideEffect(l.modules[name].ops[op]) {
				out = append(out, name)
				break
			}
		}
	}
	return out
}

// mock lowers a mock to a function over the arguments of the operation. It gives
// nil, or a function that computes the answer.
func (b *body) mock(e *ast.Mock) program.Expr {
	op := b.outsideOp(e.Module, e.Op)
	after := b.opt(e.After)
	if after == nil {
		after = constant(e, value.Nil)
	}
	if op == nil {
		op = &program.Builtin{Rest: true} // the rest of it is looked at all the same
	}
	matcher := b.matcher(e, op)
	return b.testOp(e, program.TestMock, constant(e, value.String(op.FullName())), constant(e, value.Bool(e.Once)), after, matcher)
}

// inner begins a function without a name whose params are made by the checker.
func (b *body) inner(at source.Span) *body {
	in := b.c.bodyOf(b.actor, lambdaBody, b.c.newInfo(b.actor, lambdaBody, "this mock", &program.Func{Span: at}))
	in.parent = b
	in.info.root = b.root().kind
	return in
}

// made ends a function that inner has begun.
func (b *body) made(in *body, e ast.Expr) program.Expr {
	in.done()
	b.info.calls = append(b.info.calls, call{span: e.Span(), to: in.info})
	return &program.Lambda{At: at(e), Fn: in.fn}
}

func (b *body) matcher(e *ast.Mock, op *program.Builtin) program.Expr {
	in := b.inner(e.Span())
	n := len(op.Params)
	if op.Rest {
		n++
	}
	args := make([]*variable, n)
	for i := range args {
		args[i] = in.hidden()
		in.fn.Params = append(in.fn.Params, program.Param{})
	}
	in.open()
	looked, patterns := in.mockPatterns(e, op, args)
	answer := in.inner(e.Body.Span())
	answer.fn.Body = answer.expr(e.Body)
	b.c.later = append(b.c.later, func() { b.c.computes(answer.info) })
	body := in.made(answer, e.Body)
	in.close()
	in.fn.Body = ifFits(e, looked, patterns, body)
	return b.made(in, e)
}

// ifFits gives what body gives if the values fit the patterns, else nil.
func ifFits(e ast.Node, looked []program.Expr, patterns []program.Pattern, body program.Expr) program.Expr {
	if len(looked) == 0 {
		return body
	}
	x, p := looked[0], patterns[0]
	if len(looked) > 1 { // there is no tuple of one
		x, p = &program.TupleExpr{At: at(e), Elems: looked}, &program.TupleOf{Elems: patterns}
	}
	return &program.Match{At: at(e), X: x, Arms: []program.Arm{
		{Patterns: []program.Pattern{p}, Body: body},
		{Patterns: []program.Pattern{program.Any{}}, Body: constant(e, value.Nil)},
	}}
}

// mockPatterns places the patterns of a mock by parameter.
func (b *body) mockPatterns(e *ast.Mock, op *program.Builtin, args []*variable) (looked []program.Expr, patterns []program.Pattern) {
	if e.Args == nil {
		return nil, nil
	}
	x := &binder{b: b, kind: wireParam, bound: map[string]*variable{}, spans: map[string]source.Span{}}
	given := make([]bool, len(op.Params))
	put := func(v *variable, p program.Pattern) {
		looked, patterns = append(looked, b.read(v, e.Span())), append(patterns, p)
	}
	rest := &program.ListOf{}
	next, open, tooMany := 0, false, false
	for _, a := range e.Args.Args {
		for a.Name.Name == "" && next < len(op.Params) && (op.Params[next].Named || given[next]) {
			next++
		}
		switch {
		case a.Rest:
			open = true
		case a.Name.Name != "":
			i := slices.IndexFunc(op.Params, func(p program.BuiltinParam) bool { return p.Name == a.Name.Name })
			p := x.or(a.Pattern)
			switch {
			case i < 0 && op.Name != "":
				b.c.sayUnknownArg(builtinSignature(op), a.Name)
			case i >= 0:
				given[i] = true
				put(args[i], p)
			}
		case next < len(op.Params):
			given[next] = true
			put(args[next], x.or(a.Pattern))
		case op.Rest:
			rest.Before = append(rest.Before, x.or(a.Pattern))
		default:
			x.or(a.Pattern)
			tooMany = true
		}
	}
	if op.Rest && !open || len(rest.Before) > 0 {
		rest.HasRest = open
		put(args[len(op.Params)], rest)
	}
	var missing []string
	for i, p := range op.Params {
		if !given[i] && !open && !p.Optional {
			missing = append(missing, p.Name)
		}
	}
	if op.Name != "" && (tooMany || len(missing) > 0) {
		b.c.sayMockArity(e, op, missing)
	}
	return looked, patterns
}

// computes refuses a mock whose answer does more than compute.
func (c *checker) computes(i *info) {
	if i.all&(outside|emits|readsClock) == 0 {
		return
	}
	if s, ok := i.witness(outside | emits | readsClock); ok {
		c.sayMockEffect(s)
	}
}
