package format

import "github.com/wf-lang/wf/lang/ast"

func (w *walker) pattern(p ast.Pattern) *doc {
	switch x := p.(type) {
	case *ast.LitPattern:
		return w.expr(x.Value)
	case *ast.BindPattern:
		return w.leaf(x)
	case *ast.VariantPattern:
		d := w.name(x.Name)
		if x.Args != nil {
			d = concat(d, w.patArgs(x.Args))
		}
		return d
	case *ast.TuplePattern:
		return w.list(list{open: "(", close: ")", n: len(x.Elems), elem: func(i int) *doc { return w.alternatives(x.Elems[i]) }})
	case *ast.ListPattern:
		return w.list(list{open: "[", close: "]", n: len(x.Elems), elem: func(i int) *doc {
			e := x.Elems[i]
			switch {
			case !e.Rest:
				return w.alternatives(e.Pattern)
			case e.Name != nil:
				return concat(w.expect("..."), w.name(*e.Name))
			}
			return w.expect("...")
		}})
	case *ast.RecordPattern:
		return w.list(list{
			open: "{", close: "}", n: len(x.Fields), padded: true, lines: true,
			elem: func(i int) *doc { return w.fieldPattern(x.Fields[i]) },
		})
	}
	w.failed = true // a BadPattern
	return nil
}

func (w *walker) fieldPattern(f ast.FieldPattern) *doc {
	switch {
	case f.Rest && f.Key.Name == "":
		return w.expect("...")
	case f.Rest:
		return concat(w.expect("..."), w.name(f.Key))
	case f.Pattern == nil:
		return w.name(f.Key)
	}
	return concat(w.name(f.Key), w.expect(":"), space(), w.alternatives(f.Pattern))
}

// alternatives are patterns split by `|`.
func (w *walker) alternatives(alts ast.OrPattern) *doc {
	if len(alts) == 0 {
		w.failed = true
		return nil
	}
	d := w.pattern(alts[0])
	var more []*doc
	for _, p := range alts[1:] {
		more = append(more, line(" "), w.expect("|"), space(), w.pattern(p))
	}
	if more == nil {
		return d
	}
	return group(d, indent(more...))
}

func (w *walker) patArgs(a *ast.PatArgs) *doc {
	return w.list(list{open: "(", close: ")", n: len(a.Args), elem: func(i int) *doc {
		switch x := a.Args[i]; {
		case x.Rest:
			return w.expect("...")
		case x.Name.Name != "":
			return concat(w.name(x.Name), w.expect(":"), space(), w.alternatives(x.Pattern))
		default:
			return w.alternatives(x.Pattern)
		}
	}})
}
