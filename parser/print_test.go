package parser

import (
	"fmt"
	"strconv"
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
		if q.Type == nil {
			out += " " + q.Name.Name
		} else {
			out += " (: " + q.Name.Name + " " + p.typ(q.Type) + ")"
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

func (p printer) list(head string, es []ast.Expr) string {
	for _, e := range es {
		head += " " + p.expr(e)
	}
	return head + ")"
}

func (p printer) args(args []ast.Arg) string {
	out := "(args"
	for _, a := range args {
		if a.Name.Name == "" {
			out += " " + p.expr(a.Value)
		} else {
			out += " (: " + a.Name.Name + " " + p.expr(a.Value) + ")"
		}
	}
	return out + ")"
}

func (p printer) str(s *ast.StringLit) string {
	text := p.text(s)
	switch {
	case s.Raw && strings.HasPrefix(text, `"""`) && len(text) >= 6:
		text = text[3 : len(text)-3]
	case !s.Raw && strings.HasPrefix(text, `"`) && len(text) >= 2:
		text = text[1 : len(text)-1]
	}
	return strconv.Quote(text)
}

func (p printer) expr(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.NumberLit:
		return x.Text
	case *ast.StringLit:
		return p.str(x)
	case *ast.Interp:
		out := "(str"
		for _, part := range x.Parts {
			if s, ok := part.(*ast.StringLit); ok && p.file.Text[s.Place.Start] != '"' {
				out += " " + strconv.Quote(p.text(s))
			} else {
				out += " " + p.expr(part)
			}
		}
		return out + ")"
	case *ast.BoolLit, *ast.NilLit:
		return p.text(x)
	case *ast.Name:
		return x.Name
	case *ast.Self:
		return "self"
	case *ast.Paren:
		if in := p.expr(x.X); strings.HasPrefix(in, "(") {
			return in
		} else {
			return "(paren " + in + ")"
		}
	case *ast.Tuple:
		return p.list("(tuple", x.Elems)
	case *ast.List:
		return p.list("(list", x.Elems)
	case *ast.Spread:
		return "(... " + p.expr(x.X) + ")"
	case *ast.Record:
		return p.record(x)
	case *ast.Block:
		return p.list("(do", x.Stmts)
	case *ast.Unary:
		return "(" + string(x.Op) + " " + p.expr(x.X) + ")"
	case *ast.Binary:
		return "(" + string(x.Op) + " " + p.expr(x.X) + " " + p.expr(x.Y) + ")"
	case *ast.Field:
		dot := "."
		if x.Opt {
			dot = "?."
		}
		return "(" + dot + " " + p.expr(x.X) + " " + x.Name.Name + ")"
	case *ast.Index:
		return "(idx " + p.expr(x.X) + " " + p.expr(x.I) + ")"
	case *ast.Call:
		return "(call " + p.expr(x.Fn) + " " + p.args(x.Args) + ")"
	case *ast.Lambda:
		return "(lambda " + p.params(x.Params) + p.result(x.Result) + p.body(x.Body) + ")"
	case *ast.Let:
		return p.let(x)
	case *ast.Assign:
		return "(" + x.Op + " " + p.expr(x.Target) + " " + p.expr(x.Value) + ")"
	case *ast.Bad:
		return "BAD"
	}
	return p.control(e)
}

func (p printer) let(x *ast.Let) string {
	word := "let"
	if x.Var {
		word = "var"
	}
	if x.In != nil {
		word = "let-in"
	}
	out := "(" + word + " " + p.pattern(x.Pattern)
	if x.Type != nil {
		out += ": " + p.typ(x.Type)
	}
	out += " " + p.expr(x.Value)
	if x.In != nil {
		out += " " + p.expr(x.In)
	}
	return out + ")"
}

func (p printer) record(x *ast.Record) string {
	out := "(rec"
	for _, e := range x.Entries {
		switch {
		case e.Spread != nil:
			out += " (... " + p.expr(e.Spread) + ")"
		case e.Computed != nil:
			out += " (: (key " + p.expr(e.Computed) + ") " + p.expr(e.Value) + ")"
		case e.Quoted:
			out += " (: " + strconv.Quote(e.Key.Name) + " " + p.expr(e.Value) + ")"
		default:
			out += " (: " + e.Key.Name + " " + p.expr(e.Value) + ")"
		}
	}
	return out + ")"
}

func (p printer) control(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.If:
		out := "(if " + p.expr(x.Cond) + " " + p.expr(x.Then)
		if x.Else != nil {
			out += " " + p.expr(x.Else)
		}
		return out + ")"
	case *ast.Match:
		out := "(match " + p.expr(x.X)
		for _, a := range x.Arms {
			out += " (=> " + p.alternatives(a.Patterns)
			if a.Guard != nil {
				out += " if " + p.expr(a.Guard)
			}
			out += " " + p.expr(a.Body) + ")"
		}
		return out + ")"
	case *ast.Select:
		out := "(select"
		for _, a := range x.Arms {
			out += " (=> " + p.selectHead(a) + " " + p.expr(a.Body) + ")"
		}
		return out + ")"
	case *ast.For:
		return "(for " + p.pattern(x.Pattern) + " " + p.expr(x.In) + " " + p.expr(x.Body) + ")"
	case *ast.While:
		return "(while " + p.expr(x.Cond) + " " + p.expr(x.Body) + ")"
	case *ast.Break:
		return "(break)"
	case *ast.Continue:
		return "(continue)"
	case *ast.Try:
		name := ""
		if x.Err != nil {
			name = x.Err.Name
		}
		return "(try " + p.expr(x.Body) + " " + name + " " + p.expr(x.Catch) + ")"
	case *ast.Return:
		if x.Value == nil {
			return "(return)"
		}
		return "(return " + p.expr(x.Value) + ")"
	case *ast.Throw:
		return "(throw " + p.expr(x.Value) + ")"
	case *ast.Spawn:
		out := "(spawn " + x.Workflow.Name + " " + p.expr(x.Fields)
		if x.As != nil {
			out += " as " + p.expr(x.As)
		}
		return out + ")"
	case *ast.SpawnIn:
		return "(spawn-in " + p.expr(x.Spawn) + " " + p.expr(x.In) + ")"
	case *ast.Emit:
		if !x.HasArgs {
			return "(emit " + x.Name.Name + ")"
		}
		return "(emit " + x.Name.Name + " " + p.args(x.Args) + ")"
	case *ast.Perform:
		once := ""
		if x.Once {
			once = "once "
		}
		return "(perform " + once + x.Module.Name + "." + x.Op.Name + " " + p.args(x.Args) + ")"
	case *ast.Ask:
		return "(ask " + p.expr(x.Handle) + " " + x.Name.Name + " " + p.args(x.Args) + ")"
	case *ast.Signal:
		return "(signal " + p.expr(x.Handle) + " " + x.Name.Name + " " + p.args(x.Args) + ")"
	case *ast.Await:
		if x.For == nil {
			return "(await " + p.expr(x.Handle) + ")"
		}
		return "(await " + p.expr(x.Handle) + " for " + p.expr(x.For) + ")"
	}
	return p.ending(e)
}

