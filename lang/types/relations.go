package types

import "slices"

// deepest is how far types are joined; what lies below is left open.
const deepest = 6

// Fits reports whether a value of the type from can stand where to is wanted.
// What is not known fits.
func Fits(from, to *Type) bool {
	var c comparison
	return c.fits(from, to)
}

// comparison notes the pairs of declared types that it is in: they may contain
// themselves, and a pair inside itself fits if nothing else is wrong.
type comparison struct{ under [][2]*Type }

func (c *comparison) fits(from, to *Type) bool {
	if from == to || loose(from) || loose(to) {
		return true
	}
	if from.Name != "" && to.Name != "" {
		pair := [2]*Type{from, to}
		if slices.Contains(c.under, pair) {
			return true
		}
		c.under = append(c.under, pair)
	}
	if to.Kind == OptionalKind {
		switch from.Kind {
		case NilKind:
			return true
		case OptionalKind:
			return c.fits(from.Elem[0], to.Elem[0])
		}
		return c.fits(from, to.Elem[0])
	}
	if from.Kind == OptionalKind {
		return from.Soft && c.fits(from.Elem[0], to)
	}
	if from.Kind != to.Kind {
		return c.widens(from, to)
	}
	switch from.Kind {
	case ListKind, MapKind:
		return c.fits(from.Elem[0], to.Elem[0])
	case TupleKind:
		return slices.EqualFunc(from.Elem, to.Elem, c.fits)
	case RecordKind:
		return c.recordFits(from, to)
	case FuncKind:
		return c.funcFits(from, to)
	case SumKind:
		return from.Name == to.Name && c.sumFits(from, to)
	case HandleKind:
		return from.Name == to.Name
	}
	return true
}

func loose(t *Type) bool { return t.Kind == AnyKind || t.Kind == NeverKind || t.Kind == VarKind }

// widens compares types of different kinds.
func (c *comparison) widens(from, to *Type) bool {
	switch {
	case from.Kind == IntKind:
		return to.Kind == DecimalKind || to.Kind == FloatKind
	case from.Kind == RecordKind && to.Kind == MapKind:
		for _, e := range from.Elem {
			if !c.fits(e, to.Elem[0]) {
				return false
			}
		}
		return true
	case from.Kind == MapKind && to.Kind == RecordKind:
		return true // which keys it has is not known
	}
	return false
}

func (c *comparison) recordFits(from, to *Type) bool {
	for i, k := range to.Keys {
		f, has := from.Field(k)
		if has && !c.fits(f, to.Elem[i]) {
			return false
		}
		if !has && !from.Open && to.Elem[i].Kind != OptionalKind && to.Elem[i].Kind != AnyKind {
			return false
		}
	}
	return true
}

func (c *comparison) funcFits(from, to *Type) bool {
	if len(from.Elem) != len(to.Elem) {
		return from.Rest || to.Rest
	}
	for i, p := range to.Params() {
		if !c.fits(p, from.Elem[i]) {
			return false
		}
	}
	return to.Result().Kind == TupleKind && len(to.Result().Elem) == 0 || c.fits(from.Result(), to.Result())
}

// Same reports whether two types say the same.
func Same(a, b *Type) bool {
	switch {
	case a == b:
		return true
	case a.Kind != b.Kind || a.Name != b.Name || a.Open != b.Open || a.Soft != b.Soft || a.Closure != b.Closure ||
		a.Rest != b.Rest || (a.Of == nil) != (b.Of == nil) || (a.whole == nil) != (b.whole == nil):
		return false
	case a.Name != "" && a.whole == nil:
		return true
	}
	return (a.Of == nil || Same(a.Of, b.Of)) && slices.Equal(a.Keys, b.Keys) && slices.EqualFunc(a.Elem, b.Elem, Same) &&
		slices.EqualFunc(a.Variants, b.Variants, func(v, w Variant) bool {
			return v.Name == w.Name && slices.EqualFunc(v.Fields, w.Fields, Same)
		})
}

// Missing finds a field that a record lacks of those that are wanted; "" if it
// has them all, or if these are no records.
func Missing(from, to *Type) string {
	if from.Kind != RecordKind || to.Kind != RecordKind || from.Open {
		return ""
	}
	for i, k := range to.Keys {
		if _, has := from.Field(k); !has && to.Elem[i].Kind != OptionalKind && to.Elem[i].Kind != AnyKind {
			return k
		}
	}
	return ""
}

// Meets reports whether values of two types may ever be equal.
func Meets(a, b *Type) bool {
	a, b = Present(a), Present(b)
	if loose(a) || loose(b) || (a.Number() && b.Number()) {
		return true
	}
	if a.Kind == RecordKind && b.Kind == RecordKind {
		return true
	}
	return Fits(a, b) || Fits(b, a)
}

// Join is the type of a value that is of one of two types.
func Join(a, b *Type) *Type { return join(a, b, 0) }

func join(a, b *Type, depth int) *Type {
	switch {
	case a == b, b.Kind == NeverKind:
		return a
	case a.Kind == NeverKind:
		return b
	case loose(a) || loose(b) || depth > deepest:
		return Any()
	case a.Kind == NilKind && b.Kind == NilKind:
		return a
	case a.Kind == NilKind || b.Kind == NilKind || a.Kind == OptionalKind || b.Kind == OptionalKind:
		return joinOptional(a, b, depth)
	case a.Kind != b.Kind:
		return joinKinds(a, b)
	}
	switch a.Kind {
	case ListKind, MapKind:
		if e := join(a.Elem[0], b.Elem[0], depth+1); e != a.Elem[0] {
			return &Type{Kind: a.Kind, Elem: []*Type{e}}
		}
		return a
	case TupleKind:
		return joinTuples(a, b, depth)
	case RecordKind:
		return joinRecords(a, b, depth)
	case FuncKind:
		if len(a.Elem) == len(b.Elem) && Fits(a, b) && Fits(b, a) {
			return a
		}
		return Any()
	case HandleKind, SumKind:
		if a.Name != b.Name {
			return Any()
		}
		return a.Whole()
	}
	return a
}

func joinOptional(a, b *Type, depth int) *Type {
	hard := a.Kind == NilKind || b.Kind == NilKind || (a.Kind == OptionalKind && !a.Soft) || (b.Kind == OptionalKind && !b.Soft)
	e := join(Present(a), Present(b), depth+1)
	if hard {
		return Optional(e)
	}
	return Perhaps(e)
}

func joinKinds(a, b *Type) *Type {
	switch {
	case a.Kind == IntKind && (b.Kind == DecimalKind || b.Kind == FloatKind):
		return b
	case b.Kind == IntKind && (a.Kind == DecimalKind || a.Kind == FloatKind):
		return a
	}
	return Any()
}

func joinTuples(a, b *Type, depth int) *Type {
	if len(a.Elem) != len(b.Elem) {
		return Any()
	}
	out := make([]*Type, len(a.Elem))
	for i := range a.Elem {
		out[i] = join(a.Elem[i], b.Elem[i], depth+1)
	}
	return Tuple(out...)
}

// joinRecords keeps the fields that both have; of the others nothing is known.
func joinRecords(a, b *Type, depth int) *Type {
	if a.Name != "" && a.Name == b.Name {
		return a.Whole()
	}
	out := &Type{Kind: RecordKind, Open: a.Open || b.Open || len(a.Keys) != len(b.Keys)}
	for i, k := range a.Keys {
		f, has := b.Field(k)
		if !has {
			out.Open = true
			continue
		}
		out.Keys = append(out.Keys, k)
		out.Elem = append(out.Elem, join(a.Elem[i], f, depth+1))
	}
	return out
}
