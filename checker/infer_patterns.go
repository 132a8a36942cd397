package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// bind gives the names of a pattern their types, and says so if no value of
// the type can be what the pattern looks for.
func (f *frame) bind(p program.Pattern, t *types.Type) {
	switch p := p.(type) {
	case *program.Bind:
		f.name(p.Slot, t)
	case *program.Lit:
		f.expects(p, t, p.Value.IsNil() || types.Meets(t, kindOf(p.Value)))
	case *program.VariantOf:
		f.bindVariant(p, t)
	case *program.TupleOf:
		f.bindTuple(p, t)
	case *program.ListOf:
		f.bindList(p, t)
	case *program.RecordOf:
		f.bindRecord(p, t)
	case *program.OneOf:
		for i, a := range p.Alts {
			before := f.taken(a)
			f.bind(a, t)
			if i > 0 {
				f.joinNames(before)
			}
			if rest := leftBy(a, t); !rest.Is(types.NeverKind) {
				t = rest
			}
		}
	}
}

// bindSure is bind for a pattern that has to fit, as that of a `let`: it says so
// where nil may come and is not taken.
func (f *frame) bindSure(p program.Pattern, t *types.Type) {
	f.apart(p, t)
	f.bind(p, t)
}

// apart says where a pattern takes something apart that may be nil.
func (f *frame) apart(p program.Pattern, t *types.Type) {
	switch p.(type) {
	case *program.VariantOf, *program.TupleOf, *program.ListOf, *program.RecordOf:
	default:
		return
	}
	if at, has := f.t.c.patternAt[p]; has && t.Is(types.OptionalKind) && !t.Soft {
		f.say(func() { f.t.c.sayMayBeNil(at, t, "taking it apart", presentApart) })
	}
	t = types.Present(t)
	switch p := p.(type) {
	case *program.VariantOf:
		v, _ := t.Variant(p.Name)
		for i, x := range p.Fields {
			if i < len(v.Fields) {
				f.apart(x, v.Fields[i])
			}
		}
	case *program.TupleOf:
		for i, x := range p.Elems {
			if t.Is(types.TupleKind) && i < len(t.Elem) {
				f.apart(x, t.Elem[i])
			}
		}
	case *program.ListOf:
		for _, x := range append(p.Before[:len(p.Before):len(p.Before)], p.After...) {
			if t.Is(types.ListKind) {
				f.apart(x, elementOf(t))
			}
		}
	case *program.RecordOf:
		for i, x := range p.Patterns {
			if own, ok := t.Field(p.Keys[i]); ok && t.Is(types.RecordKind) {
				f.apart(x, own)
			}
		}
	}
}

// name gives a new name its type.
func (f *frame) name(slot int, t *types.Type) {
	if slot < len(f.vals) {
		if t.Is(types.NeverKind) {
			t = types.Any()
		}
		f.put(slot, t)
		f.forget(func(x place) bool { return x.of(slot) })
	}
}

// taken are the types that the names of a pattern have so far.
func (f *frame) taken(p program.Pattern) []change {
	var out []change
	eachName(p, func(slot int) {
		if slot < len(f.vals) {
			out = append(out, change{slot, f.vals[slot]})
		}
	})
	return out
}

// joinNames joins the types that alternatives give the same names.
func (f *frame) joinNames(before []change) {
	for _, x := range before {
		if x.old != nil {
			f.put(x.at, types.Join(x.old, f.vals[x.at]))
		}
	}
}

// eachName visits the slots that a pattern fills.
func eachName(p program.Pattern, visit func(int)) {
	var all []program.Pattern
	switch p := p.(type) {
	case *program.Bind:
		visit(p.Slot)
	case *program.VariantOf:
		all = p.Fields
	case *program.TupleOf:
		all = p.Elems
	case *program.ListOf:
		all = append(append(all, p.Before...), p.After...)
		if p.Rest != nil {
			all = append(all, p.Rest)
		}
	case *program.RecordOf:
		all = append(all, p.Patterns...)
		if p.Rest != nil {
			all = append(all, p.Rest)
		}
	case *program.OneOf:
		all = p.Alts
	}
	for _, x := range all {
		eachName(x, visit)
	}
}

