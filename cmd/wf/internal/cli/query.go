package cli

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/interp/engine"
)

func newQuery(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "query ID NAME [ARGS…]",
		Short: "Ask an instance about its state; nothing is changed",
		Long: "Runs a query of an instance over its last committed state: one that its workflow declares, a\n" +
			"function that the program returned, or lifecycle, which every instance answers.\n\n" +
			"An argument that is JSON is read as JSON, else as a literal of the language; a bare word is\n" +
			"a string.",
		Example: "  wf query Order-1 progress\n  wf query Order-1 lifecycle --json\n  wf query Order-1 overdue 30s\n  wf query Order-1 matches '{ sku: \"A1\", qty: 2 }'",
		Args:    between(2, many, "the ID of an instance and the NAME of a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			values, err := readValues(args[2:])
			if err != nil {
				return err
			}
			return a.look(cmd, func(ctx context.Context, o *operate.Operator) error {
				v, err := o.Query(ctx, args[0], args[1], values)
				if err != nil {
					return err
				}
				return a.render(func(w *bufio.Writer) error {
					if a.json {
						return writeJSON(w, valueJSON(v))
					}
					_, err := fmt.Fprintln(w, v)
					return err
				})
			})
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 1 {
				return []string{engine.LifecycleQuery}, cobra.ShellCompDirectiveNoFileComp
			}
			return a.completeIDs(anyInstance)(cmd, args, word)
		},
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "the answer as JSON")
	return cmd
}
