package checker

import (
	"slices"
	"strconv"

	"github.com/wf-lang/wf/lang/program"
)

// tracer follows functions from where they are made or named, through names,
// data, parameters and results, to where they are called or handed to a pure
// function of the library, which calls them. What comes out of the state or from
// other instances is the matter of borrowed.go.
type tracer struct {
	c      *checker
	bodies map[*program.Func]*traced
	unit   *traced   // that is looked at, with the lambdas in it
	todo   []*traced // what must be looked at again
	tell   bool      // nothing more is to be learned
}

// traced is what is known of one function.
type traced struct {
	fn     *program.Func
	unit   *traced   // the function in which it is looked at: a lambda's is the one around
	users  []*traced // whom it concerns what is learned of it
	usedBy map[*traced]bool
	queued bool

	slots  []carries
	result carries
	calls  carries  // what it calls that it got as a value
	handed []handed // what it hands on of its parameters
}

// handed is a part of a parameter that a built-in calls.
type handed struct {
	o  carried
	op *program.Builtin
}

// trace looks at all bodies until nothing is learned any more.
func (c *checker) trace() *tracer {
	if c.tracer == nil {
		c.tracer = &tracer{c: c, bodies: map[*program.Func]*traced{}}
		c.tracer.run()
	}
	return c.tracer
}

func (t *tracer) run() {
	for _, i := range t.c.infos {
		if i.kind != lambdaBody { // those are looked at where they stand
			t.again(t.of(i.fn))
		}
	}
	for len(t.todo) > 0 {
		b := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		b.queued = false
		t.look(b)
	}
}

func (t *tracer) look(b *traced) {
	t.unit = b
	t.learn(b, &b.result, t.expr(b, b.fn.Body))
}

// of is what is known of a function; its parameters are what they will be.
func (t *tracer) of(fn *program.Func) *traced {
	b := t.bodies[fn]
	if b == nil {
		b = &traced{fn: fn, slots: make([]carries, fn.Slots+len(fn.Params))}
		b.unit = b
		for k := range fn.Params {
			b.slots[len(fn.Captures)+k] = carries{{fn: fn, param: k}}
		}
		t.bodies[fn] = b
	}
	return b
}

// used is of for a function that is called: what is learned of it later concerns
// its caller.
func (t *tracer) used(fn *program.Func) *traced {
	b := t.of(fn)
	if !t.tell && b != t.unit && !b.usedBy[t.unit] {
		if b.usedBy == nil {
			b.usedBy = map[*traced]bool{}
		}
		b.usedBy[t.unit] = true
		b.users = append(b.users, t.unit)
	}
	return b
}

// learn adds to what is known of a function.
func (t *tracer) learn(b *traced, set *carries, more carries) {
	if set.add(more) {
		t.news(b)
	}
}

func (t *tracer) news(b *traced) {
	t.again(b.unit)
	for _, u := range b.users {
		t.again(u)
	}
}

func (t *tracer) again(b *traced) {
	if !b.queued {
		b.queued = true
		t.todo = append(t.todo, b)
	}
}

func (t *tracer) set(b *traced, slot int, s carries) {
	if slot >= 0 && slot < len(b.slots) && len(s) > 0 {
		t.learn(b, &b.slots[slot], s)
	}
}

// bind gives the names of a pattern what the parts of a value have in them.
func (t *tracer) bind(b *traced, p program.Pattern, s carries) {
	if len(s) == 0 {
		return
	}
	switch p := p.(type) {
	case *program.Bind:
		t.set(b, p.Slot, s)
	case *program.TupleOf:
		for k, x := range p.Elems {
			t.bind(b, x, s.within(strconv.Itoa(k)))
		}
	case *program.RecordOf:
		for k, x := range p.Patterns {
			t.bind(b, x, s.within(p.Keys[k]))
		}
		t.bind(b, p.Rest, s)
	case *program.ListOf:
		for _, x := range slices.Concat(p.Before, p.After) {
			t.bind(b, x, s.within(""))
		}
		t.bind(b, p.Rest, s)
	case *program.VariantOf:
		for _, x := range p.Fields {
			t.bind(b, x, s.within(""))
		}
	case *program.OneOf:
		for _, x := range p.Alts {
			t.bind(b, x, s)
		}
	}
}

