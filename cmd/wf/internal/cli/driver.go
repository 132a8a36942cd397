package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

// maxNamed is how many instances are named one by one.
const maxNamed = 10

// driveOptions are the flags of the commands that drive instances.
type driveOptions struct {
	untilIdle bool
	trace     bool
}

func (o *driveOptions) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.untilIdle, "until-idle", false, "leave when nothing can move without somebody outside")
	cmd.Flags().BoolVar(&o.trace, "trace", false, "show every change on stderr, once it is committed")
}

// A driver drives the instances of a store until they are done and says on
// stderr what it takes up, what it leaves and what went wrong.
type driver struct {
	app    *app
	opts   driveOptions
	engine *engine.Engine
	left   map[string]bool // mains that it leaves alone
	watch  string          // instance whose changes are told on changed
	change chan struct{}
}

func (a *app) newDriver(ctx context.Context, s persist.Store, o driveOptions) (*driver, error) {
	d := &driver{app: a, opts: o, left: map[string]bool{}, change: make(chan struct{}, 1)}
	var err error
	d.engine, err = engine.Open(ctx, engine.Config{Store: s, Builtins: stdlib.Table(), Clock: engine.SystemClock(),
		Seed: rand.Uint64, Output: a.stdout, Trace: d.traced})
	return d, err
}

// traced is told every committed change, in order.
func (d *driver) traced(t engine.Trace) {
	if d.opts.trace {
		d.app.sayf("%s %s %s", d.app.err.Faint(time.Unix(0, t.Time).Local().Format("15:04:05.000")), t.Instance, t.Text)
	} else if strings.HasPrefix(t.Text, "is parked") || strings.HasPrefix(t.Text, "is paused") {
		d.app.sayf("%s %s; wf resume %s lets it go on", t.Instance, t.Text, t.Instance)
	}
	if t.Instance == d.watch {
		select {
		case d.change <- struct{}{}:
		default:
		}
	}
}

// leave notes and names the mains that are left alone.
func (d *driver) leave(mains []engine.Summary) {
	for i, s := range mains {
		d.left[s.ID] = true
		if i < maxNamed {
			d.app.sayf("left alone: %s, an unfinished run of another program or of an earlier version; wf resume %s continues it", s.ID, s.ID)
		}
	}
	if n := len(mains) - maxNamed; n > 0 {
		d.app.sayf("… and %d more", n)
	}
}

// takeUp recovers what is unfinished and says what that is. main is the run that
// was named already, if any.
func (d *driver) takeUp(ctx context.Context, main string) (int, error) {
	taken, err := d.engine.Recover(ctx)
	if err != nil {
		return 0, err
	}
	named := 0
	for _, s := range taken {
		if s.ID == main {
			continue
		}
		if named++; named <= maxNamed {
			d.app.sayf("%s", takenUp(s))
		}
	}
	if named > maxNamed {
		d.app.sayf("… and %d more", named-maxNamed)
	}
	if d.opts.untilIdle {
		return len(taken), nil // what waits is named at the end
	}
	waiting, err := d.sayUnfinished(ctx, func(s engine.Summary) []string {
		return prefixed("waiting: ", waitsFor(s))
	})
	return len(taken) + waiting, err
}

func prefixed(prefix string, lines []string) []string {
	for i := range lines {
		lines[i] = prefix + lines[i]
	}
	return lines
}

// sayUnfinished says lines about the instances that have not ended, and gives
// how many lines that were; at most maxNamed of them are said.
func (d *driver) sayUnfinished(ctx context.Context, words func(engine.Summary) []string) (int, error) {
	n := 0
	for _, status := range []flow.Status{flow.Running, flow.Paused} {
		err := d.engine.List(ctx, persist.Filter{Status: status.String()}, func(s engine.Summary, bad error) bool {
			if d.left[s.ID] {
				return true
			}
			lines := []string{s.ID + " cannot be read: " + fmt.Sprint(bad)}
			if bad == nil {
				lines = words(s)
			}
			for _, line := range lines {
				if n++; n > maxNamed {
					d.app.sayf("… and more; wf list shows all")
					return false
				}
				d.app.sayf("%s", line)
			}
			return true
		})
		if err != nil || n > maxNamed {
			return n, err
		}
	}
	return n, nil
}

// drive runs the engine to its end and closes it. An interruption is said, with
// what is unfinished.
func (d *driver) drive(ctx context.Context, work func(context.Context) error) error {
	until := engine.UntilDone
	if d.opts.untilIdle {
		until = engine.UntilIdle
	}
	err := d.engine.Drive(ctx, until, work)
	if closing := d.engine.Close(); closing != nil && !errors.Is(err, closing) {
		err = errors.Join(err, closing)
	}
	if errors.Is(err, errInterrupted) {
		return errors.Join(err, d.sayInterrupted(context.WithoutCancel(ctx)))
	}
	return err
}

func (d *driver) sayInterrupted(ctx context.Context) error {
	_, err := d.sayUnfinished(ctx, func(s engine.Summary) []string {
		if s.Workflow == program.MainName {
			return []string{"unfinished: " + s.ID + ", the program itself"}
		}
		return []string{"unfinished: " + s.ID + " " + position(s)}
	})
	return err
}

// report says how it went: what failed, what waits. It gives the error for the
// exit code.
func (d *driver) report(ctx context.Context) error {
	failed := d.engine.Failed()
	var err error
	for i, s := range failed.First {
		if i == maxNamed {
			break
		}
		d.app.sayf("%s", d.app.err.Red(failedWords(s)))
	}
	if n := failed.Count - maxNamed; n > 0 {
		d.app.sayf("… and %d more; wf list --status failed shows all", n)
	}
	if d.opts.untilIdle {
		_, err = d.sayUnfinished(ctx, func(s engine.Summary) []string {
			return prefixed("waiting: ", waitsFor(s))
		})
	}
	if err == nil && failed.Count > 0 {
		err = said(exitFailed)
	}
	return err
}

// finish prints the value of a program's main, unless it has none, and notes
// that the run has been reported if it is through: the next one is a new one.
func (d *driver) finish(ctx context.Context, main string) error {
	s, err := d.engine.Show(ctx, main)
	if err != nil || !terminal(s) {
		return err
	}
	if s.Status == flow.Completed.String() {
		if !s.Result.IsNil() && !s.Result.IsUnit() {
			if _, err := fmt.Fprintln(d.app.stdout, s.Result); err != nil {
				return fmt.Errorf("write output: %w", err)
			}
		}
		if open, err := d.engine.Unfinished(ctx, main); err != nil || open {
			return err
		}
	}
	return d.engine.Reported(ctx, main)
}
