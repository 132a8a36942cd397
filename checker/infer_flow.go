package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// clause types the value of a clause; which one it is is its name.
func (f *frame) clause() *types.Type {
	e := f.fn.Body
	switch f.i.name {
	case "timeout":
		f.wants(e, types.DurationKind, "`timeout`")
	case "retry", "first", "max":
		f.wants(e, types.IntKind, "`"+f.i.name+"`")
	case "backoff":
		t := f.strict(e, f.expr(e, nil), "`backoff`")
		if t.Known() && !t.Is(types.DurationKind) && !isSpan(t) {
			f.say(func() { f.t.c.sayClauseType(e, "`backoff`", types.Of(types.DurationKind), t) })
		}
	case "when":
		if len(f.vals) > 0 {
			f.vals[0] = failure()
		}
		f.condition(e, "`when`")
	case "parallel for":
		t := f.strict(e, f.expr(e, nil), "`parallel for`")
		f.iterable(e, t, "`parallel for`")
		return t
	default:
		return f.expr(e, nil)
	}
	return types.Any()
}

// isSpan reports whether a type is a pair of durations, or may be one.
func isSpan(t *types.Type) bool {
	if !t.Is(types.TupleKind) || len(t.Elem) != 2 {
		return false
	}
	for _, x := range t.Elem {
		if x.Known() && !x.Is(types.DurationKind) {
			return false
		}
	}
	return true
}

// sequence holds the value of each item against the parameter of the next one
// in the text, if that is where it may go. It gives the type of the value
// behind the last.
func (t *typing) sequence(items []*program.Item) *types.Type {
	value := types.Any()
	for k, it := range items {
		if k > 0 {
			t.handOn(items[k-1], value, it)
		}
		value = t.itemValue(it)
	}
	return value
}

func (t *typing) itemValue(it *program.Item) *types.Type {
	if it.Step != nil {
		if fallsThrough(it.Step.Body.Body) {
			return t.of(t.c.byFunc[it.Step.Body]).result
		}
		return types.Never()
	}
	return t.blockValue(it.Parallel)
}

// handOn holds a value against the first step of an item; those of a block's
// branches get it as well.
func (t *typing) handOn(from *program.Item, value *types.Type, to *program.Item) {
	if to.Step == nil {
		for _, b := range to.Parallel.Branches {
			if len(b.Items) > 0 {
				t.handOn(from, value, b.Items[0])
			}
		}
		return
	}
	i := t.c.byFunc[to.Step.Body]
	if i == nil || len(i.params) == 0 {
		return
	}
	if pauses(from) { // whoever resumes the workflow hands nothing on
		t.widenInput(i, types.Any())
	}
	if value.Is(types.NeverKind) {
		return
	}
	p := i.params[len(i.params)-1]
	if p.Type == nil {
		t.widenInput(i, value)
		return
	}
	if from.Step != nil && value.Is(types.TupleKind) && len(value.Elem) == 0 {
		value = types.Of(types.NilKind)
	}
	if value.Is(types.NilKind) && t.gone[i.fn] {
		return // the item before has no value: the step is meant to be gone to
	}
	if want := t.written(p.Type); !types.Fits(value, want) {
		t.c.sayHandedOn(from, value, i, &wanted{
			t: want, kind: wantsInput, what: t.c.paramText(p) + " of " + i.name, span: p.Span(),
		})
	}
}

// pauses reports whether an item is a step that may pause, so that somebody lets
// the next one run.
func pauses(it *program.Item) bool {
	return it.Step != nil && anyExpr(it.Step.Body.Body, func(e program.Expr) bool {
		p, ok := e.(*program.Pause)
		return ok && p.Then < 0
	})
}

// blockValue is the type of a block's value: a record of its branches' values
// by name; of a `for` a list, and so of the winners of `first`.
func (t *typing) blockValue(p *program.Parallel) *types.Type {
	if p.For {
		elem := types.Any()
		if len(p.Branches) == 1 {
			elem = t.sequence(p.Branches[0].Items)
		}
		if p.Mode != program.All || elem.Is(types.NeverKind) {
			elem = types.Any()
		}
		return types.List(elem)
	}
	out := types.Record(nil, nil, false)
	for _, b := range p.Branches {
		v := t.sequence(b.Items)
		if p.Mode != program.All || v.Is(types.NeverKind) {
			v = types.Any()
		}
		out = out.With(b.Name, v)
	}
	if p.Mode == program.First {
		return types.List(types.Any())
	}
	return out
}

// endOf is the type of a workflow's result: of its last item's value and of
// all that `end` says. A workflow that is being typed gives Any.
func (t *typing) endOf(a *actor) *types.Type {
	if a == nil || a.unread {
		return types.Any()
	}
	if out := t.results[a]; out != nil {
		return out
	}
	out := types.Never()
	for _, i := range t.c.infos {
		if i.actor != a {
			continue
		}
		switch i.kind {
		case stepBody, commandBody:
			f := t.of(i)
			if f.busy {
				return types.Any()
			}
			out = types.Join(out, f.ends)
		}
	}
	if n := len(a.prog.Items); n > 0 {
		out = types.Join(out, t.itemValue(a.prog.Items[n-1]))
	}
	if out.Is(types.NeverKind) {
		out = types.Any()
	}
	t.results[a] = out
	return out
}

// publish fills in what was not written but follows: the types of fields and of
// answers, for those who check what comes from outside, and for the evaluator
// where a field may be missing.
func (t *typing) publish() {
	for e := range t.lenient {
		e.Lenient = true
	}
	for k := range t.lenientKeys {
		if k.in.Lenient == nil {
			k.in.Lenient = make([]bool, len(k.in.Keys))
		}
		k.in.Lenient[k.at] = true
	}
	for _, a := range t.c.names.order {
		for i := range a.prog.Fields {
			f := &a.prog.Fields[i]
			if f.Declared && f.Type.Base == program.AnyType && f.Type.Text == "" {
				typ, _ := t.fieldType(a, i)
				f.Type = plain(typ)
			}
		}
		for _, h := range a.queries {
			if h.info != nil && h.info.result == nil {
				h.prog.Result = plain(t.of(h.info).result)
			}
		}
		for _, h := range a.commands {
			if h.info != nil && h.info.result == nil {
				h.prog.Result = plain(t.of(h.info).replies)
			}
		}
	}
}

// plain is a type as the run time knows it, if it is one of a single value;
// others are left open.
func plain(t *types.Type) program.Type {
	bases := map[types.Kind]program.Base{
		types.BoolKind: program.BoolType, types.IntKind: program.IntType, types.DecimalKind: program.DecimalType,
		types.FloatKind: program.FloatType, types.StringKind: program.StringType, types.DurationKind: program.DurationType,
		types.TimeKind: program.TimeType, types.SecretKind: program.SecretType,
	}
	if b, ok := bases[t.Kind]; ok {
		return program.Type{Text: t.String(), Base: b}
	}
	return program.Type{}
}
