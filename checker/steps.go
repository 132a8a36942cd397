package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// stepInfo is a step with what the rules ask about it.
type stepInfo struct {
	decl    *ast.Step
	index   int // in the workflow's own sequence; -1 inside a block
	inBlock bool
	info    *info
}

// sequence is a workflow's body while it is lowered.
type sequence struct {
	c         *checker
	a         *actor
	defaults  []ast.Clause
	policy    program.Policy // of the defaults
	otherwise *ast.Word      // of `default else`
	elses     []elseEdge
}

// elseEdge is a failover: from an item to a step.
type elseEdge struct {
	from int
	to   *stepInfo
	word ast.Word
}

// inside is where a step or block stands: the elements of the `parallel for`
// blocks around it, outermost first, and the innermost branch.
type inside struct {
	block  bool
	elems  []ast.Pattern
	lists  []*program.Func // what they are elements of
	branch *branchInfo
}

// lowerSequence lowers the items of a workflow and what stands beside them.
func (c *checker) lowerSequence(a *actor) {
	s := &sequence{c: c, a: a}
	for _, m := range a.decl.Members {
		if d, ok := m.(*ast.Default); ok {
			s.defaults = append(s.defaults, d.Clauses...)
		}
	}
	s.policy, s.otherwise = s.clauses(s.defaults, "default")
	var once members
	for i, m := range a.decl.Members {
		s.member(i, m, &once)
	}
	s.checkFirst()
	s.checkElse()
}

// members are those that a workflow may have once, by the first of them.
type members struct {
	timeout, init, compensate, finally ast.Item
	lastItem                           ast.Item
}

func (s *sequence) member(i int, m ast.Item, once *members) {
	c, a := s.c, s.a
	switch m := m.(type) {
	case *ast.Step:
		s.item(m, once)
		a.prog.Items = append(a.prog.Items, s.step(m, inside{}))
	case *ast.Parallel:
		s.item(m, once)
		a.prog.Items = append(a.prog.Items, s.parallel(m, inside{}))
	case *ast.Timeout:
		c.only(m, &once.timeout)
		c.refuseFeature("timeout", m.Span())
		if !isNil(m.Value) {
			a.prog.Timeout = c.valueFunc(a, clauseValue, "timeout", m.Value)
		}
	case *ast.Init:
		c.only(m, &once.init)
		c.refuseFeature("init", m.Span())
		b := c.newBody(a, initBody, "init", &program.Func{Span: m.Span()})
		b.fn.Body = b.block(m.Body)
		b.done()
		a.prog.Init = b.fn
	case *ast.Compensate:
		if once.lastItem != nil {
			c.sayLateCompensate(m, once.lastItem)
		} else {
			c.only(m, &once.compensate)
		}
		a.prog.Compensate = s.compensate(m, inside{}, nil, "the workflow")
	case *ast.Finally:
		c.only(m, &once.finally)
		c.refuseFeature("finally", m.Span())
		a.prog.Finally = s.finally(m)
	}
}

// item notes an item of the body; none may follow `finally`.
func (s *sequence) item(m ast.Item, once *members) {
	once.lastItem = m
	if once.finally != nil {
		s.c.sayItemAfterFinally(m, once.finally)
	}
}

// only refuses the second of a kind.
func (c *checker) only(m ast.Item, first *ast.Item) {
	if *first != nil {
		c.sayTwice(m, *first)
		return
	}
	*first = m
}

// step lowers a step. In a `parallel for` its function takes the elements
// before its own parameter.
func (s *sequence) step(m *ast.Step, in inside) *program.Item {
	c, a := s.c, s.a
	kind := stepBody
	if in.block {
		kind = branchBody
	}
	fn := &program.Func{Span: m.Name.Span()}
	b := c.newBody(a, kind, "step "+m.Name.Name, fn)
	b.elements(in)
	b.params(m.Params, paramVar)
	if len(m.Params) > 1 {
		c.sayStepParams(m)
	}
	fn.Body = b.withParams(func() program.Expr { return b.block(m.Body) })
	b.done()
	if info := a.steps[m.Name.Name]; info != nil && info.decl == m {
		info.info = b.info
	}
	if in.branch != nil {
		in.branch.add(b.info)
	}
	out := &program.Step{Name: m.Name.Name, Span: m.Name.Span(), Body: fn, Else: -1}
	var target *ast.Word
	out.Policy, target = s.clauses(m.Clauses, "step")
	own := out.Policy
	out.Policy = merge(own, s.policy)
	c.checkRetryless(own, out.Policy.Retry)
	out.Else = s.elseOf(m, target, in)
	if m.Compensate != nil {
		out.Compensate = s.compensate(m.Compensate, in, m.Params, "step "+m.Name.Name)
		undo := c.byFunc[out.Compensate.Body]
		c.later = append(c.later, func() { c.checkUndo(a, b.info, undo) })
	}
	return &program.Item{Step: out}
}

