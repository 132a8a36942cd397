package interp

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

var wallet = value.Handle{Type: "Wallet", ID: "a", Entity: true}

// recorder answers every request with 7 and keeps it.
type recorder struct {
	requests []Request
	answer   func(Request) (value.Value, error)
}

func (r *recorder) Do(q Request) (value.Value, error) {
	r.requests = append(r.requests, q)
	if r.answer != nil {
		return r.answer(q)
	}
	return value.Int(7), nil
}

func ask1(t *testing.T, e program.Expr) (Request, value.Value) {
	t.Helper()
	r := &recorder{}
	out, err := Run(r, Call{Fn: body(e)})
	require.NoError(t, err)
	require.Len(t, r.requests, 1)
	return r.requests[0], out.Result
}

func TestRequests(t *testing.T) {
	h := lit(value.NewHandle(wallet))
	get := &program.Builtin{Module: "Http", Name: "get", Effect: program.Performs, Rest: true, Params: []program.BuiltinParam{
		{Name: "url"}, {Name: "timeout", Optional: true, Named: true, Default: value.Int(30)}, {Name: "more", Optional: true, Default: value.String("none")}}}
	q, v := ask1(t, &program.Perform{At: at(11), Once: true, Op: get, Args: exprs{str("u")}})
	require.Equal(t, value.Int(7), v)
	require.Equal(t, Request{Kind: Perform, Span: at(11).Place, Once: true, Op: get, Args: []value.Value{value.String("u"), value.Int(30), value.String("none")}}, q)
	q, _ = ask1(t, &program.Perform{Op: get, Args: exprs{str("u"), nil, str("a"), str("b")}})
	require.Equal(t, []value.Value{value.String("u"), value.Int(30), value.String("a"), value.String("b")}, q.Args)
	q, _ = ask1(t, &program.Ask{At: at(12), Handle: h, Name: "pay", Args: exprs{i(1), i(2)}, Names: []string{"", "max"}})
	require.Equal(t, Request{Kind: Ask, Span: at(12).Place, Target: wallet, Name: "pay", Args: []value.Value{value.Int(1), value.Int(2)}, ArgNames: []string{"", "max"}}, q)
	q, _ = ask1(t, &program.SignalSend{Handle: h, Name: "go", Payload: i(3)})
	require.Equal(t, Request{Kind: Signal, Target: wallet, Name: "go", Args: []value.Value{value.Int(3)}}, q)
	q, _ = ask1(t, &program.SignalSend{Handle: h, Name: "go"})
	require.Equal(t, []value.Value{value.Nil}, q.Args)
	q, _ = ask1(t, &program.Await{Handle: h})
	require.Equal(t, Request{Kind: Await, Target: wallet}, q)
	q, _ = ask1(t, &program.Await{Handle: h, For: dur(time.Minute)})
	require.Equal(t, Request{Kind: Await, Target: wallet, Deadline: value.Duration(time.Minute), HasDeadline: true}, q)
	w := &program.Workflow{Name: "Order"}
	q, _ = ask1(t, &program.Spawn{Workflow: w, Fields: rec("a", i(1)), ID: str("o-1")})
	require.Equal(t, "Order o-1 true { a: 1 }", fmt.Sprint(q.Name, " ", q.ID, " ", q.HasID, " ", q.Args[0]))
	q, _ = ask1(t, &program.Spawn{Workflow: w})
	require.Equal(t, "false {}", fmt.Sprint(q.HasID, " ", q.Args[0]))
	require.Equal(t, "select", Select.String())
	for _, e := range []program.Expr{
		&program.Ask{Handle: str("x"), Name: "a"}, &program.Await{Handle: i(1)}, &program.Await{Handle: h, For: i(1)}, &program.SignalSend{Handle: null(), Name: "s"},
		&program.Spawn{Workflow: w, Fields: i(1)}, &program.Spawn{Workflow: w, ID: i(1)}, &program.Select{Arms: []program.SelectArm{{Name: i(1), Body: i(1)}}}, &program.Select{Arms: []program.SelectArm{{After: i(1), Body: i(1)}}},
		&program.Select{Arms: []program.SelectArm{{Until: dur(1), Body: i(1)}}},
	} {
		require.Equal(t, CodeType, faultOf(t, e).Code)
	}
	closure := &program.Lambda{Fn: fn("", 0, 0, i(1))}
	require.Equal(t, CodeNotData, faultOf(t, &program.Ask{Handle: h, Name: "a", Args: exprs{list(closure)}}).Code)
}

