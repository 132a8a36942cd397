package checker

import (
	"cmp"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// checkRetried warns of what a retry of a step does a second time.
func (c *checker) checkRetried(s *program.Step) {
	i := c.byFunc[s.Body]
	if i == nil || s.Policy.Retry == nil || isZero(s.Policy.Retry.Body) || i.all&outside == 0 {
		return
	}
	c.checkLuck(s)
	c.checkWaitThenCall(s)
	c.checkLoopOfCalls(s)
	c.checkOnlyOnce(s)
}

func isZero(e program.Expr) bool {
	c, ok := e.(*program.Const)
	if !ok {
		return false
	}
	n, isInt := c.Value.AsInt()
	return isInt && n == 0
}

// checkLuck: a call that is repeated by a retry, and whose repetition the other
// side does not have to recognize, before something that can fail.
func (c *checker) checkLuck(s *program.Step) {
	spoken := map[source.Span]bool{}
	var first *program.Perform
	v := &ways{c: c, starts: func(e program.Expr) bool {
		p, ok := e.(*program.Perform)
		if ok && byLuck(p) {
			first = p
		}
		return ok && byLuck(p)
	}}
	v.meets = func(e program.Expr, at, from source.Span) {
		if v.caught == 0 && !spoken[from] && canFail(e) {
			spoken[from] = true
			c.sayLuck(from, first, at)
		}
	}
	v.walk(s.Body.Body, nil)
}

// byLuck reports whether a call is neither made once nor recognized by a key.
func byLuck(p *program.Perform) bool {
	if p.Once {
		return false
	}
	switch p.Op.FullName() {
	case "Exec.run", "File.append":
		return true
	case "Http.post", "Http.patch":
		return !hasKey(p)
	}
	return false
}

// hasKey reports whether the headers of a call name a key, or may.
func hasKey(p *program.Perform) bool {
	for k, param := range p.Op.Params {
		if param.Name != "headers" || k >= len(p.Args) || p.Args[k] == nil {
			continue
		}
		r, ok := p.Args[k].(*program.RecordExpr)
		if !ok {
			return true
		}
		for _, x := range r.Entries {
			if x.Spread != nil || x.Computed != nil || strings.EqualFold(x.Key, "Idempotency-Key") {
				return true
			}
		}
	}
	return false
}

func canFail(e program.Expr) bool {
	switch e := e.(type) {
	case *program.Ask, *program.Await, *program.Throw:
		return true
	case *program.Perform:
		switch e.Op.Module {
		case "IO", "Log", "Timer":
			return false
		}
		return effects(e.Op.Effect)&performs != 0
	}
	return false
}

// checkWaitThenCall: when the call fails, the retry waits again.
func (c *checker) checkWaitThenCall(s *program.Step) {
	spoken := false
	v := &ways{c: c, starts: func(e program.Expr) bool { return c.acts(e)&waits != 0 }}
	v.meets = func(e program.Expr, at, from source.Span) {
		if p := c.callsOut(e); p != nil && !spoken && v.caught == 0 {
			spoken = true
			c.sayWaitThenCall(at, from)
		}
	}
	v.walk(s.Body.Body, nil)
}

// checkLoopOfCalls: when one call fails, and its error is not caught, the retry
// makes them all again.
func (c *checker) checkLoopOfCalls(s *program.Step) {
	anyExpr(s.Body.Body, func(e program.Expr) bool {
		if loop, ok := e.(*program.For); ok {
			if x := c.repeats(loop.Body, map[*program.Func]bool{}); x != nil {
				c.sayLoopOfCalls(loop, x)
			}
		}
		return false
	})
}

// checkOnlyOnce: a retry gets the answer of a `perform once` that there was. If
// nothing else can end differently, it comes to the same as the attempt before.
func (c *checker) checkOnlyOnce(s *program.Step) {
	if !s.Span.To(s.Body.Body.Span()).Holds(s.Policy.Retry.Span) {
		return // a default, which is for other steps too
	}
	var once *program.Perform
	other := anyExpr(s.Body.Body, func(e program.Expr) bool {
		switch e := e.(type) {
		case *program.Perform:
			switch {
			case e.Op.Module == "IO", e.Op.Module == "Log":
				return false
			case e.Once:
				once = cmp.Or(once, e)
				return false
			}
			return true
		case *program.Ask, *program.Spawn, *program.SignalSend, *program.Throw, *program.CallValue:
			return true
		}
		return c.acts(e)&(outside|readsClock|drawsChance) != 0
	})
	if once != nil && !other {
		c.sayOnlyOnce(s, once)
	}
}

// repeats finds a call that is made again whenever e is evaluated again, and
// whose failure is not caught; in functions that e calls too.
func (c *checker) repeats(e program.Expr, seen map[*program.Func]bool) program.Expr {
	var out program.Expr
	caught := caughtIn(e)
	anyExpr(e, func(x program.Expr) bool {
		if caught[x] {
			return false
		}
		found := false
		switch x := x.(type) {
		case *program.Ask:
			found = true
		case *program.Perform:
			found = c.callsOut(x) != nil && !x.Once
		case *program.CallFn:
			if !seen[x.Fn] {
				seen[x.Fn] = true
				found = c.repeats(x.Fn.Body, seen) != nil
			}
		}
		if found {
			out = x
		}
		return found
	})
	return out
}

// caughtIn are the expressions whose errors a `try` in e catches.
func caughtIn(e program.Expr) map[program.Expr]bool {
	caught := map[program.Expr]bool{}
	anyExpr(e, func(x program.Expr) bool {
		if t, ok := x.(*program.Try); ok {
			anyExpr(t.Body, func(y program.Expr) bool {
				caught[y] = true
				return false
			})
		}
		return false
	})
	return caught
}

// checkSpawnsInLoops warns of instances without names that the program's own
// statements make in a loop: a second run makes them all again.
func (c *checker) checkSpawnsInLoops(main *program.Func) {
	anyExpr(main.Body, func(e program.Expr) bool {
		var body program.Expr
		switch e := e.(type) {
		case *program.For:
			body = e.Body
		case *program.While:
			body = e.Body
		default:
			return false
		}
		anyExpr(body, func(x program.Expr) bool {
			if s, ok := x.(*program.Spawn); ok && s.ID == nil {
				c.saySpawnInLoop(s)
				return true
			}
			return false
		})
		return false
	})
}

// eachStep visits all steps of a workflow, those in blocks too.
func eachStep(items []*program.Item, visit func(*program.Step)) {
	for _, it := range items {
		if it.Step != nil {
			visit(it.Step)
			continue
		}
		for _, b := range it.Parallel.Branches {
			eachStep(b.Items, visit)
		}
	}
}

// checkAdvice warns of what costs people money: in each workflow, step by step
// and then over the ways between the steps.
func (c *checker) checkAdvice() {
	for _, a := range c.names.order {
		if a.kind != ast.KindWorkflow {
			continue
		}
		eachStep(a.prog.Items, c.checkRetried)
		c.checkLimits(a)
		c.checkWays(a)
	}
	if m := c.prog.Main; m != nil && len(m.Items) > 0 {
		c.checkSpawnsInLoops(m.Items[0].Step.Body)
	}
}
