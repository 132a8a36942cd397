package types

import "strings"

// names of the kinds without parts.
var names = [...]string{
	AnyKind: "Any", NeverKind: "Any", NilKind: "nil", BoolKind: "Bool", IntKind: "Int", DecimalKind: "Decimal",
	FloatKind: "Float", StringKind: "String", DurationKind: "Duration", TimeKind: "Time", SecretKind: "Secret", ListKind: "list",
	MapKind: "map", TupleKind: "tuple", RecordKind: "record", OptionalKind: "optional", FuncKind: "function",
	HandleKind: "handle", SumKind: "variant", VarKind: "Any",
}

// String is the type as one would write it; long ones are shortened.
func (t *Type) String() string {
	var sb strings.Builder
	t.write(&sb, 0)
	return sb.String()
}

// Article is the type with an article before it, as in "an Int", "a list".
func (t *Type) Article() string {
	s := t.String()
	switch {
	case t.Kind == HandleKind:
		return "a handle of " + s
	case t.Kind == NilKind, t.Kind == RecordKind && t.Name == "", t.Kind == TupleKind, t.Kind == FuncKind,
		t.Kind == ListKind, t.Kind == MapKind:
		return s
	case strings.ContainsRune("AEIOU", rune(s[0])):
		return "an " + s
	}
	return "a " + s
}

func (t *Type) write(sb *strings.Builder, depth int) {
	switch {
	case t.Name != "":
		sb.WriteString(t.Name)
	case depth > 4:
		sb.WriteString("…")
	case t.Kind == ListKind:
		sb.WriteString("[")
		t.Elem[0].writeElem(sb, depth)
		sb.WriteString("]")
	case t.Kind == MapKind:
		sb.WriteString("{String: ")
		t.Elem[0].writeElem(sb, depth)
		sb.WriteString("}")
	case t.Kind == OptionalKind:
		t.Elem[0].write(sb, depth+1)
		sb.WriteString("?")
	case t.Kind == TupleKind:
		writeAll(sb, t.Elem, depth)
	case t.Kind == FuncKind:
		sb.WriteString("fn")
		writeAll(sb, t.Params(), depth)
		sb.WriteString(" -> ")
		t.Result().write(sb, depth+1)
	case t.Of != nil:
		sb.WriteString("Schema(")
		t.Of.write(sb, depth+1)
		sb.WriteString(")")
	case t.Kind == RecordKind:
		t.writeFields(sb, depth)
	default:
		sb.WriteString(names[t.Kind])
	}
}

// writeElem writes the element of a list or map; that of an empty one is Any.
func (t *Type) writeElem(sb *strings.Builder, depth int) {
	if t.Kind == NeverKind {
		t = Any()
	}
	t.write(sb, depth+1)
}

func writeAll(sb *strings.Builder, ts []*Type, depth int) {
	sb.WriteString("(")
	for i, e := range ts {
		if i > 0 {
			sb.WriteString(", ")
		}
		e.write(sb, depth+1)
	}
	sb.WriteString(")")
}

// longest is how many fields of a record are written out.
const longest = 6

func (t *Type) writeFields(sb *strings.Builder, depth int) {
	if len(t.Keys) == 0 {
		sb.WriteString("{}")
		return
	}
	sb.WriteString("{ ")
	for i, k := range t.Keys {
		if i > 0 {
			sb.WriteString(", ")
		}
		if i == longest {
			sb.WriteString("…")
			break
		}
		sb.WriteString(k)
		sb.WriteString(": ")
		t.Elem[i].write(sb, depth+1)
	}
	sb.WriteString(" }")
}