// expects says that a pattern looks for something else than there is.
func (f *frame) expects(p program.Pattern, t *types.Type, ok bool) {
	if ok || !t.Known() {
		return
	}
	at, has := f.t.c.patternAt[p]
	if has {
		f.say(func() { f.t.c.sayNoMatchPossible(at, patternWord(p), t) })
	}
}

// patternWord says for what a pattern looks.
func patternWord(p program.Pattern) string {
	switch p := p.(type) {
	case *program.Lit:
		return kindOf(p.Value).Article()
	case *program.VariantOf:
		return "`" + p.Name + "`"
	case *program.TupleOf:
		return "a tuple of " + count(len(p.Elems), "part")
	case *program.ListOf:
		return "a list"
	}
	return "a record"
}

func (f *frame) bindVariant(p *program.VariantOf, t *types.Type) {
	t = types.Present(t)
	v, left := t.Variant(p.Name)
	if d := f.t.c.names.variants[p.Name]; d != nil {
		own := t.Is(types.SumKind) && t.Name == d.typ
		f.expects(p, t, !t.Known() || own)
		if !own || !left {
			v, _ = f.t.named(d.typ).Variant(p.Name)
		}
	}
	if event := f.t.c.names.asVariants[p.Name]; len(v.Fields) == 0 && event != nil {
		for _, field := range event.fields {
			v.Fields = append(v.Fields, f.t.written(field.Type))
		}
	}
	for i, x := range p.Fields {
		field := types.Any()
		if i < len(v.Fields) {
			field = v.Fields[i]
		}
		f.bind(x, field)
	}
}

func (f *frame) bindTuple(p *program.TupleOf, t *types.Type) {
	t = types.Present(t)
	fits := t.Is(types.TupleKind) && len(t.Elem) == len(p.Elems)
	f.expects(p, t, fits)
	for i, x := range p.Elems {
		elem := types.Any()
		if fits {
			elem = t.Elem[i]
		}
		f.bind(x, elem)
	}
}

func (f *frame) bindList(p *program.ListOf, t *types.Type) {
	t = types.Present(t)
	isList := t.Is(types.ListKind)
	f.expects(p, t, isList)
	elem, whole := types.Any(), types.List(types.Any())
	if isList {
		elem, whole = elementOf(t), t
	}
	for _, x := range p.Before {
		f.bind(x, elem)
	}
	if p.Rest != nil {
		f.bind(p.Rest, whole)
	}
	for _, x := range p.After {
		f.bind(x, elem)
	}
}

func (f *frame) bindRecord(p *program.RecordOf, t *types.Type) {
	t = types.Present(t)
	f.expects(p, t, t.Is(types.RecordKind) || t.Is(types.MapKind))
	for i, x := range p.Patterns {
		if mayLack(t, p.Keys[i]) {
			f.t.lenientKeys[lenientKey{p, i}] = true
		}
		field := types.Any()
		switch t.Kind {
		case types.MapKind:
			field = t.Elem[0]
		case types.RecordKind:
			if own, ok := t.Field(p.Keys[i]); ok {
				field = own
			} else if !t.Open && len(t.Keys) > 0 {
				f.sayUnknownKey(p, t, p.Keys[i])
			}
		}
		f.bind(x, field)
	}
	if p.Rest != nil {
		f.bind(p.Rest, types.Any())
	}
}

// sayUnknownKey speaks of a key in a pattern that the record does not have, if
// it is nearly one that it has; another may be there all the same.
func (f *frame) sayUnknownKey(p program.Pattern, t *types.Type, key string) {
	if at, has := f.t.c.patternAt[p]; has {
		f.say(func() { f.t.c.sayKeyNearly(at, key, t) })
	}
}
