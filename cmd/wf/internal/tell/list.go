package tell

import (
	"fmt"
	"strings"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
)

// EntityStatus is the status of entities: they wait for commands.
const EntityStatus = "ready"

const statusColumn = 2

// ListTable is the empty table of instances for a terminal.
func ListTable(out ui.Terminal) *ui.Table {
	paint := func(column int, cell string) string {
		if column != statusColumn {
			return cell
		}
		switch cell {
		case flow.Failed.String(), flow.Cancelled.String():
			return out.Red(cell)
		case flow.Completed.String():
			return out.Green(cell)
		case flow.Paused.String():
			return out.Yellow(cell)
		}
		return cell
	}
	return &ui.Table{Head: []string{"ID", "WORKFLOW", "STATUS", "STEP", "AGE", "WAITING FOR"}, Paint: paint}
}

// ListRow is the row of an instance at an engine's time; bad says why it cannot
// be read.
func ListRow(s engine.Summary, bad error, now int64) []string {
	if bad != nil {
		return []string{s.ID, s.Workflow, s.Status, "", "", "cannot be read: " + ui.Line(bad.Error())}
	}
	var waits []string
	for _, w := range s.Waiting {
		waits = append(waits, ui.Line(WaitWords(w)))
	}
	status := s.Status
	switch {
	case s.Ending != "" && !Ended(s):
		status += " (ending)"
	case s.Ending != "" && s.Undo.Status == flow.CompensationRunning:
		status += " (undoing)"
	case s.Undo.Status == flow.CompensationFailed:
		status += " (not undone)"
	case s.Finally != nil:
		status += " (finally failed)"
	}
	return []string{s.ID, s.Workflow, status, stepOf(s), Age(time.Duration(now - s.Created)), strings.Join(waits, ", ")}
}

// stepOf is the position in short: "2/3 charge".
func stepOf(s engine.Summary) string {
	if s.Status == EntityStatus {
		return ""
	}
	if s.Status == flow.Completed.String() {
		return fmt.Sprintf("%d/%d", s.Steps, s.Steps)
	}
	return strings.TrimSpace(fmt.Sprintf("%d/%d %s", min(s.StepIndex+1, s.Steps), s.Steps, s.Step))
}
