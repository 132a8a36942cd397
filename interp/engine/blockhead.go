package engine

import (
	"strconv"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// blockHead computes what stands before the braces of a block.
func (a *attempt) blockHead() (flow.Entered, error) {
	var head flow.Entered
	b := a.block
	number := func(f *program.Func, what string, least int64) (int, error) {
		if f == nil {
			return 0, nil
		}
		v, err := a.policyValue(f, a.call.Args...)
		if err != nil {
			return 0, err
		}
		n, ok := v.AsInt()
		if !ok || n < least || n > maxBranches {
			return 0, &interp.Fault{Code: "bad_argument", Message: what + " of a block is " + v.Short(40) + ", not a number of branches from " + strconv.FormatInt(least, 10) + " to 1000000", Span: f.Span, Index: -1}
		}
		return int(n), nil
	}
	var err error
	if head.Need, err = number(b.First, "`first`", 0); err != nil {
		return head, err
	}
	if head.Max, err = number(b.Max, "`max`", 1); err != nil {
		return head, err
	}
	if b.In == nil {
		return head, nil
	}
	v, err := a.policyValue(b.In, a.call.Args...)
	if err != nil {
		return head, err
	}
	head.Elements, err = elementsOf(v, b.In.Span)
	return head, err
}

// maxBranches is how many branches a block may have.
const maxBranches = 1_000_000

// elementsOf lists what `parallel for` goes over: the elements of a list, the
// fields of a record as pairs.
func elementsOf(v value.Value, at source.Span) ([]value.Value, error) {
	bad := func(why string) error {
		return &interp.Fault{Code: "type", Message: "`parallel for` goes over a list or a record, " + why, Span: at, Index: -1}
	}
	list, ok := v.AsList()
	if r, isRecord := v.AsRecord(); isRecord {
		ok = true
		for i := range r.Len() {
			k, x := r.At(i)
			list = append(list, value.Tuple(value.String(k), x))
		}
	}
	switch {
	case !ok:
		return nil, bad("not over " + v.Short(40))
	case len(list) > maxBranches:
		return nil, bad("of a million elements at most")
	}
	for _, x := range list {
		if !x.IsData() {
			return nil, bad("whose elements can be kept; " + x.Short(40) + " cannot")
		}
	}
	if list == nil {
		list = []value.Value{}
	}
	return list, nil
}
