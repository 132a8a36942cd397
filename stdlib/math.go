package stdlib

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// maths is the module Math.
func maths() []*program.Builtin {
	x, y := param("x", elemType()), param("y", elemType())
	return []*program.Builtin{
		{Module: "Math", Name: "max", Params: params(x, y), Rest: true, Result: elemType(), Fn: extreme(1),
			Doc: "Gives the largest of its arguments: numbers, durations, times or texts.", Example: `Math.max(3, 7, 5) == 7`},
		{Module: "Math", Name: "min", Params: params(x, y), Rest: true, Result: elemType(), Fn: extreme(-1),
			Doc: "Gives the smallest of its arguments: numbers, durations, times or texts.", Example: `Math.min(3, 7, 5) == 3`},
		{Module: "Math", Name: "abs", Params: params(x), Result: elemType(), Fn: mathAbs,
			Doc: "Gives a number or duration without its sign.", Example: `Math.abs(-3) == 3`},
	}
}

// extreme picks the argument that compares as sign to all others; of equals
// the first.
func extreme(sign int) func(program.CallFunc, []value.Value) (value.Value, error) {
	return func(_ program.CallFunc, args []value.Value) (value.Value, error) {
		best := args[0]
		for _, x := range args[1:] {
			c, err := value.Compare(x, best)
			if err != nil {
				return value.Nil, err
			}
			if c == sign {
				best = x
			}
		}
		return best, nil
	}
}

func mathAbs(_ program.CallFunc, args []value.Value) (value.Value, error) {
	x := args[0]
	zero := value.Int(0)
	switch x.Kind() {
	case value.KindInt, value.KindDecimal, value.KindFloat:
	case value.KindDuration:
		zero = value.Duration(0)
	default:
		return value.Nil, wrongKind("Math.abs", "a number or a duration", x)
	}
	c, err := value.Compare(x, zero)
	if err != nil || c >= 0 {
		return x, err
	}
	return value.Neg(x)
}
