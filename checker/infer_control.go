package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// statement types what is more than an expression of values.
func (f *frame) statement(e program.Expr, w *wanted, want *types.Type) *types.Type {
	switch e := e.(type) {
	case *program.Block:
		return f.block(e, w, want)
	case *program.Let:
		return f.let(e)
	case *program.AssignLocal:
		return f.assignLocal(e)
	case *program.AssignField:
		return f.assignField(e)
	case *program.AssignSelf:
		return f.assignSelf(e)
	case *program.If:
		return f.ifElse(e, w, want)
	case *program.Match:
		return f.match(e, w, want)
	case *program.For:
		return f.forLoop(e)
	case *program.While:
		return f.whileLoop(e)
	case *program.Break, *program.Continue:
		return types.Never()
	case *program.Try:
		return f.try(e, w, want)
	case *program.Return:
		return f.returned(e)
	case *program.Throw:
		f.expr(e.Value, nil)
		return types.Never()
	case *program.Select:
		return f.selectOf(e, w, want)
	}
	return f.world(e)
}

// either types a value that is the body's own, held against w if there is one.
func (f *frame) either(e program.Expr, w *wanted, want *types.Type) *types.Type {
	if w != nil {
		return f.check(e, w)
	}
	return f.expr(e, want)
}

func (f *frame) block(e *program.Block, w *wanted, want *types.Type) *types.Type {
	if len(e.Stmts) == 0 {
		return types.Unit()
	}
	left := false
	for _, s := range e.Stmts[:len(e.Stmts)-1] {
		left = f.expr(s, nil).Is(types.NeverKind) || left
	}
	t := f.either(e.Stmts[len(e.Stmts)-1], w, want)
	if left {
		return types.Never()
	}
	return t
}

func (f *frame) let(e *program.Let) *types.Type {
	written := f.t.c.letTypes[e]
	if written == nil {
		t := f.expr(e.Value, nil)
		f.bind(e.Pattern, t)
		return after(t)
	}
	want := f.t.written(written)
	name := "this"
	b, plain := e.Pattern.(*program.Bind)
	if plain {
		name = "`" + b.Name + "`"
	}
	t := f.check(e.Value, &wanted{t: want, what: name, span: written.Span()})
	f.bind(e.Pattern, held(want, t))
	if plain && b.Slot < len(f.pins) {
		f.pins[b.Slot] = pin{want, written.Span()}
	}
	return after(t)
}

// after is the type of a statement that has no value of its own.
func after(t *types.Type) *types.Type {
	if t.Is(types.NeverKind) {
		return t
	}
	return types.Unit()
}

// held is what is known of a place with a written type right after it got a
// value: what may be nil is not, if the value is not.
func held(written, got *types.Type) *types.Type {
	if !written.Is(types.OptionalKind) || !got.Known() {
		return written
	}
	if got.Is(types.OptionalKind) {
		return written
	}
	if got.Is(types.NilKind) {
		return got
	}
	return written.Elem[0]
}

func (f *frame) ifElse(e *program.If, w *wanted, want *types.Type) *types.Type {
	cond := f.condition(e.Cond, "`if`")
	then := f.way(func() *types.Type {
		f.assume(e.Cond, true)
		return f.either(e.Then, w, want)
	})
	other := f.way(func() *types.Type {
		f.assume(e.Cond, false)
		if e.Else != nil {
			return f.either(e.Else, w, want)
		}
		t := types.Of(types.NilKind)
		if w != nil && w.t.Known() && !types.Fits(t, w.t) && !then.t.Is(types.NeverKind) {
			f.say(func() { f.t.c.sayNoElse(e, w) })
		}
		return t
	})
	t := f.meet(then, other)
	if cond.Is(types.NeverKind) {
		return cond
	}
	return t
}

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
			if i := f.t.c.byFunc[x.Fn]; i != nil && i.all&writesSelf != 0 {
				f.forgetSelf()
			}
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

