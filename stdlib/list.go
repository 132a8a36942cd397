package stdlib

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// lists is the module List.
func lists() []*program.Builtin {
	xs := param("list", listType())
	return []*program.Builtin{
		{Module: "List", Name: "map", Params: params(xs, param("f", fn1Type())), Result: mappedType(), Fn: listMap,
			Doc:     "Applies a function to every element and gives the list of the results.",
			Example: `[1, 2] |> List.map(fn(x) = x * 10) == [10, 20]`},
		{Module: "List", Name: "filter", Params: params(xs, param("keep", testType())), Result: listType(), Fn: listFilter,
			Doc:     "Keeps the elements for which the function gives true.",
			Example: `[1, 2, 3] |> List.filter(fn(x) = x > 1) == [2, 3]`},
		{Module: "List", Name: "fold", Params: params(xs, param("start", foldedType()), param("f", fn2Type())), Result: foldedType(), Fn: listFold,
			Doc:     "Goes through the list with a value: the function gets it and the next element, and gives the new one.",
			Example: `[1, 2, 3] |> List.fold(0, fn(sum, x) = sum + x) == 6`},
		{Module: "List", Name: "sum", Params: params(xs), Result: elemType(), Fn: listSum,
			Doc: "Adds up numbers or durations; 0 for the empty list.", Example: `List.sum([1, 2, 3]) == 6`},
		{Module: "List", Name: "first", Params: params(xs), Result: typ("A?", program.OptionalType, anyType()), Fn: listFirst,
			Doc: "Gives the first element, nil if there is none.", Example: `List.first(["a", "b"]) == "a"`},
		{Module: "List", Name: "reverse", Params: params(xs), Result: listType(), Fn: listReverse,
			Doc: "Turns the order around.", Example: `List.reverse([1, 2, 3]) == [3, 2, 1]`},
		{Module: "List", Name: "sort_by", Params: params(xs, param("key", fn1Type())), Result: listType(), Fn: listSortBy,
			Doc:     "Orders the elements by what the function gives for each; those with equal keys keep their order.",
			Example: `["ccc", "a", "bb"] |> List.sort_by(fn(s) = s.length) == ["a", "bb", "ccc"]`},
	}
}

func listMap(call program.CallFunc, args []value.Value) (value.Value, error) {
	xs, err := listArg("List.map", args[0])
	if err != nil {
		return value.Nil, err
	}
	out := make([]value.Value, len(xs))
	for i, x := range xs {
		if out[i], err = call(args[1], x); err != nil {
			return value.Nil, err
		}
	}
	return value.List(out...), nil
}

func listFilter(call program.CallFunc, args []value.Value) (value.Value, error) {
	xs, err := listArg("List.filter", args[0])
	if err != nil {
		return value.Nil, err
	}
	var out []value.Value
	for _, x := range xs {
		r, err := call(args[1], x)
		if err != nil {
			return value.Nil, err
		}
		keep, err := boolResult("List.filter", r)
		if err != nil {
			return value.Nil, err
		}
		if keep {
			out = append(out, x)
		}
	}
	return value.List(out...), nil
}

func listFold(call program.CallFunc, args []value.Value) (value.Value, error) {
	xs, err := listArg("List.fold", args[0])
	if err != nil {
		return value.Nil, err
	}
	acc := args[1]
	for _, x := range xs {
		if acc, err = call(args[2], acc, x); err != nil {
			return value.Nil, err
		}
	}
	return acc, nil
}

func listSum(_ program.CallFunc, args []value.Value) (value.Value, error) {
	xs, err := listArg("List.sum", args[0])
	if err != nil || len(xs) == 0 {
		return value.Int(0), err
	}
	sum := xs[0]
	for i, x := range xs {
		switch x.Kind() {
		case value.KindInt, value.KindDecimal, value.KindFloat, value.KindDuration:
		default:
			return value.Nil, wrongKind("List.sum", "numbers or durations", x)
		}
		if i == 0 {
			continue
		}
		if sum, err = value.Add(sum, x); err != nil {
			return value.Nil, err
		}
	}
	return sum, nil
}

func listFirst(_ program.CallFunc, args []value.Value) (value.Value, error) {
	xs, err := listArg("List.first", args[0])
	if err != nil || len(xs) == 0 {
		return value.Nil, err
	}
	return xs[0], nil
}

func listReverse(_ program.CallFunc, args []value.Value) (value.Value, error) {
	xs, err := listArg("List.reverse", args[0])
	if err != nil {
		return value.Nil, err
	}
	out := slices.Clone(xs)
	slices.Reverse(out)
	return value.List(out...), nil
}

func listSortBy(call program.CallFunc, args []value.Value) (value.Value, error) {
	xs, err := listArg("List.sort_by", args[0])
	if err != nil {
		return value.Nil, err
	}
	type keyed struct{ key, x value.Value }
	all := make([]keyed, len(xs))
	for i, x := range xs {
		k, err := call(args[1], x)
		if err != nil {
			return value.Nil, err
		}
		all[i] = keyed{k, x}
	}
	var failed error
	slices.SortStableFunc(all, func(a, b keyed) int {
		c, err := value.Compare(a.key, b.key)
		if err != nil && failed == nil {
			failed = err
		}
		return c
	})
	if failed != nil {
		return value.Nil, failed
	}
	out := make([]value.Value, len(all))
	for i, k := range all {
		out[i] = k.x
	}
	return value.List(out...), nil
}
