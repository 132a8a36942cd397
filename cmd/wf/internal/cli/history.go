package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/interp/engine"
)

func newHistory(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "history ID",
		Short:   "Tell what happened to an instance, record by record",
		Long:    "Tells everything that is in the journal of an instance, in its order and in plain words.",
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
	events := eventWords{ctx: ctx, operator: o, id: id}
	err := o.History(ctx, id, func(r *engine.Record) bool {
		at := time.Unix(0, r.Time).Local().Format("2006-01-02 15:04:05.000")
		for i, line := range recordWords(r, events.of) {
			if i == 0 {
				fmt.Fprintf(w, "%4d  %s  %s\n", r.Seq, a.out.Faint(at), line)
			} else {
				fmt.Fprintf(w, "%s%s\n", strings.Repeat(" ", 4+2+len(at)+2+4), line)
			}
		}
		return events.err == nil
	})
	if err != nil {
		return err
	}
	return events.err
}

// eventWords finds the events that records name by number. It reads the log
// once, from the first number that it is asked for.
type eventWords struct {
	ctx      context.Context
	operator *operate.Operator
	id       string
	words    map[uint64]string
	err      error
}

func (x *eventWords) of(number uint64) string {
	if x.words == nil {
		x.words = map[uint64]string{}
		x.err = x.operator.Events(x.ctx, x.id, number, func(ev *engine.EventRecord) bool {
			x.words[ev.Number] = ev.String()
			return true
		})
	}
	if text, ok := x.words[number]; ok {
		return text + " (number " + strconv.FormatUint(number, 10) + ")"
	}
	return "number " + strconv.FormatUint(number, 10)
}
