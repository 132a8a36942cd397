package interp

import (
	"errors"
	"fmt"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// The codes of faults that the evaluator raises, beside those of package value
// and of builtins.
const (
	CodeError     = "error"     // thrown without a code of its own
	CodeIndex     = "index"     // an index that the list does not have
	CodeNoField   = "no_field"  // a field that the record, variant or state does not have
	CodeNoMatch   = "no_match"  // no arm of a match fits, or a pattern does not
	CodeNoSelf    = "no_self"   // self where there is no instance
	CodeArguments = "arguments" // a call with too many or too few
	CodeNotFound  = "not_found" // a function that the program no longer has
	CodeNotData   = value.CodeNotData
	CodeType      = value.CodeType
	CodeFuel      = "fuel"   // limit
	CodeMemory    = "memory" // limit
	CodeDepth     = value.CodeDepth
	CodeInternal  = "internal" // a program that the checker should have refused
)

// maxTrace is how many calls the stack of a fault keeps, the innermost.
const maxTrace = 64

// fault raises a fault of the script.
func (m *machine) fault(at source.Span, code, format string, args ...any) (value.Value, status) {
	return m.raise(&Fault{Code: code, Message: fmt.Sprintf(format, args...), Span: at, Index: -1})
}

// raise takes f over.
func (m *machine) raise(f *Fault) (value.Value, status) {
	if f.Step == "" && m.self != nil {
		f.Step = m.self.Step
	}
	m.err = f
	return value.Nil, failed
}

// cause raises the fault of an error from package value, a builtin or the
// host. A fault keeps what it says, but a copy of it is raised: the stack grows
// on the way out. What is neither fault nor known unwinds as it is if it comes
// from the host.
func (m *machine) cause(at source.Span, err error) (value.Value, status) {
	var bad *value.Error
	var builtin *program.BuiltinError
	switch {
	case errors.As(err, &bad):
		return m.fault(at, bad.Code, "%s", bad.Message)
	case errors.As(err, &builtin) && !builtin.Thrown.IsNil():
		f := FaultFrom(builtin.Thrown)
		f.Span = at
		return m.raise(f)
	case errors.As(err, &builtin):
		return m.fault(at, builtin.Code, "%s", builtin.Message)
	}
	return m.fault(at, CodeError, "%s", err.Error())
}

// foreign raises a copy of a fault made elsewhere.
func (m *machine) foreign(at source.Span, f *Fault) (value.Value, status) {
	g := *f
	g.Stack = append([]Frame(nil), f.Stack...)
	if g.Span.IsZero() {
		g.Span = at
	}
	if g.Final {
		m.limit = &g
	}
	return m.raise(&g)
}

// trace notes a call that a fault passes on its way out.
func (m *machine) trace(fn *program.Func, at source.Span) {
	f, isFault := m.err.(*Fault)
	if !isFault || len(f.Stack) >= maxTrace {
		return
	}
	name := fn.Name
	if name == "" {
		name = "fn"
	}
	f.Stack = append(f.Stack, Frame{Name: name, Span: at})
}

// ErrorValue is the record { code, message, step, index, detail } of a fault,
// as scripts see it; what is not known is nil.
func ErrorValue(f *Fault) value.Value {
	step, index := value.Nil, value.Nil
	if f.Step != "" {
		step = value.String(f.Step)
	}
	if f.Index >= 0 {
		index = value.Int(f.Index)
	}
	return value.NewRecord([]string{"code", "message", "step", "index", "detail"},
		[]value.Value{value.String(f.Code), value.String(f.Message), step, index, f.Detail})
}

// FaultFrom is the way back: a String is a message with the code `error`; a
// record gives code, message, step, index and detail as far as it has them.
// From any other value it makes the fault of code `type` that throwing it is.
func FaultFrom(v value.Value) *Fault {
	f := &Fault{Code: CodeError, Index: -1}
	if s, isText := v.AsString(); isText {
		f.Message = s
		return f
	}
	r, isRecord := v.AsRecord()
	if !isRecord {
		f.Code = CodeType
		f.Message = fmt.Sprintf("an error is a String or a record with code and message, not %s", v.Kind().Article())
		return f
	}
	if c := textOf(r, "code"); c != "" {
		f.Code = c
	}
	f.Message = textOf(r, "message")
	f.Step = textOf(r, "step")
	if x, found := r.Get("index"); found {
		if i, isInt := x.AsInt(); isInt && i >= 0 {
			f.Index = i
		}
	}
	f.Detail, _ = r.Get("detail")
	return f
}

// textOf is the text of a field, "" if it is missing or nil.
func textOf(r *value.Record, name string) string {
	v, _ := r.Get(name)
	if v.IsNil() {
		return ""
	}
	return v.Text()
}
