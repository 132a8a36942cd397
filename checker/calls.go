package checker

import (
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// signature is what a call has to fit.
type signature struct {
	what   string      // for people: "`add`"
	name   string      // how a call of it begins: "add"
	span   source.Span // of the declaration, zero if there is none
	params []sigParam
	rest   bool
}

type sigParam struct {
	name      string
	optional  bool
	namedOnly bool
	schema    bool // takes a type
}

func signatureOf(what string, span source.Span, ps []ast.Param) signature {
	s := signature{what: what, name: strings.Trim(what, "`"), span: span}
	for _, p := range ps {
		s.params = append(s.params, sigParam{name: p.Name.Name})
	}
	return s
}

func builtinSignature(op *program.Builtin) signature {
	s := signature{what: "`" + op.FullName() + "`", name: op.FullName(), rest: op.Rest}
	for _, p := range op.Params {
		s.params = append(s.params, sigParam{name: p.Name, optional: p.Optional, namedOnly: p.Named, schema: schemaParam(p)})
	}
	return s
}

func variantSignature(v *variant) signature {
	s := signature{what: "`" + v.name + "`", name: v.name, span: v.span}
	for _, n := range v.names {
		s.params = append(s.params, sigParam{name: n})
	}
	return s
}

// place lowers the arguments of a call and puts them where the parameters are:
// nil for those left out, then the rest. All are lowered, also those that do
// not fit, so that nothing in them goes unchecked.
func (b *body) place(span source.Span, sig signature, args []ast.Arg) []program.Expr {
	out := make([]program.Expr, len(sig.params))
	given := make([]*ast.Arg, len(sig.params))
	var extra []*ast.Arg
	next, wrong := 0, false
	for i := range args {
		a := &args[i]
		if a.Name.Name != "" {
			wrong = !b.placeNamed(sig, a, b.argument(sig, sig.param(a.Name.Name), a.Value), out, given) || wrong
			continue
		}
		for next < len(sig.params) && (sig.params[next].namedOnly || given[next] != nil) {
			next++
		}
		x := b.argument(sig, next, a.Value)
		switch {
		case next < len(sig.params):
			out[next], given[next] = x, a
			next++
		case sig.rest:
			out = append(out, x)
		default:
			extra = append(extra, a)
		}
	}
	if len(extra) > 0 {
		b.c.sayTooMany(sig, extra[0].Value.Span(), len(args))
		return out
	}
	if !wrong {
		b.missing(span, sig, out)
	}
	return out
}

// param finds a parameter by name; the number of parameters if there is none.
func (s signature) param(name string) int {
	for i, p := range s.params {
		if p.name == name {
			return i
		}
	}
	return len(s.params)
}

// argument lowers what is given for the i-th parameter, if there is one.
func (b *body) argument(sig signature, i int, e ast.Expr) program.Expr {
	if i < len(sig.params) && sig.params[i].schema {
		if x := b.schemaArgument(e); x != nil {
			return x
		}
	}
	return b.expr(e)
}

func (b *body) placeNamed(sig signature, a *ast.Arg, x program.Expr, out []program.Expr, given []*ast.Arg) bool {
	i := sig.param(a.Name.Name)
	switch {
	case i == len(sig.params):
		b.c.sayUnknownArg(sig, a.Name)
	case given[i] != nil:
		b.c.sayArgTwice(sig, a.Name, given[i].Value.Span())
	default:
		out[i], given[i] = x, a
		return true
	}
	return false
}

// missing speaks of the parameters that got nothing.
func (b *body) missing(span source.Span, sig signature, out []program.Expr) {
	var names []string
	for i, p := range sig.params {
		if out[i] == nil && !p.optional {
			names = append(names, p.name)
		}
	}
	if len(names) > 0 {
		b.c.sayMissingArgs(sig, span, names)
	}
}

// call lowers `f(args)`.
func (b *body) call(e *ast.Call) program.Expr { return b.apply(e, e.Fn, e.Args) }

// pipe lowers `x |> f(a)`, which is f(x, a), and `x |> f`, which is f(x).
func (b *body) pipe(e *ast.Binary) program.Expr {
	first := ast.Arg{At: ast.At{Place: e.X.Span()}, Value: e.X}
	if call, ok := e.Y.(*ast.Call); ok {
		return b.apply(e, call.Fn, append([]ast.Arg{first}, call.Args...))
	}
	return b.apply(e, e.Y, []ast.Arg{first})
}

// apply lowers a call of fn, whatever names it.
func (b *body) apply(e ast.Expr, fn ast.Expr, args []ast.Arg) program.Expr {
	switch f := bare(fn).(type) {
	case *ast.Name:
		if b.lookup(f.Name) == nil {
			return b.applyName(e, f, args)
		}
	case *ast.Field:
		if m, ok := bare(f.X).(*ast.Name); ok {
			if op, isModule := b.moduleFunc(m, f.Name); isModule {
				return b.applyBuiltin(e, op, args)
			}
		}
	}
	out := &program.CallValue{At: at(e), Fn: b.expr(fn)}
	for _, a := range args {
		if a.Name.Name != "" {
			b.c.sayNamedToValue(a.Name)
		}
		out.Args = append(out.Args, b.expr(a.Value))
	}
	return out
}

// applyName lowers a call of a name that is no local variable.
func (b *body) applyName(e ast.Expr, n *ast.Name, args []ast.Arg) program.Expr {
	if f := b.c.functionOf(b.actor, n.Name); f != nil {
		b.uses(f)
		b.info.calls = append(b.info.calls, call{span: e.Span(), to: f.info})
		sig := signatureOf("`"+n.Name+"`", f.decl.Name.Span(), f.decl.Params)
		return &program.CallFn{At: at(e), Fn: f.prog, Args: b.place(e.Span(), sig, args)}
	}
	if op := b.testFunc(n.Name); op != nil {
		return b.askTest(e, n, op, args)
	}
	if v := b.c.names.variants[n.Name]; v != nil {
		return &program.VariantExpr{At: at(e), Name: v.name, Names: v.names, Fields: b.place(e.Span(), variantSignature(v), args)}
	}
	if a := b.c.names.actors[n.Name]; a != nil {
		return b.handle(e, a, args)
	}
	if op := b.c.lib.conv[n.Name]; op != nil {
		return b.applyBuiltin(e, op, args)
	}
	b.looseArgs(args)
	b.unknown(n)
	return nothing(e)
}

// looseArgs lowers arguments of something unknown.
func (b *body) looseArgs(args []ast.Arg) []program.Expr {
	var out []program.Expr
	for _, a := range args {
		out = append(out, b.expr(a.Value))
	}
	return out
}

// handle lowers `W(id)`.
func (b *body) handle(e ast.Expr, a *actor, args []ast.Arg) program.Expr {
	sig := signature{what: "`" + a.decl.Name.Name + "`", name: a.decl.Name.Name, span: a.decl.Name.Span(), params: []sigParam{{name: "id"}}}
	ids := b.place(e.Span(), sig, args)
	return &program.HandleExpr{At: at(e), Type: a.decl.Name.Name, Entity: a.kind == ast.KindEntity, ID: ids[0]}
}

// moduleFunc finds a pure function of a module. The second result says whether
// x names a module at all; if it does and there is no such function, that has
// been said.
func (b *body) moduleFunc(x *ast.Name, op ast.Word) (*program.Builtin, bool) {
	if !isUpper(x.Name) || b.lookup(x.Name) != nil {
		return nil, false
	}
	if _, declared := b.c.names.valueSpan(x.Name); declared {
		return nil, false
	}
	m := b.c.lib.modules[x.Name]
	if m == nil {
		if b.c.lib.conv[x.Name] == nil && b.c.broken {
			return nil, true
		}
		b.c.sayUnknownModule(ast.Word{At: x.At, Name: x.Name}, b.c.lib.order)
		return nil, true
	}
	f := m.ops[op.Name]
	if f == nil {
		b.c.sayUnknownOp(x.Name, op, m.names(false))
		return nil, true
	}
	if f.Effect != 0 {
		b.c.sayNeedsPerform(x, op)
		return nil, true
	}
	return f, true
}

// applyBuiltin lowers a call of a pure function of the library; op is nil if
// there is no such function, which was said.
func (b *body) applyBuiltin(e ast.Expr, op *program.Builtin, args []ast.Arg) program.Expr {
	if op == nil {
		b.looseArgs(args)
		return nothing(e)
	}
	return &program.CallBuiltin{At: at(e), Fn: op, Args: b.place(e.Span(), builtinSignature(op), args)}
}
