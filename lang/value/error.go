package value

import "fmt"

// The codes of errors; the package comment explains them.
const (
	CodeType           = "type"
	CodeOverflow       = "overflow"
	CodeDivisionByZero = "division_by_zero"
	CodeRange          = "range"
	CodeFormat         = "format"
	CodeDepth          = "depth"
	CodeNotData        = "not_data"
	CodeSecret         = "secret"
	CodeCorrupt        = "corrupt"
	CodeSize           = "size"
)

// An Error says why an operation on values cannot be done, in the language's
// words.
type Error struct {
	Code    string
	Message string
}

func (e *Error) Error() string { return e.Message }

func errorf(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// badOp is the error of an operator that does not fit the kinds of its sides.
func badOp(verb string, a, b Value) error {
	join := "and"
	switch verb {
	case "divide":
		join = "by"
	case "subtract":
		return errorf(CodeType, "cannot subtract %s from %s", b.Kind(), a.Kind())
	}
	if k := a.Kind(); k != b.Kind() && (k == KindDecimal && b.Kind() == KindFloat || k == KindFloat && b.Kind() == KindDecimal) {
		return errorf(CodeType, "cannot %s %s %s %s: convert one with Decimal(x) or Float(x)", verb, k, join, b.Kind())
	}
	return errorf(CodeType, "cannot %s %s %s %s", verb, a.Kind(), join, b.Kind())
}
