package interp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

func dur(d time.Duration) program.Expr { return lit(value.Duration(d)) }

func dec(s string) program.Expr {
	v, _ := value.ToDecimal(value.String(s))
	return lit(v)
}

func TestBinary(t *testing.T) {
	for _, c := range []struct {
		op   program.BinOp
		x, y program.Expr
		want string
	}{
		{program.Add, i(1), i(2), "3"}, {program.Sub, i(1), i(2), "-1"}, {program.Mul, i(3), i(2), "6"}, {program.Div, i(7), i(2), "3"}, {program.Mod, i(7), i(2), "1"},
		{program.Add, i(5), i(0), "5"}, {program.Sub, i(5), i(0), "5"}, {program.Add, i(-5), i(-1), "-6"}, {program.Sub, i(-5), i(-1), "-4"},
		{program.Eq, i(1), dec("1.0"), "true"}, {program.Ne, i(1), str("1"), "true"}, {program.Eq, i(1), i(1), "true"}, {program.Ne, i(1), i(1), "false"},
		{program.Lt, i(1), i(2), "true"}, {program.Le, i(2), i(2), "true"}, {program.Gt, i(1), i(2), "false"}, {program.Ge, i(1), i(2), "false"},
		{program.Lt, str("a"), str("b"), "true"}, {program.Le, dec("1.5"), i(1), "false"}, {program.Gt, dur(2), dur(1), "true"}, {program.Ge, dec("1.0"), i(1), "true"},
		{program.Add, str("a"), str("b"), `"ab"`}, {program.Add, list(i(1)), list(i(2)), "[1, 2]"}, {program.Add, dec("0.10"), i(1), "1.10"},
		{program.RangeOp, i(1), i(3), "[1, 2, 3]"}, {program.RangeOp, i(3), i(1), "[]"}, {program.RangeOp, dur(time.Second), dur(time.Minute), "(1s, 1m)"},
	} {
		require.Equal(t, c.want, result(t, bin(c.op, c.x, c.y)))
		require.Equal(t, c.want, result(t, let(0, c.x), let(1, c.y), bin(c.op, local(0), local(1))), "through variables")
		require.Equal(t, c.want, result(t, bin(c.op, block(c.x), block(c.y))), "through blocks")
	}
	for _, c := range []struct {
		op            program.BinOp
		x, y          program.Expr
		code, message string
	}{
		{program.Add, i(1<<63 - 1), i(1), "overflow", "9223372036854775807 + 1 does not fit an Int"},
		{program.Sub, i(-1 << 63), i(1), "overflow", "-9223372036854775808 - 1 does not fit an Int"},
		{program.Div, i(1), i(0), "division_by_zero", "cannot divide 1 by zero"},
		{program.Add, i(1), str("x"), CodeType, "cannot add Int and String"},
		{program.Lt, i(1), str("x"), CodeType, "cannot compare Int and String"},
		{program.RangeOp, i(1), str("x"), CodeType, "a range goes from Int to Int, not from Int to String"},
		{program.RangeOp, i(1), i(1 << 62), CodeMemory, "the range 1..4611686018427387904 has too many elements for a list"},
		{program.RangeOp, i(-1 << 63), i(1<<63 - 1), CodeMemory, "the range -9223372036854775808..9223372036854775807 has too many elements for a list"},
	} {
		f := faultOf(t, bin(c.op, c.x, c.y))
		require.Equal(t, c.code, f.Code)
		require.Equal(t, c.message, f.Message)
		require.Equal(t, at(1).Place, f.Span)
		require.Equal(t, int64(-1), f.Index)
	}
}

