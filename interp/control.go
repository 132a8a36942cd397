package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// run evaluates a body: mostly a block, which then needs no way through eval.
func (m *machine) run(e program.Expr, fr []value.Value, d int) (value.Value, status) {
	if b, isBlock := e.(*program.Block); isBlock {
		return m.block(b, fr, d)
	}
	return m.eval(e, fr, d)
}

// test evaluates a condition: mostly a comparison.
func (m *machine) test(e program.Expr, fr []value.Value, d int) (value.Value, status) {
	if b, isBinary := e.(*program.Binary); isBinary {
		m.left--
		return m.binary(b, fr, d)
	}
	return m.eval(e, fr, d)
}

func (m *machine) ifElse(n *program.If, fr []value.Value, d int) (value.Value, status) {
	v, s := m.test(n.Cond, fr, d)
	if s != ok {
		return v, s
	}
	b, isBool := v.AsBool()
	switch {
	case !isBool:
		return m.notCondition(n.Cond, v)
	case b:
		return m.run(n.Then, fr, d)
	case n.Else != nil:
		return m.run(n.Else, fr, d)
	}
	return value.Nil, ok
}

func (m *machine) block(n *program.Block, fr []value.Value, d int) (value.Value, status) {
	last := len(n.Stmts) - 1
	if last < 0 {
		return value.Unit, ok
	}
	for _, e := range n.Stmts[:last] {
		if v, s := m.eval(e, fr, d); s != ok {
			return v, s
		}
	}
	return m.eval(n.Stmts[last], fr, d)
}

func (m *machine) let(n *program.Let, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(n.Value, fr, d)
	if s != ok {
		return v, s
	}
	if b, simple := n.Pattern.(*program.Bind); simple {
		fr[b.Slot] = v
		return value.Unit, ok
	}
	if !m.bind(n.Pattern, v, fr) {
		return m.noMatch(n.Place, v)
	}
	return value.Unit, ok
}

func (m *machine) returns(n *program.Return, fr []value.Value, d int) (value.Value, status) {
	if n.Value == nil {
		return value.Unit, returned
	}
	v, s := m.eval(n.Value, fr, d)
	if s == ok {
		s = returned
	}
	return v, s
}

func (m *machine) match(n *program.Match, fr []value.Value, d int) (value.Value, status) {
	x, s := m.eval(n.X, fr, d)
	if s != ok {
		return x, s
	}
	for i := range n.Arms {
		arm := &n.Arms[i]
		hit, v, s := m.tryArm(arm, x, fr, d)
		if s != ok {
			return v, s
		}
		if hit {
			return m.eval(arm.Body, fr, d)
		}
	}
	return m.noMatch(n.Place, x)
}

// tryArm says whether one of the arm's patterns fits and its guard, if there is
// one, holds then.
func (m *machine) tryArm(arm *program.Arm, x value.Value, fr []value.Value, d int) (hit bool, v value.Value, s status) {
	for _, p := range arm.Patterns {
		if !m.bind(p, x, fr) {
			if m.limit != nil {
				return false, value.Nil, m.stop()
			}
			continue
		}
		if arm.Guard == nil {
			return true, value.Nil, ok
		}
		held := m.hold(x)
		v, s := m.eval(arm.Guard, fr, d)
		m.memory.held -= held
		if s != ok {
			return false, v, s
		}
		b, isBool := v.AsBool()
		if !isBool {
			v, s = m.notCondition(arm.Guard, v)
			return false, v, s
		}
		if b {
			return true, value.Nil, ok
		}
	}
	return false, value.Nil, ok
}

func (m *machine) while(n *program.While, fr []value.Value, d int) (value.Value, status) {
	for {
		if m.left--; m.left < 0 && !m.spend(n.Place) { // a loop over constants evaluates nothing else
			return value.Nil, failed
		}
		v, s := m.test(n.Cond, fr, d)
		if s != ok {
			return v, s
		}
		b, isBool := v.AsBool()
		if !isBool {
			return m.notCondition(n.Cond, v)
		}
		if !b {
			return value.Unit, ok
		}
		if v, s = m.turn(n.Body, fr, d); s != ok && s != continued {
			return loopEnd(v, s)
		}
	}
}

