package checker

import (
	goast "go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// everyNode has one of each kind of tree node; TestEveryNode compares the list
// with the source of package ast.
func everyNode() []ast.Node {
	return []ast.Node{
		&ast.Import{}, &ast.Test{}, &ast.TypeDecl{}, &ast.EventDecl{}, &ast.FnDecl{}, &ast.Statement{}, &ast.Workflow{},
		&ast.State{}, &ast.Timeout{}, &ast.Default{}, &ast.Init{}, &ast.Step{}, &ast.Compensate{}, &ast.Finally{},
		&ast.Parallel{}, &ast.Branch{}, &ast.Command{}, &ast.Query{}, &ast.SignalDecl{}, &ast.Setting{}, &ast.Tool{}, &ast.BadItem{},
		&ast.NumberLit{}, &ast.StringLit{}, &ast.Interp{}, &ast.BoolLit{}, &ast.NilLit{}, &ast.Name{}, &ast.Self{},
		&ast.Paren{}, &ast.Tuple{}, &ast.List{}, &ast.Spread{}, &ast.Record{}, &ast.Block{}, &ast.Unary{}, &ast.Binary{},
		&ast.Field{}, &ast.Index{}, &ast.Call{}, &ast.Lambda{}, &ast.Let{}, &ast.Assign{}, &ast.If{}, &ast.Match{},
		&ast.Select{}, &ast.For{}, &ast.While{}, &ast.Break{}, &ast.Continue{}, &ast.Try{}, &ast.Return{}, &ast.Throw{},
		&ast.Emit{}, &ast.Perform{}, &ast.Ask{}, &ast.Signal{}, &ast.Await{}, &ast.Spawn{}, &ast.SpawnIn{}, &ast.Fail{},
		&ast.Goto{}, &ast.End{}, &ast.Pause{}, &ast.Delete{}, &ast.Reply{}, &ast.Reject{}, &ast.Mock{}, &ast.Expect{},
		&ast.ExpectError{}, &ast.Advance{}, &ast.Crash{}, &ast.Bad{},
		&ast.LitPattern{}, &ast.BindPattern{}, &ast.VariantPattern{}, &ast.TuplePattern{}, &ast.ListPattern{},
		&ast.RecordPattern{}, &ast.BadPattern{},
		&ast.NameType{}, &ast.ListType{}, &ast.TupleType{}, &ast.FnType{}, &ast.MapType{}, &ast.RecordType{}, &ast.OptType{},
		&ast.BadType{},
	}
}

// everyExpr has one of each kind of resolved expression.
func everyExpr() []program.Expr {
	return []program.Expr{
		&program.Const{}, &program.Local{}, &program.SelfField{}, &program.SelfMeta{}, &program.Not{}, &program.Neg{},
		&program.Binary{}, &program.And{}, &program.Or{}, &program.Coalesce{}, &program.Text{}, &program.TupleExpr{},
		&program.ListExpr{}, &program.Spread{}, &program.RecordExpr{}, &program.VariantExpr{}, &program.HandleExpr{},
		&program.Field{}, &program.Index{}, &program.CallFn{}, &program.CallValue{}, &program.CallBuiltin{}, &program.FuncRef{},
		&program.BuiltinRef{}, &program.Lambda{}, &program.If{}, &program.Match{}, &program.For{}, &program.While{},
		&program.Break{}, &program.Continue{}, &program.Block{}, &program.Let{}, &program.AssignLocal{}, &program.AssignField{},
		&program.AssignSelf{}, &program.Try{}, &program.Return{}, &program.Throw{}, &program.Emit{}, &program.Perform{},
		&program.Ask{}, &program.SignalSend{}, &program.Await{}, &program.Spawn{}, &program.Select{}, &program.Goto{},
		&program.Pause{}, &program.End{}, &program.Fail{}, &program.Delete{}, &program.Reply{}, &program.Reject{},
	}
}

// filler puts a marker wherever a node can hang.
type filler struct {
	markers map[reflect.Type]func() reflect.Value
	put     []any
}

func (f *filler) fill(v reflect.Value) {
	if mark := f.markers[v.Type()]; mark != nil {
		m := mark()
		v.Set(m)
		f.put = append(f.put, m.Interface())
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			f.fill(v.Index(0))
		}
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.Struct && v.Type().Elem().PkgPath() == reflect.TypeFor[ast.Word]().PkgPath() {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	}
}

// TestEveryNode hangs a marker into every place of every node and looks
// whether the walk comes by.
func TestEveryNode(t *testing.T) {
	markers := map[reflect.Type]func() reflect.Value{
		reflect.TypeFor[ast.Item]():        func() reflect.Value { return reflect.ValueOf(&ast.BadItem{}) },
		reflect.TypeFor[ast.Expr]():        func() reflect.Value { return reflect.ValueOf(&ast.Bad{}) },
		reflect.TypeFor[ast.Pattern]():     func() reflect.Value { return reflect.ValueOf(&ast.BadPattern{}) },
		reflect.TypeFor[ast.Type]():        func() reflect.Value { return reflect.ValueOf(&ast.BadType{}) },
		reflect.TypeFor[*ast.Block]():      func() reflect.Value { return reflect.ValueOf(&ast.Block{}) },
		reflect.TypeFor[*ast.Record]():     func() reflect.Value { return reflect.ValueOf(&ast.Record{}) },
		reflect.TypeFor[*ast.Spawn]():      func() reflect.Value { return reflect.ValueOf(&ast.Spawn{}) },
		reflect.TypeFor[*ast.Compensate](): func() reflect.Value { return reflect.ValueOf(&ast.Compensate{}) },
	}
	for _, n := range everyNode() {
		f := &filler{markers: markers}
		f.fill(reflect.ValueOf(n).Elem())
		seen := map[any]bool{}
		walk(n, func(n ast.Node) bool { seen[n] = true; return true })
		for _, m := range f.put {
			if !isNil(m.(ast.Node)) && !seen[m] {
				t.Errorf("%T: the walk misses a %T", n, m)
			}
		}
	}
	var names []string
	for _, n := range everyNode() {
		names = append(names, reflect.TypeOf(n).Elem().Name())
	}
	sameTypes(t, "../lang/ast", []string{"item", "expr", "pattern", "typ"}, names)
}

// TestEveryExpr does the same for resolved expressions.
func TestEveryExpr(t *testing.T) {
	markers := map[reflect.Type]func() reflect.Value{
		reflect.TypeFor[program.Expr](): func() reflect.Value { return reflect.ValueOf(&program.Const{}) },
	}
	var names []string
	for _, e := range everyExpr() {
		names = append(names, reflect.TypeOf(e).Elem().Name())
		f := &filler{markers: markers}
		f.fill(reflect.ValueOf(e).Elem())
		seen := map[any]bool{}
		anyExpr(e, func(x program.Expr) bool { seen[x] = true; return false })
		for _, m := range f.put {
			if !seen[m] {
				t.Errorf("%T: parts misses an expression", e)
			}
		}
	}
	sameTypes(t, "../lang/program/expr.go", nil, names)
}

// sameTypes compares a list with the types that have one of the methods, or,
// without methods, the structs of a file that embed At.
func sameTypes(t *testing.T, path string, methods, names []string) {
	t.Helper()
	have := map[string]bool{}
	for _, n := range names {
		have[n] = true
	}
	for _, n := range declared(t, path, methods) {
		if !have[n] {
			t.Errorf("%s is not in the list", n)
		}
		delete(have, n)
	}
	for n := range have {
		t.Errorf("%s is no node", n)
	}
}

func declared(t *testing.T, path string, methods []string) []string {
	t.Helper()
	fset := token.NewFileSet()
	var out []string
	if len(methods) > 0 {
		files, err := filepath.Glob(path + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(fset, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, receivers(f, methods)...)
		}
		return out
	}
	file, err := parser.ParseFile(fset, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	goast.Inspect(file, func(n goast.Node) bool {
		spec, ok := n.(*goast.TypeSpec)
		if !ok || spec.Name.Name == "At" {
			return true
		}
		if s, ok := spec.Type.(*goast.StructType); ok && len(s.Fields.List) > 0 && len(s.Fields.List[0].Names) == 0 {
			out = append(out, spec.Name.Name)
		}
		return true
	})
	return out
}

// receivers are the types on whose pointers a file declares one of the methods.
func receivers(f *goast.File, methods []string) []string {
	var out []string
	for _, d := range f.Decls {
		fn, ok := d.(*goast.FuncDecl)
		if !ok || fn.Recv == nil || !slices.Contains(methods, fn.Name.Name) {
			continue
		}
		if star, ok := fn.Recv.List[0].Type.(*goast.StarExpr); ok {
			out = append(out, star.X.(*goast.Ident).Name)
		}
	}
	return out
}
