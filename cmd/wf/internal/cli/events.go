package cli

import (
	"bufio"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/interp/engine"
)

func newEvents(a *app) *cobra.Command {
	var from uint64
	cmd := &cobra.Command{
		Use:   "events [ID]",
		Short: "List the events that were emitted, in the order of their commits",
		Long: "Lists the events of the store, or of one instance, by their store-wide number. Whoever has\n" +
			"read up to a number goes on behind it with --from.",
		Example: "  wf events\n  wf events Order-1\n  wf events --from 42 --json",
		Args:    between(0, 1, "at most one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id := ""
			if len(args) == 1 {
				id = args[0]
			}
			return a.events(cmd, id, from)
		},
		ValidArgsFunction: a.completeIDs(anyInstance),
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "JSON lines, one event each")
	cmd.Flags().Uint64Var(&from, "from", 1, "begin with this number")
	return cmd
}

func (a *app) events(cmd *cobra.Command, id string, from uint64) error {
	return a.look(cmd, func(ctx context.Context, e *engine.Engine) error {
		return a.render(func(w *bufio.Writer) error {
			var writing error
			err := e.Events(ctx, id, max(from, 1), func(ev *engine.EventRecord) bool {
				if a.json {
					writing = writeJSON(w, eventOf(ev))
				} else {
					at := time.Unix(0, ev.Time).Local().Format("2006-01-02 15:04:05.000")
					_, writing = fmt.Fprintf(w, "%4d  %s  %s  %s\n", ev.Number, a.out.Faint(at), ev.Instance, ev)
				}
				return writing == nil
			})
			if err != nil {
				return err
			}
			return writing
		})
	})
}
