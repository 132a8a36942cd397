package format

import "github.com/wf-lang/wf/lang/ast"

// item walks through a declaration, a member or a statement of the top level.
func (w *walker) item(it ast.Item) *doc {
	switch x := it.(type) {
	case *ast.Statement:
		return w.expr(x.Expr)
	case *ast.Import:
		return concat(w.expect("import"), space(), w.leaf(x.Path))
	case *ast.Test:
		return group(w.expect("test"), space(), w.leaf(x.Name), space(), w.block(x.Body))
	case *ast.TypeDecl:
		return w.typeDecl(x)
	case *ast.EventDecl:
		return concat(w.expect("event"), space(), w.name(x.Name), w.fields(x.Fields))
	case *ast.FnDecl:
		return group(w.expect("fn"), space(), w.name(x.Name), w.params(x.Params), w.result(x.Result), w.body(x.Body))
	case *ast.Workflow:
		return group(w.expect(x.Kind.Keyword()), space(), w.name(x.Name), space(), w.members(x.Members, int(x.Place.End)))
	}
	return w.member(it)
}

func (w *walker) member(it ast.Item) *doc {
	switch x := it.(type) {
	case *ast.State:
		return w.state(x)
	case *ast.Timeout:
		if x.Value == nil {
			return concat(w.expect("timeout"), space(), w.expect("none"))
		}
		return concat(w.expect("timeout"), space(), w.expr(x.Value))
	case *ast.Default:
		d := w.expect("default")
		for _, c := range x.Clauses {
			d = concat(d, space(), w.clause(c))
		}
		return d
	case *ast.Init:
		return group(w.expect("init"), space(), w.block(x.Body))
	case *ast.Step:
		return w.step(x)
	case *ast.Compensate:
		return group(w.undo(x))
	case *ast.Finally:
		start := w.expect("finally")
		if x.Outcome != nil {
			start = concat(start, space(), w.inParens(x.Outcome))
		}
		return group(w.head(start, x.Clauses), w.block(x.Body))
	case *ast.Parallel:
		return w.parallel(x)
	case *ast.Branch:
		body := concat(w.expect("branch"), space(), w.name(x.Name), space(), w.members(x.Items, w.bodyEnd(x.Compensate, x)))
		return group(body, w.compensate(x.Compensate))
	}
	return w.handler(it)
}

// handler walks through a member that is called from outside.
func (w *walker) handler(it ast.Item) *doc {
	switch x := it.(type) {
	case *ast.Command:
		d := concat(w.expect("command"), space(), w.name(x.Name), w.params(x.Params), w.result(x.Result))
		for i, in := range x.In {
			if i == 0 {
				d = concat(d, space(), w.expect("in"), space(), w.name(in))
				continue
			}
			d = concat(d, w.needComma(), comma(), space(), w.name(in))
		}
		if x.Body.Expr == nil {
			return d
		}
		return group(d, w.body(x.Body))
	case *ast.Query:
		return group(w.expect("query"), space(), w.name(x.Name), w.params(x.Params), w.result(x.Result), w.body(x.Body))
	case *ast.SignalDecl:
		d := concat(w.expect("signal"), space(), w.name(x.Name))
		if x.HasParams {
			d = concat(d, w.params(x.Params))
		}
		return d
	case *ast.Setting:
		return concat(w.expect(x.Name.Name), w.rest(x.Value))
	case *ast.Tool:
		d := concat(w.expect("tool"), space(), w.name(x.Name), w.params(x.Params), w.result(x.Result))
		if x.About != nil {
			d = concat(d, space(), w.leaf(x.About))
		}
		return group(d, space(), w.block(x.Body))
	}
	w.failed = true
	return nil
}

// needComma passes over a comma, which must be there.
func (w *walker) needComma() *doc {
	if !w.at(",") {
		w.failed = true
		return nil
	}
	return behind(w.drop())
}

func (w *walker) state(x *ast.State) *doc {
	d := concat(w.expect("state"), space(), w.name(x.Name), w.ofType(x.Type))
	if x.Init == nil {
		return d
	}
	return concat(d, space(), w.expect("="), w.rest(x.Init))
}

