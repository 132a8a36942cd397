package checker

import (
	"errors"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// constDecl is a top-level `let` of literals and operators on them. Its value is
// computed here, and stands wherever functions, workflows and tests name it. The
// program's own statements have it as any other name.
type constDecl struct {
	let   *ast.Let
	name  *ast.BindPattern
	main  bool // it stands in the main file
	state foldState
	value value.Value
	why   string // it has no value
	info  *info  // types the value; nil until somebody names the constant
}

// foldState is how far the value of a constant is known.
type foldState uint8

const (
	unfolded foldState = iota
	folding
	folded
	unfoldable
)

// largestFolded bounds, in bytes, what operators make constants of, mostFolded
// all that they make in one program.
const (
	largestFolded = 64 << 10
	mostFolded    = 16 << 20
)

// ConstantLet reads a top-level `let` that may be a constant: its name, and those
// that its value is made of.
func ConstantLet(it ast.Item) (name string, of []string, ok bool) {
	_, p := constantLet(it)
	if p == nil {
		return "", nil, false
	}
	return p.Name, Mentions(it), true
}

// Mentions lists the names of values that a part of a program mentions.
func Mentions(in ast.Node) []string {
	_, names := mentions(in)
	return names
}

// constantLet takes a `let` with a plain name apart if its value may be that of a
// constant; nil if not.
func constantLet(it ast.Item) (*ast.Let, *ast.BindPattern) {
	st, ok := it.(*ast.Statement)
	if !ok {
		return nil, nil
	}
	let, ok := st.Expr.(*ast.Let)
	if !ok || let.Var || !isNil(let.In) || !constantForm(let.Value) {
		return nil, nil
	}
	p, ok := let.Pattern.(*ast.BindPattern)
	if !ok || p.Name == "" || p.Name == "_" || isUpper(p.Name) {
		return nil, nil
	}
	return let, p
}

// constantForm reports whether an expression has no parts but literals, names and
// operators.
func constantForm(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.NumberLit, *ast.StringLit, *ast.BoolLit, *ast.NilLit:
		return true
	case *ast.Name:
		return !isUpper(e.Name)
	case *ast.Paren:
		return constantForm(e.X)
	case *ast.Unary:
		return constantForm(e.X)
	case *ast.Binary:
		return e.Op != "|>" && e.Op != ".." && e.Op != "??" && constantForm(e.X) && constantForm(e.Y)
	case *ast.Tuple:
		return allConstant(e.Elems)
	case *ast.List:
		return allConstant(e.Elems)
	case *ast.Record:
		for _, x := range e.Entries {
			if !isNil(x.Computed) || !isNil(x.Spread) || !constantForm(x.Value) {
				return false
			}
		}
		return true
	}
	return false
}

func allConstant(es []ast.Expr) bool {
	for _, e := range es {
		if !constantForm(e) {
			return false
		}
	}
	return true
}

// collectConstant notes a statement that is a constant, and reports whether it
// is one.
func (c *checker) collectConstant(st *ast.Statement, isMain bool) bool {
	let, p := constantLet(st)
	if let == nil {
		return false
	}
	if old := c.names.constants[p.Name]; old != nil {
		if old.let != let && !(old.main && isMain) {
			c.sayDuplicateDecl("constant", ast.Word{At: p.At, Name: p.Name}, old.name.Span())
		}
		return true
	}
	c.names.constants[p.Name] = &constDecl{let: let, name: p, main: isMain}
	c.names.constList = append(c.names.constList, p.Name)
	return true
}

// constantNamed is the constant of a name that is in sight of a body, nil if there
// is none. The program's own statements see those of other files only: their own
// are names like others, behind the `let`.
func (b *body) constantNamed(name string) *constDecl {
	k := b.c.names.constants[name]
	if k == nil || k.main && b.root().kind == mainBody || !b.c.fold(k) {
		return nil
	}
	return k
}

// constantRef is a constant that is named.
func (b *body) constantRef(n *ast.Name, k *constDecl) program.Expr {
	c := b.c
	c.namedConstants[k.name.Span()] = true
	if k.info == nil {
		k.info = &info{} // it may not name itself
		k.info = c.byFunc[c.valueFunc(nil, stateValue, "`"+n.Name+"`", k.let.Value)]
		k.info.result = k.let.Type
	}
	out := &program.Const{At: at(n), Value: k.value}
	c.constants[out] = k
	return out
}

