package stdlib

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
)

// effects are the operations with an effect: some the engine answers itself,
// the others go to the world outside.
func effects() []*program.Builtin {
	return slices.Concat(ambient(), waiting(), instances(), logs(), http(), exec(), files(), environment(), secrets(), model())
}

// ambient is what is around a program: its output, the clock, chance.
func ambient() []*program.Builtin {
	return []*program.Builtin{
		{Module: "IO", Name: "print", Params: params(param("value", anyType())), Rest: true, Effect: program.Performs, Result: unitType(),
			Doc: "Shows its arguments on a line, with blanks between them.", Example: `perform IO.print("total:", 3) == ()`},
		{Module: "Time", Name: "now", Effect: program.ReadsClock, Result: timeType(),
			Doc: "Gives the time; the same again when the step is run again after a crash.", Example: `perform Time.now()`},
		{Module: "Uuid", Name: "new", Effect: program.ReadsClock, Result: stringType(),
			Doc: "Makes a new id; the same again when the step is run again after a crash.", Example: `perform Uuid.new()`},
		{Module: "Random", Name: "int", Params: params(param("from", intType()), param("to", intType())), Effect: program.ReadsClock, Result: intType(),
			Doc: "Draws an Int between two bounds, both included.", Example: `perform Random.int(1, 6)`},
	}
}
