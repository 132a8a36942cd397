package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/call"
	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/interp/call/secret"
	"github.com/wf-lang/wf/interp/engine"
)

// worldOptions are the flags about what scripts do outside.
type worldOptions struct {
	allowOptions
	config   string
	logLevel string
}

func (o *worldOptions) flags(cmd *cobra.Command) {
	o.allowOptions.flags(cmd)
	cmd.Flags().StringVar(&o.config, "config", "", "configuration `FILE` with secrets and the language model (default "+configName+" beside the store)")
	cmd.Flags().StringVar(&o.logLevel, "log-level", "info", "least level of what scripts log that is shown: debug, info, warn or error")
}

// A world is what scripts reach outside of the store.
type world struct {
	*call.Caller
	rules    *allow.Rules
	secrets  *secret.Keeper
	hasModel bool
	log      func(engine.Logged)
	warned   map[string]bool // what has been said of calls that will be refused
}

// newWorld makes the world of a command that drives the store in a folder.
func (a *app) newWorld(o *worldOptions, store string, clock engine.Clock) (*world, error) {
	least, ok := logLevel(o.logLevel)
	if !ok {
		return nil, usage("--log-level is debug, info, warn or error, not %q", o.logLevel)
	}
	if store == "" {
		store = defaultStore
	}
	c, err := a.readConfig(o.config, store)
	if err != nil {
		return nil, err
	}
	rules, err := o.rules([]string{store, c.path})
	if err != nil {
		return nil, err
	}
	environ := os.Environ()
	keeper := secret.New(environ, c.Secrets, c.Model.APIKey)
	caller := call.New(call.Config{Rules: rules, Secrets: keeper, Clock: clock, Environ: environ,
		Model: call.Model{BaseURL: c.Model.BaseURL, Name: c.Model.Name, Key: c.Model.APIKey, Budget: c.Model.Budget}})
	return &world{Caller: caller, rules: rules, secrets: keeper, hasModel: c.Model.BaseURL != "", warned: map[string]bool{}, log: func(l engine.Logged) {
		if level, ok := logLevel(l.Level); !ok || level >= least {
			a.sayf("%s", logLine(l, a.err))
		}
	}}, nil
}

// logLevel orders the levels.
func logLevel(name string) (int, bool) {
	for i, known := range []string{"debug", "info", "warn", "error"} {
		if name == known {
			return i, true
		}
	}
	return 0, false
}

// logLine is a line such as `12:00:03 INFO order-17/charge paid amount=30`.
func logLine(l engine.Logged, t ui.Terminal) string {
	level := strings.ToUpper(l.Level)
	if l.Level == "error" {
		level = t.Red(level)
	}
	who := ""
	if l.Instance != "" { // else a line of a session has logged it
		who = l.Instance + "/" + l.Step + " "
	}
	return fmt.Sprintf("%s %s %s%s", t.Faint(time.Unix(0, l.Time).Local().Format("15:04:05")), level, who, ui.Line(l.Text))
}
