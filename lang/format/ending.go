package format

import "github.com/wf-lang/wf/lang/ast"

// ending walks through a statement that ends a step, and what is like one.
func (w *walker) ending(e ast.Expr) *doc {
	switch x := e.(type) {
	case *ast.Fail:
		return w.reply(w.keyword("fail", x.Value), x.Reply)
	case *ast.Goto:
		d := concat(w.expect("goto"), space(), w.target(x.Target))
		return w.reply(d, x.Reply)
	case *ast.End:
		return w.reply(w.keyword("end", x.Value), x.Reply)
	case *ast.Pause:
		return w.pause(x)
	case *ast.Delete:
		return w.reply(w.expect("delete"), x.Reply)
	case *ast.Reply:
		return w.keyword("reply", x.Value)
	case *ast.Reject:
		d := w.expect("reject")
		if x.Code.Name != "" {
			d = concat(d, space(), w.name(x.Code))
		}
		return concat(d, space(), w.expr(x.Value))
	}
	return w.message(e)
}

// reply adds `reply e` to an ending.
func (w *walker) reply(before *doc, value ast.Expr) *doc {
	if value == nil {
		return before
	}
	return concat(before, space(), w.keyword("reply", value))
}

func (w *walker) target(t ast.Target) *doc {
	d := w.name(t.Step)
	if t.HasArgs {
		d = concat(d, w.args(t.Args))
	}
	return d
}

func (w *walker) pause(x *ast.Pause) *doc {
	d := w.keyword("pause", x.Reason)
	switch {
	case x.For != nil:
		d = concat(d, space(), w.keyword("for", x.For))
	case x.Until != nil:
		d = concat(d, space(), w.keyword("until", x.Until))
	}
	if x.Then != nil {
		d = concat(d, space(), w.expect("then"), space(), w.target(*x.Then))
	}
	return w.reply(d, x.Reply)
}

// message walks through what goes to others.
func (w *walker) message(e ast.Expr) *doc {
	switch x := e.(type) {
	case *ast.Emit:
		d := concat(w.expect("emit"), space(), w.name(x.Name))
		if x.HasArgs {
			d = concat(d, w.args(x.Args))
		}
		return d
	case *ast.Perform:
		d := w.once("perform", x.Once)
		return concat(d, w.name(x.Module), w.expect("."), w.name(x.Op), w.args(x.Args))
	case *ast.Ask:
		return concat(w.expect("ask"), space(), w.expr(x.Handle), w.expect("."), w.name(x.Name), w.args(x.Args))
	case *ast.Signal:
		return concat(w.expect("signal"), space(), w.expr(x.Handle), w.expect("."), w.name(x.Name), w.args(x.Args))
	case *ast.Await:
		d := w.keyword("await", x.Handle)
		if x.For != nil {
			d = concat(d, space(), w.keyword("for", x.For))
		}
		return d
	case *ast.Spawn:
		return w.spawn(x)
	case *ast.SpawnIn:
		return w.in(w.spawn(x.Spawn), x.In)
	}
	return w.testStatement(e)
}

// once is a word with `once` behind it, if it is set, and a blank.
func (w *walker) once(word string, set bool) *doc {
	d := concat(w.expect(word), space())
	if set {
		d = concat(d, w.expect("once"), space())
	}
	return d
}

func (w *walker) spawn(x *ast.Spawn) *doc {
	d := concat(w.expect("spawn"), space(), w.name(x.Workflow), space(), w.record(x.Fields))
	if x.As != nil {
		d = concat(d, space(), flat(w.keyword("as", x.As)))
	}
	return d
}

// testStatement walks through a statement that only tests have.
func (w *walker) testStatement(e ast.Expr) *doc {
	switch x := e.(type) {
	case *ast.Mock:
		d := concat(w.once("mock", x.Once), w.name(x.Module), w.expect("."), w.name(x.Op))
		if x.Args != nil {
			d = concat(d, w.patArgs(x.Args))
		}
		if x.After != nil {
			d = concat(d, space(), w.keyword("after", x.After))
		}
		return concat(d, space(), w.expect("=>"), w.rest(x.Body))
	case *ast.Expect:
		return w.keyword("expect", x.X)
	case *ast.ExpectError:
		return group(w.keyword("expect_error", x.Code), space(), w.block(x.Body))
	case *ast.Advance:
		return w.keyword("advance", x.By)
	}
	w.failed = true // a Bad node
	return nil
}
