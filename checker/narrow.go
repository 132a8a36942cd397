package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// widestNarrowed is how many parts a type may have for patterns to narrow them.
const widestNarrowed = 100

// takenBy is the type of what a pattern takes of the values of a type.
func takenBy(p program.Pattern, t *types.Type) *types.Type {
	switch p := p.(type) {
	case program.Any, *program.Any, *program.Bind:
		return t
	case *program.Lit:
		if p.Value.IsNil() {
			return types.Of(types.NilKind)
		}
	case *program.OneOf:
		out := types.Never()
		for _, a := range p.Alts {
			out = types.Join(out, takenBy(a, t))
			t = leftBy(a, t)
		}
		return out
	}
	t = types.Present(t)
	ps, elems := partsFor(p, t)
	for i, x := range ps {
		if elem := takenBy(x, elems[i]); elem != elems[i] {
			t = withPart(t, p, i, elem)
		}
	}
	if v, ok := p.(*program.VariantOf); ok && ps != nil {
		return t.Only(v.Name)
	}
	return t
}

// leftBy is the type of what a pattern leaves of the values of a type, Never if
// it takes them all. What cannot be said as a type counts as left.
func leftBy(p program.Pattern, t *types.Type) *types.Type {
	switch p := p.(type) {
	case program.Any, *program.Any, *program.Bind:
		return types.Never()
	case *program.Lit:
		if p.Value.IsNil() {
			return types.Present(t)
		}
		return t
	case *program.OneOf:
		for _, a := range p.Alts {
			t = leftBy(a, t)
		}
		return t
	}
	if t.Is(types.OptionalKind) { // these patterns take no nil
		if rest := leftBy(p, t.Elem[0]); rest != t.Elem[0] {
			if t.Soft {
				return types.Perhaps(rest)
			}
			return types.Optional(rest)
		}
		return t
	}
	if list, ok := p.(*program.ListOf); ok && t.Is(types.ListKind) && takesAll(list) {
		return types.Never()
	}
	ps, elems := partsFor(p, t)
	if ps == nil {
		return t
	}
	at, rest := -1, types.Never()
	for i, x := range ps {
		if elem := leftBy(x, elems[i]); !elem.Is(types.NeverKind) {
			if at >= 0 {
				return t // which of the two it was cannot be said
			}
			at, rest = i, elem
		}
	}
	switch {
	case at >= 0 && rest != elems[at]:
		return withPart(t, p, at, rest)
	case at >= 0:
		return t
	}
	if v, ok := p.(*program.VariantOf); ok {
		return t.Without(v.Name)
	}
	return types.Never()
}

// partsFor are the patterns for the parts of a value, and the types of these
// parts; nil if the value may be something else than the pattern looks for.
func partsFor(p program.Pattern, t *types.Type) ([]program.Pattern, []*types.Type) {
	if len(t.Elem) > widestNarrowed || len(t.Variants) > widestNarrowed {
		return nil, nil
	}
	switch p := p.(type) {
	case *program.TupleOf:
		if t.Is(types.TupleKind) && len(t.Elem) == len(p.Elems) && len(t.Elem) > 0 {
			return p.Elems, t.Elem
		}
	case *program.RecordOf:
		elems := make([]*types.Type, 0, len(p.Keys))
		for _, k := range p.Keys {
			elem, has := t.Field(k)
			if !t.Is(types.RecordKind) || !has {
				return nil, nil
			}
			elems = append(elems, elem)
		}
		return p.Patterns, elems
	case *program.VariantOf:
		v, has := t.Variant(p.Name)
		switch {
		case !has:
		case p.Bare:
			return []program.Pattern{}, nil
		case len(p.Fields) == len(v.Fields):
			return p.Fields, v.Fields
		}
	}
	return nil, nil
}

// withPart is a type with another type of the part that the i-th pattern in p
// looks at.
func withPart(t *types.Type, p program.Pattern, i int, elem *types.Type) *types.Type {
	switch p := p.(type) {
	case *program.RecordOf:
		return t.WithField(p.Keys[i], elem)
	case *program.VariantOf:
		return t.WithVariantField(p.Name, i, elem)
	}
	return t.WithPart(i, elem)
}

// remainder is what no arm of a match has taken yet.
type remainder struct {
	f    *frame
	left *types.Type
	// sums are the declared sums by name, if of the value itself nothing is
	// known: an arm may still know what is left of its own.
	sums map[string]*types.Type
}

// of is the type of what is left for a pattern.
func (r *remainder) of(p program.Pattern) *types.Type {
	v, ok := p.(*program.VariantOf)
	if !ok || r.left.Known() {
		return r.left
	}
	d := r.f.t.c.names.variants[v.Name]
	if d == nil {
		return r.left
	}
	if t := r.sums[d.typ]; t != nil {
		return t
	}
	return r.f.t.named(d.typ)
}

// without notes that an arm takes what fits a pattern.
func (r *remainder) without(p program.Pattern) {
	if r.left.Known() {
		if r.left = leftBy(p, r.left); r.left.Is(types.NeverKind) {
			r.left = types.Any() // nothing gets there
		}
		return
	}
	for _, a := range alternatives(p) {
		if v, ok := a.(*program.VariantOf); ok && r.f.t.c.names.variants[v.Name] != nil {
			if r.sums == nil {
				r.sums = map[string]*types.Type{}
			}
			r.sums[r.f.t.c.names.variants[v.Name].typ] = leftBy(a, r.of(a))
		}
	}
}

func alternatives(p program.Pattern) []program.Pattern {
	if or, ok := p.(*program.OneOf); ok {
		return or.Alts
	}
	return []program.Pattern{p}
}

// shown notes that the value of an expression, typed as was, has turned out to
// be of the type now: for the place that it reads, and of a tuple for its parts.
func (f *frame) shown(e program.Expr, was, now *types.Type) {
	if was == now || !now.Known() {
		return
	}
	if t, ok := e.(*program.TupleExpr); ok {
		if !was.Is(types.TupleKind) || !now.Is(types.TupleKind) || len(was.Elem) != len(t.Elems) || len(now.Elem) != len(t.Elems) {
			return
		}
		for _, x := range t.Elems {
			if _, place := f.placeOf(x); !place && !isConst(x) {
				return // it may have changed what another part has read
			}
		}
		for i, x := range t.Elems {
			f.shown(x, was.Elem[i], now.Elem[i])
		}
		return
	}
	if p, ok := f.placeOf(e); ok {
		f.know(p, now)
		if !now.Is(types.OptionalKind) && !now.Is(types.NilKind) {
			f.present(e)
		}
	}
}

func isConst(e program.Expr) bool {
	_, ok := e.(*program.Const)
	return ok
}
