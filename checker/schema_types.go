package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/value"
)

// schemas writes the schema of one type. A declared type that is named more
// than once, or that contains itself, is written once, under $defs: a schema is
// never longer than its declarations.
type schemas struct {
	c     *checker
	uses  map[string]int
	order []string // of the shared types, as they were met
	defs  map[string]value.Value
}

func newSchemas(c *checker, t ast.Type) *schemas {
	s := &schemas{c: c, uses: map[string]int{}, defs: map[string]value.Value{}}
	c.eachType(t, func(t ast.Type) {
		if name, ok := t.(*ast.NameType); ok && c.names.types[name.Name] != nil {
			s.uses[name.Name]++
		}
	})
	return s
}

// whole is the schema with all that it refers to.
func (s *schemas) whole(t ast.Type) value.Value {
	out := s.of(t)
	if len(s.order) == 0 {
		return out
	}
	defs := make([]value.Value, len(s.order))
	for i, name := range s.order {
		defs[i] = s.defs[name]
	}
	r, _ := out.AsRecord()
	return r.With("$defs", value.NewRecord(s.order, defs))
}

func (s *schemas) of(t ast.Type) value.Value {
	switch t := t.(type) {
	case *ast.NameType:
		return s.named(t.Name)
	case *ast.ListType:
		return fields("type", "array", "items", s.of(t.Elem))
	case *ast.MapType:
		return fields("type", "object", "additionalProperties", s.of(t.Elem))
	case *ast.OptType:
		return s.optional(t)
	case *ast.TupleType:
		return s.tuple(t.Elems)
	case *ast.RecordType:
		return s.record(t, nil)
	case *ast.FnType:
		return fields("not", fields(), "description", "a function, which is no data")
	}
	return fields()
}

// named is the schema of a type by its name.
func (s *schemas) named(name string) value.Value {
	if a := s.c.names.actors[name]; a != nil {
		return fields("type", "string", "format", a.kind.Keyword(), "title", name, "description", "the id of a "+a.kind.Keyword())
	}
	d := s.c.names.types[name]
	if d == nil {
		return s.predeclared(name)
	}
	if s.uses[name] < 2 {
		return s.declared(d)
	}
	if !slices.Contains(s.order, name) {
		s.order = append(s.order, name)
		s.defs[name] = s.declared(d)
	}
	return fields("$ref", "#/$defs/"+name)
}

func (s *schemas) declared(d *ast.TypeDecl) value.Value {
	head := []any{"title", d.Name.Name}
	if d.Doc != "" {
		head = append(head, "description", d.Doc)
	}
	if len(d.Variants) > 0 {
		return fields(append(head, "oneOf", s.variants(d.Variants))...)
	}
	if r, ok := d.Type.(*ast.RecordType); ok {
		return s.record(r, head)
	}
	inner, _ := s.of(d.Type).AsRecord()
	out := fields(head...)
	for i := range inner.Len() {
		k, v := inner.At(i)
		r, _ := out.AsRecord()
		if _, has := r.Get(k); !has {
			out = r.With(k, v)
		}
	}
	return out
}

func (s *schemas) predeclared(name string) value.Value {
	switch name {
	case "nil":
		return fields("type", "null")
	case "Bool":
		return fields("type", "boolean")
	case "Int":
		return fields("type", "integer")
	case "Decimal":
		return fields("type", "number", "format", "decimal")
	case "Float":
		return fields("type", "number", "format", "float")
	case "String":
		return fields("type", "string")
	case "Duration":
		return fields("type", "string", "format", "duration")
	case "Time":
		return fields("type", "string", "format", "date-time")
	case "Option", "Result":
		var alternatives []ast.Variant
		for _, v := range s.c.names.variants[map[string]string{"Option": "Some", "Result": "Ok"}[name]].peers {
			made := ast.Variant{Name: ast.Word{Name: v}}
			for range s.c.names.variants[v].names {
				made.Fields = append(made.Fields, ast.VField{})
			}
			alternatives = append(alternatives, made)
		}
		return fields("title", name, "oneOf", s.variants(alternatives))
	}
	return fields()
}

// optional is a type or null.
func (s *schemas) optional(t *ast.OptType) value.Value {
	inner := s.of(t.Elem)
	r, _ := inner.AsRecord()
	if r.Len() == 0 {
		return inner
	}
	if kind, has := r.Get("type"); has {
		if name, isText := kind.AsString(); isText {
			return r.With("type", value.List(value.String(name), value.String("null")))
		}
		return inner // it may be null already
	}
	return fields("anyOf", value.List(inner, fields("type", "null")))
}

func (s *schemas) tuple(elems []ast.Type) value.Value {
	if len(elems) == 0 {
		return fields("type", "null", "format", "unit")
	}
	items := make([]value.Value, len(elems))
	for i, e := range elems {
		items[i] = s.of(e)
	}
	n := value.Int(int64(len(items)))
	return fields("type", "array", "format", "tuple", "prefixItems", value.List(items...), "minItems", n, "maxItems", n)
}

// record is an object with its properties; required is what the checker would
// require of a value.
func (s *schemas) record(t *ast.RecordType, head []any) value.Value {
	var keys []string
	var props, required []value.Value
	for _, f := range t.Fields {
		if slices.Contains(keys, f.Name.Name) {
			continue
		}
		p := s.of(f.Type)
		keys, props = append(keys, f.Name.Name), append(props, p)
		if r, _ := p.AsRecord(); r.Len() > 0 && !s.mayBeNil(f.Type, 0) {
			required = append(required, value.String(f.Name.Name))
		}
	}
	return fields(append(head, "type", "object", "properties", value.NewRecord(keys, props), "required", value.List(required...))...)
}

// mayBeNil follows names to an optional type.
func (s *schemas) mayBeNil(t ast.Type, depth int) bool {
	switch t := t.(type) {
	case *ast.OptType:
		return true
	case *ast.NameType:
		d := s.c.names.types[t.Name]
		return d != nil && d.Type != nil && depth <= len(s.c.names.typeList) && s.mayBeNil(d.Type, depth+1)
	}
	return false
}

// variants are objects as the language writes variants in JSON.
func (s *schemas) variants(vs []ast.Variant) value.Value {
	out := make([]value.Value, len(vs))
	for i, v := range vs {
		keys, props := []string{"type"}, []value.Value{fields("const", v.Name.Name)}
		required := []value.Value{value.String("type")}
		names := fieldNames(v.Fields)
		switch {
		case value.NamedInJSON(names):
			for k, f := range v.Fields {
				keys, props = append(keys, names[k]), append(props, s.of(f.Type))
				if !s.mayBeNil(f.Type, 0) {
					required = append(required, value.String(names[k]))
				}
			}
		case len(v.Fields) > 0:
			keys, props, required = append(keys, "values"), append(props, s.tuple(fieldTypes(v.Fields))), append(required, value.String("values"))
		}
		var head []any
		if v.Doc != "" {
			head = append(head, "description", v.Doc)
		}
		out[i] = fields(append(head, "type", "object", "format", "variant", "properties", value.NewRecord(keys, props), "required", value.List(required...))...)
	}
	return value.List(out...)
}

// fields makes a record of keys and values by turns; a text is a String.
func fields(pairs ...any) value.Value {
	var keys []string
	var vals []value.Value
	for i := 0; i+1 < len(pairs); i += 2 {
		k, _ := pairs[i].(string)
		v, isValue := pairs[i+1].(value.Value)
		if text, isText := pairs[i+1].(string); isText && !isValue {
			v = value.String(text)
		}
		keys, vals = append(keys, k), append(vals, v)
	}
	return value.NewRecord(keys, vals)
}
