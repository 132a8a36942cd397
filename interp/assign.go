package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

func (m *machine) assignLocal(n *program.AssignLocal, fr []value.Value, d int) (value.Value, status) {
	if len(n.Path) > 0 {
		return m.assignInLocal(n, fr, d)
	}
	var v value.Value
	var s status
	old := fr[n.Slot]
	if b, isBinary := n.Value.(*program.Binary); isBinary && n.Op == program.Set && isScalar(old) {
		m.left--
		v, s = m.binary(b, fr, d)
	} else if n.Op == program.SetAdd && isScalar(old) {
		if v, s = m.eval(n.Value, fr, d); s == ok {
			v, s = m.combine(n.Op, old, v, n.Place)
		}
	} else {
		v, s = m.newValue(old, n.Op, n.Value, fr, d, place{local: n.Slot, field: -1, at: n.Place})
	}
	if s != ok {
		return v, s
	}
	fr[n.Slot] = v
	return value.Unit, ok
}

func isScalar(v value.Value) bool { _, isInt := v.AsInt(); return isInt }

func (m *machine) assignInLocal(n *program.AssignLocal, fr []value.Value, d int) (value.Value, status) {
	old := fr[n.Slot]
	if len(n.Path) == 1 {
		w, s := m.onePart(old, &n.Path[0], n.Op, n.Value, fr, d)
		if s == ok {
			if w.root, s = m.put(fr[n.Slot], &n.Path[0], w.key, w.root); s == ok {
				fr[n.Slot] = w.root
				m.owned = w.root.Identity()
				return value.Unit, ok
			}
		}
		return w.root, s
	}
	w, s := m.manyParts(old, n.Path, n.Op, n.Value, fr, d)
	if s != ok {
		return w.root, s
	}
	v, s := m.replace(fr[n.Slot], n.Path, w.keys, w.root)
	if s != ok {
		return v, s
	}
	fr[n.Slot] = v
	return value.Unit, ok
}

// A place is the variable or state field (the other is -1) that is assigned.
type place struct {
	local, field int
	at           source.Span
}

// newValue is what an assignment of a whole variable or field sets; old is its
// value so far.
func (m *machine) newValue(old value.Value, op program.AssignOp, e program.Expr, fr []value.Value, d int, p place) (value.Value, status) {
	if op == program.Set {
		if b, isBinary := e.(*program.Binary); isBinary && b.Op == program.Add && grows(old) && startsWith(b, p.local, p.field) {
			return m.growing(old, b, fr, d)
		}
		return m.eval(e, fr, d)
	}
	if op == program.SetAdd {
		if v, s, done := m.appendOne(old, e, p.at, fr, d); done {
			return v, s
		}
	}
	v, s := m.addend(old, e, fr, d)
	if s != ok {
		return v, s
	}
	return m.combine(op, old, v, p.at)
}

// combine is what += and -= make of the old value and the right side.
func (m *machine) combine(op program.AssignOp, old, v value.Value, at source.Span) (value.Value, status) {
	binary := program.Add
	if op == program.SetSub {
		binary = program.Sub
	}
	a, isInt := old.AsInt()
	b, isInt2 := v.AsInt()
	if isInt && isInt2 {
		if c, done := ints(binary, a, b); done {
			return c, ok
		}
	}
	if binary == program.Sub {
		return m.operate(binary, old, v, at)
	}
	return m.extend(old, v, at)
}

// addend evaluates the right side of += and the like while old waits.
func (m *machine) addend(old value.Value, e program.Expr, fr []value.Value, d int) (value.Value, status) {
	if c, isConst := e.(*program.Const); isConst {
		return c.Value, ok
	}
	if _, isInt := old.AsInt(); isInt {
		return m.eval(e, fr, d)
	}
	m.shared(old)
	held := m.hold(old)
	v, s := m.eval(e, fr, d)
	m.memory.held -= held
	return v, s
}

func (m *machine) assignField(n *program.AssignField, fr []value.Value, d int) (value.Value, status) {
	slot, s := m.slot(n.Slot, n.Name, n.Place)
	if s != ok {
		return value.Nil, s
	}
	var v value.Value
	if len(n.Path) == 0 {
		v, s = m.newValue(m.fieldAt(slot), n.Op, n.Value, fr, d, place{local: -1, field: slot, at: n.Place})
	} else if len(n.Path) == 1 {
		var w written
		if w, s = m.onePart(m.fieldAt(slot), &n.Path[0], n.Op, n.Value, fr, d); s == ok {
			w.root, s = m.put(m.fieldAt(slot), &n.Path[0], w.key, w.root)
		}
		if v = w.root; s == ok {
			m.owned = v.Identity()
		}
	} else {
		var w written
		if w, s = m.manyParts(m.fieldAt(slot), n.Path, n.Op, n.Value, fr, d); s == ok {
			w.root, s = m.replace(m.fieldAt(slot), n.Path, w.keys, w.root)
		}
		v = w.root
	}
	if s != ok {
		return v, s
	}
	return value.Unit, m.setField(slot, n.Name, v, n.Place)
}

func (m *machine) fieldAt(slot int) value.Value {
	if slot < len(m.fields) {
		return m.fields[slot]
	}
	return value.Nil
}

// setField notes a write; the body sees it from now on.
func (m *machine) setField(slot int, name string, v value.Value, at source.Span) status {
	if !v.IsData() {
		_, s := m.notData(at, "self."+name)
		return s
	}
	if m.dirty == nil {
		n := max(len(m.fields), slot+1)
		if w := m.self.Workflow; w != nil {
			n = max(n, len(w.Fields))
		}
		own := make([]value.Value, n)
		copy(own, m.fields)
		m.fields, m.dirty = own, make([]int32, n)
	}
	m.fields[slot] = v
	if i := m.dirty[slot]; i > 0 {
		m.out.Writes[i-1].Value = v
		return ok
	}
	m.out.Writes = append(m.out.Writes, Write{Field: slot, Value: v})
	m.dirty[slot] = int32(len(m.out.Writes))
	return ok
}

func (m *machine) notData(at source.Span, where string) (value.Value, status) {
	return m.fault(at, CodeNotData, "%s holds data; a function without a name is none", where)
}

func (m *machine) assignSelf(n *program.AssignSelf, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(n.Value, fr, d)
	if s != ok {
		return v, s
	}
	r, isRecord := v.AsRecord()
	if !isRecord {
		return m.fault(n.Place, CodeType, "self is set to a record of its fields, not to %s", v.Kind().Article())
	}
	slots := make([]int, r.Len())
	for i := range slots {
		k, _ := r.At(i)
		if slots[i], s = m.slot(-1, k, n.Place); s != ok {
			return value.Nil, s
		}
	}
	for i, slot := range slots {
		k, x := r.At(i)
		if s := m.setField(slot, k, x, n.Place); s != ok {
			return value.Nil, s
		}
	}
	return value.Unit, ok
}
