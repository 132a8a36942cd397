package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
)

// writeSet is assignments that may have happened on some way through a body.
type writeSet []write

func (s writeSet) with(ws ...write) writeSet {
	out := slices.Clone(s)
	for _, w := range ws {
		if !slices.ContainsFunc(out, func(o write) bool { return o.field == w.field }) {
			out = append(out, w)
		}
	}
	return out
}

// stayer walks a command's body along its ways. A way that ends in a
// transition cuts the running step, and one that ends in a rejection or a
// fault changes nothing; what was assigned on all others stays beside the step
// that runs.
type stayer struct {
	c     *checker
	stays writeSet
}

// staying are the fields that a command may assign without moving its workflow.
func (c *checker) staying(e program.Expr) writeSet {
	s := &stayer{c: c}
	if end, ok := s.walk(e, nil); ok {
		s.stays = s.stays.with(end...)
	}
	return s.stays
}

// walk follows e with what was assigned before; it gives what is assigned
// behind e, and false if no way leads there.
func (s *stayer) walk(e program.Expr, in writeSet) (writeSet, bool) {
	switch e := e.(type) {
	case *program.Goto, *program.Pause, *program.End, *program.Fail, *program.Delete, *program.Reject, *program.Throw:
		return in, false
	case *program.Return, *program.Reply:
		if out, ok := s.all(parts(e), in); ok {
			s.stays = s.stays.with(out...)
		}
		return in, false
	case *program.If:
		return s.branches(e.Cond, in, e.Else == nil, e.Then, e.Else)
	case *program.Match:
		var bodies []program.Expr
		for _, a := range e.Arms {
			bodies = append(bodies, a.Body)
		}
		return s.branches(e.X, in, false, bodies...)
	case *program.And:
		return s.branches(e.X, in, true, e.Y)
	case *program.Or:
		return s.branches(e.X, in, true, e.Y)
	case *program.Coalesce:
		return s.branches(e.X, in, true, e.Y)
	case *program.For:
		return s.branches(e.In, in, true, e.Body)
	case *program.While:
		return s.branches(e.Cond, in, true, e.Body)
	case *program.Try:
		after, ok := s.walk(e.Body, in)
		caught, ok2 := s.walk(e.Catch, in.with(s.every(e.Body)...))
		return after.with(caught...), ok || ok2
	}
	out, ok := s.all(parts(e), in)
	return out.with(s.own(e)...), ok
}

// all follows expressions one after the other.
func (s *stayer) all(es []program.Expr, in writeSet) (writeSet, bool) {
	for _, e := range es {
		var ok bool
		if in, ok = s.walk(e, in); !ok {
			return in, false
		}
	}
	return in, true
}

// branches follows a head and then one of several bodies, or none of them.
func (s *stayer) branches(head program.Expr, in writeSet, skip bool, bodies ...program.Expr) (writeSet, bool) {
	in, ok := s.walk(head, in)
	if !ok {
		return in, false
	}
	out, reached := in, skip
	for _, b := range bodies {
		if b == nil {
			continue
		}
		if after, ok := s.walk(b, in); ok {
			out, reached = out.with(after...), true
		}
	}
	return out, reached
}

// own are the fields that one expression itself assigns, by itself or through
// the function it calls.
func (s *stayer) own(e program.Expr) writeSet {
	switch e := e.(type) {
	case *program.AssignField:
		return writeSet{{e.Name, e.Span()}}
	case *program.AssignSelf:
		r, ok := e.Value.(*program.RecordExpr)
		if !ok {
			return writeSet{{"", e.Span()}}
		}
		var out writeSet
		for _, x := range r.Entries {
			out = append(out, write{x.Key, e.Span()})
		}
		return out
	case *program.CallFn:
		return s.of(e, s.c.byFunc[e.Fn])
	case *program.Lambda:
		return s.of(e, s.c.byFunc[e.Fn])
	case *program.FuncRef: // perhaps called by whoever gets it
		if !s.c.kept[e.Span()] {
			return s.of(e, s.c.byFunc[e.Fn])
		}
	}
	return s.of(e, nil)
}

// of are the fields that the functions assign which an expression calls.
func (s *stayer) of(e program.Expr, fn *info) writeSet {
	var out writeSet
	for _, i := range append(slices.Clone(s.c.borrowedAt[e]), fn) {
		if i == nil {
			continue
		}
		for _, w := range i.allWrites {
			out = append(out, write{w.field, e.Span()})
		}
	}
	return out
}

// every are all fields that some part of e assigns.
func (s *stayer) every(e program.Expr) writeSet {
	var out writeSet
	anyExpr(e, func(x program.Expr) bool {
		out = out.with(s.own(x)...)
		return false
	})
	return out
}
