// Package cli is the command line of wf: one file per command, each of which
// turns flags into one call and renders what it gives.
//
// Results go to stdout, everything else (progress, warnings, diagnostics) to
// stderr. Errors travel up as values; their exit codes are in exit.go.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/lang/spell"
)

// An app is one invocation of the command: its surroundings and the flags that
// several commands share.
type app struct {
	args   []string
	stdout io.Writer
	stderr io.Writer
	live   *ui.Live // lines below both, which may be used by several goroutines
	getenv func(string) string
	out    ui.Terminal // what stdout is
	err    ui.Terminal

	store string // --store
	json  bool   // --json
}

// Main runs the command as the process was called and gives its exit code.
func Main() int {
	errorsForLimits()
	live := ui.NewLive(os.Stderr)
	a := &app{args: os.Args[1:], stdout: os.Stdout, stderr: live.Text(os.Stderr), live: live, getenv: os.Getenv,
		out: ui.Of(os.Stdout, os.Getenv), err: ui.Of(os.Stderr, os.Getenv)}
	if a.out.Live {
		a.stdout = live.Text(os.Stdout) // else it does not go where the lines are, and must not hold them up
	}
	return a.run(context.Background())
}

// run executes the command. A panic is a mistake of ours: it is said as one.
func (a *app) run(ctx context.Context) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(a.stderr, "wf: internal error: %v\nThis is a mistake in wf, not in your script. What is in the store is safe. Please report it.\n", p)
			code = exitFailed
		}
	}()
	root := a.root()
	root.SetArgs(numbersAsArguments(root, a.args))
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	var exit *exitError
	if err != nil && !(errors.As(err, &exit) && exit.err == nil) {
		a.sayError(err)
	}
	return codeOf(err)
}

// sayError says why a command has failed: in words, or with --json as a document.
func (a *app) sayError(err error) {
	if a.json || slices.Contains(a.args, "--json") { // the flags may not have been read to their end
		if writeJSON(a.stderr, errorOf(err, a.shell())) == nil {
			return
		}
	}
	fmt.Fprintf(a.stderr, "%s %s\n", a.err.Red("wf:"), strings.ReplaceAll(words(err, a.shell()), "\n", "\n    "))
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "wf",
		Short:         "Durable workflows: scripts that survive restarts",
		Long:          "wf runs durable workflows. Each step of a workflow is a transaction; after a crash\nthe same command goes on behind the last step that was completed.",
		Example:       "  wf run order.wf        run a script; Ctrl-C and the same command again continue it\n  wf list                what is in the store\n  wf explain WF2301      what a diagnostic means",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return flagTrouble(cmd, err)
	})
	root.AddCommand(newRun(a), newREPL(a), newTest(a), newCheck(a), newFmt(a), newExplain(a), newDoc(a), newResume(a), newList(a), newShow(a), newHistory(a),
		newEvents(a), newQuery(a),
		newSpawn(a), newCall(a), newSignal(a), newCancel(a), newTerminate(a), newRetry(a), newDelete(a), newStore(a), newVersion(a), newCompletion(a))
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Example = "  wf help\n  wf help store backup"
	}
	return root
}

func unknownCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	switch near := spell.Nearest(name, names); {
	case near != "":
		return usage("there is no command %q; did you mean %q?", name, near)
	case strings.HasSuffix(name, ".wf"):
		return usage("there is no command %q; to run a script: wf run %s", name, name)
	}
	return usage("there is no command %q; wf --help lists them", name)
}

// exactly and between check the number of arguments; what names them for the
// message, as in the usage line.
func exactly(n int, what string) cobra.PositionalArgs { return between(n, n, what) }

func between(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("%s needs %s\n%s --help shows how it is used", cmd.CommandPath(), what, cmd.CommandPath())
		case len(args) > most && most == 0:
			return usage("%s takes no arguments, it was given %q", cmd.CommandPath(), args)
		case len(args) > most:
			return usage("%s takes %s, not %d arguments: %q", cmd.CommandPath(), what, len(args), args)
		}
		return nil
	}
}

// many is the upper bound of commands that take any number of arguments.
const many = 1 << 20

func (a *app) jsonFlag(cmd *cobra.Command, help string) {
	cmd.Flags().BoolVar(&a.json, "json", false, help)
}

// sayf says something on stderr, in a line of its own.
func (a *app) sayf(format string, args ...any) {
	fmt.Fprintf(a.stderr, format+"\n", args...)
}

// render calls f with a buffered stdout.
func (a *app) render(f func(w *bufio.Writer) error) error {
	w := bufio.NewWriter(a.stdout)
	if err := f(w); err != nil {
		return errors.Join(err, w.Flush())
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}