func TestLogic(t *testing.T) {
	boom := throw(str("evaluated"))
	and := func(x, y program.Expr) program.Expr { return &program.And{X: x, Y: y} }
	or := func(x, y program.Expr) program.Expr { return &program.Or{X: x, Y: y} }
	require.Equal(t, "false", result(t, and(flag(false), boom)))
	require.Equal(t, "true", result(t, and(flag(true), flag(true))))
	require.Equal(t, "true", result(t, or(flag(true), boom)))
	require.Equal(t, "false", result(t, or(flag(false), flag(false))))
	require.Equal(t, "1", result(t, &program.Coalesce{X: i(1), Y: boom}))
	require.Equal(t, "2", result(t, &program.Coalesce{X: null(), Y: i(2)}))
	require.Equal(t, "false", result(t, &program.Coalesce{X: flag(false), Y: i(2)}))
	require.Equal(t, "true", result(t, &program.Not{X: flag(false)}))
	require.Equal(t, "-1.50", result(t, &program.Neg{X: dec("1.50")}))
	for _, e := range []program.Expr{and(i(1), flag(true)), and(flag(true), i(1)), or(null(), flag(true)), or(flag(false), str("x")), &program.Not{X: i(0)}, &program.Neg{X: str("x")},
		&program.If{Cond: i(1), Then: i(1)}, &program.While{Cond: null(), Body: i(1)}} {
		require.Equal(t, CodeType, faultOf(t, e).Code)
	}
	require.Equal(t, "only a Bool can be a condition, not an Int", faultOf(t, &program.If{Cond: i(1), Then: i(1)}).Message)
}

func TestBuild(t *testing.T) {
	require.Equal(t, `"n=1.50, x, [\"y\"] 1h"`, result(t, &program.Text{Parts: exprs{str("n="), dec("1.50"), str(", "), str("x"), str(", "), list(str("y")), str(" "), dur(time.Hour)}}))
	inner := &program.Text{Parts: exprs{str("<"), i(1), str(">")}}
	require.Equal(t, `"a<1>b<1>"`, result(t, &program.Text{Parts: exprs{str("a"), inner, str("b"), inner}}))
	require.Equal(t, `"ax"`, result(t, &program.Text{Parts: exprs{str("a"), try(&program.Text{Parts: exprs{str("lost"), throw(str("e"))}}, -1, str("x"))}}))
	require.Equal(t, "()", result(t, tuple()))
	require.Equal(t, "(1, 2)", result(t, tuple(i(1), i(2))))
	require.Equal(t, "[0, 1, 2, 3]", result(t, list(i(0), &program.Spread{X: list(i(1), i(2))}, i(3))))
	require.Equal(t, `{ a: 9, b: 2, "k!": 3 }`, result(t, &program.RecordExpr{Entries: []program.RecordEntry{
		{Spread: rec("a", i(1), "b", i(2))}, {Computed: str("k!"), Value: i(3)}, {Key: "a", Value: i(9)}}}))
	require.Equal(t, `Approved(by: "x")`, result(t, &program.VariantExpr{Name: "Approved", Names: []string{"by"}, Fields: exprs{str("x")}}))
	require.Equal(t, `Wallet("a")`, result(t, &program.HandleExpr{Type: "Wallet", Entity: true, ID: str("a")}))
	for _, e := range []program.Expr{
		list(&program.Spread{X: i(1)}), &program.RecordExpr{Entries: []program.RecordEntry{{Spread: list()}}}, &program.RecordExpr{Entries: []program.RecordEntry{{Computed: i(1), Value: i(1)}}},
		&program.HandleExpr{Type: "W", ID: i(1)},
	} {
		require.Equal(t, CodeType, faultOf(t, e).Code)
	}
}

func TestFieldAndIndex(t *testing.T) {
	r := rec("name", str("x"), "qty", i(2))
	some := &program.VariantExpr{Name: "Approved", Names: []string{"by", ""}, Fields: exprs{str("x"), i(1)}}
	require.Equal(t, "2", result(t, field(r, "qty")))
	require.Equal(t, "2", result(t, index(r, str("qty"))))
	require.Equal(t, "nil", result(t, index(r, str("none"))))
	require.Equal(t, "2", result(t, field(r, "length")))
	require.Equal(t, "7", result(t, field(rec("length", i(7)), "length")))
	require.Equal(t, "3", result(t, field(list(i(1), i(2), i(3)), "length")))
	require.Equal(t, "2", result(t, field(str("é😀"), "length")))
	require.Equal(t, `"x"`, result(t, field(some, "by")))
	require.Equal(t, "nil", result(t, &program.Field{X: null(), Name: "a", Opt: true}))
	require.Equal(t, "2", result(t, &program.Field{X: r, Name: "qty", Opt: true}))
	require.Equal(t, "2", result(t, index(list(i(1), i(2)), i(1))))
	require.Equal(t, "2", result(t, index(tuple(i(1), i(2)), i(1))))
	for _, c := range []struct {
		e             program.Expr
		code, message string
	}{
		{field(r, "nmae"), CodeNoField, "the record has no field nmae: did you mean name?"},
		{field(r, "zzzzzz"), CodeNoField, "the record has no field zzzzzz"},
		{&program.Field{X: r, Name: "nope", Opt: true}, CodeNoField, "the record has no field nope"},
		{field(some, "bx"), CodeNoField, "the variant has no field bx: did you mean by?"},
		{field(null(), "a"), CodeType, "nil has no field a"},
		{field(i(1), "length"), CodeType, "an Int has no field length"},
		{index(list(i(1)), i(1)), CodeIndex, "the index 1 is out of range: the list has length 1"},
		{index(list(i(1)), i(-1)), CodeIndex, "the index -1 is negative; the list has length 1, the first element is 0"},
		{index(list(i(1)), str("a")), CodeType, "a list is indexed by an Int, not by a String"},
		{index(r, i(1)), CodeType, "a record is indexed by a String, not by an Int"},
		{index(str("abc"), i(1)), CodeType, "cannot index a String"},
	} {
		f := faultOf(t, c.e)
		require.Equal(t, c.code, f.Code)
		require.Equal(t, c.message, f.Message)
		require.False(t, f.Span.IsZero() && c.message[0] != '!' && f.Code != CodeNoField)
	}
}

