package program

import "github.com/wf-lang/wf/lang/source"

// A Test is a `test` block. Its body belongs to no instance; its own statements
// are performs of the operations below, which whoever runs the test answers.
type Test struct {
	Name string
	Span source.Span // of its head
	Body *Func       // without parameters
}

// TestModule is the module of the operations that only the bodies of tests
// perform. No script can name it.
const TestModule = "test"

// The operations of TestModule, with their arguments.
const (
	// TestMock: the operation's name, whether it answers only once, the time it
	// takes (a Duration, or nil), and a function. It takes the arguments of the
	// operation by parameter, those behind the last parameter as a list, and
	// gives a function without parameters that computes the answer, or nil if
	// the mock is not for this call.
	TestMock = "mock"
	// TestCalls: an operation's name. Gives the calls made of it.
	TestCalls = "calls"
	// TestEvents: a handle. Gives its events as variants.
	TestEvents = "events"
	// TestExpect: whether what was expected is so, the operator (nil if there is
	// none), and the parts of it, a list of tuples of their text and value.
	TestExpect = "expect"
	// TestExpectError: the code that was expected (nil: any), and the error that
	// there was (nil: none).
	TestExpectError = "expect_error"
	// TestAdvance: a Duration.
	TestAdvance = "advance"
	// TestCrash: nothing.
	TestCrash = "crash"
)

// TestOps makes the operations of TestModule.
func TestOps() []*Builtin {
	op := func(name string, result Type, params ...BuiltinParam) *Builtin {
		return &Builtin{Module: TestModule, Name: name, Params: params, Effect: Performs, Result: result, Local: true}
	}
	p := func(name string) BuiltinParam { return BuiltinParam{Name: name} }
	list := Type{Text: "[Any]", Base: ListType, Elem: []Type{{}}}
	unit := Type{Text: "()", Base: TupleType}
	return []*Builtin{
		op(TestMock, unit, p("operation"), p("once"), p("after"), p("matcher")),
		op(TestCalls, list, p("operation")),
		op(TestEvents, list, p("handle")),
		op(TestExpect, unit, p("so"), p("operator"), p("parts")),
		op(TestExpectError, unit, p("code"), p("error")),
		op(TestAdvance, unit, p("by")),
		op(TestCrash, unit),
	}
}
