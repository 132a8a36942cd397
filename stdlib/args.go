package stdlib

import (
	"fmt"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// errorf is a fault with a code.
func errorf(code, format string, args ...any) error {
	return &program.BuiltinError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// wrongKind is the fault of an argument that is not what the function takes.
func wrongKind(fn, want string, v value.Value) error {
	return errorf(value.CodeType, "%s needs %s, and this is %s", fn, want, v.Kind().Article())
}

func listArg(fn string, v value.Value) ([]value.Value, error) {
	if xs, ok := v.AsList(); ok {
		return xs, nil
	}
	return nil, wrongKind(fn, "a list", v)
}

func stringArg(fn string, v value.Value) (string, error) {
	if s, ok := v.AsString(); ok {
		return s, nil
	}
	return "", wrongKind(fn, "a String", v)
}

func recordArg(fn string, v value.Value) (*value.Record, error) {
	if r, ok := v.AsRecord(); ok {
		return r, nil
	}
	return nil, wrongKind(fn, "a record", v)
}

func boolResult(fn string, v value.Value) (bool, error) {
	if b, ok := v.AsBool(); ok {
		return b, nil
	}
	return false, errorf(value.CodeType, "the function given to %s must give a Bool, and gives %s", fn, v.Kind().Article())
}
