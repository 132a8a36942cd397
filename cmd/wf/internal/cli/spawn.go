package cli

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/lang/value"
)

func newSpawn(a *app) *cobra.Command {
	var id, key string
	cmd := &cobra.Command{
		Use:   "spawn FILE WORKFLOW [FIELDS]",
		Short: "Create an instance of a workflow and print its id",
		Long: "Creates an instance of a workflow that a script declares; the script itself is not run. The\n" +
			"instance is in the store when the command leaves; whoever drives the store (wf run,\n" +
			"wf resume) runs it.\n\n" +
			"FIELDS is a JSON object or a record of the language. With --id an existing instance of that\n" +
			"id with the same workflow and the same fields is taken as it is; a different one is refused.",
		Example: "  wf spawn order.wf Order '{ customer: \"ann\", total: 12.50 }'\n  wf spawn order.wf Order '{\"customer\": \"ann\"}' --id order-17 --key request-99",
		Args:    between(2, 3, "a FILE, the name of a WORKFLOW and at most one record of FIELDS"),
		RunE: func(cmd *cobra.Command, args []string) error {
			fields := value.NewRecord(nil, nil)
			if len(args) == 3 {
				var err error
				if fields, err = readValue(args[2]); err != nil {
					return err
				}
				if _, ok := fields.AsRecord(); !ok {
					return usage("the fields are a JSON object or a record, such as '{ customer: \"ann\" }', not %s", args[2])
				}
			}
			if cmd.Flags().Changed("id") && id == "" {
				return usage("the id given with --id is empty")
			}
			prog, err := a.compile(args[0])
			if err != nil {
				return err
			}
			return a.operate(cmd, operate.Options{Act: true, Create: true}, func(ctx context.Context, o *operate.Operator) error {
				s, err := o.Spawn(ctx, prog, args[1], id, fields, key)
				if err != nil {
					return err
				}
				return a.render(func(w *bufio.Writer) error {
					if a.json {
						return writeJSON(w, instanceOf(s))
					}
					_, err := fmt.Fprintln(w, s.ID)
					return err
				})
			})
		},
		ValidArgsFunction: completeFiles,
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "the instance as one JSON document")
	cmd.Flags().StringVar(&id, "id", "", "its id (default: the next one of the workflow, such as Order-1)")
	keyFlag(cmd, &key, "the same spawn again gives the instance that the first one made")
	return cmd
}
