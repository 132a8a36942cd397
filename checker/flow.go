package checker

import "github.com/wf-lang/wf/lang/program"

// completes reports whether evaluation may go on behind e. It errs towards
// yes: only what certainly leaves counts as leaving.
func completes(e program.Expr) bool {
	switch e := e.(type) {
	case nil:
		return true
	case *program.Goto, *program.Pause, *program.End, *program.Fail, *program.Delete, *program.Reply, *program.Reject,
		*program.Return, *program.Throw, *program.Break, *program.Continue:
		return false
	case *program.If:
		return completes(e.Cond) && (e.Else == nil || completes(e.Then) || completes(e.Else))
	case *program.And:
		return completes(e.X)
	case *program.Or:
		return completes(e.X)
	case *program.Coalesce:
		return completes(e.X)
	case *program.Match:
		return completes(e.X) && anyArm(len(e.Arms), func(i int) program.Expr { return e.Arms[i].Body })
	case *program.Select:
		return anyArm(len(e.Arms), func(i int) program.Expr { return e.Arms[i].Body })
	case *program.Try:
		return completes(e.Body) || completes(e.Catch)
	case *program.For:
		return completes(e.In)
	case *program.While:
		return !alwaysTrue(e.Cond) || leavesLoop(e.Body)
	}
	yes := true
	eachPart(e, func(p program.Expr) { yes = yes && completes(p) })
	return yes
}

func anyArm(n int, arm func(int) program.Expr) bool {
	for i := range n {
		if completes(arm(i)) {
			return true
		}
	}
	return n == 0
}

func alwaysTrue(e program.Expr) bool {
	c, ok := e.(*program.Const)
	if !ok {
		return false
	}
	v, isBool := c.Value.AsBool()
	return isBool && v
}

// leavesLoop reports whether a loop's body has a break of its own.
func leavesLoop(e program.Expr) bool {
	switch e.(type) {
	case *program.Break:
		return true
	case *program.For, *program.While:
		return false
	}
	for _, p := range parts(e) {
		if leavesLoop(p) {
			return true
		}
	}
	return false
}

// fallsThrough reports whether a step with this body may hand over to the item
// after it: by its end, by return, or by a pause that names no step.
func fallsThrough(body program.Expr) bool {
	return completes(body) || anyExpr(body, func(e program.Expr) bool {
		switch e := e.(type) {
		case *program.Return:
			return true
		case *program.Pause:
			return e.Then < 0 && (e.For != nil || e.Until != nil)
		}
		return false
	})
}

// anyExpr reports whether some part of e, itself included, is found.
func anyExpr(e program.Expr, found func(program.Expr) bool) bool {
	if e == nil {
		return false
	}
	if found(e) {
		return true
	}
	hit := false
	eachPart(e, func(p program.Expr) { hit = hit || anyExpr(p, found) })
	return hit
}
