package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// assign lowers an assignment to a variable, a field, or a place inside one.
func (b *body) assign(e *ast.Assign) program.Expr {
	if b.advancesStep(e) {
		return unit(e)
	}
	root, path := b.splitTarget(e.Target)
	op := assignOp(e.Op)
	switch root := root.(type) {
	case *ast.Self:
		return b.assignSelf(e, root, path, op)
	case *ast.Name:
		v := b.assigned(root.Name)
		if v == nil {
			b.expr(e.Value)
			b.assignUnknown(root)
			return nothing(e)
		}
		out := &program.AssignLocal{At: at(e), Name: root.Name, Path: path, Op: op}
		b.point(&out.Slot, v)
		if v.captured {
			b.c.sayAssignCaptured(e, root, v)
		} else if !v.mutable {
			b.c.sayAssignLet(root, v)
		}
		out.Value = b.expr(e.Value)
		return out
	case *ast.Bad:
		b.expr(e.Value)
		return nothing(e)
	}
	b.c.sayNotAssignable(e.Target)
	b.expr(e.Value)
	return nothing(e)
}

// assigned is lookup for a name that gets a value: that is no use of it.
func (b *body) assigned(name string) *variable {
	own := b.visible(name)
	if own == nil {
		return b.lookup(name)
	}
	own.assigned = true
	return own
}

func (b *body) assignUnknown(n *ast.Name) {
	if b.c.functionOf(b.actor, n.Name) != nil {
		b.c.sayNotAssignable(n)
		return
	}
	if k := b.constantNamed(n.Name); k != nil {
		b.c.sayAssignConstant(n, k)
		return
	}
	b.unknown(n)
}

func assignOp(op string) program.AssignOp {
	switch op {
	case "+=":
		return program.SetAdd
	case "-=":
		return program.SetSub
	}
	return program.Set
}

// splitTarget takes a left side apart; the indices in it are lowered.
func (b *body) splitTarget(e ast.Expr) (ast.Expr, []program.PathPart) {
	switch e := bare(e).(type) {
	case *ast.Field:
		root, path := b.splitTarget(e.X)
		return root, append(path, program.PathPart{Name: e.Name.Name, Span: e.Name.Span()})
	case *ast.Index:
		root, path := b.splitTarget(e.X)
		return root, append(path, program.PathPart{Index: b.expr(e.I), Span: e.I.Span()})
	default:
		return e, nil
	}
}

// advancesStep reports the one thing that a body may say about step_index:
// that it grows by one, which the runtime sees to anyway.
func (b *body) advancesStep(e *ast.Assign) bool {
	if !isStepIndex(e.Target) || b.root().kind.noSelf() {
		return false
	}
	one := func(x ast.Expr) bool {
		n, ok := bare(x).(*ast.NumberLit)
		return ok && n.Kind == ast.NumInt && n.Text == "1"
	}
	switch b.kind {
	case stepBody, branchBody:
	default:
		return false
	}
	if e.Op == "+=" {
		return one(e.Value)
	}
	sum, ok := bare(e.Value).(*ast.Binary)
	return ok && e.Op == "=" && sum.Op == "+" && isStepIndex(sum.X) && one(sum.Y)
}

func isStepIndex(e ast.Expr) bool {
	f, ok := bare(e).(*ast.Field)
	if !ok || f.Name.Name != "step_index" {
		return false
	}
	_, ok = bare(f.X).(*ast.Self)
	return ok
}

// assignSelf lowers an assignment to the state.
func (b *body) assignSelf(e *ast.Assign, self *ast.Self, path []program.PathPart, op program.AssignOp) program.Expr {
	if k := b.root().kind; k.noSelf() || k == stateValue {
		b.c.saySelfHere(self.Span(), k)
		b.expr(e.Value)
		return nothing(e)
	}
	if len(path) == 0 {
		return b.assignWhole(e)
	}
	if path[0].Index != nil {
		b.c.sayNotAssignable(e.Target)
		b.expr(e.Value)
		return nothing(e)
	}
	field := ast.Word{At: ast.At{Place: path[0].Span}, Name: path[0].Name}
	if _, ok := reservedPart(field.Name); ok {
		b.c.sayReservedWrite(field)
		b.expr(e.Value)
		return nothing(e)
	}
	out := &program.AssignField{At: at(e), Slot: -1, Name: field.Name, Path: path[1:], Op: op}
	if b.actor != nil {
		out.Slot = b.field(field, true)
	} else {
		b.looseField(field)
	}
	b.writes(field)
	out.Value = b.expr(e.Value)
	return out
}

func (b *body) writes(field ast.Word) {
	b.does(writesSelf, field.Span(), "assigns `self."+field.Name+"`")
	b.info.writes = append(b.info.writes, write{field.Name, field.Span()})
}

// assignWhole lowers `self = { … }`.
func (b *body) assignWhole(e *ast.Assign) program.Expr {
	r, ok := bare(e.Value).(*ast.Record)
	open := !ok || e.Op != "="
	if e.Op != "=" {
		b.c.sayNotAssignable(e.Target)
	}
	if ok {
		for _, x := range r.Entries {
			open = open || x.Computed != nil || x.Spread != nil
		}
		for _, k := range recordKeys(r) {
			if _, isReserved := reservedPart(k.Name); isReserved {
				b.c.sayReservedWrite(k)
				continue
			}
			if b.actor != nil {
				b.field(k, true)
			} else {
				b.looseField(k)
			}
			b.writes(k)
		}
	}
	if open {
		b.does(writesSelf, e.Span(), "assigns `self`")
		b.info.writes = append(b.info.writes, write{"", e.Span()})
	}
	return &program.AssignSelf{At: at(e), Value: b.expr(e.Value)}
}
