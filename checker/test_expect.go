package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// An expectation is lowered to its condition and the parts of it that a message
// shows when it fails: the sides of a comparison, the arguments of a call. What
// may have an effect, or takes work, is evaluated once, into a hidden name; what
// only reads a place is read where it stands, so that what the condition shows of
// a place (that it is not nil) is known afterwards.

// expectation collects the parts of one condition.
type expectation struct {
	b     *body
	stmts []program.Expr
	parts []program.Expr
}

// expect lowers `expect x`. Both sides of `&&` are expected one after the other.
func (b *body) expect(e *ast.Expect, x ast.Expr) program.Expr {
	if and, ok := bare(x).(*ast.Binary); ok && and.Op == "&&" {
		return &program.Block{At: at(x), Stmts: []program.Expr{b.expect(e, and.X), b.expect(e, and.Y)}}
	}
	c := &expectation{b: b}
	so, op := c.condition(x)
	where := e.Span()
	if x != e.X {
		where = x.Span()
	}
	told := b.testOp(&ast.Expect{At: ast.At{Place: where}}, program.TestExpect, so, op, &program.ListExpr{At: at(x), Elems: c.parts})
	if len(c.stmts) == 0 {
		return told
	}
	return &program.Block{At: at(x), Stmts: append(c.stmts, told)}
}

// condition lowers what is expected; op is the operator of a comparison, or nil.
func (c *expectation) condition(x ast.Expr) (so, op program.Expr) {
	none := constant(x, value.Nil)
	switch e := bare(x).(type) {
	case *ast.Binary:
		return c.binary(e)
	case *ast.Unary:
		if e.Op != "!" {
			break
		}
		inner := c.part(e.X)
		return &program.Not{At: at(e), X: inner}, constant(x, value.String("!"))
	case *ast.Call:
		return c.call(e), none
	}
	return c.b.expr(x), none
}

func (c *expectation) binary(e *ast.Binary) (so, op program.Expr) {
	x := c.b.expr(e)
	compared, ok := x.(*program.Binary)
	if !ok || compared.Op < program.Eq || compared.Op > program.Ge {
		return x, constant(e, value.Nil)
	}
	return &program.Binary{At: compared.At, Op: compared.Op, X: c.lowered(e.X, compared.X), Y: c.lowered(e.Y, compared.Y)},
		constant(e, value.String(string(e.Op)))
}

// call shows the arguments of a call that gives a Bool.
func (c *expectation) call(e *ast.Call) program.Expr {
	x := c.b.expr(e)
	hide := func(args []program.Expr) {
		for i, a := range args {
			if i < len(e.Args) && a != nil && !isFunction(a) && a.Span() == e.Args[i].Value.Span() {
				args[i] = c.lowered(e.Args[i].Value, a)
			}
		}
	}
	switch x := x.(type) {
	case *program.CallFn:
		hide(x.Args)
	case *program.CallBuiltin:
		hide(x.Args)
	case *program.CallValue:
		hide(x.Args)
	}
	return x
}

// part lowers a part that is shown.
func (c *expectation) part(e ast.Expr) program.Expr { return c.lowered(e, c.b.expr(e)) }

// lowered notes a part that is shown, and gives what stands for it in the
// condition.
func (c *expectation) lowered(e ast.Expr, x program.Expr) program.Expr {
	if !isPlace(x) {
		v := c.b.hidden()
		bind := &program.Bind{Name: "_"}
		c.b.point(&bind.Slot, v)
		c.stmts = append(c.stmts, &program.Let{At: at(e), Pattern: bind, Value: x})
		x = c.b.read(v, e.Span())
	}
	text := constant(e, value.String(c.b.c.set.Text(e.Span())))
	c.parts = append(c.parts, &program.TupleExpr{At: at(e), Elems: []program.Expr{text, x}})
	return x
}

// isPlace reports whether an expression only reads a name, a field, a literal.
func isPlace(x program.Expr) bool {
	switch x := x.(type) {
	case *program.Const, *program.Local:
		return true
	case *program.Field:
		return isPlace(x.X)
	}
	return false
}
