package stdlib

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// recordModule is the module Record.
func recordModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Record.keys(record: {String: A}) -> [String]", recordKeys,
			"Lists the names of the fields, in their order.", `Record.keys({ b: 1, a: 2 }) == ["b", "a"]`),
		pure("Record.values(record: {String: A}) -> [A]", recordValues,
			"Lists the values of the fields, in their order.", `Record.values({ b: 1, a: 2 }) == [1, 2]`),
		pure("Record.entries(record: {String: A}) -> [(String, A)]", recordEntries,
			"Lists the fields as pairs of name and value, in their order.", `Record.entries({ b: 1, a: 2 }) == [("b", 1), ("a", 2)]`),
		pure("Record.from_entries(pairs: [(String, A)]) -> {String: A}", toRecord,
			"Makes a record of pairs of a name and a value; of equal names the last counts.", `Record.from_entries([("a", 1), ("b", 2)]) == { a: 1, b: 2 }`),
		flat("Record.get(record: {String: A}, key: String, default?: A) -> A?", recordGet,
			"Gives the value of a field; the default, or nil, if there is none.", `Record.get({ a: 1 }, "b", 0) == 0`),
		flat("Record.has(record: {String: A}, key: String) -> Bool", func(c call) (value.Value, error) {
			_, has := c.record(0).get(c.text(1))
			return value.Bool(has), nil
		}, "Says whether there is a field of a name, be it nil.", `Record.has({ a: nil }, "a") == true`),
		pure("Record.set(record: {String: A}, key: String, value: A) -> {String: A}", func(c call) (value.Value, error) {
			return c.record(0).r.With(c.text(1), c.args[2]), nil
		}, "Sets a field whose name is computed; `{ ...record, [key]: value }` is the same.", `Record.set({ a: 1 }, "b", 2) == { a: 1, b: 2 }`),
		pure("Record.merge(record: {String: A}, other: {String: A}; deep?: Bool) -> {String: A}", recordMerge,
			"Puts the fields of both in one record; of the same name those of the other count. With `deep: true` records in records are merged as well.",
			`Record.merge({ a: 1, b: 2 }, { b: 3 }) == { a: 1, b: 3 }`,
			`Record.merge({ a: { x: 1 } }, { a: { y: 2 } }, deep: true) == { a: { x: 1, y: 2 } }`),
		pure("Record.pick(record: {String: A}, keys: [String]) -> {String: A}", recordPick(true),
			"Keeps the fields of these names, in the order of the record; names that it does not have are passed over.", `Record.pick({ a: 1, b: 2 }, ["a", "x"]) == { a: 1 }`),
		pure("Record.omit(record: {String: A}, keys: [String]) -> {String: A}", recordPick(false),
			"Drops the fields of these names.", `Record.omit({ a: 1, b: 2 }, ["a"]) == { b: 2 }`),
		pure("Record.map_values(record: {String: A}, f: fn(A) -> B) -> {String: B}", recordMapValues,
			"Applies a function to the value of every field.", `Record.map_values({ a: 1, b: 2 }, fn(x) = x * 10) == { a: 10, b: 20 }`),
		pure("Record.filter(record: {String: A}, keep: fn(String, A) -> Bool) -> {String: A}", recordFilter,
			"Keeps the fields for whose name and value the function gives true.", `Record.filter({ a: 1, b: 2 }, fn(k, v) = v > 1) == { b: 2 }`),
		pure("Record.compact(record: {String: A?}) -> {String: A}", func(c call) (value.Value, error) {
			return recordKeep(c, func(_ string, v value.Value) (bool, error) { return !v.IsNil(), nil })
		}, "Drops the fields that are nil.", `Record.compact({ a: 1, b: nil }) == { a: 1 }`),
	}
}

func recordKeys(c call) (value.Value, error) {
	out := c.collect(c.record(0).len())
	for i := range c.record(0).len() {
		k, _ := c.record(0).at(i)
		if err := out.add(value.String(k)); err != nil {
			return value.Nil, err
		}
	}
	return out.list(), nil
}

func recordValues(c call) (value.Value, error) {
	out := c.collect(c.record(0).len())
	for i := range c.record(0).len() {
		_, v := c.record(0).at(i)
		if err := out.add(v); err != nil {
			return value.Nil, err
		}
	}
	return out.list(), nil
}

func recordEntries(c call) (value.Value, error) {
	out := c.collect(c.record(0).len())
	for i := range c.record(0).len() {
		k, v := c.record(0).at(i)
		if err := out.take(value.Tuple(value.String(k), v), 4*word); err != nil {
			return value.Nil, err
		}
	}
	return out.list(), nil
}

func recordGet(c call) (value.Value, error) {
	if v, has := c.record(0).get(c.text(1)); has {
		return v, nil
	}
	return c.args[2], nil
}

func recordMerge(c call) (value.Value, error) {
	if err := c.Hold(64 * (c.record(0).len() + c.record(1).len())); err != nil {
		return value.Nil, err
	}
	return merged(c.args[0], c.args[1], c.flag(2)), nil
}

// merged puts b over a; its depth is that of the shallower of the two.
func merged(a, b value.Value, deep bool) value.Value {
	x, _ := a.AsRecord()
	y, _ := b.AsRecord()
	keys := append([]string(nil), x.Keys()...)
	vals := make([]value.Value, 0, x.Len()+y.Len())
	for i := range x.Len() {
		_, v := x.At(i)
		vals = append(vals, v)
	}
	at := make(map[string]int, len(keys))
	for i, k := range keys {
		at[k] = i
	}
	for i := range y.Len() {
		k, v := y.At(i)
		j, both := at[k]
		switch {
		case !both:
			keys, vals = append(keys, k), append(vals, v)
		case deep && vals[j].Kind() == value.KindRecord && v.Kind() == value.KindRecord:
			vals[j] = merged(vals[j], v, true)
		default:
			vals[j] = v
		}
	}
	return value.NewRecord(keys, vals)
}

// recordKeep keeps the fields that keep says.
func recordKeep(c call, keep func(string, value.Value) (bool, error)) (value.Value, error) {
	var keys []string
	vals := c.collect(0)
	for i := range c.record(0).len() {
		k, v := c.record(0).at(i)
		is, err := keep(k, v)
		if err == nil && is {
			keys = append(keys, k)
			err = vals.take(v, 2*word)
		}
		if err != nil {
			return value.Nil, err
		}
	}
	return value.NewRecord(keys, vals.vs), nil
}

func recordPick(want bool) impl {
	return func(c call) (value.Value, error) {
		named := make(map[string]bool, len(c.list(1)))
		if err := c.Hold(64 * len(c.list(1))); err != nil {
			return value.Nil, err
		}
		for _, k := range c.list(1) {
			name, isText := k.AsString()
			if !isText {
				return value.Nil, wrongKind(c.name, "names that are Strings", k)
			}
			named[name] = true
		}
		return recordKeep(c, func(k string, _ value.Value) (bool, error) { return named[k] == want, nil })
	}
}

func recordMapValues(c call) (value.Value, error) {
	r, f := c.record(0), c.function(1)
	out := c.collect(r.len())
	for i := range r.len() {
		_, x := r.at(i)
		v, err := f.of(x)
		if err == nil {
			err = out.make(v)
		}
		if err != nil {
			return value.Nil, err
		}
	}
	return value.NewRecord(r.r.Keys(), out.vs), nil
}

func recordFilter(c call) (value.Value, error) {
	f := c.function(1)
	return recordKeep(c, func(k string, v value.Value) (bool, error) { return f.test2(value.String(k), v) })
}