func (f *frame) try(e *program.Try, w *wanted, want *types.Type) *types.Type {
	mark := len(f.set)
	body := f.way(func() *types.Type { return f.either(e.Body, w, want) })
	caught := f.way(func() *types.Type {
		f.after(mark)
		if e.Slot >= 0 && e.Slot < len(f.vals) {
			f.put(e.Slot, failure())
		}
		return f.either(e.Catch, w, want)
	})
	return f.meet(body, caught)
}

func (f *frame) returned(e *program.Return) *types.Type {
	t := types.Unit()
	switch {
	case e.Value == nil:
		if f.result != nil && f.result.t.Known() && !types.Fits(t, f.result.t) {
			f.say(func() { f.t.c.sayMismatch(e, t, f.result) })
		}
	default:
		t = f.check(e.Value, f.result)
		if f.keeps() {
			f.data(e.Value, t, "the value of a step")
		}
	}
	f.returns = types.Join(f.returns, t)
	return types.Never()
}

// assignLocal types an assignment to a name or to a part of what it holds.
func (f *frame) assignLocal(e *program.AssignLocal) *types.Type {
	p := place{root: e.Slot}
	if e.Slot >= len(f.vals) {
		return after(f.expr(e.Value, nil))
	}
	old := f.vals[e.Slot]
	if old == nil {
		old = types.Any()
	}
	pinned := f.pins[e.Slot]
	if len(e.Path) == 0 && e.Op == program.Set {
		if pinned.t == nil {
			t := f.expr(e.Value, nil)
			f.assigned(p, t)
			return after(t)
		}
		t := f.check(e.Value, &wanted{t: pinned.t, what: "`" + e.Name + "`", span: pinned.span})
		f.assigned(p, held(pinned.t, t))
		return after(t)
	}
	if pinned.t != nil && len(e.Path) > 0 {
		old = types.Present(pinned.t)
	}
	t, done := f.assignPart(e, old, e.Path, e.Op, e.Value, &wanted{t: pinned.t, what: "`" + e.Name + "`", span: pinned.span})
	f.assigned(p, t)
	return done
}

func (f *frame) assignField(e *program.AssignField) *types.Type {
	typ, written := f.t.fieldType(f.actor, e.Slot)
	p := place{root: ^e.Slot}
	w := &wanted{what: fieldText(e.Name)}
	if f.actor != nil && e.Slot >= 0 {
		w.span = f.actor.prog.Fields[e.Slot].Span
	}
	if written {
		w.t = typ
	}
	if len(e.Path) == 0 && e.Op == program.Set {
		var t *types.Type
		if written {
			t = f.check(e.Value, w)
		} else {
			t = f.expr(e.Value, nil)
		}
		f.gets(e, e.Slot, t, written, p)
		f.data(e.Value, t, "the state")
		return after(t)
	}
	old := typ
	if e.Slot >= 0 {
		if t := f.fact(p); t != nil {
			old = t
		}
	}
	t, done := f.assignPart(e, old, e.Path, e.Op, e.Value, w)
	if len(e.Path) > 0 {
		f.data(e.Value, types.Any(), "the state")
	}
	f.gets(e, e.Slot, t, written, p)
	return done
}

// gets notes the value of a field.
func (f *frame) gets(e program.Expr, slot int, t *types.Type, written bool, p place) {
	if slot < 0 {
		return
	}
	typ, _ := f.t.fieldType(f.actor, slot)
	if !written {
		f.t.widenField(f.actor, slot, t)
		f.assigned(p, t)
		return
	}
	f.assigned(p, held(typ, t))
}

