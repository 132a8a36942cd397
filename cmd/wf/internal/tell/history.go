package tell

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
)

// A Source is where histories are read: an engine, or an operator of a store.
type Source interface {
	History(ctx context.Context, id string, f func(*engine.Record) bool) error
	Events(ctx context.Context, id string, from uint64, f func(*engine.EventRecord) bool) error
}

// History writes every journal record of an instance, in order.
func History(ctx context.Context, w io.Writer, out ui.Terminal, from Source, id string) error {
	events := eventWords{ctx: ctx, from: from, id: id}
	err := from.History(ctx, id, func(r *engine.Record) bool {
		at := moment(r.Time)
		for i, line := range RecordWords(r, events.of) {
			if i == 0 {
				fmt.Fprintf(w, "%4d  %s  %s\n", r.Seq, out.Faint(at), line)
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

// Event writes one event of the log.
func Event(w io.Writer, out ui.Terminal, ev *engine.EventRecord) error {
	_, err := fmt.Fprintf(w, "%4d  %s  %s  %s\n", ev.Number, out.Faint(moment(ev.Time)), ev.Instance, ev)
	return err
}

// moment is an instant for people, to the millisecond.
func moment(nanos int64) string {
	return time.Unix(0, nanos).Local().Format("2006-01-02 15:04:05.000")
}

// eventWords finds the events that records name by number. It reads the log
// once, from the first number that it is asked for.
type eventWords struct {
	ctx   context.Context
	from  Source
	id    string
	words map[uint64]string
	err   error
}

func (x *eventWords) of(number uint64) string {
	if x.words == nil {
		x.words = map[uint64]string{}
		x.err = x.from.Events(x.ctx, x.id, number, func(ev *engine.EventRecord) bool {
			x.words[ev.Number] = ev.String()
			return true
		})
	}
	if text, ok := x.words[number]; ok {
		return text + " (number " + strconv.FormatUint(number, 10) + ")"
	}
	return "number " + strconv.FormatUint(number, 10)
}
