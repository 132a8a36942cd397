package checker

import (
	"strconv"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/value"
)

// literal is the value of a literal; one that does not fit is reported and
// stands for nil.
func (c *checker) literal(e ast.Expr) value.Value {
	switch e := e.(type) {
	case *ast.NumberLit:
		v, err := number(e.Kind, e.Text)
		if err != nil {
			c.sayNumberRange(e)
		}
		return v
	case *ast.StringLit:
		return value.String(e.Value)
	case *ast.BoolLit:
		return value.Bool(e.Value)
	}
	return value.Nil
}

// number reads the digits of a numeric literal.
func number(kind ast.NumberKind, text string) (value.Value, error) {
	switch kind {
	case ast.NumInt:
		i, err := strconv.ParseInt(text, 10, 64)
		return value.Int(i), err
	case ast.NumFloat:
		return value.ToFloat(value.String(text))
	case ast.NumDuration:
		return value.ToDuration(value.String(text))
	}
	return value.ToDecimal(value.String(text))
}

// negated is the literal with its sign turned.
func negated(n *ast.NumberLit) *ast.NumberLit {
	text := "-" + n.Text
	if n.Text != "" && n.Text[0] == '-' {
		text = n.Text[1:]
	}
	return &ast.NumberLit{At: n.At, Kind: n.Kind, Text: text}
}