func (w *walker) step(x *ast.Step) *doc {
	start := concat(w.expect("step"), space(), w.name(x.Name))
	if x.HasParams {
		start = concat(start, w.params(x.Params))
	}
	return group(w.head(start, x.Clauses), w.block(x.Body), w.compensate(x.Compensate))
}

func (w *walker) parallel(x *ast.Parallel) *doc {
	start := w.expect("parallel")
	if x.Settle {
		start = concat(start, space(), w.expect("settle"))
	}
	if x.First != nil {
		start = concat(start, space(), w.keyword("first", x.First))
	}
	if x.ForPattern != nil {
		start = concat(start, space(), w.expect("for"), space(), w.pattern(x.ForPattern), space(), w.keyword("in", x.ForIn))
	}
	if x.Max != nil {
		start = concat(start, space(), w.keyword("max", x.Max))
	}
	head := w.head(start, x.Clauses)
	return group(head, w.members(x.Items, w.bodyEnd(x.Compensate, x)), w.compensate(x.Compensate))
}

// head is what stands before a body: on one line, or each clause on one of its
// own and the brace below.
func (w *walker) head(start *doc, clauses []ast.Clause) *doc {
	var more []*doc
	for _, c := range clauses {
		more = append(more, w.clause(c))
	}
	if len(more) == 0 {
		return concat(start, space())
	}
	return group(start, indent(line(" "), join(more, line(" "))), line(" "))
}

func (w *walker) clause(c ast.Clause) *doc {
	keyword := w.expect([...]string{"timeout", "retry", "backoff", "when", "else"}[c.Kind])
	switch {
	case c.Kind == ast.ClauseElse:
		return concat(keyword, space(), w.name(c.Target))
	case c.Value == nil:
		return concat(keyword, space(), w.expect("none"))
	}
	d := concat(keyword, space(), w.expr(c.Value))
	if c.Jitter {
		d = concat(d, space(), w.expect("jitter"))
	}
	return d
}

// compensate is the compensation behind a body, on the line of its brace.
func (w *walker) compensate(c *ast.Compensate) *doc {
	if c == nil {
		return nil
	}
	return concat(space(), group(w.undo(c)))
}

func (w *walker) undo(c *ast.Compensate) *doc {
	start := w.expect("compensate")
	if c.Err != nil {
		start = concat(start, w.inParens(c.Err))
	}
	return concat(w.head(start, c.Clauses), w.block(c.Body))
}

// inParens is a name in parentheses, which may be missing there.
func (w *walker) inParens(name *ast.Word) *doc {
	open := w.expect("(")
	if name != nil && name.Name != "" {
		open = concat(open, w.name(*name))
	}
	return concat(open, w.expect(")"))
}

// bodyEnd is the offset behind the braces of a node with a compensation.
func (w *walker) bodyEnd(c *ast.Compensate, n ast.Node) int {
	if c == nil {
		return int(n.Span().End)
	}
	end := int(n.Span().Start)
	for i := w.pos; w.pieces[i].kind != endOfFile && w.pieces[i].start < int(c.Place.Start); i++ {
		if w.pieces[i].text == "}" {
			end = w.pieces[i].end
		}
	}
	return end
}

// members walks through `{ members }`, which ends at the offset end.
func (w *walker) members(items []ast.Item, end int) *doc {
	return w.braces(len(items) > 1, sequence{
		nodes: nodes(items), drop: ";", end: end - 1,
		walk: func(i int) *doc { return w.item(items[i]) },
	}, "; ")
}

// braces walks through a sequence in braces. It stays on one line only if it
// was on one, and whole then splits its elements.
func (w *walker) braces(split bool, s sequence, whole string) *doc {
	opener := w.peek()
	open := w.expect("{")
	if w.failed {
		return nil
	}
	elems := w.sequence(s)
	own, inline := w.closing(len(elems) == 0)
	split = split || w.peek().line > opener.line
	closer := concat(inline, w.expect("}"))
	if own != nil {
		elems = append(elems, own)
	}
	if len(elems) == 0 {
		return concat(open, closer)
	}
	d := concat(open, indent(line(" "), join(elems, line(whole))), line(" "), closer)
	if split && d != nil {
		d.hard = true
	}
	return d
}
