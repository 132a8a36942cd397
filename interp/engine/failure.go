package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// undoError is the error that a compensation gets: why the unit that it belongs
// to is undone, and what the visit came to.
func undoError(in *instance, t *flow.Track, u *flow.Undo) value.Value {
	f := in.state.Cause
	if t.Unit != "" {
		f = nil
		if c := in.tracks[t.Unit]; c != nil {
			f = c.Failure
		}
	}
	switch {
	case f != nil:
	case t.Unit != "":
		f = &flow.Failure{Code: "lost", Message: "other branches were first"}
	default:
		f = &flow.Failure{Code: "cancelled", Message: "the workflow was cancelled"}
	}
	return value.NewRecord(
		[]string{"code", "message", "step", "detail", "completed", "value"},
		[]value.Value{value.String(f.Code), value.String(f.Message), value.String(f.Step), f.Detail, value.Bool(u.Completed), u.Value})
}

// fault makes the error that a script sees from a recorded failure.
func (a *attempt) fault(f *flow.Failure, at source.Span) error {
	if f == nil {
		return nil
	}
	return &interp.Fault{Code: f.Code, Message: f.Message, Span: at, Detail: f.Detail, Index: -1}
}

// failureOf makes a recordable failure from a fault.
func (a *attempt) failureOf(f *interp.Fault) *flow.Failure {
	out := &flow.Failure{Code: f.Code, Message: f.Message, Step: a.step, Index: -1, Detail: f.Detail, Span: f.Span}
	if f.Code == "" {
		out.Code = "error"
	}
	keepable(out)
	if pos := a.in.prog.Files.Position(f.Span); pos.Line > 0 {
		out.Place = fmt.Sprintf("%s:%d:%d", pos.File, pos.Line, pos.Column)
	}
	return out
}

// failureValue is the failure that `self.failure` gives, nil if there is none:
// with the input of the step that failed.
func failureValue(f *flow.Failure, withInput bool) value.Value {
	if f == nil {
		return value.Nil
	}
	v := flow.FailureValue(f)
	if withInput {
		r, _ := v.AsRecord()
		v = r.With("input", f.Input)
	}
	return v
}

// faultOf is an error as scripts see it.
func faultOf(err error) *interp.Fault {
	var f *interp.Fault
	if errors.As(err, &f) {
		return f
	}
	var r *RefusedError
	if errors.As(err, &r) {
		return &interp.Fault{Code: r.Code, Message: r.Message, Index: -1}
	}
	code := "error"
	if errors.Is(err, context.DeadlineExceeded) {
		code = "timeout"
	}
	return &interp.Fault{Code: code, Message: err.Error(), Index: -1}
}
