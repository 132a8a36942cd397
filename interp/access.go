package interp

import (
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/value"
)

func (m *machine) field(n *program.Field, fr []value.Value, d int) (value.Value, status) {
	v, s := m.whole(n.X, fr, d)
	if s != ok {
		return v, s
	}
	if r, isRecord := v.AsRecord(); isRecord {
		if x, found := r.Get(n.Name); found {
			return x, ok
		}
		if n.Lenient {
			return value.Nil, ok
		}
	}
	if n.Opt && v.IsNil() {
		return v, ok
	}
	return m.otherField(v, n.Name, n.Place)
}

// whole evaluates an expression of which only a part will be used, before
// anything else is evaluated.
func (m *machine) whole(e program.Expr, fr []value.Value, d int) (value.Value, status) {
	switch x := e.(type) {
	case *program.Local:
		return fr[x.Slot], ok
	case *program.SelfField:
		return m.selfField(x)
	}
	return m.eval(e, fr, d)
}

// otherField is a field that is not one of a record.
func (m *machine) otherField(v value.Value, name string, at source.Span) (value.Value, status) {
	if h, isHandle := v.AsHandle(); isHandle && name == "id" {
		return value.String(h.ID), ok
	}
	if x, isVariant := v.AsVariant(); isVariant {
		if f, found := x.Field(name); found {
			return f, ok
		}
		return m.noField(v, name, x.Names, at)
	}
	r, isRecord := v.AsRecord()
	if name == "length" {
		if vs, isList := v.AsList(); isList {
			return value.Int(int64(len(vs))), ok
		}
		if t, isText := v.AsString(); isText {
			m.left -= len(t) / bytesPerFuel
			return value.Int(int64(utf8.RuneCountInString(t))), ok
		}
		if isRecord {
			return value.Int(int64(r.Len())), ok
		}
	}
	if isRecord {
		return m.noField(v, name, r.Keys(), at)
	}
	return m.noField(v, name, nil, at)
}

// noField is the fault of a field that is not there, with the name that was
// perhaps meant.
func (m *machine) noField(v value.Value, name string, has []string, at source.Span) (value.Value, status) {
	switch v.Kind() {
	case value.KindRecord, value.KindVariant:
		return m.fault(at, CodeNoField, "the %s has no field %s%s", v.Kind(), name, hint(name, has))
	}
	return m.fault(at, CodeType, "%s has no field %s", v.Kind().Article(), name)
}

func hint(name string, has []string) string {
	if near := spell.Nearest(name, has); near != "" {
		return ": did you mean " + near + "?"
	}
	return ""
}

func (m *machine) index(n *program.Index, fr []value.Value, d int) (value.Value, status) {
	switch i := n.I.(type) {
	case *program.Local:
		x, s := m.whole(n.X, fr, d)
		if s != ok {
			return x, s
		}
		return m.at(x, fr[i.Slot], n.Place)
	case *program.Const:
		x, s := m.whole(n.X, fr, d)
		if s != ok {
			return x, s
		}
		return m.at(x, i.Value, n.Place)
	}
	x, s := m.eval(n.X, fr, d)
	if s != ok {
		return x, s
	}
	held := m.hold(x)
	i, s := m.eval(n.I, fr, d)
	m.memory.held -= held
	if s != ok {
		return i, s
	}
	return m.at(x, i, n.Place)
}

// at is x[i]: an element of a list or tuple, or a record's field (nil if it is
// missing).
func (m *machine) at(x, i value.Value, at source.Span) (value.Value, status) {
	vs, hasElems := x.AsList()
	if !hasElems {
		vs, hasElems = x.AsTuple()
	}
	if hasElems {
		k, isInt := i.AsInt()
		if !isInt {
			return m.fault(at, CodeType, "a %s is indexed by an Int, not by %s", x.Kind(), i.Kind().Article())
		}
		if k < 0 || k >= int64(len(vs)) {
			return m.outOfRange(x, k, len(vs), at)
		}
		return vs[k], ok
	}
	if r, isRecord := x.AsRecord(); isRecord {
		key, isText := i.AsString()
		if !isText {
			return m.fault(at, CodeType, "a record is indexed by a String, not by %s", i.Kind().Article())
		}
		v, _ := r.Get(key)
		return v, ok
	}
	return m.fault(at, CodeType, "cannot index %s", x.Kind().Article())
}

func (m *machine) outOfRange(x value.Value, i int64, length int, at source.Span) (value.Value, status) {
	if i < 0 {
		return m.fault(at, CodeIndex, "the index %d is negative; the %s has length %d, the first element is 0", i, x.Kind(), length)
	}
	return m.fault(at, CodeIndex, "the index %d is out of range: the %s has length %d", i, x.Kind(), length)
}

// selfField reads a state field as the body sees it.
func (m *machine) selfField(n *program.SelfField) (value.Value, status) {
	slot, s := m.slot(n.Slot, n.Name, n.Place)
	if s != ok {
		return value.Nil, s
	}
	if slot >= len(m.fields) {
		return value.Nil, ok
	}
	return m.fields[slot], ok
}

// slot is the place of a state field; in a function of no workflow its name
// decides.
func (m *machine) slot(slot int, name string, at source.Span) (int, status) {
	if m.self == nil {
		m.fault(at, CodeNoSelf, "self.%s: there is no instance here", name)
		return 0, failed
	}
	if slot >= 0 {
		return slot, ok
	}
	w := m.self.Workflow
	if w != nil {
		if slot = w.Field(name); slot >= 0 {
			return slot, ok
		}
	}
	m.fault(at, CodeNoField, "%s has no field %s%s", m.actor(), name, hint(name, m.fieldNames()))
	return 0, failed
}

func (m *machine) actor() string {
	if m.self.Workflow == nil {
		return "the instance"
	}
	return m.self.Workflow.Name
}

func (m *machine) fieldNames() []string {
	if m.self.Workflow == nil {
		return nil
	}
	names := make([]string, len(m.self.Workflow.Fields))
	for i := range names {
		names[i] = m.self.Workflow.Fields[i].Name
	}
	return names
}

func (m *machine) selfMeta(n *program.SelfMeta) (value.Value, status) {
	if m.self == nil {
		return m.fault(n.Place, CodeNoSelf, "self: there is no instance here")
	}
	switch n.Part {
	case program.SelfID:
		return value.String(m.self.ID), ok
	case program.SelfHandle:
		h := value.Handle{ID: m.self.ID}
		if w := m.self.Workflow; w != nil {
			h.Type, h.Entity = w.Name, w.Entity
		}
		return value.NewHandle(h), ok
	case program.SelfStep:
		return value.String(m.self.Step), ok
	case program.SelfStepIndex:
		return value.Int(int64(m.self.StepIndex)), ok
	case program.SelfFailure:
		return m.self.Failure, ok
	}
	return m.selfRecord(n.Place)
}

// selfRecord is the record of all state fields; unset ones are nil.
func (m *machine) selfRecord(at source.Span) (value.Value, status) {
	keys := m.fieldNames()
	vals := make([]value.Value, len(keys))
	copy(vals, m.fields)
	m.owned = nil
	v := value.NewRecord(keys, vals)
	return m.made(v, 100+40*len(keys), at)
}
