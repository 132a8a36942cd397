package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

func (m *machine) assignLocal(n *program.AssignLocal, fr []value.Value, d int) (value.Value, status) {
	if len(n.Path) > 0 {
		v, s := m.assignPath(fr[n.Slot], func() value.Value { return fr[n.Slot] }, n.Path, n.Op, n.Value, fr, d)
		if s != ok {
			return v, s
		}
		fr[n.Slot] = v
		return value.Unit, ok
	}
	v, s := m.newValue(fr[n.Slot], n.Slot, -1, n.Op, n.Value, n.Place, fr, d)
	if s != ok {
		return v, s
	}
	fr[n.Slot] = v
	return value.Unit, ok
}

// newValue is what an assignment of a whole variable or field sets: old is its
// value so far, local or field (the other is -1) the slot that it lies in.
func (m *machine) newValue(old value.Value, local, field int, op program.AssignOp, e program.Expr, at source.Span, fr []value.Value, d int) (value.Value, status) {
	switch op {
	case program.Set:
		if b, isBinary := e.(*program.Binary); isBinary && b.Op == program.Add && grows(old) && startsWith(b, local, field) {
			return m.growing(old, b, fr, d)
		}
		return m.eval(e, fr, d)
	case program.SetAdd:
		v, s := m.addend(old, e, fr, d)
		if s != ok {
			return v, s
		}
		return m.extend(old, v, at)
	}
	v, s := m.addend(old, e, fr, d)
	if s != ok {
		return v, s
	}
	return m.operate(program.Sub, old, v, at)
}

// addend evaluates the right side of += and the like while old waits.
func (m *machine) addend(old value.Value, e program.Expr, fr []value.Value, d int) (value.Value, status) {
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
	if len(n.Path) > 0 {
		v, s = m.assignPath(m.fieldAt(slot), func() value.Value { return m.fieldAt(slot) }, n.Path, n.Op, n.Value, fr, d)
	} else {
		v, s = m.newValue(m.fieldAt(slot), -1, slot, n.Op, n.Value, n.Place, fr, d)
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

// assignPath sets a place inside of root: the indices are evaluated, then what
// the place holds is read (for += and -=), then the value is evaluated; what
// now is root gives the changed copy.
func (m *machine) assignPath(root value.Value, now func() value.Value, path []program.PathPart, op program.AssignOp, e program.Expr, fr []value.Value, d int) (value.Value, status) {
	keys := make([]value.Value, len(path))
	for i := range path {
		if path[i].Index == nil {
			continue
		}
		k, s := m.eval(path[i].Index, fr, d)
		if s != ok {
			return k, s
		}
		keys[i] = k
	}
	var old value.Value
	if op != program.Set {
		var s status
		if old, s = m.read(root, path, keys); s != ok {
			return old, s
		}
	}
	v, s := m.addend(old, e, fr, d)
	if s != ok {
		return v, s
	}
	switch last := path[len(path)-1].Span; op {
	case program.SetAdd:
		v, s = m.extend(old, v, last)
	case program.SetSub:
		v, s = m.operate(program.Sub, old, v, last)
	}
	if s != ok {
		return v, s
	}
	return m.replace(now(), path, keys, v)
}

// read gives what a place holds.
func (m *machine) read(v value.Value, path []program.PathPart, keys []value.Value) (value.Value, status) {
	for i := range path {
		var s status
		if v, s = m.part(v, &path[i], keys[i]); s != ok {
			return v, s
		}
	}
	return v, ok
}

// part gives what one step of a path leads to.
func (m *machine) part(v value.Value, p *program.PathPart, key value.Value) (value.Value, status) {
	if p.Index != nil {
		return m.at(v, key, p.Span)
	}
	r, isRecord := v.AsRecord()
	if !isRecord {
		return m.noField(v, p.Name, nil, p.Span)
	}
	x, found := r.Get(p.Name)
	if !found {
		return m.noField(v, p.Name, r.Keys(), p.Span)
	}
	return x, ok
}

// replace gives root with the place set to v, the way to it copied.
func (m *machine) replace(root value.Value, path []program.PathPart, keys []value.Value, v value.Value) (value.Value, status) {
	p := &path[0]
	if len(path) > 1 {
		inner, s := m.part(root, p, keys[0])
		if s != ok {
			return inner, s
		}
		if v, s = m.replace(inner, path[1:], keys[1:], v); s != ok {
			return v, s
		}
	}
	if r, isRecord := root.AsRecord(); isRecord {
		name := p.Name
		if p.Index != nil {
			var isText bool
			if name, isText = keys[0].AsString(); !isText {
				return m.fault(p.Span, CodeType, "a record is indexed by a String, not by %s", keys[0].Kind().Article())
			}
		}
		return m.made(r.With(name, v), 96+24*r.Len(), p.Span)
	}
	if p.Index == nil {
		return m.noField(root, p.Name, nil, p.Span)
	}
	vs, isList := root.AsList()
	if !isList {
		return m.fault(p.Span, CodeType, "cannot set an element of %s", root.Kind().Article())
	}
	if _, s := m.at(root, keys[0], p.Span); s != ok {
		return value.Nil, s
	}
	k, _ := keys[0].AsInt()
	changed := append([]value.Value(nil), vs...)
	changed[k] = v
	return m.made(value.List(changed...), 48+24*len(vs), p.Span)
}
