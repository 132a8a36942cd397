package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
)

func newShow(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show an instance: lifecycle, state, what it waits for, failure",
		Example: "  wf show Order-1\n  wf show Order-1 --json",
		Args:    exactly(1, "the ID of an instance"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.look(cmd, func(ctx context.Context, o *operate.Operator) error {
				s, err := o.Show(ctx, args[0])
				if err != nil {
					return err
				}
				return a.render(func(w *bufio.Writer) error {
					if a.json {
						return writeJSON(w, instanceOf(s))
					}
					showInstance(w, s)
					return nil
				})
			})
		},
		ValidArgsFunction: a.completeIDs(anyInstance),
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "as one JSON document")
	return cmd
}

// showInstance writes everything that a summary knows, one thing a line.
func showInstance(w io.Writer, s engine.Summary) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("id", "%s", s.ID)
	line("workflow", "%s", s.Workflow)
	line("status", "%s", lifecycle(s))
	for _, wait := range s.Waiting {
		how := ""
		if on := wayOn(s.ID, wait); on != "" {
			how = " (" + on + ")"
		}
		line("waits for", "%s%s%s", ui.Line(waitWords(wait)), in(wait.Step), how)
	}
	if s.Attempt > 1 && !terminal(s) {
		line("attempt", "%d of step %s", s.Attempt, s.Step)
	}
	if s.Failure != nil {
		line("failure", "%s%s", failureWords(s.Failure), in(s.Failure.Step))
		if !s.Failure.Detail.IsNil() {
			line("", "%s", s.Failure.Detail.Short(shortValue))
		}
	}
	showUndoing(line, s)
	if !s.Result.IsNil() && !s.Result.IsUnit() {
		line("result", "%s", s.Result)
	}
	if s.Signals > 0 {
		line("inbox", "%d signals that no step has consumed", s.Signals)
	}
	if s.Parent != "" {
		line("spawned by", "%s", s.Parent)
	}
	line("program", "%s", s.Program)
	line("started", "%s", localTime(s.Created))
	line("changed", "%s", localTime(s.Updated))
	if len(s.Fields) > 0 {
		fmt.Fprintln(w, "state")
		for _, f := range s.Fields {
			fmt.Fprintf(w, "    %s = %s\n", f.Name, f.Value)
		}
	}
}

func showUndoing(line func(name, format string, args ...any), s engine.Summary) {
	if s.Undo.Status == flow.CompensationNone {
		return
	}
	line("compensation", "%s", s.Undo.Status)
	for _, f := range s.Undo.Failed {
		line("not undone", "%s: %s (%s)", f.Step, ui.Line(f.Message), f.Code)
	}
}

// lifecycle is the status in words.
func lifecycle(s engine.Summary) string {
	switch {
	case s.Status == entityStatus:
		return s.Status
	case s.Parked:
		return "paused by the engine, " + position(s)
	case terminal(s):
		text := s.Status
		if s.Ending == flow.ByEnd.String() && s.Steps > 0 {
			text += fmt.Sprintf(" after %d steps", s.Steps)
		}
		return text
	}
	return s.Status + ", " + position(s)
}
