package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

type runOptions struct {
	driveOptions
	memory bool
	fresh  bool
}

func newRun(a *app) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Check a script and run it, or continue its unfinished run",
		Long: "Checks a script, then drives the unfinished instances in the store. An unfinished run of\n" +
			"this very script is continued; otherwise a new one is started. Ctrl-C leaves, and so may a\n" +
			"crash: the same command goes on behind the last step that was completed.\n\n" +
			"What the script prints goes to stdout, and last its value, unless that is () or nil.",
		Example: "  wf run order.wf\n  wf run order.wf --store /var/lib/orders --until-idle\n  wf run order.wf --memory --trace",
		Args:    exactly(1, "a FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runFile(cmd, args[0], o)
		},
		ValidArgsFunction: completeFiles,
	}
	a.storeFlag(cmd)
	o.flags(cmd)
	cmd.Flags().BoolVar(&o.memory, "memory", false, "keep nothing: the store is in memory")
	cmd.Flags().BoolVar(&o.fresh, "new", false, "start a new run even if there is an unfinished one")
	return cmd
}

// runFile checks first: nothing is created before the program has passed.
func (a *app) runFile(cmd *cobra.Command, file string, o runOptions) (err error) {
	if o.memory && cmd.Flags().Changed("store") {
		return usage("--memory keeps nothing, so there is no --store with it")
	}
	prog, err := a.compile(file)
	if err != nil {
		return err
	}
	var s persist.Store
	dir := ""
	if o.memory {
		s = persist.NewMemory()
	} else if s, dir, err = a.openStore(cmd, bolt.Options{}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, stop := a.interruptible(cmd.Context())
	defer stop()
	d, err := a.newDriver(ctx, s, dir, o.driveOptions)
	if err != nil {
		return interruption(ctx, err)
	}
	d.world.warnDenied(a, prog, true)
	err = interruption(ctx, d.runProgram(ctx, prog, o.fresh))
	switch {
	case onlyInterrupted(err) && o.memory:
		a.sayf("stopped; the store was in memory, so it ends here")
		return said(exitInterrupted)
	case onlyInterrupted(err):
		a.sayf("stopped; nothing is lost, the same command continues")
		return said(exitInterrupted)
	}
	return err
}

// runProgram continues the unfinished run of a program, or starts one, and
// reports when everything has ended.
func (d *driver) runProgram(ctx context.Context, prog *program.Program, fresh bool) error {
	run, err := d.findRun(ctx, prog, fresh)
	if err != nil {
		return errors.Join(err, d.stop())
	}
	d.leave(run.LeftAlone, "another program or of an earlier version")
	if run.Resumed {
		d.app.sayf("resuming %s, the unfinished run of this program (--new starts another)", run.ID)
	}
	if _, err := d.takeUp(ctx, run.ID); err != nil {
		return errors.Join(err, d.stop())
	}
	work := func(ctx context.Context) error {
		id, err := d.engine.RunMain(ctx, prog)
		if err != nil {
			return fmt.Errorf("start the program: %w", err)
		}
		run.ID = id
		return nil
	}
	if run.Resumed {
		work = nil
	}
	if err := d.drive(ctx, work); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	failed := d.report(ctx)
	return errors.Join(d.finish(ctx, run.ID), failed)
}

// findRun looks for the run to continue and keeps away from all others.
func (d *driver) findRun(ctx context.Context, prog *program.Program, fresh bool) (engine.MainRun, error) {
	if !fresh {
		return d.engine.FindMain(ctx, prog)
	}
	left, err := d.engine.LeaveMains(ctx, "")
	return engine.MainRun{LeftAlone: left}, err
}
