package checker

import "github.com/wf-lang/wf/lang/program"

// checkHints warns of what is allowed in a step and seldom meant.
func (c *checker) checkHints() {
	for _, i := range c.infos {
		if i.kind != stepBody && i.kind != branchBody {
			continue
		}
		c.checkVisible(i)
		c.checkLoops(i)
		c.checkThrown(i.fn.Body)
	}
	c.checkAdvice()
}

// checkLoops warns of a loop that waits for a field to change which it does
// not change itself: an attempt reads the state as it was when it started.
func (c *checker) checkLoops(i *info) {
	anyExpr(i.fn.Body, func(e program.Expr) bool {
		w, ok := e.(*program.While)
		if !ok {
			return false
		}
		if fields, only := fieldsRead(w.Cond); only && len(fields) > 0 && !c.changes(w, fields) && !leaves(w.Body) {
			c.sayLoopNeverSees(w, fields[0])
		}
		return false
	})
}

// fieldsRead lists the fields that a condition reads, and whether nothing else
// in it can change.
func fieldsRead(cond program.Expr) ([]string, bool) {
	var fields []string
	other := anyExpr(cond, func(e program.Expr) bool {
		switch e := e.(type) {
		case *program.SelfField:
			fields = append(fields, e.Name)
		case *program.Const, *program.Not, *program.Neg, *program.Binary, *program.And, *program.Or, *program.Coalesce,
			*program.Field, *program.Index:
		default:
			return true
		}
		return false
	})
	return fields, !other
}

// changes reports whether a loop assigns one of the fields.
func (c *checker) changes(w *program.While, fields []string) bool {
	s := &stayer{c: c}
	for _, x := range s.every(w.Body) {
		for _, f := range fields {
			if x.field == f || x.field == "" {
				return true
			}
		}
	}
	return false
}

// leaves reports whether a loop's body can leave the loop.
func leaves(body program.Expr) bool {
	return leavesLoop(body) || anyExpr(body, func(e program.Expr) bool {
		switch e.(type) {
		case *program.Return, *program.Throw, *program.Goto, *program.Pause, *program.End, *program.Fail:
			return true
		}
		return false
	})
}

// checkThrown warns of a block that assigns or emits and then throws, so that
// nothing of it stays. What stands in `try` is caught and stays.
func (c *checker) checkThrown(e program.Expr) {
	if t, ok := e.(*program.Try); ok {
		c.checkThrown(t.Catch)
		return
	}
	if b, ok := e.(*program.Block); ok {
		var lost program.Expr
		for _, s := range b.Stmts {
			_, throws := s.(*program.Throw)
			switch {
			case throws && lost != nil:
				c.sayThrownAway(s, lost)
			case c.own(s)&(writesSelf|emits) != 0:
				lost = s
			}
		}
	}
	eachPart(e, c.checkThrown)
}
