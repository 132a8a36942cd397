package interp

import (
	"testing"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

func runBench(b *testing.B, f *program.Func, want string) {
	b.ReportAllocs()
	for range b.N {
		out, err := Run(noHost, Call{Fn: f, Limits: Limits{Fuel: 1 << 40}})
		if err != nil {
			b.Fatal(err)
		}
		if got := out.Result.Short(40); got != want {
			b.Fatalf("got %s", got)
		}
	}
}

func fibFunc() *program.Func {
	f := fn("fib", 1, 1, nil)
	f.Body = block(&program.If{
		Cond: bin(program.Lt, local(0), i(2)),
		Then: block(local(0)),
		Else: block(bin(program.Add,
			call(f, bin(program.Sub, local(0), i(1))),
			call(f, bin(program.Sub, local(0), i(2))))),
	})
	return f
}

func BenchmarkFib27(b *testing.B) { runBench(b, body(call(fibFunc(), i(27))), "196418") }

func BenchmarkLoop3M(b *testing.B) {
	runBench(b, body(
		let(0, i(0)), let(1, i(0)),
		&program.While{Cond: bin(program.Lt, local(0), i(3_000_000)), Body: block(
			set(1, bin(program.Add, local(1), bin(program.Mod, local(0), i(7)))),
			set(0, bin(program.Add, local(0), i(1))),
		)},
		local(1)), "8999994")
}

func BenchmarkForRange3M(b *testing.B) {
	runBench(b, body(
		let(1, i(0)),
		&program.For{Pattern: bindTo(0), In: bin(program.RangeOp, i(1), i(3_000_000)), Body: block(
			set(1, bin(program.Add, local(1), local(0))),
		)},
		local(1)), "4500001500000")
}

func BenchmarkRecordUpdate1M(b *testing.B) {
	runBench(b, body(
		let(0, rec("a", i(1), "b", i(0), "c", str("x"))),
		&program.For{Pattern: bindTo(1), In: bin(program.RangeOp, i(1), i(1_000_000)), Body: block(
			&program.AssignLocal{Slot: 0, Path: []program.PathPart{{Name: "b"}}, Value: bin(program.Add, field(local(0), "b"), i(1))},
		)},
		field(local(0), "b")), "1000000")
}

func BenchmarkListAppend100K(b *testing.B) {
	runBench(b, body(
		let(0, list()),
		&program.For{Pattern: bindTo(1), In: bin(program.RangeOp, i(1), i(100_000)), Body: block(
			set(0, bin(program.Add, local(0), list(local(1)))),
		)},
		field(local(0), "length")), "100000")
}

func BenchmarkStringAppend100K(b *testing.B) {
	runBench(b, body(
		let(0, str("")),
		&program.For{Pattern: bindTo(1), In: bin(program.RangeOp, i(1), i(100_000)), Body: block(
			&program.AssignLocal{Slot: 0, Op: program.SetAdd, Value: &program.Text{Parts: exprs{local(1), str(",")}}},
		)},
		field(local(0), "length")), "588895")
}

func BenchmarkSmallStep(b *testing.B) {
	w := &program.Workflow{Name: "W"}
	f := fn("", 0, 2, block(
		setSelf(0, bin(program.Add, self(0, "n"), i(1))),
		&program.Emit{Name: "Done", Args: exprs{self(0, "n")}},
		&program.Goto{Item: 1, Input: self(0, "n")}))
	self := &Self{Workflow: w, Fields: []value.Value{value.Int(1)}, Step: "a"}
	b.ReportAllocs()
	for range b.N {
		if _, err := Run(noHost, Call{Fn: f, Self: self}); err != nil {
			b.Fatal(err)
		}
	}
}
