package stdlib

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// records is the module Record.
func records() []*program.Builtin {
	r := param("record", mapType())
	return []*program.Builtin{
		{Module: "Record", Name: "keys", Params: params(r), Result: stringsType(), Fn: recordKeys,
			Doc: "Lists the names of the fields, in their order.", Example: `Record.keys({ b: 1, a: 2 }) == ["b", "a"]`},
		{Module: "Record", Name: "values", Params: params(r), Result: listType(), Fn: recordValues,
			Doc: "Lists the values of the fields, in their order.", Example: `Record.values({ b: 1, a: 2 }) == [1, 2]`},
	}
}

func recordKeys(_ program.CallFunc, args []value.Value) (value.Value, error) {
	r, err := recordArg("Record.keys", args[0])
	if err != nil {
		return value.Nil, err
	}
	out := make([]value.Value, r.Len())
	for i := range out {
		k, _ := r.At(i)
		out[i] = value.String(k)
	}
	return value.List(out...), nil
}

func recordValues(_ program.CallFunc, args []value.Value) (value.Value, error) {
	r, err := recordArg("Record.values", args[0])
	if err != nil {
		return value.Nil, err
	}
	out := make([]value.Value, r.Len())
	for i := range out {
		_, out[i] = r.At(i)
	}
	return value.List(out...), nil
}
