package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/interp/call/allow"
)

// allowOptions are the flags by which a script may do something outside.
type allowOptions struct {
	all   bool
	allow [5]entriesFlag // by allow.Kind
	deny  [5]entriesFlag
}

func (o *allowOptions) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.all, "allow-all", false, "let scripts do everything outside that no --deny-… forbids")
	for _, k := range allow.Kinds() {
		what, value := allowHelp(k)
		cmd.Flags().Var(&o.allow[k], "allow-"+k.String(), "let scripts "+what+": `"+value+"`, or all of it without a value")
		cmd.Flags().Var(&o.deny[k], "deny-"+k.String(), "never let scripts "+what+", whatever is allowed: `"+value+"`, or nothing of it")
		for _, name := range []string{"allow-" + k.String(), "deny-" + k.String()} {
			cmd.Flags().Lookup(name).NoOptDefVal = everything
		}
	}
}

// allowHelp says what a capability is, and what its entries are.
func allowHelp(k allow.Kind) (what, value string) {
	switch k {
	case allow.Net:
		return "reach hosts", "HOST[:PORT],…"
	case allow.Exec:
		return "run programs", "PROGRAM,…"
	case allow.Read:
		return "read files in folders", "DIR,…"
	case allow.Write:
		return "write files in folders", "DIR,…"
	}
	return "read variables of the environment", "NAME,…"
}

// everything is what a flag without a value stands for, as its help shows.
const everything = "*"

// entriesFlag gathers the entries of a flag that may be given several times.
type entriesFlag struct{ allow.Entries }

func (f *entriesFlag) String() string { return strings.Join(f.List, ",") }

func (f *entriesFlag) Type() string { return "LIST" }

func (f *entriesFlag) Set(s string) error {
	if s == everything {
		f.All = true
		return nil
	}
	for _, e := range strings.Split(s, ",") {
		if e = strings.TrimSpace(e); e == "" {
			return fmt.Errorf("an entry is empty; without = and value the flag stands for everything")
		}
		f.List = append(f.List, e)
	}
	return nil
}

// rules makes rules of the flags. protected are files that no script gets at.
func (o *allowOptions) rules(protected []string) (*allow.Rules, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the current folder: %w", err)
	}
	c := allow.Config{All: o.all, Dir: dir, LookPath: exec.LookPath}
	for _, k := range allow.Kinds() {
		c.Allow[k], c.Deny[k] = o.allow[k].Entries, o.deny[k].Entries
	}
	for _, path := range protected {
		if path == "" {
			continue
		}
		if path, err = filepath.Abs(path); err != nil {
			return nil, fmt.Errorf("find %s: %w", path, err)
		}
		c.Protected = append(c.Protected, path)
	}
	r, err := allow.New(c)
	if err != nil {
		return nil, usage("%w", err)
	}
	return r, nil
}