// fold computes the value of a constant, once, and reports whether it has one.
func (c *checker) fold(k *constDecl) bool {
	switch k.state {
	case unfolded:
		k.state = folding
		of := c.unfoldedFor
		c.unfoldedFor = ""
		v, ok := c.folded(k.let.Value)
		k.state, k.why = unfoldable, c.unfoldedFor
		if ok {
			k.value, k.state = v, folded
		}
		c.unfoldedFor = of
	case folding:
		c.unfold("it is made of itself")
		return false
	}
	if k.state == unfoldable {
		c.unfold(k.why)
	}
	return k.state == folded
}

// unfold notes why what is computed has no value; the first reason counts.
func (c *checker) unfold(why string) {
	if c.unfoldedFor == "" {
		c.unfoldedFor = why
	}
}

// tooLarge is the reason of values over largestFolded and mostFolded.
const tooLarge = "it would be too large"

// folded computes an expression of the form of a constant.
func (c *checker) folded(e ast.Expr) (value.Value, bool) {
	switch e := bare(e).(type) {
	case *ast.NumberLit:
		v, err := number(e.Kind, e.Text)
		return v, err == nil
	case *ast.StringLit, *ast.BoolLit, *ast.NilLit:
		return c.literal(e), true
	case *ast.Name:
		k := c.names.constants[e.Name]
		if k == nil || c.names.funcs[e.Name] != nil {
			c.unfold("`" + e.Name + "` is no constant")
			return value.Nil, false
		}
		return k.value, c.fold(k)
	case *ast.Unary:
		return c.foldedUnary(e)
	case *ast.Binary:
		x, okX := c.folded(e.X)
		y, okY := c.folded(e.Y)
		if !okX || !okY {
			return value.Nil, false
		}
		if x.Size() > largestFolded || y.Size() > largestFolded || c.foldedSize > mostFolded {
			c.unfold(tooLarge)
			return value.Nil, false
		}
		v, err := foldedBinary(e.Op, x, y)
		if err != nil {
			c.unfold(err.Error())
		}
		c.foldedSize += v.Size()
		return v, err == nil
	case *ast.Tuple:
		vs, ok := c.allFolded(e.Elems)
		return value.Tuple(vs...), ok
	case *ast.List:
		vs, ok := c.allFolded(e.Elems)
		return value.List(vs...), ok
	case *ast.Record:
		keys, es := []string{}, []ast.Expr{}
		seen := map[string]bool{}
		for _, x := range e.Entries {
			if seen[x.Key.Name] {
				return value.Nil, false // which is said
			}
			seen[x.Key.Name] = true
			keys, es = append(keys, x.Key.Name), append(es, x.Value)
		}
		vs, ok := c.allFolded(es)
		if !ok {
			return value.Nil, false
		}
		return value.NewRecord(keys, vs), true
	}
	return value.Nil, false
}

func (c *checker) allFolded(es []ast.Expr) ([]value.Value, bool) {
	out, size := make([]value.Value, 0, len(es)), 0
	for _, e := range es {
		v, ok := c.folded(e)
		if _, named := bare(e).(*ast.Name); named {
			size += v.Size()
		}
		if size > largestFolded {
			c.unfold(tooLarge)
		}
		if !ok || size > largestFolded {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

func (c *checker) foldedUnary(e *ast.Unary) (value.Value, bool) {
	if n, ok := bare(e.X).(*ast.NumberLit); ok && e.Op != "!" {
		n = negated(n)
		v, err := number(n.Kind, n.Text)
		return v, err == nil
	}
	x, ok := c.folded(e.X)
	if !ok {
		return value.Nil, false
	}
	if e.Op == "!" {
		truth, isBool := x.AsBool()
		return value.Bool(!truth), isBool
	}
	v, err := value.Neg(x)
	if err != nil {
		c.unfold(err.Error())
	}
	return v, err == nil
}

// errNoConstant is the error of operators on values that they are not for.
var errNoConstant = errors.New("its parts do not fit together")

func foldedBinary(op ast.BinaryOp, x, y value.Value) (value.Value, error) {
	switch op {
	case "==":
		return value.Bool(value.Equal(x, y)), nil
	case "!=":
		return value.Bool(!value.Equal(x, y)), nil
	case "<", "<=", ">", ">=":
		n, err := value.Compare(x, y)
		return value.Bool(n < 0 && op[0] == '<' || n > 0 && op[0] == '>' || n == 0 && len(op) == 2), err
	case "&&", "||":
		a, okA := x.AsBool()
		b, okB := y.AsBool()
		if !okA || !okB {
			return value.Nil, errNoConstant
		}
		return value.Bool(a && b || op == "||" && (a || b)), nil
	}
	compute := map[ast.BinaryOp]func(a, b value.Value) (value.Value, error){
		"+": value.Add, "-": value.Sub, "*": value.Mul, "/": value.Div, "%": value.Mod,
	}[op]
	if compute == nil {
		return value.Nil, errNoConstant
	}
	return compute(x, y)
}
