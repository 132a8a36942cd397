package stdlib

import "github.com/wf-lang/wf/lang/program"

// instances is the module Workflow: other instances, by what is known of them
// at run time.
func instances() []*program.Builtin {
	return []*program.Builtin{
		{Module: "Workflow", Name: "query", Params: params(param("handle", anyType()), param("name", stringType()), optional("arguments", anyType())), Rest: true,
			Effect: program.Performs, Result: anyType(),
			Doc:     "Asks an instance a query by name, which may be its own: then it answers as last committed.",
			Example: `perform Workflow.query(h, "lifecycle")`},
		{Module: "Workflow", Name: "signal", Params: params(param("handle", anyType()), param("name", stringType()), optional("payload", anyType())), Effect: program.Performs, Result: unitType(),
			Doc:     "Sends a signal by name. A payload that does not fit what the receiver declares is refused with `bad_request`.",
			Example: `perform Workflow.signal(h, "approve", { by: "ann" }) == ()`},
		{Module: "Workflow", Name: "cancel", Params: params(param("handle", anyType())), Effect: program.Performs, Result: unitType(),
			Doc: "Cancels an instance: what it is doing is cut, what it has done is undone.", Example: `perform Workflow.cancel(h) == ()`},
		{Module: "Workflow", Name: "list", Params: params(optional("workflow", stringType()), named("status", stringType())), Effect: program.Performs, Result: anyType(),
			Doc:     "Lists instances, the oldest first, as records { id, workflow, status, handle }; all of them, or those of a workflow or status.",
			Example: `perform Workflow.list("Order", status: "running")`},
	}
}
