package cli

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
)

func newCheck(a *app) *cobra.Command {
	sarif := false
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Say what is wrong with scripts, without running them",
		Long: "Reads and checks scripts, each as a program of its own with the files it imports, and shows\n" +
			"all errors and warnings, and what they need from outside with the flags that allow it. The exit\n" +
			"code is 3 if there are errors.",
		Example: "  wf check order.wf\n  wf check *.wf --json\n  wf check *.wf --sarif > wf.sarif",
		Args:    between(1, many, "at least one FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if sarif && a.json {
				return usage("--json and --sarif exclude each other")
			}
			return a.check(args, sarif)
		},
		ValidArgsFunction: completeFiles,
	}
	a.jsonFlag(cmd, "diagnostics as JSON lines on stdout, and a line about what a script needs from outside")
	cmd.Flags().BoolVar(&sarif, "sarif", false, "diagnostics as one SARIF 2.1.0 document on stdout")
	return cmd
}

// A finding is a diagnostic with the files it speaks of.
type finding struct {
	set *source.Set
	d   diag.Diagnostic
}

// check checks all files and says what it finds; its error carries the exit
// code only.
func (a *app) check(files []string, sarif bool) error {
	worst := error(nil)
	worse := func(err error) {
		if codeOf(err) > codeOf(worst) {
			worst = err
		}
	}
	var all []finding
	seen := map[diagnosticKey]bool{}
	for _, file := range files {
		set, prog, ds, err := checkProgram(file)
		if err != nil {
			a.sayf("wf: %s", words(err, a.shell()))
			worse(said(codeOf(err)))
			continue
		}
		var fresh diag.List // a file that two of them import has its diagnostics once
		for _, d := range ds {
			if key := keyOf(set, d); !seen[key] {
				seen[key] = true
				fresh = append(fresh, d)
				all = append(all, finding{set, d})
			}
		}
		if prog == nil {
			worse(said(exitSource))
		}
		if sarif {
			continue
		}
		if err := a.showDiagnostics(set, fresh); err != nil {
			return err
		}
		if prog == nil {
			continue
		}
		if n := needsOf(prog); a.json && len(n.Modules) > 0 {
			if err := a.render(func(w *bufio.Writer) error { return writeJSON(w, needsLine{file, n}) }); err != nil {
				return err
			}
		} else if !a.json {
			a.sayf("%s: %s", file, a.err.Green("no errors"))
			a.sayNeeds(file, n)
		}
	}
	if sarif {
		err := a.render(func(w *bufio.Writer) error { return writeJSON(w, sarifOf(all)) })
		if err != nil {
			return err
		}
	}
	return worst
}

// A diagnosticKey tells diagnostics of several programs apart.
type diagnosticKey struct {
	code    diag.Code
	at      placeJSON
	message string
}

func keyOf(set *source.Set, d diag.Diagnostic) diagnosticKey {
	return diagnosticKey{d.Code, placeOf(set, d.Span), d.Message}
}

func (a *app) showDiagnostics(set *source.Set, ds diag.List) error {
	if !a.json {
		diag.Render(a.stderr, set, ds, diag.RenderOptions{Color: a.err.Color, Width: a.err.Width})
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

// diagnosticJSON is a line of `wf check --json`. Lines and columns count from
// 1, columns in characters; the end is that of the character behind the last.
type diagnosticJSON struct {
	placeJSON
	Code     string     `json:"code"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	Help     string     `json:"help"`
	Labels   []textJSON `json:"labels"`
	Fixes    []textJSON `json:"fixes"`
}

type placeJSON struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

// textJSON is what a label says about its place, or what a fix puts there.
type textJSON struct {
	placeJSON
	Text string `json:"text"`
}

func diagnosticOf(set *source.Set, d diag.Diagnostic) diagnosticJSON {
	out := diagnosticJSON{placeJSON: placeOf(set, d.Span), Code: string(d.Code), Severity: fmt.Sprint(d.Severity),
		Message: d.Message, Help: d.Help, Labels: []textJSON{}, Fixes: []textJSON{}}
	for _, l := range d.Labels {
		out.Labels = append(out.Labels, textJSON{placeOf(set, l.Span), l.Text})
	}
	for _, f := range d.Fixes {
		out.Fixes = append(out.Fixes, textJSON{placeOf(set, f.Span), f.Text})
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
