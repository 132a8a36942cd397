package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/types"
)

// written resolves a type as it was written; nil is Any. What is wrong with it
// was said when it was lowered.
func (t *typing) written(w ast.Type) *types.Type {
	if n, ok := w.(*ast.NameType); ok {
		return t.named(n.Name)
	}
	if w == nil {
		return types.Any()
	}
	out := t.resolved[w]
	if out == nil {
		out = t.resolve(w)
		t.resolved[w] = out
	}
	return out
}

func (t *typing) resolve(w ast.Type) *types.Type {
	switch w := w.(type) {
	case *ast.ListType:
		return types.List(t.written(w.Elem))
	case *ast.MapType:
		return types.Map(t.written(w.Elem))
	case *ast.OptType:
		return types.Optional(t.written(w.Elem))
	case *ast.TupleType:
		return types.Tuple(t.allWritten(w.Elems)...)
	case *ast.FnType:
		return types.Func(t.allWritten(w.Params), t.written(w.Result))
	case *ast.RecordType:
		out := types.Record(nil, nil, false)
		for _, f := range w.Fields {
			if _, twice := out.Field(f.Name.Name); !twice {
				out.Keys = append(out.Keys, f.Name.Name)
				out.Elem = append(out.Elem, t.written(f.Type))
			}
		}
		return out
	}
	return types.Any()
}

func (t *typing) allWritten(ws []ast.Type) []*types.Type {
	out := make([]*types.Type, len(ws))
	for i, w := range ws {
		out[i] = t.written(w)
	}
	return out
}

// named is the type of a name. A declared type is entered before it is
// resolved, so that it may contain itself.
func (t *typing) named(name string) *types.Type {
	if out := t.declared[name]; out != nil {
		return out
	}
	if t.c.names.actors[name] != nil {
		return types.Handle(name)
	}
	d := t.c.names.types[name]
	if d == nil {
		return t.predeclared(name)
	}
	out := &types.Type{Kind: types.AnyKind}
	t.declared[name] = out
	if len(d.Variants) > 0 {
		out.Kind, out.Name = types.SumKind, name
		for _, v := range d.Variants {
			out.Variants = append(out.Variants, types.Variant{Name: v.Name.Name, Fields: t.allWritten(fieldTypes(v.Fields))})
		}
		return out
	}
	if _, alias := d.Type.(*ast.NameType); alias {
		t.declared[name] = t.written(d.Type)
		return t.declared[name]
	}
	out.Kind = headOf(d.Type)
	body := t.written(d.Type)
	if body == out { // it is only another name for itself, which was said
		out.Kind = types.AnyKind
		return out
	}
	*out = *body
	out.Name = name
	return out
}

// headOf is the kind of a type before its parts are known.
func headOf(w ast.Type) types.Kind {
	switch w.(type) {
	case *ast.ListType:
		return types.ListKind
	case *ast.MapType:
		return types.MapKind
	case *ast.OptType:
		return types.OptionalKind
	case *ast.TupleType:
		return types.TupleKind
	case *ast.FnType:
		return types.FuncKind
	case *ast.RecordType:
		return types.RecordKind
	}
	return types.AnyKind
}

func fieldTypes(fs []ast.VField) []ast.Type {
	out := make([]ast.Type, len(fs))
	for i, f := range fs {
		out[i] = f.Type
	}
	return out
}

// predeclared are the names that need no declaration. Of what is in an Option
// or Result nothing is known.
func (t *typing) predeclared(name string) *types.Type {
	if out, ok := types.Named(name); ok {
		return out
	}
	if name != "Option" && name != "Result" {
		return types.Any()
	}
	out := &types.Type{Kind: types.SumKind, Name: name}
	for _, v := range []string{"Some", "None", "Ok", "Err"} {
		d := t.c.names.variants[v]
		if d != nil && d.typ == name {
			fields := make([]*types.Type, len(d.names))
			for i := range fields {
				fields[i] = types.Any()
			}
			out.Variants = append(out.Variants, types.Variant{Name: v, Fields: fields})
		}
	}
	t.declared[name] = out
	return out
}
