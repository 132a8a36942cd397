package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/interp/engine"
)

// This file has the commands that change one instance and have no result.

func newCancel(a *app) *cobra.Command {
	return a.change(&cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel an instance: it undoes what it has done and ends",
		Long: "Cancels an instance. That is in the store when the command leaves; whoever drives the store\n" +
			"(wf run, wf resume) undoes the steps that had started, the last one first.",
		Example: "  wf cancel Order-1",
	}, unfinished, func(ctx context.Context, o *operate.Operator, id string) error {
		if err := o.Cancel(ctx, id); err != nil {
			return err
		}
		return a.acted(o, acted{ID: id, Action: "cancel"}, "%s is cancelled%s", id, a.goesOn(o, "undoes what has to be undone"))
	})
}

func newTerminate(a *app) *cobra.Command {
	return a.change(&cobra.Command{
		Use:   "terminate ID",
		Short: "Stop an instance at once; nothing is undone",
		Long: "Stops an instance where it is and ends it as cancelled. Its compensations do not\n" +
			"run: what was not undone is listed, and wf retry undoes it later. To end an instance in good\n" +
			"order there is wf cancel.",
		Example: "  wf terminate Order-1",
	}, unfinished, func(ctx context.Context, o *operate.Operator, id string) error {
		if err := o.Terminate(ctx, id); err != nil {
			return err
		}
		left := notUndone(ctx, o, id)
		text := id + " is stopped; nothing was undone"
		if len(left) > 0 {
			text += ": " + strings.Join(left, ", ") + "\n" + a.shell().Wf("retry", id) + " undoes it after all"
		}
		return a.acted(o, acted{ID: id, Action: "terminate", NotUndone: left}, "%s", text)
	})
}

// notUndone names the steps that a terminated instance has left as they are.
func notUndone(ctx context.Context, o *operate.Operator, id string) []string {
	s, err := o.Show(ctx, id)
	if err != nil {
		return nil // it was stopped, whatever became of it since
	}
	var steps []string
	for _, f := range s.Undo.Failed {
		steps = append(steps, f.Step)
	}
	return steps
}

func newRetry(a *app) *cobra.Command {
	return a.change(&cobra.Command{
		Use:   "retry ID",
		Short: "Try again what failed for good, or what the engine set aside",
		Long: "Runs the compensations of an instance again that failed for good, or that wf terminate has\n" +
			"left out, those only; or gives an instance that the engine paused a new attempt of its step,\n" +
			"which forgets the answers of the last one. (wf resume goes on with that last attempt.)",
		Example: "  wf retry Order-1",
	}, anyInstance, func(ctx context.Context, o *operate.Operator, id string) error {
		if err := o.Retry(ctx, id); err != nil {
			return err
		}
		return a.acted(o, acted{ID: id, Action: "retry"}, "%s is to be tried again%s", id, a.goesOn(o, "does it"))
	})
}

func newDelete(a *app) *cobra.Command {
	force := false
	cmd := a.change(&cobra.Command{
		Use:   "delete ID",
		Short: "Remove an instance and its history from the store",
		Long: "Removes an instance that has ended, or an entity, with its journal. Its events stay. One\n" +
			"that has not ended is refused unless --force is given; nothing of it is undone then.",
		Example: "  wf delete Order-1\n  wf delete Order-2 --force",
	}, anyInstance, func(ctx context.Context, o *operate.Operator, id string) error {
		if err := o.Delete(ctx, id, force); err != nil {
			return err
		}
		return a.acted(o, acted{ID: id, Action: "delete"}, "%s is deleted", id)
	})
	cmd.Flags().BoolVar(&force, "force", false, "also if it has not ended; nothing is undone")
	return cmd
}

// change completes a command that does one thing to the instance it is given.
func (a *app) change(cmd *cobra.Command, which func(engine.Summary) bool, do func(ctx context.Context, o *operate.Operator, id string) error) *cobra.Command {
	cmd.Args = exactly(1, "the ID of an instance")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.act(cmd, func(ctx context.Context, o *operate.Operator) error { return do(ctx, o, args[0]) })
	}
	cmd.ValidArgsFunction = a.completeIDs(which)
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "what was done, as one JSON document")
	return cmd
}
