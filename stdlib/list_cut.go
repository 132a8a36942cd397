package stdlib

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// listCut are the functions that take parts of lists.
func listCut() []*program.Builtin {
	return []*program.Builtin{
		flat("List.first(list: [A]) -> A?", func(c call) (value.Value, error) { return elementAt(c.list(0), 0), nil },
			"Gives the first element, nil if there is none.", `List.first(["a", "b"]) == "a"`),
		flat("List.last(list: [A]) -> A?", func(c call) (value.Value, error) { return elementAt(c.list(0), -1), nil },
			"Gives the last element, nil if there is none.", `List.last(["a", "b"]) == "b"`),
		flat("List.get(list: [A], index: Int, default?: A) -> A?", listGet,
			"Gives the element at an index, from 0; a negative index counts from the end. What is not there is the default, or nil.",
			`List.get(["a", "b"], 1) == "b"`, `List.get(["a"], 7, "-") == "-"`, `List.get(["a", "b"], -1) == "b"`),
		pure("List.take(list: [A], count: Int) -> [A]", listCutAt(func(xs []value.Value, n int) []value.Value { return xs[:n] }),
			"Gives the first elements, all if there are fewer.", `List.take([1, 2, 3], 2) == [1, 2]`),
		pure("List.drop(list: [A], count: Int) -> [A]", listCutAt(func(xs []value.Value, n int) []value.Value { return xs[n:] }),
			"Gives all but the first elements.", `List.drop([1, 2, 3], 2) == [3]`),
		pure("List.take_while(list: [A], is: fn(A) -> Bool) -> [A]", func(c call) (value.Value, error) { return listWhile(c, true) },
			"Gives the elements before the first for which the function gives false.", `[1, 5, 2] |> List.take_while(fn(x) = x < 3) == [1]`),
		pure("List.drop_while(list: [A], is: fn(A) -> Bool) -> [A]", func(c call) (value.Value, error) { return listWhile(c, false) },
			"Gives the elements from the first for which the function gives false.", `[1, 5, 2] |> List.drop_while(fn(x) = x < 3) == [5, 2]`),
		pure("List.slice(list: [A], from: Int, to?: Int) -> [A]", listSlice,
			"Gives the elements from an index to before another, or to the end. Indices count from 0, negative ones from the end; what lies outside is left out.",
			`List.slice([1, 2, 3, 4], 1, 3) == [2, 3]`, `List.slice([1, 2, 3, 4], -2) == [3, 4]`),
		pure("List.chunk(list: [A], size: Int) -> [[A]]", listChunk,
			"Splits the list into lists of a size; the last may be shorter.", `List.chunk([1, 2, 3], 2) == [[1, 2], [3]]`),
		pure("List.compact(list: [A?]) -> [A]", func(c call) (value.Value, error) {
			out := c.collect(0)
			for _, x := range c.list(0) {
				if x.IsNil() {
					continue
				}
				if err := out.add(x); err != nil {
					return value.Nil, err
				}
			}
			return out.list(), nil
		}, "Drops the elements that are nil.", `List.compact([1, nil, 2]) == [1, 2]`),
		pure("List.remove_at(list: [A], index: Int) -> [A]", listRemoveAt,
			"Drops the element at an index, from 0.", `List.remove_at(["a", "b", "c"], 1) == ["a", "c"]`),
		pure("List.insert(list: [A], index: Int, value: A) -> [A]", listInsert,
			"Puts an element before the one at an index, from 0; at the length of the list, behind the last.",
			`List.insert(["a", "c"], 1, "b") == ["a", "b", "c"]`),
	}
}

// elementAt is an element, nil if there is none; negative indices count from
// the end.
func elementAt(xs []value.Value, i int64) value.Value {
	if i < 0 {
		i += int64(len(xs))
	}
	if i < 0 || i >= int64(len(xs)) {
		return value.Nil
	}
	return xs[i]
}

func listGet(c call) (value.Value, error) {
	if x := elementAt(c.list(0), c.int(1)); !x.IsNil() {
		return x, nil
	}
	return c.args[2], nil
}

func listCutAt(cut func([]value.Value, int) []value.Value) impl {
	return func(c call) (value.Value, error) {
		n, err := c.size(1, "the count")
		return value.List(cut(c.list(0), min(n, len(c.list(0))))...), err
	}
}

func listWhile(c call, before bool) (value.Value, error) {
	xs := c.list(0)
	i, err := c.findIndex(false)
	if err != nil {
		return value.Nil, err
	}
	if i < 0 {
		i = len(xs)
	}
	if before {
		return value.List(xs[:i]...), nil
	}
	return value.List(xs[i:]...), nil
}

// between are the bounds of a slice of something of a length.
func (c call) between(length int) (from, to int) {
	place := func(i int64) int {
		if i < 0 {
			i += int64(length)
		}
		return int(max(0, min(i, int64(length))))
	}
	from, to = place(c.int(1)), length
	if c.given(2) {
		to = place(c.int(2))
	}
	return from, max(from, to)
}

func listSlice(c call) (value.Value, error) {
	from, to := c.between(len(c.list(0)))
	return value.List(c.list(0)[from:to]...), nil
}

func listChunk(c call) (value.Value, error) {
	xs, n := c.list(0), int(min(c.int(1), int64(len(c.list(0))+1)))
	if n < 1 {
		return value.Nil, c.fault(value.CodeRange, "the size must be at least 1, and it is %d", c.int(1))
	}
	out := c.collect(len(xs)/n + 1)
	for len(xs) > 0 {
		k := min(n, len(xs))
		if err := out.take(value.List(xs[:k]...), 3*word); err != nil {
			return value.Nil, err
		}
		xs = xs[k:]
	}
	return out.list(), nil
}

// inside is an index that an argument gives, which must be below n.
func (c call) inside(arg, n int) (int, error) {
	i := c.int(arg)
	if i < 0 || i >= int64(n) {
		return 0, c.fault("index", "there is no index %d: the list has length %d", i, len(c.list(0)))
	}
	return int(i), nil
}

func listRemoveAt(c call) (value.Value, error) {
	xs := c.list(0)
	i, err := c.inside(1, len(xs))
	if err == nil {
		err = c.Hold(word * len(xs))
	}
	if err != nil {
		return value.Nil, err
	}
	out := append(make([]value.Value, 0, len(xs)-1), xs[:i]...)
	return value.List(append(out, xs[i+1:]...)...), nil
}

func listInsert(c call) (value.Value, error) {
	xs := c.list(0)
	i, err := c.inside(1, len(xs)+1)
	if err == nil {
		err = c.Hold(word * (len(xs) + 1))
	}
	if err != nil {
		return value.Nil, err
	}
	out := append(make([]value.Value, 0, len(xs)+1), xs[:i]...)
	out = append(out, c.args[2])
	return value.List(append(out, xs[i:]...)...), nil
}