func TestIfBlockLet(t *testing.T) {
	require.Equal(t, "nil", result(t, &program.If{Cond: flag(false), Then: i(1)}))
	require.Equal(t, "1", result(t, &program.If{Cond: flag(true), Then: i(1), Else: i(2)}))
	require.Equal(t, "2", result(t, &program.If{Cond: flag(false), Then: i(1), Else: i(2)}))
	require.Equal(t, "()", result(t))
	require.Equal(t, "()", result(t, let(0, i(1))))
	require.Equal(t, "3", result(t, &program.Let{Pattern: &program.TupleOf{Elems: []program.Pattern{bindTo(0), bindTo(1)}}, Value: tuple(i(1), i(2))}, bin(program.Add, local(0), local(1))))
	f := faultOf(t, &program.Let{At: at(4), Pattern: &program.ListOf{}, Value: list(i(1))})
	require.Equal(t, CodeNoMatch, f.Code)
	require.Equal(t, "no pattern fits [1]", f.Message)
	require.Equal(t, at(4).Place, f.Span)
}

func TestLoops(t *testing.T) {
	sum := set(0, bin(program.Add, local(0), local(1)))
	loop := func(in program.Expr, body ...program.Expr) program.Expr {
		return &program.For{Pattern: bindTo(1), In: in, Body: block(body...)}
	}
	when := func(c, then program.Expr) program.Expr { return &program.If{Cond: c, Then: then} }
	require.Equal(t, "6", result(t, let(0, i(0)), loop(list(i(1), i(2), i(3)), sum), local(0)))
	require.Equal(t, "6", result(t, let(0, i(0)), loop(bin(program.RangeOp, i(1), i(3)), sum), local(0)))
	require.Equal(t, "0", result(t, let(0, i(0)), loop(bin(program.RangeOp, i(3), i(1)), sum), local(0)))
	require.Equal(t, "9223372036854775807", result(t, let(0, i(0)), loop(bin(program.RangeOp, i(1<<63-1), i(1<<63-1)), sum), local(0)), "the last Int has no successor")
	require.Equal(t, "4", result(t, let(0, i(0)), loop(bin(program.RangeOp, i(1), i(9)),
		when(bin(program.Eq, local(1), i(2)), &program.Continue{}), when(bin(program.Eq, local(1), i(4)), &program.Break{}), sum), local(0)))
	require.Equal(t, `["a", 1, "b", 2]`, result(t, let(0, list()), &program.For{
		Pattern: &program.TupleOf{Elems: []program.Pattern{bindTo(1), bindTo(2)}}, In: rec("a", i(1), "b", i(2)),
		Body: set(0, bin(program.Add, local(0), list(local(1), local(2))))}, local(0)))
	require.Equal(t, "()", result(t, loop(list(i(1)), i(7))))
	require.Equal(t, "5", result(t, let(0, i(0)), &program.While{Cond: bin(program.Lt, local(0), i(5)), Body: set(0, bin(program.Add, local(0), i(1)))}, local(0)))
	require.Equal(t, "3", result(t, let(0, i(0)), &program.While{Cond: flag(true), Body: block(
		set(0, bin(program.Add, local(0), i(1))), when(bin(program.Ge, local(0), i(3)), &program.Break{}))}, local(0)))
	require.Equal(t, "2", result(t, call(fn("f", 0, 2, block(loop(list(i(1), i(2)), when(bin(program.Eq, local(1), i(2)), &program.Return{Value: local(1)})), i(9))))), "return leaves the loop")
	require.Equal(t, "a range goes from Int to Int, not from Int to String", faultOf(t, loop(bin(program.RangeOp, i(1), str("x")), sum)).Message)
	require.Equal(t, "for goes over a list, a record or a range, not an Int", faultOf(t, loop(i(1), sum)).Message)
	require.Equal(t, CodeNoMatch, faultOf(t, &program.For{Pattern: &program.TupleOf{}, In: list(i(1)), Body: i(1)}).Code)
}

