package cli

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/persist"
)

// waits says what is waited for when nothing can move without somebody outside,
// with the commands that would move it: once, and again when it is something
// else.
type waits struct {
	d     *driver
	quiet chan struct{} // a token: nothing moves
	said  []string      // the lines of the last time
	more  bool          // there were more than are named
	end   context.CancelFunc
	done  sync.WaitGroup
}

// settleTime is how long it has to be quiet: what comes in a burst is one change.
const settleTime = 100 * time.Millisecond

func newWaits(d *driver) *waits { return &waits{d: d, quiet: make(chan struct{}, 1)} }

// nothingMoves is told by the engine, which does not wait.
func (w *waits) nothingMoves() {
	select {
	case w.quiet <- struct{}{}:
	default:
	}
}

func (w *waits) start() {
	ctx, cancel := context.WithCancel(context.Background())
	w.end = cancel
	w.done.Go(func() {
		for {
			select {
			case <-w.quiet:
			case <-ctx.Done():
				return
			}
			select {
			case <-time.After(settleTime):
			case <-ctx.Done():
				return
			}
			if lines, more, err := w.d.waiting(ctx); err == nil { // else the engine will say what is wrong
				w.say(lines, more)
			}
		}
	})
}

func (w *waits) stop() {
	if w.end != nil {
		w.end()
		w.done.Wait()
	}
}

// say says the lines that are not those of the last time. Of many instances, of
// which a few are named, it says no more.
func (w *waits) say(lines []string, more bool) {
	if !more || !w.more {
		for _, line := range lines {
			if !slices.Contains(w.said, line) {
				w.d.spool.Say(line)
			}
		}
		if more {
			w.d.spool.Say(w.d.others())
		}
	}
	w.said, w.more = lines, more
}

// waiting gives a line for everything that is waited for.
func (d *driver) waiting(ctx context.Context) ([]string, bool, error) {
	return d.unfinished(ctx, d.waitWords)
}

// waitWords gives a line for everything that an instance waits for.
func (d *driver) waitWords(s engine.Summary) []string {
	lines := tell.WaitsFor(s, d.app.shell())
	for i := range lines {
		lines[i] = "waiting: " + lines[i]
	}
	return lines
}

// unfinished gives lines about the instances that have not ended: maxNamed at
// most, and whether there are more.
func (d *driver) unfinished(ctx context.Context, words func(engine.Summary) []string) (lines []string, more bool, err error) {
	for _, status := range []flow.Status{flow.Running, flow.Paused} {
		err = d.engine.List(ctx, persist.Filter{Status: status.String()}, func(s engine.Summary, bad error) bool {
			if !d.engine.Drives(s.Number) {
				return true
			}
			if bad != nil {
				lines = append(lines, s.ID+" cannot be read: "+fmt.Sprint(bad))
			} else {
				lines = append(lines, words(s)...)
			}
			return len(lines) <= maxNamed
		})
		if err != nil || len(lines) > maxNamed {
			break
		}
	}
	if len(lines) > maxNamed {
		return lines[:maxNamed], true, err
	}
	return lines, false, err
}

// sayUnfinished says lines about the instances that have not ended.
func (d *driver) sayUnfinished(lines []string, more bool, err error) error {
	for _, line := range lines {
		d.app.sayf("%s", line)
	}
	if more {
		d.app.sayf("%s", d.others())
	}
	return err
}

func (d *driver) others() string { return "… and more; " + d.app.shell().Wf("list") + " shows all" }
