package stdlib

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// jsons is the module Json.
func jsons() []*program.Builtin {
	return []*program.Builtin{
		{Module: "Json", Name: "parse", Params: params(param("text", stringType()), optional("schema", schemaType())), Result: elemType(), Fn: jsonParse,
			Doc:     "Reads a JSON text. A number without fraction and exponent is an Int, any other a Decimal, exactly; an Int beyond 64 bits is refused. With a type or JSON Schema the value is made to fit it.",
			Example: `Json.parse("{\"id\": 7615917337495251231, \"price\": 12.50}") == { id: 7615917337495251231, price: 12.50 }`},
		{Module: "Json", Name: "encode", Params: params(param("value", anyType())), Result: stringType(), Fn: jsonEncode,
			Doc:     "Writes a value as JSON on one line. Decimals keep their digits; Times, Durations and handles become texts, variants objects with their name under `type`.",
			Example: `Json.encode({ price: 12.50, tags: ["a", nil] }) == "{\"price\":12.50,\"tags\":[\"a\",null]}"`},
	}
}

func jsonParse(_ program.CallFunc, args []value.Value) (value.Value, error) {
	s, err := stringArg("Json.parse", args[0])
	if err != nil {
		return value.Nil, err
	}
	v, err := value.FromJSON([]byte(s))
	if err != nil || args[1].IsNil() {
		return v, err
	}
	return schemaCheck(nil, []value.Value{v, args[1]})
}

func jsonEncode(_ program.CallFunc, args []value.Value) (value.Value, error) {
	b, err := value.ToJSON(args[0])
	return value.String(string(b)), err
}
