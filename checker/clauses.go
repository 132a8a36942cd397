package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// clauses lowers the clauses of a step ("step"), a block ("parallel"), a
// compensation ("compensate"), `finally` or a `default` line; the target of an
// `else` is returned apart.
func (s *sequence) clauses(cs []ast.Clause, of string) (program.Policy, *ast.Word) {
	var p program.Policy
	var target *ast.Word
	first := map[ast.ClauseKind]ast.Clause{}
	for i := range cs {
		cl := cs[i]
		if old, ok := first[cl.Kind]; ok {
			s.c.sayClauseTwice(cl, old)
			continue
		}
		first[cl.Kind] = cl
		if (of == "parallel") != (cl.Kind == ast.ClauseElse) && of != "step" && of != "default" {
			s.c.sayClauseHere(cl, of)
			continue
		}
		s.c.refuseFeature(feature(cl.Kind), cl.Span())
		if cl.Kind == ast.ClauseElse {
			target = &cl.Target
			continue
		}
		s.clause(&p, cl)
	}
	return p, target
}

func (s *sequence) clause(p *program.Policy, cl ast.Clause) {
	name := clauseWord(cl.Kind)
	if isNil(cl.Value) {
		p.NoTimeout = cl.Kind == ast.ClauseTimeout
		return
	}
	switch cl.Kind {
	case ast.ClauseTimeout:
		p.Timeout = s.c.valueFunc(s.a, clauseValue, name, cl.Value)
	case ast.ClauseRetry:
		p.Retry = s.c.valueFunc(s.a, clauseValue, name, cl.Value)
	case ast.ClauseBackoff:
		p.Backoff, p.Jitter = s.c.valueFunc(s.a, clauseValue, name, cl.Value), cl.Jitter
	case ast.ClauseWhen:
		b := s.c.newBody(s.a, clauseValue, name, &program.Func{Span: cl.Span()})
		b.param("e", cl.Span(), errVar)
		b.fn.Body = b.expr(cl.Value)
		b.done()
		p.When = b.fn
	}
}

// merge fills in the defaults where nothing else was said.
func merge(p, d program.Policy) program.Policy {
	if p.Timeout == nil && !p.NoTimeout {
		p.Timeout, p.NoTimeout = d.Timeout, d.NoTimeout
	}
	if p.Retry == nil {
		p.Retry = d.Retry
	}
	if p.Backoff == nil {
		p.Backoff, p.Jitter = d.Backoff, d.Jitter
	}
	if p.When == nil {
		p.When = d.When
	}
	return p
}

func clauseWord(k ast.ClauseKind) string {
	return [...]string{"timeout", "retry", "backoff", "when", "else"}[k]
}

// feature is under which name of Features a clause can be refused.
func feature(k ast.ClauseKind) string {
	switch k {
	case ast.ClauseTimeout:
		return "timeout"
	case ast.ClauseElse:
		return "else"
	}
	return "retry"
}
