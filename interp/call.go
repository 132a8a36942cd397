package interp

import (
	"errors"
	"fmt"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// A closure is what a lambda evaluates to.
type closure struct {
	fn       *program.Func
	captured []value.Value
}

// callFn calls a known function; its arguments are evaluated into its frame.
func (m *machine) callFn(n *program.CallFn, fr []value.Value, d int) (value.Value, status) {
	next := m.stack.push(n.Fn.Slots)
	for i, a := range n.Args {
		v, s := m.eval(a, fr, d)
		if s != ok {
			m.stack.pop(next)
			return v, s
		}
		next[i] = v
	}
	return m.enter(n.Fn, next, n.Place, d)
}

// enter runs a function in its filled frame and gives the frame back.
func (m *machine) enter(fn *program.Func, frame []value.Value, at source.Span, d int) (value.Value, status) {
	if m.depth >= m.call.Limits.Depth {
		m.stack.pop(frame)
		m.used(at, CodeDepth, "calls nest more than %d deep: does %s call itself without end?", m.call.Limits.Depth, nameOf(fn))
		return value.Nil, failed
	}
	m.depth++
	v, s := m.eval(fn.Body, frame, d)
	m.depth--
	m.stack.pop(frame)
	switch s {
	case ok, returned:
		return v, ok
	case failed:
		m.trace(fn, at)
	case broke, continued:
		return m.fault(at, CodeInternal, "a break or continue outside of a loop")
	}
	return v, s
}

func nameOf(fn *program.Func) string {
	if fn.Name == "" {
		return "the function"
	}
	return fn.Name
}

// args evaluates arguments into a slice of their own; a missing one is nil.
func (m *machine) args(es []program.Expr, fr []value.Value, d int) ([]value.Value, value.Value, status) {
	if len(es) == 0 {
		return nil, value.Nil, ok
	}
	vs := make([]value.Value, len(es))
	held := int64(0)
	for i, e := range es {
		if e == nil {
			continue
		}
		v, s := m.eval(e, fr, d)
		if s != ok {
			m.memory.held -= held
			return nil, v, s
		}
		vs[i] = v
		if i+1 < len(es) {
			held += m.hold(v)
		}
	}
	m.memory.held -= held
	return vs, value.Nil, ok
}

func (m *machine) callValue(n *program.CallValue, fr []value.Value, d int) (value.Value, status) {
	fn, s := m.eval(n.Fn, fr, d)
	if s != ok {
		return fn, s
	}
	held := m.hold(fn)
	vs, v, s := m.args(n.Args, fr, d)
	m.memory.held -= held
	if s != ok {
		return v, s
	}
	return m.apply(fn, vs, n.Place, d)
}

// apply calls a function value.
func (m *machine) apply(fn value.Value, args []value.Value, at source.Span, d int) (value.Value, status) {
	f, isFunc := fn.AsFunc()
	if !isFunc {
		return m.fault(at, CodeType, "cannot call %s", fn.Kind().Article())
	}
	impl := f.Impl
	if impl == nil {
		impl = m.lookup(f.Name)
	}
	switch g := impl.(type) {
	case *program.Func:
		return m.applyFunc(g, nil, args, at, d)
	case *closure:
		return m.applyFunc(g.fn, g.captured, args, at, d)
	case *program.Builtin:
		return m.applyBuiltin(g, args, at, d)
	}
	return m.fault(at, CodeNotFound, "there is no function %s in this version of the program", f.Name)
}

// lookup finds the function that a value names, nil if there is none.
func (m *machine) lookup(name string) any {
	if p := m.call.Program; p != nil {
		if f := p.Func(name); f != nil {
			return f
		}
	}
	if m.call.Builtin != nil {
		if b := m.call.Builtin(name); b != nil {
			return b
		}
	}
	return nil
}

func (m *machine) applyFunc(fn *program.Func, captured, args []value.Value, at source.Span, d int) (value.Value, status) {
	if len(args) != len(fn.Params) {
		return m.fault(at, CodeArguments, "%s takes %s, not %d", nameOf(fn), count(len(fn.Params)), len(args))
	}
	if m.left--; m.left < 0 && !m.spend(at) {
		return value.Nil, failed
	}
	if d > maxNest {
		return value.Nil, m.nested(fn.Body)
	}
	frame := m.stack.push(fn.Slots)
	copy(frame[copy(frame, captured):], args)
	return m.enter(fn, frame, at, d+1)
}

func count(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

func (m *machine) lambda(n *program.Lambda, fr []value.Value) (value.Value, status) {
	c := &closure{fn: n.Fn}
	held := 0
	if len(n.Fn.Captures) > 0 {
		c.captured = make([]value.Value, len(n.Fn.Captures))
		for i, slot := range n.Fn.Captures {
			m.shared(fr[slot])
			c.captured[i] = fr[slot]
			held += fr[slot].Size()
		}
	}
	v := value.NewFunc(&value.Func{Impl: c, Held: held})
	return m.made(v, 64+24*len(c.captured), n.Place)
}

func (m *machine) callBuiltin(n *program.CallBuiltin, fr []value.Value, d int) (value.Value, status) {
	args, v, s := m.builtinArgs(n.Fn, n.Args, fr, d)
	if s != ok {
		return v, s
	}
	return m.runBuiltin(n.Fn, args, n.Place, d)
}

// builtinArgs evaluates arguments by parameter; left out ones get the default.
func (m *machine) builtinArgs(b *program.Builtin, es []program.Expr, fr []value.Value, d int) ([]value.Value, value.Value, status) {
	args, v, s := m.args(es, fr, d)
	if s != ok {
		return nil, v, s
	}
	for i := range b.Params {
		if i >= len(args) {
			args = append(args, b.Params[i].Default)
		} else if es[i] == nil {
			args[i] = b.Params[i].Default
		}
	}
	return args, value.Nil, ok
}

// applyBuiltin calls a builtin with positional arguments.
func (m *machine) applyBuiltin(b *program.Builtin, given []value.Value, at source.Span, d int) (value.Value, status) {
	if b.Fn == nil {
		return m.fault(at, CodeType, "%s can only be performed", b.FullName())
	}
	args := make([]value.Value, 0, max(len(b.Params), len(given)))
	next := 0
	for i := range b.Params {
		p := &b.Params[i]
		switch {
		case !p.Named && next < len(given):
			args = append(args, given[next])
			next++
		case p.Optional || p.Named:
			args = append(args, p.Default)
		default:
			return m.fault(at, CodeArguments, "%s needs its argument %s", b.FullName(), p.Name)
		}
	}
	if next < len(given) && !b.Rest {
		return m.fault(at, CodeArguments, "%s takes %s, not %d", b.FullName(), count(next), len(given))
	}
	return m.runBuiltin(b, append(args, given[next:]...), at, d)
}

// runBuiltin computes a builtin. It is charged for reading its arguments, for
// what it asks for meanwhile, and for a result that is more than that; a result
// not larger than an argument may be that argument.
func (m *machine) runBuiltin(b *program.Builtin, args []value.Value, at source.Span, d int) (value.Value, status) {
	if !b.Flat {
		for i := range args {
			m.left -= args[i].Size() / bytesPerFuel
		}
	}
	outer := m.running
	m.running = running{at: at, nest: d}
	m.given = append(m.given, args)
	v, err := b.Fn(m, args)
	held := m.running.held
	m.memory.held -= held
	m.given = m.given[:len(m.given)-1]
	m.running = outer
	if m.limit != nil {
		return value.Nil, m.stop() // whatever the builtin made of it
	}
	if err != nil {
		return m.builtinError(at, err)
	}
	m.err = nil
	n := v.Size()
	for i := range args {
		if args[i].Size() >= n {
			n = min(n, heavy)
		}
	}
	return m.made(v, max(n-int(held), 0), at)
}

func (m *machine) builtinError(at source.Span, err error) (value.Value, status) {
	var f *Fault
	if errors.As(err, &f) {
		if m.err != error(f) {
			return m.foreign(at, f)
		}
		return value.Nil, failed
	}
	var unwinding *unwind
	if errors.As(err, &unwinding) {
		m.err = unwinding.cause
		return value.Nil, failed
	}
	return m.cause(at, err)
}

// An unwind carries what is not a fault through a builtin.
type unwind struct{ cause error }

func (u *unwind) Error() string { return u.cause.Error() }

// Call is how a builtin calls a function value.
func (m *machine) Call(fn value.Value, args []value.Value) (value.Value, error) {
	if m.limit != nil {
		return value.Nil, m.limit
	}
	at := m.running.at
	v, s := m.apply(fn, args, at, m.running.nest+1)
	switch s {
	case ok:
		return v, nil
	case failed:
		if f, isFault := m.err.(*Fault); isFault {
			return value.Nil, f
		}
		return value.Nil, &unwind{m.err}
	}
	m.fault(at, CodeInternal, "a step cannot end inside of a function")
	return value.Nil, m.err
}
