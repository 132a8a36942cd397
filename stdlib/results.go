package stdlib

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// resultModule is the module Result: for values Ok(v) and Err(e), as a
// `parallel settle` block gives them.
func resultModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Result.oks(results: [Result]) -> [Any]", resultPick("Ok"),
			"Lists what the Ok values of a list hold.", `Result.oks([Ok(1), Err("no"), Ok(2)]) == [1, 2]`),
		pure("Result.errs(results: [Result]) -> [Any]", resultPick("Err"),
			"Lists what the Err values of a list hold: the errors.", `Result.errs([Ok(1), Err("no")]) == ["no"]`),
		pure("Result.all_ok(results: [Result]) -> Bool", func(c call) (value.Value, error) {
			for _, r := range c.list(0) {
				if ok, _, err := c.result(r); err != nil || !ok {
					return value.Bool(false), err
				}
			}
			return value.Bool(true), nil
		}, "Says whether all values of a list are Ok.", `Result.all_ok([Ok(1), Err("no")]) == false`),
		pure("Result.partition(results: [Result]) -> ([Any], [Any])", func(c call) (value.Value, error) {
			oks, err := resultPick("Ok")(c)
			if err != nil {
				return value.Nil, err
			}
			errs, err := resultPick("Err")(c)
			return value.Tuple(oks, errs), err
		}, "Splits a list into what its Ok values and what its Err values hold.", `Result.partition([Ok(1), Err("no")]) == ([1], ["no"])`),
		flat("Result.is_ok(result: Result) -> Bool", func(c call) (value.Value, error) {
			ok, _, err := c.result(c.args[0])
			return value.Bool(ok), err
		}, "Says whether a value is Ok.", `Result.is_ok(Ok(1)) == true`),
		flat("Result.unwrap(result: Result) -> Any", resultUnwrap,
			"Gives what an Ok value holds; throws what an Err value holds.", `Result.unwrap(Ok(1)) == 1`, `try { Result.unwrap(Err({ code: "declined", message: "no" })) } catch e { e.code } == "declined"`),
		flat("Result.unwrap_or(result: Result, default: A) -> A", func(c call) (value.Value, error) {
			ok, held, err := c.result(c.args[0])
			if ok {
				return held, err
			}
			return c.args[1], err
		}, "Gives what an Ok value holds, and a default in the place of an Err.", `Result.unwrap_or(Err("no"), 0) == 0`),
	}
}

// result is what an Ok or Err holds.
func (c call) result(v value.Value) (ok bool, held value.Value, err error) {
	x, isVariant := v.AsVariant()
	if !isVariant || len(x.Fields) != 1 || x.Name != "Ok" && x.Name != "Err" {
		return false, value.Nil, wrongKind(c.name, "Ok(…) or Err(…)", v)
	}
	return x.Name == "Ok", x.Fields[0], nil
}

func resultPick(name string) impl {
	return func(c call) (value.Value, error) {
		out := c.collect(0)
		for _, r := range c.list(0) {
			ok, held, err := c.result(r)
			if err == nil && ok == (name == "Ok") {
				err = out.add(held)
			}
			if err != nil {
				return value.Nil, err
			}
		}
		return out.list(), nil
	}
}

func resultUnwrap(c call) (value.Value, error) {
	ok, held, err := c.result(c.args[0])
	if err != nil || ok {
		return held, err
	}
	if held.IsNil() {
		held = value.String("an error without a message")
	}
	return value.Nil, &program.BuiltinError{Thrown: held}
}
