package schema

import (
	"strings"

	"github.com/wf-lang/wf/lang/value"
)

// parts holds what is in a value against properties, items and the like.
func (n *node) parts(v value.Value) (value.Value, *mismatch) {
	switch v.Kind() {
	case value.KindRecord:
		if n.text("format") == "variant" {
			return n.variant(v)
		}
		return n.fields(v)
	case value.KindVariant:
		if n.text("format") == "variant" {
			return n.made(v)
		}
	case value.KindList, value.KindTuple:
		return n.elements(v)
	case value.KindString:
		if f := n.text("format"); f == "workflow" || f == "entity" {
			return n.handle(v, f == "entity")
		}
	}
	return v, nil
}

// handle makes a handle of an instance's id in the store.
func (n *node) handle(v value.Value, entity bool) (value.Value, *mismatch) {
	id, _ := v.AsString()
	name := n.text("title")
	if entity {
		prefix := name + "/"
		if len(id) <= len(prefix) || id[:len(prefix)] != prefix {
			return v, no(n.at, "expected the id of a %s (%s…), found %s", name, prefix, v.Short(40))
		}
		id = id[len(prefix):]
	}
	if id == "" {
		return v, no(n.at, "expected the id of a %s, found an empty text", name)
	}
	return value.NewHandle(value.Handle{Type: name, ID: id, Entity: entity}), nil
}

// fields holds a record against properties, required and additionalProperties.
func (n *node) fields(v value.Value) (value.Value, *mismatch) {
	r, _ := v.AsRecord()
	props, err := n.record("properties")
	if err != nil {
		return v, err
	}
	if bad := n.required(r); bad != nil {
		return v, bad
	}
	keys := append([]string(nil), r.Keys()...)
	vals := make([]value.Value, r.Len(), r.Len()+props.Len())
	rest, hasRest := n.r.Get("additionalProperties")
	for i := range keys {
		_, x := r.At(i)
		at := &place{n.at, keys[i], -1}
		s, declared := props.Get(keys[i])
		switch {
		case declared:
		case hasRest:
			if allowed, isBool := rest.AsBool(); isBool && !allowed {
				return v, no(at, "there is no such field%s", n.instead(props))
			}
			s = rest
		default:
			vals[i] = x
			continue
		}
		var bad *mismatch
		if vals[i], bad = n.fitter.fit(x, s, at, n.depth+1); bad != nil {
			return v, bad
		}
	}
	for i := range props.Len() {
		k, s := props.At(i)
		if _, has := r.Get(k); !has && n.mayBeNull(s, 0) {
			keys, vals = append(keys, k), append(vals, value.Nil)
		}
	}
	return value.NewRecord(keys, vals), nil
}

// record is a word of the schema that is a record; an empty one if it is not
// there.
func (n *node) record(word string) (*value.Record, *mismatch) {
	v, has := n.r.Get(word)
	if !has {
		v = value.NewRecord(nil, nil)
	}
	r, isRecord := v.AsRecord()
	if !isRecord {
		return nil, n.spoil("%s is a record of schemas", word)
	}
	return r, nil
}

// elements holds a list against prefixItems and items.
func (n *node) elements(v value.Value) (value.Value, *mismatch) {
	xs, isList := v.AsList()
	if !isList {
		xs, _ = v.AsTuple()
	}
	prefix, bad := n.list("prefixItems")
	if bad != nil {
		return v, bad
	}
	rest, hasRest := n.r.Get("items")
	out := make([]value.Value, len(xs))
	for i, x := range xs {
		s := rest
		switch {
		case i < len(prefix):
			s = prefix[i]
		case !hasRest:
			out[i] = x
			continue
		}
		if out[i], bad = n.fitter.fit(x, s, &place{n.at, "", i}, n.depth+1); bad != nil {
			return v, bad
		}
	}
	if !isList || n.text("format") == "tuple" && len(out) > 1 {
		return value.Tuple(out...), nil
	}
	return value.List(out...), nil
}

