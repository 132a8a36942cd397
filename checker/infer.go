package checker

import (
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
	"github.com/wf-lang/wf/lang/value"
)

// body types a whole function and fills in what is found.
func (f *frame) body(out *finding) {
	f.params()
	f.begins()
	f.result = f.wantedResult()
	var t *types.Type
	if f.i != nil && f.i.kind == clauseValue {
		t = f.clause()
	} else {
		t = f.check(f.fn.Body, f.result)
	}
	switch {
	case f.i != nil && f.i.kind == stateValue:
		f.data(f.fn.Body, t, "the state")
	case f.keeps():
		f.data(lastOf(f.fn.Body), t, f.value())
	}
	if f.i != nil && f.i.kind == commandBody {
		f.reply(f.fn.Body, t)
	}
	if !t.Is(types.NeverKind) {
		f.endsWith(nil)
	}
	out.ends = f.ends
	if f.i == nil || f.i.result == nil {
		out.result = types.Join(f.returns, t)
		out.replies = f.replies
	}
}

// wantedResult is what is written about the function's result; nil if nothing
// is, or if it gives `()`: then it may end with anything.
func (f *frame) wantedResult() *wanted {
	if f.i == nil || f.i.result == nil {
		return nil
	}
	t := f.t.written(f.i.result)
	if t.Is(types.TupleKind) && len(t.Elem) == 0 {
		return nil
	}
	w := &wanted{t: t, kind: wantsResult, span: f.i.result.Span(), what: f.i.name}
	if f.i.kind == stateValue {
		w.kind = wantsValue
	}
	if field, ok := strings.CutPrefix(f.i.name, "state "); ok && f.i.kind == stateValue {
		w.what = fieldText(field)
	}
	return w
}

// params gives the parameters their types: those of a `parallel for` its
// elements', the last ones what is written behind them.
func (f *frame) params() {
	first := len(f.fn.Captures)
	defer func() { f.took = append(f.took, f.vals[first:min(first+len(f.fn.Params), len(f.vals))]...) }()
	for k := range f.fn.Params {
		if s := first + k; s < len(f.vals) {
			f.vals[s] = types.Any()
			if k < len(f.given) && f.given[k].Known() {
				f.vals[s] = opened(f.given[k])
			}
		}
	}
	if f.i == nil {
		return
	}
	n := first + len(f.fn.Params) - len(f.i.params)
	for k, p := range f.i.params {
		if s := n + k; s < len(f.vals) && p.Type != nil {
			f.vals[s] = f.t.written(p.Type)
			f.pins[s] = pin{f.vals[s], p.Name.Span()}
		} else if s < len(f.vals) && f.i.kind != lambdaBody {
			f.vals[s] = f.t.input(f.i)
		}
	}
	for k, list := range f.i.lists {
		s := n - len(f.i.lists) + k
		if s >= 0 && s < len(f.vals) && f.t.c.byFunc[list] != nil {
			f.vals[s] = elementOf(f.t.of(f.t.c.byFunc[list]).result)
		}
	}
	if f.i.kind == compensateBody && n-len(f.i.lists) == 1 {
		f.vals[0] = failure()
	}
}

// input is what is assumed of a step's parameter without a written type.
func (t *typing) input(i *info) *types.Type {
	if (i.kind == stepBody || i.kind == branchBody) && len(i.params) == 1 {
		if got := t.assumed.inputs[i.fn]; got != nil {
			return got
		}
	}
	return types.Any()
}

// failure is the type of an error: these fields it has, others it may have.
func failure() *types.Type {
	str, unknown := types.Of(types.StringKind), types.Any()
	return types.Record([]string{"code", "message", "step", "index", "detail"},
		[]*types.Type{str, str, unknown, unknown, unknown}, true)
}

// kindOf is the type of a constant.
func kindOf(v value.Value) *types.Type {
	switch v.Kind() {
	case value.KindBool:
		return types.Of(types.BoolKind)
	case value.KindInt:
		return types.Of(types.IntKind)
	case value.KindDecimal:
		return types.Of(types.DecimalKind)
	case value.KindFloat:
		return types.Of(types.FloatKind)
	case value.KindString:
		return types.Of(types.StringKind)
	case value.KindDuration:
		return types.Of(types.DurationKind)
	case value.KindTime:
		return types.Of(types.TimeKind)
	}
	return types.Any()
}

