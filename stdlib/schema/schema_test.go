package schema_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib/schema"
)

func read(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.FromJSON([]byte(text))
	require.NoError(t, err, text)
	return v
}

// What fits becomes what the schema says.
func TestFits(t *testing.T) {
	for _, c := range []struct{ schema, in, want string }{
		{`{}`, `{"a": [1, "x", null]}`, `{ a: [1, "x", nil] }`},
		{`true`, `1`, `1`},
		{`{"type": "integer"}`, `3.0`, `3`},
		{`{"type": "integer"}`, `9223372036854775807`, `9223372036854775807`},
		{`{"type": "number"}`, `3`, `3`},
		{`{"type": "number"}`, `3.50`, `3.50`},
		{`{"type": "number", "format": "float"}`, `3`, `3e0`},
		{`{"type": "number", "format": "decimal"}`, `3`, `Decimal(3)`},
		{`{"type": ["string", "null"]}`, `null`, `nil`},
		{`{"type": "string", "format": "duration"}`, `"1h30m"`, `1h30m`},
		{`{"type": "string", "format": "duration"}`, `"PT1H30M"`, `1h30m`},
		{`{"type": "string", "format": "date-time"}`, `"2030-01-01T01:00:00+01:00"`, `Time("2030-01-01T00:00:00Z")`},
		{`{"type": "string", "format": "email"}`, `"not looked at"`, `"not looked at"`},
		{`{"type": "string", "format": "workflow", "title": "Order"}`, `"o-1"`, `Order("o-1")`},
		{`{"type": "string", "format": "entity", "title": "Wallet"}`, `"Wallet/ann"`, `Wallet("ann")`},
		{`{"type": "array", "items": {"type": "number", "format": "float"}}`, `[1, 2]`, `[1e0, 2e0]`},
		{`{"type": "array", "format": "tuple", "prefixItems": [{"type": "string"}, {"type": "number", "format": "float"}]}`, `["a", 1]`, `("a", 1e0)`},
		{`{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": ["string", "null"]}}, "required": ["a"]}`, `{"z": 1, "a": 2}`, `{ z: 1, a: 2, b: nil }`},
		{`{"type": "object", "properties": {"b": {"type": "string"}}}`, `{}`, `{}`},
		{`{"type": "object", "additionalProperties": {"type": "number", "format": "float"}}`, `{"x": 1}`, `{ x: 1e0 }`},
		{`{"anyOf": [{"type": "integer"}, {"type": "null"}]}`, `null`, `nil`},
		{`{"anyOf": [{"type": "string", "format": "date-time"}, {"type": "string"}]}`, `"soon"`, `"soon"`},
		{`{"enum": ["a", 1, null]}`, `1`, `1`},
		{`{"const": 1.0}`, `1`, `1`},
		{`{"allOf": [{"type": "object"}, {"properties": {"a": {"type": "number", "format": "float"}}}]}`, `{"a": 1}`, `{ a: 1e0 }`},
		{`{"not": {"type": "string"}}`, `1`, `1`},
		{`{"$ref": "#/$defs/T", "$defs": {"T": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "null"}]}, "n": {"type": "number", "format": "float"}}}}}`,
			`{"n": 1, "next": {"n": 2}}`, `{ n: 1e0, next: { n: 2e0, next: nil } }`},
		{`{"minimum": 1, "maximum": 1.5, "multipleOf": 0.5}`, `1.5`, `1.5`},
		{`{"type": "string", "minLength": 2, "maxLength": 2, "pattern": "^ä"}`, `"äö"`, `"äö"`},
		{`{"uniqueItems": true, "minItems": 2}`, `[1, 2]`, `[1, 2]`},
		{`{"type": "null", "format": "unit"}`, `null`, `()`},
	} {
		got, err := schema.Fit(read(t, c.in), read(t, c.schema))
		require.NoError(t, err, "%s against %s", c.in, c.schema)
		require.Equal(t, c.want, got.String(), c.schema)
		again, err := schema.Fit(got, read(t, c.schema))
		require.NoError(t, err, "%s again", got)
		require.Equal(t, c.want, again.String(), "what fits already stays")
	}
}

