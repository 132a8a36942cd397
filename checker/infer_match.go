package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// match types a match: each arm gets what those before it have left.
func (f *frame) match(e *program.Match, w *wanted, want *types.Type) *types.Type {
	x := f.expr(e.X, nil)
	rest := &remainder{f: f, left: x}
	var facts []change // what the guards have shown that did not hold
	var ways []outcome
	for _, arm := range e.Arms {
		taken := types.Never()
		ways = append(ways, f.way(func() *types.Type {
			f.putAll(facts)
			for _, p := range arm.Patterns {
				f.bind(p, rest.of(p))
				taken = types.Join(taken, takenBy(p, rest.left))
			}
			f.shown(e.X, x, taken)
			if arm.Guard != nil {
				f.condition(arm.Guard, "a guard")
				f.assume(arm.Guard, true)
			}
			return f.either(arm.Body, w, want)
		}))
		switch {
		case arm.Guard == nil:
			for _, p := range arm.Patterns {
				rest.without(p)
			}
		case len(arm.Patterns) == 1 && leftBy(arm.Patterns[0], rest.left).Is(types.NeverKind):
			facts = f.refused(arm, rest, facts)
		}
	}
	f.t.cover(f, e, x)
	f.idleArms(e)
	t := f.meet(ways...)
	if x.Is(types.NeverKind) || len(ways) == 0 {
		return x
	}
	return t
}

// mostFacts is how many facts guards hand on to the arms behind them.
const mostFacts = 16

// refused is what the arms behind an arm know because its guard did not hold;
// its pattern takes everything.
func (f *frame) refused(arm program.Arm, rest *remainder, facts []change) []change {
	b, named := arm.Patterns[0].(*program.Bind)
	out := f.way(func() *types.Type {
		f.putAll(facts)
		f.bind(arm.Patterns[0], rest.left)
		f.assume(arm.Guard, false)
		if named && b.Slot < len(f.vals) && f.vals[b.Slot] != rest.left && f.vals[b.Slot].Known() {
			rest.left = f.vals[b.Slot]
		}
		return types.Unit()
	})
	eachName(arm.Patterns[0], func(slot int) { out.drop(slot) })
	for i, at := range out.at {
		if out.vals[i] != nil && len(facts) < mostFacts {
			facts = append(facts, change{at, out.vals[i]})
		}
	}
	return facts
}
