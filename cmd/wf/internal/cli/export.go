package cli

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/interp/engine"
)

func newStoreExport(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export [ID]",
		Short: "Write everything about all instances, or one, as JSON lines",
		Long: "Writes JSON lines: first one of kind \"export\" with the version of what follows; then one of\n" +
			"kind \"instance\" for each instance, with its state, followed by one\n" +
			"of kind \"record\" for each record of its journal; then one of kind \"event\" for each event, in\n" +
			"the order of their commits. The texts of the programs are not among them: a version is only\n" +
			"named. If the store is driven meanwhile, each instance is as it was when\n" +
			"it was read. This is for reading by other programs; there is no way back into a store: to keep\n" +
			"one there is wf store backup.",
		Example: "  wf store export > all.jsonl\n  wf store export Order-1",
		Args:    between(0, 1, "at most one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id := ""
			if len(args) == 1 {
				id = args[0]
			}
			return a.look(cmd, func(ctx context.Context, o *operate.Operator) error {
				return a.render(func(w *bufio.Writer) error { return export(ctx, w, o, id) })
			})
		},
		ValidArgsFunction: a.completeIDs(anyInstance),
	}
	a.storeFlag(cmd)
	return cmd
}

// exportVersion counts the changes of the lines after which a program that reads
// them may have to be changed.
const exportVersion = 1

type exportedHead struct {
	Kind    string `json:"kind"`
	Version int    `json:"version"`
}

// The lines say what kind they are, then have the fields that the same
// thing has with --json elsewhere.
type exportedInstance struct {
	Kind string `json:"kind"`
	instanceJSON
	Error string `json:"error,omitempty"`
}

type exportedRecord struct {
	Line     string `json:"kind"`
	Instance string `json:"instance"`
	Record   any    `json:"record"`
}

type exportedEvent struct {
	Kind string `json:"kind"`
	eventJSON
}

func export(ctx context.Context, w io.Writer, o *operate.Operator, id string) error {
	head := exportedHead{"export", exportVersion}
	if id != "" {
		s, err := o.Show(ctx, id)
		if err != nil {
			return err
		}
		if err := writeJSON(w, head); err != nil {
			return err
		}
		if err := exportInstance(ctx, w, o, s, nil); err != nil {
			return err
		}
		return exportEvents(ctx, w, o, id)
	}
	if err := writeJSON(w, head); err != nil {
		return err
	}
	var failed error
	err := o.List(ctx, operate.Filter{}, func(s engine.Summary, bad error) bool {
		failed = exportInstance(ctx, w, o, s, bad)
		return failed == nil
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	return exportEvents(ctx, w, o, "")
}

func exportInstance(ctx context.Context, w io.Writer, o *operate.Operator, s engine.Summary, bad error) error {
	line := exportedInstance{Kind: "instance", instanceJSON: instanceOf(s)}
	if bad != nil {
		line.Error = bad.Error()
	}
	if err := writeJSON(w, line); err != nil {
		return err
	}
	var writing error
	err := o.History(ctx, s.ID, func(r *engine.Record) bool {
		writing = writeJSON(w, exportedRecord{"record", s.ID, recordOf(r)})
		return writing == nil
	})
	if errors.Is(err, engine.ErrNotFound) || bad != nil {
		err = nil // it was deleted meanwhile, or its line says what is wrong
	}
	return errors.Join(err, writing)
}

func exportEvents(ctx context.Context, w io.Writer, o *operate.Operator, id string) error {
	var writing error
	err := o.Events(ctx, id, 1, func(ev *engine.EventRecord) bool {
		writing = writeJSON(w, exportedEvent{"event", eventOf(ev)})
		return writing == nil
	})
	return errors.Join(err, writing)
}