func TestArgumentsLeftToRight(t *testing.T) {
	op := func(name string) program.Expr {
		return &program.Perform{Op: &program.Builtin{Module: "M", Name: name}}
	}
	r := &recorder{}
	_, err := Run(r, Call{Fn: body(
		tuple(op("a"), list(op("b"), bin(program.Add, op("c"), op("d"))), rec("x", op("e"), "y", op("f"))),
		call(fn("f", 2, 2, op("i")), op("g"), op("h")),
	)})
	require.NoError(t, err)
	order := ""
	for _, q := range r.requests {
		order += q.Op.Name
	}
	require.Equal(t, "abcdefghi", order)
}

func TestSelect(t *testing.T) {
	e := &program.Select{At: at(13), Arms: []program.SelectArm{
		{Name: str("approve"), Pattern: &program.RecordOf{Keys: []string{"by"}, Patterns: []program.Pattern{bindTo(0)}}, Body: local(0)},
		{Name: &program.Text{Parts: exprs{str("reject-"), i(2)}}, Body: str("rejected")},
		{After: dur(time.Hour), Body: str("late")},
		{Until: lit(value.Time(5)), Body: str("at")},
	}}
	run := func(answer value.Value) (Outcome, error) {
		r := &recorder{answer: func(q Request) (value.Value, error) {
			require.Equal(t, []Arm{{Signal: "approve"}, {Signal: "reject-2"}, {Deadline: value.Duration(time.Hour)}, {Deadline: value.Time(5)}}, q.Arms)
			return answer, nil
		}}
		return Run(r, Call{Fn: body(e)})
	}
	pay := value.NewRecord([]string{"by"}, []value.Value{value.String("x")})
	for k, want := range []string{`"x"`, `"rejected"`, `"late"`, `"at"`} {
		out, err := run(value.Tuple(value.Int(int64(k)), pay))
		require.NoError(t, err)
		require.Equal(t, want, out.Result.String())
	}
	_, err := run(value.Tuple(value.Int(0), value.Nil))
	require.Equal(t, CodeNoMatch, err.(*Fault).Code)
	for _, bad := range []value.Value{value.Nil, value.Tuple(value.Int(4), value.Nil), value.Tuple(value.Nil, value.Nil)} {
		_, err = run(bad)
		require.Equal(t, CodeInternal, err.(*Fault).Code)
		require.True(t, err.(*Fault).Final)
	}
}

func TestHostErrors(t *testing.T) {
	perform := &program.Perform{At: at(14), Op: &program.Builtin{Module: "M", Name: "op"}}
	catching := body(try(perform, 0, field(local(0), "code")))
	answer := func(err error) Host {
		return hostFunc(func(Request) (value.Value, error) { return value.Nil, err })
	}
	declined := &Fault{Code: "declined", Message: "no", Index: -1}
	out, err := Run(answer(declined), Call{Fn: catching})
	require.NoError(t, err)
	require.Equal(t, value.String("declined"), out.Result)
	require.Empty(t, declined.Stack, "the host's fault is not touched")
	f := faultIn(t, answer(declined), Call{Fn: body(call(fn("f", 0, 0, perform)))})
	require.Equal(t, at(14).Place, f.Span)
	require.Len(t, f.Stack, 1)
	require.True(t, declined.Span.IsZero())

	final := &Fault{Code: "timeout", Message: "too long", Final: true}
	require.Equal(t, "timeout", faultIn(t, answer(final), Call{Fn: catching}).Code)
	other := errors.New("disk")
	_, err = Run(answer(other), Call{Fn: catching})
	require.Same(t, other, err)
}

func TestEmit(t *testing.T) {
	out, err := Run(noHost, Call{Fn: body(
		&program.Emit{Name: "A", Names: []string{"id"}, Args: exprs{i(1)}},
		try(block(&program.Emit{Name: "B"}, throw(str("x"))), 0, i(1)))})
	require.NoError(t, err)
	require.Equal(t, []Event{{Name: "A", Names: []string{"id"}, Args: []value.Value{value.Int(1)}}, {Name: "B"}}, out.Events, "what was emitted before a throw stays")
	require.Equal(t, CodeNotData, faultOf(t, &program.Emit{Name: "A", Args: exprs{&program.Lambda{Fn: fn("", 0, 0, i(1))}}}).Code)
}

