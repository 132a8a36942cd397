package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// statement types what is more than an expression of values.
func (f *frame) statement(e program.Expr, w *wanted, want *types.Type) *types.Type {
	switch e := e.(type) {
	case *program.Block:
		return f.block(e, w, want)
	case *program.Let:
		return f.let(e)
	case *program.AssignLocal:
		return f.assignLocal(e)
	case *program.AssignField:
		return f.assignField(e)
	case *program.AssignSelf:
		return f.assignSelf(e)
	case *program.If:
		return f.ifElse(e, w, want)
	case *program.Match:
		return f.match(e, w, want)
	case *program.For:
		return f.forLoop(e)
	case *program.While:
		return f.whileLoop(e)
	case *program.Break, *program.Continue:
		return types.Never()
	case *program.Try:
		return f.try(e, w, want)
	case *program.Return:
		return f.returned(e)
	case *program.Throw:
		f.expr(e.Value, nil)
		return types.Never()
	case *program.Select:
		return f.selectOf(e, w, want)
	}
	return f.world(e)
}

// either types a value that is the body's own, held against w if there is one.
func (f *frame) either(e program.Expr, w *wanted, want *types.Type) *types.Type {
	if w != nil {
		return f.check(e, w)
	}
	return f.expr(e, want)
}

func (f *frame) block(e *program.Block, w *wanted, want *types.Type) *types.Type {
	if len(e.Stmts) == 0 {
		return types.Unit()
	}
	left := false
	for _, s := range e.Stmts[:len(e.Stmts)-1] {
		left = f.expr(s, nil).Is(types.NeverKind) || left
	}
	t := f.either(e.Stmts[len(e.Stmts)-1], w, want)
	if left {
		return types.Never()
	}
	return t
}

func (f *frame) let(e *program.Let) *types.Type {
	written := f.t.c.letTypes[e]
	if written == nil {
		t := f.expr(e.Value, nil)
		f.bindSure(e.Pattern, t)
		return after(t)
	}
	want := f.t.written(written)
	name := "this"
	b, plain := e.Pattern.(*program.Bind)
	if plain {
		name = "`" + b.Name + "`"
	}
	t := f.check(e.Value, &wanted{t: want, what: name, span: written.Span()})
	f.bindSure(e.Pattern, held(want, t))
	if plain && b.Slot < len(f.pins) {
		f.pins[b.Slot] = pin{want, written.Span()}
	}
	return after(t)
}

// after is the type of a statement that has no value of its own.
func after(t *types.Type) *types.Type {
	if t.Is(types.NeverKind) {
		return t
	}
	return types.Unit()
}

// held is what is known of a place with a written type right after it got a
// value: what may be nil is not, if the value is not.
func held(written, got *types.Type) *types.Type {
	if got != got.Whole() && types.Same(got.Whole(), types.Present(written)) {
		return got // patterns have shown more of it
	}
	if !written.Is(types.OptionalKind) || !got.Known() {
		return written
	}
	if got.Is(types.OptionalKind) {
		return written
	}
	if got.Is(types.NilKind) {
		return got
	}
	return written.Elem[0]
}

func (f *frame) ifElse(e *program.If, w *wanted, want *types.Type) *types.Type {
	cond := f.condition(e.Cond, "`if`")
	then := f.way(func() *types.Type {
		f.assume(e.Cond, true)
		return f.either(e.Then, w, want)
	})
	other := f.way(func() *types.Type {
		f.assume(e.Cond, false)
		if e.Else != nil {
			return f.either(e.Else, w, want)
		}
		t := types.Of(types.NilKind)
		if w != nil && w.t.Known() && !types.Fits(t, w.t) && !then.t.Is(types.NeverKind) {
			f.say(func() { f.t.c.sayNoElse(e, w) })
		}
		return t
	})
	t := f.meet(then, other)
	if cond.Is(types.NeverKind) {
		return cond
	}
	return t
}

func (f *frame) try(e *program.Try, w *wanted, want *types.Type) *types.Type {
	mark := len(f.set)
	body := f.way(func() *types.Type { return f.either(e.Body, w, want) })
	caught := f.way(func() *types.Type {
		f.spoilIn(e.Body)
		f.after(mark)
		if e.Slot >= 0 && e.Slot < len(f.vals) {
			f.put(e.Slot, failure())
		}
		return f.either(e.Catch, w, want)
	})
	return f.meet(body, caught)
}

func (f *frame) returned(e *program.Return) *types.Type {
	t := types.Unit()
	switch {
	case e.Value == nil:
		if f.result != nil && f.result.t.Known() && !types.Fits(t, f.result.t) {
			f.say(func() { f.t.c.sayMismatch(e, t, f.result) })
		}
	default:
		t = f.check(e.Value, f.result)
		if f.keeps() {
			f.data(e.Value, t, f.value())
		}
	}
	f.returns = types.Join(f.returns, t)
	f.endsWith(e)
	return types.Never()
}
