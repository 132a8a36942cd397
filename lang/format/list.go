package format

import "github.com/wf-lang/wf/lang/ast"

// A list is what stands between two brackets, split by commas.
type list struct {
	open, close string
	n           int
	elem        func(i int) *doc
	padded      bool // blanks inside the brackets, as in a record
	lines       bool // line breaks split elements as commas do
	comma       bool // a single element keeps its comma
	hug         bool // the last element may be broken while the others are not
}

// list walks through a list. It is on one line if it fits there and does not
// have its first element on a line of its own; else each element has one.
func (w *walker) list(l list) *doc {
	opener := w.peek()
	open := w.expect(l.open)
	split := l.n > 0 && w.peek().line > opener.line
	elems := w.elements(l)
	own, inline := w.closing(len(elems) == 0)
	tail := concat(inline, w.expect(l.close))
	if w.failed {
		return nil
	}
	if len(elems) == 0 && own == nil {
		return concat(open, tail)
	}
	return arrange(l, split, open, elems, own, tail)
}

// elements walks through the elements and the commas behind them.
func (w *walker) elements(l list) []*doc {
	var elems []*doc
	for before, _ := w.separators(l); len(elems) < l.n && !w.failed; {
		lead := w.lead(len(elems) == 0)
		elem := l.elem(len(elems))
		after, any := w.separators(l)
		elems = append(elems, concat(before, lead, elem, after))
		before = nil
		if !any && len(elems) < l.n {
			w.failed = true // nothing separates them: a mistake
		}
	}
	return elems
}

// separators passes over what splits elements; it reports whether there is
// any, and gives the comments that belong to the element before.
func (w *walker) separators(l list) (comments *doc, any bool) {
	any = l.lines && w.peek().line > w.pieces[max(w.pos-1, 0)].lastLine
	for w.at(",") || l.lines && w.at(";") {
		comments = concat(comments, behind(w.drop()))
		any = true
		if !l.lines {
			break
		}
	}
	return comments, any
}

// arrange is the layout of a list.
func arrange(l list, split bool, open *doc, elems []*doc, own, tail *doc) *doc {
	flatPad := ""
	if l.padded {
		flatPad = " "
	}
	body := []*doc{line(flatPad)}
	for i, e := range elems {
		body = append(body, e)
		switch {
		case i < len(elems)-1:
			body = append(body, comma(), line(" "))
		case l.comma && l.n == 1:
			body = append(body, comma())
		default:
			body = append(body, broken(comma(), ""))
		}
	}
	if own != nil {
		body = append(body, hard(), own)
	}
	d := breakIf(split, open, indent(body...), line(flatPad), tail)
	if n := len(elems); l.hug && !split && own == nil {
		head := []*doc{open}
		for _, e := range elems[:n-1] {
			head = append(head, e, comma(), space())
		}
		d.head, d.last, d.tail = concat(head...), elems[n-1], tail
	}
	return d
}

// args are the arguments of a call.
func (w *walker) args(args []ast.Arg) *doc {
	return w.list(list{
		open: "(", close: ")", n: len(args), hug: len(args) > 0 && hugs(args[len(args)-1].Value, len(args) == 1),
		elem: func(i int) *doc {
			if args[i].Name.Name == "" {
				return w.expr(args[i].Value)
			}
			return concat(w.name(args[i].Name), w.expect(":"), w.rest(args[i].Value))
		},
	})
}

// hugs reports whether an expression, as the last argument of a call, may be
// broken while the call is not: it ends in a bracket of its own. only says that
// it is the only argument.
func hugs(e ast.Expr, only bool) bool {
	switch x := e.(type) {
	case *ast.Record:
		return len(x.Entries) > 0
	case *ast.List:
		return len(x.Elems) > 0
	case *ast.Block, *ast.Match, *ast.Select:
		return true
	case *ast.StringLit:
		return x.Raw
	case *ast.Interp:
		return x.Raw
	case *ast.Lambda:
		return !x.Body.Equals || hugs(x.Body.Expr, only)
	case *ast.Call:
		return only && len(x.Args) > 0 && hugs(x.Args[len(x.Args)-1].Value, len(x.Args) == 1)
	}
	return false
}

// rest is a value behind `=`, `:`, `=>` and the like, with the blank before it:
// on the same line if it can be broken itself, else on the next if it does not
// fit.
func (w *walker) rest(e ast.Expr) *doc {
	if breaks(e) {
		return concat(space(), w.expr(e))
	}
	return group(indent(line(" "), w.expr(e)))
}

// breaks reports whether an expression has places at which it may be broken.
func breaks(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.StringLit:
		return x.Raw
	case *ast.Interp:
		return x.Raw
	case *ast.NumberLit, *ast.BoolLit, *ast.NilLit, *ast.Name, *ast.Self, *ast.Break, *ast.Continue, *ast.Delete, *ast.Crash:
		return false
	case *ast.Field:
		return breaks(x.X)
	case *ast.Index:
		return breaks(x.X) || breaks(x.I)
	case *ast.Unary:
		return breaks(x.X)
	case *ast.Paren:
		return breaks(x.X)
	case *ast.Await:
		return breaks(x.Handle)
	case *ast.Tuple:
		return len(x.Elems) > 0
	case *ast.Call:
		return len(x.Args) > 0 || breaks(x.Fn)
	case *ast.Emit:
		return len(x.Args) > 0
	case *ast.Spawn:
		return x.Fields != nil && len(x.Fields.Entries) > 0
	case *ast.Goto:
		return len(x.Target.Args) > 0
	}
	return true
}
