package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// ways follows a body along its ways, and those of the functions that it calls,
// and looks for two things of which one comes after the other.
type ways struct {
	c      *checker
	starts func(program.Expr) bool // the first
	// meets is told of anything behind it, where that is, and where the first
	// is: if one of the two is in a function that is called, at the call.
	meets  func(e program.Expr, at, first source.Span)
	caught int            // around this point: blocks whose faults are caught
	calls  []source.Span  // that lead to this point
	inside map[entry]bool // the functions that the outermost of them has led to
}

// met is where the first thing is, and in how many calls.
type met struct {
	span source.Span
	deep int
}

// entry is a function that is entered before or behind the first thing.
type entry struct {
	fn     *program.Func
	behind bool
}

// walk follows e; from is where the first thing was met before it, nil if
// nowhere. The result is the same for what comes after e.
func (v *ways) walk(e program.Expr, from *met) *met {
	switch e := e.(type) {
	case nil:
		return from
	case *program.Lambda:
		return from // what it does, it does where it is called
	case *program.If:
		return v.oneOf(v.walk(e.Cond, from), e.Then, e.Else)
	case *program.Match:
		var bodies []program.Expr
		for _, a := range e.Arms {
			bodies = append(bodies, a.Body)
		}
		return v.oneOf(v.walk(e.X, from), bodies...)
	case *program.Select:
		var bodies []program.Expr
		for _, a := range e.Arms {
			bodies = append(bodies, a.Body)
		}
		return v.oneOf(v.own(e, from), bodies...)
	case *program.For:
		return v.around(v.walk(e.In, from), e.Body)
	case *program.While:
		return v.around(v.walk(e.Cond, from), e.Body)
	case *program.Try:
		v.caught++
		after := v.walk(e.Body, from)
		v.caught--
		return v.walk(e.Catch, after)
	}
	eachPart(e, func(p program.Expr) { from = v.walk(p, from) })
	if call, ok := e.(*program.CallFn); ok {
		from = v.enter(call, from)
	}
	return v.own(e, from)
}

// enter follows the body of a function that is called. In what one call leads
// to, each function is looked at once, and once more behind the first thing.
func (v *ways) enter(call *program.CallFn, from *met) *met {
	if len(v.calls) == 0 {
		v.inside = map[entry]bool{}
	}
	key := entry{call.Fn, from != nil}
	if v.inside[key] || v.c.byFunc[call.Fn] == nil || v.c.byFunc[call.Fn].all&^readsSelf == 0 {
		return from
	}
	v.inside[key] = true
	v.calls = append(v.calls, call.Span())
	after := v.walk(call.Fn.Body, from)
	v.calls = v.calls[:len(v.calls)-1]
	if from == nil && after != nil {
		return &met{call.Span(), len(v.calls)}
	}
	return from
}

// around follows a loop's body, and again if the first thing was met in it: it
// comes before all of the next round.
func (v *ways) around(from *met, body program.Expr) *met {
	after := v.walk(body, from)
	if from == nil && after != nil {
		v.walk(body, after)
	}
	return after
}

// oneOf follows one of several ways; those that leave do not count for what
// comes after.
func (v *ways) oneOf(from *met, bodies ...program.Expr) *met {
	out := from
	for _, w := range bodies {
		if w == nil {
			continue
		}
		if after := v.walk(w, from); out == nil && completes(w) {
			out = after
		}
	}
	return out
}

// own is one expression itself.
func (v *ways) own(e program.Expr, from *met) *met {
	if from != nil {
		at := e.Span()
		if len(v.calls) > from.deep {
			at = v.calls[from.deep]
		}
		v.meets(e, at, from.span)
	} else if v.starts(e) {
		return &met{e.Span(), len(v.calls)}
	}
	return from
}

// acts are the effects of one expression itself, or of the functions that it
// calls.
func (c *checker) acts(e program.Expr) effects {
	out := c.own(e)
	for _, i := range c.borrowedAt[e] {
		out |= i.all
	}
	return out
}

func (c *checker) own(e program.Expr) effects {
	switch e := e.(type) {
	case *program.AssignField, *program.AssignSelf:
		return writesSelf
	case *program.Emit:
		return emits
	case *program.Await, *program.Select:
		return waits
	case *program.Perform:
		return effects(e.Op.Effect)
	case *program.CallFn:
		if i := c.byFunc[e.Fn]; i != nil {
			return i.all
		}
	}
	return 0
}

// checkVisible warns once for each step of a change that nobody sees while the
// step waits or calls something slow: it takes effect when the step ends.
func (c *checker) checkVisible(i *info) {
	if i.all&outside == 0 || i.all&(writesSelf|emits) == 0 {
		return
	}
	spoken := false
	v := &ways{
		c:      c,
		starts: func(e program.Expr) bool { return c.acts(e)&(writesSelf|emits) != 0 },
		meets: func(e program.Expr, at, change source.Span) {
			if !spoken && (c.acts(e)&waits != 0 || c.callsOut(e) != nil) {
				spoken = true
				c.sayNotVisible(at, change)
			}
		},
	}
	v.walk(i.fn.Body, nil)
}

// callsOut finds the operation with which an expression calls a service
// outside; nil if it does not.
func (c *checker) callsOut(e program.Expr) *program.Perform {
	p, ok := e.(*program.Perform)
	if !ok || effects(p.Op.Effect)&performs == 0 || effects(p.Op.Effect)&waits != 0 {
		return nil
	}
	switch p.Op.Module {
	case "Http", "LLM", "Exec":
		return p
	}
	return nil
}
