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
		f.bind(e.Pattern, elementOf(in))
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

// deepestLoop is up to which nesting loops are tried out before they are typed.
const deepestLoop = 2

// loop types the body of a loop. What it assigns may have happened before each
// round, so it is tried out first to see what that is.
func (f *frame) loop(e program.Expr, round, done func()) {
	names := f.assignedIn(e)
	f.nest++
	defer func() { f.nest-- }()
	if len(names) > 0 && f.loops < deepestLoop && f.nest <= 2*deepestLoop {
		mark := len(f.set)
		f.t.quiet++
		f.loops++
		f.way(func() *types.Type { round(); return types.Unit() })
		f.loops--
		f.t.quiet--
		f.widen(names, f.set[mark:])
	} else {
		f.widen(names, nil)
	}
	mark := len(f.set)
	f.way(func() *types.Type { round(); return types.Unit() })
	f.after(mark)
	if done != nil {
		done()
	}
}

// assignedIn are the places that a loop assigns; a call that may assign self
// stands for all fields.
func (f *frame) assignedIn(e program.Expr) []place {
	var out []place
	anyExpr(e, func(x program.Expr) bool {
		switch x := x.(type) {
		case *program.AssignLocal:
			out = append(out, place{root: x.Slot})
		case *program.AssignField:
			out = append(out, place{root: ^x.Slot})
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
	return out
}

// widen makes ready for a loop that assigns places: what a trial has shown
// about names is joined, of fields only their types stay known.
func (f *frame) widen(names []place, tried []change) {
	for _, p := range names {
		f.forget(func(x place) bool { return x.root == p.root })
		if p.root < 0 || p.root >= f.fn.Slots || f.vals[p.root] == nil {
			continue
		}
		if w := f.pins[p.root].t; w != nil {
			f.put(p.root, w)
			continue
		}
		t := f.vals[p.root]
		if tried == nil {
			t = types.Any()
		}
		for _, x := range tried {
			if x.at == p.root {
				t = types.Join(t, x.old)
			}
		}
		f.put(p.root, t)
	}
}
