package cli

import (
	"fmt"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
)

// This file says in words what an instance is doing and why it failed.

func terminal(s engine.Summary) bool {
	switch s.Status {
	case flow.Completed.String(), flow.Failed.String(), flow.Cancelled.String():
		return true
	}
	return false
}

// atRest reports whether an instance has ended and undoes nothing any more.
func atRest(s engine.Summary) bool { return terminal(s) && s.Undo.Status != flow.CompensationRunning }

// localTime is an instant for people.
func localTime(nanos int64) string { return time.Unix(0, nanos).Local().Format(time.RFC3339) }

// position is where an instance stands: "at step 2 of 3, charge".
func position(s engine.Summary) string {
	switch {
	case s.Ending == flow.ByEnd.String() && !terminal(s):
		return "in its last block, after the end"
	case s.Ending != "" && s.Ending != flow.ByEnd.String():
		return "undoing its steps after a " + s.Ending + in(s.Step)
	case s.Step == "":
		return fmt.Sprintf("at step %d of %d", min(s.StepIndex+1, s.Steps), s.Steps)
	case s.Parked || s.Status == flow.Paused.String():
		return "at step " + s.Step
	}
	return fmt.Sprintf("at step %d of %d, %s", min(s.StepIndex+1, s.Steps), s.Steps, s.Step)
}

func in(step string) string {
	if step == "" {
		return ""
	}
	return " in step " + step
}

// takenUp is what is said of an instance that a driver goes on with.
func takenUp(s engine.Summary) string {
	if s.Workflow == program.MainName {
		return "resuming " + s.ID + ", the program itself"
	}
	return "resuming " + s.ID + " " + position(s)
}

// waitsFor is what an instance waits for, and what would end that.
func waitsFor(s engine.Summary) []string {
	var lines []string
	for _, w := range s.Waiting {
		if s.Workflow == program.MainName && w.Kind == engine.WaitsForEnd {
			continue // what it awaits is named itself
		}
		line := s.ID
		if w.Step != "" && s.Workflow != program.MainName {
			line += " at step " + w.Step
		}
		line += " for " + ui.Line(waitWords(w))
		if how := wayOn(s.ID, w); how != "" {
			line += "; " + how
		}
		lines = append(lines, line)
	}
	return lines
}

// waitWords is one wait with its deadline.
func waitWords(w engine.Waiting) string {
	if w.Until != 0 {
		return w.For + " until " + localTime(w.Until)
	}
	return w.For
}

// wayOn is the command by which somebody outside ends a wait.
func wayOn(id string, w engine.Waiting) string {
	switch w.Kind {
	case engine.WaitsForSignal:
		return "wf signal " + id + " " + w.Signals[0]
	case engine.WaitsForResume:
		return "wf resume " + id
	}
	return ""
}

// failedWords says how an instance ended badly.
func failedWords(s engine.Summary) string {
	if s.Status == flow.Cancelled.String() {
		return s.ID + " was cancelled" + undoWords(s)
	}
	step := ""
	if f := s.Failure; f != nil && s.Workflow != program.MainName {
		step = in(f.Step)
	}
	return s.ID + " failed" + step + ": " + failureWords(s.Failure) + undoWords(s)
}

// failureWords is a failure with its code and place.
func failureWords(f *flow.Failure) string {
	if f == nil {
		return "nobody knows why"
	}
	text := ui.Line(f.Message)
	if f.Code != "" {
		text += " (" + ui.Line(f.Code) + ")"
	}
	if f.Index >= 0 {
		text += fmt.Sprintf(" in element %d", f.Index)
	}
	if f.Place != "" {
		text += " at " + f.Place
	}
	return text
}

// undoWords names the compensations that failed.
func undoWords(s engine.Summary) string {
	text := ""
	for _, f := range s.Undo.Failed {
		text += fmt.Sprintf("\n    not undone: %s: %s (%s)", f.Step, ui.Line(f.Message), f.Code)
	}
	return text
}

// age is a time span in two units at most: "3s", "2m", "5h12m", "4d".
func age(d time.Duration) string {
	switch {
	case d < time.Second:
		return "now"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}
