package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// binary evaluates both sides and applies the operator; two Ints need nothing
// but this function.
func (m *machine) binary(n *program.Binary, fr []value.Value, d int) (value.Value, status) {
	var x, y value.Value
	var s status
	if l, leaf := n.X.(*program.Local); leaf {
		x = fr[l.Slot]
	} else if x, s = m.eval(n.X, fr, d); s != ok {
		return x, s
	}
	switch r := n.Y.(type) {
	case *program.Local:
		y = fr[r.Slot]
	case *program.Const:
		y = r.Value
	default:
		held := int64(0)
		if _, scalar := x.AsInt(); !scalar {
			m.shared(x)
			held = m.hold(x)
		}
		y, s = m.eval(n.Y, fr, d)
		m.memory.held -= held
		if s != ok {
			return y, s
		}
	}
	if a, isInt := x.AsInt(); isInt {
		if b, isInt := y.AsInt(); isInt {
			switch n.Op { // the three that loops and recursion are made of
			case program.Add:
				if c := a + b; (c > a) == (b > 0) {
					return value.Int(c), ok
				}
			case program.Sub:
				if c := a - b; (c < a) == (b > 0) {
					return value.Int(c), ok
				}
			case program.Lt:
				return value.Bool(a < b), ok
			}
			if v, done := ints(n.Op, a, b); done {
				return v, ok
			}
		}
	}
	return m.operate(n.Op, x, y, n.Place)
}

// ints applies an operator to two Ints in the cases that need no care.
func ints(op program.BinOp, a, b int64) (v value.Value, done bool) {
	switch op {
	case program.Add:
		c := a + b
		return value.Int(c), (c > a) == (b > 0)
	case program.Sub:
		c := a - b
		return value.Int(c), (c < a) == (b > 0)
	case program.Mul:
		return value.Int(a * b), int64(int32(a)) == a && int64(int32(b)) == b
	case program.Div:
		if b > 0 {
			return value.Int(a / b), true
		}
	case program.Mod:
		if b > 0 {
			return value.Int(a % b), true
		}
	case program.Lt:
		return value.Bool(a < b), true
	case program.Le:
		return value.Bool(a <= b), true
	case program.Gt:
		return value.Bool(a > b), true
	case program.Ge:
		return value.Bool(a >= b), true
	case program.Eq:
		return value.Bool(a == b), true
	case program.Ne:
		return value.Bool(a != b), true
	}
	return value.Nil, false
}

// operate applies an operator to any two values.
func (m *machine) operate(op program.BinOp, x, y value.Value, at source.Span) (value.Value, status) {
	switch op {
	case program.Eq, program.Ne:
		m.left -= min(x.Size(), y.Size()) / bytesPerFuel
		return value.Bool(value.Equal(x, y) == (op == program.Eq)), ok
	case program.Lt, program.Le, program.Gt, program.Ge:
		return m.order(op, x, y, at)
	case program.RangeOp:
		return m.rangeOf(x, y, at)
	case program.Add:
		if x.Size()+y.Size() > maxValue && x.Kind() == y.Kind() {
			return m.joinLarge(x, y, at)
		}
	}
	v, err := arithmetic(op, x, y)
	if err != nil {
		return m.cause(at, err)
	}
	if k := v.Kind(); k == value.KindString || k == value.KindList || k == value.KindDecimal {
		return m.made(v, v.Size(), at)
	}
	return v, ok
}

// joinLarge refuses a String or list that would be too large before it is made.
func (m *machine) joinLarge(x, y value.Value, at source.Span) (value.Value, status) {
	if k := x.Kind(); k == value.KindString || k == value.KindList {
		m.used(at, CodeMemory, "a value may take %d MiB at most", maxValue>>20)
		return value.Nil, failed
	}
	v, err := value.Add(x, y)
	if err != nil {
		return m.cause(at, err)
	}
	return v, ok
}

