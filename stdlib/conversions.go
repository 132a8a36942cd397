package stdlib

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// conversions are the functions without a module, `Int(x)` and so on.
func conversions() []*program.Builtin {
	conv := func(name string, t program.Type, to func(value.Value) (value.Value, error), doc, example string) *program.Builtin {
		return &program.Builtin{
			Name: name, Params: params(param("x", anyType())), Result: t, Doc: doc, Example: example,
			Fn: func(_ program.Caller, args []value.Value) (value.Value, error) { return to(args[0]) },
		}
	}
	return []*program.Builtin{
		conv("Int", intType(), value.ToInt,
			"Makes an Int of a number, whose fraction is dropped, or of the text of a whole number.", `Int("42") == 42`),
		conv("Float", typ("Float", program.FloatType), value.ToFloat,
			"Makes a Float of a number or of a number's text.", `Float(3) == 3e0`),
		conv("Decimal", typ("Decimal", program.DecimalType), value.ToDecimal,
			"Makes a Decimal of a number or of a number's text.", `Decimal("12.50") == 12.50`),
		conv("String", stringType(), value.ToText,
			"Makes a String of any value, in the notation of the language; a String stays as it is.", `String([1, 2]) == "[1, 2]"`),
		conv("Duration", durationType(), value.ToDuration,
			"Makes a Duration of its notation.", `Duration("1h30m") == 90m`),
		conv("Time", timeType(), value.ToTime,
			"Makes a Time of a text such as `2030-01-01T00:00:00Z`.",
			`Time("2030-01-01T01:00:00+01:00") == Time("2030-01-01T00:00:00Z")`),
	}
}
