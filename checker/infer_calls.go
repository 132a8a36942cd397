package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
)

// called types what calls or makes a function, a variant or a handle; nil if e
// is something else.
func (f *frame) called(e program.Expr, want *types.Type) *types.Type {
	switch e := e.(type) {
	case *program.VariantExpr:
		return f.variant(e)
	case *program.HandleExpr:
		t := f.strict(e.ID, f.expr(e.ID, nil), "an id")
		if t.Known() && !t.Is(types.StringKind) {
			w := &wanted{t: types.Of(types.StringKind), kind: wantsArgument, what: "the id of `" + e.Type + "`"}
			f.say(func() { f.t.c.sayMismatch(e.ID, t, w) })
		}
		return types.Handle(e.Type)
	case *program.CallFn:
		return f.callFn(e)
	case *program.CallValue:
		return f.callValue(e)
	case *program.CallBuiltin:
		return f.operation(e.Fn, e.Args)
	case *program.FuncRef:
		return f.t.funcType(f.t.c.byFunc[e.Fn], false)
	case *program.BuiltinRef:
		return f.t.operationType(e.Fn)
	case *program.Lambda:
		return f.lambda(e, want)
	}
	return nil
}

// variant types the making of a variant; its fields are held against what is
// declared.
func (f *frame) variant(e *program.VariantExpr) *types.Type {
	d := f.t.c.names.variants[e.Name]
	if d == nil {
		return f.event(e)
	}
	t := f.t.named(d.typ)
	v, _ := t.Variant(e.Name)
	for i, x := range e.Fields {
		if x == nil {
			continue
		}
		if i >= len(v.Fields) {
			f.expr(x, nil)
			continue
		}
		w := &wanted{t: v.Fields[i], kind: wantsArgument, what: fieldOf(d.names, i, "`"+e.Name+"`")}
		if i < len(d.fields) {
			w.span = d.fields[i].Span()
		}
		f.check(x, w)
	}
	return t
}

// event types what stands for an event in a test; its arguments are held against
// the declaration of the event, as those of an emit are.
func (f *frame) event(e *program.VariantExpr) *types.Type {
	d := f.t.c.names.asVariants[e.Name]
	if d == nil {
		return f.seq(e.Fields, types.Any())
	}
	for i, x := range e.Fields {
		if x == nil {
			continue
		}
		var w *wanted
		if i < len(d.fields) && d.fields[i].Type != nil {
			w = &wanted{
				t: f.t.written(d.fields[i].Type), kind: wantsArgument,
				what: fieldOf(d.names, i, "event `"+e.Name+"`"), span: d.fields[i].Span(),
			}
		}
		f.check(x, w)
	}
	return types.Any()
}

// fieldOf names a field by its name, or by its place if it has none.
func fieldOf(names []string, i int, of string) string {
	if i < len(names) && names[i] != "" {
		return "`" + names[i] + "` of " + of
	}
	return "the field of " + of
}

func (f *frame) callFn(e *program.CallFn) *types.Type {
	i := f.t.c.byFunc[e.Fn]
	if i == nil {
		return f.seq(e.Args, types.Any())
	}
	left := f.args(i.params, e.Args, i.name)
	out := f.t.of(i)
	if i.all&writesSelf != 0 || f.t.c.borrowers[e.Fn] {
		f.forgetSelf()
	}
	if left {
		return types.Never()
	}
	return out.result
}

// args holds arguments, placed by parameter, against what is written.
func (f *frame) args(params []ast.Param, args []program.Expr, of string) bool {
	left := false
	for k, x := range args {
		if x == nil {
			continue
		}
		var w *wanted
		if k < len(params) && params[k].Type != nil {
			w = &wanted{
				t: f.t.written(params[k].Type), kind: wantsArgument,
				what: f.t.c.paramText(params[k]) + " of " + of, span: params[k].Span(),
			}
		}
		left = f.check(x, w).Is(types.NeverKind) || left
	}
	return left
}

func (f *frame) callValue(e *program.CallValue) *types.Type {
	fn := f.strict(e.Fn, f.expr(e.Fn, nil), "a call")
	if fn.Known() && !fn.Is(types.FuncKind) {
		of := types.Any()
		if field, ok := e.Fn.(*program.Field); ok {
			of = types.Present(f.expr(field.X, nil))
		}
		f.say(func() { f.t.c.sayNotCallable(e.Fn, fn, of) })
	}
	defer f.calledUnknown(e)
	if !fn.Is(types.FuncKind) {
		return f.seq(e.Args, types.Any())
	}
	params := fn.Params()
	if len(params) != len(e.Args) && !fn.Rest {
		f.say(func() { f.t.c.sayValueArity(e, fn) })
		return f.seq(e.Args, fn.Result())
	}
	b := types.Bindings{}
	for k, x := range e.Args {
		p := types.Any()
		if k < len(params) {
			p = params[k]
		}
		t := f.check(x, &wanted{t: b.Want(p), kind: wantsArgument, what: "this function"})
		b.Learn(p, t)
	}
	return b.Apply(fn.Result())
}

