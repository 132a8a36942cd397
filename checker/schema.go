package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// A type that stands where a value is wanted is its JSON Schema: a record, data
// like any other, so that whatever takes a schema takes one written by hand as
// well. A declared type is that everywhere; where a parameter is a schema, so
// is every type that can be written as an expression. What the record describes
// is kept beside it, for the types of what the call gives.

// schemaParam reports whether a parameter of a built-in takes a schema.
func schemaParam(p program.BuiltinParam) bool { return p.Type.Base == program.SchemaType }

// schemaArgument lowers the argument of a schema's parameter; nil if it is not
// a type.
func (b *body) schemaArgument(e ast.Expr) program.Expr {
	t := b.c.typeWritten(e)
	if t == nil {
		return nil
	}
	b.c.typeOf(t) // says what is wrong with it
	return b.c.schemaOf(e, t)
}

// schemaOf is the constant for a type.
func (c *checker) schemaOf(n ast.Node, t ast.Type) program.Expr {
	out := &program.Const{At: at(n), Value: newSchemas(c, t).whole(t)}
	if c.described == nil {
		c.described = map[*program.Const]ast.Type{}
	}
	c.described[out] = t
	return out
}

// typeWritten reads an expression as a type: names of types, `[T]`, `(T, U)`,
// `{ a: T }`, `{String: T}`. It is nil if there is anything else in it.
func (c *checker) typeWritten(e ast.Expr) ast.Type {
	here := ast.At{Place: e.Span()}
	switch e := bare(e).(type) {
	case *ast.Name:
		_, base := baseType(e.Name)
		if isUpper(e.Name) && (base || c.names.types[e.Name] != nil || c.names.actors[e.Name] != nil) {
			return &ast.NameType{At: here, Name: e.Name}
		}
	case *ast.List:
		if ts := c.typesWritten(e.Elems); len(ts) == 1 {
			return &ast.ListType{At: here, Elem: ts[0]}
		}
	case *ast.Tuple:
		if ts := c.typesWritten(e.Elems); len(ts) > 1 {
			return &ast.TupleType{At: here, Elems: ts}
		}
	case *ast.Record:
		return c.recordWritten(e, here)
	}
	return nil
}

func (c *checker) typesWritten(es []ast.Expr) []ast.Type {
	var out []ast.Type
	for _, e := range es {
		t := c.typeWritten(e)
		if t == nil {
			return nil
		}
		out = append(out, t)
	}
	return out
}

func (c *checker) recordWritten(r *ast.Record, here ast.At) ast.Type {
	out := &ast.RecordType{At: here}
	for _, e := range r.Entries {
		if isNil(e.Value) || e.Key.Name == "" {
			return nil
		}
		t := c.typeWritten(e.Value)
		if t == nil {
			return nil
		}
		if e.Key.Name == "String" && !e.Quoted && len(r.Entries) == 1 {
			return &ast.MapType{At: here, Elem: t}
		}
		out.Fields = append(out.Fields, ast.TField{At: e.At, Name: e.Key, Type: t})
	}
	if len(out.Fields) == 0 {
		return nil
	}
	return out
}
