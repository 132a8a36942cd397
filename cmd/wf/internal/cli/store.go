package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
	"github.com/wf-lang/wf/stdlib"
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

// openStore opens the store of a command and says what is wrong with it, and
// the way out, if it cannot be used.
func (a *app) openStore(cmd *cobra.Command, opts bolt.Options) (*bolt.Store, error) {
	dir, err := a.storeDir(cmd)
	if err != nil {
		return nil, err
	}
	s, err := bolt.Open(dir, opts)
	if err != nil {
		return nil, openTrouble(dir, err)
	}
	return s, nil
}

func openTrouble(dir string, err error) error {
	var locked *persist.LockedError
	why := strings.TrimPrefix(err.Error(), "open store "+dir+": ")
	switch {
	case errors.As(err, &locked) && locked.PID != 0:
		return storeTrouble("store %s is in use by process %d", dir, locked.PID)
	case errors.As(err, &locked):
		return storeTrouble("store %s is in use by another process", dir)
	case errors.Is(err, persist.ErrNotFound):
		return storeTrouble("there is no store in %s (wf run FILE makes one)", dir)
	case errors.Is(err, persist.ErrFormat):
		return storeTrouble("store %s was written by a newer wf: %s\nuse that version, or another folder with --store", dir, why)
	case errors.Is(err, persist.ErrDamaged):
		return storeTrouble("store %s cannot be used: %s\nnothing was changed; put a copy from before the damage there, or use another folder with --store", dir, why)
	case errors.Is(err, fs.ErrPermission):
		return storeTrouble("store %s cannot be opened: %s\nyou need the right to read and write in that folder; --store names another one", dir, why)
	}
	return storeTrouble("store %s cannot be opened: %s\n--store names another folder", dir, why)
}

// newEngine makes an engine that looks, and commits, but does not drive.
func newEngine(ctx context.Context, s persist.Store) (*engine.Engine, error) {
	return engine.Open(ctx, engine.Config{Store: s, Builtins: stdlib.Table(), Clock: engine.SystemClock(), Seed: rand.Uint64, Passive: true})
}

// look opens the store for reading, which creates and changes nothing.
func (a *app) look(cmd *cobra.Command, f func(ctx context.Context, e *engine.Engine) error) error {
	return a.withEngine(cmd, bolt.Options{ReadOnly: true}, f)
}

// act opens an existing store, commits what f asks of the engine and leaves:
// it is whoever drives the store next that goes on with it.
func (a *app) act(cmd *cobra.Command, f func(ctx context.Context, e *engine.Engine) error) error {
	return a.withEngine(cmd, bolt.Options{MustExist: true}, func(ctx context.Context, e *engine.Engine) error {
		return e.Drive(ctx, engine.UntilIdle, func(ctx context.Context) error { return f(ctx, e) })
	})
}

func (a *app) withEngine(cmd *cobra.Command, opts bolt.Options, f func(context.Context, *engine.Engine) error) (err error) {
	s, err := a.openStore(cmd, opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, stop := a.interruptible(cmd.Context())
	defer stop()
	e, err := newEngine(ctx, s)
	if err != nil {
		return err
	}
	if err := f(ctx, e); err != nil {
		return errors.Join(err, e.Close())
	}
	if err := e.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return nil
}
