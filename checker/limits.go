package checker

import (
	"time"

	"github.com/wf-lang/wf/lang/program"
)

// checkLimits warns of times to wait, and of limits of steps, that are longer
// than the limit of their workflow, which comes first then.
func (c *checker) checkLimits(a *actor) {
	if a.prog.Timeout == nil {
		return
	}
	limit, ok := duration(a.prog.Timeout.Body)
	if !ok {
		return
	}
	eachStep(a.prog.Items, func(s *program.Step) {
		if t := s.Policy.Timeout; t != nil {
			if d, ok := duration(t.Body); ok && d > limit {
				c.sayLimitAbove(t.Span, d, a.prog.Timeout.Span, limit)
			}
		}
		anyExpr(s.Body.Body, func(e program.Expr) bool {
			for _, x := range waitsOf(e) {
				if d, ok := duration(x); ok && d > limit {
					c.sayWaitAbove(x.Span(), d, a.prog.Timeout.Span, limit)
				}
			}
			return false
		})
	})
}

// waitsOf are the durations that an expression waits.
func waitsOf(e program.Expr) []program.Expr {
	var out []program.Expr
	switch e := e.(type) {
	case *program.Pause:
		out = append(out, e.For)
	case *program.Await:
		out = append(out, e.For)
	case *program.Select:
		for _, a := range e.Arms {
			out = append(out, a.After)
		}
	case *program.Perform:
		if effects(e.Op.Effect)&waits != 0 {
			out = append(out, e.Args...)
		}
	}
	return out
}

// duration is the value of a literal duration.
func duration(e program.Expr) (time.Duration, bool) {
	c, ok := e.(*program.Const)
	if !ok {
		return 0, false
	}
	return c.Value.AsDuration()
}
