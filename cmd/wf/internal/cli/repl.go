package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/repl"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
	"github.com/wf-lang/wf/stdlib"
)

type replOptions struct {
	world   worldOptions
	memory  bool
	virtual bool
}

func newREPL(a *app) *cobra.Command {
	var o replOptions
	cmd := &cobra.Command{
		Use:   "repl [FILE]",
		Short: "Talk to workflows: declarations and expressions, one after the other",
		Long: "Reads declarations and statements, carries them out and shows what they come to. What is\n" +
			"spawned is as durable as under wf run, and goes on while you type; what was unfinished in\n" +
			"the store goes on, too. FILE is read first, as if it were typed. :help lists the commands.\n\n" +
			"Where its input is no terminal it shows results only, and ends with 1 if a text has failed.",
		Example: "  wf repl\n  wf repl order.wf --store /var/lib/orders\n  wf repl --virtual\n  echo 'List.map([1, 2], fn(x) = x * 2)' | wf repl --memory",
		Args:    between(0, 1, "at most one FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.repl(cmd, args, o)
		},
		ValidArgsFunction: completeFiles,
	}
	a.storeFlag(cmd)
	o.world.flags(cmd)
	cmd.Flags().BoolVar(&o.memory, "memory", false, "keep nothing: the store is in memory")
	cmd.Flags().BoolVar(&o.virtual, "virtual", false, "a clock that moves when it is told to (:clock +2h) or when a line waits; keeps nothing")
	return cmd
}

func (a *app) repl(cmd *cobra.Command, args []string, o replOptions) (err error) {
	switch {
	case cmd.Flags().Changed("store") && o.memory:
		return usage("--memory keeps nothing, so there is no --store with it")
	case cmd.Flags().Changed("store") && o.virtual:
		return usage("a virtual clock would leave the time of the store in the future, so --virtual keeps nothing: there is no --store with it")
	}
	for _, path := range args {
		if _, err := readText(path); err != nil {
			return &exitError{exitUsage, err}
		}
	}
	var s persist.Store
	dir := ""
	if o.memory || o.virtual {
		s = persist.NewMemory()
	} else if s, dir, err = a.ownStore(cmd); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	w, err := a.newWorld(&o.world, dir, engine.SystemClock())
	if err != nil {
		return err
	}
	t := &repl.Terminal{In: os.Stdin, Out: a.stdout, Err: a.stderr, Is: a.out, Getenv: a.getenv, Direct: o.virtual}
	session, machine, err := a.session(cmd.Context(), t, repl.MachineConfig{Store: s, Dir: dir, Virtual: o.virtual, Caller: w, Log: w.log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, machine.Close(), t.Close()) }()
	out, err := t.Run(cmd.Context(), session, args)
	if err == nil && out == repl.Failed {
		err = said(exitFailed)
	}
	return err
}

// ownStore opens the store of a session, which drives it itself.
func (a *app) ownStore(cmd *cobra.Command) (persist.Store, string, error) {
	dir, err := a.storeDir(cmd)
	if err != nil {
		return nil, "", err
	}
	s, err := bolt.Open(dir, bolt.Options{})
	var locked *persist.LockedError
	switch {
	case errors.As(err, &locked):
		return nil, "", storeTrouble("%s\na session drives its store itself: end the other process, or use another folder with --store, or none with --memory", a.openTrouble(dir, err))
	case err != nil:
		return nil, "", a.openTrouble(dir, err)
	}
	return s, dir, nil
}

// session makes a session and the machine that it talks to.
func (a *app) session(ctx context.Context, t *repl.Terminal, cfg repl.MachineConfig) (*repl.Session, *repl.Machine, error) {
	if err := t.Open(); err != nil {
		return nil, nil, err
	}
	out, problems := t.Writers()
	cfg.Builtins, cfg.Seed, cfg.Output, cfg.Notice = stdlib.Table(), rand.Uint64, out, t.Notice
	machine, start, err := repl.NewMachine(ctx, cfg)
	if err != nil {
		return nil, nil, errors.Join(err, t.Close())
	}
	session := repl.New(repl.Options{
		Machine: machine, Builtins: cfg.Builtins, Caller: cfg.Caller, Out: out, Err: problems, Terminal: a.out, Columns: t.Columns, Log: cfg.Log, Shell: a.shell(), Seed: cfg.Seed,
		Quiet:  !t.Interactive(),
		Gather: gather, Read: readText, Write: writeScript,
		Doc: func(w io.Writer, name string) error { return library{table: cfg.Builtins, tint: a.out}.show(w, name) },
	})
	session.Started(start)
	return session, machine, nil
}

// gather reads a text and what it imports into a set.
func gather(set *source.Set, name, text string) diag.List {
	l := loader{set: set, before: len(set.Files), seen: map[string]bool{}}
	l.add(name, text, nil)
	said := append(l.imports, l.syntax...)
	said.Sort()
	return said
}

// writeScript writes a file; one that is there is replaced.
func writeScript(path, text string) error {
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the session: %w", err)
	}
	return nil
}
