package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
)

type listOptions struct {
	all      bool
	waiting  bool
	workflow string
	status   string
}

func newList(a *app) *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the instances in the store",
		Long:    "Lists the instances in the store, the oldest first. The programs themselves are instances\ntoo (main-1, …); --all shows them.",
		Example: "  wf list\n  wf list --workflow Order --status failed\n  wf list --waiting --json",
		Args:    between(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.list(cmd, o)
		},
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "JSON lines, one instance each")
	f := cmd.Flags()
	f.BoolVar(&o.all, "all", false, "the programs themselves too")
	f.BoolVar(&o.waiting, "waiting", false, "only those that wait for something")
	f.StringVar(&o.workflow, "workflow", "", "only instances of this workflow")
	f.StringVar(&o.status, "status", "", "only those that are "+strings.Join(statuses(), ", "))
	// They can only fail for an unknown flag.
	_ = cmd.RegisterFlagCompletionFunc("workflow", a.completeWorkflows)
	_ = cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions(statuses(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func statuses() []string {
	var names []string
	for s := flow.Running; s <= flow.Cancelled; s++ {
		names = append(names, s.String())
	}
	return names
}

func (a *app) list(cmd *cobra.Command, o listOptions) error {
	if o.status != "" && !slices.Contains(statuses(), o.status) {
		return usage("there is no status %q; there is %s", o.status, strings.Join(statuses(), ", "))
	}
	return a.look(cmd, func(ctx context.Context, e *engine.Engine) error {
		return a.render(func(w *bufio.Writer) error {
			table := listTable(a)
			var writing error
			err := e.List(ctx, persist.Filter{Workflow: o.workflow, Status: o.status}, func(s engine.Summary, bad error) bool {
				if !o.shows(s) {
					return true
				}
				if a.json {
					writing = writeJSON(w, listedOf(s, bad))
				} else {
					table.Add(listRow(s, bad, e.Now())...)
				}
				return writing == nil
			})
			switch {
			case err != nil:
				return err
			case writing != nil || a.json:
				return writing
			case table.Len() == 0:
				a.sayf("no instances")
				return nil
			}
			return table.Write(w, a.out)
		})
	})
}

func (o listOptions) shows(s engine.Summary) bool {
	if s.Workflow == program.MainName && !o.all && o.workflow != program.MainName {
		return false
	}
	return !o.waiting || len(s.Waiting) > 0
}

// listedOf is an instance in --json; one that cannot be read says so.
func listedOf(s engine.Summary, bad error) any {
	doc := instanceOf(s)
	if bad == nil {
		return doc
	}
	return struct {
		instanceJSON
		Error string `json:"error"`
	}{doc, bad.Error()}
}

const statusColumn = 2

func listTable(a *app) *ui.Table {
	paint := func(column int, cell string) string {
		if column != statusColumn {
			return cell
		}
		switch cell {
		case flow.Failed.String(), flow.Cancelled.String():
			return a.out.Red(cell)
		case flow.Completed.String():
			return a.out.Green(cell)
		case flow.Paused.String():
			return a.out.Yellow(cell)
		}
		return cell
	}
	return &ui.Table{Head: []string{"ID", "WORKFLOW", "STATUS", "STEP", "AGE", "WAITING FOR"}, Paint: paint}
}

func listRow(s engine.Summary, bad error, now int64) []string {
	if bad != nil {
		return []string{s.ID, s.Workflow, s.Status, "", "", "cannot be read: " + ui.Line(bad.Error())}
	}
	var waits []string
	for _, w := range s.Waiting {
		waits = append(waits, ui.Line(waitWords(w)))
	}
	status := s.Status
	if s.Ending != "" && !terminal(s) {
		status += " (ending)"
	}
	return []string{s.ID, s.Workflow, status, stepOf(s), age(time.Duration(now - s.Created)), strings.Join(waits, ", ")}
}

// stepOf is the position in short: "2/3 charge".
func stepOf(s engine.Summary) string {
	if s.Status == flow.Completed.String() {
		return fmt.Sprintf("%d/%d", s.Steps, s.Steps)
	}
	return strings.TrimSpace(fmt.Sprintf("%d/%d %s", min(s.StepIndex+1, s.Steps), s.Steps, s.Step))
}
