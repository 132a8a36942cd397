package types

import "slices"

// Whole is the type that a type was narrowed from, the type itself if it was
// not.
func (t *Type) Whole() *Type {
	if t.whole != nil {
		return t.whole
	}
	if t.Kind == OptionalKind {
		if w := t.Elem[0].Whole(); w != t.Elem[0] {
			return &Type{Kind: OptionalKind, Elem: []*Type{w}, Soft: t.Soft}
		}
	}
	return t
}

// narrowed is a copy of a type that remembers where it comes from.
func (t *Type) narrowed() *Type {
	out := *t
	out.whole = t.Whole()
	return &out
}

// WithPart is a tuple or record of whose i-th part more is known.
func (t *Type) WithPart(i int, elem *Type) *Type {
	out := t.narrowed()
	out.Elem = slices.Clone(t.Elem)
	out.Elem[i] = elem
	return out
}

// WithField is a record of one of whose fields more is known.
func (t *Type) WithField(name string, elem *Type) *Type {
	return t.WithPart(slices.Index(t.Keys, name), elem)
}

// Reset is a type without what is known of one of its fields beyond what the
// type says that it was narrowed from; of all parts if it has no such field.
func (t *Type) Reset(field string) *Type {
	w := t.Whole()
	if elem, has := w.Field(field); has && t.Kind == RecordKind && w != t {
		return t.WithField(field, elem)
	}
	return w
}

// WithVariantField is a sum of which more is known about the i-th field of a
// variant.
func (t *Type) WithVariantField(name string, i int, field *Type) *Type {
	at := t.variantAt(name)
	out := t.narrowed()
	out.Variants = slices.Clone(t.Variants)
	fields := slices.Clone(t.Variants[at].Fields)
	fields[i] = field
	out.Variants[at].Fields = fields
	return out
}

// Only is a sum of which one variant is left.
func (t *Type) Only(name string) *Type {
	at := t.variantAt(name)
	if at < 0 || len(t.Variants) == 1 {
		return t
	}
	out := t.narrowed()
	out.Variants = t.Variants[at : at+1]
	return out
}

// Without is a sum without one of its variants, Never if that was the last.
func (t *Type) Without(name string) *Type {
	at := t.variantAt(name)
	switch {
	case at < 0:
		return t
	case len(t.Variants) == 1:
		return Never()
	}
	out := t.narrowed()
	out.Variants = slices.Delete(slices.Clone(t.Variants), at, at+1)
	return out
}

func (t *Type) variantAt(name string) int {
	return slices.IndexFunc(t.Variants, func(v Variant) bool { return v.Name == name })
}

// sumFits compares two sums of one name: the second one may be narrowed.
func (c *comparison) sumFits(from, to *Type) bool {
	if to.whole == nil {
		return true
	}
	for _, v := range from.Variants {
		into, has := to.Variant(v.Name)
		if !has || !slices.EqualFunc(v.Fields, into.Fields, c.fits) {
			return false
		}
	}
	return true
}