func TestMatch(t *testing.T) {
	some := func(fields ...program.Expr) program.Expr {
		return &program.VariantExpr{Name: "Some", Names: []string{"a", "b"}[:len(fields)], Fields: fields}
	}
	bind := func(slots ...int) []program.Pattern {
		var ps []program.Pattern
		for _, s := range slots {
			ps = append(ps, bindTo(s))
		}
		return ps
	}
	for _, c := range []struct {
		x    program.Expr
		p    program.Pattern
		want string // of slots 0 and 1; "" for no fit
	}{
		{i(1), program.Any{}, "(nil, nil)"}, {i(1), bindTo(0), "(1, nil)"}, {i(1), &program.Lit{Value: value.Int(1)}, "(nil, nil)"}, {i(1), &program.Lit{Value: value.Int(2)}, ""},
		{some(), &program.VariantOf{Name: "Some"}, "(nil, nil)"}, {some(i(1)), &program.VariantOf{Name: "Some"}, ""}, {some(i(1)), &program.VariantOf{Name: "Some", Bare: true}, "(nil, nil)"},
		{some(i(1)), &program.VariantOf{Name: "None", Bare: true}, ""}, {some(i(1), i(2)), &program.VariantOf{Name: "Some", Fields: bind(0, 1)}, "(1, 2)"},
		{some(i(1), i(2)), &program.VariantOf{Name: "Some", Fields: bind(0)}, ""}, {some(i(1), i(2)), &program.VariantOf{Name: "Some", Fields: bind(0), Rest: true}, "(1, nil)"},
		{some(i(1), i(2)), &program.VariantOf{Name: "Some", Fields: bind(0), Names: []string{"b"}, Rest: true}, "(2, nil)"}, {some(i(1)), &program.VariantOf{Name: "Some", Fields: bind(0), Names: []string{"z"}}, ""},
		{i(1), &program.VariantOf{Name: "Some", Bare: true}, ""}, {some(i(1)), &program.VariantOf{Name: "Some", Fields: []program.Pattern{&program.Lit{}}}, ""},
		{tuple(i(1), i(2)), &program.TupleOf{Elems: bind(0, 1)}, "(1, 2)"}, {tuple(i(1), i(2), i(3)), &program.TupleOf{Elems: bind(0, 1)}, ""}, {tuple(), &program.TupleOf{}, "(nil, nil)"},
		{list(i(1), i(2), i(3)), &program.ListOf{Before: bind(0), HasRest: true, Rest: bindTo(1)}, "(1, [2, 3])"}, {list(i(1)), &program.ListOf{Before: bind(0), HasRest: true, Rest: bindTo(1)}, "(1, [])"},
		{list(i(1), i(2), i(3)), &program.ListOf{HasRest: true, After: bind(0)}, "(3, nil)"}, {list(i(1), i(2)), &program.ListOf{Before: bind(0)}, ""}, {list(), &program.ListOf{Before: bind(0), HasRest: true}, ""},
		{list(), &program.ListOf{}, "(nil, nil)"}, {rec("a", i(1), "b", i(2)), &program.RecordOf{Keys: []string{"b"}, Patterns: bind(0)}, "(2, nil)"}, {rec("a", i(1)), &program.RecordOf{Keys: []string{"b"}, Patterns: bind(0)}, ""},
		{rec("a", i(1), "b", i(2)), &program.RecordOf{Keys: []string{"a"}, Patterns: bind(0), HasRest: true, Rest: bindTo(1)}, "(1, { b: 2 })"}, {i(1), &program.RecordOf{}, ""},
		{i(2), &program.OneOf{Alts: []program.Pattern{&program.Lit{Value: value.Int(1)}, bindTo(0)}}, "(2, nil)"}, {i(3), &program.OneOf{Alts: []program.Pattern{&program.Lit{}, &program.TupleOf{}}}, ""},
	} {
		m := &program.Match{X: c.x, Arms: []program.Arm{{Patterns: []program.Pattern{c.p}, Body: tuple(local(0), local(1))}}}
		if c.want == "" {
			require.Equal(t, CodeNoMatch, faultOf(t, m).Code)
		} else {
			require.Equal(t, c.want, result(t, m))
		}
	}
	guarded := &program.Match{X: i(5), Arms: []program.Arm{
		{Patterns: []program.Pattern{bindTo(0)}, Guard: bin(program.Gt, local(0), i(9)), Body: str("large")},
		{Patterns: []program.Pattern{&program.Lit{Value: value.Int(1)}, bindTo(0)}, Body: str("other")}}}
	require.Equal(t, `"other"`, result(t, guarded))
	require.Equal(t, CodeType, faultOf(t, &program.Match{X: i(5), Arms: []program.Arm{{Patterns: []program.Pattern{program.Any{}}, Guard: i(1), Body: i(1)}}}).Code)
}

