package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// sayUnknownStep: target says that the step would have to be an item of the
// workflow's own body.
func (c *checker) sayUnknownStep(a *actor, w ast.Word, target bool) {
	help, fixes := c.meant(w.Span(), w.Name, a.stepList)
	d := diag.Diagnostic{
		Code: "WF2301", Span: w.Span(), Message: "`" + a.decl.Name.Name + "` has no step `" + w.Name + "`",
		Labels: label(a.decl.Name.Span(), "declared here"), Help: help, Fixes: fixes,
	}
	if target && w.Name == "parallel" {
		d.Help, d.Fixes = "a block has no name; to go to one "+intoBlock, nil
	}
	if branch, ok := a.branches[w.Name]; ok {
		d.Message = "`" + w.Name + "` is a branch of a block, not a step"
		d.Labels, d.Help, d.Fixes = label(branch.Span(), "declared here"), "name the steps in it", nil
		if target {
			d.Help = "only an item of the workflow's own body can be a target"
		}
	}
	c.add(d)
}

func (c *checker) sayItemUnreached(before, it *program.Item) {
	name, at := "this block", source.Span{}
	if it.Step != nil {
		name, at = "step "+it.Step.Name, it.Step.Span
	} else {
		at = it.Parallel.Span
	}
	c.add(diag.Diagnostic{
		Code: "WF2323", Severity: diag.Warning, Span: at, Message: name + " never runs: nothing leads to it",
		Labels: label(before.Step.Span, "this always leaves for somewhere else"), Help: "let some step `goto` it, or remove it",
	})
}

func (c *checker) sayClauseValue(at source.Span, message, help string) {
	c.add(diag.Diagnostic{Code: "WF2324", Span: at, Message: message, Help: help})
}

func (c *checker) sayStepInBlock(w ast.Word, s *stepInfo) {
	c.add(diag.Diagnostic{
		Code: "WF2302", Span: w.Span(), Message: "`" + w.Name + "` stands inside a block and cannot be gone to",
		Labels: label(s.decl.Name.Span(), "declared here"), Help: "only steps of the workflow's own body can be gone to; to begin a block again " + intoBlock,
	})
}

// intoBlock is how a block, which has no name, can be gone to.
const intoBlock = "put a step without statements before it, which leads into it: `step again {}`"

func (c *checker) sayInputMissing(t *ast.Target, s *stepInfo, word string) {
	c.add(diag.Diagnostic{
		Code: "WF2303", Span: t.Step.Span(), Message: "step `" + t.Step.Name + "` needs its input " + c.paramText(s.decl.Params[0]),
		Labels: label(s.decl.Name.Span(), "declared here"), Help: "write `" + word + " " + t.Step.Name + "(…)`",
	})
}

func (c *checker) sayInputUnwanted(t *ast.Target, s *stepInfo) {
	c.add(diag.Diagnostic{
		Code: "WF2304", Span: t.Args[0].Value.Span(), Message: "step `" + t.Step.Name + "` takes no input",
		Labels: label(s.decl.Name.Span(), "declared here"),
		Help:   "give the step a parameter, or leave the value in a field of `self`",
	})
}

func (c *checker) sayInputCount(t *ast.Target, s *stepInfo) {
	c.add(diag.Diagnostic{
		Code: "WF2305", Span: t.Args[1].Value.Span(), Message: "a step takes one input at most",
		Labels: label(s.decl.Name.Span(), "declared here"), Help: "pass a record: `goto " + t.Step.Name + "({ … })`",
	})
}

func (c *checker) sayFirstParam(s *ast.Step) {
	fields := "`state " + s.Params[0].Name.Name + "`"
	if s.Params[0].Pattern != nil {
		fields = "`state` fields"
	}
	c.add(diag.Diagnostic{
		Code: "WF2306", Span: s.Params[0].Name.Span(),
		Message: "the workflow begins with step `" + s.Name.Name + "`, so nothing gives it its input",
		Help:    "read it from the state: " + fields + ", given at spawn",
	})
}

func (c *checker) sayStepParams(s *ast.Step) {
	c.add(diag.Diagnostic{
		Code: "WF2307", Span: s.Params[1].Name.Span(), Message: "a step takes one parameter at most",
		Help: "take a record apart: `step " + s.Name.Name + "({ a, b })`",
	})
}

func (c *checker) sayFailoverParam(w ast.Word, s *stepInfo) {
	c.add(diag.Diagnostic{
		Code: "WF2308", Span: w.Span(), Message: "the failover step `" + w.Name + "` must not take an input",
		Labels: label(s.decl.Params[0].Name.Span(), "its parameter"), Help: "it reads `self` and `self.failure` instead",
	})
}

func (c *checker) sayFallInto(e elseEdge, before source.Span) {
	name := e.to.decl.Name
	c.add(diag.Diagnostic{
		Code: "WF2309", Span: name.Span(), Message: "the failover step `" + name.Name + "` also runs when nothing failed",
		Labels: append(label(before, "this runs on into it"), label(e.word.Span(), "it is for failures of this")...),
		Help:   "end the item before it with `end` or `goto`, or move the step",
	})
}