// loopEnd is what a loop is worth when its body unwinds.
func loopEnd(v value.Value, s status) (value.Value, status) {
	if s == broke {
		return value.Unit, ok
	}
	return v, s
}

func (m *machine) forLoop(n *program.For, fr []value.Value, d int) (value.Value, status) {
	if r, isRange := n.In.(*program.Binary); isRange && r.Op == program.RangeOp {
		return m.forRange(n, r, fr, d)
	}
	in, s := m.eval(n.In, fr, d)
	if s != ok {
		return in, s
	}
	held := m.hold(in)
	v, s := m.forEach(n, in, fr, d)
	m.memory.held -= held
	return v, s
}

func (m *machine) forEach(n *program.For, in value.Value, fr []value.Value, d int) (value.Value, status) {
	if vs, isList := in.AsList(); isList {
		for _, x := range vs {
			if v, s := m.round(n, x, fr, d); s != ok && s != continued {
				return loopEnd(v, s)
			}
		}
		return value.Unit, ok
	}
	r, isRecord := in.AsRecord()
	if !isRecord {
		return m.fault(n.In.Span(), CodeType, "for goes over a list, a record or a range, not %s", in.Kind().Article())
	}
	for i := range r.Len() {
		k, x := r.At(i)
		if v, s := m.round(n, value.Tuple(value.String(k), x), fr, d); s != ok && s != continued {
			return loopEnd(v, s)
		}
	}
	return value.Unit, ok
}

// round is one turn of a loop.
func (m *machine) round(n *program.For, x value.Value, fr []value.Value, d int) (value.Value, status) {
	if b, simple := n.Pattern.(*program.Bind); simple {
		fr[b.Slot] = x
	} else if !m.bind(n.Pattern, x, fr) {
		return m.noMatch(n.Place, x)
	}
	if m.left--; m.left < 0 && !m.spend(n.Place) {
		return value.Nil, failed
	}
	return m.turn(n.Body, fr, d)
}

// turn runs the body of a loop, whose value nobody wants: a block of one
// statement is that statement.
func (m *machine) turn(e program.Expr, fr []value.Value, d int) (value.Value, status) {
	if b, isBlock := e.(*program.Block); isBlock && len(b.Stmts) == 1 {
		e = b.Stmts[0]
	}
	if a, isAssign := e.(*program.AssignLocal); isAssign {
		if m.left--; m.left >= 0 && d <= maxNest {
			return m.assignLocal(a, fr, d+1)
		}
		m.left++ // eval settles it
	}
	return m.run(e, fr, d)
}

// forRange counts without making the list.
func (m *machine) forRange(n *program.For, r *program.Binary, fr []value.Value, d int) (value.Value, status) {
	x, s := m.eval(r.X, fr, d)
	if s != ok {
		return x, s
	}
	y, s := m.eval(r.Y, fr, d)
	if s != ok {
		return y, s
	}
	from, isInt := x.AsInt()
	to, isInt2 := y.AsInt()
	if !isInt || !isInt2 {
		return m.fault(r.Place, CodeType, "a range goes from Int to Int, not from %s to %s", x.Kind(), y.Kind())
	}
	for i := from; i <= to; i++ {
		if v, s := m.round(n, value.Int(i), fr, d); s != ok && s != continued {
			return loopEnd(v, s)
		}
		if i == to { // the largest Int has no successor
			break
		}
	}
	return value.Unit, ok
}

func (m *machine) try(n *program.Try, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(n.Body, fr, d)
	if s != failed {
		return v, s
	}
	f, isFault := m.err.(*Fault)
	if !isFault || f.Final || m.limit != nil {
		return v, s
	}
	m.err = nil
	if n.Slot >= 0 {
		fr[n.Slot] = ErrorValue(f)
	}
	return m.eval(n.Catch, fr, d)
}

func (m *machine) throw(n *program.Throw, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(n.Value, fr, d)
	if s != ok {
		return v, s
	}
	f := FaultFrom(v)
	f.Span = n.Place
	if !f.Detail.IsData() {
		return m.notData(n.Place, "the detail of an error")
	}
	return m.raise(f)
}

// stop goes on unwinding for the limit that was used up.
func (m *machine) stop() status {
	m.err = m.limit
	return failed
}
