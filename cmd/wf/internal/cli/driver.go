package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
	"github.com/wf-lang/wf/stdlib"
)

// maxNamed is how many instances are named one by one.
const maxNamed = 10

// driveOptions are the flags of the commands that drive instances.
type driveOptions struct {
	untilIdle bool
	trace     bool
	world     worldOptions
}

func (o *driveOptions) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.untilIdle, "until-idle", false, "leave when nothing can move without somebody outside")
	cmd.Flags().BoolVar(&o.trace, "trace", false, "show every change on stderr, once it is committed")
	o.world.flags(cmd)
}

// A driver drives the instances of a store until they are done and says on
// stderr what it takes up, what it leaves and what went wrong.
type driver struct {
	app      *app
	opts     driveOptions
	store    *bolt.Store // nil: the store is in memory, and nobody else's business
	dir      string      // of the store
	engine   *engine.Engine
	world    *world
	news     operate.News // of events
	server   *operate.Server
	progress *progress // nil: not shown
	waits    *waits
	spool    *ui.Spool // for what is said while the engine waits
	watch    string    // instance whose changes are told on change
	change   chan struct{}
}

// maxUntold is how many bytes of stderr may wait for a reader.
const maxUntold = 256 << 10

// drivingGC is the growth of the heap, in percent, at which a driving process
// collects garbage. What it keeps is small and what it throws away much, so Go's
// own 100 would spend a fifth of the time on collecting.
const drivingGC = 400

func (a *app) newDriver(ctx context.Context, s persist.Store, dir string, o driveOptions) (*driver, error) {
	d := &driver{app: a, opts: o, dir: dir, change: make(chan struct{}, 1), spool: ui.NewSpool(a.stderr, maxUntold)}
	d.waits = newWaits(d)
	d.store, _ = s.(*bolt.Store)
	if a.err.Live && !o.trace {
		d.progress = newProgress(a)
	}
	if a.getenv("GOGC") == "" {
		debug.SetGCPercent(drivingGC)
	}
	clock := engine.SystemClock()
	var err error
	if d.world, err = a.newWorld(&o.world, dir, clock); err != nil {
		return nil, err
	}
	d.engine, err = engine.Open(ctx, engine.Config{Store: s, Builtins: stdlib.Table(), Clock: clock,
		Seed: rand.Uint64, Caller: d.world, Log: d.world.log, Output: a.stdout, Trace: d.traced, TraceWords: o.trace, Room: d.room, Quiet: d.waits.nothingMoves})
	return d, err
}

// serve lets other commands reach the store while this process drives it.
func (d *driver) serve() {
	if d.store == nil {
		return
	}
	var err error
	if d.server, err = operate.Serve(d.dir, d.engine, d.store, &d.news); err != nil {
		d.app.sayf("other wf commands cannot reach this store while it is driven: %v", err)
	}
}

// stop ends what serve began, and the engine: whoever has asked for something is
// answered first.
func (d *driver) stop() (err error) {
	if d.server != nil {
		err = d.server.Shut()
	}
	err = errors.Join(err, d.engine.Close())
	d.spool.Close(time.Second)
	d.world.Close()
	if d.server != nil {
		d.server.Wait()
	}
	return err
}

// room is told when the store is full and when there is room again.
func (d *driver) room(enough bool) {
	if enough {
		d.spool.Say("there is room again; everything goes on")
		return
	}
	d.spool.Say(d.app.err.Red("no room is left on the disk: nothing is lost and nothing fails, but what needs room waits, and new requests are refused, until there is some"))
}

// traced is told every committed change, in order.
func (d *driver) traced(t engine.Trace) {
	if d.opts.trace {
		d.spool.Say(d.app.err.Faint(time.Unix(0, t.Time).Local().Format("15:04:05.000")) + " " + t.Instance + " " + t.Text)
	} else if t.Kind == engine.TraceFinally {
		d.spool.Say(fmt.Sprintf("%s %s; how it ends does not change", t.Instance, t.Text))
	} else if t.Kind == engine.TracePaused {
		d.spool.Say(fmt.Sprintf("%s %s; %s lets it go on", t.Instance, t.Text, d.app.shell().Wf("resume", t.Instance)))
	}
	if t.Kind == engine.TraceEmitted {
		d.news.Tell()
	}
	if d.progress != nil {
		d.progress.traced(t)
	}
	if t.Instance == d.watch {
		select {
		case d.change <- struct{}{}:
		default:
		}
	}
}

