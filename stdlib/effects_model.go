package stdlib

import "github.com/wf-lang/wf/lang/program"

// model is the module LLM.
func model() []*program.Builtin {
	return []*program.Builtin{
		{Module: "LLM", Name: "ask", Effect: program.Performs, Result: elemType(),
			Params: params(optional("prompt", stringType()), named("system", stringType()), named("messages", typ("[Any]", program.ListType, anyType())),
				named("model", stringType()), named("schema", schemaType()), named("temperature", anyType()), named("max_tokens", intType()), named("timeout", durationType())),
			Doc:     "Asks the configured language model and gives its text; with a `schema:` (a type or JSON Schema) a value that fits it.",
			Example: `perform LLM.ask("Is this a complaint? " + "It broke.", schema: { type: "boolean" })`},
	}
}
