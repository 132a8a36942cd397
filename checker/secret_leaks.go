package checker

import "github.com/wf-lang/wf/lang/program"

// leaving are the places where a value is written down; of everything else the
// parts tell.
func (t *tainted) leaving(e program.Expr) bool {
	if r, ok := e.(*program.Return); ok {
		t.result = t.expr(r.Value) || t.result
		return false
	}
	out, leaks := false, written(e)
	for _, p := range parts(e) {
		secret := t.expr(p)
		if where, kept := leaks[p]; kept && secret {
			t.s.c.saySecret(p, where)
		}
		out = out || secret
	}
	return out && leaks == nil
}

// written are the parts of an expression whose values are written down, and
// where; nil of an expression that has none.
func written(e program.Expr) map[program.Expr]string {
	switch e := e.(type) {
	case *program.AssignField:
		return map[program.Expr]string{e.Value: "the state"}
	case *program.AssignSelf:
		return map[program.Expr]string{e.Value: "the state"}
	case *program.Emit:
		return each(e.Args, "an event")
	case *program.HandleExpr:
		return map[program.Expr]string{e.ID: "the id of an instance"}
	case *program.Spawn:
		return map[program.Expr]string{e.Fields: "the state of another instance", e.ID: "the id of an instance"}
	case *program.Ask:
		return each(e.Args, "a message")
	case *program.SignalSend:
		return map[program.Expr]string{e.Payload: "a signal"}
	case *program.Goto:
		return map[program.Expr]string{e.Input: "the input of a step", e.Reply: "a reply"}
	case *program.Pause:
		return map[program.Expr]string{e.Reason: "the reason of a pause", e.Input: "the input of a step", e.Reply: "a reply"}
	case *program.End:
		return map[program.Expr]string{e.Value: "a result", e.Reply: "a reply"}
	case *program.Delete:
		return map[program.Expr]string{e.Reply: "a reply"}
	case *program.Reply:
		return map[program.Expr]string{e.Value: "a reply"}
	case *program.Throw:
		return map[program.Expr]string{e.Value: "an error"}
	case *program.Fail:
		return map[program.Expr]string{e.Value: "an error", e.Reply: "a reply"}
	case *program.Reject:
		return map[program.Expr]string{e.Value: "an error"}
	}
	return nil
}

func each(es []program.Expr, where string) map[program.Expr]string {
	out := map[program.Expr]string{}
	for _, e := range es {
		out[e] = where
	}
	return out
}
