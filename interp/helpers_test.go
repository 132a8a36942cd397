package interp

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// The helpers build programs by hand, one short word for each node.

type exprs = []program.Expr

func at(n uint32) program.At {
	return program.At{Place: source.Span{Start: n, End: n + 1}}
}

func lit(v value.Value) program.Expr        { return &program.Const{Value: v} }
func i(n int64) program.Expr                { return lit(value.Int(n)) }
func str(s string) program.Expr             { return lit(value.String(s)) }
func flag(b bool) program.Expr              { return lit(value.Bool(b)) }
func null() program.Expr                    { return lit(value.Nil) }
func local(slot int) program.Expr           { return &program.Local{Slot: slot} }
func block(es ...program.Expr) program.Expr { return &program.Block{Stmts: es} }
func set(slot int, e program.Expr) program.Expr {
	return &program.AssignLocal{Slot: slot, Value: e}
}
func let(slot int, e program.Expr) program.Expr {
	return &program.Let{Pattern: bindTo(slot), Value: e}
}
func bindTo(slot int) program.Pattern { return &program.Bind{Slot: slot} }
func bin(op program.BinOp, x, y program.Expr) program.Expr {
	return &program.Binary{At: at(1), Op: op, X: x, Y: y}
}
func list(es ...program.Expr) program.Expr  { return &program.ListExpr{Elems: es} }
func tuple(es ...program.Expr) program.Expr { return &program.TupleExpr{Elems: es} }
func rec(kv ...any) program.Expr {
	r := &program.RecordExpr{}
	for k := 0; k < len(kv); k += 2 {
		r.Entries = append(r.Entries, program.RecordEntry{Key: kv[k].(string), Value: kv[k+1].(program.Expr)})
	}
	return r
}
func field(x program.Expr, name string) program.Expr {
	return &program.Field{At: at(2), X: x, Name: name}
}
func index(x, k program.Expr) program.Expr    { return &program.Index{At: at(3), X: x, I: k} }
func self(slot int, name string) program.Expr { return &program.SelfField{Slot: slot, Name: name} }
func setSelf(slot int, e program.Expr) program.Expr {
	return &program.AssignField{Slot: slot, Name: "f", Value: e}
}
func throw(e program.Expr) program.Expr { return &program.Throw{At: at(9), Value: e} }
func try(body program.Expr, slot int, catch program.Expr) program.Expr {
	return &program.Try{Body: body, Slot: slot, Catch: catch}
}
func fn(name string, params, slots int, body program.Expr) *program.Func {
	return &program.Func{Name: name, Params: make([]program.Param, params), Slots: slots, Body: body}
}
func call(f *program.Func, args ...program.Expr) program.Expr {
	return &program.CallFn{At: at(7), Fn: f, Args: args}
}

// body makes a body of plenty of slots.
func body(es ...program.Expr) *program.Func { return fn("", 0, 16, block(es...)) }

// hostFunc is a Host.
type hostFunc func(Request) (value.Value, error)

func (f hostFunc) Do(r Request) (value.Value, error) { return f(r) }

// noHost answers nothing.
var noHost = hostFunc(func(Request) (value.Value, error) { return value.Nil, errors.New("no host") })

// result runs a body that must fall through and gives its result in notation.
func result(t *testing.T, es ...program.Expr) string {
	t.Helper()
	out, err := Run(noHost, Call{Fn: body(es...)})
	require.NoError(t, err)
	require.Equal(t, FellThrough, out.Ending.Kind)
	return out.Result.String()
}

// faultOf runs a body that must fault.
func faultOf(t *testing.T, es ...program.Expr) *Fault {
	t.Helper()
	return faultIn(t, noHost, Call{Fn: body(es...)})
}

func faultIn(t *testing.T, h Host, c Call) *Fault {
	t.Helper()
	out, err := Run(h, c)
	require.Error(t, err)
	require.Equal(t, Outcome{}, out)
	var f *Fault
	require.ErrorAs(t, err, &f)
	return f
}
