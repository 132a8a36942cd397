package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// text joins the texts of its parts. It is put together behind the texts that
// are being put together around it.
func (m *machine) text(n *program.Text, fr []value.Value, d int) (value.Value, status) {
	base := len(m.buf)
	for _, p := range n.Parts {
		v, s := m.eval(p, fr, d)
		if s != ok {
			m.buf = m.buf[:base]
			return v, s
		}
		if len(m.buf)-base+v.Size() > 2*maxValue {
			m.buf = m.buf[:base]
			return m.tooLarge(value.Nil, n.Place)
		}
		if err := value.NoText(v); err != nil {
			m.buf = m.buf[:base]
			return m.cause(p.Span(), err)
		}
		m.buf = v.AppendText(m.buf)
	}
	v := value.String(string(m.buf[base:]))
	if m.buf = m.buf[:base]; base == 0 && cap(m.buf) > 1<<16 {
		m.buf = nil // not worth keeping for the texts to come
	}
	return m.made(v, v.Size(), n.Place)
}

// all evaluates expressions into a new slice.
func (m *machine) all(es []program.Expr, fr []value.Value, d int) ([]value.Value, value.Value, status) {
	vs := make([]value.Value, len(es))
	held := int64(0)
	for i, e := range es {
		v, s := m.eval(e, fr, d)
		if s != ok {
			m.memory.held -= held
			return nil, v, s
		}
		vs[i] = v
		held += m.hold(v)
	}
	m.memory.held -= held
	return vs, value.Nil, ok
}

func (m *machine) tuple(n *program.TupleExpr, fr []value.Value, d int) (value.Value, status) {
	if len(n.Elems) == 0 {
		return value.Unit, ok
	}
	vs, v, s := m.all(n.Elems, fr, d)
	if s != ok {
		return v, s
	}
	return m.made(value.Tuple(vs...), 48+24*len(vs), n.Place)
}

func (m *machine) list(n *program.ListExpr, fr []value.Value, d int) (value.Value, status) {
	vs := make([]value.Value, 0, len(n.Elems))
	held := int64(0)
	for _, e := range n.Elems {
		spread, isSpread := e.(*program.Spread)
		if isSpread {
			e = spread.X
		}
		v, s := m.eval(e, fr, d)
		if s != ok {
			m.memory.held -= held
			return v, s
		}
		held += m.hold(v)
		if !isSpread {
			vs = append(vs, v)
			continue
		}
		more, isList := v.AsList()
		if !isList {
			m.memory.held -= held
			return m.fault(spread.Place, CodeType, "... needs a list here, not %s", v.Kind().Article())
		}
		if 24*(len(vs)+len(more)) > maxValue || !m.alloc(24*len(more), spread.Place) {
			m.memory.held -= held
			return m.tooLarge(value.Nil, n.Place)
		}
		vs = append(vs, more...)
	}
	m.memory.held -= held
	return m.made(value.List(vs...), 48+24*len(vs), n.Place)
}

// record makes a record of one shape each time, unless its names are known only
// when it is made.
func (m *machine) record(n *program.RecordExpr, fr []value.Value, d int) (value.Value, status) {
	shape, known := m.shapes[n]
	if !known {
		shape = shapeOf(n)
		if m.shapes == nil {
			m.shapes = map[*program.RecordExpr]*value.Shape{}
		}
		m.shapes[n] = shape
	}
	if shape == nil {
		if changes(n) {
			return m.changed(n, fr, d)
		}
		return m.freeRecord(n, fr, d)
	}
	vals := make([]value.Value, len(n.Entries))
	held := int64(0)
	for i := range n.Entries {
		v, s := m.eval(n.Entries[i].Value, fr, d)
		if s != ok {
			m.memory.held -= held
			return v, s
		}
		vals[i] = v
		held += m.hold(v)
	}
	m.memory.held -= held
	return m.made(shape.Record(vals), 72+24*len(vals), n.Place)
}

// shapeOf is the shape of a record literal with nothing but distinct names, else
// nil.
func shapeOf(n *program.RecordExpr) *value.Shape {
	keys := make([]string, len(n.Entries))
	for i := range n.Entries {
		e := &n.Entries[i]
		if e.Spread != nil || e.Computed != nil {
			return nil
		}
		keys[i] = e.Key
	}
	shape, _ := value.NewShape(keys)
	return shape
}

