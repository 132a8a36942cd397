package cli

import (
	"bufio"
	"context"
	"errors"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/tests"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/stdlib"
)

type testOptions struct {
	update   bool
	crash    bool
	coverage bool
	run      string
	timeout  time.Duration
}

func newTest(a *app) *cobra.Command {
	var o testOptions
	cmd := &cobra.Command{
		Use:   "test [PATH…]",
		Short: "Run the tests of scripts, on a clock that never waits",
		Long: "Runs the `test` blocks of scripts, and every script that has a transcript beside it (x.golden for\n" +
			"x.wf), which is compared with what the script comes to. A PATH is a script or a folder; without\n" +
			"one it is the folder here. Nothing leaves the process: each test has a store in memory and a\n" +
			"virtual clock of its own, and what goes to the world outside needs a mock.\n\n" +
			"The exit code is 1 if a test failed, 2 if something could not be read, 3 if a script has errors.",
		Example: "  wf test\n  wf test order.wf --run refund\n  wf test order.wf --update      write order.golden\n" +
			"  wf test --crash                again with a crash at every write to the store\n  wf test --coverage --json",
		Args: between(0, many, "PATHs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.test(cmd.Context(), args, o)
		},
		ValidArgsFunction: completeFiles,
	}
	cmd.Flags().BoolVar(&o.update, "update", false, "write the transcripts that are missing or differ, and show what changed")
	cmd.Flags().BoolVar(&o.crash, "crash", false, "run everything again with a crash at every write to the store")
	cmd.Flags().BoolVar(&o.coverage, "coverage", false, "list the steps, handlers and compensations that no test has reached")
	cmd.Flags().StringVar(&o.run, "run", "", "run only the tests whose names match this regular `PATTERN`")
	cmd.Flags().DurationVar(&o.timeout, "timeout", time.Minute, "how long one run of a test may take in real time")
	a.jsonFlag(cmd, "one JSON document a line: each test, what was not reached, and last the sums")
	return cmd
}

// test runs the tests and tells what they came to.
func (a *app) test(ctx context.Context, paths []string, o testOptions) error {
	opts := tests.Options{Load: checkProgram, Builtins: stdlib.Table(), Update: o.update, Crash: o.crash, Coverage: o.coverage,
		Timeout: o.timeout, Workers: runtime.GOMAXPROCS(0)}
	if o.timeout <= 0 {
		return usage("--timeout is a time above zero, as in --timeout 30s")
	}
	if o.run != "" {
		var err error
		if opts.Run, err = regexp.Compile(o.run); err != nil {
			return usage("--run: %w", err)
		}
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	ctx, stop := a.interruptible(ctx)
	defer stop()
	r := &testReport{app: a, crash: o.crash, began: time.Now()}
	scripts, errs := tests.Discover(paths)
	for _, err := range errs {
		r.unreadable(err)
	}
	if len(scripts)+len(errs) == 0 {
		a.sayf("there is no script (*.wf) in %s", strings.Join(paths, ", "))
	}
	err := tests.Run(ctx, scripts, opts, r.file)
	r.left = len(scripts) - r.files
	return r.end(err, o.coverage)
}

// A testReport tells what tests come to, file by file, and adds up.
type testReport struct {
	app   *app
	crash bool
	began time.Time
	sum   testSums
	files int
	left  int // scripts that were not tested to the end, because of an interrupt
	none  []string
	// repeats are the calls that crashes had made twice, each place once.
	repeats []tests.Repeat
	units   []tests.Unit // what could have been reached, each place once
	shown   map[diagnosticKey]bool
	failed  error // of writing
}

// testSums are the last line of `wf test --json`.
type testSums struct {
	Passed     int `json:"passed"`
	Failed     int `json:"failed"`
	Updated    int `json:"updated"`
	Broken     int `json:"broken"`     // scripts with errors
	Unreadable int `json:"unreadable"` // scripts or transcripts that cannot be read
	NotRun     int `json:"not_run"`    // tests that --run leaves out
	Crashes    int `json:"crashes"`
}

func (r *testReport) unreadable(err error) {
	r.sum.Unreadable++
	r.app.sayf("%s %s", r.app.err.Red("wf:"), words(err, r.app.shell()))
}

// file tells about one script.
func (r *testReport) file(f *tests.File) {
	if !f.Cut {
		r.files++
	}
	r.sum.NotRun += f.NotRun
	if f.Err != nil {
		r.unreadable(f.Err)
	}
	if f.Broken {
		r.sum.Broken++
	}
	r.diagnostics(f)
	for i := range f.Results {
		switch x := &f.Results[i]; x.Status {
		case tests.Failed:
			r.sum.Failed++
		case tests.Updated:
			r.sum.Updated++
		default:
			r.sum.Passed++
		}
		r.sum.Crashes += f.Results[i].Points
	}
	if f.Untested {
		r.none = append(r.none, f.Path)
	}
	for i := range f.Results {
		r.repeats = tests.AddRepeats(r.repeats, f.Results[i].Repeats...)
	}
	r.reached(f.Units)
	r.failed = errors.Join(r.failed, r.app.render(func(w *bufio.Writer) error {
		if r.app.json {
			return r.fileJSON(w, f)
		}
		r.fileText(w, f)
		return nil
	}))
}

// diagnostics shows the errors of a script, those of a file that several import
// once. Warnings are for `wf check`.
func (r *testReport) diagnostics(f *tests.File) {
	if r.shown == nil {
		r.shown = map[diagnosticKey]bool{}
	}
	fresh := f.Diagnostics[:0:0]
	for _, d := range f.Diagnostics {
		if key := keyOf(f.Set, d); d.Severity == diag.Error && !r.shown[key] {
			r.shown[key] = true
			fresh = append(fresh, d)
		}
	}
	if !r.app.json {
		r.failed = errors.Join(r.failed, r.app.showDiagnostics(f.Set, fresh))
		return
	}
	r.failed = errors.Join(r.failed, r.app.render(func(w *bufio.Writer) error {
		var errs error
		for _, d := range fresh {
			errs = errors.Join(errs, writeJSON(w, struct {
				Type string `json:"type"`
				diagnosticJSON
			}{"diagnostic", diagnosticOf(f.Set, d)}))
		}
		return errs
	}))
}

// reached adds what a script could have reached: a file that several import is
// reached by any of them.
func (r *testReport) reached(units []tests.Unit) {
	for _, u := range units {
		found := false
		for i := range r.units {
			old := &r.units[i]
			if old.Kind == u.Kind && old.Name == u.Name && old.Place == u.Place {
				old.Reached = old.Reached || u.Reached
				found = true
			}
		}
		if !found {
			r.units = append(r.units, u)
		}
	}
}

// end tells the sums; its error carries the exit code.
func (r *testReport) end(err error, coverage bool) error {
	err = errors.Join(r.failed, err)
	err = errors.Join(err, r.app.render(func(w *bufio.Writer) error {
		if r.app.json {
			return r.endJSON(w, coverage)
		}
		r.endText(w, coverage)
		return nil
	}))
	switch {
	case errors.Is(err, errInterrupted):
		return said(exitInterrupted)
	case err != nil:
		return err
	case r.sum.Broken > 0:
		return said(exitSource)
	case r.sum.Unreadable > 0:
		return said(exitUsage)
	case r.sum.Failed > 0:
		return said(exitFailed)
	}
	return nil
}
