package checker

import (
	"slices"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// idleArms warns of arms for which nothing is left: each of their patterns takes
// only what one before it, without a guard, has taken.
func (f *frame) idleArms(m *program.Match) {
	if !f.t.sound { // a pattern that could not be made out takes everything
		return
	}
	if !strings.HasPrefix(f.t.c.set.Text(m.Span()), "match") { // nobody wrote it
		return
	}
	var before []program.Pattern
	for _, a := range m.Arms {
		idle := len(a.Patterns) > 0
		for _, p := range flattened(a.Patterns) {
			idle = idle && slices.ContainsFunc(before, func(b program.Pattern) bool { return covers(b, p) })
		}
		switch {
		case idle:
			f.say(func() { f.t.c.sayIdleArm(a) })
		case a.Guard == nil:
			before = append(before, flattened(a.Patterns)...)
		}
		if len(before) > mostArms {
			return
		}
	}
}

// flattened are patterns with those of alternatives in their place.
func flattened(ps []program.Pattern) []program.Pattern {
	var out []program.Pattern
	for _, p := range ps {
		out = append(out, alternatives(p)...)
	}
	return out
}

// mostArms bounds with how many patterns a pattern is compared.
const mostArms = 200

// covers reports whether a takes every value that b takes. It errs towards no.
func covers(a, b program.Pattern) bool {
	if isWild(a) {
		return true
	}
	if or, ok := b.(*program.OneOf); ok {
		return !slices.ContainsFunc(or.Alts, func(x program.Pattern) bool { return !covers(a, x) })
	}
	switch a := a.(type) {
	case *program.OneOf:
		return slices.ContainsFunc(a.Alts, func(x program.Pattern) bool { return covers(x, b) })
	case *program.Lit:
		b, ok := b.(*program.Lit)
		return ok && a.Value.Kind() == b.Value.Kind() && value.Equal(a.Value, b.Value)
	case *program.VariantOf:
		b, ok := b.(*program.VariantOf)
		return ok && a.Name == b.Name && (a.Bare || fieldsCover(a, b))
	case *program.TupleOf:
		b, ok := b.(*program.TupleOf)
		return ok && allCover(a.Elems, b.Elems)
	case *program.ListOf:
		b, ok := b.(*program.ListOf)
		if ok && a.HasRest {
			return len(a.Before)+len(a.After) == 0 && (a.Rest == nil || isWild(a.Rest))
		}
		return ok && !b.HasRest && allCover(a.Before, b.Before)
	case *program.RecordOf:
		b, ok := b.(*program.RecordOf)
		return ok && recordCovers(a, b)
	}
	return false
}

func isWild(p program.Pattern) bool {
	switch p.(type) {
	case program.Any, *program.Any, *program.Bind:
		return true
	}
	return false
}

func allCover(as, bs []program.Pattern) bool {
	if len(as) != len(bs) {
		return false
	}
	for k := range as {
		if !covers(as[k], bs[k]) {
			return false
		}
	}
	return true
}

func fieldsCover(a, b *program.VariantOf) bool {
	if !slices.ContainsFunc(a.Fields, func(p program.Pattern) bool { return !isWild(p) }) {
		return true
	}
	named := func(s string) bool { return s != "" }
	return !b.Bare && !a.Rest && !b.Rest && !slices.ContainsFunc(a.Names, named) && !slices.ContainsFunc(b.Names, named) &&
		allCover(a.Fields, b.Fields)
}

func recordCovers(a, b *program.RecordOf) bool {
	for k, key := range a.Keys {
		at := slices.Index(b.Keys, key)
		if at < 0 || !covers(a.Patterns[k], b.Patterns[at]) {
			return false
		}
	}
	return true
}
