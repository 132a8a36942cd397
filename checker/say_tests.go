package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
)

func (c *checker) sayTestTwice(t, old *ast.Test) {
	c.add(diag.Diagnostic{
		Code: "WF3001", Span: t.Name.Span(), Message: "there is a test of this name already",
		Labels: label(old.Name.Span(), "this one"), Help: "say in the name what this one tries that the other does not",
	})
}

func (c *checker) sayNotOutside(module, op ast.Word, x *program.Builtin) {
	d := diag.Diagnostic{
		Code: "WF3002", Span: module.Span().To(op.Span()), Message: "`" + x.FullName() + "` does not leave the engine",
		Help: "only calls of the world outside are mocked and counted; prints and logs need no mock",
	}
	switch {
	case x.Effect == 0:
		d.Help = "it is a plain function: it gives the same in a test"
	case x.Module == "Timer" || x.Module == "Time":
		d.Help = "a test begins at 2030-01-01T00:00:00Z and has a clock of its own: move it with `advance 1h`"
	case x.Module == "Signal" || x.Module == "Workflow":
		d.Help = "send what the instance waits for: `signal h.name(payload)`"
	case x.Module == "Secret":
		d.Help = "in a test there is every secret; `Secret.get` needs no mock"
	case x.Module == "Uuid" || x.Module == "Random":
		d.Help = "in a test they give the same in every run"
	}
	c.add(d)
}

func (c *checker) sayMockArity(e *ast.Mock, op *program.Builtin, missing []string) {
	d := diag.Diagnostic{
		Code: "WF3003", Span: e.Args.Span(), Message: "`" + op.FullName() + "` has fewer arguments without a name than this mock has patterns",
		Help: "write " + builtinSignature(op).form(),
	}
	if len(missing) > 0 {
		d.Message = "this mock says nothing about " + listing(missing) + " of `" + op.FullName() + "`"
		d.Help = "`_` takes any value, `...` whatever else there is"
	}
	c.add(d)
}

func (c *checker) sayMockEffect(s site) {
	c.add(diag.Diagnostic{
		Code: "WF3004", Span: s.span, Message: "the answer of a mock " + s.what + "; it can only compute",
		Help: "do that in the test itself, before or behind what makes the call",
	})
}

func (c *checker) sayTestFunc(e ast.Expr, name string) {
	d := diag.Diagnostic{Code: "WF3005", Span: e.Span(), Message: "`events` takes the handle of one instance", Help: "write `events(h)`"}
	if name == program.TestCalls {
		d.Message, d.Help = "`calls` takes the name of one operation", "write `calls(Http.post)`"
	}
	c.add(d)
}