// constant is the type of a literal. A nil that nobody wrote stands for what
// could not be lowered.
func (f *frame) constant(e *program.Const) *types.Type {
	if k := f.t.c.constants[e]; k != nil {
		return f.t.of(k.info).result
	}
	if w := f.t.c.described[e]; w != nil {
		return types.Schema(f.t.written(w))
	}
	if !e.Value.IsNil() {
		return kindOf(e.Value)
	}
	if f.isNil(e) {
		return types.Of(types.NilKind)
	}
	return types.Any()
}

func (f *frame) isNil(e program.Expr) bool {
	c, ok := e.(*program.Const)
	if !ok || !c.Value.IsNil() {
		return false
	}
	text := f.t.c.set.Text(c.Span())
	return text == "nil" || text == "null"
}

// expr types an expression. Want is what it is meant for, nil if that is not
// known: it says what a lambda's parameters are.
func (f *frame) expr(e program.Expr, want *types.Type) *types.Type {
	switch e := e.(type) {
	case nil: // an argument that is missing, which was said
		return types.Any()
	case *program.Const:
		return f.constant(e)
	case *program.Local:
		if e.Slot < len(f.vals) && f.vals[e.Slot] != nil {
			return f.vals[e.Slot]
		}
		return types.Any()
	case *program.SelfField:
		return f.selfField(e)
	case *program.SelfMeta:
		return f.selfMeta(e)
	case *program.Not:
		f.condition(e.X, "`!`")
		return types.Of(types.BoolKind)
	case *program.Neg:
		return f.negate(e)
	case *program.Binary:
		return f.binary(e)
	case *program.And:
		return f.shortcut(e.X, e.Y, "`&&`", true)
	case *program.Or:
		return f.shortcut(e.X, e.Y, "`||`", false)
	case *program.Coalesce:
		return f.coalesce(e, nil, want)
	case *program.Text:
		return f.seq(e.Parts, types.Of(types.StringKind))
	case *program.TupleExpr:
		return f.tuple(e)
	case *program.ListExpr:
		return f.list(e, nil, want)
	case *program.Spread:
		return f.expr(e.X, nil)
	case *program.RecordExpr:
		return f.record(e, nil, want)
	case *program.Field:
		return f.field(e)
	case *program.Index:
		return f.index(e)
	}
	if t := f.called(e, want); t != nil {
		return t
	}
	return f.statement(e, nil, want)
}

// seq types expressions that are evaluated one after the other, for a value of
// type t; if one of them leaves there is none.
func (f *frame) seq(es []program.Expr, t *types.Type) *types.Type {
	for _, e := range es {
		if e != nil && f.expr(e, nil).Is(types.NeverKind) {
			t = types.Never()
		}
	}
	return t
}

func (f *frame) selfField(e *program.SelfField) *types.Type {
	if p, ok := f.placeOf(e); ok {
		if t := f.fact(p); t != nil {
			return t
		}
	}
	t, _ := f.t.fieldType(f.actor, e.Slot)
	return t
}

func (f *frame) selfMeta(e *program.SelfMeta) *types.Type {
	switch e.Part {
	case program.SelfID, program.SelfStep:
		return types.Of(types.StringKind)
	case program.SelfStepIndex:
		return types.Of(types.IntKind)
	case program.SelfHandle:
		if f.actor != nil {
			return types.Handle(f.actor.decl.Name.Name)
		}
	case program.SelfRecord:
		return f.state()
	}
	return types.Any() // `self.failure` too: it is nil before anything failed
}

// state is the record of the fields of self.
func (f *frame) state() *types.Type {
	if f.actor == nil || f.actor.kind != 0 && len(f.actor.prog.Fields) == 0 {
		return types.Any()
	}
	out := types.Record(nil, nil, !f.actor.declared || f.actor.unread)
	for i, x := range f.actor.prog.Fields {
		t, _ := f.t.fieldType(f.actor, i)
		out.Keys, out.Elem = append(out.Keys, x.Name), append(out.Elem, t)
	}
	return out
}

// opened is the type of what a function gets again and again: of a first nil
// or empty record nothing follows for those after it.
func opened(t *types.Type) *types.Type {
	if t.Kind == types.NilKind || t.Kind == types.RecordKind && len(t.Keys) == 0 {
		return types.Any()
	}
	return t
}
