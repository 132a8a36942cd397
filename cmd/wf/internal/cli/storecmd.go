package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/persist/bolt"
)

// newStore is the group of commands about a store as a whole.
func newStore(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "store",
		Short:   "Look after a store as a whole",
		Long:    "Tells what is in a store, checks it, makes it smaller, copies it and takes it out.",
		Example: "  wf store info\n  wf store backup monday.db\n  wf store check",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	cmd.AddCommand(newStoreInfo(a), newStoreCheck(a), newStoreSalvage(a), newStoreCompact(a), newStoreBackup(a), newStoreExport(a))
	return cmd
}

func newStoreInfo(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "info",
		Short:   "Tell what is in a store, and who drives it",
		Example: "  wf store info\n  wf store info --json",
		Args:    between(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.look(cmd, func(ctx context.Context, o *operate.Operator) error {
				info, err := o.Info(ctx)
				if err != nil {
					return err
				}
				return a.render(func(w *bufio.Writer) error {
					if a.json {
						return writeJSON(w, infoOf(info))
					}
					return a.showInfo(w, info)
				})
			})
		},
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "as one JSON document")
	return cmd
}

func (a *app) showInfo(w io.Writer, info operate.Info) error {
	fmt.Fprintf(w, "%-9s %s\n", "store", info.StoreID)
	fmt.Fprintf(w, "%-9s %s\n", "created", info.Created.Local().Format(time.RFC3339))
	fmt.Fprintf(w, "%-9s %d bytes\n", "file", info.Size)
	fmt.Fprintf(w, "%-9s %s\n", "programs", ui.Count(info.Programs, "version"))
	fmt.Fprintf(w, "%-9s %d\n", "events", info.LastEvent)
	if info.Owner != 0 {
		fmt.Fprintf(w, "%-9s process %d\n", "driven by", info.Owner)
	}
	if len(info.Instances) == 0 {
		return nil
	}
	table := ui.Table{Head: []string{"WORKFLOW", "STATUS", "INSTANCES"}}
	for _, c := range info.Instances {
		table.Add(c.Workflow, c.Status, fmt.Sprint(c.Count))
	}
	fmt.Fprintln(w)
	return table.Write(w, a.out)
}

func newStoreCompact(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "Write a store anew without unused room",
		Long: "Writes the file of a store anew, without the room that what was deleted has left. Nobody\n" +
			"may have the store open meanwhile. A crash leaves the store as it was, or compacted.",
		Example: "  wf store compact",
		Args:    between(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := a.storeDir(cmd)
			if err != nil {
				return err
			}
			ctx, stop := a.interruptible(cmd.Context())
			defer stop()
			before, after, err := bolt.Compact(ctx, dir)
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err != nil:
				return a.openTrouble(dir, err)
			}
			a.sayf("%d bytes are %d now", before, after)
			return nil
		},
	}
	a.storeFlag(cmd)
	return cmd
}

func newStoreBackup(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy a store to a file, also while it is driven",
		Long: "Writes a consistent copy of a store to a new file. To use it, put it into a folder of its\n" +
			"own under the name " + bolt.FileName + " and name that folder with --store.",
		Example: "  wf store backup monday.db",
		Args:    exactly(1, "the name of a new FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.look(cmd, func(ctx context.Context, o *operate.Operator) error {
				if err := o.Backup(ctx, args[0]); err != nil {
					return err
				}
				a.sayf("the store is copied to %s", args[0])
				return nil
			})
		},
	}
	a.storeFlag(cmd)
	return cmd
}

func newStoreSalvage(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "salvage FOLDER",
		Short: "Make a new store of what is clean in a damaged one",
		Long: "Reads a damaged store and makes a new one, in a new folder, of every record that is as it\n" +
			"was written. The old store is not changed. What was lost is listed. Unfinished instances that\n" +
			"lack something are paused in the new store: wf list --stuck shows them, wf show says what they\n" +
			"lack, and you decide: wf resume goes on with what is there, wf retry begins the step anew,\n" +
			"wf cancel undoes, wf terminate only ends.",
		Example: "  wf store salvage rescued --store damaged\n  wf list --store rescued",
		Args:    exactly(1, "the name of a new FOLDER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := a.storeDir(cmd)
			if err != nil {
				return err
			}
			return a.confined(cmd, dir, func(ctx context.Context) error { return a.salvage(ctx, dir, args[0]) })
		},
	}
	a.storeFlag(cmd)
	return cmd
}

