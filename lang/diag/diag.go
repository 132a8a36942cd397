// Package diag holds diagnostics: what is said to the author of a script about
// a place in it. It knows how to collect, order and render them as text; what
// can be said lies in the registry of codes (codes.go).
package diag

import (
	"cmp"
	"slices"

	"github.com/wf-lang/wf/lang/source"
)

// Severity of a diagnostic.
type Severity uint8

// A program with an Error does not run; a Warning runs.
const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// A Diagnostic says what was found at a place, what was expected, and what to
// do about it.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Span     source.Span
	Message  string
	Labels   []Label // the other parties: "declared here"
	Help     string  // what to do, "" if the message says it
	Fixes    []Fix   // what a machine may apply
}

// A Label points to a second place.
type Label struct {
	Span source.Span
	Text string
}

// A Fix replaces the text of Span.
type Fix struct {
	Span source.Span
	Text string
}

// Code identifies a kind of diagnostic: "WF1203".
type Code string

// A List collects diagnostics of one program.
type List []Diagnostic

// Add appends a diagnostic.
func (l *List) Add(d Diagnostic) { *l = append(*l, d) }

// HasErrors reports whether one of them is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort orders by file and place, errors before warnings at one place.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Severity, b.Severity))
	})
}