// assignPart types `x.a[i] = v`, `x += v` and the like, for an x of a type;
// it gives the type of x afterwards, and that of the statement.
func (f *frame) assignPart(e program.Expr, old *types.Type, path []program.PathPart, op program.AssignOp, v program.Expr, w *wanted) (*types.Type, *types.Type) {
	at, known := old, w.t != nil
	for _, p := range path {
		if p.Index != nil {
			i := f.expr(p.Index, nil)
			at = f.indexed(nil, types.Present(at), p.Index, i)
			continue
		}
		at = stepInto(types.Present(at), p.Name)
	}
	if op == program.Set {
		var t *types.Type
		if known && at.Known() {
			part := *w
			part.t, part.path = soften(at), pathText(path)
			t = f.check(v, &part)
		} else {
			t = f.expr(v, at)
		}
		return changed(old, path, t, known), after(t)
	}
	binop := program.Add
	if op == program.SetSub {
		binop = program.Sub
	}
	t := f.expr(v, nil)
	y := f.strict(v, t, "`"+symbols[binop]+"=`")
	if at.Is(types.OptionalKind) && !at.Soft {
		f.say(func() { f.t.c.sayMayBeNil(e, at, "`"+symbols[binop]+"=`") })
	}
	sum, ok := operate(binop, types.Present(at), y)
	if !ok {
		f.say(func() { f.t.c.sayAssignOp(e, v, binop, types.Present(at), y) })
	}
	if known && ok && at.Known() && !types.Fits(sum, at) {
		part := *w
		part.t, part.path = at, pathText(path)
		f.say(func() { f.t.c.sayMismatch(v, sum, &part) })
	}
	return changed(old, path, sum, known), after(t)
}

// soften takes the optional of an index away: what is assigned is not nil.
func soften(t *types.Type) *types.Type {
	if t.Is(types.OptionalKind) && t.Soft {
		return t.Elem[0]
	}
	return t
}

func pathText(path []program.PathPart) string {
	out := ""
	for _, p := range path {
		if p.Index != nil {
			out += "[…]"
		} else {
			out += "." + p.Name
		}
	}
	return out
}

// stepInto is the type of a field that an assignment may add.
func stepInto(t *types.Type, name string) *types.Type {
	if x, ok := t.Field(name); ok {
		return x
	}
	if t.Is(types.MapKind) {
		return t.Elem[0]
	}
	return types.Any()
}

// changed is the type of a value after a part of it was assigned.
func changed(old *types.Type, path []program.PathPart, t *types.Type, written bool) *types.Type {
	switch {
	case len(path) == 0:
		return t
	case written:
		return old
	}
	old = types.Present(old)
	p := path[0]
	switch {
	case p.Index == nil && old.Is(types.RecordKind):
		return unnamed(old).With(p.Name, changed(stepInto(old, p.Name), path[1:], t, false))
	case p.Index != nil && old.Is(types.ListKind):
		return types.List(types.Join(old.Elem[0], changed(old.Elem[0], path[1:], t, false)))
	case p.Index != nil && old.Is(types.RecordKind):
		return types.Any()
	case old.Is(types.MapKind):
		return types.Map(types.Join(old.Elem[0], changed(old.Elem[0], path[1:], t, false)))
	}
	return types.Any()
}

// unnamed is a record type without the name of its declaration.
func unnamed(t *types.Type) *types.Type { return types.Record(t.Keys, t.Elem, t.Open) }

// assignSelf types `self = { … }`.
func (f *frame) assignSelf(e *program.AssignSelf) *types.Type {
	r, ok := e.Value.(*program.RecordExpr)
	if !ok || f.actor == nil {
		t := f.expr(e.Value, nil)
		f.forgetSelf()
		return after(t)
	}
	for _, x := range r.Entries {
		slot, named := f.actor.fields[x.Key]
		if x.Spread != nil || x.Computed != nil || !named {
			f.seq([]program.Expr{x.Spread, x.Computed, x.Value}, nil)
			f.forgetSelf()
			continue
		}
		f.giveField(f.actor, slot, x.Value, true)
	}
	return types.Unit()
}

// giveField types a value that a field gets by name.
func (f *frame) giveField(a *actor, slot int, v program.Expr, own bool) {
	typ, written := f.t.fieldType(a, slot)
	var t *types.Type
	if written {
		t = f.check(v, &wanted{t: typ, what: fieldText(a.prog.Fields[slot].Name), span: a.prog.Fields[slot].Span})
	} else {
		t = f.expr(v, nil)
		f.t.widenField(a, slot, t)
	}
	f.data(v, t, "the state")
	if own {
		f.assigned(place{root: ^slot}, types.Join(t, types.Never()))
	}
}
