package stdlib

import (
	"errors"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib/schema"
)

// schemas is the module Schema.
func schemas() []*program.Builtin {
	v, s := param("value", anyType()), param("schema", schemaType())
	return []*program.Builtin{
		{Module: "Schema", Name: "check", Params: params(v, s), Result: elemType(), Fn: schemaCheck,
			Doc:     "Gives the value as the type has it: Decimals, Floats, Durations, Times and variants where the type says so, nil for what is missing and may be nil. A value that does not fit is a fault of code `schema` that says where. The schema is a type, written as in a declaration, or the record of a JSON Schema.",
			Example: `Schema.check({ sku: "a-1", price: 3 }, { sku: String, price: Decimal }).price == 3.0`},
		{Module: "Schema", Name: "fits", Params: params(v, s), Result: boolType(), Fn: schemaFits,
			Doc: "Says whether a value fits a type or a JSON Schema.", Example: `Schema.fits([1, "two"], [Int]) == false`},
		{Module: "Schema", Name: "problem", Params: params(v, s), Result: typ("String?", program.OptionalType, stringType()), Fn: schemaProblem,
			Doc:     "Says where and why a value does not fit a type or a JSON Schema; nil if it fits.",
			Example: `Schema.problem({ qty: "two" }, { qty: Int }) == "$.qty: expected Int, found String \"two\""`},
		{Module: "Schema", Name: "of", Params: params(s), Result: typ("{String: Any}", program.MapType, anyType()), Fn: schemaOf,
			Doc: "Gives the JSON Schema of a type as a record.", Example: `Schema.of({ qty: Int }) == { type: "object", properties: { qty: { type: "integer" } }, required: ["qty"] }`},
	}
}

// CodeSchema is the code of a value that does not fit, or of a schema that
// cannot be used.
const CodeSchema = "schema"

func schemaCheck(_ program.CallFunc, args []value.Value) (value.Value, error) {
	out, err := schema.Fit(args[0], args[1])
	if err != nil {
		return value.Nil, errorf(CodeSchema, "%s", err)
	}
	return out, nil
}

func schemaFits(call program.CallFunc, args []value.Value) (value.Value, error) {
	v, err := schemaProblem(call, args)
	return value.Bool(v.IsNil()), err
}

func schemaProblem(_ program.CallFunc, args []value.Value) (value.Value, error) {
	_, err := schema.Fit(args[0], args[1])
	var misfit *schema.Mismatch
	switch {
	case err == nil:
		return value.Nil, nil
	case errors.As(err, &misfit):
		return value.String(misfit.Error()), nil
	}
	return value.Nil, errorf(CodeSchema, "%s", err)
}

func schemaOf(_ program.CallFunc, args []value.Value) (value.Value, error) {
	if args[0].Kind() != value.KindRecord {
		return value.Nil, wrongKind("Schema.of", "a type", args[0])
	}
	return args[0], nil
}