func (c *checker) sayElseFirst(e elseEdge) {
	name := e.to.decl.Name
	c.add(diag.Diagnostic{
		Code: "WF2310", Span: name.Span(), Message: "the workflow begins with its failover step `" + name.Name + "`",
		Labels: label(e.word.Span(), "it is for failures of this"), Help: "move the step behind the items that run when all is well",
	})
}

func (c *checker) sayElseCycle(e elseEdge) {
	c.add(diag.Diagnostic{
		Code: "WF2311", Span: e.word.Span(), Message: "this `else` goes round: a failure of `" + e.word.Name + "` leads back here",
		Labels: label(e.to.decl.Name.Span(), "declared here"), Help: "let the last of them fail, or end there",
	})
}

func (c *checker) sayElseInBlock(w ast.Word) {
	c.add(diag.Diagnostic{
		Code: "WF2312", Span: w.Span(), Message: "a step inside a block cannot have an `else`",
		Help: "a branch that fails makes the block fail: write `else` at the block, or `try` in the step",
	})
}

func (c *checker) sayClauseTwice(cl, old ast.Clause) {
	c.add(diag.Diagnostic{
		Code: "WF2313", Span: cl.Span(), Message: "`" + clauseWord(cl.Kind) + "` is given twice", Labels: label(old.Span(), "the first is here"),
	})
}

func (c *checker) sayClauseHere(cl ast.Clause, of string) {
	help := "of the clauses it takes only `else`; write the others at its steps"
	if of != "parallel" {
		help = "it takes `timeout`, `retry`, `backoff` and `when`; its failure is recorded and the rest goes on"
	}
	c.add(diag.Diagnostic{Code: "WF2314", Span: cl.Span(), Message: "`" + of + "` takes no `" + clauseWord(cl.Kind) + "`", Help: help})
}

func (c *checker) sayEndingInFunction(e ast.Expr, word string, k bodyKind) {
	c.add(diag.Diagnostic{Code: "WF2315", Span: head(e, word), Message: "`" + word + "` cannot stand in " + k.where(), Help: letDecide(word)})
}

// letDecide says what to do instead of an ending in a function.
func letDecide(word string) string {
	switch word {
	case "fail":
		return "raise an error with `throw`, or return a value and let the step decide"
	case "reply", "reject", "delete":
		return "return a value and let the command decide"
	}
	return "return a value and let the step decide"
}

func (c *checker) sayEndingHere(e ast.Expr, word string, k bodyKind) {
	help := "let it complete, or raise an error with `throw`"
	if k == branchBody {
		help = "let the branch complete or `fail`; decide in a step after the block"
	} else if k == initBody {
		help = "`init` ends by itself, or with `reject \"why\"`"
	}
	c.add(diag.Diagnostic{Code: "WF2316", Span: head(e, word), Message: "`" + word + "` cannot stand in " + k.where(), Help: help})
}

func (c *checker) sayCommandOnly(e ast.Expr, word string, k bodyKind) {
	help := "only a command is answered; the value of a step goes to the next one"
	span := head(e, word)
	switch word {
	case "reject":
		help = "to stop a step with an error write `throw`, to fail the workflow `fail`"
	case "delete":
		help = "let a command say `delete`; to finish the workflow write `end`"
	default:
		if _, isReply := e.(*ast.Reply); !isReply {
			span = e.Span()
		}
	}
	c.add(diag.Diagnostic{Code: "WF2317", Span: span, Message: "`" + word + "` cannot stand in " + k.where(), Help: help})
}

func (c *checker) sayNoSteps(e ast.Expr, word, who string) {
	help := "to wait write `perform Timer.sleep(…)`; steps belong to a workflow"
	if who == "an entity" {
		help = "an entity has no position: change its state and `reply`, or refuse with `reject`"
	}
	c.add(diag.Diagnostic{Code: "WF2318", Span: head(e, word), Message: who + " has no steps, so `" + word + "` means nothing here", Help: help})
}

func (c *checker) sayNoStepsIn(w ast.Word, a *actor) {
	c.add(diag.Diagnostic{
		Code: "WF2319", Span: w.Span(), Message: "`" + a.decl.Name.Name + "` has no steps that a command could be limited to",
		Help: "leave `in` out and `reject` what is not possible",
	})
}

func (c *checker) sayReturnHere(e ast.Expr) {
	c.add(diag.Diagnostic{
		Code: "WF2320", Span: head(e, "return"), Message: "there is nothing to return from here",
		Help: "the value of the expression is the result",
	})
}

func (c *checker) sayOutsideLoop(e ast.Expr, word string) {
	c.add(diag.Diagnostic{
		Code: "WF2321", Span: e.Span(), Message: "`" + word + "` stands in no loop",
		Help: "it belongs into `for` or `while`; a function inside a loop is not part of it",
	})
}

func (c *checker) sayLateCompensate(m *ast.Compensate, item ast.Item) {
	_, span := itemWord(m)
	_, old := itemWord(item)
	help := "write it directly after the `}` of the step or block that it undoes"
	if st, ok := item.(*ast.Step); ok && st.Compensate != nil {
		help = "a step has one `compensate`; the workflow's own stands before the first item"
	}
	c.add(diag.Diagnostic{
		Code: "WF2322", Span: span, Message: "the workflow's own `compensate` stands before its first item",
		Labels: label(old, "an item before it"), Help: help,
	})
}
