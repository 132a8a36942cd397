package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// visibility follows a step's body along its ways and looks for a wait behind
// an assignment or emit: nobody sees that before the step ends, which is seldom
// what its author thinks.
type visibility struct {
	c      *checker
	spoken bool
}

// checkVisible warns once for each step.
func (c *checker) checkVisible(i *info) {
	if i.all&waits == 0 || i.all&(writesSelf|emits) == 0 {
		return
	}
	v := &visibility{c: c}
	v.walk(i.fn.Body, nil)
}

// walk follows e; change is the first assignment or emit before it, nil if
// there is none. The result is the same for what comes after e.
func (v *visibility) walk(e program.Expr, change *source.Span) *source.Span {
	switch e := e.(type) {
	case nil:
		return change
	case *program.If:
		return v.oneOf(v.walk(e.Cond, change), e.Then, e.Else)
	case *program.Match:
		var bodies []program.Expr
		for _, a := range e.Arms {
			bodies = append(bodies, a.Body)
		}
		return v.oneOf(v.walk(e.X, change), bodies...)
	case *program.Select:
		var bodies []program.Expr
		for _, a := range e.Arms {
			bodies = append(bodies, a.Body)
		}
		v.waits(e.Span(), change)
		return v.oneOf(change, bodies...)
	case *program.For:
		return v.around(v.walk(e.In, change), e.Body)
	case *program.While:
		return v.around(v.walk(e.Cond, change), e.Body)
	}
	for _, p := range parts(e) {
		change = v.walk(p, change)
	}
	return v.own(e, change)
}

// around follows a loop's body, and again if it changed something: the change
// comes before all of the next round.
func (v *visibility) around(change *source.Span, body program.Expr) *source.Span {
	after := v.walk(body, change)
	if change == nil && after != nil {
		v.walk(body, after)
	}
	return after
}

// oneOf follows one of several ways; those that leave do not count for what
// comes after.
func (v *visibility) oneOf(change *source.Span, ways ...program.Expr) *source.Span {
	out := change
	for _, w := range ways {
		if w == nil {
			continue
		}
		if after := v.walk(w, change); out == nil && completes(w) {
			out = after
		}
	}
	return out
}

// own is what one expression itself does.
func (v *visibility) own(e program.Expr, change *source.Span) *source.Span {
	var does effects
	switch e := e.(type) {
	case *program.AssignField, *program.AssignSelf:
		does = writesSelf
	case *program.Emit:
		does = emits
	case *program.Await:
		does = waits
	case *program.Perform:
		does = effects(e.Op.Effect)
	case *program.CallFn:
		if i := v.c.byFunc[e.Fn]; i != nil {
			does = i.all
		}
	}
	if does&waits != 0 {
		v.waits(e.Span(), change)
	}
	if does&(writesSelf|emits) != 0 && change == nil {
		span := e.Span()
		return &span
	}
	return change
}

func (v *visibility) waits(span source.Span, change *source.Span) {
	if change != nil && !v.spoken {
		v.spoken = true
		v.c.sayNotVisible(span, *change)
	}
}
