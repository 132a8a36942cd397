package format

import "github.com/wf-lang/wf/lang/ast"

// control walks through what steers the flow.
func (w *walker) control(e ast.Expr) *doc {
	switch x := e.(type) {
	case *ast.Let:
		return w.let(x)
	case *ast.Assign:
		return concat(w.expr(x.Target), space(), w.expect(x.Op), w.rest(x.Value))
	case *ast.If:
		if x.ThenForm {
			return w.ifThen(x)
		}
		return group(w.ifBlocks(x))
	case *ast.Match:
		return group(w.expect("match"), space(), w.expr(x.X), space(), w.matchArms(x))
	case *ast.Select:
		return group(w.expect("select"), space(), w.selectArms(x))
	case *ast.For:
		head := concat(w.expect("for"), space(), w.pattern(x.Pattern), space(), w.expect("in"), space(), w.expr(x.In))
		return group(head, space(), w.block(x.Body))
	case *ast.While:
		return group(w.expect("while"), space(), w.expr(x.Cond), space(), w.block(x.Body))
	case *ast.Try:
		return w.try(x)
	case *ast.Return:
		return w.keyword("return", x.Value)
	case *ast.Throw:
		return w.keyword("throw", x.Value)
	}
	return w.ending(e)
}

// keyword is a word and the value behind it, if there is one, on its line.
func (w *walker) keyword(word string, value ast.Expr) *doc {
	d := w.expect(word)
	if value == nil {
		return d
	}
	return concat(d, space(), w.expr(value))
}

func (w *walker) let(x *ast.Let) *doc {
	word := "let"
	if x.Var {
		word = "var"
	}
	d := concat(w.expect(word), space(), w.pattern(x.Pattern), w.ofType(x.Type), space(), w.expect("="), w.rest(x.Value))
	if x.In == nil {
		return d
	}
	return w.in(d, x.In)
}

// in is `in body` behind a let or spawn.
func (w *walker) in(before *doc, body ast.Expr) *doc {
	if _, ok := body.(*ast.Block); ok {
		return concat(before, space(), w.expect("in"), space(), w.expr(body))
	}
	return group(before, line(" "), w.expect("in"), space(), w.expr(body))
}

// ifThen walks through `if c then a else if d then b else e`: on one line, or
// with a line for each else.
func (w *walker) ifThen(x *ast.If) *doc {
	first := w.thenPart(x)
	var more []*doc
	for x.Else != nil {
		word := concat(line(" "), w.expect("else"), space())
		next, ok := x.Else.(*ast.If)
		if !ok || !next.ThenForm || w.failed {
			more = append(more, word, w.expr(x.Else))
			break
		}
		more = append(more, word, w.thenPart(next))
		x = next
	}
	return group(first, indent(more...))
}

func (w *walker) thenPart(x *ast.If) *doc {
	cond := concat(w.expect("if"), space(), w.expr(x.Cond))
	return group(cond, indent(line(" "), w.expect("then"), space(), w.expr(x.Then)))
}

// ifBlocks walks through an if with blocks; all of them are broken if one is.
func (w *walker) ifBlocks(x *ast.If) *doc {
	then, ok := x.Then.(*ast.Block)
	if !ok {
		w.failed = true
		return nil
	}
	d := concat(w.expect("if"), space(), w.expr(x.Cond), space(), w.block(then))
	if x.Else == nil {
		return d
	}
	d = concat(d, space(), w.expect("else"), space())
	switch y := x.Else.(type) {
	case *ast.If:
		if !y.ThenForm {
			return concat(d, w.ifBlocks(y))
		}
	case *ast.Block:
		return concat(d, w.block(y))
	}
	return concat(d, w.expr(x.Else))
}

func (w *walker) try(x *ast.Try) *doc {
	d := concat(w.expect("try"), space(), w.block(x.Body), space(), w.expect("catch"), space())
	switch {
	case w.at("("):
		d = concat(d, w.inParens(x.Err), space())
	case x.Err != nil:
		d = concat(d, w.name(*x.Err), space())
	}
	return group(d, w.block(x.Catch))
}

func (w *walker) matchArms(x *ast.Match) *doc {
	return w.braces(false, sequence{
		nodes: nodes(x.Arms), drop: ",;|", end: int(x.Place.End) - 1,
		walk: func(i int) *doc {
			a := x.Arms[i]
			d := w.alternatives(a.Patterns)
			if a.Guard != nil {
				d = concat(d, space(), w.expect("if"), space(), w.expr(a.Guard))
			}
			return concat(d, space(), w.expect("=>"), w.rest(a.Body))
		},
	}, ", ")
}

func (w *walker) selectArms(x *ast.Select) *doc {
	return w.braces(false, sequence{
		nodes: nodes(x.Arms), drop: ",;|", end: int(x.Place.End) - 1,
		walk: func(i int) *doc { return w.selectArm(x.Arms[i]) },
	}, ", ")
}

func (w *walker) selectArm(a ast.SelectArm) *doc {
	var d *doc
	switch a.Kind {
	case ast.SelectSignal:
		d = concat(w.expect("signal"), space(), w.leaf(a.Name))
		if w.at("(") {
			d = concat(d, w.expect("("))
			if a.Pattern != nil {
				d = concat(d, w.pattern(a.Pattern))
			}
			d = concat(d, w.expect(")"))
		}
	case ast.SelectAfter:
		d = w.keyword("after", a.Value)
	default:
		d = w.keyword("at", a.Value)
	}
	return concat(d, space(), w.expect("=>"), w.rest(a.Body))
}