// tagged finds the alternative that is the variant which an object says it is.
func (n *node) tagged(v value.Value, ways []value.Value) (bool, value.Value) {
	name := ""
	if r, isRecord := v.AsRecord(); isRecord {
		tag, _ := r.Get("type")
		name, _ = tag.AsString()
	} else if x, isVariant := v.AsVariant(); isVariant {
		name = x.Name
	}
	if name == "" {
		return false, value.Nil
	}
	for _, s := range ways {
		if r, isRecord := s.AsRecord(); isRecord && variantName(r) == name {
			return true, s
		}
	}
	return false, value.Nil
}

// noVariant is what is wrong with a value where only variants may stand and
// none of the alternatives has its name.
func (n *node) noVariant(v value.Value, ways []value.Value) *mismatch {
	var names []value.Value
	for _, s := range ways {
		r, isRecord := s.AsRecord()
		if !isRecord || variantName(r) == "" {
			return nil
		}
		names = append(names, value.String(variantName(r)))
	}
	at, is := n.at, v
	if r, isRecord := v.AsRecord(); isRecord {
		tag, has := r.Get("type")
		if !has {
			return no(n.at, "the field type is missing: it says which variant this is")
		}
		at, is = &place{n.at, "type", -1}, tag
	} else if v.Kind() != value.KindVariant {
		return no(n.at, "expected %s, found %s", n.alternatives(ways), found(v))
	}
	return no(at, "expected one of %s, found %s", strings.Trim(value.List(names...).Short(120), "[]"), is.Short(60))
}

// variantName is the name of the variant that a schema describes, "" if it
// describes none.
func variantName(r *value.Record) string {
	if f, _ := r.Get("format"); !value.Equal(f, value.String("variant")) {
		return ""
	}
	props, _ := r.Get("properties")
	p, isRecord := props.AsRecord()
	if !isRecord {
		return ""
	}
	tag, _ := p.Get("type")
	t, isRecord := tag.AsRecord()
	if !isRecord {
		return ""
	}
	c, _ := t.Get("const")
	name, _ := c.AsString()
	return name
}

// variant makes a variant of the object that JSON has for it.
func (n *node) variant(v value.Value) (value.Value, *mismatch) {
	fitted, bad := n.fields(v)
	if bad != nil {
		return v, bad
	}
	r, _ := fitted.AsRecord()
	props, _ := n.record("properties")
	out := &value.Variant{Name: variantName(n.r)}
	if listed, has := props.Get("values"); has && props.Len() == 2 && isTuple(listed) {
		x, _ := r.Get("values")
		if out.Fields, has = x.AsTuple(); !has {
			out.Fields, _ = x.AsList() // of one element
		}
		out.Names = make([]string, len(out.Fields))
		return value.NewVariant(out), nil
	}
	for _, k := range props.Keys() {
		if k == "type" {
			continue
		}
		x, _ := r.Get(k)
		out.Names, out.Fields = append(out.Names, k), append(out.Fields, x)
	}
	return value.NewVariant(out), nil
}

// made holds a variant that is one already against its own schema.
func (n *node) made(v value.Value) (value.Value, *mismatch) {
	x, _ := v.AsVariant()
	name := variantName(n.r)
	if x.Name != name {
		return v, no(n.at, "expected %s, found %s", name, v.Short(40))
	}
	keys, vals := []string{"type"}, []value.Value{value.String(name)}
	if value.NamedInJSON(x.Names) {
		keys, vals = append(keys, x.Names...), append(vals, x.Fields...)
	} else {
		keys, vals = append(keys, "values"), append(vals, value.List(x.Fields...))
	}
	return n.variant(value.NewRecord(keys, vals))
}

func isTuple(s value.Value) bool {
	r, isRecord := s.AsRecord()
	if !isRecord {
		return false
	}
	f, _ := r.Get("format")
	return value.Equal(f, value.String("tuple"))
}
