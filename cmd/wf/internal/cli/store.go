package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

const defaultStore = "./.wf"

// storeFlag adds --store to a command.
func (a *app) storeFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.store, "store", "", "folder of the store (default $WF_STORE, else "+defaultStore+")")
	_ = cmd.MarkFlagDirname("store") // it can only fail for an unknown flag
}

// storeDir is the folder to use: the flag, else the environment, else the default.
func (a *app) storeDir(cmd *cobra.Command) (string, error) {
	if cmd.Flags().Changed("store") {
		if a.store == "" {
			return "", usage("--store needs the name of a folder")
		}
		return a.store, nil
	}
	if dir := a.getenv("WF_STORE"); dir != "" {
		return dir, nil
	}
	return defaultStore, nil
}

// openStore opens the store of a command in its folder and says what is wrong
// with it, and the way out, if it cannot be used.
func (a *app) openStore(cmd *cobra.Command, opts bolt.Options) (s *bolt.Store, dir string, err error) {
	if dir, err = a.storeDir(cmd); err != nil {
		return nil, "", err
	}
	if s, err = bolt.Open(dir, opts); err != nil {
		return nil, "", a.openTrouble(dir, err)
	}
	return s, dir, nil
}

func (a *app) openTrouble(dir string, err error) error {
	var locked *persist.LockedError
	var version *operate.VersionError
	why := strings.TrimPrefix(err.Error(), "open store "+dir+": ")
	switch {
	case errors.As(err, &version):
		return storeTrouble("store %s cannot be reached: %s\nuse that version, or end that process", dir, version)
	case errors.Is(err, errInterrupted):
		return err
	case errors.As(err, &locked) && locked.PID != 0:
		return storeTrouble("store %s is in use by process %d", dir, locked.PID)
	case errors.As(err, &locked):
		return storeTrouble("store %s is in use by another process", dir)
	case errors.Is(err, persist.ErrNotFound):
		return storeTrouble("there is no store in %s (%s makes one)", dir, a.shell().Wf("run", "FILE"))
	case errors.Is(err, persist.ErrFormat):
		return storeTrouble("store %s was written by a newer wf: %s\nuse that version, or another folder with --store", dir, why)
	case errors.Is(err, persist.ErrDamaged) && isEmpty(dir):
		return storeTrouble("store %s cannot be used: %s\nnothing was changed, and nothing is in it that could be saved; put a copy from before there, or remove that file and begin anew", dir, why)
	case errors.Is(err, persist.ErrDamaged):
		return storeTrouble("store %s cannot be used: %s\nnothing was changed; put a copy from before the damage there, or save what is clean with %s", dir, why, a.shell().Wf("store", "salvage", "FOLDER"))
	case errors.Is(err, fs.ErrPermission):
		return storeTrouble("store %s cannot be opened: %s\nyou need the right to read and write in that folder; --store names another one", dir, why)
	}
	return storeTrouble("store %s cannot be opened: %s\n--store names another folder", dir, why)
}

// isEmpty reports whether the file of a store has nothing in it.
func isEmpty(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, bolt.FileName))
	return err == nil && info.Size() == 0
}

// look gives f the store of a command, to look at.
func (a *app) look(cmd *cobra.Command, f func(ctx context.Context, o *operate.Operator) error) error {
	return a.operate(cmd, operate.Options{}, f)
}

// act gives f the store of a command, which must exist, to change something. Who
// drives the store goes on with it: at once, or with the next wf run.
func (a *app) act(cmd *cobra.Command, f func(ctx context.Context, o *operate.Operator) error) error {
	return a.operate(cmd, operate.Options{Act: true}, f)
}

func (a *app) operate(cmd *cobra.Command, opts operate.Options, f func(context.Context, *operate.Operator) error) (err error) {
	if opts.Dir, err = a.storeDir(cmd); err != nil {
		return err
	}
	ctx, stop := a.interruptible(cmd.Context())
	defer stop()
	o, err := operate.Open(ctx, opts)
	if err != nil {
		return a.openTrouble(opts.Dir, err)
	}
	err = f(ctx, o)
	if closing := o.Close(); closing != nil && !errors.Is(err, closing) {
		err = errors.Join(err, closing)
	}
	var locked *persist.LockedError
	if errors.As(err, &locked) { // its owner was lost, and another one came that does not answer
		err = a.openTrouble(opts.Dir, err)
	}
	return err
}

// goesOn is said after an act: who goes on with what was committed.
func (a *app) goesOn(o *operate.Operator, what string) string {
	if o.Owner() != 0 {
		return ""
	}
	run := "wf run"
	if a.store != "" {
		run = a.shell().Wf("run", "FILE")
	}
	return "; " + run + " or " + a.shell().Wf("resume") + " " + what
}

// shell makes commands for the store that this one was given.
func (a *app) shell() tell.Shell { return tell.Shell{Store: a.store} }
