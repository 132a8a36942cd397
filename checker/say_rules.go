package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

func fieldText(name string) string {
	if name == "" {
		return "`self`"
	}
	return "`self." + name + "`"
}

func (c *checker) sayBranchWrites(w write, branch, other string, old source.Span) {
	c.add(diag.Diagnostic{
		Code: "WF2401", Span: w.span, Message: "two branches assign " + fieldText(w.field) + ": `" + other + "` and `" + branch + "`",
		Labels: label(old, "assigned here"),
		Help:   "branches run side by side; give each a field of its own, or let the branch's value go to the step after the block",
	})
}

func (c *checker) sayWriteInFor(i *info, w write, block source.Span) {
	c.add(diag.Diagnostic{
		Code: "WF2402", Span: w.span, Message: "the branches of a `parallel for` must not assign " + fieldText(w.field),
		Help: "let " + i.name + " give a value; the step after the block gets the list of all",
	})
}

func (c *checker) saySettleFirst(m *ast.Parallel) {
	c.add(diag.Diagnostic{
		Code: "WF2403", Span: m.First.Span(), Message: "`settle` and `first` exclude each other",
		Help: "`settle` waits for all branches, `first` only for some",
	})
}

func (c *checker) sayNakedBlock(m *ast.Parallel) {
	_, span := itemWord(m)
	c.add(diag.Diagnostic{
		Code: "WF2404", Span: span, Message: "a block inside a block needs a name for its value",
		Help: "put it into a branch: `branch name { parallel { … } }`",
	})
}

func (c *checker) saySameSignal(name string, b, other *branchInfo) {
	c.add(diag.Diagnostic{
		Code: "WF2405", Severity: diag.Warning, Span: b.span, Message: "the branches `" + other.name + "` and `" + b.name + "` wait for the same signal \"" + name + "\"",
		Labels: label(other.span, "the first signal goes to this branch"), Help: "give each branch a signal of its own",
	})
}

func (c *checker) sayUndoReads(at source.Span, field string, w write) {
	c.add(diag.Diagnostic{
		Code: "WF2406", Span: at, Message: "`self." + field + "` has no value here if the step failed",
		Labels: label(w.span, "only the step assigns it, and a step that failed assigned nothing"),
		Help:   "ask first: `if err.completed { … }` with `compensate(err)`, or `if self." + field + " != nil { … }`",
	})
}

func (c *checker) sayEffectHere(i *info, s site) {
	c.add(diag.Diagnostic{Code: "WF2501", Span: s.span, Message: i.root.article() + " " + s.what + ", which is not allowed there", Help: i.allowed()})
}

// article names a kind with a definite article, to begin a sentence.
func (k bodyKind) article() string {
	switch k {
	case queryBody:
		return "the query"
	case commandBody:
		return "the command"
	case initBody:
		return "`init`"
	case stateValue:
		return "the initial value"
	case clauseValue:
		return "the clause"
	}
	return "this"
}

const mayChange = "it may read and assign `self`, emit, and perform `Time.now()`, `Uuid.new()` and `Random`"

// allowed says what a body may do and what to do instead.
func (i *info) allowed() string {
	if i.root == commandBody && i.actor != nil && i.actor.kind != ast.KindWorkflow {
		return mayChange + "; let a workflow do the rest, and then ask this"
	}
	return allowedIn(i.root)
}

// allowedIn is that for a kind of body.
func allowedIn(k bodyKind) string {
	switch k {
	case outsideBody:
		return "an event and a field of `self` belong to an instance: put it into a step or command of a workflow"
	case queryBody:
		return "a query reads `self` and may perform `Time.now()`; put the rest into a command or a step"
	case commandBody:
		return mayChange + "; let it `goto` a step that does the rest"
	case initBody:
		return mayChange + "; let the first step do the rest"
	case stateValue:
		return "an initial value is computed from nothing but itself; assign the field in the first step, or in `init`"
	case clauseValue:
		return "a clause may read `self`; compute the value in an earlier step and keep it in a field"
	}
	return "`self` is the state of an instance; the program's own statements have none"
}

func (c *checker) sayEffectThrough(i *info, k call, s site) {
	c.add(diag.Diagnostic{
		Code: "WF2502", Span: k.span, Message: k.to.name + " " + s.what + ", which is not allowed in " + i.root.where(),
		Labels: label(s.span, "it does so here"), Help: i.allowed(),
	})
}

