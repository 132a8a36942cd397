package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
)

// lineage says what a value has to do with data: it came out of it, or has such
// a thing in it; or it is a function, or has one in it, whose call gives one.
type lineage uint8

const (
	ofData lineage = 1 << iota
	givesData
)

// through is where the value of a function comes from that gives x.
func through(x lineage) lineage {
	if x == 0 {
		return 0
	}
	return givesData
}

// borrower is one body in the search for borrowed functions, with the lineages
// of what its slots hold.
type borrower struct {
	s     *borrowing
	slots []lineage
	out   *borrows
	gives lineage          // by `return`
	op    *program.Builtin // that calls this function, if that is plain
}

// body looks at a whole body; it gives the lineage of its value.
func (b *borrower) body(fn *program.Func) lineage {
	for {
		before := slices.Clone(b.slots)
		b.gives |= b.expr(fn.Body)
		if slices.Equal(b.slots, before) { // else a loop may read what it assigned
			return b.gives
		}
	}
}

// at is the lineage of what a slot holds.
func (b *borrower) at(slot int) lineage {
	if slot < len(b.slots) {
		return b.slots[slot]
	}
	return 0
}

func (b *borrower) set(slot int, x lineage) {
	if slot < len(b.slots) {
		b.slots[slot] |= x
	}
}

func (b *borrower) bind(p program.Pattern, x lineage) {
	if p != nil && x != 0 {
		eachName(p, func(slot int) { b.set(slot, x) })
	}
}

// expr is the lineage of an expression's value.
func (b *borrower) expr(e program.Expr) lineage {
	switch e := e.(type) {
	case nil:
		return 0
	case *program.Local:
		return b.at(e.Slot)
	case *program.SelfField:
		return ofData
	case *program.SelfMeta:
		if e.Part == program.SelfRecord || e.Part == program.SelfFailure {
			return ofData
		}
		return 0
	case *program.Ask, *program.Await:
		b.all(parts(e))
		return ofData
	case *program.Perform:
		b.all(e.Args)
		if e.Op.Module == "Signal" || e.Op.Module == "Workflow" {
			return ofData
		}
		return 0 // others have no functions to give
	case *program.CallFn, *program.CallValue, *program.CallBuiltin, *program.FuncRef, *program.BuiltinRef, *program.Lambda:
		return b.called(e)
	case *program.Return:
		b.gives |= b.expr(e.Value)
		return 0
	case *program.Not, *program.Neg, *program.Text, *program.HandleExpr, *program.Spawn, *program.Emit, *program.SignalSend,
		*program.AssignField, *program.AssignSelf:
		b.all(parts(e))
		return 0
	}
	return b.control(e)
}

func (b *borrower) all(es []program.Expr) lineage {
	var out lineage
	for _, e := range es {
		out |= b.expr(e)
	}
	return out
}

// control follows what binds names and what has several ways; of everything
// else the parts tell.
func (b *borrower) control(e program.Expr) lineage {
	switch e := e.(type) {
	case *program.Let:
		b.bind(e.Pattern, b.expr(e.Value))
		return 0
	case *program.AssignLocal:
		b.set(e.Slot, b.all(parts(e)))
		return 0
	case *program.Block:
		var last lineage
		for _, s := range e.Stmts {
			last = b.expr(s)
		}
		return last
	case *program.If:
		b.expr(e.Cond)
		then := b.expr(e.Then)
		return b.expr(e.Else) | then
	case *program.Match:
		x, out := b.expr(e.X), lineage(0)
		for _, a := range e.Arms {
			for _, p := range a.Patterns {
				b.bind(p, x)
			}
			b.expr(a.Guard)
			out |= b.expr(a.Body)
		}
		return out
	case *program.For:
		b.bind(e.Pattern, b.expr(e.In))
		b.expr(e.Body)
		return 0
	case *program.Try:
		body := b.expr(e.Body)
		if e.Slot >= 0 {
			b.set(e.Slot, ofData)
		}
		return b.expr(e.Catch) | body
	case *program.Select:
		var out lineage
		for _, a := range e.Arms {
			b.all([]program.Expr{a.Name, a.After, a.Until})
			b.bind(a.Pattern, ofData)
			out |= b.expr(a.Body)
		}
		return out
	}
	return b.all(parts(e))
}

// called follows what makes and calls functions.
func (b *borrower) called(e program.Expr) lineage {
	switch e := e.(type) {
	case *program.CallFn:
		params := make([]lineage, len(e.Fn.Params))
		for k, a := range e.Args {
			if x := b.expr(a); k < len(params) {
				params[k] = x
			}
		}
		return b.takeOver(e, e.Fn, params)
	case *program.CallValue:
		fn := b.expr(e.Fn)
		args := b.all(e.Args)
		if fn&ofData != 0 {
			b.note(e, arity(len(e.Args)), 0, nil)
		}
		if fn != 0 {
			return ofData | givesData
		}
		return args
	case *program.CallBuiltin:
		return b.builtin(e)
	case *program.FuncRef:
		return through(b.s.call(e.Fn, everything(e.Fn)).gives)
	case *program.BuiltinRef:
		for k := range e.Fn.Params {
			if n, ok := takes(e.Fn, k); ok { // nobody looks at what it will be given
				b.note(e, 0, arity(n), e.Fn)
			}
		}
	case *program.Lambda:
		return through(b.lambda(e, ofData, b.op))
	}
	return 0
}

// takeOver enters at a call what comes of it.
func (b *borrower) takeOver(e program.Expr, fn *program.Func, params []lineage) lineage {
	r := b.s.call(fn, params)
	for _, s := range r.sites {
		b.note(e, s.calls, s.handed, s.op)
	}
	return r.gives
}

// lambda looks at a function where it is made: params is what it will be called
// with, op what calls it. It gives the lineage of the function's value.
func (b *borrower) lambda(e *program.Lambda, params lineage, op *program.Builtin) lineage {
	if i := b.s.c.byFunc[e.Fn]; i != nil && i.kind == funcBody { // of a workflow, used as a value
		return b.takeOver(e, e.Fn, everything(e.Fn))
	}
	in := &borrower{s: b.s, slots: make([]lineage, e.Fn.Slots+len(e.Fn.Params)), out: b.out, op: op}
	for k, slot := range e.Fn.Captures {
		in.set(k, b.at(slot))
	}
	for k := range e.Fn.Params {
		in.set(len(e.Fn.Captures)+k, params)
	}
	return in.body(e.Fn)
}

// builtin: a function that is written among the arguments gets what the others
// hold, and what it gave before.
func (b *borrower) builtin(e *program.CallBuiltin) lineage {
	var data lineage
	for k, a := range e.Args {
		if _, isFunc := takes(e.Fn, k); !isFunc {
			data |= b.expr(a)
		}
	}
	for k, a := range e.Args {
		n, isFunc := takes(e.Fn, k)
		if !isFunc {
			continue
		}
		if l, ok := a.(*program.Lambda); ok {
			gives := b.lambda(l, data, e.Fn)
			if returns(e.Fn, k) {
				gives |= b.lambda(l, data|gives, e.Fn)
			}
			data |= gives
			continue
		}
		x := b.expr(a)
		if x&ofData != 0 {
			b.note(e, 0, arity(n), e.Fn)
		}
		if x != 0 {
			data |= ofData | givesData
		}
	}
	return data
}
