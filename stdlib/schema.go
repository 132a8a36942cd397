package stdlib

import (
	"errors"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib/schema"
)

// schemaModule is the module Schema.
func schemaModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Schema.check(value: Any, schema: Schema(A)) -> A", schemaCheck,
			"Gives the value as the type has it: Decimals, Floats, Durations, Times and variants where the type says so, nil for what is missing and may be nil. A value that does not fit is a fault of code `schema` that says where. The schema is a type, written as in a declaration, or the record of a JSON Schema.",
			`Schema.check({ sku: "a-1", price: 3 }, { sku: String, price: Decimal }).price == 3.0`),
		pure("Schema.fits(value: Any, schema: Schema(A)) -> Bool", schemaFits,
			"Says whether a value fits a type or a JSON Schema.", `Schema.fits([1, "two"], [Int]) == false`),
		pure("Schema.problem(value: Any, schema: Schema(A)) -> String?", schemaProblem,
			"Says where and why a value does not fit a type or a JSON Schema; nil if it fits.",
			`Schema.problem({ qty: "two" }, { qty: Int }) == "$.qty: expected Int, found String \"two\""`),
		flat("Schema.of(schema: Schema(A)) -> {String: Any}", schemaOf,
			"Gives the JSON Schema of a type as a record.", `Schema.of({ qty: Int }) == { type: "object", properties: { qty: { type: "integer" } }, required: ["qty"] }`),
	}
}

// CodeSchema is the code of a value that does not fit, or of a schema that
// cannot be used.
const CodeSchema = "schema"

func schemaCheck(c call) (value.Value, error) { return c.fitted(c.args[0], c.args[1]) }

// fitted is what a value is by a schema; what does not fit is a fault.
func (c call) fitted(v, s value.Value) (value.Value, error) {
	out, err := schema.FitWithin(v, s, c.steps)
	if misfit(err) {
		return value.Nil, errorf(CodeSchema, "%s", err)
	}
	return out, err
}

// steps pays for steps of a Fit, each of which is about two evaluations.
func (c call) steps(n int) error { return c.Spend(2 * n) }

// misfit reports whether an error is about a value or a schema, rather than the
// end of what a run may spend.
func misfit(err error) bool {
	var m *schema.Mismatch
	var u *schema.Unfit
	return errors.As(err, &m) || errors.As(err, &u)
}

func schemaFits(c call) (value.Value, error) {
	v, err := schemaProblem(c)
	return value.Bool(v.IsNil()), err
}

func schemaProblem(c call) (value.Value, error) {
	_, err := schema.FitWithin(c.args[0], c.args[1], c.steps)
	var m *schema.Mismatch
	switch {
	case errors.As(err, &m):
		return value.String(m.Error()), nil
	case misfit(err):
		return value.Nil, errorf(CodeSchema, "%s", err)
	}
	return value.Nil, err
}

func schemaOf(c call) (value.Value, error) {
	if c.args[0].Kind() != value.KindRecord {
		return value.Nil, wrongKind("Schema.of", "a type", c.args[0])
	}
	return c.args[0], nil
}
