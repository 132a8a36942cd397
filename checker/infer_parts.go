package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
)

// field types `x.name` and `x?.name`.
func (f *frame) field(e *program.Field) *types.Type {
	x := f.expr(e.X, nil)
	if mayLack(x, e.Name) {
		f.t.lenient[e] = true
	}
	if t := f.seen(e); t != nil {
		return t
	}
	opt := e.Opt && (x.Is(types.OptionalKind) || x.Is(types.NilKind))
	if opt {
		x = types.Present(x)
	} else {
		x = f.strict(e.X, x, "`."+e.Name+"`")
	}
	t := f.part(e, x)
	if opt {
		return types.Optional(t)
	}
	return t
}

// mayLack reports whether a record of a type need not have a field of it.
func mayLack(t *types.Type, name string) bool {
	if t = types.Present(t); !t.Is(types.RecordKind) {
		return false
	}
	x, has := t.Field(name)
	return has && (x.Is(types.OptionalKind) || x.Is(types.AnyKind))
}

// part is the type of a field of a value.
func (f *frame) part(e *program.Field, x *types.Type) *types.Type {
	switch x.Kind {
	case types.AnyKind, types.NeverKind, types.VarKind:
		return x
	case types.RecordKind:
		if t, ok := x.Field(e.Name); ok {
			return t
		}
		if e.Name == "length" {
			return types.Of(types.IntKind)
		}
		if !x.Open {
			f.say(func() { f.t.c.sayNoField(e, x, x.Keys) })
		}
		return types.Any()
	case types.MapKind:
		if e.Name == "length" {
			return types.Any()
		}
		return x.Elem[0]
	case types.SumKind:
		return f.fieldOfSum(e, x)
	case types.ListKind, types.StringKind:
		if e.Name == "length" {
			return types.Of(types.IntKind)
		}
	case types.HandleKind:
		if e.Name == "id" {
			return types.Of(types.StringKind)
		}
	}
	f.say(func() { f.t.c.sayNoParts(fieldName(e), e.Name, x) })
	return types.Any()
}

// fieldOfSum is the type of a field that some variant of a sum has.
func (f *frame) fieldOfSum(e *program.Field, x *types.Type) *types.Type {
	var all []string
	t := types.Never()
	for _, v := range x.Variants {
		d := f.t.c.names.variants[v.Name]
		if d == nil {
			return types.Any()
		}
		for i, name := range d.names {
			if name == e.Name && i < len(v.Fields) {
				t = types.Join(t, v.Fields[i])
			}
			if name != "" {
				all = append(all, name)
			}
		}
	}
	if t.Is(types.NeverKind) {
		if w := x.Whole(); w != x { // what is left has no such field, but that is no word misspelt
			return f.fieldOfSum(e, w)
		}
		f.say(func() { f.t.c.sayNoField(e, x, all) })
		return types.Any()
	}
	return t
}

// fieldName is the place of the name in `x.name`.
func fieldName(e *program.Field) source.Span {
	s := e.Span()
	if n := uint32(len(e.Name)); s.End >= s.Start+n {
		s.Start = s.End - n
	}
	return s
}

// index types `x[i]`.
func (f *frame) index(e *program.Index) *types.Type {
	x := f.strict(e.X, f.expr(e.X, nil), "`[…]`")
	i := f.strict(e.I, f.expr(e.I, nil), "an index")
	if t := f.seen(e); t != nil {
		return t
	}
	return f.indexed(e.X.Span(), x, e.I, i)
}

// indexed is the type of what an index finds; of is where the value stands.
func (f *frame) indexed(of source.Span, x *types.Type, at program.Expr, i *types.Type) *types.Type {
	switch x.Kind {
	case types.AnyKind, types.NeverKind, types.VarKind:
		return x
	case types.ListKind:
		f.indexKind(at, i, types.IntKind, x)
		return elementOf(x)
	case types.TupleKind:
		f.indexKind(at, i, types.IntKind, x)
		if c, ok := at.(*program.Const); ok {
			if n, isInt := c.Value.AsInt(); isInt && n >= 0 && n < int64(len(x.Elem)) {
				return x.Elem[n]
			}
		}
		return types.Any()
	case types.MapKind:
		f.indexKind(at, i, types.StringKind, x)
		return types.Perhaps(x.Elem[0])
	case types.RecordKind:
		f.indexKind(at, i, types.StringKind, x)
		if c, ok := at.(*program.Const); ok {
			if key, isText := c.Value.AsString(); isText {
				if t, has := x.Field(key); has {
					return t
				}
			}
		}
		return types.Any()
	}
	f.say(func() { f.t.c.sayNotIndexable(of, x) })
	return types.Any()
}

func (f *frame) indexKind(at program.Expr, i *types.Type, want types.Kind, of *types.Type) {
	if i.Known() && i.Kind != want {
		f.say(func() { f.t.c.sayIndexKind(at, i, types.Of(want), of) })
	}
}

// key holds a computed key of a record against String.
func (f *frame) key(e program.Expr, t *types.Type) {
	f.indexKind(e, f.strict(e, t, "a key"), types.StringKind, types.Record(nil, nil, true))
}

// elementOf is the type of what `for` finds in a value.
func elementOf(t *types.Type) *types.Type {
	str := types.Of(types.StringKind)
	elem := types.Any()
	switch t.Kind {
	case types.ListKind:
		elem = t.Elem[0]
	case types.MapKind:
		return types.Tuple(str, t.Elem[0])
	case types.RecordKind:
		if t.Open || len(t.Elem) == 0 {
			return types.Tuple(str, elem)
		}
		elem = types.Never()
		for _, x := range t.Elem {
			elem = types.Join(elem, x)
		}
		return types.Tuple(str, elem)
	}
	if elem.Is(types.NeverKind) {
		return types.Any() // of the empty list
	}
	return elem
}

// iterable refuses what `for` cannot go over.
func (f *frame) iterable(e program.Expr, t *types.Type, by string) {
	switch t.Kind {
	case types.ListKind, types.MapKind, types.RecordKind:
		return
	}
	if t.Known() {
		f.say(func() { f.t.c.sayNotIterable(e, t, by) })
	}
}
