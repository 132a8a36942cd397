package engine

import (
	"fmt"
	"strings"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
)

// A Trace tells of one committed change, in words.
type Trace struct {
	Time     int64 // Unix nanoseconds
	Instance string
	Text     string
}

func (x *tx) trace(in *instance, text string) {
	if x.e.cfg.Trace != nil {
		x.batch.trace = append(x.batch.trace, Trace{x.now, in.id, text})
	}
}

// traceStatus tells when an instance has come to rest.
func (x *tx) traceStatus(in *instance) {
	switch s := &in.state; s.Status {
	case flow.Paused:
		x.trace(in, strings.TrimSpace("is paused "+s.Pause.Reason))
	case flow.Completed, flow.Cancelled:
		x.trace(in, s.Status.String())
	case flow.Failed:
		x.trace(in, "failed: "+s.Cause.Message)
	}
}

func traceCompleted(a *attempt, r *Record) string {
	what := "completes " + a.step
	if strings.HasPrefix(a.path, "~") {
		what = "undoes " + a.step
	}
	if len(r.Fields) > 0 {
		var fs []string
		for _, f := range r.Fields {
			fs = append(fs, f.Name+" = "+f.Value.Short(40))
		}
		what += " (" + strings.Join(fs, ", ") + ")"
	}
	if r.Name != "" {
		what += ", goes to " + r.Name
	}
	return what
}

func traceFailed(a *attempt, f *flow.Failure, again bool) string {
	s := fmt.Sprintf("fails in %s: %s (%s)", a.step, f.Message, f.Code)
	if again {
		s += ", tries again"
	}
	return s
}

func arguments(args []value.Value) string {
	var ss []string
	for _, v := range args {
		ss = append(ss, v.String())
	}
	return "(" + strings.Join(ss, ", ") + ")"
}

// String is the event in the language's notation: "Charged(order: \"o-1\")".
func (e *EventRecord) String() string {
	var ss []string
	for i, v := range e.Args {
		if i < len(e.Names) && e.Names[i] != "" {
			ss = append(ss, e.Names[i]+": "+v.String())
		} else {
			ss = append(ss, v.String())
		}
	}
	return e.Name + "(" + strings.Join(ss, ", ") + ")"
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
