package parser

import (
	"fmt"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
)

// A printer writes trees in the short notation of testdata/cases.txt.
type printer struct{ file *source.File }

func (p printer) items(items []ast.Item) string {
	var out []string
	for _, i := range items {
		out = append(out, p.item(i))
	}
	return strings.Join(out, " | ")
}

func (p printer) text(n ast.Node) string {
	sp := n.Span()
	return p.file.Text[sp.Start:sp.End]
}

func (p printer) item(i ast.Item) string {
	switch x := i.(type) {
	case *ast.Statement:
		return p.expr(x.Expr)
	case *ast.Import:
		return "(import " + x.Path.Value + ")"
	case *ast.Test:
		return "(test " + x.Name.Value + " " + p.expr(x.Body) + ")"
	case *ast.TypeDecl:
		if x.Variants == nil {
			return "(type " + x.Name.Name + " " + p.typ(x.Type) + ")"
		}
		out := "(sum " + x.Name.Name
		for _, v := range x.Variants {
			if v.Fields == nil {
				out += " " + v.Name.Name
			} else {
				out += " (" + v.Name.Name + " " + p.fields(v.Fields) + ")"
			}
		}
		return out + ")"
	case *ast.EventDecl:
		if x.Fields == nil {
			return "(event " + x.Name.Name + ")"
		}
		return "(event " + x.Name.Name + " " + p.fields(x.Fields) + ")"
	case *ast.FnDecl:
		return "(fn " + x.Name.Name + " " + p.params(x.Params) + p.result(x.Result) + p.body(x.Body) + ")"
	case *ast.Workflow:
		return "(" + x.Kind.Keyword() + " " + x.Name.Name + " " + p.members(x.Members) + ")"
	}
	return p.member(i)
}

func (p printer) members(items []ast.Item) string {
	out := "({}"
	for _, i := range items {
		out += " " + p.item(i)
	}
	return out + ")"
}

func (p printer) member(i ast.Item) string {
	switch x := i.(type) {
	case *ast.State:
		out := "(state " + x.Name.Name
		if x.Type != nil {
			out += ": " + p.typ(x.Type)
		}
		if x.Init != nil {
			out += " = " + p.expr(x.Init)
		}
		return out + ")"
	case *ast.Timeout:
		if x.Value == nil {
			return "(timeout none)"
		}
		return "(timeout " + p.expr(x.Value) + ")"
	case *ast.Default:
		return "(default " + p.clauses(x.Clauses) + ")"
	case *ast.Init:
		return "(init " + p.expr(x.Body) + ")"
	case *ast.Step:
		params := ""
		if x.HasParams {
			params = p.params(x.Params)
		}
		return "(step " + x.Name.Name + " " + params + " " + p.clauses(x.Clauses) + " " + p.expr(x.Body) + p.undo(x.Compensate) + ")"
	case *ast.Compensate:
		return p.undo(x)[1:]
	case *ast.Finally:
		name := ""
		if x.Outcome != nil {
			name = x.Outcome.Name
		}
		return "(finally " + name + " " + p.clauses(x.Clauses) + " " + p.expr(x.Body) + ")"
	case *ast.Parallel:
		return p.parallel(x)
	case *ast.Branch:
		return "(branch " + x.Name.Name + " " + p.members(x.Items) + p.undo(x.Compensate) + ")"
	case *ast.Command:
		out := "(command " + x.Name.Name + " " + p.params(x.Params) + strings.TrimSuffix(p.result(x.Result), " ")
		var in []string
		for _, w := range x.In {
			in = append(in, w.Name)
		}
		if in != nil {
			out += " in " + strings.Join(in, ",")
		}
		if x.Body.Expr != nil {
			out += " " + p.body(x.Body)
		}
		return out + ")"
	case *ast.Query:
		return "(query " + x.Name.Name + " " + p.params(x.Params) + p.result(x.Result) + p.body(x.Body) + ")"
	case *ast.SignalDecl:
		if !x.HasParams {
			return "(signal " + x.Name.Name + ")"
		}
		return "(signal " + x.Name.Name + " " + p.params(x.Params) + ")"
	case *ast.Setting:
		return "(" + x.Name.Name + " " + p.expr(x.Value) + ")"
	case *ast.Tool:
		out := "(tool " + x.Name.Name + p.params(x.Params)
		if x.Result != nil {
			out += p.typ(x.Result)
		}
		if x.About != nil {
			out += " doc:" + x.About.Value
		}
		return out + " " + p.expr(x.Body) + ")"
	case *ast.BadItem:
		return "BAD"
	}
	return fmt.Sprintf("%T?", i)
}