// elements declares the elements of the `parallel for` blocks around a body as
// its first parameters.
func (b *body) elements(in inside) {
	b.info.lists = in.lists
	for _, p := range in.elems {
		if n, ok := p.(*ast.BindPattern); ok {
			b.param(n.Name, n.Span(), wireParam)
			continue
		}
		b.takesApart(p, wireParam)
		b.fn.Params = append(b.fn.Params, program.Param{})
	}
}

// elseOf resolves the failover step of a step or block, the default one
// included.
func (s *sequence) elseOf(m ast.Item, target *ast.Word, in inside) int {
	step, isStep := m.(*ast.Step)
	if target == nil {
		if in.block || !isStep || s.otherwise == nil || s.otherwise.Name == step.Name.Name {
			return -1
		}
		target = s.otherwise
	} else if in.block {
		s.c.sayElseInBlock(*target)
		return -1
	}
	to := s.c.stepNamed(s.a, *target, true)
	if to == nil {
		return -1
	}
	if len(to.decl.Params) > 0 {
		s.c.sayFailoverParam(*target, to)
	}
	s.elses = append(s.elses, elseEdge{from: len(s.a.prog.Items), to: to, word: *target})
	return to.index
}

// checkFirst refuses an item 0 that waits for a value nobody gives it.
func (s *sequence) checkFirst() {
	for _, m := range s.a.decl.Members {
		switch m := m.(type) {
		case *ast.Step:
			if len(m.Params) > 0 {
				s.c.sayFirstParam(m)
			}
			return
		case *ast.Parallel:
			for _, st := range firstSteps(m) {
				if len(st.Params) > 0 {
					s.c.sayFirstParam(st)
				}
			}
			return
		}
	}
}

// firstSteps are the steps with which a block begins.
func firstSteps(p *ast.Parallel) []*ast.Step {
	var out []*ast.Step
	for i, it := range p.Items {
		if p.ForPattern != nil && i > 0 {
			break
		}
		if br, ok := it.(*ast.Branch); ok && len(br.Items) > 0 {
			it = br.Items[0]
		}
		switch it := it.(type) {
		case *ast.Step:
			out = append(out, it)
		case *ast.Parallel:
			out = append(out, firstSteps(it)...)
		}
	}
	return out
}

// checkElse checks that failover steps are reached by failures only, and that
// they do not go round.
func (s *sequence) checkElse() {
	items := s.a.prog.Items
	next := make([]int, len(items))
	for i := range next {
		next[i] = -1
	}
	spoken := map[int]bool{}
	for _, e := range s.elses {
		if e.from < len(next) {
			next[e.from] = e.to.index
		}
		if spoken[e.to.index] {
			continue
		}
		spoken[e.to.index] = true
		s.checkFallInto(e)
	}
	for _, e := range s.elses {
		for at, n := e.to.index, 0; at >= 0 && at < len(next) && n <= len(next); at, n = next[at], n+1 {
			if at == e.from {
				s.c.sayElseCycle(e)
				return
			}
		}
	}
}

func (s *sequence) checkFallInto(e elseEdge) {
	items := s.a.prog.Items
	i := e.to.index
	switch {
	case i == 0:
		s.c.sayElseFirst(e)
	case i > len(items)-1:
	case items[i-1].Step == nil:
		s.c.sayFallInto(e, items[i-1].Parallel.Span)
	case fallsThrough(items[i-1].Step.Body.Body):
		s.c.sayFallInto(e, items[i-1].Step.Span)
	}
}