func arithmetic(op program.BinOp, x, y value.Value) (value.Value, error) {
	switch op {
	case program.Add:
		return value.Add(x, y)
	case program.Sub:
		return value.Sub(x, y)
	case program.Mul:
		return value.Mul(x, y)
	case program.Div:
		return value.Div(x, y)
	}
	return value.Mod(x, y)
}

func (m *machine) order(op program.BinOp, x, y value.Value, at source.Span) (value.Value, status) {
	m.left -= min(x.Size(), y.Size()) / bytesPerFuel
	c, err := value.Compare(x, y)
	if err != nil {
		return m.cause(at, err)
	}
	holds := false
	switch op {
	case program.Lt:
		holds = c < 0
	case program.Le:
		holds = c <= 0
	case program.Gt:
		holds = c > 0
	case program.Ge:
		holds = c >= 0
	}
	return value.Bool(holds), ok
}

// rangeOf makes the list of a range of Ints (empty if the first is larger), or
// the pair of two durations.
func (m *machine) rangeOf(x, y value.Value, at source.Span) (value.Value, status) {
	a, isInt := x.AsInt()
	b, isInt2 := y.AsInt()
	if !isInt || !isInt2 {
		if x.Kind() == value.KindDuration && y.Kind() == value.KindDuration {
			return value.Tuple(x, y), ok
		}
		return m.fault(at, CodeType, "a range goes from Int to Int, not from %s to %s", x.Kind(), y.Kind())
	}
	if a > b {
		return value.List(), ok
	}
	const most = maxValue / 24
	if uint64(b)-uint64(a) >= most {
		m.used(at, CodeMemory, "the range %d..%d has too many elements for a list", a, b)
		return value.Nil, failed
	}
	vs := make([]value.Value, b-a+1)
	for i := range vs {
		vs[i] = value.Int(a + int64(i))
	}
	v := value.List(vs...)
	return m.made(v, v.Size(), at)
}

func (m *machine) not(n *program.Not, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(n.X, fr, d)
	if s != ok {
		return v, s
	}
	b, isBool := v.AsBool()
	if !isBool {
		return m.fault(n.Place, CodeType, "! needs a Bool, not %s", v.Kind().Article())
	}
	return value.Bool(!b), ok
}

func (m *machine) neg(n *program.Neg, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(n.X, fr, d)
	if s != ok {
		return v, s
	}
	v, err := value.Neg(v)
	if err != nil {
		return m.cause(n.Place, err)
	}
	return v, ok
}

// logic is && and ||: x decides alone if it is stop.
func (m *machine) logic(x, y program.Expr, stop bool, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(x, fr, d)
	if s != ok {
		return v, s
	}
	b, isBool := v.AsBool()
	if !isBool {
		return m.notCondition(x, v)
	}
	if b == stop {
		return v, ok
	}
	v, s = m.eval(y, fr, d)
	if s == ok && v.Kind() != value.KindBool {
		return m.notCondition(y, v)
	}
	return v, s
}

func (m *machine) coalesce(n *program.Coalesce, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(n.X, fr, d)
	if s != ok || !v.IsNil() {
		return v, s
	}
	return m.eval(n.Y, fr, d)
}

func (m *machine) notCondition(e program.Expr, v value.Value) (value.Value, status) {
	return m.fault(e.Span(), CodeType, "only a Bool can be a condition, not %s", v.Kind().Article())
}

// duration evaluates an expression that must give a Duration.
func (m *machine) duration(e program.Expr, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(e, fr, d)
	if s == ok && v.Kind() != value.KindDuration {
		return m.fault(e.Span(), CodeType, "a Duration is needed here, not %s", v.Kind().Article())
	}
	return v, s
}

// instant evaluates an expression that must give a Time.
func (m *machine) instant(e program.Expr, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(e, fr, d)
	if s == ok && v.Kind() != value.KindTime {
		return m.fault(e.Span(), CodeType, "a Time is needed here, not %s", v.Kind().Article())
	}
	return v, s
}
