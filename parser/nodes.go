package parser

import "github.com/wf-lang/wf/lang/ast"

// What participle has read becomes nodes of the tree.

func wordOf(n ast.Node) ast.Word {
	w, _ := n.(ast.Word)
	return w
}

func wordPtr(n ast.Node) *ast.Word {
	if w, ok := n.(ast.Word); ok {
		return &w
	}
	return nil
}

func blockOf(n ast.Node) *ast.Block {
	b, _ := n.(*ast.Block)
	return b
}

func stringOf(n ast.Node) *ast.StringLit {
	s, _ := n.(*ast.StringLit)
	return s
}

func paramsOf(n ast.Node) []ast.Param {
	l, _ := n.(paramNode)
	return l.list
}

func bodyOf(n ast.Node) ast.Body {
	b, _ := n.(bodyNode)
	return b.body
}

func membersOf(n ast.Node) []ast.Item {
	m, _ := n.(memberNode)
	return m.list
}

func undoOf(n ast.Node) *ast.Compensate {
	c, _ := n.(*ast.Compensate)
	return c
}

func clausesOf[T ast.Node](nodes []T) []ast.Clause {
	var clauses []ast.Clause
	for _, n := range nodes {
		if c, ok := ast.Node(n).(ast.Clause); ok {
			clauses = append(clauses, c)
		}
	}
	return clauses
}

func (d *importDecl) node(at ast.At, _ string) ast.Item {
	return &ast.Import{At: at, Path: stringOf(d.Path)}
}

func (d *testDecl) node(at ast.At, _ string) ast.Item {
	return &ast.Test{At: at, Name: stringOf(d.Name), Body: blockOf(d.Body)}
}

func (d *typeDecl) node(at ast.At, doc string) ast.Item {
	t, _ := d.Body.(typeNode)
	return &ast.TypeDecl{At: at, Doc: doc, Name: wordOf(d.Name), Type: t.typ, Variants: t.variants}
}

func (d *eventDecl) node(at ast.At, doc string) ast.Item {
	f, _ := d.Fields.(fieldNode)
	return &ast.EventDecl{At: at, Doc: doc, Name: wordOf(d.Name), Fields: f.list}
}

func (d *fnDecl) node(at ast.At, doc string) ast.Item {
	return &ast.FnDecl{At: at, Doc: doc, Name: wordOf(d.Name), Params: paramsOf(d.Params), Result: d.Result, Body: bodyOf(d.Body)}
}

func (d *actorDecl) node(at ast.At, doc string) ast.Item {
	kind := ast.KindWorkflow
	switch d.Kind {
	case "entity":
		kind = ast.KindEntity
	case "agent":
		kind = ast.KindAgent
	}
	return &ast.Workflow{At: at, Kind: kind, Doc: doc, Name: wordOf(d.Name), Members: membersOf(d.Body)}
}

func (d *stateDecl) node(at ast.At, doc string) ast.Item {
	return &ast.State{At: at, Doc: doc, Name: wordOf(d.Name), Type: d.Type, Init: d.Init}
}

func (d *timeoutDecl) node(at ast.At, _ string) ast.Item {
	return &ast.Timeout{At: at, Value: d.Value}
}

func (d *defaultDecl) node(at ast.At, _ string) ast.Item {
	return &ast.Default{At: at, Clauses: clausesOf(d.Clauses)}
}

func (d *initDecl) node(at ast.At, _ string) ast.Item {
	return &ast.Init{At: at, Body: blockOf(d.Body)}
}

func (d *stepDecl) node(at ast.At, doc string) ast.Item {
	return &ast.Step{
		At: at, Doc: doc, Name: wordOf(d.Name), HasParams: d.Params != nil, Params: paramsOf(d.Params),
		Clauses: clausesOf(d.Clauses), Body: blockOf(d.Body), Compensate: undoOf(d.Compensate),
	}
}

func (d *compensateDecl) node(at ast.At, _ string) ast.Item {
	return &ast.Compensate{At: at, Err: wordPtr(d.Err), Clauses: clausesOf(d.Clauses), Body: blockOf(d.Body)}
}

func (d *finallyDecl) node(at ast.At, _ string) ast.Item {
	return &ast.Finally{At: at, Outcome: wordPtr(d.Outcome), Clauses: clausesOf(d.Clauses), Body: blockOf(d.Body)}
}

func (d *parallelDecl) node(at ast.At, _ string) ast.Item {
	return &ast.Parallel{
		At: at, Settle: d.Settle, First: d.First, ForPattern: d.Pattern, ForIn: d.In, Max: d.Max,
		Clauses: clausesOf(d.Clauses), Items: membersOf(d.Body), Compensate: undoOf(d.Compensate),
	}
}

func (d *branchDecl) node(at ast.At, _ string) ast.Item {
	return &ast.Branch{At: at, Name: wordOf(d.Name), Items: membersOf(d.Body), Compensate: undoOf(d.Compensate)}
}

func (d *commandDecl) node(at ast.At, doc string) ast.Item {
	c := &ast.Command{At: at, Doc: doc, Name: wordOf(d.Name), Params: paramsOf(d.Params), Result: d.Result, Body: bodyOf(d.Body)}
	for _, w := range d.In {
		c.In = append(c.In, wordOf(w))
	}
	return c
}

func (d *queryDecl) node(at ast.At, doc string) ast.Item {
	return &ast.Query{At: at, Doc: doc, Name: wordOf(d.Name), Params: paramsOf(d.Params), Result: d.Result, Body: bodyOf(d.Body)}
}

func (d *signalDecl) node(at ast.At, doc string) ast.Item {
	params := paramsOf(d.Payload)
	return &ast.SignalDecl{At: at, Doc: doc, Name: wordOf(d.Name), HasParams: params != nil, Params: params}
}

func (d *settingDecl) node(at ast.At, _ string) ast.Item {
	name := ast.Word{At: ast.At{Place: at.Place}, Name: d.Name}
	name.Place.End = name.Place.Start + uint32(len(d.Name))
	return &ast.Setting{At: at, Name: name, Value: d.Value}
}

func (d *toolDecl) node(at ast.At, doc string) ast.Item {
	return &ast.Tool{
		At: at, Doc: doc, Name: wordOf(d.Name), Params: paramsOf(d.Params), Result: d.Result,
		About: stringOf(d.About), Body: blockOf(d.Body),
	}
}
