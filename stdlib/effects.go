package stdlib

import "github.com/wf-lang/wf/lang/program"

// effects are the operations that the engine answers.
func effects() []*program.Builtin {
	const waits = program.Performs | program.Waits
	return []*program.Builtin{
		{Module: "IO", Name: "print", Params: params(param("value", anyType())), Rest: true, Effect: program.Performs, Result: unitType(),
			Doc: "Shows its arguments on a line, with blanks between them.", Example: `perform IO.print("total:", 3) == ()`},
		{Module: "Time", Name: "now", Effect: program.ReadsClock, Result: timeType(),
			Doc: "Gives the time; the same again when the step is run again after a crash.", Example: `perform Time.now()`},
		{Module: "Uuid", Name: "new", Effect: program.ReadsClock, Result: stringType(),
			Doc: "Makes a new id; the same again when the step is run again after a crash.", Example: `perform Uuid.new()`},
		{Module: "Random", Name: "int", Params: params(param("from", intType()), param("to", intType())), Effect: program.ReadsClock, Result: intType(),
			Doc: "Draws an Int between two bounds, both included.", Example: `perform Random.int(1, 6)`},
		{Module: "Signal", Name: "wait", Params: params(param("name", stringType()), named("timeout", durationType())), Effect: waits, Result: anyType(),
			Doc:     "Waits for a signal and gives its payload, nil if it has none. With `timeout:` it faults with the code `timeout` when none has come by then.",
			Example: `perform Signal.wait("approved", timeout: 48h)`},
		{Module: "Signal", Name: "clear", Params: params(param("name", stringType())), Effect: program.Performs, Result: unitType(),
			Doc: "Drops the signals of a name that were kept.", Example: `perform Signal.clear("approved") == ()`},
		{Module: "Workflow", Name: "query", Params: params(param("handle", anyType()), param("name", stringType()), optional("arguments", anyType())), Rest: true,
			Effect: program.Performs, Result: anyType(),
			Doc:     "Asks an instance a query by name, which may be its own: then it answers as last committed.",
			Example: `perform Workflow.query(h, "lifecycle")`},
		{Module: "Workflow", Name: "signal", Params: params(param("handle", anyType()), param("name", stringType()), optional("payload", anyType())), Effect: program.Performs, Result: unitType(),
			Doc: "Sends a signal by name.", Example: `perform Workflow.signal(h, "approve", { by: "ann" }) == ()`},
		{Module: "Workflow", Name: "cancel", Params: params(param("handle", anyType())), Effect: program.Performs, Result: unitType(),
			Doc: "Cancels an instance: what it is doing is cut, what it has done is undone.", Example: `perform Workflow.cancel(h) == ()`},
		{Module: "Workflow", Name: "list", Params: params(optional("workflow", stringType()), named("status", stringType())), Effect: program.Performs, Result: anyType(),
			Doc:     "Lists instances, the oldest first, as records { id, workflow, status, handle }; all of them, or those of a workflow or status.",
			Example: `perform Workflow.list("Order", status: "running")`},
		{Module: "Timer", Name: "sleep", Params: params(param("duration", anyType()), optional("milliseconds", intType())), Effect: waits, Result: unitType(),
			Doc:     "Waits for a duration; the timer survives restarts and never fires early. With two arguments: a name and milliseconds.",
			Example: `perform Timer.sleep(30s) == ()`},
		{Module: "Timer", Name: "until", Params: params(param("time", timeType())), Effect: waits, Result: unitType(),
			Doc: "Waits until an instant; one that has passed is over at once.", Example: `perform Timer.until(Time("2030-01-01T00:00:00Z")) == ()`},
	}
}
