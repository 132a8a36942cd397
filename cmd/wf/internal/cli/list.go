package cli

import (
	"bufio"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

type listOptions struct {
	all      bool
	waiting  bool
	stuck    bool
	workflow string
	status   string
	where    []string
	fields   []fieldTest // of where
}

// A fieldTest compares a state field, or a part of one, with what was given.
type fieldTest struct {
	path []string // "customer.name" is two
	text string
	want value.Value
}

func newList(a *app) *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the instances in the store",
		Long:    "Lists the instances in the store, the oldest first. The programs themselves are instances\ntoo (main-1, …); --all shows them.",
		Example: "  wf list\n  wf list --workflow Order --status failed\n  wf list --waiting --json\n  wf list --where customer=ann --where total=12.50\n  wf list --stuck",
		Args:    between(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.fields, err = readTests(o.where); err != nil {
				return err
			}
			return a.list(cmd, o)
		},
	}
	a.storeFlag(cmd)
	a.jsonFlag(cmd, "JSON lines, one instance each")
	f := cmd.Flags()
	f.BoolVar(&o.all, "all", false, "the programs themselves too")
	f.BoolVar(&o.waiting, "waiting", false, "only those that wait for something")
	f.BoolVar(&o.stuck, "stuck", false, "only those that need a look: paused by the engine, retrying a step, or with something that is not undone")
	f.StringArrayVar(&o.where, "where", nil, "only those whose state has FIELD=VALUE; several times: all of them")
	f.StringVar(&o.workflow, "workflow", "", "only instances of this workflow")
	f.StringVar(&o.status, "status", "", "only those that are "+strings.Join(statuses(), ", "))
	// They can only fail for an unknown flag.
	_ = cmd.RegisterFlagCompletionFunc("workflow", a.completeWorkflows)
	_ = cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions(statuses(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func statuses() []string {
	var names []string
	for s := flow.Running; s <= flow.Cancelled; s++ {
		names = append(names, s.String())
	}
	return append(names, tell.EntityStatus)
}

// readTests reads FIELD=VALUE.
func readTests(where []string) ([]fieldTest, error) {
	var out []fieldTest
	for _, w := range where {
		name, text, ok := strings.Cut(w, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, usage("--where needs FIELD=VALUE, not %q", w)
		}
		v, err := readValue(text)
		if err != nil {
			return nil, err
		}
		out = append(out, fieldTest{strings.Split(name, "."), text, v})
	}
	return out, nil
}

// passes looks at the state of an instance. A String is also compared with the
// text as it was given: 17 may be a number or the text of one. nil is what a
// field without a value has.
func (t fieldTest) passes(s engine.Summary) bool {
	var v value.Value
	for _, f := range s.Fields {
		if f.Name == t.path[0] {
			v = f.Value
		}
	}
	for _, name := range t.path[1:] {
		r, ok := v.AsRecord()
		if !ok {
			return false
		}
		v, _ = r.Get(name)
	}
	text, isText := v.AsString()
	return value.Equal(v, t.want) || isText && text == t.text
}

// stuck reports whether somebody should look at an instance.
func stuck(s engine.Summary) bool {
	retrying := slices.ContainsFunc(s.Waiting, func(w engine.Waiting) bool { return w.Kind == engine.WaitsForRetry })
	undo := s.Undo.Status == flow.CompensationFailed // by itself, or by wf terminate: wf retry undoes it
	return s.Parked || retrying || undo
}

func (a *app) list(cmd *cobra.Command, o listOptions) error {
	if o.status != "" && !slices.Contains(statuses(), o.status) {
		return usage("there is no status %q; there is %s", o.status, strings.Join(statuses(), ", "))
	}
	return a.look(cmd, func(ctx context.Context, op *operate.Operator) error {
		return a.render(func(w *bufio.Writer) error {
			table := tell.ListTable(a.out)
			var writing error
			err := op.List(ctx, operate.Filter{Workflow: o.workflow, Status: o.status}, func(s engine.Summary, bad error) bool {
				if !o.shows(s, bad) {
					return true
				}
				if a.json {
					writing = writeJSON(w, listedOf(s, bad))
				} else {
					table.Add(tell.ListRow(s, bad, op.Now())...)
				}
				return writing == nil
			})
			switch {
			case err != nil:
				return err
			case writing != nil || a.json:
				return writing
			case table.Len() == 0:
				a.sayf("no instances")
				return nil
			}
			return table.Write(w, a.out)
		})
	})
}

// shows decides about an instance. One that cannot be read needs a look; nothing
// else is known of it.
func (o listOptions) shows(s engine.Summary, bad error) bool {
	if s.Workflow == program.MainName && !o.all && o.workflow != program.MainName {
		return false
	}
	if bad != nil {
		return !o.waiting && len(o.fields) == 0
	}
	for _, t := range o.fields {
		if !t.passes(s) {
			return false
		}
	}
	return (!o.waiting || len(s.Waiting) > 0) && (!o.stuck || stuck(s))
}

// listedOf is an instance in --json; one that cannot be read says so.
func listedOf(s engine.Summary, bad error) any {
	doc := instanceOf(s)
	if bad == nil {
		return doc
	}
	return struct {
		instanceJSON
		Error string `json:"error"`
	}{doc, bad.Error()}
}