func TestCalls(t *testing.T) {
	add := fn("add", 2, 2, bin(program.Add, local(0), local(1)))
	require.Equal(t, "3", result(t, call(add, i(1), i(2))))
	require.Equal(t, "3", result(t, &program.CallValue{Fn: &program.FuncRef{Fn: add}, Args: exprs{i(1), i(2)}}))
	require.Equal(t, "fn add", result(t, &program.FuncRef{Fn: add}))
	require.Equal(t, "()", result(t, call(fn("f", 0, 0, block(&program.Return{}, i(1))))))
	// A lambda keeps what it captured when it was made.
	adder := &program.Func{Params: make([]program.Param, 1), Slots: 2, Captures: []int{3}, Body: bin(program.Add, local(0), local(1))}
	require.Equal(t, "15", result(t, let(3, i(10)), let(4, &program.Lambda{Fn: adder}), set(3, i(99)), &program.CallValue{Fn: local(4), Args: exprs{i(5)}}))
	require.Equal(t, "fn(…)", result(t, let(3, i(1)), &program.Lambda{Fn: adder}))
	// A function that comes from storage is found by its name.
	named := lit(value.NewFunc(&value.Func{Name: "add"}))
	c := Call{Fn: body(&program.CallValue{At: at(6), Fn: named, Args: exprs{i(1), i(2)}}), Program: &program.Program{Funcs: []*program.Func{add}}}
	out, err := Run(noHost, c)
	require.NoError(t, err)
	require.Equal(t, value.Int(3), out.Result)
	c.Program = nil
	f := faultIn(t, noHost, c)
	require.Equal(t, CodeNotFound, f.Code)
	require.Equal(t, at(6).Place, f.Span)
	require.Equal(t, CodeArguments, faultOf(t, &program.CallValue{Fn: &program.FuncRef{Fn: add}, Args: exprs{i(1)}}).Code)
	require.Equal(t, "add takes 2 arguments, not 1", faultOf(t, &program.CallValue{Fn: &program.FuncRef{Fn: add}, Args: exprs{i(1)}}).Message)
	require.Equal(t, "cannot call an Int", faultOf(t, &program.CallValue{Fn: i(1)}).Message)
	require.Equal(t, "[1, 2]", result(t, call(fn("", 2, 2, list(local(0), local(1))), i(1), i(2))))
}

func TestRunArgs(t *testing.T) {
	f := fn("step", 2, 2, tuple(local(0), local(1)))
	out, err := Run(noHost, Call{Fn: f, Args: []value.Value{value.Int(1)}})
	require.NoError(t, err)
	require.Equal(t, "(1, nil)", out.Result.String())
	out, err = Run(noHost, Call{Fn: f, Args: []value.Value{value.Int(1), value.Int(2), value.Int(3)}})
	require.NoError(t, err)
	require.Equal(t, "(1, 2)", out.Result.String())
}

