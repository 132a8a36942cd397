package engine

import (
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// longSkeleton is from which length on a skeleton shows less of its type.
const longSkeleton = 100

// skeleton is a payload as somebody has to write it, with types in < > where
// values belong: `{ player: <String>, at: <Int> }`. Nothing in < > is a literal,
// so what is sent without being filled in is refused. It is "" for a signal that
// is not declared or says nothing about a payload.
func skeleton(s *program.SignalDecl) string {
	if s == nil || s.Payload == nil || s.Payload.Type.Text == "" || s.Payload.Type.Base == program.AnyType {
		return ""
	}
	text := ""
	for depth := 3; depth >= 0; depth-- {
		if text = outline(&s.Payload.Type, depth); len(text) <= longSkeleton {
			break
		}
	}
	return text
}

// outline writes a type as a value, with so many levels of what is in it.
func outline(t *program.Type, depth int) string {
	leaf := "<" + strings.Join(strings.Fields(t.Text), " ") + ">"
	switch {
	case t.Text == "":
		return "<Any>"
	case t.Base == program.OptionalType && len(t.Elem) == 1:
		if text := outline(&t.Elem[0], depth); !strings.HasPrefix(text, "<") {
			return text
		}
	case depth > 0 && t.Base == program.VariantType:
		if text := outlineVariant(t.Schema); text != "" {
			return text
		}
	case depth == 0 || len(t.Elem) == 0:
	case t.Base == program.RecordType:
		var fields []string
		for i, k := range t.Keys {
			if !value.IsWord(k) {
				k = value.String(k).String()
			}
			fields = append(fields, k+": "+outline(&t.Elem[i], depth-1))
		}
		return "{ " + strings.Join(fields, ", ") + " }"
	case t.Base == program.ListType:
		return "[" + outline(&t.Elem[0], depth-1) + "]"
	}
	return leaf
}

// outlineVariant writes the record that JSON has for a variant, without its
// fields; "" if nothing is known of the variants.
func outlineVariant(s value.Value) string {
	r, _ := s.AsRecord()
	if r == nil {
		return ""
	}
	if ref, has := r.Get("$ref"); has { // a type inside itself
		all, _ := r.Get("$defs")
		defs, _ := all.AsRecord()
		s, _ = defs.Get(strings.TrimPrefix(ref.Text(), "#/$defs/"))
		r, _ = s.AsRecord()
	}
	oneOf, _ := r.Get("oneOf")
	ways, _ := oneOf.AsList()
	var names []string
	more := ""
	for _, way := range ways {
		w, _ := way.AsRecord()
		all, _ := w.Get("properties")
		props, _ := all.AsRecord()
		tag, _ := props.Get("type")
		constant, _ := tag.AsRecord()
		name, _ := constant.Get("const")
		names = append(names, name.Text())
		if props.Len() > 1 {
			more = ", …"
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "{ type: <" + strings.Join(names, " | ") + ">" + more + " }"
}
