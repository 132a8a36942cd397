package engine

import (
	"fmt"
	"strings"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
)

// TraceKind says what a Trace is about, for those who branch on it.
type TraceKind uint8

// The kinds of traces.
const (
	TraceChanged TraceKind = iota // anything that is not one of the others
	TraceEmitted                  // an event is in the log
	TracePaused                   // the instance pauses, or is parked by the engine
	TraceEnded                    // the instance is terminal
	TraceDeleted                  // the instance is gone
	TraceFinally                  // its `finally` has failed for good, which changes nothing else
)

// A Trace tells of one committed change.
type Trace struct {
	Kind     TraceKind
	Time     int64 // Unix nanoseconds
	Instance string
	Workflow string
	Status   flow.Status // of the instance after the change
	Text     string      // what happened, in words; see Config.TraceWords
}

// trace tells of a change in words. They cost nothing when nobody listens.
func (x *tx) trace(in *instance, words func() string) { x.traceAs(in, TraceChanged, words) }

func (x *tx) traceAs(in *instance, kind TraceKind, words func() string) {
	if x.e.cfg.Trace == nil {
		return
	}
	t := Trace{Kind: kind, Time: x.now, Instance: in.id, Workflow: in.workflow, Status: in.state.Status}
	if x.e.cfg.TraceWords || kind == TracePaused || kind == TraceEnded || kind == TraceFinally {
		t.Text = words()
	}
	x.batch.trace = append(x.batch.trace, t)
}

// said is a trace of fixed words.
func said(words string) func() string { return func() string { return words } }

// traceStatus tells when an instance has come to rest.
func (x *tx) traceStatus(in *instance) {
	s := &in.state
	kind := TraceEnded
	switch s.Status {
	case flow.Running:
		return
	case flow.Paused:
		kind = TracePaused
	}
	x.traceAs(in, kind, func() string {
		switch s.Status {
		case flow.Paused:
			if s.Pause.Reason == "" {
				return "is paused"
			}
			return "is paused: " + s.Pause.Reason
		case flow.Failed:
			return "failed: " + s.Cause.Message
		}
		return s.Status.String()
	})
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
