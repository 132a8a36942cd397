package call

import (
	"time"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// arguments are what a call was given, by the names of its parameters.
type arguments struct {
	op    *program.Builtin
	given []value.Value
}

// get gives an argument, nil if it was left out.
func (a arguments) get(name string) value.Value {
	for i := range a.op.Params {
		if a.op.Params[i].Name == name && i < len(a.given) {
			return a.given[i]
		}
	}
	return value.Nil
}

func (a arguments) bad(name, want string, v value.Value) error {
	return badArgument("`%s` of %s has to be %s, and this is %s", name, a.op.FullName(), want, v.Kind().Article())
}

// text gives a String argument; given is false if it is nil.
func (a arguments) text(name string) (s string, given bool, err error) {
	v := a.get(name)
	if v.IsNil() {
		return "", false, nil
	}
	s, ok := v.AsString()
	if !ok {
		return "", false, a.bad(name, "a String", v)
	}
	return s, true, nil
}

// needText gives a String argument that may not be left out.
func (a arguments) needText(name string) (string, error) {
	s, given, err := a.text(name)
	if err == nil && !given {
		return "", a.bad(name, "a String", value.Nil)
	}
	return s, err
}

// duration gives a Duration above zero.
func (a arguments) duration(name string) (d time.Duration, given bool, err error) {
	v := a.get(name)
	if v.IsNil() {
		return 0, false, nil
	}
	d, ok := v.AsDuration()
	if !ok || d <= 0 {
		return 0, false, badArgument("`%s` of %s has to be a Duration above zero, and this is %s", name, a.op.FullName(), v.Short(40))
	}
	return d, true, nil
}

// record gives a record, nil if it was left out.
func (a arguments) record(name string) (*value.Record, error) {
	v := a.get(name)
	if v.IsNil() {
		return nil, nil
	}
	r, ok := v.AsRecord()
	if !ok {
		return nil, a.bad(name, "a record", v)
	}
	return r, nil
}

// codes are the numbers that `expect:` names.
type codes struct {
	any  bool
	list []int64
}

// expected reads `expect:`: a number, a list of numbers (a range is one), "any".
func (a arguments) expected() (codes, error) {
	v := a.get("expect")
	if v.IsNil() {
		return codes{}, nil
	}
	if s, ok := v.AsString(); ok && s == "any" {
		return codes{any: true}, nil
	}
	list, ok := v.AsList()
	if !ok {
		list = []value.Value{v}
	}
	var c codes
	for _, x := range list {
		n, ok := x.AsInt()
		if !ok {
			return c, badArgument("`expect` of %s has to be a number, a list or range of numbers, or \"any\", and this is %s", a.op.FullName(), v.Short(40))
		}
		c.list = append(c.list, n)
	}
	return c, nil
}

func (c codes) has(n int) bool {
	if c.any {
		return true
	}
	for _, x := range c.list {
		if x == int64(n) {
			return true
		}
	}
	return false
}

// plain is the text of a value where texts are needed, with secrets put in:
// what headers, queries, forms and environments are made of. Records and other
// containers have none.
func (c *Caller) plain(v value.Value, where string) (string, error) {
	if s, ok := v.AsSecret(); ok {
		return c.secrets.Text(s)
	}
	switch v.Kind() {
	case value.KindNil, value.KindList, value.KindTuple, value.KindRecord, value.KindVariant, value.KindFunc:
		return "", badArgument("%s has to be a text, and this is %s", where, v.Kind().Article())
	case value.KindHandle:
		h, _ := v.AsHandle()
		return h.StoreID(), nil
	}
	return v.Text(), nil
}

// unsealed puts the texts of secrets into a value.
func (c *Caller) unsealed(v value.Value) (value.Value, error) {
	if !v.HasSecret() {
		return v, nil
	}
	if s, ok := v.AsSecret(); ok {
		text, err := c.secrets.Text(s)
		return value.String(text), err
	}
	each := func(vs []value.Value) ([]value.Value, error) {
		out := make([]value.Value, len(vs))
		for i := range vs {
			var err error
			if out[i], err = c.unsealed(vs[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	if r, ok := v.AsRecord(); ok {
		vals := make([]value.Value, r.Len())
		for i := range vals {
			_, vals[i] = r.At(i)
		}
		vals, err := each(vals)
		return value.NewRecord(r.Keys(), vals), err
	}
	if x, ok := v.AsVariant(); ok {
		fields, err := each(x.Fields)
		return value.NewVariant(&value.Variant{Name: x.Name, Names: x.Names, Fields: fields}), err
	}
	if vs, ok := v.AsList(); ok {
		vs, err := each(vs)
		return value.List(vs...), err
	}
	vs, _ := v.AsTuple()
	vs, err := each(vs)
	return value.Tuple(vs...), err
}
