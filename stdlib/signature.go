package stdlib

import (
	"slices"
	gostrings "strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
	"github.com/wf-lang/wf/lang/value"
)

// pure makes the entry of a pure function. Its signature is written as in
//
//	String.pad_left(text: String, width: Int, fill?: String; cut?: Bool) -> String
//
// `?` marks what may be left out, `;` begins what is given by name only, `...`
// behind the last type says that more of the kind may follow. A single
// upper-case letter stands for any type, the same wherever it is in one
// signature. The arguments that f gets are of these types: an Int where a
// Decimal or Float stands has become one.
func pure(signature string, f impl, doc, example string, more ...string) *program.Builtin {
	b := &program.Builtin{Doc: doc, Example: example, More: more}
	head, rest := cutSignature(signature)
	b.Module, b.Name, _ = gostrings.Cut(head, ".")
	inner, result := rest[0], rest[1]
	b.Result = typeOf(result)
	positional, byName, _ := gostrings.Cut(inner, ";")
	for _, p := range splitTop(positional) {
		b.Params = append(b.Params, parameter(p, false, &b.Rest))
	}
	for _, p := range splitTop(byName) {
		b.Params = append(b.Params, parameter(p, true, &b.Rest))
	}
	b.Fn = checked(b, f)
	return b
}

// flat is pure of a function that does not look at all it is given.
func flat(signature string, f impl, doc, example string, more ...string) *program.Builtin {
	b := pure(signature, f, doc, example, more...)
	b.Flat = true
	return b
}

// cutSignature splits a signature into name, parameters and result.
func cutSignature(s string) (head string, rest [2]string) {
	open := gostrings.IndexByte(s, '(')
	depth, end := 0, len(s)
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				end = i
			}
		}
		if end < len(s) {
			break
		}
	}
	result := gostrings.TrimPrefix(gostrings.TrimSpace(s[min(end+1, len(s)):]), "->")
	return s[:open], [2]string{s[open+1 : end], gostrings.TrimSpace(result)}
}

// splitTop splits at the commas that stand in no bracket.
func splitTop(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out, from = append(out, s[from:i]), i+1
			}
		}
	}
	if last := gostrings.TrimSpace(s[from:]); last != "" {
		out = append(out, last)
	}
	return out
}

func parameter(s string, named bool, rest *bool) program.BuiltinParam {
	name, text, _ := gostrings.Cut(gostrings.TrimSpace(s), ":")
	name, optional := gostrings.CutSuffix(name, "?")
	text, more := gostrings.CutSuffix(gostrings.TrimSpace(text), "...")
	*rest = *rest || more
	return program.BuiltinParam{Name: name, Type: typeOf(text), Optional: optional, Named: named}
}

// typeOf reads a type.
func typeOf(text string) program.Type {
	t := fromTypes(types.Read(text))
	t.Text = text
	return t
}

func fromTypes(t *types.Type) program.Type {
	out := program.Type{Text: t.String(), Base: baseOf(t)}
	if out.Base == program.FuncType || out.Base == program.SchemaType {
		return out
	}
	out.Keys = t.Keys
	for _, e := range t.Elem {
		out.Elem = append(out.Elem, fromTypes(e))
	}
	return out
}

func baseOf(t *types.Type) program.Base {
	if t.Of != nil {
		return program.SchemaType
	}
	bases := [types.VarKind + 1]program.Base{
		types.NilKind: program.NilType, types.BoolKind: program.BoolType, types.IntKind: program.IntType, types.DecimalKind: program.DecimalType,
		types.FloatKind: program.FloatType, types.StringKind: program.StringType, types.DurationKind: program.DurationType, types.TimeKind: program.TimeType,
		types.ListKind: program.ListType, types.MapKind: program.MapType, types.TupleKind: program.TupleType, types.RecordKind: program.RecordType,
		types.OptionalKind: program.OptionalType, types.FuncKind: program.FuncType,
	}
	return bases[t.Kind]
}

// checked is f behind a look at the kinds of its arguments.
func checked(b *program.Builtin, f impl) func(program.Caller, []value.Value) (value.Value, error) {
	name := b.FullName()
	last := len(b.Params) - 1
	return func(m program.Caller, args []value.Value) (value.Value, error) {
		for i := range args {
			p := &b.Params[min(i, last)]
			if p.Optional && args[i].IsNil() {
				continue
			}
			if v, fits := accept(p.Type.Base, args[i]); !fits {
				return value.Nil, unfit(name, p, min(i, last), args[i])
			} else if v.Kind() != args[i].Kind() {
				args = slices.Clone(args)
				args[i] = v
			}
		}
		return f(call{m, name, args})
	}
}

// accept gives v as a value of a type's base, if it is one or widens to one.
func accept(base program.Base, v value.Value) (value.Value, bool) {
	k := v.Kind()
	switch base {
	case program.BoolType:
		return v, k == value.KindBool
	case program.IntType:
		return v, k == value.KindInt
	case program.DecimalType:
		if k == value.KindInt {
			v, _ = value.ToDecimal(v)
		}
		return v, v.Kind() == value.KindDecimal
	case program.FloatType:
		if k == value.KindInt {
			v, _ = value.ToFloat(v)
		}
		return v, v.Kind() == value.KindFloat
	case program.StringType:
		return v, k == value.KindString
	case program.DurationType:
		return v, k == value.KindDuration
	case program.TimeType:
		return v, k == value.KindTime
	case program.ListType:
		return v, k == value.KindList
	case program.MapType, program.RecordType:
		return v, k == value.KindRecord
	case program.FuncType:
		return v, k == value.KindFunc
	}
	return v, true
}

func unfit(name string, p *program.BuiltinParam, i int, v value.Value) error {
	want := map[program.Base]string{
		program.BoolType: "a Bool", program.IntType: "an Int", program.DecimalType: "a Decimal", program.FloatType: "a Float", program.StringType: "a String",
		program.DurationType: "a Duration", program.TimeType: "a Time", program.ListType: "a list", program.MapType: "a record", program.RecordType: "a record",
		program.FuncType: "a function",
	}[p.Type.Base]
	if i > 0 {
		want += " for `" + p.Name + "`"
	}
	return wrongKind(name, want, v)
}
