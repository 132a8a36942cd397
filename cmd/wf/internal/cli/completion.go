package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
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
// argument. A store that is in use offers nothing: completion does not wait.
func (a *app) completeIDs(pass func(persist.Row) bool) completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var ids []string
		a.eachRow(cmd, func(r persist.Row) bool {
			if strings.HasPrefix(r.ID, word) && pass(r) {
				ids = append(ids, r.ID+"\t"+r.Workflow+", "+r.Status)
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
	a.eachRow(cmd, func(r persist.Row) bool {
		if !seen[r.Workflow] && strings.HasPrefix(r.Workflow, word) {
			seen[r.Workflow] = true
			names = append(names, r.Workflow)
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
	_ = a.look(cmd, func(ctx context.Context, e *engine.Engine) error { // an error offers nothing
		s, err := e.Show(ctx, args[0])
		for _, w := range s.Waiting {
			if list, ok := strings.CutPrefix(w.For, "signal "); ok {
				names = append(names, strings.Split(list, " or ")...)
			}
		}
		return err
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

// eachRow reads the rows of the store, if it can be opened at once.
func (a *app) eachRow(cmd *cobra.Command, f func(persist.Row) bool) {
	s, err := a.openStore(cmd, bolt.Options{ReadOnly: true, Timeout: -1})
	if err != nil {
		return
	}
	for r, err := range s.List(cmd.Context(), persist.Filter{}) {
		if err != nil || !f(r) {
			break
		}
	}
	_ = s.Close() // nothing was written
}

func anyInstance(r persist.Row) bool { return r.Workflow != program.MainName }

func unfinished(r persist.Row) bool { return !terminal(engine.Summary{Status: r.Status}) }
