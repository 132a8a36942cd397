package stdlib

import "github.com/wf-lang/wf/lang/program"

// waiting are the modules Signal and Timer: what puts a step away until
// something comes.
func waiting() []*program.Builtin {
	const waits = program.Performs | program.Waits
	return []*program.Builtin{
		{Module: "Signal", Name: "wait", Params: params(param("name", stringType()), named("timeout", durationType())), Effect: waits, Result: anyType(),
			Doc:     "Waits for a signal and gives its payload, nil if it has none. With `timeout:` it faults with the code `timeout` when none has come by then.",
			Example: `perform Signal.wait("approved", timeout: 48h)`},
		{Module: "Signal", Name: "clear", Params: params(param("name", stringType())), Effect: program.Performs, Result: unitType(),
			Doc: "Drops the signals of a name that were kept.", Example: `perform Signal.clear("approved") == ()`},
		{Module: "Timer", Name: "sleep", Params: params(param("duration", anyType()), optional("milliseconds", intType())), Effect: waits, Result: unitType(),
			Doc:     "Waits for a duration; the timer survives restarts and never fires early. With two arguments: a name and milliseconds.",
			Example: `perform Timer.sleep(30s) == ()`},
		{Module: "Timer", Name: "until", Params: params(param("time", timeType())), Effect: waits, Result: unitType(),
			Doc: "Waits until an instant; one that has passed is over at once.", Example: `perform Timer.until(Time("2030-01-01T00:00:00Z")) == ()`},
	}
}