func counter() (*program.Workflow, *Self) {
	w := &program.Workflow{Name: "Counter", Fields: []program.StateField{{Name: "n"}, {Name: "items"}, {Name: "note"}}}
	return w, &Self{Workflow: w, Fields: []value.Value{value.Int(1), value.List(value.Int(5))}, ID: "Counter-1", Step: "count", StepIndex: 2, Failure: value.String("why")}
}

func TestSelf(t *testing.T) {
	_, self1 := counter()
	meta := func(p program.SelfPart) program.Expr { return &program.SelfMeta{Part: p} }
	run := func(es ...program.Expr) Outcome {
		t.Helper()
		out, err := Run(noHost, Call{Fn: body(es...), Self: self1})
		require.NoError(t, err)
		return out
	}
	require.Equal(t, `("Counter-1", Counter("Counter-1"), "count", 2, "why")`, run(tuple(meta(program.SelfID), meta(program.SelfHandle), meta(program.SelfStep), meta(program.SelfStepIndex), meta(program.SelfFailure))).Result.String())
	require.Equal(t, `{ n: 1, items: [5], note: nil }`, run(meta(program.SelfRecord)).Result.String())
	require.Equal(t, `(1, nil, [5])`, run(tuple(self(0, "n"), self(2, "note"), self(-1, "items"))).Result.String())

	out := run(setSelf(2, str("a")), setSelf(0, bin(program.Add, self(0, "n"), i(1))), setSelf(2, str("b")), tuple(self(0, "n"), self(2, "note")))
	require.Equal(t, `(2, "b")`, out.Result.String())
	require.Equal(t, []Write{{2, value.String("b")}, {0, value.Int(2)}}, out.Writes)
	require.Equal(t, value.Int(1), self1.Fields[0], "the base is not touched")

	out = run(&program.AssignField{Slot: 1, Path: []program.PathPart{{Index: i(0)}}, Op: program.SetAdd, Value: i(1)}, &program.AssignField{Slot: -1, Name: "n", Op: program.SetSub, Value: i(1)},
		&program.AssignField{Slot: 1, Op: program.SetAdd, Value: list(i(9))}, setSelf(1, bin(program.Add, self(1, "items"), list(i(10)))))
	require.Equal(t, "[{1 [6, 9, 10]} {0 0}]", fmt.Sprint(out.Writes))
	out = run(&program.AssignSelf{Value: rec("note", str("x"), "n", i(4))}, meta(program.SelfRecord))
	require.Equal(t, `{ n: 4, items: [5], note: "x" }`, out.Result.String())
	require.Equal(t, []Write{{2, value.String("x")}, {0, value.Int(4)}}, out.Writes)
	// Writes before a throw stay, and no write of a body that faults.
	require.Len(t, run(try(block(setSelf(0, i(2)), throw(str("x"))), 0, i(1))).Writes, 1)

	for _, c := range []struct {
		e    program.Expr
		code string
	}{
		{self(-1, "itmes"), CodeNoField}, {&program.AssignSelf{Value: i(1)}, CodeType}, {&program.AssignSelf{Value: rec("nope", i(1))}, CodeNoField},
		{setSelf(0, &program.Lambda{Fn: fn("", 0, 0, i(1))}), CodeNotData}, {&program.AssignSelf{Value: rec("n", &program.Lambda{Fn: fn("", 0, 0, i(1))})}, CodeNotData},
	} {
		f := faultIn(t, noHost, Call{Fn: body(c.e), Self: self1})
		require.Equal(t, c.code, f.Code)
		require.Equal(t, "count", f.Step)
	}
	require.Equal(t, "Counter has no field itmes: did you mean items?", faultIn(t, noHost, Call{Fn: body(self(-1, "itmes")), Self: self1}).Message)
	for _, e := range []program.Expr{self(0, "n"), meta(program.SelfID), setSelf(0, i(1))} {
		require.Equal(t, CodeNoSelf, faultOf(t, e).Code)
	}
	out, err := Run(noHost, Call{Fn: body(setSelf(0, &program.FuncRef{Fn: fn("f", 0, 0, i(1))})), Self: self1})
	require.NoError(t, err, "a function with a name is data")
	require.Equal(t, "fn f", out.Writes[0].Value.String())
}

