package checker

import "github.com/wf-lang/wf/lang/ast"

// findComputed marks the declared fields that `init` computes. A spawn need not
// give them, and they have their type from the first moment on: `init` assigns
// them in a statement of its own, and nothing before it can have read them, or
// have left `init` without refusing the spawn.
func (c *checker) findComputed(a *actor) {
	if a.kind != ast.KindWorkflow {
		return
	}
	for _, m := range a.decl.Members {
		in, ok := m.(*ast.Init)
		if !ok || in.Body == nil {
			continue
		}
		seen := &glance{c: c, a: a, fields: map[string]bool{}, funcs: map[*function]bool{}}
		for _, s := range in.Body.Stmts {
			field := plainAssignment(s)
			if field == "" {
				seen.look(s)
				continue
			}
			seen.look(s.(*ast.Assign).Value)
			if i, ok := a.fields[field]; ok && !seen.all && !seen.fields[field] {
				a.prog.Fields[i].Computed = true
			}
		}
		return
	}
}

// plainAssignment is the field of `self.field = value`, "" for all else.
func plainAssignment(e ast.Expr) string {
	if as, ok := e.(*ast.Assign); ok && as.Op == "=" {
		return selfField(as.Target)
	}
	return ""
}

// selfField is the field of `self.field`, "" for all else.
func selfField(e ast.Node) string {
	if f, ok := e.(*ast.Field); ok {
		if _, ok := f.X.(*ast.Self); ok {
			return f.Name.Name
		}
	}
	return ""
}

// A glance gathers which fields some code may read, also through the functions
// that it names.
type glance struct {
	c      *checker
	a      *actor
	all    bool // it may read any field, or leave
	fields map[string]bool
	funcs  map[*function]bool
}

// look goes through a statement or a value of `init` itself.
func (g *glance) look(in ast.Node) {
	walk(in, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Return:
			g.all = true
		case *ast.Lambda:
			g.read(n)
			return false
		}
		return g.visit(n)
	})
}

// read goes through code in which a `return` does not leave `init`.
func (g *glance) read(in ast.Node) { walk(in, g.visit) }

func (g *glance) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Self:
		g.all = true
	case *ast.Field:
		if field := selfField(n); field != "" {
			g.fields[field] = true
			return false
		}
	case *ast.Name:
		if f := g.c.functionOf(g.a, n.Name); f != nil && !g.funcs[f] {
			g.funcs[f] = true
			g.read(f.decl)
		}
	}
	return true
}
