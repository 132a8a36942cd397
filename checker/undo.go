package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// undoing looks for reads, in the compensation of a step, of fields that only
// this step assigns. When the step failed nothing was assigned, so such a read
// must ask first: by `err.completed`, or whether the field is nil.
type undoing struct {
	c      *checker
	a      *actor
	fields map[string]write // that only the step assigns
	names  map[int]known    // local names of the body at hand, by slot
	calls  []*program.Func  // that lead to it from the compensation
	at     source.Span      // of the outermost of them
}

// known is what a local name holds: such a field, or the answer to a question.
type known struct {
	field string
	asked safe
}

// safe is what a place in the compensation may rely on.
type safe struct {
	completed bool
	fields    map[string]bool
}

func (s safe) with(o safe) safe {
	out := safe{completed: s.completed || o.completed, fields: map[string]bool{}}
	for f := range s.fields {
		out.fields[f] = true
	}
	for f := range o.fields {
		out.fields[f] = true
	}
	return out
}

// checkUndo checks the compensation of a step; comp is its body's info.
func (c *checker) checkUndo(a *actor, step, comp *info) {
	u := &undoing{c: c, a: a, fields: map[string]write{}, names: map[int]known{}}
	for _, w := range step.allWrites {
		if w.field != "" && c.onlyBy(a, w.field, step, comp) {
			u.fields[w.field] = w
		}
	}
	if len(u.fields) > 0 {
		u.walk(comp.fn.Body, safe{})
	}
}

// onlyBy reports whether nothing but one step, and perhaps its compensation,
// gives a field a value.
func (c *checker) onlyBy(a *actor, field string, step, comp *info) bool {
	i, ok := a.fields[field]
	if !ok || a.prog.Fields[i].Declared && !startsNil(a.prog.Fields[i].Init) {
		return false
	}
	for _, w := range c.spawned()[a.decl.Name.Name] {
		if w.Name == field {
			return false
		}
	}
	for _, x := range c.infos {
		if x.actor != a || x == step || x == comp || x.kind == funcBody || x.kind == lambdaBody {
			continue
		}
		if x.writesField(field) || x.writesField("") {
			return false
		}
	}
	return true
}

// startsNil reports whether a field's initial value is nil.
func startsNil(init *program.Func) bool {
	if init == nil {
		return false // it is given at spawn
	}
	k, ok := init.Body.(*program.Const)
	return ok && k.Value.IsNil()
}

// walk looks at e, which may rely on s.
func (u *undoing) walk(e program.Expr, s safe) {
	switch e := e.(type) {
	case nil:
	case *program.SelfField, *program.Local:
		u.read(e, s)
	case *program.Let:
		u.name(e, s)
	case *program.CallFn:
		for _, a := range e.Args {
			u.walk(a, s)
		}
		u.enter(e, s)
	case *program.Lambda:
		outer := u.names
		u.names = map[int]known{}
		u.walk(e.Fn.Body, s)
		u.names = outer
	case *program.If:
		asked := u.asks(e.Cond)
		u.walk(e.Cond, s.with(asked))
		u.walk(e.Then, s.with(asked))
		u.walk(e.Else, s.with(asked))
	case *program.And:
		u.walk(e.X, s.with(u.asks(e.X)))
		u.walk(e.Y, s.with(u.asks(e.X)))
	case *program.Or:
		u.walk(e.X, s.with(u.asks(e.X)))
		u.walk(e.Y, s.with(u.asks(e.X)))
	case *program.Coalesce:
		s = s.with(u.tested(e.X))
		u.walk(e.X, s)
		u.walk(e.Y, s)
	case *program.Binary:
		s = s.with(u.asks(e))
		u.walk(e.X, s)
		u.walk(e.Y, s)
	case *program.Match:
		u.match(e, s)
	case *program.Block:
		for _, x := range e.Stmts {
			u.walk(x, s)
			if branch, ok := x.(*program.If); ok && (!completes(branch.Then) || branch.Else != nil && !completes(branch.Else)) {
				s = s.with(u.asks(branch.Cond)) // the rest runs in one of the two cases only
			}
		}
	default:
		for _, p := range parts(e) {
			u.walk(p, s)
		}
	}
}

// read refuses a field that has no value if the step failed.
func (u *undoing) read(e program.Expr, s safe) {
	field := u.fieldOf(e)
	w, ok := u.fields[field]
	if !ok || s.completed || s.fields[field] {
		return
	}
	at := e.Span()
	if len(u.calls) > 0 {
		at = u.at
	}
	u.c.sayUndoReads(at, field, w)
	delete(u.fields, field)
}

// fieldOf is the field that an expression reads, itself or by a local name.
func (u *undoing) fieldOf(e program.Expr) string {
	switch e := e.(type) {
	case *program.SelfField:
		return e.Name
	case *program.Local:
		return u.names[e.Slot].field
	}
	return ""
}

// name notes what a local name holds. A field is only read when the name is.
func (u *undoing) name(e *program.Let, s safe) {
	bind, ok := e.Pattern.(*program.Bind)
	if !ok {
		u.walk(e.Value, s)
		return
	}
	field := u.fieldOf(e.Value)
	if field == "" {
		u.walk(e.Value, s)
	}
	u.names[bind.Slot] = known{field: field, asked: u.asks(e.Value)}
}

// enter looks at a function that is called; what it reads is said at the call.
func (u *undoing) enter(e *program.CallFn, s safe) {
	if slices.Contains(u.calls, e.Fn) || u.c.byFunc[e.Fn] == nil || u.c.byFunc[e.Fn].all&readsSelf == 0 {
		return
	}
	if len(u.calls) == 0 {
		u.at = e.Span()
	}
	outer := u.names
	u.names = map[int]known{}
	u.calls = append(u.calls, e.Fn)
	u.walk(e.Fn.Body, s)
	u.calls = u.calls[:len(u.calls)-1]
	u.names = outer
}

// match: each arm may rely on what it asks of the value.
func (u *undoing) match(e *program.Match, s safe) {
	s = s.with(u.asks(e.X)).with(u.tested(e.X))
	u.walk(e.X, s)
	for _, a := range e.Arms {
		in := s
		for _, p := range a.Patterns {
			if r, ok := p.(*program.RecordOf); ok && slices.Contains(r.Keys, "completed") {
				in = in.with(safe{completed: true})
			}
		}
		u.walk(a.Guard, in)
		if a.Guard != nil {
			in = in.with(u.asks(a.Guard))
		}
		u.walk(a.Body, in)
	}
}

// tested is what one may rely on if e is a field that is asked for nil.
func (u *undoing) tested(e program.Expr) safe {
	if f := u.fieldOf(e); f != "" {
		return safe{fields: map[string]bool{f: true}}
	}
	return safe{}
}

// asks finds what a condition tests: `completed` of an error, or fields that
// are compared with nil or with what they should be.
func (u *undoing) asks(cond program.Expr) safe {
	out := safe{fields: map[string]bool{}}
	anyExpr(cond, func(e program.Expr) bool {
		switch e := e.(type) {
		case *program.Field:
			out.completed = out.completed || e.Name == "completed"
		case *program.Local:
			out = out.with(u.names[e.Slot].asked)
		case *program.Binary:
			if e.Op != program.Eq && e.Op != program.Ne {
				break
			}
			for _, side := range []program.Expr{e.X, e.Y} {
				if f := u.fieldOf(side); f != "" {
					out.fields[f] = true
				}
			}
		}
		return false
	})
	return out
}