func TestEndings(t *testing.T) {
	_, s := counter()
	run := func(e program.Expr) Outcome {
		t.Helper()
		out, err := Run(noHost, Call{Fn: body(setSelf(0, i(9)), &program.Emit{Name: "E"}, try(call(fn("f", 0, 0, e)), 0, i(1)), i(2)), Self: s})
		require.NoError(t, err)
		return out
	}
	for _, c := range []struct {
		e    program.Expr
		want Ending
	}{
		{&program.Goto{Item: 3, Input: i(1), Reply: str("ok")}, Ending{Kind: Goto, Item: 3, Input: value.Int(1), HasInput: true, Reply: value.String("ok"), HasReply: true}},
		{&program.Goto{Item: 3}, Ending{Kind: Goto, Item: 3}},
		{&program.Pause{Reason: str("why"), For: dur(time.Hour), Then: 2, Input: i(1)}, Ending{Kind: Pause, Reason: "why", Until: value.Duration(time.Hour), Item: 2, Input: value.Int(1), HasInput: true}},
		{&program.Pause{Until: lit(value.Time(3)), Then: -1, Reply: i(1)}, Ending{Kind: Pause, Until: value.Time(3), Item: -1, Reply: value.Int(1), HasReply: true}},
		{&program.Pause{Then: -1}, Ending{Kind: Pause, Item: -1}},
		{&program.End{Value: i(1), Reply: i(2)}, Ending{Kind: End, Reply: value.Int(2), HasReply: true}},
		{&program.Fail{At: at(15), Value: str("no")}, Ending{Kind: Failed, Fault: &Fault{Code: CodeError, Message: "no", Index: -1, Span: at(15).Place, Step: "count"}}},
		{&program.Delete{Reply: null()}, Ending{Kind: Deleted, HasReply: true}},
		{&program.Reply{Value: i(4)}, Ending{Kind: Replied, Reply: value.Int(4), HasReply: true}},
	} {
		out := run(c.e)
		require.Equal(t, c.want, out.Ending)
		require.Len(t, out.Writes, 1)
		require.Len(t, out.Events, 1)
	}
	require.Equal(t, value.Int(1), run(&program.End{Value: i(1)}).Result)
	require.Equal(t, value.Nil, run(&program.End{}).Result)
	for code, e := range map[string]program.Expr{
		"bad_request": &program.Reject{Value: str("no")}, "conflict": &program.Reject{Code: "conflict", Value: str("no")}, "own": &program.Reject{Value: rec("code", str("own"), "message", str("no"))},
	} {
		out := run(e)
		require.Equal(t, Rejected, out.Ending.Kind)
		require.Equal(t, code, out.Ending.Fault.Code)
		require.Equal(t, "no", out.Ending.Fault.Message)
		require.Empty(t, out.Writes)
		require.Empty(t, out.Events)
	}
	closure := &program.Lambda{Fn: fn("", 0, 0, i(1))}
	for _, e := range []program.Expr{&program.Goto{Input: closure}, &program.Pause{Input: closure}, &program.End{Value: closure}, &program.Fail{Value: closure}, &program.Reply{Value: closure}, &program.Delete{Reply: closure}, &program.Reject{Value: closure}} {
		require.Equal(t, CodeNotData, faultIn(t, noHost, Call{Fn: body(e), Self: s}).Code)
	}
	for _, e := range []program.Expr{&program.Pause{For: i(1)}, &program.Pause{Until: i(1)}} {
		require.Equal(t, CodeType, faultIn(t, noHost, Call{Fn: body(e), Self: s}).Code)
	}
	// A fault in what an ending evaluates is a fault, not an ending.
	require.Equal(t, CodeError, faultIn(t, noHost, Call{Fn: body(&program.Goto{Input: throw(str("x"))})}).Code)
}

