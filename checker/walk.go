package checker

import "github.com/wf-lang/wf/lang/ast"

// walk visits n and, where visit says so, all that lies below it, in the order
// of the text. It is for questions that need no names resolved: is something
// broken in here, which fields does this assign.
func walk(n ast.Node, visit func(ast.Node) bool) {
	if isNil(n) || !visit(n) {
		return
	}
	eachKid(n, func(k ast.Node) { walk(k, visit) })
}

// eachType visits a type and all types that it is made of, through the names of
// declared ones. A name is visited wherever it stands; what it means, once.
func (c *checker) eachType(t ast.Type, visit func(ast.Type)) {
	inside := map[string]bool{}
	var look func(ast.Node) bool
	look = func(n ast.Node) bool {
		t, ok := n.(ast.Type)
		if !ok {
			return true
		}
		visit(t)
		if name, ok := t.(*ast.NameType); ok && !inside[name.Name] {
			inside[name.Name] = true
			if d := c.names.types[name.Name]; d != nil {
				walk(d.Type, look)
				for _, v := range d.Variants {
					for _, f := range v.Fields {
						walk(f.Type, look)
					}
				}
			}
		}
		return true
	}
	walk(t, look)
}

// broken reports whether some part of n could not be read.
func broken(n ast.Node) bool {
	found := false
	walk(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Bad, *ast.BadItem, *ast.BadPattern, *ast.BadType:
			found = true
		}
		return !found
	})
	return found
}

// kidVisitor is called with each part that is there; nil interfaces and nil
// pointers are left out.
type kidVisitor func(ast.Node)

func (l kidVisitor) add(ns ...ast.Node) {
	for _, n := range ns {
		if !isNil(n) {
			l(n)
		}
	}
}

func addAll[T ast.Node](l kidVisitor, ns []T) {
	for _, n := range ns {
		if !isNil(n) {
			l(n)
		}
	}
}

// isNil reports whether n holds nothing; a nil *ast.Block in an interface
// counts as nothing.
func isNil(n ast.Node) bool {
	switch n := n.(type) {
	case nil:
		return true
	case *ast.Block:
		return n == nil
	case *ast.Record:
		return n == nil
	case *ast.StringLit:
		return n == nil
	case *ast.Compensate:
		return n == nil
	case *ast.Spawn:
		return n == nil
	}
	return false
}

func (l kidVisitor) params(ps []ast.Param) {
	for _, p := range ps {
		if p.Pattern != nil {
			l.add(p.Pattern)
		}
		l.add(p.Type)
	}
}

func (l kidVisitor) args(as []ast.Arg) {
	for _, a := range as {
		l.add(a.Value)
	}
}

func (l kidVisitor) clauses(cs []ast.Clause) {
	for _, c := range cs {
		l.add(c.Value)
	}
}

func (l kidVisitor) target(t *ast.Target) {
	if t != nil {
		l.args(t.Args)
	}
}

func (l kidVisitor) patterns(p ast.OrPattern) { addAll(l, p) }

func (l kidVisitor) patArgs(a *ast.PatArgs) {
	if a != nil {
		for _, x := range a.Args {
			l.patterns(x.Pattern)
		}
	}
}

func (l kidVisitor) fields(fs []ast.VField) {
	for _, f := range fs {
		l.add(f.Type)
	}
}

// eachKid visits the direct parts of a node.
func eachKid(n ast.Node, l kidVisitor) {
	switch n := n.(type) {
	case ast.Item:
		itemKids(l, n)
	case ast.Expr:
		exprKids(l, n)
	case ast.Pattern:
		patternKids(l, n)
	case ast.Type:
		typeKids(l, n)
	}
}

func itemKids(l kidVisitor, n ast.Item) {
	switch n := n.(type) {
	case *ast.Test:
		l.add(n.Body)
	case *ast.TypeDecl:
		l.add(n.Type)
		for _, v := range n.Variants {
			l.fields(v.Fields)
		}
	case *ast.EventDecl:
		l.fields(n.Fields)
	case *ast.FnDecl:
		l.params(n.Params)
		l.add(n.Result, n.Body.Expr)
	case *ast.Statement:
		l.add(n.Expr)
	case *ast.Workflow:
		addAll(l, n.Members)
	case *ast.State:
		l.add(n.Type, n.Init)
	case *ast.Timeout:
		l.add(n.Value)
	case *ast.Default:
		l.clauses(n.Clauses)
	case *ast.Init:
		l.add(n.Body)
	case *ast.Step:
		l.params(n.Params)
		l.clauses(n.Clauses)
		l.add(n.Body, n.Compensate)
	case *ast.Compensate:
		l.clauses(n.Clauses)
		l.add(n.Body)
	case *ast.Finally:
		l.clauses(n.Clauses)
		l.add(n.Body)
	case *ast.Parallel:
		l.add(n.First, n.ForPattern, n.ForIn, n.Max)
		l.clauses(n.Clauses)
		addAll(l, n.Items)
		l.add(n.Compensate)
	case *ast.Branch:
		addAll(l, n.Items)
		l.add(n.Compensate)
	case *ast.Command:
		l.params(n.Params)
		l.add(n.Result, n.Body.Expr)
	case *ast.Query:
		l.params(n.Params)
		l.add(n.Result, n.Body.Expr)
	case *ast.SignalDecl:
		l.params(n.Params)
	case *ast.Setting:
		l.add(n.Value)
	case *ast.Tool:
		l.params(n.Params)
		l.add(n.Result, n.Body)
	}
}