func TestTryThrow(t *testing.T) {
	require.Equal(t, "1", result(t, try(i(1), 0, i(2))))
	require.Equal(t, `{ code: "error", message: "boom", step: nil, index: nil, detail: nil }`, result(t, try(throw(str("boom")), 0, local(0))))
	require.Equal(t, `{ code: "declined", message: "no", step: "pay", index: 2, detail: [1] }`, result(t, try(throw(rec("code", str("declined"), "message", str("no"), "step", str("pay"), "index", i(2), "detail", list(i(1)))), 0, local(0))))
	require.Equal(t, "2", result(t, try(throw(str("x")), -1, i(2))))
	require.Equal(t, `"division_by_zero"`, result(t, try(bin(program.Div, i(1), i(0)), 0, field(local(0), "code"))))
	require.Equal(t, `"index"`, result(t, try(try(index(list(), i(0)), 0, throw(local(0))), 0, field(local(0), "code"))), "thrown again it stays what it is")
	f := faultOf(t, throw(i(1)))
	require.Equal(t, CodeType, f.Code)
	require.Equal(t, at(9).Place, f.Span)
	require.Equal(t, CodeNotData, faultOf(t, throw(rec("detail", &program.Lambda{Fn: fn("", 0, 0, i(1))}))).Code)
	require.Equal(t, "1", result(t, call(fn("f", 0, 1, try(&program.Return{Value: i(1)}, 0, i(2))))), "return is not caught")
}

func TestFaultStack(t *testing.T) {
	inner := fn("inner", 0, 0, bin(program.Div, i(1), i(0)))
	outer := fn("outer", 0, 0, &program.CallFn{At: at(20), Fn: inner})
	f := faultOf(t, &program.CallFn{At: at(30), Fn: outer})
	require.Equal(t, []Frame{{"inner", at(20).Place}, {"outer", at(30).Place}}, f.Stack)
	lambda := &program.CallValue{At: at(40), Fn: &program.Lambda{Fn: fn("", 0, 0, throw(str("x")))}}
	require.Equal(t, []Frame{{"fn", at(40).Place}}, faultOf(t, lambda).Stack)
	require.EqualError(t, f, "cannot divide 1 by zero")
}

func TestErrorValueRoundTrip(t *testing.T) {
	f := &Fault{Code: "c", Message: "m", Step: "s", Index: 3, Detail: value.List(value.Int(1))}
	require.Equal(t, f, FaultFrom(ErrorValue(f)))
	bare := FaultFrom(value.NewRecord(nil, nil))
	require.Equal(t, &Fault{Code: CodeError, Index: -1}, bare)
	require.Equal(t, "5", FaultFrom(value.NewRecord([]string{"message"}, []value.Value{value.Int(5)})).Message)
}

