package checker

import (
	"fmt"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// tuple types a tuple; the empty one is unit.
func (f *frame) tuple(e *program.TupleExpr) *types.Type {
	if len(e.Elems) == 0 {
		return types.Unit()
	}
	out := types.Tuple()
	for _, x := range e.Elems {
		t := f.expr(x, nil)
		if t.Is(types.NeverKind) {
			return f.rest(e.Elems, x)
		}
		out.Elem = append(out.Elem, t)
	}
	return out
}

// rest types what stands behind an expression that leaves.
func (f *frame) rest(es []program.Expr, leaves program.Expr) *types.Type {
	for i, x := range es {
		if x == leaves {
			f.seq(es[i+1:], nil)
			break
		}
	}
	return types.Never()
}

// list types a list; with w each element is held against what is wanted.
func (f *frame) list(e *program.ListExpr, w *wanted, want *types.Type) *types.Type {
	elem := types.Never()
	var inner *types.Type
	if want != nil {
		if p := types.Present(want); p.Is(types.ListKind) {
			inner = p.Elem[0]
		}
	}
	at := func(k int) string { return fmt.Sprintf("[%d]", k) }
	for k, x := range e.Elems {
		if s, ok := x.(*program.Spread); ok {
			at = func(int) string { return "[…]" } // how many there are before it is not known
			t := f.strict(s.X, f.expr(s.X, want), "`...`")
			if !t.Is(types.ListKind) {
				f.iterable(s.X, t, "`...` in a list")
			}
			elem = types.Join(elem, elementOf(t))
			continue
		}
		if w != nil && inner != nil {
			elem = types.Join(elem, f.check(x, w.part(inner, at(k))))
		} else {
			elem = types.Join(elem, f.expr(x, inner))
		}
	}
	return types.List(elem)
}

// record types a record literal; with w each field is held against what is
// wanted.
func (f *frame) record(e *program.RecordExpr, w *wanted, want *types.Type) *types.Type {
	out := types.Record(nil, nil, false)
	var target *types.Type
	if want != nil {
		if target = types.Present(want); target.Kind != types.RecordKind && target.Kind != types.MapKind {
			target = nil
		}
	}
	for _, x := range e.Entries {
		switch {
		case x.Spread != nil:
			out = spread(out, f.expr(x.Spread, nil))
		case x.Computed != nil:
			f.key(x.Computed, f.expr(x.Computed, nil))
			f.entry(x.Value, "", w, target)
			out = types.Record(out.Keys, out.Elem, true)
		default:
			out = out.With(x.Key, f.entry(x.Value, x.Key, w, target))
		}
	}
	return out
}

// entry types the value of one field of a literal.
func (f *frame) entry(e program.Expr, key string, w *wanted, target *types.Type) *types.Type {
	var inner *types.Type
	if target != nil {
		if target.Is(types.MapKind) {
			inner = target.Elem[0]
		} else if t, ok := target.Field(key); ok && key != "" {
			inner = t
		}
	}
	if w != nil && inner != nil {
		path := "[…]"
		if key != "" {
			path = "." + key
		}
		return f.check(e, w.part(inner, path))
	}
	return f.expr(e, inner)
}

// spread adds the fields of one record to another.
func spread(out, more *types.Type) *types.Type {
	more = types.Present(more)
	if !more.Is(types.RecordKind) {
		return types.Record(out.Keys, out.Elem, true)
	}
	for i, k := range more.Keys {
		out = out.With(k, more.Elem[i])
	}
	if more.Open {
		for i := range out.Elem {
			if _, named := more.Field(out.Keys[i]); !named {
				out = out.With(out.Keys[i], types.Any()) // may have been replaced
			}
		}
		out = types.Record(out.Keys, out.Elem, true)
	}
	return out
}
