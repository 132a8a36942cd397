package cli

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist/bolt"
)

type eventsOptions struct {
	id     string
	from   uint64
	follow bool
}

func newEvents(a *app) *cobra.Command {
	var o eventsOptions
	cmd := &cobra.Command{
		Use:   "events [ID]",
		Short: "List the events that were emitted, in the order of their commits",
		Long: "Lists the events of the store, or of one instance, by their store-wide number. Whoever has\n" +
			"read up to a number goes on behind it with --from. With --follow it goes on with those that\n" +
			"come, until Ctrl-C, whoever drives the store; none is missed and none comes twice.",
		Example: "  wf events\n  wf events Order-1 --follow\n  wf events --from 42 --json",
		Args:    between(0, 1, "at most one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.id = args[0]
			}
			if o.follow {
				return a.follow(cmd, o)
			}
			return a.events(cmd, o)
		},
		ValidArgsFunction: a.completeIDs(anyInstance),
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "JSON lines, one event each")
	cmd.Flags().Uint64Var(&o.from, "from", 1, "begin with this number")
	cmd.Flags().BoolVarP(&o.follow, "follow", "f", false, "go on with the events that come, until Ctrl-C")
	return cmd
}

func (a *app) events(cmd *cobra.Command, o eventsOptions) error {
	return a.look(cmd, func(ctx context.Context, op *operate.Operator) error {
		return a.render(func(w *bufio.Writer) error {
			var writing error
			err := op.Events(ctx, o.id, o.from, func(ev *engine.EventRecord) bool {
				writing = a.showEvent(w, ev)
				return writing == nil
			})
			return errors.Join(err, writing)
		})
	})
}

// follow shows each event as soon as it is there.
func (a *app) follow(cmd *cobra.Command, o eventsOptions) error {
	dir, err := a.storeDir(cmd)
	if err != nil {
		return err
	}
	ctx, stop := a.interruptible(cmd.Context())
	defer stop()
	if _, err := os.Stat(filepath.Join(dir, bolt.FileName)); errors.Is(err, fs.ErrNotExist) {
		a.sayf("there is no store in %s yet; this waits for one", dir)
	}
	var writing error
	err = operate.Follow(ctx, dir, o.id, o.from, func(ev *engine.EventRecord) bool {
		writing = a.render(func(w *bufio.Writer) error { return a.showEvent(w, ev) })
		return writing == nil
	})
	switch {
	case writing != nil:
		return writing
	case errors.Is(err, errInterrupted):
		return said(exitInterrupted) // that is how it ends
	case isStoreError(err):
		return a.openTrouble(dir, err)
	}
	return err
}

func (a *app) showEvent(w *bufio.Writer, ev *engine.EventRecord) error {
	if a.json {
		return writeJSON(w, eventOf(ev))
	}
	return tell.Event(w, a.out, ev)
}