// calledUnknown drops what was known of self after a call of a value, if it may
// have assigned something.
func (f *frame) calledUnknown(e *program.CallValue) {
	if f.i == nil || f.i.all&writesSelf != 0 || f.t.c.borrowers[f.fn] || len(f.t.c.borrowedAt[e]) > 0 {
		f.forgetSelf()
	}
}

// funcType is the type of a named function as a value.
func (t *typing) funcType(i *info, closure bool) *types.Type {
	if i == nil {
		return types.Any()
	}
	params := make([]*types.Type, len(i.fn.Params))
	for k := range params {
		params[k] = types.Any()
		if k < len(i.params) && i.params[k].Type != nil {
			params[k] = t.written(i.params[k].Type)
		}
	}
	out := types.Func(params, t.of(i).result)
	out.Closure = closure
	return out
}

// lambda types a function where it is made; what is wanted says of what types
// its parameters are when nothing is written behind them.
func (f *frame) lambda(e *program.Lambda, want *types.Type) *types.Type {
	i := f.t.c.byFunc[e.Fn]
	if i != nil && i.kind == funcBody {
		return f.t.funcType(i, true)
	}
	b := f.t.bare(e.Fn)
	b.i, b.actor, b.loops, b.nest = i, f.actor, f.loops, f.nest
	for k, slot := range e.Fn.Captures {
		if k < len(b.vals) && slot < len(f.vals) {
			b.vals[k], b.pins[k] = f.vals[slot], f.pins[slot]
		}
	}
	f.handDown(b)
	var out finding
	if want != nil && want.Is(types.FuncKind) && len(want.Params()) == len(e.Fn.Params) {
		b.given = want.Params()
	}
	b.body(&out)
	if out.result == nil {
		out.result = f.t.written(i.result)
	}
	t := types.Func(b.took, out.result)
	t.Closure = true
	return t
}

// operationType is the signature of a built-in.
func (t *typing) operationType(op *program.Builtin) *types.Type {
	if out := t.ops[op]; out != nil {
		return out
	}
	params := make([]*types.Type, len(op.Params))
	for k, p := range op.Params {
		params[k] = types.Read(p.Type.Text)
		if p.Optional && len(op.Params) > 0 {
			params[k] = types.Optional(params[k])
		}
	}
	out := types.Func(params, types.Read(op.Result.Text))
	out.Rest = op.Rest || optional(op)
	t.ops[op] = out
	return out
}

// optional reports whether a built-in may be called with fewer arguments.
func optional(op *program.Builtin) bool {
	for _, p := range op.Params {
		if p.Optional {
			return true
		}
	}
	return false
}

// operation types a call of a built-in. The variables of its signature are
// learned from the plain arguments first, so that a function among them knows
// what it gets.
func (f *frame) operation(op *program.Builtin, args []program.Expr) *types.Type {
	sig := f.t.operationType(op)
	params := sig.Params()
	b := types.Bindings{}
	left := false
	one := func(k int, x program.Expr) {
		p := types.Any()
		if k < len(params) {
			p = params[k]
		} else if len(params) > 0 {
			p = params[len(params)-1]
		}
		t := f.check(x, f.wantOf(op, k, b.Want(p)))
		left = left || t.Is(types.NeverKind)
		b.Learn(p, t)
	}
	for k, x := range args {
		if x != nil && !isFunction(x) {
			one(k, x)
		}
	}
	for k, x := range args {
		if x != nil && isFunction(x) {
			one(k, x)
		}
	}
	if left {
		return types.Never()
	}
	return b.Apply(sig.Result())
}

func isFunction(e program.Expr) bool {
	switch e.(type) {
	case *program.Lambda, *program.FuncRef, *program.BuiltinRef:
		return true
	}
	return false
}

func (f *frame) wantOf(op *program.Builtin, k int, t *types.Type) *wanted {
	name := ""
	if k < len(op.Params) {
		name = op.Params[k].Name
	} else if len(op.Params) > 0 {
		name = op.Params[len(op.Params)-1].Name
	}
	return &wanted{t: t, kind: wantsArgument, what: "`" + name + "` of `" + op.FullName() + "`", span: source.Span{}}
}
