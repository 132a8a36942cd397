package cli

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
)

func newCall(a *app) *cobra.Command {
	key := ""
	cmd := &cobra.Command{
		Use:   "call ID COMMAND [ARGS…]",
		Short: "Run a command of an instance and print its reply",
		Long: "Runs a command that the workflow or entity of an instance declares, and prints the reply.\n" +
			"What it changes is in the store then. An entity comes into being with the first command\n" +
			"that it accepts. A rejection is exit code 4.\n\n" +
			"An argument that is JSON is read as JSON, else as a literal of the language; a bare word is\n" +
			"a string.",
		Example: "  wf call Order-1 hold 'until Monday'\n  wf call Wallet/alice deposit 12.50 --key transfer-7",
		Args:    between(2, many, "the ID of an instance and the name of a COMMAND"),
		RunE: func(cmd *cobra.Command, args []string) error {
			values, err := readValues(args[2:])
			if err != nil {
				return err
			}
			return a.act(cmd, func(ctx context.Context, o *operate.Operator) error {
				reply, err := o.Call(ctx, args[0], args[1], values, key)
				if err != nil {
					return err
				}
				return a.render(func(w *bufio.Writer) error {
					if a.json {
						return writeJSON(w, valueJSON(reply))
					}
					if reply.IsUnit() {
						return nil
					}
					_, err := fmt.Fprintln(w, reply)
					return err
				})
			})
		},
		ValidArgsFunction: a.completeCommands,
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "the reply as JSON")
	keyFlag(cmd, &key, "the same call again gives the first reply and changes nothing")
	return cmd
}

// keyFlag adds --key to a command that may be repeated safely.
func keyFlag(cmd *cobra.Command, key *string, effect string) {
	cmd.Flags().StringVar(key, "key", "", "idempotency key: "+effect)
}
