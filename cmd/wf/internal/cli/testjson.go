package cli

import (
	"errors"
	"io"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/cmd/wf/internal/tests"
)

// The lines of `wf test --json`: `type` says which one it is. Field names are
// stable.

// testJSON is one test.
type testJSON struct {
	Type     string        `json:"type"` // "test"
	File     string        `json:"file"`
	Line     int           `json:"line"`
	Name     string        `json:"name"`
	Kind     string        `json:"kind"`   // "golden" or "test"
	Status   string        `json:"status"` // "passed", "failed" or "updated"
	Seconds  float64       `json:"seconds"`
	Failure  *testFailJSON `json:"failure"`
	Diff     string        `json:"diff"`
	Output   string        `json:"output"`
	Notes    []testNote    `json:"notes"`
	Crashes  int           `json:"crashes"`
	Repeated []testRepeat  `json:"repeated"`
}

type testPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type testFailJSON struct {
	testPlace
	Message string     `json:"message"`
	Crash   string     `json:"crash"`
	Parts   []testPart `json:"parts"`
	Pending []string   `json:"pending"`
}

type testPart struct {
	Text  string `json:"text"`
	Value string `json:"value"`
}

type testNote struct {
	testPlace
	Message string `json:"message"`
}

type testRepeat struct {
	testPlace
	Operation string `json:"operation"`
	Times     int    `json:"times"`
}

// testUnit is a part that a test may reach.
type testUnit struct {
	Type string `json:"type"` // "coverage"
	testPlace
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Reached bool   `json:"reached"`
}

// testFile is a script that has no tests, or cannot be tested.
type testFile struct {
	Type    string `json:"type"` // "untested", "broken" or "unreadable"
	File    string `json:"file"`
	Message string `json:"message"`
}

func placeJSONOf(p tests.Place) testPlace { return testPlace{p.File, p.Line, p.Column} }

func (r *testReport) fileJSON(w io.Writer, f *tests.File) error {
	var errs error
	put := func(v any) { errs = errors.Join(errs, writeJSON(w, v)) }
	switch {
	case f.Err != nil:
		put(testFile{"unreadable", f.Path, words(f.Err, tell.Shell{})})
	case f.Broken:
		put(testFile{"broken", f.Path, "there are errors in the source"})
	case f.Untested:
		put(testFile{"untested", f.Path, "there is no test and no transcript"})
	}
	for i := range f.Results {
		put(resultJSON(f, &f.Results[i]))
	}
	return errs
}

func resultJSON(f *tests.File, x *tests.Result) testJSON {
	out := testJSON{Type: "test", File: f.Path, Line: x.Place.Line, Name: x.Name, Kind: string(x.Kind), Status: string(x.Status),
		Seconds: x.Elapsed.Seconds(), Diff: x.Diff, Output: x.Output, Crashes: x.Points, Notes: []testNote{}, Repeated: []testRepeat{}}
	for _, n := range x.Notes {
		out.Notes = append(out.Notes, testNote{placeJSONOf(n.Place), n.Message})
	}
	for _, e := range x.Repeats {
		out.Repeated = append(out.Repeated, testRepeat{placeJSONOf(e.Place), e.Operation, e.Times})
	}
	if fail := x.Failure; fail != nil {
		out.Failure = &testFailJSON{testPlace: placeJSONOf(fail.Place), Message: fail.Message, Crash: fail.Crash,
			Parts: []testPart{}, Pending: append([]string{}, fail.Pending...)}
		for _, p := range fail.Parts {
			out.Failure.Parts = append(out.Failure.Parts, testPart(p))
		}
	}
	return out
}

func (r *testReport) endJSON(w io.Writer, coverage bool) error {
	var errs error
	put := func(v any) { errs = errors.Join(errs, writeJSON(w, v)) }
	if coverage {
		for _, u := range r.units {
			put(testUnit{"coverage", placeJSONOf(u.Place), u.Kind, u.Name, u.Reached})
		}
	}
	put(struct {
		Type string `json:"type"` // "sum"
		testSums
		NotTested int     `json:"not_tested"` // scripts, because of an interrupt
		Seconds   float64 `json:"seconds"`
	}{"sum", r.sum, r.left, time.Since(r.began).Seconds()})
	return errs
}
