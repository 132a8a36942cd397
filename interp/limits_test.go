package interp

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/interp/heaptest"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

func forever(es ...program.Expr) program.Expr {
	return &program.While{Cond: flag(true), Body: block(es...)}
}

func add(slot int, e program.Expr) program.Expr {
	return &program.AssignLocal{Slot: slot, Op: program.SetAdd, Value: e}
}

// Every bomb is stopped with the fault of its limit, whatever tries to catch
// it, before it takes much memory.
func TestBombs(t *testing.T) {
	recursive := fn("recursive", 1, 1, nil)
	recursive.Body = bin(program.Add, i(1), call(recursive, local(0)))
	keeping := fn("keeping", 1, 2, nil)
	keeping.Body = block(let(1, &program.Text{Parts: exprs{local(0), str("x")}}), call(keeping, local(1)))
	kb := str(strings.Repeat("x", 1000))
	mb := str(strings.Repeat("x", 1<<20))
	holding := fn("holding", 1, 1, nil)
	holding.Body = bin(program.Add, bin(program.Add, mb, &program.Text{Parts: exprs{local(0)}}), call(holding, bin(program.Add, local(0), i(1))))
	lambda := &program.Lambda{Fn: &program.Func{Slots: 1, Captures: []int{0}, Body: local(0)}}
	for name, c := range map[string]struct {
		code string
		body exprs
	}{
		"endless loop":       {CodeFuel, exprs{forever()}},
		"endless recursion":  {CodeDepth, exprs{call(recursive, i(1))}},
		"growing string":     {CodeMemory, exprs{let(0, str("x")), forever(add(0, kb))}},
		"doubling string":    {CodeMemory, exprs{let(0, str("x")), forever(set(0, bin(program.Add, local(0), local(0))))}},
		"text of itself":     {CodeMemory, exprs{let(0, str("x")), forever(set(0, &program.Text{Parts: exprs{local(0), local(0)}}))}},
		"growing list":       {CodeMemory, exprs{let(0, list(i(1))), forever(add(0, list(i(1))))}},
		"doubling list":      {CodeMemory, exprs{let(0, list(i(1))), forever(set(0, bin(program.Add, local(0), local(0))))}},
		"spread list":        {CodeMemory, exprs{let(0, list(i(1))), forever(set(0, list(&program.Spread{X: local(0)}, &program.Spread{X: local(0)})))}},
		"shared list":        {CodeMemory, exprs{let(0, list(i(1))), forever(set(0, list(local(0), local(0))))}},
		"shared record":      {CodeMemory, exprs{let(0, i(1)), forever(set(0, rec("a", local(0), "b", local(0))))}},
		"shared variant":     {CodeMemory, exprs{let(0, i(1)), forever(set(0, &program.VariantExpr{Name: "V", Fields: exprs{local(0), local(0)}}))}},
		"deep list":          {CodeDepth, exprs{let(0, list()), forever(set(0, list(local(0))))}},
		"deep record":        {CodeDepth, exprs{let(0, list()), forever(set(0, rec("a", local(0))))}},
		"deep place":         {CodeDepth, exprs{let(0, rec()), forever(&program.AssignLocal{Slot: 0, Path: []program.PathPart{{Name: "a"}}, Value: local(0)})}},
		"growing record":     {CodeMemory, exprs{let(0, rec()), let(1, i(0)), forever(add(1, i(1)), &program.AssignLocal{Slot: 0, Path: []program.PathPart{{Index: &program.Text{Parts: exprs{local(1)}}}}, Value: mb})}},
		"long range":         {CodeMemory, exprs{bin(program.RangeOp, i(0), i(1<<40))}},
		"many events":        {CodeMemory, exprs{forever(&program.Emit{Name: "E", Args: exprs{bin(program.Add, mb, str("x"))}})}},
		"closures":           {CodeMemory, exprs{let(0, mb), let(1, list()), forever(let(0, bin(program.Add, mb, str("y"))), set(1, list(local(1), lambda)))}},
		"frames that keep":   {CodeMemory, exprs{call(keeping, bin(program.Add, mb, str("x")))}},
		"half evaluated":     {CodeMemory, exprs{call(holding, i(1))}},
		"huge Decimals":      {"overflow", exprs{let(0, dec("1.1")), forever(set(0, bin(program.Mul, local(0), local(0))))}},
		"comparing for ever": {CodeFuel, exprs{let(0, bin(program.Add, mb, str("a"))), let(1, bin(program.Add, mb, str("a"))), forever(bin(program.Eq, local(0), local(1)))}},
	} {
		t.Run(name, func(t *testing.T) {
			limits := Limits{}
			if c.code == CodeFuel {
				limits.Fuel = 1_000_000
			}
			var f *Fault
			top := heaptest.Top(func() {
				f = faultIn(t, noHost, Call{Fn: body(try(block(c.body...), 9, str("caught"))), Limits: limits}.unlessCaught(c.code))
			})
			require.Equal(t, c.code, f.Code, f.Message)
			require.Less(t, top, int64(192<<20), "bytes that were in use at once")
		})
	}
}

// unlessCaught takes the try off for a fault that may be caught.
func (c Call) unlessCaught(code string) Call {
	if code == "overflow" {
		c.Fn = body(c.Fn.Body.(*program.Block).Stmts[0].(*program.Try).Body)
	}
	return c
}