func (p printer) selectHead(a ast.SelectArm) string {
	switch a.Kind {
	case ast.SelectAfter:
		return "after " + p.expr(a.Value)
	case ast.SelectAt:
		return "at " + p.expr(a.Value)
	}
	out := "signal " + p.expr(a.Name)
	if a.Bare {
		out = "signal " + a.Name.(*ast.StringLit).Value
	}
	if a.Pattern != nil {
		out += "(" + p.pattern(a.Pattern) + ")"
	}
	return out
}

func (p printer) opt(before string, e ast.Expr) string {
	if e == nil {
		return ""
	}
	return before + p.expr(e)
}

func (p printer) target(t ast.Target) string {
	if !t.HasArgs {
		return t.Step.Name
	}
	return t.Step.Name + p.args(t.Args)
}

func (p printer) ending(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Fail:
		return "(fail " + p.expr(x.Value) + p.opt(" reply ", x.Reply) + ")"
	case *ast.Goto:
		return "(goto " + p.target(x.Target) + p.opt(" reply ", x.Reply) + ")"
	case *ast.End:
		return "(end " + p.opt("", x.Value) + p.opt(" reply ", x.Reply) + ")"
	case *ast.Pause:
		out := "(pause " + p.opt("", x.Reason) + p.opt(" for ", x.For) + p.opt(" until ", x.Until)
		if x.Then != nil {
			out += " then " + p.target(*x.Then)
		}
		return out + p.opt(" reply ", x.Reply) + ")"
	case *ast.Delete:
		return "(delete " + p.opt(" reply ", x.Reply) + ")"
	case *ast.Reply:
		return "(reply " + p.expr(x.Value) + ")"
	case *ast.Reject:
		return "(reject " + x.Code.Name + " " + p.expr(x.Value) + ")"
	case *ast.Mock:
		out := "(mock "
		if x.Once {
			out += "once "
		}
		out += x.Module.Name + "." + x.Op.Name
		if x.Args != nil {
			out += p.patArgs(x.Args)
		}
		return out + p.opt(" after ", x.After) + " " + p.expr(x.Body) + ")"
	case *ast.Expect:
		return "(expect " + p.expr(x.X) + ")"
	case *ast.ExpectError:
		return "(expect_error " + p.opt("", x.Code) + " " + p.expr(x.Body) + ")"
	case *ast.Advance:
		return "(advance " + p.expr(x.By) + ")"
	case *ast.Crash:
		return "(crash)"
	}
	return fmt.Sprintf("%T?", e)
}

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
