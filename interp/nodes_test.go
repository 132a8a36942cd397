package interp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// allExprs has one node of every kind of expression; allPatterns one of every
// kind of pattern. A kind that is missing here fails TestEveryNode.
func allExprs() exprs {
	f := fn("f", 0, 0, i(1))
	op := &program.Builtin{Module: "M", Name: "op", Fn: func(program.Caller, []value.Value) (value.Value, error) { return value.Int(1), nil }}
	h := lit(value.NewHandle(value.Handle{Type: "W", ID: "W-1"}))
	return exprs{
		i(1), local(0), self(0, "n"), &program.SelfMeta{Part: program.SelfID}, &program.Not{X: flag(true)}, &program.Neg{X: i(1)}, bin(program.Add, i(1), i(2)),
		&program.And{X: flag(true), Y: flag(true)}, &program.Or{X: flag(true), Y: flag(true)}, &program.Coalesce{X: null(), Y: i(1)}, &program.Text{Parts: exprs{i(1)}},
		tuple(i(1), i(2)), list(i(1)), &program.Spread{X: list()}, rec("a", i(1)), &program.VariantExpr{Name: "Some", Fields: exprs{i(1)}}, &program.HandleExpr{Type: "W", ID: str("x")},
		field(rec("a", i(1)), "a"), index(list(i(1)), i(0)), call(f), &program.CallValue{Fn: &program.FuncRef{Fn: f}}, &program.CallBuiltin{Fn: op}, &program.FuncRef{Fn: f}, &program.BuiltinRef{Fn: op},
		&program.Lambda{Fn: f}, &program.If{Cond: flag(true), Then: i(1)}, &program.Match{X: i(1), Arms: []program.Arm{{Patterns: []program.Pattern{program.Any{}}, Body: i(1)}}},
		&program.For{Pattern: bindTo(0), In: list(i(1)), Body: i(1)}, &program.While{Cond: flag(false), Body: i(1)}, &program.Break{}, &program.Continue{}, block(), let(0, i(1)), set(0, i(1)),
		setSelf(0, i(1)), &program.AssignSelf{Value: rec("n", i(1))}, try(i(1), 0, i(2)), &program.Return{}, throw(str("x")), &program.Emit{Name: "E"}, &program.Perform{Op: op},
		&program.Ask{Handle: h, Name: "a"}, &program.SignalSend{Handle: h, Name: "s"}, &program.Await{Handle: h}, &program.Spawn{Workflow: &program.Workflow{Name: "W"}},
		&program.Select{Arms: []program.SelectArm{{Name: str("a"), Body: i(1)}}}, &program.Goto{Item: 1}, &program.Pause{Then: -1}, &program.End{}, &program.Fail{Value: str("x")}, &program.Delete{}, &program.Reply{Value: i(1)}, &program.Reject{Value: str("x")},
	}
}

func allPatterns() []program.Pattern {
	return []program.Pattern{program.Any{}, bindTo(0), &program.Lit{}, &program.VariantOf{}, &program.TupleOf{}, &program.ListOf{}, &program.RecordOf{}, &program.OneOf{}}
}

// nodeNames reads the kinds of nodes from the source of package program: the
// structs with an At, or those with a method.
func nodeNames(t *testing.T, file, method string) map[string]bool {
	f, err := parser.ParseFile(token.NewFileSet(), "../lang/program/"+file, nil, 0)
	require.NoError(t, err)
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch d := n.(type) {
		case *ast.TypeSpec:
			if s, isStruct := d.Type.(*ast.StructType); isStruct && method == "" {
				for _, field := range s.Fields.List {
					if id, isName := field.Type.(*ast.Ident); isName && id.Name == "At" && field.Names == nil {
						names[d.Name.Name] = true
					}
				}
			}
		case *ast.FuncDecl:
			if d.Recv != nil && d.Name.Name == method {
				e := d.Recv.List[0].Type
				if star, isStar := e.(*ast.StarExpr); isStar {
					e = star.X
				}
				names[e.(*ast.Ident).Name] = true
			}
		}
		return true
	})
	return names
}

func nameOfNode(n any) string {
	typ := reflect.TypeOf(n)
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	return typ.Name()
}

func TestEveryNode(t *testing.T) {
	want := nodeNames(t, "expr.go", "")
	require.Greater(t, len(want), 40)
	w := &program.Workflow{Name: "W", Fields: []program.StateField{{Name: "n"}}}
	h := hostFunc(func(r Request) (value.Value, error) {
		if r.Kind == Select {
			return value.Tuple(value.Int(0), value.Nil), nil
		}
		return value.Int(7), nil
	})
	for _, e := range allExprs() {
		delete(want, nameOfNode(e))
		_, err := Run(h, Call{Fn: fn("", 0, 1, e), Self: &Self{Workflow: w, ID: "W-1"}})
		if err != nil {
			require.NotContains(t, err.Error(), "does not know", "%T", e)
		}
	}
	require.Empty(t, want, "kinds of expressions without a test")

	patterns := nodeNames(t, "pattern.go", "pattern")
	for _, p := range allPatterns() {
		delete(patterns, nameOfNode(p))
	}
	require.Empty(t, patterns, "kinds of patterns without a test")
}

type unknownNode struct{ program.At }

func TestUnknownNode(t *testing.T) {
	require.Equal(t, CodeInternal, faultOf(t, &unknownNode{}).Code)
	require.Equal(t, CodeInternal, faultOf(t, &program.Spread{X: list()}).Code)
	require.Equal(t, CodeInternal, faultOf(t, &program.Break{}).Code)
	require.Equal(t, CodeInternal, faultOf(t, call(fn("f", 0, 0, &program.Continue{}))).Code)
}