func TestAssign(t *testing.T) {
	path := func(parts ...any) []program.PathPart {
		var ps []program.PathPart
		for _, p := range parts {
			switch x := p.(type) {
			case string:
				ps = append(ps, program.PathPart{Name: x, Span: at(5).Place})
			case program.Expr:
				ps = append(ps, program.PathPart{Index: x, Span: at(5).Place})
			}
		}
		return ps
	}
	assign := func(op program.AssignOp, v program.Expr, parts ...any) program.Expr {
		return &program.AssignLocal{Slot: 0, Path: path(parts...), Op: op, Value: v}
	}
	order := rec("items", list(rec("qty", i(1)), rec("qty", i(2))), "n", i(5))
	for want, e := range map[string]program.Expr{
		`{ items: [{ qty: 1 }, { qty: 9 }], n: 5 }`:             assign(program.Set, i(9), "items", i(1), "qty"),
		`{ items: [{ qty: 4 }, { qty: 2 }], n: 5 }`:             assign(program.SetAdd, i(3), "items", i(0), "qty"),
		`{ items: [{ qty: 1 }, { qty: 2 }], n: 3 }`:             assign(program.SetSub, i(2), "n"),
		`{ items: [{ qty: 1 }, { qty: 2 }], n: 5, new: 1 }`:     assign(program.Set, i(1), "new"),
		`{ items: [{ qty: 1 }, { qty: 2 }], n: 5, "a b": 1 }`:   assign(program.Set, i(1), str("a b")),
		`{ items: [{ qty: 1 }, { qty: 2 }, { qty: 3 }], n: 5 }`: assign(program.SetAdd, list(rec("qty", i(3))), "items"),
		`7`: assign(program.Set, i(7)),
	} {
		require.Equal(t, "("+want+", "+`{ items: [{ qty: 1 }, { qty: 2 }], n: 5 })`, result(t, let(0, order), let(1, local(0)), e, tuple(local(0), local(1))), "a copy is changed")
	}
	for _, c := range []struct {
		e             program.Expr
		code, message string
	}{
		{assign(program.Set, i(1), "items", i(2)), CodeIndex, "the index 2 is out of range: the list has length 2"},
		{assign(program.Set, i(1), "items", i(-1), "qty"), CodeIndex, "the index -1 is negative; the list has length 2, the first element is 0"},
		{assign(program.Set, i(1), "itms", i(1)), CodeNoField, "the record has no field itms: did you mean items?"},
		{assign(program.SetAdd, i(1), "m"), CodeNoField, "the record has no field m: did you mean n?"},
		{assign(program.SetAdd, i(1), str("zz")), CodeType, "cannot add nil and Int"},
		{assign(program.Set, i(1), "n", "x"), CodeType, "an Int has no field x"},
		{assign(program.Set, i(1), "n", i(0)), CodeType, "cannot set an element of an Int"},
		{assign(program.Set, i(1), i(0)), CodeType, "a record is indexed by a String, not by an Int"},
		{assign(program.SetSub, str("x"), "n"), CodeType, "cannot subtract String from Int"},
		{assign(program.SetSub, i(1)), CodeType, "cannot subtract Int from record"},
	} {
		f := faultOf(t, let(0, order), c.e)
		require.Equal(t, c.code, f.Code)
		require.Equal(t, c.message, f.Message)
	}
	// Indices first, then the old value, then the new one; the write goes into what is there by then.
	require.Equal(t, "[2, 0, 7]", result(t, let(0, list(i(1), i(0))), assign(program.SetAdd, block(set(0, list(i(1), i(0), i(7))), i(1)), i(0)), local(0)))
	require.Equal(t, "3", result(t, let(0, i(1)), assign(program.SetAdd, block(set(0, i(50)), i(2))), local(0)))
}

// Growing in place is never seen through another name.
func TestGrowthIsInvisible(t *testing.T) {
	grow := func(slot int, e program.Expr) program.Expr {
		return &program.AssignLocal{Slot: slot, Op: program.SetAdd, Value: e}
	}
	plus := func(slot int, e ...program.Expr) program.Expr {
		x := local(slot)
		for _, y := range e {
			x = bin(program.Add, x, y)
		}
		return set(slot, x)
	}
	require.Equal(t, "([1, 2], [1, 2, 3, 5], [1, 2, 4], [1, 2, 3])", result(t,
		let(0, list(i(1))), grow(0, list(i(2))), let(1, local(0)), let(2, local(0)),
		grow(1, list(i(3))), let(3, local(1)), grow(2, list(i(4))), plus(1, list(i(5))),
		tuple(local(0), local(1), local(2), local(3))))
	require.Equal(t, "[1, 2, 3, 4]", result(t, let(0, list()), plus(0, list(i(1)), list(i(2))), plus(0, list(i(3)), list(), list(i(4))), local(0)))
	long := str("0123456789012345678901234567890123456789012345678901234567890123456789-")
	require.Equal(t, `"ab"`, result(t, let(0, str("a")), grow(0, str("b")), local(0)))
	out, err := Run(noHost, Call{Fn: body(let(0, long), grow(0, str("a")), let(1, local(0)), grow(0, str("b")), grow(1, str("c")), plus(0, str("d"), str("e")), tuple(local(0), local(1)))})
	require.NoError(t, err)
	pair, _ := out.Result.AsTuple()
	base, _ := long.(*program.Const).Value.AsString()
	require.Equal(t, base+"abde", pair[0].Text())
	require.Equal(t, base+"ac", pair[1].Text())
	require.Equal(t, CodeType, faultOf(t, let(0, list()), grow(0, i(1))).Code)
	require.Equal(t, CodeType, faultOf(t, let(0, str("a")), plus(0, i(1))).Code)
}

