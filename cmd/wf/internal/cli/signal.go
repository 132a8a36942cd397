package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
)

func newSignal(a *app) *cobra.Command {
	key := ""
	cmd := &cobra.Command{
		Use:   "signal ID NAME [PAYLOAD]",
		Short: "Deliver a signal to an instance",
		Long: "Delivers a signal. It is in the store when the command leaves; whoever drives the store\n" +
			"(wf run, wf resume) goes on with it.\n\n" +
			"A payload that is JSON is read as JSON, else as a literal of the language; a bare word is a\n" +
			"string. Where the workflow declares what the signal carries, a payload that does not fit is\n" +
			"refused.",
		Example: "  wf signal Order-1 approve\n  wf signal Order-1 approve '{ by: \"ann\", limit: 12.50 }' --key mail-81",
		Args:    between(2, 3, "the ID of an instance, the NAME of a signal and at most one PAYLOAD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			payload := value.Nil
			if len(args) == 3 {
				var err error
				if payload, err = readValue(args[2]); err != nil {
					return err
				}
			}
			return a.act(cmd, func(ctx context.Context, o *operate.Operator) error {
				if err := o.Signal(ctx, args[0], args[1], payload, key); err != nil {
					return err
				}
				return a.acted(o, acted{ID: args[0], Action: "signal", Name: args[1]},
					"%s has the signal %s%s", args[0], args[1], a.takesSignal(ctx, o, args[0]))
			})
		},
		ValidArgsFunction: a.completeSignals,
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "what was done, as one JSON document")
	keyFlag(cmd, &key, "the same signal again is accepted and delivers nothing")
	return cmd
}

// takesSignal is said after a signal: what has to happen for it to be taken.
func (a *app) takesSignal(ctx context.Context, o *operate.Operator, id string) string {
	s, err := o.Show(ctx, id)
	switch {
	case err != nil: // it was delivered, whatever became of the instance since
		return ""
	case s.Signals == 0: // it was taken already, also if whoever drove the instance has left since
		return ""
	case s.Parked:
		return "; the engine has paused it: " + tell.WayOn(s, engine.Waiting{}, a.shell())
	case s.Status == flow.Paused.String():
		return "; it is paused: a step takes it when a command or " + a.shell().Wf("resume", id) + " has ended the pause"
	case s.Ending != "" && !tell.Ended(s):
		return "; it is ending, by " + s.Ending + ": only a compensation or `finally` may still take it"
	}
	return a.goesOn(o, "goes on with it")
}