func TestBuiltins(t *testing.T) {
	double := &program.Builtin{Module: "M", Name: "double", Params: []program.BuiltinParam{{Name: "x"}, {Name: "by", Optional: true, Default: value.Int(2)}},
		Fn: func(_ program.Caller, a []value.Value) (value.Value, error) { return value.Mul(a[0], a[1]) }}
	apply := &program.Builtin{Module: "M", Name: "apply", Params: []program.BuiltinParam{{Name: "f"}, {Name: "x"}},
		Fn: func(call program.Caller, a []value.Value) (value.Value, error) { return call.Call(a[0], a[1:2]) }}
	swallow := &program.Builtin{Module: "M", Name: "swallow", Params: []program.BuiltinParam{{Name: "f"}},
		Fn: func(call program.Caller, a []value.Value) (value.Value, error) {
			if _, err := call.Call(a[0], nil); err != nil {
				return value.String("swallowed"), nil
			}
			return value.Nil, nil
		}}
	failing := &program.Builtin{Name: "Odd", Fn: func(program.Caller, []value.Value) (value.Value, error) {
		return value.Nil, &program.BuiltinError{Code: "odd", Message: "odd thing"}
	}}
	plain := &program.Builtin{Name: "Plain", Fn: func(program.Caller, []value.Value) (value.Value, error) { return value.Nil, errors.New("plain") }}
	use := func(b *program.Builtin, args ...program.Expr) program.Expr {
		return &program.CallBuiltin{At: at(16), Fn: b, Args: args}
	}
	ref := &program.BuiltinRef{Fn: double}
	require.Equal(t, "6", result(t, use(double, i(3))))
	require.Equal(t, "9", result(t, use(double, i(3), i(3))))
	require.Equal(t, "10", result(t, use(apply, ref, i(5))))
	require.Equal(t, "fn M.double", result(t, ref))
	require.Equal(t, "8", result(t, &program.CallValue{Fn: ref, Args: exprs{i(4)}}))
	require.Equal(t, CodeArguments, faultOf(t, &program.CallValue{Fn: ref}).Code)
	require.Equal(t, CodeArguments, faultOf(t, &program.CallValue{Fn: ref, Args: exprs{i(1), i(2), i(3)}}).Code)
	require.Equal(t, CodeType, faultOf(t, &program.CallValue{Fn: &program.BuiltinRef{Fn: &program.Builtin{Module: "Http", Name: "get"}}}).Code)
	f := faultOf(t, use(failing))
	require.Equal(t, "odd: odd thing", f.Code+": "+f.Message)
	require.Equal(t, at(16).Place, f.Span)
	require.Equal(t, "error: plain", faultOf(t, use(plain)).Code+": "+faultOf(t, use(plain)).Message)
	require.Equal(t, CodeType, faultOf(t, use(double, str("x"))).Code)
	boom := &program.Lambda{Fn: fn("", 1, 1, bin(program.Div, local(0), i(0)))}
	require.Equal(t, "division_by_zero", faultOf(t, use(apply, boom, i(1))).Code)
	require.Equal(t, `"caught"`, result(t, try(use(apply, boom, i(1)), 0, str("caught"))))
	require.Equal(t, `"swallowed"`, result(t, use(swallow, &program.Lambda{Fn: fn("", 0, 0, throw(str("x")))})))
	require.Equal(t, CodeInternal, faultOf(t, use(apply, &program.Lambda{Fn: fn("", 1, 1, &program.End{})}, i(1))).Code)
	// What no script can catch no builtin can either.
	endless := &program.Lambda{Fn: fn("", 0, 0, &program.While{Cond: flag(true), Body: i(1)})}
	require.Equal(t, CodeFuel, faultIn(t, noHost, Call{Fn: body(use(swallow, endless)), Limits: Limits{Fuel: 1000}}).Code)
	away := errors.New("put away")
	asking := &program.Lambda{Fn: fn("", 0, 0, &program.Perform{Op: double, Args: exprs{i(1)}})}
	_, err := Run(hostFunc(func(Request) (value.Value, error) { return value.Nil, away }), Call{Fn: body(use(swallow, asking))})
	require.Same(t, away, err)
	// A builtin that a stored value names.
	stored := lit(value.NewFunc(&value.Func{Name: "M.double"}))
	out, err := Run(noHost, Call{Fn: body(&program.CallValue{Fn: stored, Args: exprs{i(4)}}), Builtin: func(name string) *program.Builtin {
		if name == "M.double" {
			return double
		}
		return nil
	}})
	require.NoError(t, err)
	require.Equal(t, value.Int(8), out.Result)
}