// Overwriting a place is never seen through another name.
func TestOverwritingIsInvisible(t *testing.T) {
	setN := func(slot int, e program.Expr) program.Expr {
		return &program.AssignLocal{Slot: slot, Path: []program.PathPart{{Name: "n"}}, Value: e}
	}
	setAt := func(slot int, k, e program.Expr) program.Expr {
		return &program.AssignLocal{Slot: slot, Path: []program.PathPart{{Index: k}}, Value: e}
	}
	start := exprs{let(0, rec("n", i(0))), setN(0, i(1)), let(2, list(i(0))), setAt(2, i(0), i(1)), setN(0, i(2))} // slot 0 is owned now
	for want, es := range map[string]exprs{
		"({ n: 9 }, { n: 2 })":              {let(1, local(0)), setN(0, i(9)), tuple(local(0), local(1))},
		"[{ n: 2 }, { n: 9 }]":              {list(local(0), block(setN(0, i(9)), local(0)))},
		"{ n: { n: 2 } }":                   {setN(0, local(0)), local(0)},
		"false":                             {bin(program.Eq, local(0), block(setN(0, i(9)), local(0)))},
		"2":                                 {index(local(0), block(setN(0, i(9)), str("n")))},
		"({ n: 9 }, 2)":                     {let(1, &program.Lambda{Fn: &program.Func{Slots: 1, Captures: []int{0}, Body: field(local(0), "n")}}), setN(0, i(9)), tuple(local(0), &program.CallValue{Fn: local(1)})},
		`["n", 2, "m", 3]`:                  {setN(0, i(2)), &program.AssignLocal{Slot: 0, Path: []program.PathPart{{Name: "m"}}, Value: i(3)}, let(5, list()), &program.For{Pattern: &program.TupleOf{Elems: []program.Pattern{bindTo(3), bindTo(4)}}, In: local(0), Body: block(setN(0, i(8)), &program.AssignLocal{Slot: 0, Path: []program.PathPart{{Name: "m"}}, Value: i(8)}, &program.AssignLocal{Slot: 5, Op: program.SetAdd, Value: list(local(3), local(4))})}, local(5)},
		"([1, 8, 3], [1, 7, 3], [1, 2, 3])": {let(0, list(i(1), i(2), i(3))), let(1, local(0)), setAt(0, i(1), i(7)), let(2, local(0)), setAt(0, i(1), i(0)), setAt(0, i(1), i(8)), tuple(local(0), local(2), local(1))},
		"(3, [9, 2], [5, 2])":               {let(0, list(i(1), i(2))), setAt(0, i(0), i(5)), &program.Match{X: local(0), Arms: []program.Arm{{Patterns: []program.Pattern{bindTo(1)}, Body: setAt(0, i(0), i(9))}}}, tuple(i(3), local(0), local(1))},
		"[5, 2, 7]":                         {let(0, list(i(1), i(2))), setAt(0, i(0), i(5)), set(0, bin(program.Add, local(0), block(setAt(0, i(0), i(9)), list(i(7))))), local(0)},
		"([5, 2, 7], [9, 2, 7])":            {let(0, list(i(1), i(2))), setAt(0, i(0), i(5)), set(0, bin(program.Add, local(0), list(i(7)))), let(1, local(0)), setAt(0, i(0), i(9)), tuple(local(1), local(0))},
	} {
		require.Equal(t, want, result(t, append(append(exprs{}, start...), es...)...))
	}
	_, s := counter()
	s.Fields[0] = value.NewRecord([]string{"n"}, []value.Value{value.Int(0)})
	put := func(e program.Expr) program.Expr {
		return &program.AssignField{Slot: 0, Name: "n", Path: []program.PathPart{{Name: "n"}}, Value: e}
	}
	out, err := Run(noHost, Call{Self: s, Fn: body(put(i(1)), put(i(2)), let(0, self(0, "n")), put(i(3)), let(1, &program.SelfMeta{Part: program.SelfRecord}), put(i(4)), put(bin(program.Add, field(self(0, "n"), "n"), i(1))), tuple(local(0), field(local(1), "n"), self(0, "n")))})
	require.NoError(t, err)
	require.Equal(t, "({ n: 2 }, { n: 3 }, { n: 5 })", out.Result.String())
	require.Equal(t, "{ n: 5 }", out.Writes[0].Value.String())
	require.Equal(t, "{ n: 0 }", s.Fields[0].String())
}
