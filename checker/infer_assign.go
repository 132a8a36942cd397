package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

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
		old = ready(old, pinned.t, e.Path)
	}
	return f.assignPart(assignment{e, p, e.Path, e.Op, e.Value}, old, &wanted{t: pinned.t, what: "`" + e.Name + "`", span: pinned.span},
		func(t, part *types.Type) { f.assignedAt(p, e.Path, t, part) })
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
		f.gets(e, t, nil, written)
		f.data(e.Value, t, "the state")
		return after(t)
	}
	old := typ
	if e.Slot >= 0 {
		if t := f.fact(p); t != nil && written && len(e.Path) > 0 {
			old = ready(t, typ, e.Path)
		} else if t != nil {
			old = t
		}
	}
	return f.assignPart(assignment{e, p, e.Path, e.Op, e.Value}, old, w, func(t, part *types.Type) {
		if len(e.Path) > 0 {
			f.data(e.Value, types.Any(), "the state")
		}
		f.gets(e, t, part, written)
	})
}

// gets notes the value of a field, and of the part of it that was assigned.
func (f *frame) gets(e *program.AssignField, t, part *types.Type, written bool) {
	if len(e.Path) == 0 {
		f.noteNil(e.Name, t)
	}
	if e.Slot < 0 {
		return
	}
	typ, _ := f.t.fieldType(f.actor, e.Slot)
	if written {
		t = held(typ, t)
	} else {
		f.t.widenField(f.actor, e.Slot, t)
	}
	f.assignedAt(place{root: ^e.Slot}, e.Path, t, part)
}

// assignment is `x.a[i] = v`, `x += v` and the like; root is the place of x.
type assignment struct {
	e     program.Expr
	root  place
	path  []program.PathPart
	op    program.AssignOp
	value program.Expr
}

// assignPart types an assignment to an x of a type. Done is told the type of x
// afterwards, and that of the part if what is written about x says it. It gives
// the type of the statement.
func (f *frame) assignPart(a assignment, old *types.Type, w *wanted, done func(t, part *types.Type)) *types.Type {
	e, path, op, v := a.e, a.path, a.op, a.value
	at, known := old, w.t != nil
	for _, p := range path {
		if p.Index != nil {
			i := f.expr(p.Index, nil)
			at = f.indexed(p.Span, types.Present(at), p.Index, i)
			continue
		}
		at = f.stepInto(p, types.Present(at))
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
		done(changed(old, path, t, known), partHeld(path, known, at, t))
		return after(t)
	}
	now := at // of what is assigned to more may be known than is written
	if to, exact := partOf(a.root, path); exact && len(path) > 0 {
		if fact := f.fact(to); fact != nil {
			now = fact
		}
	}
	binop := program.Add
	if op == program.SetSub {
		binop = program.Sub
	}
	t := f.expr(v, nil)
	y := f.strict(v, t, "`"+symbols[binop]+"=`")
	if now.Is(types.OptionalKind) && !now.Soft {
		f.say(func() { f.t.c.sayMayBeNil(e.Span(), now, "`"+symbols[binop]+"=`", present) })
	}
	sum, ok := operate(binop, types.Present(now), y)
	if !ok {
		f.say(func() { f.t.c.sayAssignOp(e, v, binop, types.Present(now), y) })
	}
	if known && ok && at.Known() && !types.Fits(sum, at) {
		part := *w
		part.t, part.path = at, pathText(path)
		f.say(func() { f.t.c.sayMismatch(v, sum, &part) })
	}
	done(changed(old, path, sum, known), partHeld(path, known, at, sum))
	return after(t)
}

// ready is what is known of a root with a written type, if it is known as now,
// when a part of it is about to get a value: the part may be what is written.
func ready(now, written *types.Type, path []program.PathPart) *types.Type {
	if now = types.Present(now); now.Known() {
		return now.Reset(path[0].Name)
	}
	return types.Present(written)
}

// partHeld is what is known of a part right after it got a value, if its type
// is written; nil else, or if there is no part.
func partHeld(path []program.PathPart, known bool, at, t *types.Type) *types.Type {
	if !known || len(path) == 0 || !at.Known() {
		return nil
	}
	return held(at, t)
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

// stepInto is the type of the field that an assignment names; only records have
// fields that can be assigned.
func (f *frame) stepInto(p program.PathPart, t *types.Type) *types.Type {
	switch t.Kind {
	case types.AnyKind, types.NeverKind, types.VarKind, types.RecordKind, types.MapKind:
		return fieldIn(t, p.Name)
	}
	f.say(func() { f.t.c.sayNoParts(p.Span, p.Name, t) })
	return types.Any()
}

// fieldIn is the type of a field that an assignment may add.
func fieldIn(t *types.Type, name string) *types.Type {
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
		return unnamed(old).With(p.Name, changed(fieldIn(old, p.Name), path[1:], t, false))
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
		f.noteNil("", types.Any())
		f.forgetSelf()
		return after(t)
	}
	for _, x := range r.Entries {
		slot, named := f.actor.fields[x.Key]
		if x.Spread != nil || x.Computed != nil || !named {
			f.seq([]program.Expr{x.Spread, x.Computed, x.Value}, nil)
			f.noteNil("", types.Any())
			f.forgetSelf()
			continue
		}
		f.noteNil(x.Key, f.giveField(f.actor, slot, x.Value, true))
	}
	return types.Unit()
}

// giveField types a value that a field gets by name, and gives its type.
func (f *frame) giveField(a *actor, slot int, v program.Expr, own bool) *types.Type {
	typ, written := f.t.fieldType(a, slot)
	var t *types.Type
	if written {
		t = f.check(v, &wanted{t: typ, what: fieldText(a.prog.Fields[slot].Name), span: a.prog.Fields[slot].Span})
	} else {
		t = f.expr(v, nil)
		f.t.widenField(a, slot, t)
	}
	f.data(v, t, "the state")
	switch {
	case own && written:
		f.assigned(place{root: ^slot}, held(typ, t))
	case own:
		f.assigned(place{root: ^slot}, t)
	}
	return t
}