// leave names the mains that are left alone, and what they are runs of.
func (d *driver) leave(mains []engine.Summary, of string) {
	for i, s := range mains {
		if i < maxNamed {
			d.app.sayf("left alone: %s, an unfinished run of %s; %s continues it", s.ID, of, d.app.shell().Wf("resume", s.ID))
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
		if d.progress != nil {
			d.progress.add(s.ID)
		}
		if s.ID == main {
			continue
		}
		if named++; named <= maxNamed {
			d.app.sayf("%s", tell.TakenUp(s))
		}
	}
	if named > maxNamed {
		d.app.sayf("… and %d more", named-maxNamed)
	}
	if d.opts.untilIdle {
		d.warnDenied(ctx, taken)
		return len(taken), nil // what waits is named at the end
	}
	all := taken
	lines, more, err := d.unfinished(ctx, func(s engine.Summary) []string {
		all = append(all, s)
		return d.waitWords(s)
	})
	d.warnDenied(ctx, all)
	d.waits.said, d.waits.more = lines, more
	return len(taken) + len(lines), d.sayUnfinished(lines, more, err)
}

// warnDenied says which calls will be refused to instances that are driven.
func (d *driver) warnDenied(ctx context.Context, driven []engine.Summary) {
	seen := map[string]bool{}
	for _, s := range driven {
		itself := s.Workflow == program.MainName
		if key := fmt.Sprint(s.Program, itself); !seen[key] {
			seen[key] = true
			if prog, err := d.engine.Program(ctx, s.Program); err == nil { // else the engine pauses it, and says why
				d.world.warnDenied(d.app, prog, itself)
			}
		}
	}
}

// drive runs the engine to its end and closes it. An interruption is said, with
// what is unfinished.
func (d *driver) drive(ctx context.Context, work func(context.Context) error) error {
	until := engine.UntilDone
	if d.opts.untilIdle {
		until = engine.UntilIdle
	}
	d.serve()
	if d.progress != nil {
		d.progress.start(d.engine)
	}
	d.waits.start()
	err := d.engine.Drive(ctx, until, work)
	err = interruption(ctx, err)
	d.waits.stop()
	if d.progress != nil {
		err = errors.Join(err, d.progress.stop())
	}
	d.sayCalls(d.engine.CallsUnderWay())
	switch closing := d.stop(); {
	case closing == nil:
	case err == nil || errors.Is(closing, err):
		err = closing // what has stopped the engine says its Close again
	default:
		err = errors.Join(err, closing)
	}
	if errors.Is(err, errInterrupted) {
		return errors.Join(err, d.sayInterrupted(context.WithoutCancel(ctx)))
	}
	return err
}

// sayCalls says which outside calls hold up the end.
func (d *driver) sayCalls(calls []engine.CallUnderWay) {
	if len(calls) == 0 {
		return
	}
	words := calls[0].Op + " of " + calls[0].Instance
	if n := len(calls) - 1; n > 0 {
		words += " and of " + ui.Count(n, "other call")
	}
	d.spool.Say("waiting a moment for the answer of " + words + "; Ctrl-C leaves at once")
}

// sayInterrupted says what has failed until then, and what is unfinished.
func (d *driver) sayInterrupted(ctx context.Context) error {
	d.sayFailed(ctx)
	return d.sayUnfinished(d.unfinished(ctx, func(s engine.Summary) []string {
		if s.Workflow == program.MainName {
			return []string{"unfinished: " + s.ID + ", the program itself"}
		}
		return []string{"unfinished: " + s.ID + " " + tell.Position(s)}
	}))
}

// report says how it went: what failed, what waits. It gives the error for the
// exit code.
func (d *driver) report(ctx context.Context) error {
	failed := d.sayFailed(ctx)
	var err error
	if d.opts.untilIdle {
		lines, more, waiting := d.waiting(ctx)
		lines = slices.DeleteFunc(lines, func(line string) bool { return slices.Contains(d.waits.said, line) })
		err = d.sayUnfinished(lines, more && !d.waits.more, waiting)
	}
	if err == nil && failed > 0 {
		err = said(exitFailed)
	}
	return err
}

// sayFailed names what ended badly in this run, and gives how many that are.
func (d *driver) sayFailed(ctx context.Context) int {
	failed := d.engine.Failed()
	for i, s := range failed.First {
		if i == maxNamed {
			break
		}
		d.app.sayf("%s", d.app.err.Red(tell.FailedWords(s)))
	}
	d.sayEndedBefore(ctx, failed)
	if n := failed.Count - maxNamed; n > 0 {
		d.app.sayf("… and %d more; %s shows all", n, d.app.shell().Wf("list", "--status", "failed"))
	}
	return failed.Count
}

// sayEndedBefore says of what a program has failed over if that had ended before
// this run, which the failure itself does not tell.
func (d *driver) sayEndedBefore(ctx context.Context, failed engine.FailedInstances) {
	ended := map[string]bool{}
	for _, s := range failed.First {
		ended[s.ID] = true
	}
	for _, s := range failed.First {
		if s.Workflow != program.MainName || s.Failure == nil || failed.Count > len(failed.First) {
			continue
		}
		detail, _ := s.Failure.Detail.AsRecord()
		if detail == nil {
			continue
		}
		v, _ := detail.Get("id")
		id, ok := v.AsString()
		if !ok || ended[id] {
			continue
		}
		if of, err := d.engine.Show(ctx, id); err == nil && tell.Ended(of) {
			d.app.sayf("%s had ended before this run, and a spawn under its id finds it again; %s makes room for a new one", id, d.app.shell().Wf("delete", id))
		}
	}
}

// finish prints the value of a program's main, unless it has none, and notes
// that the run has been reported if it is through: the next one is a new one.
func (d *driver) finish(ctx context.Context, main string) error {
	s, err := d.engine.Show(ctx, main)
	if err != nil || !tell.Ended(s) {
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
