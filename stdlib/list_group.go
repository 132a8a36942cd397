package stdlib

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// listGroup are the functions that sort elements into groups and sets.
func listGroup() []*program.Builtin {
	return []*program.Builtin{
		pure("List.group_by(list: [A], key: fn(A) -> B) -> {String: [A]}", listGroupBy,
			"Makes a record of lists: under each key that the function gives, the elements it gives it for, in their order. A key that is no String becomes its text.",
			`["ant", "bee", "ape"] |> List.group_by(fn(s) = String.slice(s, 0, 1)) == { a: ["ant", "ape"], b: ["bee"] }`),
		pure("List.count_by(list: [A], key: fn(A) -> B) -> {String: Int}", listCountBy,
			"Counts the elements under each key that the function gives. A key that is no String becomes its text.",
			`[1, 2, 3] |> List.count_by(fn(n) = if n > 1 then "large" else "small") == { small: 1, large: 2 }`),
		pure("List.index_by(list: [A], key: fn(A) -> B) -> {String: A}", listIndexBy,
			"Makes a record of the elements under the keys that the function gives; of equal keys the last element stays. A key that is no String becomes its text.",
			`[{ id: "x", n: 1 }, { id: "y", n: 2 }] |> List.index_by(fn(r) = r.id) |> Record.map_values(fn(r) = r.n) == { x: 1, y: 2 }`),
		pure("List.partition(list: [A], is: fn(A) -> Bool) -> ([A], [A])", listPartition,
			"Splits the elements into those for which the function gives true and the others.",
			`[1, 2, 3] |> List.partition(fn(x) = x > 1) == ([2, 3], [1])`),
		pure("List.unique(list: [A]) -> [A]", listUnique(-1),
			"Drops the elements that equal an earlier one.", `List.unique([1, 2, 1, 2.0]) == [1, 2]`),
		pure("List.unique_by(list: [A], key: fn(A) -> B) -> [A]", listUnique(1),
			"Drops the elements for which the function gives the same as for an earlier one.",
			`["ant", "bee", "ape"] |> List.unique_by(fn(s) = String.slice(s, 0, 1)) == ["ant", "bee"]`),
		pure("List.union(list: [A], other: [A]) -> [A]", listUnion,
			"Gives the different elements of both lists, in their order.", `List.union([1, 2], [2, 3]) == [1, 2, 3]`),
		pure("List.intersection(list: [A], other: [A]) -> [A]", listMembers(true),
			"Gives the elements that are in the other list as well.", `List.intersection([1, 2, 3], [3, 1]) == [1, 3]`),
		pure("List.difference(list: [A], other: [A]) -> [A]", listMembers(false),
			"Gives the elements that are not in the other list.", `List.difference([1, 2, 3], [3, 1]) == [2]`),
	}
}

// numbered gives each element the number of its group, by the keys' text.
func (c call) numbered() (names []string, group []int, err error) {
	keys, err := c.keys()
	if err != nil {
		return nil, nil, err
	}
	group = make([]int, len(keys))
	at := make(map[string]int)
	for i, k := range keys {
		name := k.Text()
		n, known := at[name]
		if !known {
			n = len(names)
			at[name] = n
			names = append(names, name)
			if err := c.Hold(2*len(name) + 64); err != nil {
				return nil, nil, err
			}
		}
		group[i] = n
	}
	return names, group, c.Hold(8 * len(keys))
}

func listGroupBy(c call) (value.Value, error) {
	names, group, err := c.numbered()
	if err != nil {
		return value.Nil, err
	}
	if err := c.Hold(word * len(group)); err != nil {
		return value.Nil, err
	}
	members := make([][]value.Value, len(names))
	for i, x := range c.list(0) {
		members[group[i]] = append(members[group[i]], x)
	}
	vals := make([]value.Value, len(names))
	for i := range vals {
		vals[i] = value.List(members[i]...)
	}
	return value.NewRecord(names, vals), nil
}

func listCountBy(c call) (value.Value, error) {
	names, group, err := c.numbered()
	if err != nil {
		return value.Nil, err
	}
	counts := make([]int64, len(names))
	for _, g := range group {
		counts[g]++
	}
	vals := make([]value.Value, len(names))
	for i, n := range counts {
		vals[i] = value.Int(n)
	}
	return value.NewRecord(names, vals), nil
}

func listIndexBy(c call) (value.Value, error) {
	names, group, err := c.numbered()
	if err != nil {
		return value.Nil, err
	}
	vals := make([]value.Value, len(names))
	for i, x := range c.list(0) {
		vals[group[i]] = x
	}
	return value.NewRecord(names, vals), nil
}

func listPartition(c call) (value.Value, error) {
	f := c.function(1)
	yes, no := c.collect(0), c.collect(0)
	for _, x := range c.list(0) {
		is, err := f.test(x)
		if err != nil {
			return value.Nil, err
		}
		to := no
		if is {
			to = yes
		}
		if err := to.add(x); err != nil {
			return value.Nil, err
		}
	}
	return value.Tuple(yes.list(), no.list()), nil
}

// index numbers values, and pays for those that only look alike.
type index struct {
	c    call
	all  value.Index
	paid int
}

func (x *index) add(v value.Value) (isNew bool, err error) {
	_, isNew = x.all.Add(v)
	if isNew {
		if err := x.c.Hold(64); err != nil {
			return false, err
		}
	}
	if more := x.all.Compared() - x.paid; more > 64 {
		x.paid += more
		return isNew, x.c.Spend(more)
	}
	return isNew, nil
}

// listUnique tells elements apart by themselves, or by the function at key.
func listUnique(key int) impl {
	return func(c call) (value.Value, error) {
		keys := c.list(0)
		if key >= 0 {
			var err error
			if keys, err = c.keys(); err != nil {
				return value.Nil, err
			}
		}
		seen, out := index{c: c}, c.collect(0)
		for i, x := range c.list(0) {
			isNew, err := seen.add(keys[i])
			if err == nil && isNew {
				err = out.add(x)
			}
			if err != nil {
				return value.Nil, err
			}
		}
		return out.list(), nil
	}
}

func listUnion(c call) (value.Value, error) {
	seen, out := index{c: c}, c.collect(0)
	for i := range 2 {
		for _, x := range c.list(i) {
			isNew, err := seen.add(x)
			if err == nil && isNew {
				err = out.add(x)
			}
			if err != nil {
				return value.Nil, err
			}
		}
	}
	return out.list(), nil
}

// listMembers keeps the elements that are in the other list, or are not.
func listMembers(in bool) impl {
	return func(c call) (value.Value, error) {
		other, out := index{c: c}, c.collect(0)
		for _, x := range c.list(1) {
			if _, err := other.add(x); err != nil {
				return value.Nil, err
			}
		}
		for _, x := range c.list(0) {
			if other.all.Has(x) == in {
				if err := out.add(x); err != nil {
					return value.Nil, err
				}
			}
		}
		return out.list(), c.Spend(other.all.Compared() - other.paid)
	}
}