// changed makes `{ ...r, a: 1 }`: a copy of r with fields set.
func (m *machine) changed(n *program.RecordExpr, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(n.Entries[0].Spread, fr, d)
	if s != ok {
		return v, s
	}
	r, isRecord := v.AsRecord()
	if !isRecord {
		return m.fault(n.Entries[0].Spread.Span(), CodeType, "... needs a record here, not %s", v.Kind().Article())
	}
	var few [4]string
	var fewVals [4]value.Value
	keys, vals := few[:0], fewVals[:0]
	held := m.hold(v)
	for i := 1; i < len(n.Entries); i++ {
		x, s := m.eval(n.Entries[i].Value, fr, d)
		if s != ok {
			m.memory.held -= held
			return x, s
		}
		keys, vals = append(keys, n.Entries[i].Key), append(vals, x)
		held += m.hold(x)
	}
	m.memory.held -= held
	return m.made(r.WithAll(keys, vals), 64+24*(r.Len()+len(keys)), n.Place)
}

// changes reports whether a record literal is one that changed makes.
func changes(n *program.RecordExpr) bool {
	for i := range n.Entries {
		if e := &n.Entries[i]; e.Computed != nil || (e.Spread != nil) != (i == 0) {
			return false
		}
	}
	return len(n.Entries) > 0
}

// freeRecord makes a record whose names are known only now.
func (m *machine) freeRecord(n *program.RecordExpr, fr []value.Value, d int) (value.Value, status) {
	keys := make([]string, 0, len(n.Entries))
	vals := make([]value.Value, 0, len(n.Entries))
	held := int64(0)
	for i := range n.Entries {
		var v value.Value
		var s status
		keys, vals, v, s = m.entry(&n.Entries[i], keys, vals, fr, d)
		if s != ok {
			m.memory.held -= held
			return v, s
		}
		held += m.hold(v)
	}
	m.memory.held -= held
	if 40*len(keys) > maxValue {
		return m.tooLarge(value.Nil, n.Place)
	}
	return m.made(value.NewRecord(keys, vals), 100+40*len(keys), n.Place)
}

// entry evaluates one entry of a record literal; v is what it holds.
func (m *machine) entry(e *program.RecordEntry, keys []string, vals []value.Value, fr []value.Value, d int) ([]string, []value.Value, value.Value, status) {
	if e.Spread != nil {
		v, s := m.eval(e.Spread, fr, d)
		if s != ok {
			return keys, vals, v, s
		}
		r, isRecord := v.AsRecord()
		if !isRecord {
			v, s = m.fault(e.Spread.Span(), CodeType, "... needs a record here, not %s", v.Kind().Article())
			return keys, vals, v, s
		}
		if !m.alloc(40*r.Len(), e.Spread.Span()) {
			return keys, vals, v, failed
		}
		for i := range r.Len() {
			k, x := r.At(i)
			keys, vals = append(keys, k), append(vals, x)
		}
		return keys, vals, v, ok
	}
	key := e.Key
	if e.Computed != nil {
		k, s := m.eval(e.Computed, fr, d)
		if s != ok {
			return keys, vals, k, s
		}
		var isText bool
		if key, isText = k.AsString(); !isText {
			k, s = m.fault(e.Computed.Span(), CodeType, "the name of a field is a String, not %s", k.Kind().Article())
			return keys, vals, k, s
		}
	}
	v, s := m.eval(e.Value, fr, d)
	return append(keys, key), append(vals, v), v, s
}

func (m *machine) variant(n *program.VariantExpr, fr []value.Value, d int) (value.Value, status) {
	vs, v, s := m.all(n.Fields, fr, d)
	if s != ok {
		return v, s
	}
	x := value.NewVariant(&value.Variant{Name: n.Name, Names: n.Names, Fields: vs})
	return m.made(x, 96+24*len(vs), n.Place)
}

func (m *machine) handle(n *program.HandleExpr, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(n.ID, fr, d)
	if s != ok {
		return v, s
	}
	id, isText := v.AsString()
	if !isText {
		return m.fault(n.Place, CodeType, "%s is named by a String, not by %s", n.Type, v.Kind().Article())
	}
	return value.NewHandle(value.Handle{Type: n.Type, ID: id, Entity: n.Entity}), ok
}
