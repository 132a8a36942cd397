package cli

import (
	"bufio"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
)

func newHistory(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history ID",
		Short: "Tell what happened to an instance, record by record",
		Long: "Tells everything that is in the journal of an instance, in its order and in plain words. A step\n" +
			"in a branch has the branch's number behind it: fetch[3] is that of the fourth element of a\n" +
			"parallel for.",
		Example: "  wf history Order-1\n  wf history Order-1 --json",
		Args:    exactly(1, "the ID of an instance"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.look(cmd, func(ctx context.Context, o *operate.Operator) error {
				return a.render(func(w *bufio.Writer) error {
					if a.json {
						return historyJSON(ctx, w, o, args[0])
					}
					return a.history(ctx, w, o, args[0])
				})
			})
		},
		ValidArgsFunction: a.completeIDs(anyInstance),
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "JSON lines, one record each")
	return cmd
}

func historyJSON(ctx context.Context, w io.Writer, o *operate.Operator, id string) error {
	var writing error
	err := o.History(ctx, id, func(r *engine.Record) bool {
		writing = writeJSON(w, recordOf(r))
		return writing == nil
	})
	if err != nil {
		return err
	}
	return writing
}

func (a *app) history(ctx context.Context, w io.Writer, o *operate.Operator, id string) error {
	return tell.History(ctx, w, a.out, o, id)
}
