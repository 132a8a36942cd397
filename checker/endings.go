package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// ending lowers what leaves a body at once.
func (b *body) ending(e ast.Expr) program.Expr {
	switch e := e.(type) {
	case *ast.Goto:
		b.mayEnd(e, "goto")
		out := &program.Goto{At: at(e), Reply: b.reply(e.Reply)}
		out.Item, out.Input = b.target(&e.Target, "goto")
		return out
	case *ast.Pause:
		b.mayEnd(e, "pause")
		out := &program.Pause{At: at(e), Reason: b.opt(e.Reason), For: b.opt(e.For), Until: b.opt(e.Until), Then: -1}
		if e.Then != nil {
			out.Then, out.Input = b.target(e.Then, "then")
		}
		out.Reply = b.reply(e.Reply)
		return out
	case *ast.End:
		b.mayEnd(e, "end")
		return &program.End{At: at(e), Value: b.opt(e.Value), Reply: b.reply(e.Reply)}
	case *ast.Fail:
		b.mayEnd(e, "fail")
		return &program.Fail{At: at(e), Value: b.opt(e.Value), Reply: b.reply(e.Reply)}
	case *ast.Delete:
		b.mayEnd(e, "delete")
		return &program.Delete{At: at(e), Reply: b.reply(e.Reply)}
	case *ast.Reply:
		b.mayEnd(e, "reply")
		return &program.Reply{At: at(e), Value: b.opt(e.Value)}
	case *ast.Reject:
		b.mayEnd(e, "reject")
		return &program.Reject{At: at(e), Code: e.Code.Name, Value: b.opt(e.Value)}
	}
	return nothing(e)
}

// mayEnd notes an ending and refuses it where it has no place.
func (b *body) mayEnd(e ast.Expr, word string) {
	switch {
	case b.kind == lambdaBody, b.kind == funcBody, b.kind == queryBody, b.kind == stateValue, b.kind == clauseValue:
		b.c.sayEndingInFunction(e, word, b.kind)
	case word == "reply" || word == "reject" || word == "delete":
		if b.kind == commandBody || (b.kind == initBody && word == "reject") {
			break
		}
		b.c.sayCommandOnly(e, word, b.kind)
	case b.kind == commandBody && b.actor.kind != ast.KindWorkflow:
		b.c.sayNoSteps(e, word, "an "+b.actor.kind.Keyword())
	case b.kind == mainBody && (word == "goto" || word == "pause"):
		b.c.sayNoSteps(e, word, "the program itself")
	case b.kind == outsideBody && word != "fail":
		b.c.sayNoSteps(e, word, "what stands outside of a workflow")
	case b.kind == branchBody && word != "fail", b.kind == compensateBody, b.kind == finallyBody, b.kind == initBody:
		b.c.sayEndingHere(e, word, b.kind)
	}
	if word != "reply" && word != "reject" && word != "delete" {
		b.does(moves, e.Span(), "says `"+word+"`")
	}
}

// reply lowers the reply of an ending, which only commands have.
func (b *body) reply(e ast.Expr) program.Expr {
	if isNil(e) {
		return nil
	}
	if b.kind != commandBody && b.kind != lambdaBody && b.kind != funcBody && b.kind != queryBody {
		b.c.sayCommandOnly(e, "reply", b.kind)
	}
	return b.expr(e)
}

// target resolves the step that a goto or a pause names, and its input.
func (b *body) target(t *ast.Target, word string) (int, program.Expr) {
	var input program.Expr
	if args := b.looseArgs(t.Args); len(args) > 0 {
		input = args[0]
	}
	if b.actor == nil || b.actor.kind != ast.KindWorkflow {
		return -1, input
	}
	s := b.c.stepNamed(b.actor, t.Step, true)
	if s == nil {
		return -1, input
	}
	params := s.decl.Params
	switch {
	case len(t.Args) > 1:
		b.c.sayInputCount(t, s)
	case len(params) == 0 && len(t.Args) > 0:
		b.c.sayInputUnwanted(t, s)
	case len(params) > 0 && len(t.Args) == 0:
		b.c.sayInputMissing(t, s, word)
	case len(t.Args) == 1 && t.Args[0].Name.Name != "" && len(params) > 0 && t.Args[0].Name.Name != params[0].Name.Name:
		b.c.sayUnknownArg(signatureOf("step `"+s.decl.Name.Name+"`", s.decl.Name.Span(), params), t.Args[0].Name)
	}
	return s.index, input
}

// stepNamed finds a step of a workflow and says so if there is none. With own
// it must be an item of the body, not one inside a block.
func (c *checker) stepNamed(a *actor, w ast.Word, own bool) *stepInfo {
	s := a.steps[w.Name]
	switch {
	case s == nil && a.broken:
		return nil
	case s == nil:
		c.sayUnknownStep(a, w, own)
		return nil
	case own && s.inBlock:
		c.sayStepInBlock(w, s)
		return nil
	}
	return s
}
