package format

import "github.com/wf-lang/wf/lang/ast"

// typ walks through a type. The tree keeps no parentheses, so they are taken
// from the text: what stands before the type's own beginning is one.
func (w *walker) typ(t ast.Type) *doc {
	if t == nil {
		w.failed = true
		return nil
	}
	if w.at("(") && w.peek().start < int(t.Span().Start) {
		return concat(w.take(), w.typ(t), w.expect(")"))
	}
	switch x := t.(type) {
	case *ast.NameType:
		if w.at("null") {
			return w.takeAs("nil")
		}
		return w.leaf(x)
	case *ast.ListType:
		return concat(w.expect("["), w.typ(x.Elem), w.expect("]"))
	case *ast.OptType:
		return w.optional(x)
	case *ast.TupleType:
		return w.list(list{open: "(", close: ")", n: len(x.Elems), comma: true, elem: func(i int) *doc { return w.typ(x.Elems[i]) }})
	case *ast.FnType:
		return concat(w.expect("fn"), w.list(list{
			open: "(", close: ")", n: len(x.Params),
			elem: func(i int) *doc { return w.typ(x.Params[i]) },
		}), w.result(x.Result))
	case *ast.MapType:
		return concat(w.expect("{"), w.expect("String"), w.expect(":"), space(), w.typ(x.Elem), w.mapEnd())
	case *ast.RecordType:
		return w.list(list{
			open: "{", close: "}", n: len(x.Fields), padded: true, lines: true,
			elem: func(i int) *doc {
				f := x.Fields[i]
				return concat(w.name(f.Name), w.expect(":"), space(), w.typ(f.Type))
			},
		})
	}
	w.failed = true // a BadType
	return nil
}

// optional walks through `T?`, which may be written `T??`. Two marks that are
// two stay apart.
func (w *walker) optional(x *ast.OptType) *doc {
	d := w.typ(x.Elem)
	switch _, twice := x.Elem.(*ast.OptType); {
	case w.at("??"):
		return concat(d, w.take())
	case twice:
		return concat(d, space(), w.expect("?"))
	}
	return concat(d, w.expect("?"))
}

// mapEnd is the end of a map type. A comma may stand before it.
func (w *walker) mapEnd() *doc {
	for w.at(",") || w.at(";") {
		w.pass()
	}
	return w.expect("}")
}

// ofType is `: T`, nil if there is no type.
func (w *walker) ofType(t ast.Type) *doc {
	if t == nil {
		return nil
	}
	return concat(w.expect(":"), space(), w.typ(t))
}

// result is ` -> T`, nil if there is no type.
func (w *walker) result(t ast.Type) *doc {
	if t == nil {
		return nil
	}
	return concat(space(), w.expect("->"), space(), w.typ(t))
}

// params are the parameters of a function or step.
func (w *walker) params(params []ast.Param) *doc {
	return w.list(list{open: "(", close: ")", n: len(params), elem: func(i int) *doc {
		p := params[i]
		if p.Pattern != nil {
			return concat(w.pattern(p.Pattern), w.ofType(p.Type))
		}
		return concat(w.name(p.Name), w.ofType(p.Type))
	}})
}

// fields are those of a variant or event, nil if it has none.
func (w *walker) fields(fields []ast.VField) *doc {
	if fields == nil {
		return nil
	}
	return w.list(list{open: "(", close: ")", n: len(fields), elem: func(i int) *doc {
		f := fields[i]
		if f.Name.Name == "" {
			return w.typ(f.Type)
		}
		return concat(w.name(f.Name), w.expect(":"), space(), w.typ(f.Type))
	}})
}

func (w *walker) typeDecl(x *ast.TypeDecl) *doc {
	start := concat(w.expect("type"), space(), w.name(x.Name), space(), w.expect("="))
	if x.Variants == nil {
		return concat(start, space(), w.typ(x.Type))
	}
	split := w.pos > 0 && w.peek().line > w.pieces[w.pos-1].lastLine
	var variants []*doc
	for i, v := range x.Variants {
		variants = append(variants, line(" "), w.variant(v, i, len(x.Variants)))
	}
	return breakIf(split, start, indent(variants...))
}

// variant is an alternative of a sum type. The bar before the first one stands
// only where each has a line, or where it alone makes the type a sum.
func (w *walker) variant(v ast.Variant, i, n int) *doc {
	w.passBreaks()
	lead := w.lead(i == 0)
	bar := "| "
	if i == 0 && n > 1 {
		bar = ""
	}
	switch {
	case w.at("|"):
		w.pass()
	case i > 0:
		w.failed = true
	}
	lead = concat(lead, w.lead(true))
	return concat(lead, broken(str("| "), bar), w.name(v.Name), w.fields(v.Fields))
}
