package checker

import (
	"slices"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// cover checks that a match has an arm for each case that is known to exist:
// the variants of a declared type, true and false, nil. Of numbers, texts and
// lists there is no end, so arms for some of them demand nothing.
func (t *typing) cover(f *frame, m *program.Match, x *types.Type) {
	var rows [][]program.Pattern
	for _, a := range m.Arms {
		if a.Guard != nil {
			continue
		}
		for _, p := range a.Patterns {
			rows = append(rows, []program.Pattern{p})
		}
	}
	s := &cases{t: t, left: mostCases}
	if !x.Known() {
		x = s.ofArms(m.Arms)
	}
	if len(rows) == 0 && !x.Is(types.SumKind) && !x.Is(types.BoolKind) {
		return
	}
	if s.leftOut(rows, x) {
		f.say(func() { t.c.sayNotExhaustive(m, s.variant, s.names) })
	}
}

// leftOut reports whether rows of one pattern leave out a case of a type; names
// are those then.
func (s *cases) leftOut(rows [][]program.Pattern, x *types.Type) bool {
	missing, ok := s.missing(rows, []*types.Type{x}, false)
	if !ok || s.left <= 0 {
		return false
	}
	if len(s.names) == 0 {
		s.names = missing[:1]
	}
	return true
}

// ofArms is the type that the arms speak of, guarded ones too, if all that name
// a variant name one of the same type.
func (s *cases) ofArms(arms []program.Arm) *types.Type {
	var rows [][]program.Pattern
	for _, a := range arms {
		for _, p := range a.Patterns {
			rows = append(rows, []program.Pattern{p})
		}
	}
	return s.column(s.flat(rows), types.Any())
}

// mostCases bounds the search for a case that is left out, in patterns looked
// at.
const mostCases = 20_000

// cases is the search for a value that no row of patterns takes.
type cases struct {
	t       *typing
	left    int
	variant *variant // the first variant found to be left out
	names   []string // all that are left out, if the value itself is a variant
}

// missing finds a value for which no row has patterns that all take it, as
// text by column. A value below a variant (within) must be one that is known to
// exist.
func (s *cases) missing(rows [][]program.Pattern, cols []*types.Type, within bool) ([]string, bool) {
	if s.left -= 1 + len(rows)*len(cols); s.left <= 0 {
		return nil, false
	}
	if len(cols) == 0 {
		return nil, len(rows) == 0
	}
	rows = s.flat(rows)
	col := s.column(rows, cols[0])
	rest, all := s.defaults(rows, col)
	if all && (within || len(rows) > 0) {
		out, ok := s.missing(rest, cols[1:], within) // no row asks what it is
		return put("_", out), ok
	}
	switch {
	case col.Is(types.OptionalKind):
		return s.optional(rows, cols, col, within)
	case col.Is(types.SumKind):
		return s.sum(rows, cols, col, within)
	case col.Is(types.BoolKind):
		return s.bools(rows, cols)
	case col.Is(types.TupleKind):
		return s.tuple(rows, cols, col, within)
	case within && listed(rows):
		return s.lists(rows, cols, elementOf(col))
	}
	if !all && len(rest) == 0 && !within {
		return nil, false // arms for some of endlessly many values
	}
	out, ok := s.missing(rest, cols[1:], within)
	return put("_", out), ok
}

// flat puts alternatives into rows of their own.
func (s *cases) flat(rows [][]program.Pattern) [][]program.Pattern {
	var out [][]program.Pattern
	for _, r := range rows {
		if or, ok := r[0].(*program.OneOf); ok {
			for _, a := range or.Alts {
				out = append(out, s.flat([][]program.Pattern{join(a, r[1:])})...)
			}
			continue
		}
		out = append(out, r)
	}
	return out
}

func join(p program.Pattern, rest []program.Pattern) []program.Pattern {
	return append([]program.Pattern{p}, rest...)
}

func put(s string, rest []string) []string { return append([]string{s}, rest...) }

// column is the type of a column; patterns tell it where it is not known.
func (s *cases) column(rows [][]program.Pattern, t *types.Type) *types.Type {
	if t.Known() {
		return t
	}
	for _, r := range rows {
		if v, ok := r[0].(*program.VariantOf); ok {
			if d := s.t.c.names.variants[v.Name]; d != nil && s.oneType(rows, d.typ) {
				return s.t.named(d.typ)
			}
		}
	}
	return types.Any()
}

// oneType reports whether all variants in a column are of one type.
func (s *cases) oneType(rows [][]program.Pattern, typ string) bool {
	for _, r := range rows {
		switch p := r[0].(type) {
		case *program.VariantOf:
			if d := s.t.c.names.variants[p.Name]; d == nil || d.typ != typ {
				return false
			}
		case *program.Lit, *program.TupleOf, *program.ListOf, *program.RecordOf:
			return false
		}
	}
	return true
}

// defaults are the rows that take anything in the first column, without it;
// the second result says that there are no others.
func (s *cases) defaults(rows [][]program.Pattern, col *types.Type) ([][]program.Pattern, bool) {
	var out [][]program.Pattern
	for _, r := range rows {
		if takesAll(r[0]) && (!col.Is(types.OptionalKind) || takesNil(r[0])) {
			out = append(out, r[1:])
		}
	}
	return out, len(out) == len(rows)
}

// takesAll reports whether a pattern takes everything that is of its kind: a
// record, or a list, if it is one for these.
func takesAll(p program.Pattern) bool {
	switch p := p.(type) {
	case program.Any, *program.Any, *program.Bind:
		return true
	case *program.ListOf:
		return len(p.Before) == 0 && len(p.After) == 0 && p.HasRest
	case *program.RecordOf: // that the fields are there is for the types to say
		for _, x := range p.Patterns {
			if !takesAll(x) {
				return false
			}
		}
		return true
	case *program.OneOf:
		for _, x := range p.Alts {
			if takesAll(x) {
				return true
			}
		}
	}
	return false
}

// takesNil reports whether a pattern takes nil.
func takesNil(p program.Pattern) bool {
	switch p := p.(type) {
	case program.Any, *program.Any, *program.Bind:
		return true
	case *program.Lit:
		return p.Value.IsNil()
	case *program.OneOf:
		return slices.ContainsFunc(p.Alts, takesNil)
	}
	return false
}

// optional is a column with nil.
func (s *cases) optional(rows [][]program.Pattern, cols []*types.Type, col *types.Type, within bool) ([]string, bool) {
	var none, some [][]program.Pattern
	for _, r := range rows {
		if takesNil(r[0]) {
			none = append(none, r[1:])
		}
		if _, isLit := r[0].(*program.Lit); !isLit || !takesNil(r[0]) {
			some = append(some, r)
		}
	}
	inner := append([]*types.Type{col.Elem[0]}, cols[1:]...)
	if out, ok := s.missing(some, inner, within); ok {
		return out, true
	}
	if col.Soft {
		return nil, false
	}
	out, ok := s.missing(none, cols[1:], within)
	if ok && len(some) > 0 && !s.exhausts(some, inner) {
		return nil, false // some of endlessly many values: nothing is demanded
	}
	return put("nil", out), ok
}

// exhausts reports whether rows take everything, as far as that can be said.
func (s *cases) exhausts(rows [][]program.Pattern, cols []*types.Type) bool {
	_, ok := s.missing(rows, cols, true)
	return !ok
}

// sum is a column of variants.
func (s *cases) sum(rows [][]program.Pattern, cols []*types.Type, col *types.Type, within bool) ([]string, bool) {
	var first []string
	for _, v := range col.Variants {
		var sub [][]program.Pattern
		for _, r := range rows {
			switch p := r[0].(type) {
			case *program.VariantOf:
				if p.Name == v.Name {
					sub = append(sub, append(fill(p, len(v.Fields)), r[1:]...))
				}
			default:
				if takesAll(p) {
					sub = append(sub, append(anything(len(v.Fields)), r[1:]...))
				}
			}
		}
		inner := append(append([]*types.Type{}, v.Fields...), cols[1:]...)
		if out, ok := s.missing(sub, inner, true); ok {
			if s.variant == nil {
				s.variant = s.t.c.names.variants[v.Name]
			}
			out = put(made(v.Name, out[:len(v.Fields)]), out[len(v.Fields):])
			if within || len(cols) > 1 {
				return out, true
			}
			s.names = append(s.names, out[0])
			if first == nil {
				first = out
			}
		}
	}
	return first, first != nil
}

// made is a variant with its fields as text; fields that may be anything are
// not spelled out.
func made(name string, fields []string) string {
	for _, f := range fields {
		if f != "_" {
			return name + "(" + strings.Join(fields, ", ") + ")"
		}
	}
	return name
}

func fill(p *program.VariantOf, n int) []program.Pattern {
	if p.Bare || len(p.Fields) != n {
		return anything(n)
	}
	return append([]program.Pattern{}, p.Fields...)
}

func anything(n int) []program.Pattern {
	out := make([]program.Pattern, n)
	for i := range out {
		out[i] = program.Any{}
	}
	return out
}

func (s *cases) bools(rows [][]program.Pattern, cols []*types.Type) ([]string, bool) {
	for _, b := range []bool{true, false} {
		var sub [][]program.Pattern
		for _, r := range rows {
			if lit, ok := r[0].(*program.Lit); ok {
				if v, isBool := lit.Value.AsBool(); isBool && v == b {
					sub = append(sub, r[1:])
				}
			} else if takesAll(r[0]) {
				sub = append(sub, r[1:])
			}
		}
		if out, ok := s.missing(sub, cols[1:], true); ok {
			if b {
				return put("true", out), true
			}
			return put("false", out), true
		}
	}
	return nil, false
}

func (s *cases) tuple(rows [][]program.Pattern, cols []*types.Type, col *types.Type, within bool) ([]string, bool) {
	n := len(col.Elem)
	var sub [][]program.Pattern
	for _, r := range rows {
		switch p := r[0].(type) {
		case *program.TupleOf:
			if len(p.Elems) == n {
				sub = append(sub, append(append([]program.Pattern{}, p.Elems...), r[1:]...))
			}
		default:
			if takesAll(p) {
				sub = append(sub, append(anything(n), r[1:]...))
			}
		}
	}
	inner := append(append([]*types.Type{}, col.Elem...), cols[1:]...)
	out, ok := s.missing(sub, inner, within)
	if !ok {
		return nil, false
	}
	return put("("+strings.Join(out[:n], ", ")+")", out[n:]), true
}
