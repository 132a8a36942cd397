package checker

import (
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// handlerInfo is a command or query.
type handlerInfo struct {
	name   ast.Word
	params []ast.Param
	in     []ast.Word
	info   *info
	prog   *program.Handler
}

// lowerAll lowers every body of the program. All names are known by then.
func (c *checker) lowerAll() {
	for _, f := range c.names.allFuncs {
		c.prepareFunc(f)
	}
	for _, a := range c.names.order {
		c.prepareActor(a)
	}
	c.checkTypes()
	for _, f := range c.names.allFuncs {
		c.lowerFunc(f)
	}
	for _, a := range c.names.order {
		c.lowerActor(a)
	}
	c.lowerMain()
	c.lowerTests()
}

// prepareFunc gives a function its info, so that calls of it can be noted
// before it is lowered itself.
func (c *checker) prepareFunc(f *function) {
	f.info = c.newInfo(f.owner, funcBody, "`"+f.decl.Name.Name+"`", f.prog)
}

func (c *checker) lowerFunc(f *function) {
	b := c.bodyOf(f.owner, funcBody, f.info)
	b.params(f.decl.Params, paramVar)
	c.typeOf(f.decl.Result)
	b.info.result = f.decl.Result
	b.functionBody(f.decl.Body)
	b.done()
}

// prepareActor collects the steps and handlers of an actor.
func (c *checker) prepareActor(a *actor) {
	for _, f := range a.allFuncs {
		c.prepareFunc(f)
	}
	c.lowerState(a)
	index := 0
	for _, m := range a.decl.Members {
		switch m := m.(type) {
		case *ast.Step:
			c.prepareStep(a, m, index, false)
			index++
		case *ast.Parallel:
			c.prepareBlock(a, m.Items)
			index++
		case *ast.Command:
			a.commands = append(a.commands, &handlerInfo{name: m.Name, params: m.Params, in: m.In})
			c.checkHandlerName(a, m.Name)
		case *ast.Query:
			a.queries = append(a.queries, &handlerInfo{name: m.Name, params: m.Params})
			c.checkHandlerName(a, m.Name)
		case *ast.SignalDecl:
			if a.kind == ast.KindWorkflow {
				c.declareSignal(a, m)
			}
		}
	}
}

func (c *checker) prepareStep(a *actor, s *ast.Step, index int, inBlock bool) {
	if old := a.steps[s.Name.Name]; old != nil {
		c.sayDuplicateMember("step", s.Name, old.decl.Name.Span())
		return
	}
	a.steps[s.Name.Name] = &stepInfo{decl: s, index: index, inBlock: inBlock}
	a.stepList = append(a.stepList, s.Name.Name)
}

func (c *checker) prepareBlock(a *actor, items []ast.Item) {
	for _, it := range items {
		switch it := it.(type) {
		case *ast.Step:
			c.prepareStep(a, it, -1, true)
		case *ast.Branch:
			a.branches[it.Name.Name] = it.Name
			c.prepareBlock(a, it.Items)
		case *ast.Parallel:
			c.prepareBlock(a, it.Items)
		}
	}
}

// keptName reports whether a handler's name is kept for the runtime.
func keptName(name string) bool { return name == "lifecycle" || strings.HasPrefix(name, "wf_") }

func (c *checker) checkHandlerName(a *actor, w ast.Word) {
	if keptName(w.Name) {
		c.sayReservedHandler(w)
	}
	for _, h := range append(a.commands[:len(a.commands):len(a.commands)], a.queries...) {
		if h.name.Name == w.Name && h.name.Span() != w.Span() {
			c.sayDuplicateMember("command or query", w, h.name.Span())
			return
		}
	}
}

// belongs reports whether a member may stand in an actor of a kind.
func belongs(kind ast.ActorKind, m ast.Item) bool {
	switch m.(type) {
	case *ast.State, *ast.Command, *ast.Query, *ast.FnDecl, *ast.BadItem:
		return true
	case *ast.Setting, *ast.Tool:
		return kind == ast.KindAgent
	case *ast.Timeout, *ast.Default, *ast.Init, *ast.Step, *ast.Parallel, *ast.SignalDecl, *ast.Compensate, *ast.Finally:
		return kind == ast.KindWorkflow
	}
	return false
}

// lowerActor lowers the members of an actor.
func (c *checker) lowerActor(a *actor) {
	for _, m := range a.decl.Members {
		if !belongs(a.kind, m) {
			c.sayMisplaced(m, an(a.kind.Keyword()), misplacedHelp(a.kind, m))
		}
	}
	switch a.kind {
	case ast.KindAgent:
		c.refuseFeature("agent", a.decl.Name.Span())
		return
	case ast.KindEntity:
		c.refuseFeature("entity", a.decl.Name.Span())
	}
	for _, f := range a.allFuncs {
		c.lowerFunc(f)
	}
	if a.kind == ast.KindWorkflow {
		c.lowerSequence(a)
	}
	c.lowerHandlers(a)
}

func misplacedHelp(kind ast.ActorKind, m ast.Item) string {
	_, isBranch := m.(*ast.Branch)
	_, isSignal := m.(*ast.SignalDecl)
	switch {
	case isSignal:
		return "only a step waits for signals, and " + an(kind.Keyword()) + " has none; write a `command`"
	case isBranch:
		return "branches stand in a `parallel` block"
	case kind == ast.KindEntity:
		return "an entity has no position: only state, commands, queries and functions"
	case kind == ast.KindAgent:
		return "an agent has a model, a system prompt, tools, commands, state, queries and functions"
	}
	return ""
}

// an puts the article before a word.
func an(word string) string {
	if word != "" && strings.ContainsRune("aeiouAEIOU", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

func (c *checker) lowerHandlers(a *actor) {
	commands, queries := 0, 0
	for _, m := range a.decl.Members {
		switch m := m.(type) {
		case *ast.Command:
			h := a.commands[commands]
			commands++
			if a.kind == ast.KindWorkflow {
				c.refuseFeature("command", m.Name.Span())
			}
			c.lowerHandler(a, h, commandBody, "command "+m.Name.Name, m.Body, m.Result)
			for _, w := range m.In {
				h.prog.In = append(h.prog.In, w.Name)
				c.commandIn(a, w)
			}
			a.prog.Commands = append(a.prog.Commands, h.prog)
			c.later = append(c.later, func() { c.guarded(a, h) })
		case *ast.Query:
			h := a.queries[queries]
			queries++
			c.lowerHandler(a, h, queryBody, "query "+m.Name.Name, m.Body, m.Result)
			a.prog.Queries = append(a.prog.Queries, h.prog)
		}
	}
}

func (c *checker) commandIn(a *actor, w ast.Word) {
	if a.kind != ast.KindWorkflow {
		c.sayNoStepsIn(w, a)
		return
	}
	c.stepNamed(a, w, false)
}

func (c *checker) lowerHandler(a *actor, h *handlerInfo, kind bodyKind, name string, body ast.Body, result ast.Type) {
	fn := &program.Func{Span: h.name.Span()}
	b := c.newBody(a, kind, name, fn)
	c.mustBeNamed(h.params, name)
	b.params(h.params, wireParam)
	b.info.result = result
	b.functionBody(body)
	b.done()
	h.info = b.info
	h.prog = &program.Handler{Name: h.name.Name, Span: h.name.Span(), Body: fn, Result: c.typeOf(result)}
}

// guarded warns of a command that moves the workflow wherever it stands.
func (c *checker) guarded(a *actor, h *handlerInfo) {
	if h.in != nil || a.kind != ast.KindWorkflow {
		return
	}
	moved := anyExpr(h.prog.Body.Body, func(e program.Expr) bool {
		switch e.(type) {
		case *program.Goto, *program.Pause, *program.End, *program.Fail:
			return true
		}
		return false
	})
	rejects := anyExpr(h.prog.Body.Body, func(e program.Expr) bool {
		_, ok := e.(*program.Reject)
		return ok
	})
	if moved && !rejects {
		c.sayUnguarded(h)
	}
}

// lowerMain makes the implicit workflow of the top-level statements.
func (c *checker) lowerMain() {
	span := c.names.mainFile
	if n := len(c.names.main); n > 0 {
		span = c.names.main[0].Span().To(c.names.main[n-1].Span())
	}
	fn := &program.Func{Span: span}
	b := c.newBody(nil, mainBody, "the program", fn)
	var stmts []ast.Expr
	for _, s := range c.names.main {
		stmts = append(stmts, s.Expr)
	}
	fn.Body = &program.Block{At: program.At{Place: span}, Stmts: b.sequence(stmts)}
	b.done()
	c.prog.Main = &program.Workflow{
		Name: program.MainName, Span: span,
		Items: []*program.Item{{Step: &program.Step{
			Name: program.MainName, Span: span, Body: fn, Else: -1,
			Policy: program.Policy{NoTimeout: true},
		}}},
	}
}
