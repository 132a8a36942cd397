package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// forLoop types `for`: its names are of the elements' type.
func (f *frame) forLoop(e *program.For) *types.Type {
	in := f.strict(e.In, f.expr(e.In, nil), "`for`")
	f.iterable(e.In, in, "`for`")
	f.loop(e.Body, func() {
		f.bindSure(e.Pattern, elementOf(in))
		f.expr(e.Body, nil)
	}, nil)
	return after(in)
}

func (f *frame) whileLoop(e *program.While) *types.Type {
	t := types.Unit()
	if alwaysTrue(e.Cond) && !leavesLoop(e.Body) {
		t = types.Never()
	}
	f.loop(e, func() {
		f.condition(e.Cond, "`while`")
		f.assume(e.Cond, true)
		f.expr(e.Body, nil)
	}, func() {
		if !leavesLoop(e.Body) {
			f.assume(e.Cond, false)
		}
	})
	return t
}

// deepestLoop is up to which nesting loops are tried out before they are typed,
// mostTries how often.
const (
	deepestLoop = 2
	mostTries   = 3
)

// loop types the body of a loop. What it assigns may have happened before each
// round, so it is tried out first to see what that is.
func (f *frame) loop(e program.Expr, round, done func()) {
	roots := f.spoilIn(e)
	f.nest++
	defer func() { f.nest-- }()
	if !f.tryOut(roots, round) {
		for _, at := range roots {
			switch {
			case at >= f.fn.Slots:
				f.put(at, nil)
			case f.pins[at].t != nil:
				f.put(at, f.pins[at].t)
			default:
				f.put(at, types.Any())
			}
		}
	}
	mark := len(f.set)
	f.way(func() *types.Type { round(); return types.Unit() })
	f.after(mark)
	if done != nil {
		done()
	}
}

// tryOut runs a round of a loop without a word until what is known of the roots
// that it assigns stays the same; false if that does not happen soon.
func (f *frame) tryOut(roots []int, round func()) bool {
	if len(roots) == 0 {
		return true
	}
	if f.loops >= deepestLoop || f.nest > 2*deepestLoop {
		return false
	}
	f.t.quiet++
	f.loops++
	defer func() { f.t.quiet--; f.loops-- }()
	for range mostTries {
		mark := len(f.set)
		f.way(func() *types.Type { round(); return types.Unit() })
		if !f.after(mark) {
			return true
		}
	}
	return false
}

// spoilIn forgets what a part of a body may change of places, but for what is
// known of the roots that it assigns, which it gives by number. At a call that
// may assign self what is known of all fields is forgotten.
func (f *frame) spoilIn(e program.Expr) []int {
	var roots []int
	assigns := func(root place, path []program.PathPart, written bool) {
		f.spoil(root, path, written)
		if at := f.id(root, false); at >= 0 && f.vals[at] != nil && !has(roots, at) {
			roots = append(roots, at)
		}
	}
	anyExpr(e, func(x program.Expr) bool {
		switch x := x.(type) {
		case *program.AssignLocal:
			if x.Slot < f.fn.Slots {
				assigns(place{root: x.Slot}, x.Path, f.pins[x.Slot].t != nil)
			}
		case *program.AssignField:
			_, written := f.t.fieldType(f.actor, x.Slot)
			assigns(place{root: ^x.Slot}, x.Path, written)
		case *program.AssignSelf:
			f.forgetSelf()
		case *program.CallFn:
			if i := f.t.c.byFunc[x.Fn]; i != nil && i.all&writesSelf != 0 || f.t.c.borrowers[x.Fn] {
				f.forgetSelf()
			}
		case *program.CallValue:
			f.calledUnknown(x)
		}
		return false
	})
	return roots
}
