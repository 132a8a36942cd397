package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/interp/engine"
)

func newCancel(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel an instance: it undoes what it has done and ends",
		Long: "Cancels an instance. That is in the store when the command leaves; whoever drives the store\n" +
			"(wf run, wf resume) undoes the steps that had started, the last one first.",
		Example: "  wf cancel Order-1",
		Args:    exactly(1, "the ID of an instance"),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := a.act(cmd, func(ctx context.Context, e *engine.Engine) error {
				return e.Cancel(ctx, args[0])
			})
			if err == nil {
				a.sayf("%s is cancelled; what has to be undone is undone by wf run or wf resume", args[0])
			}
			return err
		},
		ValidArgsFunction: a.completeIDs(unfinished),
	}
	a.storeFlag(cmd)
	return cmd
}
