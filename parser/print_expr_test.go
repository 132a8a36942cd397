package parser

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
)

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
