package checker

import "github.com/wf-lang/wf/lang/program"

// undoing looks for reads, in the compensation of a step, of fields that only
// this step assigns. When the step failed nothing was assigned, so such a read
// must ask first: by `err.completed`, or whether the field is nil.
type undoing struct {
	c      *checker
	a      *actor
	fields map[string]write // that only the step assigns
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
	u := &undoing{c: c, a: a, fields: map[string]write{}}
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
	case *program.SelfField:
		if w, ok := u.fields[e.Name]; ok && !s.completed && !s.fields[e.Name] {
			u.c.sayUndoReads(e, w)
			delete(u.fields, e.Name)
		}
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
		if f, ok := e.X.(*program.SelfField); ok {
			s = s.with(safe{fields: map[string]bool{f.Name: true}})
		}
		u.walk(e.X, s)
		u.walk(e.Y, s)
	case *program.Binary:
		s = s.with(u.asks(e))
		u.walk(e.X, s)
		u.walk(e.Y, s)
	case *program.Match:
		if f, ok := e.X.(*program.SelfField); ok {
			s = s.with(safe{fields: map[string]bool{f.Name: true}})
		}
		for _, p := range parts(e) {
			u.walk(p, s)
		}
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

// asks finds what a condition tests: `completed` of an error, or fields that
// are compared with nil or with what they should be.
func (u *undoing) asks(cond program.Expr) safe {
	out := safe{fields: map[string]bool{}}
	anyExpr(cond, func(e program.Expr) bool {
		switch e := e.(type) {
		case *program.Field:
			out.completed = out.completed || e.Name == "completed"
		case *program.Binary:
			if e.Op != program.Eq && e.Op != program.Ne {
				break
			}
			for _, side := range []program.Expr{e.X, e.Y} {
				if f, ok := side.(*program.SelfField); ok {
					out.fields[f.Name] = true
				}
			}
		}
		return false
	})
	return out
}
