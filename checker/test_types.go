package checker

import (
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// testOp types a statement of a test.
func (f *frame) testOp(e *program.Perform) *types.Type {
	switch e.Op.Name {
	case program.TestMock:
		f.wantsUnlessNil(e.Args[2], types.DurationKind, "`after`")
		f.expr(e.Args[3], f.matcherType(e.Args[0]))
	case program.TestCalls:
		return types.List(types.Any())
	case program.TestEvents:
		f.instance(e.Args[0])
		return types.List(types.Any())
	case program.TestExpect:
		f.condition(e.Args[0], "`expect`")
		f.expr(e.Args[2], nil)
		f.assume(e.Args[0], true)
	case program.TestExpectError:
		f.wants(e.Args[0], types.StringKind, "`expect_error`")
		f.expr(e.Args[1], nil)
	case program.TestAdvance:
		f.wants(e.Args[0], types.DurationKind, "`advance`")
	}
	return types.Unit()
}

func (f *frame) wantsUnlessNil(e program.Expr, kind types.Kind, by string) {
	if c, ok := e.(*program.Const); ok && c.Value.IsNil() {
		return
	}
	f.wants(e, kind, by)
}

// matcherType is the type of a mock's function: over the arguments of the
// operation that is named.
func (f *frame) matcherType(name program.Expr) *types.Type {
	text, _ := name.(*program.Const).Value.AsString()
	module, word, _ := strings.Cut(text, ".")
	m := f.t.c.lib.modules[module]
	if m == nil || m.ops[word] == nil {
		return nil
	}
	op := m.ops[word]
	params := f.t.operationType(op).Params()
	if op.Rest {
		params = append(params[:len(params):len(params)], types.List(types.Any()))
	}
	return types.Func(params, types.Any())
}
