package stdlib

import (
	gostrings "strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// strings is the module String.
func strings() []*program.Builtin {
	s := param("text", stringType())
	return []*program.Builtin{
		{Module: "String", Name: "join", Params: params(param("list", listType()), optional("separator", stringType())), Result: stringType(), Fn: stringJoin,
			Doc: "Joins the texts of a list's elements, with the separator between them.", Example: `String.join(["a", "b"], ", ") == "a, b"`},
		{Module: "String", Name: "split", Params: params(s, param("separator", stringType())), Result: stringsType(), Fn: stringSplit,
			Doc:     "Splits a text at every separator; with the empty separator, into its characters.",
			Example: `String.split("a,b,,c", ",") == ["a", "b", "", "c"]`},
		{Module: "String", Name: "upper", Params: params(s), Result: stringType(), Fn: onText("String.upper", gostrings.ToUpper),
			Doc: "Turns all letters to upper case.", Example: `String.upper("Abc") == "ABC"`},
		{Module: "String", Name: "lower", Params: params(s), Result: stringType(), Fn: onText("String.lower", gostrings.ToLower),
			Doc: "Turns all letters to lower case.", Example: `String.lower("Abc") == "abc"`},
		{Module: "String", Name: "trim", Params: params(s), Result: stringType(), Fn: onText("String.trim", gostrings.TrimSpace),
			Doc: "Takes blanks and line breaks away from both ends.", Example: `String.trim("  a b ") == "a b"`},
		{Module: "String", Name: "contains", Params: params(s, param("part", stringType())), Result: boolType(), Fn: stringContains,
			Doc: "Says whether a part occurs in a text.", Example: `String.contains("workflow", "flow") == true`},
	}
}

// onText makes a function of one text to another.
func onText(name string, f func(string) string) func(program.CallFunc, []value.Value) (value.Value, error) {
	return func(_ program.CallFunc, args []value.Value) (value.Value, error) {
		s, err := stringArg(name, args[0])
		return value.String(f(s)), err
	}
}

func stringJoin(_ program.CallFunc, args []value.Value) (value.Value, error) {
	xs, err := listArg("String.join", args[0])
	if err != nil {
		return value.Nil, err
	}
	sep := ""
	if !args[1].IsNil() {
		if sep, err = stringArg("String.join", args[1]); err != nil {
			return value.Nil, err
		}
	}
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = x.Text()
	}
	return value.String(gostrings.Join(parts, sep)), nil
}

func stringSplit(_ program.CallFunc, args []value.Value) (value.Value, error) {
	s, err := stringArg("String.split", args[0])
	if err != nil {
		return value.Nil, err
	}
	sep, err := stringArg("String.split", args[1])
	if err != nil {
		return value.Nil, err
	}
	parts := gostrings.Split(s, sep)
	out := make([]value.Value, len(parts))
	for i, p := range parts {
		out[i] = value.String(p)
	}
	return value.List(out...), nil
}

func stringContains(_ program.CallFunc, args []value.Value) (value.Value, error) {
	s, err := stringArg("String.contains", args[0])
	if err != nil {
		return value.Nil, err
	}
	part, err := stringArg("String.contains", args[1])
	return value.Bool(gostrings.Contains(s, part)), err
}
