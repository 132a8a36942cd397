package interp

import (
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// A loop that says `xs = xs + [x]` would copy the list in every turn. So the
// machine keeps the lists and texts that it grew last in buffers of its own: an
// assignment that extends exactly what such a buffer ends with appends to it.
// What lies before its end is never touched, values see only their own part,
// and nobody but this machine has the buffer: growing can change no value.
type growth struct {
	lists    [grown][]value.Value
	texts    [grown]*strings.Builder
	nextList int
	nextText int
}

const grown = 4 // values that can grow by turns

// growing evaluates `x = x + a + b`, of which old is x.
func (m *machine) growing(old value.Value, b *program.Binary, fr []value.Value, d int) (value.Value, status) {
	x := old
	if inner, isBinary := b.X.(*program.Binary); isBinary {
		var s status
		if x, s = m.growing(old, inner, fr, d+1); s != ok {
			return x, s
		}
	}
	if v, s, done := m.appendOne(x, b.Y, b.Place, fr, d); done {
		return v, s
	}
	y, s := m.addend(x, b.Y, fr, d)
	if s != ok {
		return y, s
	}
	return m.extend(x, y, b.Place)
}

// appendOne is x + [e] without making [e]: the usual way to build a list.
func (m *machine) appendOne(x value.Value, e program.Expr, at source.Span, fr []value.Value, d int) (v value.Value, s status, done bool) {
	l, isList := e.(*program.ListExpr)
	if !isList || len(l.Elems) != 1 {
		return value.Nil, ok, false
	}
	xs, isList := x.AsList()
	if _, isSpread := l.Elems[0].(*program.Spread); isSpread || !isList || len(xs) == 0 {
		return value.Nil, ok, false
	}
	y, s := m.addend(x, l.Elems[0], fr, d+1)
	if s != ok {
		return y, s, true
	}
	if x.Size()+y.Size() > maxValue {
		v, s = m.tooLarge(value.Nil, at)
		return v, s, true
	}
	v, s = m.made(m.grow.list(x, xs, []value.Value{y}), 48, at)
	return v, s, true
}

func grows(v value.Value) bool {
	if _, isList := v.AsList(); isList {
		return true
	}
	_, isText := v.AsString()
	return isText
}

// startsWith reports whether a sum begins with the variable or field itself.
func startsWith(b *program.Binary, local, field int) bool {
	for range maxNest {
		switch x := b.X.(type) {
		case *program.Local:
			return x.Slot == local
		case *program.SelfField:
			return x.Slot == field && field >= 0
		case *program.Binary:
			if x.Op != program.Add {
				return false
			}
			b = x
		default:
			return false
		}
	}
	return false
}

// extend is x + y where the result takes the place of x.
func (m *machine) extend(x, y value.Value, at source.Span) (value.Value, status) {
	if x.Size()+y.Size() <= maxValue {
		if xs, isList := x.AsList(); isList {
			if ys, isList := y.AsList(); isList && len(xs) > 0 {
				return m.made(m.grow.list(x, xs, ys), y.Size(), at)
			}
		}
		if s, isText := x.AsString(); isText {
			if t, isText := y.AsString(); isText {
				return m.made(value.String(m.grow.text(s, t)), y.Size(), at)
			}
		}
	}
	return m.operate(program.Add, x, y, at)
}

func (g *growth) list(x value.Value, xs, ys []value.Value) value.Value {
	if len(ys) == 0 {
		return x
	}
	at := g.nextList
	for i, buf := range g.lists {
		if len(buf) == len(xs) && &buf[0] == &xs[0] {
			at = i
			break
		}
	}
	buf := g.lists[at]
	if len(buf) != len(xs) || &buf[0] != &xs[0] {
		buf = append(make([]value.Value, 0, 2*len(xs)+len(ys)+2), xs...)
		g.nextList = (at + 1) % grown
	}
	buf = append(buf, ys...)
	g.lists[at] = buf
	return value.ListGrown(x, buf[:len(buf):len(buf)])
}

// text appends t to s. That a buffer's text is s costs one look if it is the
// same memory.
func (g *growth) text(s, t string) string {
	if len(s) < 64 {
		return s + t
	}
	at := -1
	for i, b := range g.texts {
		if b != nil && b.Len() == len(s) && b.String() == s {
			at = i
			break
		}
	}
	if at < 0 {
		at = g.nextText
		g.nextText = (at + 1) % grown
		g.texts[at] = new(strings.Builder)
		g.texts[at].Grow(2*len(s) + len(t))
		g.texts[at].WriteString(s)
	}
	g.texts[at].WriteString(t)
	return g.texts[at].String()
}

// An assignment to a place (`r.n = 1`, `xs[i] = x`) gives the variable a copy
// that nobody else has, and the next one need not copy it again: it is owned
// (by its identity, one at a time) until somebody reads the whole variable. A
// read of a field or element is none. So every node that hands out what a slot
// of a frame or of the state holds, or keeps it while something else is
// evaluated, says so with shared.

// owns reports whether v may be overwritten.
func (m *machine) owns(v value.Value) bool {
	return m.owned != nil && m.owned == v.Identity()
}

// shared notes that v is about to have a second holder.
func (m *machine) shared(v value.Value) {
	if m.owned != nil && m.owned == v.Identity() {
		m.owned = nil
	}
}
