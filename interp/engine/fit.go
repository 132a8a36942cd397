package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib/schema"
)

// Fit gives a value from outside the declared type: an Int where a Decimal or
// Float is declared, a Decimal where a Float is, a String where a Duration, Time
// or handle is, and the record that JSON has for a variant where one is. The error
// names the place inside the value that does not fit.
func Fit(v value.Value, t *program.Type) (value.Value, error) {
	return fit(v, t, "")
}

func fit(v value.Value, t *program.Type, at string) (value.Value, error) {
	bad := func() (value.Value, error) {
		where := ""
		if at != "" {
			where = at + " "
		}
		return v, fmt.Errorf("%sis %s, not %s", where, v.Short(40), t.Text)
	}
	if !t.Schema.IsNil() {
		return fitSchema(v, t, at)
	}
	switch t.Base {
	case program.AnyType, program.FuncType, program.VariantType:
		return v, nil
	case program.OptionalType:
		if v.IsNil() || len(t.Elem) == 0 {
			return v, nil
		}
		return fit(v, &t.Elem[0], at)
	case program.ListType, program.TupleType:
		return fitList(v, t, at, bad)
	case program.MapType, program.RecordType:
		return fitRecord(v, t, at, bad)
	case program.HandleType:
		if h, ok := v.AsHandle(); ok && h.Type == t.Text {
			return v, nil
		}
		if s, ok := v.AsString(); ok {
			if key, isEntity := strings.CutPrefix(s, t.Text+"/"); isEntity {
				return value.NewHandle(value.Handle{Type: t.Text, ID: key, Entity: true}), nil
			}
			return value.NewHandle(value.Handle{Type: t.Text, ID: s}), nil
		}
		return bad()
	}
	return fitScalar(v, t, bad)
}

// fitSchema fits what only a schema describes.
func fitSchema(v value.Value, t *program.Type, at string) (value.Value, error) {
	out, err := schema.Fit(v, t.Schema)
	var no *schema.Mismatch
	switch {
	case err == nil:
		return out, nil
	case !errors.As(err, &no):
		return v, err
	}
	if where := at + strings.TrimPrefix(no.Path, "$"); where != "" {
		return v, fmt.Errorf("%s: %s", where, no.Reason)
	}
	return v, errors.New(no.Reason)
}

// scalars are the kinds of values that have no parts.
var scalars = map[program.Base]value.Kind{program.NilType: value.KindNil, program.BoolType: value.KindBool, program.IntType: value.KindInt,
	program.DecimalType: value.KindDecimal, program.FloatType: value.KindFloat, program.StringType: value.KindString,
	program.DurationType: value.KindDuration, program.TimeType: value.KindTime, program.SecretType: value.KindSecret}

// fitScalar fits numbers, strings, times.
func fitScalar(v value.Value, t *program.Type, bad func() (value.Value, error)) (value.Value, error) {
	want, known := scalars[t.Base]
	if !known || v.Kind() == want {
		return v, nil
	}
	convert := func(f func(value.Value) (value.Value, error), from ...value.Kind) (value.Value, error) {
		for _, k := range from {
			if v.Kind() == k {
				if out, err := f(v); err == nil {
					return out, nil
				}
			}
		}
		return bad()
	}
	switch t.Base {
	case program.DecimalType:
		return convert(value.ToDecimal, value.KindInt)
	case program.FloatType:
		return convert(value.ToFloat, value.KindInt, value.KindDecimal)
	case program.DurationType:
		return convert(value.ToDuration, value.KindString)
	case program.TimeType:
		return convert(value.ToTime, value.KindString)
	}
	return bad()
}

func fitList(v value.Value, t *program.Type, at string, bad func() (value.Value, error)) (value.Value, error) {
	list, ok := v.AsList()
	isTuple := t.Base == program.TupleType
	if isTuple && !ok {
		list, ok = v.AsTuple()
	}
	if !ok || len(t.Elem) == 0 && !isTuple || isTuple && len(list) != len(t.Elem) {
		return bad()
	}
	out := make([]value.Value, len(list))
	for i, x := range list {
		elem := &t.Elem[0]
		if isTuple {
			elem = &t.Elem[i]
		}
		fitted, err := fit(x, elem, at+"["+strconv.Itoa(i)+"]")
		if err != nil {
			return v, err
		}
		out[i] = fitted
	}
	if isTuple {
		return value.Tuple(out...), nil
	}
	return value.List(out...), nil
}

func fitRecord(v value.Value, t *program.Type, at string, bad func() (value.Value, error)) (value.Value, error) {
	r, ok := v.AsRecord()
	if !ok {
		return bad()
	}
	if t.Base == program.MapType && len(t.Elem) == 1 {
		return fitFields(r, r.Keys(), func(int) *program.Type { return &t.Elem[0] }, at)
	}
	for i, key := range t.Keys {
		if _, has := r.Get(key); !has && t.Elem[i].Base != program.OptionalType {
			return v, fmt.Errorf("%s.%s is missing%s", at, key, schema.MeantBy(key, r, func(k string) bool { return slices.Contains(t.Keys, k) }))
		}
	}
	return fitFields(r, t.Keys, func(i int) *program.Type { return &t.Elem[i] }, at)
}

// fitFields fits the fields of these names; those that are missing become nil.
func fitFields(r *value.Record, keys []string, typeOf func(i int) *program.Type, at string) (value.Value, error) {
	vals := make([]value.Value, len(keys))
	for i, key := range keys {
		x, _ := r.Get(key)
		fitted, err := fit(x, typeOf(i), at+"."+key)
		if err != nil {
			return value.Nil, err
		}
		vals[i] = fitted
	}
	return r.WithAll(keys, vals), nil
}