// What does not fit is told with its place.
func TestMisfits(t *testing.T) {
	order := `{"type": "object", "title": "Order", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"qty": {"type": "integer"}}, "required": ["qty"]}}, "a b": {"type": "boolean"}}, "required": ["items"], "additionalProperties": false}`
	choice := `{"title": "Choice", "oneOf": [{"type": "object", "format": "variant", "properties": {"type": {"const": "Yes"}, "by": {"type": "string"}}, "required": ["type", "by"]}, {"type": "object", "format": "variant", "properties": {"type": {"const": "No"}}, "required": ["type"]}]}`
	for _, c := range []struct{ schema, in, want string }{
		{order, `[]`, `$: expected Order, found a list`},
		{order, `{}`, `$: the field items is missing`},
		{order, `{"items": [{"qty": 1}, {"qty": 2}, {"qty": "3"}]}`, `$.items[2].qty: expected Int, found String "3"`},
		{order, `{"items": [{}]}`, `$.items[0]: the field qty is missing`},
		{order, `{"items": [], "a b": 1}`, `$["a b"]: expected Bool, found Int 1`},
		{order, `{"items": [], "other": 1}`, `$.other: there is no such field; there are items, a b`},
		{choice, `{"type": "Yes"}`, `$: the field by is missing`},
		{`{"required": ["by"]}`, `{"bi": 1}`, `$: the field by is missing; did you mean it by "bi"?`},
		{choice, `{"type": "Yes", "bi": "ann"}`, `$: the field by is missing; did you mean it by "bi"?`},
		{order, `{"itms": [], "a b": true}`, `$: the field items is missing; did you mean it by "itms"?`},
		{choice, `{"type": "Yes", "by": 1}`, `$.by: expected String, found Int 1`},
		{choice, `{"type": "Maybe"}`, `$.type: expected one of "Yes", "No", found "Maybe"`},
		{choice, `"Yes"`, `$: expected Choice, found String "Yes"`},
		{`{"type": "integer"}`, `3.5`, `$: expected Int, found Decimal 3.5`},
		{`{"type": ["integer", "null"]}`, `"x"`, `$: expected Int or nil, found String "x"`},
		{`{"type": "number", "format": "decimal"}`, `"3.5"`, `$: expected Decimal, found String "3.5"`},
		{`{"type": "string", "format": "date-time"}`, `"tomorrow"`, `$: "tomorrow" is not a time: write it like 2030-01-01T00:00:00Z`},
		{`{"type": "string", "format": "duration"}`, `"P1Y"`, `$: "P1Y" counts in years or months, which are not always equally long: Time.add_months adds them to a Time`},
		{`{"type": "string", "format": "entity", "title": "Wallet"}`, `"o-1"`, `$: expected the id of a Wallet (Wallet/…), found "o-1"`},
		{`{"anyOf": [{"type": "integer"}, {"type": "string"}]}`, `true`, `$: expected Int or String, found Bool true`},
		{`{"oneOf": [{"minimum": 1}, {"maximum": 5}]}`, `3`, `$: this fits more than one of the alternatives of oneOf`},
		{`{"enum": ["a", "b"]}`, `"c"`, `$: expected one of "a", "b", found "c"`},
		{`{"exclusiveMinimum": 3}`, `3`, `$: expected more than 3, found 3`},
		{`{"multipleOf": 0.01}`, `0.005`, `$: expected a multiple of 0.01, found 0.005`},
		{`{"pattern": "^[a-z]+$"}`, `"A"`, `$: expected a text like ^[a-z]+$, found "A"`},
		{`{"maxLength": 1}`, `"äö"`, `$: expected at most 1 characters, found 2`},
		{`{"uniqueItems": true}`, `[1, 2, 1.0]`, `$[2]: this is the same as element 0`},
		{`{"not": {}, "description": "a function"}`, `1`, `$: this may not be a function`},
		{`false`, `1`, `$: nothing may stand here`},
	} {
		_, err := schema.Fit(read(t, c.in), read(t, c.schema))
		var misfit *schema.Mismatch
		require.ErrorAs(t, err, &misfit, c.in)
		require.Equal(t, c.want, err.Error())
	}
}

// A schema that cannot be used is no verdict on the value.
func TestUnfit(t *testing.T) {
	deep := strings.Repeat(`{"anyOf": [`, 900) + `{}` + strings.Repeat(`]}`, 900)
	wide := `{"type": "integer"}`
	for range 30 {
		wide = `{"anyOf": [` + wide + `]}`
	}
	_, err := schema.Fit(value.String("x"), read(t, deep))
	require.NoError(t, err)
	doubling := value.NewRecord([]string{"type"}, []value.Value{value.String("integer")})
	for range 40 {
		doubling = value.NewRecord([]string{"anyOf"}, []value.Value{value.List(doubling, doubling)})
	}
	for name, c := range map[string]struct {
		schema value.Value
		want   string
	}{
		"no schema":    {value.Int(3), "a schema is a record, and this is an Int: 3"},
		"unknown type": {read(t, `{"type": "text"}`), `"text" is no type of JSON Schema`},
		"unknown ref":  {read(t, `{"$ref": "#/$defs/X"}`), `$ref says "#/$defs/X", and there is nothing of that name under $defs`},
		"refused word": {read(t, `{"if": {}}`), `it says "if", which is not understood`},
		"endless ref":  {read(t, `{"$ref": "#"}`), "it nests, or refers to itself, more than 1000 deep"},
		"bad pattern":  {read(t, `{"pattern": "("}`), "pattern cannot be read"},
		"bad bound":    {read(t, `{"minLength": "a"}`), `minLength is an Int, not "a"`},
		"too costly":   {doubling, "holding this value against it takes too long"},
	} {
		_, err := schema.Fit(value.String("x"), c.schema)
		var unfit *schema.Unfit
		if !errors.As(err, &unfit) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
