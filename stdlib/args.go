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
