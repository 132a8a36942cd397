package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
)

func newCompletion(a *app) *cobra.Command {
	shells := []string{"bash", "fish", "powershell", "zsh"}
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print the completion script of a shell: bash, zsh, fish or powershell",
		Example:   "  source <(wf completion bash)\n  wf completion zsh > \"${fpath[1]}/_wf\"\n  wf completion fish > ~/.config/fish/completions/wf.fish",
		Args:      exactly(1, "the name of a SHELL: "+strings.Join(shells, ", ")),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
			return usage("there is no completion for %q; there is one for %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// completer is what cobra calls for the completion of an argument.
type completer = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective)

// completeFiles offers scripts.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"wf"}, cobra.ShellCompDirectiveFilterFileExt
}

// maxOffered bounds how many ids are offered, and so the time that takes.
const maxOffered = 1000

// completeIDs offers the ids of the instances that pass a filter as the first
// argument.
func (a *app) completeIDs(pass func(engine.Summary) bool) completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var ids []string
		a.eachInstance(cmd, func(s engine.Summary) bool {
			if strings.HasPrefix(s.ID, word) && pass(s) {
				ids = append(ids, s.ID+"\t"+s.Workflow+", "+s.Status)
			}
			return len(ids) < maxOffered
		})
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeWorkflows offers the workflows that have instances in the store.
func (a *app) completeWorkflows(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var names []string
	seen := map[string]bool{program.MainName: true}
	a.eachInstance(cmd, func(s engine.Summary) bool {
		if !seen[s.Workflow] && strings.HasPrefix(s.Workflow, word) {
			seen[s.Workflow] = true
			names = append(names, s.Workflow)
		}
		return true
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeSignals offers instances, then the signals that the instance waits for.
func (a *app) completeSignals(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return a.completeIDs(unfinished)(cmd, args, word)
	}
	var names []string
	_ = a.operate(cmd, atOnce(), func(ctx context.Context, o *operate.Operator) error { // an error offers nothing
		s, err := o.Show(ctx, args[0])
		for _, w := range s.Waiting {
			names = append(names, w.Signals...)
		}
		return err
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeCommands offers instances, then the commands that the instance takes
// now.
func (a *app) completeCommands(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return a.completeIDs(unfinished)(cmd, args, word)
	}
	var names []string
	_ = a.operate(cmd, atOnce(), func(ctx context.Context, o *operate.Operator) error { // an error offers nothing
		v, err := o.Query(ctx, args[0], engine.LifecycleQuery, nil)
		if r, ok := v.AsRecord(); ok {
			commands, _ := r.Get("commands")
			list, _ := commands.AsList()
			for _, c := range list {
				names = append(names, c.Text())
			}
		}
		return err
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

// atOnce reaches a store only if that takes no time: nobody waits for completion.
func atOnce() operate.Options { return operate.Options{Wait: 200 * time.Millisecond} }

// eachInstance reads the instances of the store, if it can be reached at once.
func (a *app) eachInstance(cmd *cobra.Command, f func(engine.Summary) bool) {
	_ = a.operate(cmd, atOnce(), func(ctx context.Context, o *operate.Operator) error { // an error offers nothing
		return o.List(ctx, operate.Filter{}, func(s engine.Summary, _ error) bool { return f(s) })
	})
}

func anyInstance(s engine.Summary) bool { return s.Workflow != program.MainName }

func unfinished(s engine.Summary) bool { return !tell.Ended(s) }