func (a *app) salvage(ctx context.Context, dir, target string) error {
	report, err := bolt.Salvage(ctx, dir, target)
	switch {
	case errors.Is(err, fs.ErrExist):
		return &exitError{exitRefused, fmt.Errorf("there is a store in %s already; name a new folder", target)}
	case err != nil:
		return a.openTrouble(dir, err)
	}
	parked, parking := operate.Park(ctx, target, doubts(report))
	err = a.render(func(w *bufio.Writer) error {
		for _, d := range report.Damage {
			fmt.Fprintf(w, "damaged: %s\n", damageWords(d))
		}
		for _, l := range report.Losses {
			fmt.Fprintf(w, "lost: %s\n", lossWords(l))
		}
		if report.Omitted > 0 {
			fmt.Fprintf(w, "… and %d more\n", report.Omitted)
		}
		return nil
	})
	kept := uint64(0)
	for _, k := range report.Kept {
		kept += k.Records
	}
	if report.NewID {
		a.sayf("the id of the store was lost; the new one has another")
	}
	a.sayf("%s in %s; %s shows them", ui.Are(int(kept), "record"), target, tell.Shell{Store: target}.Wf("list"))
	if len(parked) > 0 {
		a.sayf("%s paused, because something may be missing there; %s shows them", ui.Are(len(parked), "instance"), tell.Shell{Store: target}.Wf("list", "--stuck"))
	}
	if report.Omitted > 0 {
		a.sayf("there are more losses than are named; instances that they concern are paused too")
	}
	return errors.Join(err, parking)
}

// doubts are the instances of which a salvage has lost something.
func doubts(r bolt.Report) []operate.Doubt {
	var out []operate.Doubt
	for _, l := range r.Losses {
		if l.Instance != 0 {
			out = append(out, operate.Doubt{Number: l.Instance, Reason: "salvaged with losses: " + l.Bucket + ": " + l.Reason})
		}
	}
	for _, number := range r.Unnamed {
		out = append(out, operate.Doubt{Number: number, Reason: "salvaged with losses, of which there were more than were named"})
	}
	return out
}

func damageWords(d bolt.Damage) string {
	s := fmt.Sprintf("page %d", d.Page)
	if d.Bucket != "" {
		s += " of " + d.Bucket
	}
	return s + ": " + ui.Line(d.Reason)
}

func lossWords(l bolt.Loss) string {
	s := l.Bucket
	switch {
	case l.ID != "":
		s += " of " + l.ID
	case l.Instance != 0:
		s += fmt.Sprintf(" of instance number %d", l.Instance)
	}
	s += ": " + ui.Line(l.Reason)
	if l.Doubtful {
		s += " (perhaps)"
	}
	return s
}

func newStoreCheck(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Read a whole store and say what is damaged",
		Long: "Reads all records of a store, also while it is driven, and compares them with their\n" +
			"checksums and with each other. The exit code is 5 if something is damaged.",
		Example: "  wf store check",
		Args:    between(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := a.storeDir(cmd)
			if err != nil {
				return err
			}
			return a.confined(cmd, dir, func(context.Context) error { return a.checkStore(cmd) })
		},
	}
	a.storeFlag(cmd)
	return cmd
}

// checkStore looks through the owner of the store if there is one.
func (a *app) checkStore(cmd *cobra.Command) error {
	return a.look(cmd, func(ctx context.Context, o *operate.Operator) error {
		n := 0
		err := a.render(func(w *bufio.Writer) error {
			var writing error
			err := o.Verify(ctx, func(p operate.Problem) bool {
				n++
				_, writing = fmt.Fprintf(w, "%s: %s\n", p.Place, ui.Line(p.Text))
				return writing == nil
			})
			return errors.Join(err, writing)
		})
		switch {
		case err != nil:
			return err
		case n > 0:
			return storeTrouble("%s damaged; nothing was changed\n%s makes a new store, in that folder, of what is clean", ui.Are(n, "record"), a.shell().Wf("store", "salvage", "FOLDER"))
		}
		a.sayf("the store is clean")
		return nil
	})
}
