package cli

import (
	"fmt"
	"strings"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
)

// readValues reads the arguments of a query.
func readValues(args []string) ([]value.Value, error) {
	vs := make([]value.Value, len(args))
	for i, arg := range args {
		v, err := readValue(arg)
		if err != nil {
			return nil, err
		}
		vs[i] = v
	}
	return vs, nil
}

// readValue reads an argument: JSON is read as JSON, else it is a literal of the
// language (30s, { amount: 30 }), else a bare word, which is a String. What
// begins like a list, record, tuple or string has to be one.
func readValue(arg string) (value.Value, error) {
	v, jsonErr := value.FromJSON([]byte(arg))
	if jsonErr == nil {
		return v, nil
	}
	v, ok := readLiteral(arg)
	if ok {
		return v, nil
	}
	if trimmed := strings.TrimSpace(arg); trimmed != "" && strings.ContainsRune(`{[("`, rune(trimmed[0])) {
		return value.Nil, usage("the argument %s is neither JSON (%w) nor a literal of the language", arg, jsonErr)
	}
	if digits := strings.TrimPrefix(arg, "-"); digits != "" && strings.Trim(digits, "0123456789_") == "" && digits[0] != '_' {
		return value.Nil, usage("the number %s does not fit into an Int, which has 64 bits; '\"%s\"' is the text, %s.0 a Decimal", arg, arg, arg)
	}
	if i := invalidAt([]byte(arg)); i >= 0 {
		return value.Nil, usage("an argument is no text: its byte %d is not UTF-8", i)
	}
	return value.String(arg), nil
}

// readLiteral reads a literal of the language by checking a program that
// consists of nothing else.
func readLiteral(arg string) (value.Value, bool) {
	if len(arg) > maxSource {
		return value.Nil, false
	}
	set := &source.Set{}
	set.Add(source.NewFile("argument", "("+arg+"\n)"))
	prog, _ := engine.Compile(set, stdlib.Table())
	if prog == nil || len(prog.Actors) > 0 || len(prog.Funcs) > 0 {
		return value.Nil, false
	}
	body := prog.Main.Items[0].Step.Body
	block, ok := body.Body.(*program.Block)
	if !ok || len(block.Stmts) != 1 || !isLiteral(block.Stmts[0]) {
		return value.Nil, false
	}
	out, err := interp.Run(closed{}, interp.Call{Fn: body, Program: prog})
	if _, isTuple := out.Result.AsTuple(); isTuple && !strings.HasPrefix(strings.TrimSpace(arg), "(") {
		return value.Nil, false // the brackets that made it one are ours
	}
	return out.Result, err == nil
}

// isLiteral reports whether an expression is written out: constants, what
// containers hold of them, and conversions such as Time("2030-01-01").
func isLiteral(e program.Expr) bool {
	switch x := e.(type) {
	case *program.Const:
		return true
	case *program.Neg:
		return isLiteral(x.X)
	case *program.ListExpr:
		return allLiterals(x.Elems)
	case *program.TupleExpr:
		return allLiterals(x.Elems)
	case *program.VariantExpr:
		return allLiterals(x.Fields)
	case *program.CallBuiltin:
		return x.Fn.Module == "" && allLiterals(x.Args)
	case *program.RecordExpr:
		for _, f := range x.Entries {
			if f.Computed != nil || f.Spread != nil || !isLiteral(f.Value) {
				return false
			}
		}
		return true
	}
	return false
}

func allLiterals(es []program.Expr) bool {
	for _, e := range es {
		if !isLiteral(e) {
			return false
		}
	}
	return true
}

// closed is the world of a literal: there is none.
type closed struct{}

func (closed) Do(r interp.Request) (value.Value, error) {
	return value.Nil, fmt.Errorf("%s is not possible in an argument", r.Kind)
}
