package tell

import (
	"fmt"
	"io"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
)

// Instance writes everything that a summary knows, one thing a line.
func Instance(w io.Writer, s engine.Summary, shell Shell) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("id", "%s", s.ID)
	line("workflow", "%s", s.Workflow)
	line("status", "%s", lifecycle(s))
	for _, wait := range s.Waiting {
		how := ""
		if on := WayOn(s, wait, shell); on != "" {
			how = " (" + on + ")"
		}
		line("waits for", "%s%s%s", ui.Line(WaitWords(wait)), In(wait.Step), how)
	}
	if s.Attempt > 1 && !Ended(s) {
		line("attempt", "%d of step %s", s.Attempt, s.Step)
	}
	if s.Failure != nil {
		line("failure", "%s%s", FailureWords(s.Failure), In(s.Failure.Step))
		if !s.Failure.Detail.IsNil() {
			line("", "%s", s.Failure.Detail.Short(ShortValue))
		}
	}
	showUndoing(line, s, shell)
	if s.Finally != nil {
		line("finally", "failed, which changes nothing else: %s", FailureWords(s.Finally))
	}
	if !s.Result.IsNil() && !s.Result.IsUnit() {
		line("result", "%s", s.Result)
	}
	if s.Signals > 0 {
		line("inbox", "%s that no step has consumed", ui.Count(s.Signals, "signal"))
	}
	if s.Parent != "" {
		line("spawned by", "%s", s.Parent)
	}
	line("program", "%s", s.Program)
	line("started", "%s", LocalTime(s.Created))
	line("changed", "%s", LocalTime(s.Updated))
	if len(s.Fields) > 0 {
		fmt.Fprintln(w, "state")
		for _, f := range s.Fields {
			fmt.Fprintf(w, "    %s = %s\n", f.Name, f.Value)
		}
	}
}

func showUndoing(line func(name, format string, args ...any), s engine.Summary, shell Shell) {
	if s.Undo.Status == flow.CompensationNone {
		return
	}
	how := ""
	if Ended(s) && s.Undo.Status == flow.CompensationFailed {
		how = fmt.Sprintf(" (%s tries again what is not undone)", shell.Wf("retry", s.ID))
	}
	line("compensation", "%s%s", s.Undo.Status, how)
	for _, f := range s.Undo.Failed {
		line("not undone", "%s: %s (%s)", f.Step, ui.Line(f.Message), f.Code)
	}
}

// lifecycle is the status in words.
func lifecycle(s engine.Summary) string {
	switch {
	case s.Status == EntityStatus:
		return s.Status
	case s.Parked:
		return "paused by the engine, " + Position(s)
	case Ended(s):
		text := s.Status
		if s.Ending == flow.ByEnd.String() && s.Steps > 0 {
			text += " after " + ui.Count(s.Steps, "step")
		}
		return text
	}
	return s.Status + ", " + Position(s)
}
