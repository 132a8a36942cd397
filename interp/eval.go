package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// eval evaluates one node in the frame fr; d is how deep evaluations nest. The
// nodes that programs spend their time in are first.
func (m *machine) eval(e program.Expr, fr []value.Value, d int) (value.Value, status) {
	switch n := e.(type) {
	case *program.Local:
		if m.owned != nil {
			m.shared(fr[n.Slot])
		}
		return fr[n.Slot], ok
	case *program.Const:
		return n.Value, ok
	}
	if m.left--; m.left < 0 && !m.spend(e.Span()) {
		return value.Nil, failed
	}
	if d > maxNest {
		return value.Nil, m.nested(e)
	}
	d++
	switch n := e.(type) {
	case *program.Binary:
		return m.binary(n, fr, d)
	case *program.If:
		return m.ifElse(n, fr, d)
	case *program.Block:
		return m.block(n, fr, d)
	case *program.CallFn:
		return m.callFn(n, fr, d)
	case *program.AssignLocal:
		return m.assignLocal(n, fr, d)
	case *program.Let:
		return m.let(n, fr, d)
	case *program.Return:
		return m.returns(n, fr, d)
	case *program.Field:
		return m.field(n, fr, d)
	case *program.Index:
		return m.index(n, fr, d)
	case *program.SelfField:
		v, s := m.selfField(n)
		m.shared(v)
		return v, s
	case *program.And:
		return m.logic(n.X, n.Y, false, fr, d)
	case *program.Or:
		return m.logic(n.X, n.Y, true, fr, d)
	case *program.Not:
		return m.not(n, fr, d)
	case *program.Neg:
		return m.neg(n, fr, d)
	case *program.For:
		return m.forLoop(n, fr, d)
	case *program.While:
		return m.while(n, fr, d)
	case *program.Break:
		return value.Nil, broke
	case *program.Continue:
		return value.Nil, continued
	case *program.Match:
		return m.match(n, fr, d)
	}
	return m.evalRare(e, fr, d)
}

// evalRare evaluates the nodes whose work is large beside the way to them.
func (m *machine) evalRare(e program.Expr, fr []value.Value, d int) (value.Value, status) {
	switch n := e.(type) {
	case *program.Coalesce:
		return m.coalesce(n, fr, d)
	case *program.Text:
		return m.text(n, fr, d)
	case *program.TupleExpr:
		return m.tuple(n, fr, d)
	case *program.ListExpr:
		return m.list(n, fr, d)
	case *program.RecordExpr:
		return m.record(n, fr, d)
	case *program.VariantExpr:
		return m.variant(n, fr, d)
	case *program.HandleExpr:
		return m.handle(n, fr, d)
	case *program.Spread:
		return m.fault(n.Place, CodeInternal, "a spread outside of a list")
	case *program.CallValue:
		return m.callValue(n, fr, d)
	case *program.CallBuiltin:
		return m.callBuiltin(n, fr, d)
	case *program.FuncRef:
		return value.NewFunc(&value.Func{Name: n.Fn.Name, Impl: n.Fn}), ok
	case *program.BuiltinRef:
		return value.NewFunc(&value.Func{Name: n.Fn.FullName(), Impl: n.Fn}), ok
	case *program.Lambda:
		return m.lambda(n, fr)
	case *program.SelfMeta:
		return m.selfMeta(n)
	case *program.AssignField:
		return m.assignField(n, fr, d)
	case *program.AssignSelf:
		return m.assignSelf(n, fr, d)
	case *program.Try:
		return m.try(n, fr, d)
	case *program.Throw:
		return m.throw(n, fr, d)
	case *program.Emit:
		return m.emit(n, fr, d)
	}
	if v, s, known := m.evalEffect(e, fr, d); known {
		return v, s
	}
	return m.evalEnding(e, fr, d)
}

// evalEffect evaluates the nodes that ask the host.
func (m *machine) evalEffect(e program.Expr, fr []value.Value, d int) (v value.Value, s status, known bool) {
	known = true
	switch n := e.(type) {
	case *program.Perform:
		v, s = m.perform(n, fr, d)
	case *program.Ask:
		v, s = m.ask(n, fr, d)
	case *program.SignalSend:
		v, s = m.signal(n, fr, d)
	case *program.Await:
		v, s = m.await(n, fr, d)
	case *program.Spawn:
		v, s = m.spawn(n, fr, d)
	case *program.Select:
		v, s = m.selectFirst(n, fr, d)
	default:
		known = false
	}
	return v, s, known
}

// evalEnding evaluates the nodes that end a body.
func (m *machine) evalEnding(e program.Expr, fr []value.Value, d int) (value.Value, status) {
	switch n := e.(type) {
	case *program.Goto:
		return m.gotoStep(n, fr, d)
	case *program.Pause:
		return m.pause(n, fr, d)
	case *program.End:
		return m.end(n, fr, d)
	case *program.Fail:
		return m.fail(n, fr, d)
	case *program.Delete:
		return m.deleted(n, fr, d)
	case *program.Reply:
		return m.reply(n, fr, d)
	case *program.Reject:
		return m.reject(n, fr, d)
	}
	return m.fault(e.Span(), CodeInternal, "the evaluator does not know %T", e)
}

// nested is the fault of expressions within expressions without end.
func (m *machine) nested(e program.Expr) status {
	m.used(e.Span(), CodeDepth, "calls and expressions nest too deep")
	return failed
}
