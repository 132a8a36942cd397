package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// compensate lowers a compensation. Its function takes the error, if it is
// named, then the elements of the `parallel for` blocks around it, then the
// step's own parameter.
func (s *sequence) compensate(m *ast.Compensate, in inside, params []ast.Param, of string) *program.Compensation {
	out := &program.Compensation{Span: m.Span(), HasErr: m.Err != nil}
	b := s.c.newBody(s.a, compensateBody, "the compensation of "+of, &program.Func{Span: m.Span()})
	if m.Err != nil {
		b.param(m.Err.Name, m.Err.Span(), errVar)
	}
	b.elements(in)
	b.params(params, wireParam)
	b.fn.Body = b.withParams(func() program.Expr { return b.block(m.Body) })
	b.done()
	out.Body = b.fn
	out.Policy, _ = s.clauses(m.Clauses, "compensate")
	return out
}

// finally lowers what runs after every ending.
func (s *sequence) finally(m *ast.Finally) *program.Compensation {
	out := &program.Compensation{Span: m.Span(), HasErr: m.Outcome != nil}
	b := s.c.newBody(s.a, finallyBody, "finally", &program.Func{Span: m.Span()})
	if m.Outcome != nil {
		b.param(m.Outcome.Name, m.Outcome.Span(), errVar)
	}
	b.fn.Body = b.block(m.Body)
	b.done()
	out.Body = b.fn
	out.Policy, _ = s.clauses(m.Clauses, "finally")
	return out
}
