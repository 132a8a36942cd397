package format

import "github.com/wf-lang/wf/lang/ast"

// expr walks through an expression or statement.
func (w *walker) expr(e ast.Expr) *doc {
	w.passBreaks()
	switch x := e.(type) {
	case *ast.NilLit:
		if p := w.peek(); p.start != int(x.Place.Start) || p.text != "nil" && p.text != "null" {
			w.failed = true
			return nil
		}
		return w.takeAs("nil")
	case *ast.NumberLit:
		if w.at("-") {
			return concat(w.take(), w.take())
		}
		return w.leaf(x)
	case *ast.StringLit, *ast.Interp, *ast.BoolLit, *ast.Name, *ast.Self, *ast.Break, *ast.Continue, *ast.Crash:
		return w.leaf(x)
	case *ast.Paren:
		return concat(w.expect("("), w.expr(x.X), w.expect(")"))
	case *ast.Tuple:
		return w.list(list{open: "(", close: ")", n: len(x.Elems), comma: true, elem: func(i int) *doc { return w.expr(x.Elems[i]) }})
	case *ast.List:
		return w.list(list{open: "[", close: "]", n: len(x.Elems), elem: func(i int) *doc { return w.expr(x.Elems[i]) }})
	case *ast.Spread:
		return concat(w.expect("..."), w.expr(x.X))
	case *ast.Record:
		return w.record(x)
	case *ast.Block:
		return group(w.block(x))
	case *ast.Unary:
		return concat(w.expect(string(x.Op)), w.expr(x.X))
	case *ast.Binary:
		return w.binary(x)
	case *ast.Field:
		return w.field(x)
	case *ast.Index:
		return concat(w.expr(x.X), w.expect("["), w.expr(x.I), w.expect("]"))
	case *ast.Call:
		return concat(w.expr(x.Fn), w.args(x.Args))
	case *ast.Lambda:
		return group(w.expect("fn"), w.params(x.Params), w.result(x.Result), w.body(x.Body))
	}
	return w.control(e)
}

func (w *walker) field(x *ast.Field) *doc {
	dot := "."
	if x.Opt {
		dot = "?."
	}
	return concat(w.expr(x.X), w.expect(dot), w.name(x.Name))
}

// block walks through `{ statements }`. What it gives is no group: the brace
// that ends a head is broken together with it.
func (w *walker) block(b *ast.Block) *doc {
	if b == nil {
		w.failed = true
		return nil
	}
	return w.braces(false, sequence{
		nodes: nodes(b.Stmts), drop: ";", end: int(b.Place.End) - 1,
		walk: func(i int) *doc { return w.expr(b.Stmts[i]) },
	}, "; ")
}

// body is what a function or handler does, with the blank before it.
func (w *walker) body(b ast.Body) *doc {
	if b.Equals {
		return concat(space(), w.expect("="), w.rest(b.Expr))
	}
	block, ok := b.Expr.(*ast.Block)
	if !ok {
		w.failed = true
		return nil
	}
	return concat(space(), w.block(block))
}

func (w *walker) record(r *ast.Record) *doc {
	if r == nil {
		w.failed = true
		return nil
	}
	return w.list(list{
		open: "{", close: "}", n: len(r.Entries), padded: true, lines: true,
		elem: func(i int) *doc {
			e := r.Entries[i]
			switch {
			case e.Spread != nil:
				return concat(w.expect("..."), w.expr(e.Spread))
			case e.Computed != nil:
				return concat(w.expect("["), w.expr(e.Computed), w.expect("]"), w.expect(":"), w.rest(e.Value))
			}
			return concat(w.name(e.Key), w.expect(":"), w.rest(e.Value))
		},
	})
}

// level is the precedence of an operator, the loosest first.
func level(op ast.BinaryOp) int {
	switch op {
	case "||":
		return 0
	case "&&":
		return 1
	case "|>":
		return 3
	case "??":
		return 4
	case "..":
		return 5
	case "+", "-":
		return 6
	case "*", "/", "%":
		return 7
	}
	return 2
}

// binary walks through a chain of operators of one level. If it does not fit
// on a line, each operator begins one; but a `-` ends one, since at the
// beginning it would be a sign.
func (w *walker) binary(b *ast.Binary) *doc {
	operands, ops := chain(b)
	first := w.expr(operands[0])
	if b.Op == ".." {
		return concat(first, w.expect(".."), w.expr(operands[1]))
	}
	split := false
	var parts []*doc
	var sign, operand *doc
	for i, op := range ops {
		split = split || op == "|>" && w.peek().line > w.pieces[max(w.pos-1, 0)].lastLine
		sign = w.expect(string(op))
		operand = w.expr(operands[i+1])
		if op == "-" {
			parts = append(parts, concat(space(), sign, line(" "), operand))
		} else {
			parts = append(parts, concat(line(" "), sign, space(), operand))
		}
	}
	d := breakIf(split, first, indent(parts...))
	if d != nil && !split && len(ops) == 1 && hugs(operands[1], true) {
		d.head, d.last = concat(first, space(), sign, space()), operand
	}
	return d
}

// chain takes a chain of operators of one level apart.
func chain(b *ast.Binary) (operands []ast.Expr, ops []ast.BinaryOp) {
	at := level(b.Op)
	if b.Op == "??" { // right to left
		for {
			operands, ops = append(operands, b.X), append(ops, b.Op)
			y, ok := b.Y.(*ast.Binary)
			if !ok || y.Op != "??" {
				return append(operands, b.Y), ops
			}
			b = y
		}
	}
	var links []*ast.Binary
	for {
		links = append(links, b)
		x, ok := b.X.(*ast.Binary)
		if !ok || level(x.Op) != at {
			break
		}
		b = x
	}
	operands = append(operands, b.X)
	for i := len(links) - 1; i >= 0; i-- {
		operands, ops = append(operands, links[i].Y), append(ops, links[i].Op)
	}
	return operands, ops
}
