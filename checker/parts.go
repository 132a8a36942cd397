package checker

import "github.com/wf-lang/wf/lang/program"

// parts are the direct sub-expressions of a resolved expression, in the order
// of evaluation. The bodies of lambdas and called functions are not among them.
func parts(e program.Expr) []program.Expr {
	var out []program.Expr
	eachPart(e, func(p program.Expr) { out = append(out, p) })
	return out
}

// eachPart visits what parts lists.
func eachPart(e program.Expr, l partVisitor) {
	switch e := e.(type) {
	case *program.Not:
		l.add(e.X)
	case *program.Neg:
		l.add(e.X)
	case *program.Binary:
		l.add(e.X, e.Y)
	case *program.And:
		l.add(e.X, e.Y)
	case *program.Or:
		l.add(e.X, e.Y)
	case *program.Coalesce:
		l.add(e.X, e.Y)
	case *program.Text:
		l.add(e.Parts...)
	case *program.TupleExpr:
		l.add(e.Elems...)
	case *program.ListExpr:
		l.add(e.Elems...)
	case *program.Spread:
		l.add(e.X)
	case *program.RecordExpr:
		for _, x := range e.Entries {
			l.add(x.Spread, x.Computed, x.Value)
		}
	case *program.VariantExpr:
		l.add(e.Fields...)
	case *program.HandleExpr:
		l.add(e.ID)
	case *program.Field:
		l.add(e.X)
	case *program.Index:
		l.add(e.X, e.I)
	case *program.CallFn:
		l.add(e.Args...)
	case *program.CallValue:
		l.add(e.Fn)
		l.add(e.Args...)
	case *program.CallBuiltin:
		l.add(e.Args...)
	default:
		statementParts(l, e)
	}
}

// partVisitor is called with each part that is there.
type partVisitor func(program.Expr)

func (l partVisitor) add(es ...program.Expr) {
	for _, e := range es {
		if e != nil {
			l(e)
		}
	}
}

func (l partVisitor) path(ps []program.PathPart) {
	for _, p := range ps {
		l.add(p.Index)
	}
}

func statementParts(l partVisitor, e program.Expr) {
	switch e := e.(type) {
	case *program.If:
		l.add(e.Cond, e.Then, e.Else)
	case *program.Match:
		l.add(e.X)
		for _, a := range e.Arms {
			l.add(a.Guard, a.Body)
		}
	case *program.For:
		l.add(e.In, e.Body)
	case *program.While:
		l.add(e.Cond, e.Body)
	case *program.Block:
		l.add(e.Stmts...)
	case *program.Let:
		l.add(e.Value)
	case *program.AssignLocal:
		l.path(e.Path)
		l.add(e.Value)
	case *program.AssignField:
		l.path(e.Path)
		l.add(e.Value)
	case *program.AssignSelf:
		l.add(e.Value)
	case *program.Try:
		l.add(e.Body, e.Catch)
	case *program.Return:
		l.add(e.Value)
	case *program.Throw:
		l.add(e.Value)
	case *program.Emit:
		l.add(e.Args...)
	case *program.Perform:
		l.add(e.Args...)
	case *program.Ask:
		l.add(e.Handle)
		l.add(e.Args...)
	case *program.SignalSend:
		l.add(e.Handle, e.Payload)
	case *program.Await:
		l.add(e.Handle, e.For)
	case *program.Spawn:
		l.add(e.Fields, e.ID)
	case *program.Select:
		for _, a := range e.Arms {
			l.add(a.Name, a.After, a.Until, a.Body)
		}
	default:
		endingParts(l, e)
	}
}

func endingParts(l partVisitor, e program.Expr) {
	switch e := e.(type) {
	case *program.Goto:
		l.add(e.Input, e.Reply)
	case *program.Pause:
		l.add(e.Reason, e.For, e.Until, e.Input, e.Reply)
	case *program.End:
		l.add(e.Value, e.Reply)
	case *program.Fail:
		l.add(e.Value, e.Reply)
	case *program.Delete:
		l.add(e.Reply)
	case *program.Reply:
		l.add(e.Value)
	case *program.Reject:
		l.add(e.Value)
	}
}
