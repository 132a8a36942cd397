package stdlib

import "github.com/wf-lang/wf/lang/program"

// logs is the module Log.
func logs() []*program.Builtin {
	level := func(name, doc string) *program.Builtin {
		return &program.Builtin{Module: "Log", Name: name, Params: params(param("message", anyType()), optional("fields", anyType())), Rest: true,
			Effect: program.Performs, Result: unitType(), Doc: doc, Example: `perform Log.` + name + `("paid", { order: "o-1", amount: 30 }) == ()`}
	}
	return []*program.Builtin{
		level("debug", "Logs a message with fields, at the lowest level: it is shown only if asked for."),
		level("info", "Logs a message with fields: the fields of records that follow it, once the step's write is durable."),
		level("warn", "Logs a message with fields, as a warning."),
		level("error", "Logs a message with fields, as an error."),
	}
}
