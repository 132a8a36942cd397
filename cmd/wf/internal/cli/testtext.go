package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/tests"
	"github.com/wf-lang/wf/cmd/wf/internal/ui"
)

// fileText tells about one script: a line if all is well, else each failure.
func (r *testReport) fileText(w io.Writer, f *tests.File) {
	out := r.app.out
	passed, points := 0, 0
	for i := range f.Results {
		x := &f.Results[i]
		switch x.Status {
		case tests.Failed:
			r.failureText(w, f, x)
		case tests.Updated:
			fmt.Fprintf(w, "%s %s\n%s", out.Yellow("wrote"), x.Place.File, indented(ui.Block(x.Diff)))
		default:
			passed++
			points += x.Points
		}
	}
	if passed > 0 {
		line := fmt.Sprintf("%s    %s (%s", out.Green("ok"), f.Path, counted(passed, "test"))
		if r.crash {
			line += ", " + counted(points, "crash")
		}
		fmt.Fprintln(w, line+")")
	}
	for i := range f.Results {
		x := &f.Results[i]
		for _, n := range x.Notes {
			fmt.Fprintf(w, "      %s: in %q: %s\n", placeText(n.Place), x.Name, n.Message)
		}
	}
}

func (r *testReport) failureText(w io.Writer, f *tests.File, x *tests.Result) {
	fail := x.Failure
	fmt.Fprintf(w, "%s  %s: %s\n", r.app.out.Red("FAIL"), f.Path, ui.Line(x.Name))
	if fail.Crash != "" {
		fmt.Fprintf(w, "      %s\n", fail.Crash)
	}
	fmt.Fprintf(w, "      %s: %s\n", placeText(fail.Place), strings.ReplaceAll(ui.Block(fail.Message), "\n", "\n      "))
	width := 0
	for _, p := range fail.Parts {
		if p.Text != p.Value {
			width = max(width, min(len(p.Text), 40))
		}
	}
	for _, p := range fail.Parts {
		if p.Text == p.Value {
			continue // a literal
		}
		fmt.Fprintf(w, "          %-*s  %s\n", width, ui.Line(p.Text), ui.Line(p.Value))
	}
	for _, p := range fail.Pending {
		fmt.Fprintf(w, "          %s\n", ui.Line(p))
	}
	fmt.Fprint(w, indented(ui.Block(x.Diff)))
	if x.Output != "" {
		fmt.Fprintf(w, "      printed:\n%s", indented(ui.Block(x.Output)))
	}
}

// endText tells what has no tests, what was not reached, and the sums.
func (r *testReport) endText(w io.Writer, coverage bool) {
	out := r.app.out
	r.noneText(w)
	r.repeatsText(w)
	if coverage {
		r.coverageText(w)
	}
	parts := []string{fmt.Sprintf("%d passed", r.sum.Passed)}
	add := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
	}
	add(r.sum.Updated, "%d written")
	add(r.sum.Failed, "%d failed")
	add(r.sum.Broken, "%d with errors in the source")
	add(r.sum.Unreadable, "%d unreadable")
	add(r.sum.NotRun, "%d left out")
	if r.left > 0 {
		parts = append(parts, counted(r.left, "file")+" not tested to the end")
	}
	line := strings.Join(parts, ", ")
	if r.left > 0 {
		line = "interrupted: " + line
	}
	line += fmt.Sprintf(" in %.1f s", time.Since(r.began).Seconds())
	if r.crash {
		line += ", " + counted(r.sum.Crashes, "crash") + " tried"
	}
	if r.sum.Failed+r.sum.Broken+r.sum.Unreadable+r.left > 0 {
		line = out.Red(line)
	}
	fmt.Fprintln(w, line)
}

// manyNone is how many scripts without tests are named one by one.
const manyNone = 3

func (r *testReport) noneText(w io.Writer) {
	faint := r.app.out.Faint("no tests")
	if len(r.none) > manyNone {
		fmt.Fprintf(w, "%s  %s and %d more scripts (--json names them)\n", faint, strings.Join(r.none[:manyNone], ", "), len(r.none)-manyNone)
		return
	}
	for _, path := range r.none {
		fmt.Fprintf(w, "%s  %s (`wf test --update` writes a transcript)\n", faint, path)
	}
}

// repeatsText names the calls that crashes had made twice, each place once.
func (r *testReport) repeatsText(w io.Writer) {
	for _, e := range r.repeats {
		fmt.Fprintf(w, "%s  %s: %s, in %d of the crashes\n", r.app.out.Yellow("runs twice"), placeText(e.Place), e.Operation, e.Times)
	}
	if len(r.repeats) > 0 {
		fmt.Fprintln(w, "            with the same idempotency key both times; if the other side does not heed that: `perform once`,\n"+
			"            or a step of its own, so that little is done again")
	}
}

func (r *testReport) coverageText(w io.Writer) {
	reached := 0
	for _, u := range r.units {
		if u.Reached {
			reached++
			continue
		}
		fmt.Fprintf(w, "%s  %s: %s %s\n", r.app.out.Yellow("not reached"), placeText(u.Place), u.Kind, u.Name)
	}
	if len(r.units) > 0 {
		fmt.Fprintf(w, "%d of %s reached\n", reached, counted(len(r.units), "part"))
	}
}

func placeText(p tests.Place) string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// counted is "1 test", "3 tests", "2 crashes".
func counted(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "sh"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// indented puts a text that has several lines below a heading.
func indented(text string) string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return ""
	}
	return "          " + strings.ReplaceAll(text, "\n", "\n          ") + "\n"
}
