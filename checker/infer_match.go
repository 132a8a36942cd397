package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// match types a match: behind an arm that takes nil, or the nil of a variant's
// field, there is none left for the arms that follow.
func (f *frame) match(e *program.Match, w *wanted, want *types.Type) *types.Type {
	x := f.expr(e.X, nil)
	place, isPlace := f.placeOf(e.X)
	left := x // what no arm has taken yet
	without := map[string][]bool{}
	var ways []outcome
	for _, arm := range e.Arms {
		ways = append(ways, f.way(func() *types.Type {
			for _, p := range arm.Patterns {
				f.without = without
				f.bind(p, left)
				f.without = nil
				if isPlace && left.Is(types.OptionalKind) && !mayBeNil(p) {
					f.know(place, left.Elem[0])
				} else if isPlace && left != x {
					f.know(place, left)
				}
			}
			if arm.Guard != nil {
				f.condition(arm.Guard, "a guard")
				f.assume(arm.Guard, true)
			}
			return f.either(arm.Body, w, want)
		}))
		if arm.Guard == nil {
			for _, p := range arm.Patterns {
				noteNil(without, p)
			}
		}
		if arm.Guard == nil && takesNil(arm.Patterns) {
			left = types.Present(left)
			if left.Is(types.NeverKind) {
				left = types.Any()
			}
		}
	}
	f.t.cover(f, e, x)
	t := f.meet(ways...)
	if x.Is(types.NeverKind) || len(ways) == 0 {
		return x
	}
	return t
}

// noteNil notes of a pattern such as `Ended(nil)` that behind its arm this
// field of the variant is not nil.
func noteNil(without map[string][]bool, p program.Pattern) {
	v, ok := p.(*program.VariantOf)
	if !ok || v.Bare {
		return
	}
	at := -1
	for i, x := range v.Fields {
		switch {
		case takesAll(x):
		case at < 0 && takesNil([]program.Pattern{x}):
			at = i
		default:
			return
		}
	}
	if at >= 0 {
		for len(without[v.Name]) < len(v.Fields) {
			without[v.Name] = append(without[v.Name], false)
		}
		without[v.Name][at] = true
	}
}

// takesNil reports whether one of the patterns certainly takes nil.
func takesNil(ps []program.Pattern) bool {
	for _, p := range ps {
		switch p := p.(type) {
		case *program.Lit:
			if p.Value.IsNil() {
				return true
			}
		case *program.OneOf:
			if takesNil(p.Alts) {
				return true
			}
		}
	}
	return false
}

// mayBeNil reports whether what a pattern takes may be nil.
func mayBeNil(p program.Pattern) bool {
	switch p := p.(type) {
	case program.Any, *program.Any, *program.Bind:
		return true
	case *program.Lit:
		return p.Value.IsNil()
	case *program.OneOf:
		for _, a := range p.Alts {
			if mayBeNil(a) {
				return true
			}
		}
	}
	return false
}