// expr is what the value of an expression may be or have in it.
func (t *tracer) expr(b *traced, e program.Expr) carries {
	switch e := e.(type) {
	case nil:
		return nil
	case *program.Local:
		if e.Slot < len(b.slots) {
			return b.slots[e.Slot]
		}
		return nil
	case *program.FuncRef:
		return carries{{at: e, fn: e.Fn, param: -1}}
	case *program.Lambda:
		return t.lambda(b, e)
	case *program.TupleExpr:
		var out carries
		for k, x := range e.Elems {
			out = union(out, t.expr(b, x).in(strconv.Itoa(k)))
		}
		return out
	case *program.ListExpr:
		var out carries
		for _, x := range e.Elems {
			if spread, ok := x.(*program.Spread); ok {
				out = union(out, t.expr(b, spread.X))
			} else {
				out = union(out, t.expr(b, x).in(""))
			}
		}
		return out
	case *program.VariantExpr:
		return t.each(b, e.Fields).in("")
	case *program.RecordExpr:
		return t.record(b, e)
	case *program.Field:
		return t.expr(b, e.X).within(e.Name)
	case *program.Index:
		t.expr(b, e.I)
		return t.expr(b, e.X).within(constantKey(e.I))
	case *program.CallFn, *program.CallValue, *program.CallBuiltin:
		return t.call(b, e)
	}
	return t.control(b, e)
}

func (t *tracer) each(b *traced, es []program.Expr) carries {
	var out carries
	for _, x := range es {
		out = union(out, t.expr(b, x))
	}
	return out
}

func (t *tracer) record(b *traced, e *program.RecordExpr) carries {
	var out carries
	for _, x := range e.Entries {
		out = union(out, t.expr(b, x.Spread))
		t.expr(b, x.Computed)
		out = union(out, t.expr(b, x.Value).in(x.Key))
	}
	return out
}

// constantKey is the part that an index which is written out names.
func constantKey(i program.Expr) string {
	c, ok := i.(*program.Const)
	if !ok {
		return ""
	}
	if n, ok := c.Value.AsInt(); ok {
		return strconv.FormatInt(n, 10)
	}
	s, _ := c.Value.AsString()
	return s
}

// control follows what binds names and what has several ways. What else there is
// gives no function.
func (t *tracer) control(b *traced, e program.Expr) carries {
	switch e := e.(type) {
	case *program.Let:
		t.bind(b, e.Pattern, t.expr(b, e.Value))
	case *program.AssignLocal:
		s := t.each(b, parts(e))
		for _, p := range slices.Backward(e.Path) {
			s = s.in(p.Name)
		}
		t.set(b, e.Slot, s)
	case *program.Block:
		var last carries
		for _, x := range e.Stmts {
			last = t.expr(b, x)
		}
		return last
	case *program.If:
		t.expr(b, e.Cond)
		return union(t.expr(b, e.Then), t.expr(b, e.Else))
	case *program.Coalesce:
		return union(t.expr(b, e.X), t.expr(b, e.Y))
	case *program.Match:
		x, out := t.expr(b, e.X), carries(nil)
		for _, a := range e.Arms {
			for _, p := range a.Patterns {
				t.bind(b, p, x)
			}
			t.expr(b, a.Guard)
			out = union(out, t.expr(b, a.Body))
		}
		return out
	case *program.Select:
		var out carries
		for _, a := range e.Arms {
			t.each(b, []program.Expr{a.Name, a.After, a.Until})
			out = union(out, t.expr(b, a.Body))
		}
		return out
	case *program.For:
		t.bind(b, e.Pattern, t.expr(b, e.In).within(""))
		t.expr(b, e.Body)
	case *program.Try:
		return union(t.expr(b, e.Body), t.expr(b, e.Catch))
	case *program.Return:
		t.learn(b, &b.result, t.expr(b, e.Value))
	default:
		t.each(b, parts(e))
	}
	return nil
}

// lambda looks at a function where it is made.
func (t *tracer) lambda(b *traced, e *program.Lambda) carries {
	in := t.of(e.Fn)
	for k, slot := range e.Fn.Captures {
		if slot < len(b.slots) {
			t.set(in, k, b.slots[slot])
		}
	}
	if i := t.c.byFunc[e.Fn]; i != nil && i.kind == lambdaBody {
		in.unit = t.unit
		t.learn(in, &in.result, t.expr(in, e.Fn.Body))
	}
	return carries{{at: e, fn: e.Fn, param: -1}}
}
