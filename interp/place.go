package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// written is what an assignment to a place inside of a value has evaluated: the
// indices, and in root the value to be put there (or the one that unwinds).
type written struct {
	root value.Value
	key  value.Value   // of a place of one part
	keys []value.Value // of a place of several
}

// onePart evaluates `x.name = e` or `x[i] = e`: the index, then for += and -=
// what the place holds, then the value.
func (m *machine) onePart(root value.Value, p *program.PathPart, op program.AssignOp, e program.Expr, fr []value.Value, d int) (w written, s status) {
	if p.Index != nil {
		if w.key, s = m.eval(p.Index, fr, d); s != ok {
			w.root = w.key
			return w, s
		}
	}
	var old value.Value
	if op != program.Set {
		if old, s = m.part(root, p, w.key); s != ok {
			return w, s
		}
	}
	if w.root, s = m.addend(old, e, fr, d); s == ok && op != program.Set {
		w.root, s = m.combine(op, old, w.root, p.Span)
	}
	return w, s
}

// manyParts is onePart for a longer way.
func (m *machine) manyParts(root value.Value, path []program.PathPart, op program.AssignOp, e program.Expr, fr []value.Value, d int) (w written, s status) {
	w.keys = make([]value.Value, len(path))
	for i := range path {
		if path[i].Index == nil {
			continue
		}
		if w.keys[i], s = m.eval(path[i].Index, fr, d); s != ok {
			w.root = w.keys[i]
			return w, s
		}
	}
	var old value.Value
	if op != program.Set {
		if old, s = m.read(root, path, w.keys); s != ok {
			return w, s
		}
	}
	if w.root, s = m.addend(old, e, fr, d); s == ok && op != program.Set {
		w.root, s = m.combine(op, old, w.root, path[len(path)-1].Span)
	}
	return w, s
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
	if len(path) > 1 {
		inner, s := m.part(root, &path[0], keys[0])
		if s != ok {
			return inner, s
		}
		if v, s = m.replace(inner, path[1:], keys[1:], v); s != ok {
			return v, s
		}
	}
	return m.put(root, &path[0], keys[0], v)
}

// put gives root with one part of it set to v.
func (m *machine) put(root value.Value, p *program.PathPart, key, v value.Value) (value.Value, status) {
	if r, isRecord := root.AsRecord(); isRecord {
		name := p.Name
		if p.Index != nil {
			var isText bool
			if name, isText = key.AsString(); !isText {
				return m.fault(p.Span, CodeType, "a record is indexed by a String, not by %s", key.Kind().Article())
			}
		}
		if m.owns(root) {
			if x, has := r.Overwrite(name, v); has {
				return m.made(x, 0, p.Span)
			}
		}
		return m.made(r.With(name, v), 64+24*r.Len(), p.Span)
	}
	if p.Index == nil {
		return m.noField(root, p.Name, nil, p.Span)
	}
	vs, isList := root.AsList()
	if !isList {
		return m.fault(p.Span, CodeType, "cannot set an element of %s", root.Kind().Article())
	}
	if x, s := m.at(root, key, p.Span); s != ok {
		return x, s
	}
	k, _ := key.AsInt()
	if m.owns(root) {
		return m.made(value.Overwrite(root, int(k), v), 0, p.Span)
	}
	changed := append([]value.Value(nil), vs...)
	changed[k] = v
	return m.made(value.List(changed...), 48+24*len(vs), p.Span)
}
