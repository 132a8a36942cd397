package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// checkHanded refuses functions with effects that a pure function of the library
// would call.
func (c *checker) checkHanded() {
	const bad = outside | readsClock
	if !slices.ContainsFunc(c.infos, func(i *info) bool {
		return i.kind == lambdaBody && i.all&bad != 0 ||
			slices.ContainsFunc(i.calls, func(k call) bool { return k.value && k.to.all&bad != 0 })
	}) {
		return // nobody could hand one on
	}
	t := c.trace()
	t.tell = true
	for _, i := range c.infos {
		if b := t.bodies[i.fn]; b != nil && b.unit == b {
			t.look(b)
		}
	}
}

// call follows the arguments of a call, and gives what comes of it.
func (t *tracer) call(b *traced, e program.Expr) carries {
	switch e := e.(type) {
	case *program.CallFn:
		return t.apply(b, e.Fn, e.Args, t.args(b, e.Args))
	case *program.CallValue:
		fns, args := t.expr(b, e.Fn), t.args(b, e.Args)
		t.learn(b, &b.calls, fns)
		var out carries
		for _, o := range fns {
			if o.param < 0 {
				out = union(out, t.apply(b, o.fn, e.Args, args))
			} else {
				o.called = true
				out = union(out, carries{o})
			}
		}
		return out
	case *program.CallBuiltin:
		return t.builtin(b, e)
	}
	return nil
}

func (t *tracer) args(b *traced, args []program.Expr) []carries {
	out := make([]carries, len(args))
	for k, a := range args {
		out[k] = t.expr(b, a)
	}
	return out
}

// apply is what comes of a call of fn: what it does with its parameters happens
// to the arguments.
func (t *tracer) apply(b *traced, fn *program.Func, args []program.Expr, sets []carries) carries {
	to := t.used(fn)
	t.learn(b, &b.calls, t.given(to.calls, fn, sets))
	for _, h := range to.handed {
		if h.o.param < len(args) && args[h.o.param] != nil {
			t.gets(h.op, t.given(carries{h.o}, fn, sets), args[h.o.param].Span(), nil)
		}
	}
	return t.given(to.result, fn, sets)
}

// builtin: the functions among the arguments are called with what the others have
// in them.
func (t *tracer) builtin(b *traced, e *program.CallBuiltin) carries {
	sets := t.args(b, e.Args)
	var data carries
	for k := range e.Args {
		if _, isFunc := takes(e.Fn, k); !isFunc {
			data = union(data, sets[k].within(""))
		}
	}
	out := data
	for k, a := range e.Args {
		if _, isFunc := takes(e.Fn, k); isFunc && a != nil {
			out = union(out, t.gets(e.Fn, sets[k], a.Span(), data))
		}
	}
	return out
}

// gets notes that op calls these functions, with data, where at stands; it gives
// what they give.
func (t *tracer) gets(op *program.Builtin, fns carries, at source.Span, data carries) carries {
	var out carries
	todo := fns[:len(fns):len(fns)]
	for n := 0; n < len(todo); n++ { // it grows
		o := todo[n]
		if o.param >= 0 {
			t.hand(o, op)
			continue
		}
		if i := t.c.byFunc[o.fn]; i != nil && t.tell {
			t.c.pureOnly(op, call{span: at, to: i})
		}
		args := make([]carries, len(o.fn.Params))
		for k := range args {
			args[k] = data
		}
		to := t.used(o.fn)
		for _, h := range to.handed {
			t.gets(h.op, t.given(carries{h.o}, o.fn, args), at, nil)
		}
		todo.add(t.given(to.calls, o.fn, args)) // they are called in the course of it
		out = union(out, t.given(to.result, o.fn, args))
	}
	return out
}

// hand notes that op calls a parameter of a function.
func (t *tracer) hand(o carried, op *program.Builtin) {
	b := t.of(o.fn)
	for _, h := range b.handed {
		if h.o == o {
			return
		}
	}
	if len(b.handed) < mostCarried {
		b.handed = append(b.handed, handed{o, op})
		t.news(b)
	}
}

// checkReturned refuses what the program gives back and so makes a query, if it
// does more than a query may.
func (c *checker) checkReturned() {
	for _, f := range c.returned() {
		i := c.byFunc[f.Fn]
		if i == nil {
			continue
		}
		if i.all&readsSelf != 0 && keptName(f.Fn.Name) {
			c.sayReservedHandler(ast.Word{At: ast.At{Place: f.Span()}, Name: f.Fn.Name})
		}
		if s, bad := i.witness(forbidden(queryBody)); bad {
			c.sayQueryByReturn(f, i.name, s)
		}
	}
}

// returned are the functions that the program gives back: one alone, or those
// in a list, tuple or record.
func (c *checker) returned() []*program.FuncRef {
	if c.queries == nil {
		c.queries = c.givenBack()
	}
	return *c.queries
}

func (c *checker) givenBack() *[]*program.FuncRef {
	var out []*program.FuncRef
	named := func(i *info) bool { return slices.ContainsFunc(i.calls, func(k call) bool { return k.value }) }
	if c.prog.Main == nil || !slices.ContainsFunc(c.infos, named) {
		return &out
	}
	b := c.trace().of(c.prog.Main.Items[0].Step.Body)
	for _, o := range b.result {
		if f, ok := o.at.(*program.FuncRef); ok && o.deep < 2 {
			out = append(out, f)
		}
	}
	return &out
}
