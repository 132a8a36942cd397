package stdlib

import (
	"math"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// listMake are the functions that make lists of other things, and other things
// of lists.
func listMake() []*program.Builtin {
	return []*program.Builtin{
		pure("List.zip(list: [A], other: [B]) -> [(A, B)]", listZip,
			"Pairs the elements of two lists; what the longer one has more is left out.", `List.zip([1, 2, 3], ["a", "b"]) == [(1, "a"), (2, "b")]`),
		pure("List.enumerate(list: [A], from?: Int) -> [(Int, A)]", listEnumerate,
			"Pairs each element with its number, from 0 or another.", `List.enumerate(["a", "b"]) == [(0, "a"), (1, "b")]`, `List.enumerate(["a"], 1) == [(1, "a")]`),
		pure("List.flatten(list: [[A]]) -> [A]", listFlatten,
			"Joins the lists in a list.", `List.flatten([[1], [], [2, 3]]) == [1, 2, 3]`),
		pure("List.range(from: Int, to: Int, step?: Int) -> [Int]", listRange,
			"Lists the Ints from one to another, both included, in steps of 1 or another; a negative step counts down.",
			`List.range(1, 3) == [1, 2, 3]`, `List.range(10, 0, -5) == [10, 5, 0]`, `List.range(1, 0) == []`),
		pure("List.repeat(value: A, count: Int) -> [A]", listRepeat,
			"Makes a list that has a value several times.", `List.repeat("x", 3) == ["x", "x", "x"]`),
		pure("List.join(list: [A], separator?: String) -> String", listJoin,
			"Joins the texts of the elements, with the separator between them.", `List.join(["a", 1, 2.50], ", ") == "a, 1, 2.50"`),
		pure("List.to_record(pairs: [(String, A)]) -> {String: A}", toRecord,
			"Makes a record of pairs of a name and a value; of equal names the last counts.", `List.to_record([("a", 1), ("b", 2)]) == { a: 1, b: 2 }`),
	}
}

func listZip(c call) (value.Value, error) {
	xs, ys := c.list(0), c.list(1)
	out := c.collect(min(len(xs), len(ys)))
	for i := range min(len(xs), len(ys)) {
		if err := out.take(value.Tuple(xs[i], ys[i]), 4*word); err != nil {
			return value.Nil, err
		}
	}
	return out.list(), nil
}

func listEnumerate(c call) (value.Value, error) {
	xs, n := c.list(0), c.int(1)
	if n > math.MaxInt64-int64(len(xs)) {
		return value.Nil, c.fault(value.CodeOverflow, "the numbers from %d do not fit an Int", n)
	}
	out := c.collect(len(xs))
	for i, x := range xs {
		if err := out.take(value.Tuple(value.Int(n+int64(i)), x), 4*word); err != nil {
			return value.Nil, err
		}
	}
	return out.list(), nil
}

func listFlatten(c call) (value.Value, error) {
	out := c.collect(0)
	for _, x := range c.list(0) {
		vs, isList := x.AsList()
		if !isList {
			return value.Nil, wrongKind(c.name, "a list of lists", x)
		}
		for _, v := range vs {
			if err := out.add(v); err != nil {
				return value.Nil, err
			}
		}
	}
	return out.list(), nil
}

func listRange(c call) (value.Value, error) {
	from, to, step := c.int(0), c.int(1), c.intOr(2, 1)
	if step == 0 {
		return value.Nil, c.fault(value.CodeRange, "a step of 0 leads nowhere")
	}
	if from > to == (step > 0) && from != to {
		return value.List(), nil
	}
	apart, stride := uint64(to)-uint64(from), uint64(step)
	if step < 0 {
		apart, stride = -apart, -stride
	}
	n := apart / stride // and one more
	if err := c.Hold(word * int(min(n, 1<<32)+1)); err != nil {
		return value.Nil, err
	}
	out := make([]value.Value, n+1)
	for i := range out {
		out[i] = value.Int(from + int64(i)*step)
	}
	return value.List(out...), nil
}

func listRepeat(c call) (value.Value, error) {
	n, err := c.size(1, "the count")
	if err == nil {
		err = c.Hold(n * c.args[0].Size()) // that much it counts as, shared or not
	}
	if err != nil {
		return value.Nil, err
	}
	out := make([]value.Value, n)
	for i := range out {
		out[i] = c.args[0]
	}
	return value.List(out...), nil
}

func listJoin(c call) (value.Value, error) {
	sep := c.text(1)
	var out []byte
	for i, x := range c.list(0) {
		if i > 0 {
			out = append(out, sep...)
		}
		before := len(out)
		if before+len(sep)+x.Size() > maxMade+4096 {
			return value.Nil, c.tooLarge(nil)
		}
		if err := c.Hold(x.Size() + len(sep)); err != nil { // a text is about as large as its value
			return value.Nil, err
		}
		if out = x.AppendText(out); len(out)-before > 2*x.Size() {
			if err := c.Hold(len(out) - before); err != nil {
				return value.Nil, err
			}
		}
	}
	return value.String(string(out)), nil
}

// toRecord makes a record of pairs.
func toRecord(c call) (value.Value, error) {
	var keys []string
	vals := c.collect(0)
	for _, x := range c.list(0) {
		pair, isTuple := x.AsTuple()
		if !isTuple {
			pair, _ = x.AsList()
		}
		if len(pair) != 2 {
			return value.Nil, wrongKind(c.name, "pairs of a name and a value", x)
		}
		k, isText := pair[0].AsString()
		if !isText {
			return value.Nil, wrongKind(c.name, "names that are Strings", pair[0])
		}
		keys = append(keys, k)
		if err := vals.take(pair[1], 2*word); err != nil {
			return value.Nil, err
		}
	}
	return value.NewRecord(keys, vals.vs), nil
}
