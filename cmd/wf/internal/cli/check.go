package cli

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/stdlib"
)

func newCheck(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Say what is wrong with scripts, without running them",
		Long: "Reads and checks scripts, each as a program of its own with the files it imports, and shows\n" +
			"all errors and warnings. The exit code is 3 if there are errors.",
		Example: "  wf check order.wf\n  wf check *.wf --json",
		Args:    between(1, many, "at least one FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			worst := error(nil)
			for _, file := range args {
				if err := a.check(file); codeOf(err) > codeOf(worst) {
					worst = err
				}
			}
			return worst
		},
		ValidArgsFunction: completeFiles,
	}
	a.jsonFlag(cmd, "diagnostics as JSON lines on stdout")
	return cmd
}

// check says what it finds; its error carries the exit code only.
func (a *app) check(file string) error {
	set, err := readProgram(file)
	if err != nil {
		a.sayf("wf: %s", words(err))
		return said(codeOf(err))
	}
	prog, ds := engine.Compile(set, stdlib.Table())
	if err := a.showDiagnostics(set, ds); err != nil {
		return err
	}
	switch {
	case prog == nil:
		return said(exitSource)
	case !a.json:
		a.sayf("%s: %s", file, a.err.Green("no errors"))
	}
	return nil
}

func (a *app) showDiagnostics(set *source.Set, ds diag.List) error {
	if !a.json {
		diag.Render(a.stderr, set, ds, diag.RenderOptions{Color: a.err.Color})
		return nil
	}
	return a.render(func(w *bufio.Writer) error {
		var errs error
		for _, d := range ds {
			errs = errors.Join(errs, writeJSON(w, diagnosticOf(set, d)))
		}
		return errs
	})
}

type diagnosticJSON struct {
	Code     string      `json:"code"`
	Severity string      `json:"severity"`
	Message  string      `json:"message"`
	Help     string      `json:"help,omitempty"`
	Place    placeJSON   `json:"place"`
	Labels   []labelJSON `json:"labels,omitempty"`
	Fixes    []fixJSON   `json:"fixes,omitempty"`
}

type placeJSON struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

type labelJSON struct {
	Place placeJSON `json:"place"`
	Text  string    `json:"text"`
}

type fixJSON struct {
	Place placeJSON `json:"place"`
	Text  string    `json:"text"`
}

func diagnosticOf(set *source.Set, d diag.Diagnostic) diagnosticJSON {
	out := diagnosticJSON{Code: string(d.Code), Severity: fmt.Sprint(d.Severity), Message: d.Message, Help: d.Help, Place: placeOf(set, d.Span)}
	for _, l := range d.Labels {
		out.Labels = append(out.Labels, labelJSON{placeOf(set, l.Span), l.Text})
	}
	for _, f := range d.Fixes {
		out.Fixes = append(out.Fixes, fixJSON{placeOf(set, f.Span), f.Text})
	}
	return out
}

func placeOf(set *source.Set, s source.Span) placeJSON {
	f := set.File(s)
	if f == nil {
		return placeJSON{}
	}
	from, to := f.Position(s.Start), f.Position(max(s.Start, s.End))
	return placeJSON{from.File, from.Line, from.Column, to.Line, to.Column}
}
