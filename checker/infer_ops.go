package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// strict is the type of a value that is used as it is: an optional one must
// have been looked at before.
func (f *frame) strict(e program.Expr, t *types.Type, by string) *types.Type {
	if t.Is(types.OptionalKind) {
		if !t.Soft {
			f.say(func() { f.t.c.sayMayBeNil(e.Span(), t, by, present) })
		}
		return t.Elem[0]
	}
	return t
}

// condition types what must be a Bool.
func (f *frame) condition(e program.Expr, of string) *types.Type {
	t := f.expr(e, nil)
	p := t
	if t.Is(types.OptionalKind) {
		p = f.strict(e, t, of)
	}
	if p.Known() && !p.Is(types.BoolKind) {
		f.say(func() { f.t.c.sayNotBool(e, of, p) })
	}
	return t
}

// shortcut types `&&` and `||`: the right side is evaluated only if the left
// one is true, or false.
func (f *frame) shortcut(x, y program.Expr, of string, when bool) *types.Type {
	if f.condition(x, of).Is(types.NeverKind) {
		return types.Never()
	}
	skip := f.way(func() *types.Type {
		f.assume(x, !when)
		return types.Of(types.BoolKind)
	})
	go_on := f.way(func() *types.Type {
		f.assume(x, when)
		return f.condition(y, of)
	})
	f.meet(skip, go_on)
	return types.Of(types.BoolKind)
}

// coalesce types `x ?? y`.
func (f *frame) coalesce(e *program.Coalesce, w *wanted, want *types.Type) *types.Type {
	x := f.expr(e.X, want)
	if x.Is(types.NeverKind) {
		return x
	}
	if w != nil {
		f.compare(e.X, types.Present(x), w)
	}
	there := f.way(func() *types.Type {
		f.present(e.X)
		return types.Present(x)
	})
	missing := f.way(func() *types.Type {
		if w != nil {
			return f.check(e.Y, w)
		}
		return f.expr(e.Y, want)
	})
	return f.meet(there, missing)
}

func (f *frame) negate(e *program.Neg) *types.Type {
	t := f.expr(e.X, nil)
	p := f.strict(e.X, t, "`-`")
	if p.Known() && !p.Number() && !p.Is(types.DurationKind) {
		f.say(func() { f.t.c.sayOperand(e, p) })
		return types.Any()
	}
	return p
}

// symbols are the operators as they are written.
var symbols = [...]string{
	program.Add: "+", program.Sub: "-", program.Mul: "*", program.Div: "/", program.Mod: "%", program.Eq: "==",
	program.Ne: "!=", program.Lt: "<", program.Le: "<=", program.Gt: ">", program.Ge: ">=", program.RangeOp: "..",
}

func (f *frame) binary(e *program.Binary) *types.Type {
	x := f.expr(e.X, nil)
	y := f.expr(e.Y, nil)
	if x.Is(types.NeverKind) || y.Is(types.NeverKind) {
		return types.Never()
	}
	if e.Op == program.Eq || e.Op == program.Ne {
		if x.Known() && y.Known() && !x.Is(types.NilKind) && !y.Is(types.NilKind) && !types.Meets(x, y) {
			f.say(func() { f.t.c.sayNeverEqual(e, x, y) })
		}
		return types.Of(types.BoolKind)
	}
	by := "`" + symbols[e.Op] + "`"
	x, y = f.strict(e.X, x, by), f.strict(e.Y, y, by)
	t, ok := operate(e.Op, x, y)
	if !ok {
		f.say(func() { f.t.c.sayOperands(e, x, y) })
	}
	return t
}

// operate is the type of an operator's value, and whether its sides go
// together. If one side is not known, the other may still say what comes out.
func operate(op program.BinOp, x, y *types.Type) (*types.Type, bool) {
	switch op {
	case program.Lt, program.Le, program.Gt, program.Ge:
		return types.Of(types.BoolKind), !x.Known() && comparable(y) || !y.Known() && comparable(x) || ordered(x, y)
	case program.RangeOp:
		return ranged(x, y)
	}
	switch {
	case !x.Known() && !y.Known():
		return types.Any(), true
	case !x.Known():
		return half(op, y)
	case !y.Known():
		return half(op, x)
	case x.Number() && y.Number():
		return numbers(x, y)
	}
	switch op {
	case program.Add:
		return added(x, y)
	case program.Sub:
		return subtracted(x, y)
	case program.Mul:
		if x.Is(types.DurationKind) && y.Is(types.IntKind) || x.Is(types.IntKind) && y.Is(types.DurationKind) {
			return types.Of(types.DurationKind), true
		}
	case program.Div:
		switch {
		case x.Is(types.DurationKind) && y.Is(types.DurationKind):
			return types.Of(types.FloatKind), true
		case x.Is(types.DurationKind) && y.Is(types.IntKind):
			return x, true
		}
	}
	return types.Any(), false
}