// Work that drops what it makes is not stopped.
func TestGarbageIsFree(t *testing.T) {
	require.Equal(t, "300000", result(t,
		let(0, i(0)), let(1, rec("n", i(0), "text", str(strings.Repeat("x", 500)))),
		&program.While{Cond: bin(program.Lt, local(0), i(300_000)), Body: block(
			add(0, i(1)), set(2, &program.Text{Parts: exprs{str(strings.Repeat("x", 500)), local(0)}}),
			&program.AssignLocal{Slot: 1, Path: []program.PathPart{{Name: "n"}}, Value: local(0)})},
		field(local(1), "n")))
}

// A large value that many frames share counts once.
func TestSharedCountsOnce(t *testing.T) {
	f := fn("f", 2, 3, nil)
	f.Body = &program.If{Cond: bin(program.Eq, local(1), i(0)), Then: i(0), Else: block(
		let(2, &program.Text{Parts: exprs{str(strings.Repeat("x", 100_000)), local(1)}}), set(2, null()),
		call(f, local(0), bin(program.Sub, local(1), i(1))))}
	big := value.String(strings.Repeat("y", 8<<20))
	out, err := Run(noHost, Call{Fn: body(let(0, bin(program.RangeOp, i(1), i(300_000))), call(f, local(0), i(800)), call(f, lit(big), i(800)))})
	require.NoError(t, err)
	require.Equal(t, value.Int(0), out.Result)
}

func TestDepth(t *testing.T) {
	f := fn("f", 1, 1, nil)
	f.Body = &program.If{Cond: bin(program.Eq, local(0), i(0)), Then: i(0), Else: bin(program.Add, i(1), call(f, bin(program.Sub, local(0), i(1))))}
	require.Equal(t, "999", result(t, call(f, i(999))))
	fault := faultOf(t, call(f, i(1000)))
	require.Equal(t, CodeDepth, fault.Code)
	require.True(t, fault.Final)
	require.Len(t, fault.Stack, 64)
	require.Equal(t, "calls nest more than 1000 deep: does f call itself without end?", fault.Message)
	require.Equal(t, CodeDepth, faultIn(t, noHost, Call{Fn: body(call(f, i(10))), Limits: Limits{Depth: 10}}).Code)

	// Nesting that no function makes: the stack of Go is bounded too.
	deep := i(1)
	for range 2_000_000 {
		deep = bin(program.Add, deep, i(1))
	}
	require.Equal(t, CodeDepth, faultOf(t, deep).Code)
	require.Equal(t, CodeDepth, faultOf(t, let(0, str("")), set(0, growSum(2_000_000))).Code)
	wide := fn("wide", 1, 1, nil)
	nest := call(wide, local(0))
	for range 200 {
		nest = block(bin(program.Add, i(1), nest))
	}
	wide.Body = nest
	require.Equal(t, CodeDepth, faultOf(t, call(wide, i(1))).Code)
}

func growSum(n int) program.Expr {
	e := local(0)
	for range n {
		e = bin(program.Add, e, str("x"))
	}
	return e
}

func TestFuelAndTick(t *testing.T) {
	spin := func(n int64) program.Expr {
		return &program.For{Pattern: program.Any{}, In: bin(program.RangeOp, i(1), i(n)), Body: block(null())}
	}
	perform := &program.Perform{Op: &program.Builtin{Module: "M", Name: "op"}}
	answer := hostFunc(func(Request) (value.Value, error) { return value.Nil, nil })
	_, err := Run(answer, Call{Fn: body(spin(6000), perform, spin(6000)), Limits: Limits{Fuel: 10_000}})
	require.NoError(t, err, "an effect renews the fuel")
	f := faultIn(t, answer, Call{Fn: body(spin(12_000)), Limits: Limits{Fuel: 10_000}})
	require.Equal(t, CodeFuel, f.Code)
	require.True(t, f.Final)

	ticks := 0
	_, err = Run(noHost, Call{Fn: body(spin(100_000)), Limits: Limits{Tick: func() error { ticks++; return nil }}})
	require.NoError(t, err)
	require.InDelta(t, 100_000/256, ticks, 10)
	cancel := errors.New("cancelled")
	_, err = Run(noHost, Call{Fn: body(try(spin(100_000), 0, i(1))), Limits: Limits{Tick: func() error { return cancel }}})
	require.Same(t, cancel, err)
}

// The same answers give the same outcome, whatever else the machine does.
func TestDeterminism(t *testing.T) {
	perform := &program.Perform{Op: &program.Builtin{Module: "M", Name: "op"}}
	_, s := counter()
	f := body(
		let(0, perform),
		&program.For{Pattern: &program.TupleOf{Elems: []program.Pattern{bindTo(1), bindTo(2)}}, In: local(0), Body: block(
			&program.Emit{Name: "E", Args: exprs{local(1), local(2)}},
			&program.AssignField{Slot: 1, Op: program.SetAdd, Value: list(tuple(local(1), perform))},
		)},
		&program.Goto{Item: 1, Input: &program.SelfMeta{Part: program.SelfRecord}})
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfNDistinct(rapid.String(), 0, 30, rapid.ID[string]).Draw(t, "keys")
		vals := make([]value.Value, len(keys))
		for k := range vals {
			vals[k] = value.Int(int64(k))
		}
		run := func() string {
			n := 0
			out, err := Run(hostFunc(func(Request) (value.Value, error) {
				if n++; n == 1 {
					return value.NewRecord(keys, vals), nil
				}
				return value.Int(int64(n)), nil
			}), Call{Fn: f, Self: s})
			return fmt.Sprintf("%+v %v", out, err)
		}
		require.Equal(t, run(), run())
	})
}
