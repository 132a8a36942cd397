// Package stdlib is the table of built-ins: name, parameters, effect, doc,
// example and, of pure functions, what they do.
//
// A pure function is Go over values and knows nothing else; a function that it
// is given runs through the caller's CallFunc. An effect has no Go function
// here: the engine answers it. The examples are expressions of the language
// with the value they give; a test evaluates each of them.
package stdlib

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
)

// Table lists all built-ins, module by module.
func Table() []*program.Builtin {
	return slices.Concat(conversions(), listModule(), stringModule(), recordModule(), mathModule(), decimalModule(), timeModule(), durationModule(), schemaModule(), jsonModule(), cronModule(), regexModule(), templateModule(), hashModule(), base64Module(), hexModule(), urlModule(), resultModule(), effects())
}

// The types of parameters and results. A single upper-case letter in the text
// stands for any type, the same at each of its places in one signature: so
// `[A]` and `fn(A) -> B` say that a function gets the elements of a list.

func typ(text string, base program.Base, elem ...program.Type) program.Type {
	return program.Type{Text: text, Base: base, Elem: elem}
}

func anyType() program.Type      { return typ("Any", program.AnyType) }
func boolType() program.Type     { return typ("Bool", program.BoolType) }
func intType() program.Type      { return typ("Int", program.IntType) }
func stringType() program.Type   { return typ("String", program.StringType) }
func durationType() program.Type { return typ("Duration", program.DurationType) }
func timeType() program.Type     { return typ("Time", program.TimeType) }
func elemType() program.Type     { return typ("A", program.AnyType) }
func unitType() program.Type     { return typ("()", program.TupleType) }
func schemaType() program.Type   { return typ("Schema(A)", program.SchemaType) }

// param is a parameter that must be given.
func param(name string, t program.Type) program.BuiltinParam {
	return program.BuiltinParam{Name: name, Type: t}
}

// optional is a parameter that may be left out; it is nil then.
func optional(name string, t program.Type) program.BuiltinParam {
	return program.BuiltinParam{Name: name, Type: t, Optional: true}
}

// named is a parameter that may be left out and is given by name only.
func named(name string, t program.Type) program.BuiltinParam {
	return program.BuiltinParam{Name: name, Type: t, Optional: true, Named: true}
}

func params(ps ...program.BuiltinParam) []program.BuiltinParam { return ps }
