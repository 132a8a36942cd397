package parser

import (
	"strconv"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
)

func (p printer) alternatives(alts []ast.Pattern) string {
	var out []string
	for _, a := range alts {
		out = append(out, p.pattern(a))
	}
	return strings.Join(out, "|")
}

func (p printer) patArgs(a *ast.PatArgs) string {
	out := "("
	for _, e := range a.Args {
		switch {
		case e.Rest:
			out += " ..."
		case e.Name.Name != "":
			out += " (: " + e.Name.Name + " " + p.alternatives(e.Pattern) + ")"
		default:
			out += " " + p.alternatives(e.Pattern)
		}
	}
	return out + ")"
}

func (p printer) pattern(pat ast.Pattern) string {
	switch x := pat.(type) {
	case *ast.LitPattern:
		if n, ok := x.Value.(*ast.NumberLit); ok && n.Text[0] != '-' {
			return strconv.Quote(n.Text)
		}
		return p.expr(x.Value)
	case *ast.BindPattern:
		return x.Name
	case *ast.VariantPattern:
		if x.Args == nil {
			return "(V " + x.Name.Name + ")"
		}
		return "(V " + x.Name.Name + " " + p.patArgs(x.Args) + ")"
	case *ast.TuplePattern:
		out := "(ptuple"
		for _, e := range x.Elems {
			out += " " + p.alternatives(e)
		}
		return out + ")"
	case *ast.ListPattern:
		out := "(plist"
		for _, e := range x.Elems {
			switch {
			case !e.Rest:
				out += " " + p.alternatives(e.Pattern)
			case e.Name != nil:
				out += " ..." + e.Name.Name
			default:
				out += " ..."
			}
		}
		return out + ")"
	case *ast.RecordPattern:
		out := "(prec"
		for _, f := range x.Fields {
			switch {
			case f.Rest:
				out += " ..." + f.Key.Name
			case f.Pattern == nil:
				out += " " + f.Key.Name
			default:
				out += " (: " + f.Key.Name + " " + p.alternatives(f.Pattern) + ")"
			}
		}
		return out + ")"
	}
	return "BAD"
}
