package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

func newResume(a *app) *cobra.Command {
	var o driveOptions
	cmd := &cobra.Command{
		Use:   "resume [ID]",
		Short: "Drive what is unfinished in the store, without a script",
		Long: "Drives the unfinished instances in the store; unfinished runs of programs (main-1, …) only\n" +
			"if they are named. With ID it drives that instance and what it has spawned, nothing else,\n" +
			"and leaves when it has ended; if it is paused, it is resumed first. While another process\n" +
			"drives the store, wf resume ID ends the pause of that instance there, and leaves.",
		Example: "  wf resume\n  wf resume main-3\n  wf resume Order-1 --until-idle",
		Args:    between(0, 1, "at most one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id := ""
			if len(args) == 1 {
				id = args[0]
			}
			return a.resume(cmd, id, o)
		},
		ValidArgsFunction: a.completeIDs(unfinished),
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "what was done in the process that drives the store, and errors, as JSON")
	o.flags(cmd)
	return cmd
}

func (a *app) resume(cmd *cobra.Command, id string, o driveOptions) (err error) {
	dir, err := a.storeDir(cmd)
	if err != nil {
		return err
	}
	s, err := bolt.Open(dir, bolt.Options{MustExist: true})
	switch {
	case errors.Is(err, persist.ErrLocked) && id != "":
		return a.resumeThere(cmd, id)
	case err != nil:
		return a.openTrouble(dir, err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, stop := a.interruptible(cmd.Context())
	defer stop()
	d, err := a.newDriver(ctx, s, dir, o)
	if err != nil {
		return interruption(ctx, err)
	}
	err = interruption(ctx, d.resume(ctx, id))
	if onlyInterrupted(err) {
		a.sayf("stopped; nothing is lost, the same command continues")
		return said(exitInterrupted)
	}
	return err
}

// resumeThere lets a paused instance go on in the process that drives the store.
func (a *app) resumeThere(cmd *cobra.Command, id string) error {
	return a.act(cmd, func(ctx context.Context, o *operate.Operator) error {
		if err := o.Resume(ctx, id); err != nil {
			return err
		}
		return a.acted(o, acted{ID: id, Action: "resume"}, "%s is resumed%s", id, a.goesOn(o, "goes on with it"))
	})
}

// errReached ends a drive when the instance that it was for has ended.
var errReached = errors.New("reached")

func (d *driver) resume(ctx context.Context, id string) error {
	work, err := d.workFor(ctx, id)
	if err != nil {
		return errors.Join(err, d.stop())
	}
	if err := d.choose(ctx, id); err != nil {
		return errors.Join(err, d.stop())
	}
	n, err := d.takeUp(ctx, "")
	if err != nil {
		return errors.Join(err, d.stop())
	}
	if n == 0 && id == "" && !d.opts.untilIdle {
		d.app.sayf("nothing is unfinished")
	}
	if err := d.drive(ctx, work); err != nil && !errors.Is(err, errReached) {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	failed := d.report(ctx)
	if id == "" {
		return failed
	}
	s, err := d.engine.Show(ctx, id)
	if err == nil && s.Workflow == program.MainName {
		err = d.finish(ctx, id)
	}
	return errors.Join(err, failed)
}

// choose says what is driven: one instance, or everything but runs of programs.
func (d *driver) choose(ctx context.Context, id string) error {
	if id != "" {
		return d.engine.DriveOnly(ctx, id)
	}
	left, err := d.engine.LeaveMains(ctx, "")
	d.leave(left, "a program")
	return err
}

// workFor is what goes on beside the engine for the sake of one instance: it is
// resumed if it is paused, and the drive ends with it.
func (d *driver) workFor(ctx context.Context, id string) (func(context.Context) error, error) {
	if id == "" {
		return nil, nil
	}
	s, err := d.engine.Show(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case tell.AtRest(s):
		return nil, &exitError{exitRefused, errors.New(s.ID + " is " + s.Status + "; there is nothing to resume")}
	}
	d.watch = id
	d.warnDenied(ctx, []engine.Summary{s})
	return func(ctx context.Context) error {
		if s.Status == flow.Paused.String() {
			if err := d.engine.Resume(ctx, id); err != nil {
				return err
			}
		}
		if d.opts.untilIdle {
			return nil
		}
		return d.ended(ctx, id)
	}, nil
}

// ended waits until the watched instance is terminal.
func (d *driver) ended(ctx context.Context, id string) error {
	for {
		s, err := d.engine.Show(ctx, id)
		switch {
		case err != nil && !errors.Is(err, engine.ErrNotFound):
			return err
		case err != nil || tell.AtRest(s):
			return errReached
		}
		select {
		case <-d.change:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
