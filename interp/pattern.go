package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// bind tests v against a pattern and fills its slots. Slots of a pattern that
// does not fit may have been filled: nobody reads them. A used-up limit counts
// as no fit; the caller looks at m.limit.
func (m *machine) bind(p program.Pattern, v value.Value, fr []value.Value) bool {
	switch n := p.(type) {
	case program.Any, *program.Any:
		return true
	case *program.Bind:
		fr[n.Slot] = v
		return true
	case *program.Lit:
		return value.Equal(v, n.Value)
	case *program.VariantOf:
		x, isVariant := v.AsVariant()
		return isVariant && x.Name == n.Name && (n.Bare || m.bindVariant(n, x, fr))
	case *program.TupleOf:
		vs, isTuple := v.AsTuple()
		return isTuple && len(vs) == len(n.Elems) && m.bindAll(n.Elems, vs, fr)
	case *program.ListOf:
		vs, isList := v.AsList()
		return isList && m.bindList(n, vs, fr)
	case *program.RecordOf:
		r, isRecord := v.AsRecord()
		return isRecord && m.bindRecord(n, r, fr)
	case *program.OneOf:
		for _, alt := range n.Alts {
			if m.bind(alt, v, fr) {
				return true
			}
		}
	}
	return false
}

func (m *machine) bindAll(ps []program.Pattern, vs []value.Value, fr []value.Value) bool {
	for i, p := range ps {
		if !m.bind(p, vs[i], fr) {
			return false
		}
	}
	return true
}

// bindVariant fits fields by position, named ones by name. Without a rest the
// pattern speaks of all fields.
func (m *machine) bindVariant(n *program.VariantOf, x *value.Variant, fr []value.Value) bool {
	if len(n.Fields) > len(x.Fields) || len(n.Fields) < len(x.Fields) && !n.Rest {
		return false
	}
	for i, p := range n.Fields {
		v := x.Fields[i]
		if i < len(n.Names) && n.Names[i] != "" {
			var found bool
			if v, found = x.Field(n.Names[i]); !found {
				return false
			}
		}
		if !m.bind(p, v, fr) {
			return false
		}
	}
	return true
}

func (m *machine) bindList(n *program.ListOf, vs []value.Value, fr []value.Value) bool {
	least := len(n.Before) + len(n.After)
	if len(vs) < least || len(vs) > least && !n.HasRest {
		return false
	}
	end := len(vs) - len(n.After)
	if !m.bindAll(n.Before, vs, fr) || !m.bindAll(n.After, vs[end:], fr) {
		return false
	}
	if n.Rest == nil {
		return true
	}
	rest := vs[len(n.Before):end:end]
	m.left -= len(rest) * 24 / bytesPerFuel
	return m.bind(n.Rest, value.List(rest...), fr)
}

func (m *machine) bindRecord(n *program.RecordOf, r *value.Record, fr []value.Value) bool {
	for i, k := range n.Keys {
		v, found := r.Get(k)
		if !found && (i >= len(n.Lenient) || !n.Lenient[i]) || !m.bind(n.Patterns[i], v, fr) {
			return false
		}
	}
	if n.Rest == nil {
		return true
	}
	var keys []string
	var vals []value.Value
	for i := range r.Len() {
		k, v := r.At(i)
		if !named(n.Keys, k) {
			keys, vals = append(keys, k), append(vals, v)
		}
	}
	if !m.alloc(100+40*len(keys), source.Span{}) {
		return false
	}
	return m.bind(n.Rest, value.NewRecord(keys, vals), fr)
}

func named(keys []string, k string) bool {
	for _, have := range keys {
		if have == k {
			return true
		}
	}
	return false
}

// noMatch is the fault of a value that fits no pattern, unless a limit was what
// stopped the search.
func (m *machine) noMatch(at source.Span, v value.Value) (value.Value, status) {
	if m.limit != nil {
		return value.Nil, m.stop()
	}
	return m.fault(at, CodeNoMatch, "no pattern fits %s", v.Short(80))
}
