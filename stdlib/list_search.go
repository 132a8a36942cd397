package stdlib

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// listSearch are the functions that ask something of a list.
func listSearch() []*program.Builtin {
	return []*program.Builtin{
		pure("List.contains(list: [A], value: A) -> Bool", func(c call) (value.Value, error) { return value.Bool(indexOf(c) >= 0), nil },
			"Says whether a value is among the elements.", `List.contains([1, 2], 2) == true`),
		pure("List.index_of(list: [A], value: A) -> Int?", func(c call) (value.Value, error) { return orNil(indexOf(c)), nil },
			"Gives the index of the first element that equals a value, counted from 0; nil if there is none.",
			`List.index_of(["a", "b"], "b") == 1`),
		pure("List.find(list: [A], is: fn(A) -> Bool) -> A?", listFind,
			"Gives the first element for which the function gives true, nil if there is none.",
			`[1, 5, 7] |> List.find(fn(x) = x > 3) == 5`),
		pure("List.find_index(list: [A], is: fn(A) -> Bool) -> Int?", listFindIndex,
			"Gives the index of the first element for which the function gives true, nil if there is none.",
			`[1, 5, 7] |> List.find_index(fn(x) = x > 3) == 1`),
		pure("List.any(list: [A], is: fn(A) -> Bool) -> Bool", func(c call) (value.Value, error) {
			i, err := c.findIndex(true)
			return value.Bool(i >= 0), err
		}, "Says whether the function gives true for at least one element; it is not asked about those after.",
			`[1, 2] |> List.any(fn(x) = x > 1) == true`, `[] |> List.any(fn(x) = true) == false`),
		pure("List.all(list: [A], is: fn(A) -> Bool) -> Bool", func(c call) (value.Value, error) {
			i, err := c.findIndex(false)
			return value.Bool(i < 0), err
		}, "Says whether the function gives true for every element; it is not asked about those after the first that fails.",
			`[1, 2] |> List.all(fn(x) = x > 1) == false`, `[] |> List.all(fn(x) = false) == true`),
		pure("List.count(list: [A], is?: fn(A) -> Bool) -> Int", listCount,
			"Counts the elements for which the function gives true; without a function, all.",
			`[1, 2, 3] |> List.count(fn(x) = x > 1) == 2`, `List.count(["a", "b"]) == 2`),
	}
}

// orNil is an index, nil for a negative one.
func orNil(i int) value.Value {
	if i < 0 {
		return value.Nil
	}
	return value.Int(int64(i))
}

// indexOf finds argument 1 in the list, -1 if it is not there.
func indexOf(c call) int {
	for i, x := range c.list(0) {
		if value.Equal(x, c.args[1]) {
			return i
		}
	}
	return -1
}

// findIndex finds the first element for which the function gives want.
func (c call) findIndex(want bool) (int, error) {
	f := c.function(1)
	for i, x := range c.list(0) {
		is, err := f.test(x)
		if err != nil {
			return -1, err
		}
		if is == want {
			return i, nil
		}
	}
	return -1, nil
}

func listFind(c call) (value.Value, error) {
	i, err := c.findIndex(true)
	if err != nil || i < 0 {
		return value.Nil, err
	}
	return c.list(0)[i], nil
}

func listFindIndex(c call) (value.Value, error) {
	i, err := c.findIndex(true)
	return orNil(i), err
}

func listCount(c call) (value.Value, error) {
	if !c.given(1) {
		return value.Int(int64(len(c.list(0)))), nil
	}
	n, f := int64(0), c.function(1)
	for _, x := range c.list(0) {
		is, err := f.test(x)
		if err != nil {
			return value.Nil, err
		}
		if is {
			n++
		}
	}
	return value.Int(n), nil
}
