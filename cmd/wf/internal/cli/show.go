package cli

import (
	"bufio"
	"context"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
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
					tell.Instance(w, s, a.shell())
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
