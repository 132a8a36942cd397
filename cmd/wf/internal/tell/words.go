// Package tell says in words, for people, what instances do and have done: their
// lifecycles, their journals, their events. It knows engine and terminal, prints
// nothing by itself, and is shared by the commands and the interactive session.
package tell

import (
	"fmt"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
)

// Ended reports whether an instance is terminal.
func Ended(s engine.Summary) bool {
	switch s.Status {
	case flow.Completed.String(), flow.Failed.String(), flow.Cancelled.String():
		return true
	}
	return false
}

// AtRest reports whether an instance has ended and undoes nothing any more.
func AtRest(s engine.Summary) bool { return Ended(s) && s.Undo.Status != flow.CompensationRunning }

// LocalTime is an instant for people.
func LocalTime(nanos int64) string { return time.Unix(0, nanos).Local().Format(time.RFC3339) }

// Position is where an instance stands: "at step 2 of 3, charge".
func Position(s engine.Summary) string {
	switch {
	case s.Ending == flow.ByEnd.String() && !Ended(s):
		return "in its last block, after the end"
	case s.Ending != "" && s.Ending != flow.ByEnd.String():
		return "undoing its steps after a " + s.Ending + In(s.Step)
	case s.Step == "":
		return fmt.Sprintf("at step %d of %d", min(s.StepIndex+1, s.Steps), s.Steps)
	case s.Parked || s.Status == flow.Paused.String():
		return "at step " + s.Step
	}
	return fmt.Sprintf("at step %d of %d, %s", min(s.StepIndex+1, s.Steps), s.Steps, s.Step)
}

// In is " in step x", nothing for no step.
func In(step string) string {
	if step == "" {
		return ""
	}
	return " in step " + step
}

// TakenUp is what is said of an instance that a driver goes on with.
func TakenUp(s engine.Summary) string {
	if s.Workflow == program.MainName {
		return "resuming " + s.ID + ", the program itself"
	}
	return "resuming " + s.ID + " " + Position(s)
}

// WaitsFor is what an instance waits for, and what would end that.
func WaitsFor(s engine.Summary, shell Shell) []string {
	var lines []string
	for _, w := range s.Waiting {
		if s.Workflow == program.MainName && w.Kind == engine.WaitsForEnd {
			continue // what it awaits is named itself
		}
		line := s.ID
		if w.Step != "" && s.Workflow != program.MainName {
			line += " at step " + w.Step
		}
		line += " for " + ui.Line(WaitWords(w))
		if how := WayOn(s, w, shell); how != "" {
			line += "; " + how
		}
		lines = append(lines, line)
	}
	return lines
}

// WaitWords is one wait with its deadline.
func WaitWords(w engine.Waiting) string {
	if w.Until != 0 {
		return w.For + " until " + LocalTime(w.Until)
	}
	return w.For
}

// WayOn is the command by which somebody outside ends a wait; of what the engine has
// set aside both, and what they do.
func WayOn(s engine.Summary, w engine.Waiting, shell Shell) string {
	switch {
	case s.Parked:
		return shell.Wf("resume", s.ID) + " goes on with what is there, " + shell.Wf("retry", s.ID) + " begins the step anew"
	case w.Kind == engine.WaitsForSignal:
		return shell.WfWith(w.Payload, "signal", s.ID, w.Signals[0])
	case w.Kind == engine.WaitsForResume:
		return shell.Wf("resume", s.ID)
	}
	return ""
}

// FailedWords says how an instance ended badly.
func FailedWords(s engine.Summary) string {
	if s.Status == flow.Cancelled.String() {
		return s.ID + " was cancelled" + UndoWords(s)
	}
	step := ""
	if f := s.Failure; f != nil && s.Workflow != program.MainName {
		step = In(f.Step)
	}
	return s.ID + " failed" + step + ": " + FailureWords(s.Failure) + UndoWords(s)
}

// FailureWords is a failure with its code and place.
func FailureWords(f *flow.Failure) string {
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

// UndoWords names the compensations that failed.
func UndoWords(s engine.Summary) string {
	text := ""
	for _, f := range s.Undo.Failed {
		text += fmt.Sprintf("\n    not undone: %s: %s (%s)", f.Step, ui.Line(f.Message), f.Code)
	}
	return text
}

// Age is a time span in two units at most: "3s", "2m", "5h12m", "4d".
func Age(d time.Duration) string {
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