// half is operate with one side that is not known.
func half(op program.BinOp, x *types.Type) (*types.Type, bool) {
	switch x.Kind {
	case types.DecimalKind, types.FloatKind:
		return x, true
	case types.IntKind:
		return types.Any(), true
	case types.DurationKind:
		return types.Any(), op != program.Mod
	case types.TimeKind:
		return types.Any(), op == program.Add || op == program.Sub
	case types.StringKind:
		return x, op == program.Add
	case types.ListKind:
		return types.List(types.Any()), op == program.Add
	}
	return types.Any(), false
}

func numbers(x, y *types.Type) (*types.Type, bool) {
	switch {
	case x.Is(types.IntKind):
		return y, true
	case y.Is(types.IntKind), x.Kind == y.Kind:
		return x, true
	}
	return types.Any(), false
}

func added(x, y *types.Type) (*types.Type, bool) {
	switch {
	case x.Is(types.ListKind) && y.Is(types.ListKind):
		return types.Join(x, y), true
	case x.Is(types.StringKind) && y.Is(types.StringKind), x.Is(types.DurationKind) && y.Is(types.DurationKind):
		return x, true
	case x.Is(types.TimeKind) && y.Is(types.DurationKind):
		return x, true
	case x.Is(types.DurationKind) && y.Is(types.TimeKind):
		return y, true
	}
	return types.Any(), false
}

func subtracted(x, y *types.Type) (*types.Type, bool) {
	switch {
	case x.Is(types.DurationKind) && y.Is(types.DurationKind), x.Is(types.TimeKind) && y.Is(types.DurationKind):
		return x, true
	case x.Is(types.TimeKind) && y.Is(types.TimeKind):
		return types.Of(types.DurationKind), true
	}
	return types.Any(), false
}

// comparable reports whether values of a type have an order.
func comparable(t *types.Type) bool {
	switch t.Kind {
	case types.StringKind, types.DurationKind, types.TimeKind, types.ListKind, types.TupleKind:
		return true
	}
	return !t.Known() || t.Number()
}

func ordered(x, y *types.Type) bool {
	if x.Number() && y.Number() {
		_, ok := numbers(x, y)
		return ok
	}
	return x.Kind == y.Kind && comparable(x)
}

func ranged(x, y *types.Type) (*types.Type, bool) {
	known := x
	if !x.Known() {
		known = y
	}
	ok := !x.Known() || !y.Known() || x.Kind == y.Kind
	switch known.Kind {
	case types.IntKind:
		return types.List(known), ok
	case types.DurationKind:
		return types.Tuple(known, known), ok
	}
	return types.Any(), !known.Known()
}

// longestTest is how many parts of a condition are taken to heart.
const longestTest = 64

// assume notes what a condition shows when it is true, or false.
func (f *frame) assume(e program.Expr, truth bool) { f.assumeTo(longestTest, e, truth) }

func (f *frame) assumeTo(deep int, e program.Expr, truth bool) {
	if deep == 0 {
		return
	}
	switch e := e.(type) {
	case *program.Not:
		f.assumeTo(deep-1, e.X, !truth)
	case *program.And:
		if truth {
			f.assumeTo(deep-1, e.X, true)
			f.assumeTo(deep-1, e.Y, true)
		}
	case *program.Or:
		if !truth {
			f.assumeTo(deep-1, e.X, false)
			f.assumeTo(deep-1, e.Y, false)
		}
	case *program.Binary:
		if e.Op != program.Eq && e.Op != program.Ne {
			return
		}
		same := (e.Op == program.Eq) == truth
		switch {
		case f.isNil(e.Y):
			f.assumeNil(e.X, same)
		case f.isNil(e.X):
			f.assumeNil(e.Y, same)
		case same:
			f.assumeSame(e.X, e.Y)
			f.assumeSame(e.Y, e.X)
		}
	}
}

// assumeSame: what equals something that is not nil is not nil.
func (f *frame) assumeSame(x, y program.Expr) {
	if c, ok := y.(*program.Const); ok && !c.Value.IsNil() {
		f.present(x)
	}
	if _, ok := f.placeOf(y); ok {
		if t := f.peek(y); t.Known() && !t.Is(types.OptionalKind) && !t.Is(types.NilKind) {
			f.present(x)
		}
	}
}

func (f *frame) assumeNil(e program.Expr, is bool) {
	if !is {
		f.present(e)
		return
	}
	if p, ok := f.placeOf(e); ok && f.peek(e).Is(types.OptionalKind) {
		f.know(p, types.Of(types.NilKind))
	}
}

// present notes that the value of an expression is not nil, if it is a place;
// then what it is a part of is not nil either.
func (f *frame) present(e program.Expr) {
	p, ok := f.placeOf(e)
	if !ok {
		return
	}
	switch t := f.peek(e); t.Kind {
	case types.OptionalKind:
		f.know(p, t.Elem[0])
	case types.NilKind:
		f.know(p, types.Never()) // nothing gets there
	}
	if x, ok := e.(*program.Field); ok && x.Opt {
		f.present(x.X)
	}
}

// peek types an expression again without saying anything.
func (f *frame) peek(e program.Expr) *types.Type {
	f.t.quiet++
	defer func() { f.t.quiet-- }()
	return f.expr(e, nil)
}