func (p printer) parallel(x *ast.Parallel) string {
	out := "(parallel"
	if x.Settle {
		out += " settle"
	}
	if x.First != nil {
		out += " first " + p.expr(x.First)
	}
	if x.ForPattern != nil {
		out += " for " + p.pattern(x.ForPattern) + " in " + p.expr(x.ForIn)
	}
	if x.Max != nil {
		out += " max " + p.expr(x.Max)
	}
	if len(x.Clauses) > 0 {
		out += " " + p.clauses(x.Clauses)
	}
	return out + " " + p.members(x.Items) + p.undo(x.Compensate) + ")"
}

func (p printer) undo(c *ast.Compensate) string {
	if c == nil {
		return ""
	}
	name := ""
	if c.Err != nil {
		name = c.Err.Name
	}
	return " (compensate " + name + " " + p.clauses(c.Clauses) + " " + p.expr(c.Body) + ")"
}

func (p printer) clauses(cs []ast.Clause) string {
	var out []string
	for _, c := range cs {
		s := "(" + [...]string{"timeout", "retry", "backoff", "when", "else"}[c.Kind] + " "
		switch {
		case c.Kind == ast.ClauseElse:
			s += c.Target.Name
		case c.Value == nil:
			s += "none"
		default:
			s += p.expr(c.Value)
		}
		if c.Jitter {
			s += " jitter"
		}
		out = append(out, s+")")
	}
	return strings.Join(out, " ")
}

func (p printer) params(ps []ast.Param) string {
	out := "(params"
	for _, q := range ps {
		what := q.Name.Name
		if q.Pattern != nil {
			what = p.pattern(q.Pattern)
		}
		if q.Type == nil {
			out += " " + what
		} else {
			out += " (: " + what + " " + p.typ(q.Type) + ")"
		}
	}
	return out + ")"
}

func (p printer) fields(fs []ast.VField) string {
	out := "(params"
	for _, f := range fs {
		if f.Name.Name == "" {
			out += " " + p.typ(f.Type)
		} else {
			out += " (: " + f.Name.Name + " " + p.typ(f.Type) + ")"
		}
	}
	return out + ")"
}

func (p printer) result(t ast.Type) string {
	if t == nil {
		return " "
	}
	return " -> " + p.typ(t) + " "
}

func (p printer) body(b ast.Body) string {
	if b.Equals {
		return "= " + p.expr(b.Expr)
	}
	return p.expr(b.Expr)
}

func (p printer) typ(t ast.Type) string {
	switch x := t.(type) {
	case *ast.NameType:
		return x.Name
	case *ast.ListType:
		return "(list " + p.typ(x.Elem) + ")"
	case *ast.OptType:
		return p.typ(x.Elem) + "?"
	case *ast.MapType:
		return "(map " + p.typ(x.Elem) + ")"
	case *ast.TupleType:
		out := "(tuple"
		for _, e := range x.Elems {
			out += " " + p.typ(e)
		}
		return out + ")"
	case *ast.FnType:
		out := "(fn"
		for _, e := range x.Params {
			out += " " + p.typ(e)
		}
		if x.Result != nil {
			out += " -> " + p.typ(x.Result)
		}
		return out + ")"
	case *ast.RecordType:
		out := "(rec"
		for _, f := range x.Fields {
			out += " (: " + f.Name.Name + " " + p.typ(f.Type) + ")"
		}
		return out + ")"
	}
	return "BAD"
}
