package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// binOps are the operators that evaluate both sides.
func binOp(op ast.BinaryOp) (program.BinOp, bool) {
	switch op {
	case "+":
		return program.Add, true
	case "-":
		return program.Sub, true
	case "*":
		return program.Mul, true
	case "/":
		return program.Div, true
	case "%":
		return program.Mod, true
	case "==":
		return program.Eq, true
	case "!=":
		return program.Ne, true
	case "<":
		return program.Lt, true
	case "<=":
		return program.Le, true
	case ">":
		return program.Gt, true
	case ">=":
		return program.Ge, true
	case "..":
		return program.RangeOp, true
	}
	return 0, false
}

func (b *body) binary(e *ast.Binary) program.Expr {
	switch e.Op {
	case "|>":
		return b.pipe(e)
	case "&&":
		return &program.And{At: at(e), X: b.expr(e.X), Y: b.expr(e.Y)}
	case "||":
		return &program.Or{At: at(e), X: b.expr(e.X), Y: b.expr(e.Y)}
	case "??":
		return &program.Coalesce{At: at(e), X: b.expr(e.X), Y: b.expr(e.Y)}
	}
	op, ok := binOp(e.Op)
	if !ok {
		return nothing(e)
	}
	return &program.Binary{At: at(e), Op: op, X: b.expr(e.X), Y: b.expr(e.Y)}
}

func (b *body) unary(e *ast.Unary) program.Expr {
	if e.Op == "!" {
		return &program.Not{At: at(e), X: b.expr(e.X)}
	}
	if n, ok := bare(e.X).(*ast.NumberLit); ok {
		return constant(e, b.c.literal(negated(n)))
	}
	return &program.Neg{At: at(e), X: b.expr(e.X)}
}
