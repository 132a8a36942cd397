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
		b.condition(e.X, "`&&`")
		b.condition(e.Y, "`&&`")
		return &program.And{At: at(e), X: b.expr(e.X), Y: b.expr(e.Y)}
	case "||":
		b.condition(e.X, "`||`")
		b.condition(e.Y, "`||`")
		return &program.Or{At: at(e), X: b.expr(e.X), Y: b.expr(e.Y)}
	case "??":
		return &program.Coalesce{At: at(e), X: b.expr(e.X), Y: b.expr(e.Y)}
	}
	op, ok := binOp(e.Op)
	if !ok {
		return nothing(e)
	}
	b.operands(e)
	return &program.Binary{At: at(e), Op: op, X: b.expr(e.X), Y: b.expr(e.Y)}
}

func (b *body) unary(e *ast.Unary) program.Expr {
	if e.Op == "!" {
		b.condition(e.X, "`!`")
		return &program.Not{At: at(e), X: b.expr(e.X)}
	}
	if n, ok := bare(e.X).(*ast.NumberLit); ok {
		return constant(e, b.c.literal(negated(n)))
	}
	switch k := plainKind(e.X); k {
	case "", "Int", "Decimal", "Float", "Duration":
	default:
		b.c.sayOperand(e, k)
	}
	return &program.Neg{At: at(e), X: b.expr(e.X)}
}

// condition refuses what is plainly no Bool.
func (b *body) condition(e ast.Expr, of string) {
	if k := plainKind(e); k != "" && k != "Bool" {
		b.c.sayNotBool(e, of, k)
	}
}

// plainKind is the type of an expression that shows it without any inference;
// "" for all others.
func plainKind(e ast.Expr) string {
	switch e := bare(e).(type) {
	case *ast.NumberLit:
		return [...]string{"Int", "Decimal", "Float", "Duration"}[e.Kind]
	case *ast.StringLit, *ast.Interp:
		return "String"
	case *ast.BoolLit:
		return "Bool"
	case *ast.NilLit:
		return "nil"
	case *ast.List:
		return "List"
	case *ast.Record:
		return "Record"
	case *ast.Tuple:
		return "Tuple"
	case *ast.Lambda:
		return "Function"
	case *ast.Unary:
		if e.Op == "!" {
			return "Bool"
		}
		return plainKind(e.X)
	case *ast.Binary:
		switch e.Op {
		case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
			return "Bool"
		}
	}
	return ""
}

// operands refuses an operator between values that plainly do not fit.
func (b *body) operands(e *ast.Binary) {
	x, y := plainKind(e.X), plainKind(e.Y)
	if x == "" || y == "" {
		return
	}
	if !fits(e.Op, x, y) {
		b.c.sayOperands(e, x, y)
	}
}

func fits(op ast.BinaryOp, x, y string) bool {
	xn, yn := isNumber(x), isNumber(y)
	mixed := (x == "Decimal" && y == "Float") || (x == "Float" && y == "Decimal")
	switch op {
	case "==", "!=":
		return true
	case "<", "<=", ">", ">=":
		return (xn && yn && !mixed) || (x == y && (x == "String" || x == "Duration"))
	case "..":
		return x == y && (x == "Int" || x == "Duration")
	case "+":
		return (xn && yn && !mixed) || (x == y && (x == "String" || x == "List" || x == "Duration"))
	case "-":
		return (xn && yn && !mixed) || (x == y && x == "Duration")
	case "*":
		return (xn && yn && !mixed) || (x == "Duration" && y == "Int") || (x == "Int" && y == "Duration")
	case "/":
		return (xn && yn && !mixed) || (x == "Duration" && (y == "Duration" || y == "Int"))
	case "%":
		return xn && yn && !mixed
	}
	return true
}

func isNumber(k string) bool { return k == "Int" || k == "Decimal" || k == "Float" }