func (c *checker) sayEffectOfBorrowed(i *info, at source.Span, fn *info, s site) {
	c.add(diag.Diagnostic{
		Code: "WF2508", Span: at, Message: "this may call " + fn.name + ", which " + s.what + ", and that is not allowed in " + i.root.where(),
		Labels: label(s.span, "it does so here"),
		Help:   "what is called here comes out of data: it may be any function that is used as a value and takes as many arguments; call the function by its name, or choose it with `match`",
	})
}

func (c *checker) sayQueryByReturn(e program.Expr, name string, s site) {
	c.add(diag.Diagnostic{
		Code: "WF2507", Span: e.Span(), Message: "the program gives " + name + " back, which makes it a query, and it " + s.what,
		Labels: label(s.span, "it does so here"), Help: allowedIn(queryBody),
	})
}

func (c *checker) sayEffectInPure(op *program.Builtin, k call, s site) {
	d := diag.Diagnostic{
		Code: "WF2503", Span: k.span, Message: "`" + op.FullName() + "` takes functions that only compute; this one " + s.what,
		Help: "write a loop: `for x in xs { … }`",
	}
	if k.span.Holds(s.span) {
		d.Span = s.span
	} else {
		d.Labels = label(s.span, "it does so here")
	}
	c.add(d)
}

func (c *checker) sayAssignCaptured(e *ast.Assign, n *ast.Name, v *variable) {
	c.add(diag.Diagnostic{
		Code: "WF2504", Span: n.Span(), Message: "a function without a name sees a copy of `" + n.Name + "` and cannot change it",
		Labels: label(v.span, "declared here"), Help: "return the new value, or write a loop: `for x in xs { … }`",
	})
}

func (c *checker) sayAssignLet(n *ast.Name, v *variable) {
	help := "declare it with `var`"
	if v.kind != letVar {
		help = copied(n)
	}
	c.sayAssigned(n, v.kind.String(), v.span, help)
}

func (c *checker) sayAssignConstant(n *ast.Name, k *constDecl) {
	c.sayAssigned(n, "constant", k.name.Span(), copied(n))
}

// copied is the help to have what is in a name, and another value later.
func copied(n *ast.Name) string { return "copy it: `var my_" + n.Name + " = " + n.Name + "`" }

func (c *checker) sayAssigned(n *ast.Name, what string, decl source.Span, help string) {
	c.add(diag.Diagnostic{
		Code: "WF2505", Span: n.Span(), Message: "the " + what + " `" + n.Name + "` cannot be assigned",
		Labels: label(decl, "declared here"), Help: help,
	})
}

func (c *checker) sayNotAssignable(target ast.Expr) {
	c.add(diag.Diagnostic{
		Code: "WF2506", Span: target.Span(), Message: "this cannot be assigned",
		Help: "the left side is a variable, a field `self.name`, or a place inside of one",
	})
}

func (c *checker) sayReservedHandler(w ast.Word) {
	c.add(diag.Diagnostic{
		Code: "WF2601", Span: w.Span(), Message: "the name `" + w.Name + "` is kept for the runtime",
		Help: "every instance answers `lifecycle` by itself; names that begin with `wf_` are for later ones",
	})
}

func (c *checker) sayOverwrite(h *handlerInfo, s *stepInfo, inCommand, inStep write) {
	c.add(diag.Diagnostic{
		Code: "WF2602", Span: inCommand.span,
		Message: "step `" + s.decl.Name.Name + "` would overwrite what command `" + h.name.Name + "` assigns to " + fieldText(inCommand.field),
		Labels:  label(inStep.span, "the step assigns it here, when it ends; the command may run while it waits"),
		Help:    "limit the command with `in`, let it end with `goto`, send a signal instead, or assign the field in a step that does not wait",
	})
}

func (c *checker) sayUnguarded(h *handlerInfo) {
	c.add(diag.Diagnostic{
		Code: "WF2603", Severity: diag.Warning, Span: h.name.Span(),
		Message: "command `" + h.name.Name + "` moves the workflow wherever it stands, also a second time",
		Help:    "say at which steps it is possible: `command " + h.name.Name + "(…) in step`, or `reject` what is not",
	})
}

func (c *checker) sayNotYet(feature string, span source.Span) {
	c.add(diag.Diagnostic{Code: "WF2901", Span: span, Message: "`" + feature + "` cannot be run by this version yet"})
}