func exprKids(l kidVisitor, n ast.Expr) {
	switch n := n.(type) {
	case *ast.Interp:
		addAll(l, n.Parts)
	case *ast.Paren:
		l.add(n.X)
	case *ast.Tuple:
		addAll(l, n.Elems)
	case *ast.List:
		addAll(l, n.Elems)
	case *ast.Spread:
		l.add(n.X)
	case *ast.Record:
		for _, e := range n.Entries {
			l.add(e.Computed, e.Spread, e.Value)
		}
	case *ast.Block:
		addAll(l, n.Stmts)
	case *ast.Unary:
		l.add(n.X)
	case *ast.Binary:
		l.add(n.X, n.Y)
	case *ast.Field:
		l.add(n.X)
	case *ast.Index:
		l.add(n.X, n.I)
	case *ast.Call:
		l.add(n.Fn)
		l.args(n.Args)
	case *ast.Lambda:
		l.params(n.Params)
		l.add(n.Result, n.Body.Expr)
	case *ast.Let:
		l.add(n.Pattern, n.Type, n.Value, n.In)
	case *ast.Assign:
		l.add(n.Target, n.Value)
	case *ast.If:
		l.add(n.Cond, n.Then, n.Else)
	case *ast.Match:
		l.add(n.X)
		for _, a := range n.Arms {
			addAll(l, a.Patterns)
			l.add(a.Guard, a.Body)
		}
	case *ast.Select:
		for _, a := range n.Arms {
			l.add(a.Name, a.Pattern, a.Value, a.Body)
		}
	case *ast.For:
		l.add(n.Pattern, n.In, n.Body)
	case *ast.While:
		l.add(n.Cond, n.Body)
	case *ast.Try:
		l.add(n.Body, n.Catch)
	default:
		actionKids(l, n)
	}
}

// actionKids are the parts of what talks to the world and of the endings.
func actionKids(l kidVisitor, n ast.Expr) {
	switch n := n.(type) {
	case *ast.Return:
		l.add(n.Value)
	case *ast.Throw:
		l.add(n.Value)
	case *ast.Emit:
		l.args(n.Args)
	case *ast.Perform:
		l.args(n.Args)
	case *ast.Ask:
		l.add(n.Handle)
		l.args(n.Args)
	case *ast.Signal:
		l.add(n.Handle)
		l.args(n.Args)
	case *ast.Await:
		l.add(n.Handle, n.For)
	case *ast.Spawn:
		l.add(n.Fields, n.As)
	case *ast.SpawnIn:
		l.add(n.Spawn, n.In)
	case *ast.Fail:
		l.add(n.Value, n.Reply)
	case *ast.Goto:
		l.args(n.Target.Args)
		l.add(n.Reply)
	case *ast.End:
		l.add(n.Value, n.Reply)
	case *ast.Pause:
		l.add(n.Reason, n.For, n.Until)
		l.target(n.Then)
		l.add(n.Reply)
	case *ast.Delete:
		l.add(n.Reply)
	case *ast.Reply:
		l.add(n.Value)
	case *ast.Reject:
		l.add(n.Value)
	case *ast.Mock:
		l.patArgs(n.Args)
		l.add(n.After, n.Body)
	case *ast.Expect:
		l.add(n.X)
	case *ast.ExpectError:
		l.add(n.Code, n.Body)
	case *ast.Advance:
		l.add(n.By)
	}
}

func patternKids(l kidVisitor, n ast.Pattern) {
	switch n := n.(type) {
	case *ast.LitPattern:
		l.add(n.Value)
	case *ast.VariantPattern:
		l.patArgs(n.Args)
	case *ast.TuplePattern:
		for _, e := range n.Elems {
			l.patterns(e)
		}
	case *ast.ListPattern:
		for _, e := range n.Elems {
			l.patterns(e.Pattern)
		}
	case *ast.RecordPattern:
		for _, f := range n.Fields {
			l.patterns(f.Pattern)
		}
	}
}

func typeKids(l kidVisitor, n ast.Type) {
	switch n := n.(type) {
	case *ast.ListType:
		l.add(n.Elem)
	case *ast.TupleType:
		addAll(l, n.Elems)
	case *ast.FnType:
		addAll(l, n.Params)
		l.add(n.Result)
	case *ast.MapType:
		l.add(n.Elem)
	case *ast.RecordType:
		for _, f := range n.Fields {
			l.add(f.Type)
		}
	case *ast.OptType:
		l.add(n.Elem)
	}
}
