package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// baseType finds a type that needs no declaration.
func baseType(name string) (program.Base, bool) {
	switch name {
	case "Any":
		return program.AnyType, true
	case "nil":
		return program.NilType, true
	case "Bool":
		return program.BoolType, true
	case "Int":
		return program.IntType, true
	case "Decimal":
		return program.DecimalType, true
	case "Float":
		return program.FloatType, true
	case "String":
		return program.StringType, true
	case "Duration":
		return program.DurationType, true
	case "Time":
		return program.TimeType, true
	case "Secret":
		return program.SecretType, true
	case "Option", "Result":
		return program.VariantType, true
	}
	return 0, false
}

// baseNames are the same, for suggestions.
func baseNames() []string {
	return []string{"Any", "Bool", "Int", "Decimal", "Float", "String", "Duration", "Time", "Secret", "Option", "Result"}
}

// typeOf resolves a written type; nil is Any.
func (c *checker) typeOf(t ast.Type) program.Type { return c.resolveUnder(t, nil) }

// mostLeftOpen bounds how many types inside themselves one type is written out
// around: there can be exponentially many ways down to them.
const mostLeftOpen = 64

func (c *checker) resolveUnder(t ast.Type, under []string) program.Type {
	c.openBefore = c.leftOpen
	return c.resolve(t, under)
}

// resolve resolves a type. Under are the names of the types whose declarations
// it is in: a type inside itself is left open, as Any with its name and schema.
func (c *checker) resolve(t ast.Type, under []string) program.Type {
	if t == nil {
		return program.Type{}
	}
	out := program.Type{Text: c.set.Text(t.Span())}
	switch t := t.(type) {
	case *ast.NameType:
		return c.named(t, under)
	case *ast.ListType:
		out.Base, out.Elem = program.ListType, c.resolveAll([]ast.Type{t.Elem}, under)
	case *ast.MapType:
		out.Base, out.Elem = program.MapType, c.resolveAll([]ast.Type{t.Elem}, under)
	case *ast.OptType:
		out.Base, out.Elem = program.OptionalType, c.resolveAll([]ast.Type{t.Elem}, under)
	case *ast.TupleType:
		out.Base, out.Elem = program.TupleType, c.resolveAll(t.Elems, under)
	case *ast.FnType:
		out.Base = program.FuncType
		c.resolveAll(t.Params, under)
		c.resolve(t.Result, under)
	case *ast.RecordType:
		out.Base = program.RecordType
		for i, f := range t.Fields {
			for _, old := range t.Fields[:i] {
				if old.Name.Name == f.Name.Name {
					c.sayDuplicateKey(f.Name, old.Name.Span())
				}
			}
			out.Keys = append(out.Keys, f.Name.Name)
			out.Elem = append(out.Elem, c.resolve(f.Type, under))
		}
	}
	return out
}

func (c *checker) resolveAll(ts []ast.Type, under []string) []program.Type {
	var out []program.Type
	for _, t := range ts {
		out = append(out, c.resolve(t, under))
	}
	return out
}

func (c *checker) named(t *ast.NameType, under []string) program.Type {
	if a := c.names.actors[t.Name]; a != nil {
		return program.Type{Text: t.Name, Base: program.HandleType}
	}
	d := c.names.types[t.Name]
	if d == nil {
		if base, ok := baseType(t.Name); ok {
			out := program.Type{Text: t.Name, Base: base}
			if base == program.VariantType {
				out.Schema = c.typeSchema(t)
			}
			return out
		}
		if !c.broken {
			c.sayUnknownType(t)
		}
		return program.Type{}
	}
	if len(d.Variants) > 0 {
		return program.Type{Text: t.Name, Base: program.VariantType, Schema: c.typeSchema(t)}
	}
	if out, known := c.typeNamed[t.Name]; known {
		return out
	}
	if slices.Contains(under, t.Name) || c.leftOpen-c.openBefore >= mostLeftOpen {
		c.leftOpen++
		return program.Type{Text: t.Name, Schema: c.typeSchema(t)}
	}
	before := c.leftOpen
	out := c.resolve(d.Type, append(under[:len(under):len(under)], t.Name))
	out.Text = t.Name
	if c.leftOpen == before { // so it is the same wherever it is named
		c.typeNamed[t.Name] = out
	}
	return out
}

// typeSchema is the schema of a type by its name, nil if it has a function in it.
func (c *checker) typeSchema(t *ast.NameType) value.Value {
	out, known := c.schemaOfType[t.Name]
	if known {
		return out
	}
	if c.unsendable(t) != "a function" {
		out = newSchemas(c, t).whole(t)
	}
	c.schemaOfType[t.Name] = out
	return out
}

// checkTypes resolves the types that only declarations mention, and refuses
// aliases that name nothing but each other.
func (c *checker) checkTypes() {
	for _, name := range c.names.typeList {
		d := c.names.types[name]
		for _, v := range d.Variants {
			c.checkFields(v.Fields)
		}
		if d.Type != nil {
			c.resolveUnder(d.Type, []string{name})
			c.checkAlias(d)
		}
	}
	for _, e := range c.prog.Events {
		c.checkFields(c.names.events[e.Name].Fields)
	}
}

func (c *checker) checkFields(fs []ast.VField) {
	for i, f := range fs {
		c.typeOf(f.Type)
		for _, old := range fs[:i] {
			if f.Name.Name != "" && old.Name.Name == f.Name.Name {
				c.sayDuplicateKey(f.Name, old.Name.Span())
			}
		}
	}
}

// checkAlias follows a chain of plain names.
func (c *checker) checkAlias(d *ast.TypeDecl) {
	at := d
	for range len(c.names.typeList) + 1 {
		n, ok := at.Type.(*ast.NameType)
		if !ok {
			return
		}
		if at = c.names.types[n.Name]; at == nil {
			return
		}
		if at == d {
			c.sayTypeCycle(d)
			return
		}
	}
}
