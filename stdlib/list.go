package stdlib

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// listModule is the module List.
func listModule() []*program.Builtin {
	return slices.Concat(listEach(), listSearch(), listOrder(), listGroup(), listCut(), listMake())
}

// listEach are the functions that go through a list with a function.
func listEach() []*program.Builtin {
	return []*program.Builtin{
		pure("List.map(list: [A], f: fn(A) -> B) -> [B]", listMap,
			"Applies a function to every element and gives the list of the results.",
			`[1, 2] |> List.map(fn(x) = x * 10) == [10, 20]`, `List.map(["a", "b"], String.upper) == ["A", "B"]`),
		pure("List.filter(list: [A], keep: fn(A) -> Bool) -> [A]", listFilter(true),
			"Keeps the elements for which the function gives true.",
			`[1, 2, 3] |> List.filter(fn(x) = x > 1) == [2, 3]`),
		pure("List.reject(list: [A], drop: fn(A) -> Bool) -> [A]", listFilter(false),
			"Drops the elements for which the function gives true.",
			`[1, 2, 3] |> List.reject(fn(x) = x > 1) == [1]`),
		pure("List.flat_map(list: [A], f: fn(A) -> [B]) -> [B]", listFlatMap,
			"Applies a function that gives lists to every element and joins the lists.",
			`[1, 2] |> List.flat_map(fn(x) = [x, x * 10]) == [1, 10, 2, 20]`),
		pure("List.fold(list: [A], start: B, f: fn(B, A) -> B) -> B", listFold,
			"Goes through the list with a value: the function gets it and the next element, and gives the new one.",
			`[1, 2, 3] |> List.fold(0, fn(sum, x) = sum + x) == 6`),
	}
}

func listMap(c call) (value.Value, error) {
	f := c.function(1)
	out := c.collect(len(c.list(0)))
	for _, x := range c.list(0) {
		v, err := f.of(x)
		if err == nil {
			err = out.make(v)
		}
		if err != nil {
			return value.Nil, err
		}
	}
	return out.list(), nil
}

// listFilter keeps what the function gives want for.
func listFilter(want bool) impl {
	return func(c call) (value.Value, error) {
		f := c.function(1)
		out := c.collect(0)
		for _, x := range c.list(0) {
			is, err := f.test(x)
			if err == nil && is == want {
				err = out.add(x)
			}
			if err != nil {
				return value.Nil, err
			}
		}
		return out.list(), nil
	}
}

func listFlatMap(c call) (value.Value, error) {
	f := c.function(1)
	out := c.collect(0)
	for _, x := range c.list(0) {
		v, err := f.of(x)
		if err != nil {
			return value.Nil, err
		}
		vs, isList := v.AsList()
		if !isList {
			return value.Nil, errorf(value.CodeType, "the function given to List.flat_map must give a list, and gives %s", v.Kind().Article())
		}
		for _, v := range vs {
			if err := out.make(v); err != nil {
				return value.Nil, err
			}
		}
	}
	return out.list(), nil
}

func listFold(c call) (value.Value, error) {
	acc, f := c.args[1], c.function(2)
	var err error
	for _, x := range c.list(0) {
		if acc, err = f.of2(acc, x); err != nil {
			return value.Nil, err
		}
	}
	return acc, nil
}
