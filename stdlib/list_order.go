package stdlib

import (
	"math/bits"
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// listOrder are the functions that compare or add up elements.
func listOrder() []*program.Builtin {
	return []*program.Builtin{
		pure("List.sort(list: [A]) -> [A]", listSort,
			"Orders numbers, texts, durations, times, or lists and tuples of them, the smallest first; equal ones keep their order.",
			`List.sort([3, 1, 2]) == [1, 2, 3]`, `List.sort(["b", "B", "a"]) == ["B", "a", "b"]`),
		pure("List.sort_by(list: [A], key: fn(A) -> B; descending?: Bool) -> [A]", listSortBy,
			"Orders the elements by what the function gives for each, the smallest first; those with equal keys keep their order. The function is called once for each element, in their order. Several keys are a tuple.",
			`["ccc", "a", "bb"] |> List.sort_by(fn(s) = s.length) == ["a", "bb", "ccc"]`,
			`[{ n: 1, s: "b" }, { n: 2, s: "a" }] |> List.sort_by(fn(r) = r.n, descending: true) |> List.map(fn(r) = r.s) == ["a", "b"]`),
		pure("List.reverse(list: [A]) -> [A]", func(c call) (value.Value, error) {
			if err := c.Hold(word * len(c.list(0))); err != nil {
				return value.Nil, err
			}
			out := slices.Clone(c.list(0))
			slices.Reverse(out)
			return value.List(out...), nil
		}, "Turns the order around.", `List.reverse([1, 2, 3]) == [3, 2, 1]`),
		pure("List.sum(list: [A]) -> A", listSum,
			"Adds up numbers or durations; 0 for the empty list.", `List.sum([1, 2, 3]) == 6`, `List.sum([1.10, 2.20]) == 3.30`, `List.sum([1h, 30m]) == 1h30m`),
		pure("List.sum_by(list: [A], f: fn(A) -> B) -> B", listSumBy,
			"Adds up what the function gives for each element; 0 for the empty list.",
			`[{ qty: 2, price: 1.50 }, { qty: 1, price: 4.00 }] |> List.sum_by(fn(i) = i.qty * i.price) == 7.00`),
		pure("List.average(list: [A]) -> Any", listAverage,
			"Gives the mean of numbers or durations: of Ints and Decimals a Decimal. An empty list has none, which is a fault.",
			`List.average([1, 2]) == 1.5`, `List.average([1h, 2h]) == 1h30m`),
		pure("List.min(list: [A]) -> A?", listExtreme(-1), "Gives the smallest element, of equal ones the first; nil for the empty list.", `List.min([3, 1, 2]) == 1`),
		pure("List.max(list: [A]) -> A?", listExtreme(1), "Gives the largest element, of equal ones the first; nil for the empty list.", `List.max([3, 1, 2]) == 3`),
		pure("List.min_by(list: [A], key: fn(A) -> B) -> A?", listExtreme(-1),
			"Gives the element for which the function gives the smallest key, of equal ones the first; nil for the empty list.",
			`["bb", "a"] |> List.min_by(fn(s) = s.length) == "a"`),
		pure("List.max_by(list: [A], key: fn(A) -> B) -> A?", listExtreme(1),
			"Gives the element for which the function gives the largest key, of equal ones the first; nil for the empty list.",
			`["bb", "a"] |> List.max_by(fn(s) = s.length) == "bb"`),
	}
}

// keys calls the key function once for each element, in order.
func (c call) keys() ([]value.Value, error) {
	f := c.function(1)
	out := c.collect(len(c.list(0)))
	for _, x := range c.list(0) {
		k, err := f.of(x)
		if err == nil {
			err = out.make(k)
		}
		if err != nil {
			return nil, err
		}
	}
	return out.vs, nil
}

// sorted orders xs by keys that belong to them, turned around if sign is -1.
// Equal keys keep their order either way.
func (c call) sorted(xs, keys []value.Value, sign int) (value.Value, error) {
	size := 0
	for _, k := range keys {
		size += k.Size()
	}
	if err := c.Spend(size / 256 * bits.Len(uint(len(xs)))); err != nil {
		return value.Nil, err
	}
	if err := c.Hold((8 + word) * len(xs)); err != nil {
		return value.Nil, err
	}
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	var failed error
	slices.SortStableFunc(order, func(a, b int) int {
		n, err := value.Compare(keys[a], keys[b])
		if err != nil && failed == nil {
			failed = err
		}
		return n * sign
	})
	if failed != nil {
		return value.Nil, failed
	}
	out := make([]value.Value, len(xs))
	for i, at := range order {
		out[i] = xs[at]
	}
	return value.List(out...), nil
}

func listSort(c call) (value.Value, error) { return c.sorted(c.list(0), c.list(0), 1) }

func listSortBy(c call) (value.Value, error) {
	keys, err := c.keys()
	if err != nil {
		return value.Nil, err
	}
	sign := 1
	if c.flag(2) {
		sign = -1
	}
	return c.sorted(c.list(0), keys, sign)
}

func (c call) sum(xs []value.Value) (value.Value, error) {
	sum := value.Int(0)
	for i, x := range xs {
		switch x.Kind() {
		case value.KindInt, value.KindDecimal, value.KindFloat, value.KindDuration:
		default:
			return value.Nil, wrongKind(c.name, "numbers or durations", x)
		}
		if i == 0 {
			sum = x
			continue
		}
		var err error
		if sum, err = value.Add(sum, x); err != nil {
			return value.Nil, err
		}
	}
	return sum, nil
}

func listSum(c call) (value.Value, error) { return c.sum(c.list(0)) }

func listSumBy(c call) (value.Value, error) {
	xs, err := c.keys()
	if err != nil {
		return value.Nil, err
	}
	return c.sum(xs)
}

func listAverage(c call) (value.Value, error) {
	n := len(c.list(0))
	if n == 0 {
		return value.Nil, c.fault(value.CodeRange, "an empty list has no average")
	}
	sum, err := c.sum(c.list(0))
	if err != nil {
		return value.Nil, err
	}
	if sum.Kind() == value.KindInt {
		if sum, err = value.ToDecimal(sum); err != nil {
			return value.Nil, err
		}
	}
	return value.Div(sum, value.Int(int64(n)))
}

// listExtreme finds the element that compares as sign to all others, by keys if
// there is a function for them.
func listExtreme(sign int) impl {
	return func(c call) (value.Value, error) {
		xs, keys := c.list(0), c.list(0)
		if len(c.args) > 1 {
			var err error
			if keys, err = c.keys(); err != nil {
				return value.Nil, err
			}
		}
		best := -1
		for i := range keys {
			if best < 0 {
				best = i
				continue
			}
			n, err := value.Compare(keys[i], keys[best])
			if err != nil {
				return value.Nil, err
			}
			if n == sign {
				best = i
			}
		}
		if best < 0 {
			return value.Nil, nil
		}
		return xs[best], nil
	}
}
