// Package tests runs the tests of scripts: the golden transcript that is kept
// beside a script, and its `test` blocks.
//
// Files are tested side by side and told about in their order. Each test has a
// lab of its own, so that none sees anything of another one; what it comes to is
// a Result. With Options.Crash everything is run again with a crash at every
// write to the store; with Options.Coverage it is noted which bodies ran.
package tests

import (
	"context"
	"regexp"
	"sync"
	"time"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/persist"
)

// Options say what is tested, and how.
type Options struct {
	// Load reads and checks a script. The program is nil if there are errors
	// among the diagnostics; the error says why the script cannot be read.
	Load     func(path string) (*source.Set, *program.Program, diag.List, error)
	Builtins []*program.Builtin // the library with which Load checks
	Run      *regexp.Regexp     // only tests with such a name; nil: all
	Update   bool               // write transcripts instead of comparing them
	Crash    bool               // run again with a crash at every write
	Coverage bool               // note what ran
	Timeout  time.Duration      // real time for one run of a test; 0: none
	Workers  int                // files tested at once; 0: one
	// Wrap is put before the store; nil: nothing. Tests of this project have it
	// falsify what is written.
	Wrap func(persist.Store) persist.Store
}

// Status says what a test came to.
type Status string

// The statuses.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Updated Status = "updated" // its transcript was written
)

// Kind says what a test is.
type Kind string

// The kinds of tests.
const (
	Golden Kind = "golden"
	Block  Kind = "test"
)

// A Result is what one test came to.
type Result struct {
	Name    string
	Kind    Kind
	Status  Status
	Place   Place  // of the test; of a transcript only the file
	Failure *Fail  // if Status is Failed
	Diff    string // of a transcript: what changed, or differs
	Notes   []Note
	Elapsed time.Duration
	Output  string   // what the scripts printed, if the test failed
	Points  int      // crashes tried
	Repeats []Repeat // outside effects that a crash makes run twice
}

// A Fail says why a test failed.
type Fail struct {
	Place   Place
	Message string
	Crash   string   // at which crash it failed, "" for none
	Parts   []Part   // of what was expected: what each was
	Pending []string // what had not ended
}

// A Part is a part of an expectation with its value.
type Part struct {
	Text  string // as written, or "left", "right"
	Value string
}

// A Note is something worth knowing about a test that is no failure.
type Note struct {
	Place   Place
	Message string
}

// A Place is a place in a file; Line and Column count from 1, 0 if unknown.
type Place struct {
	File         string
	Line, Column int
}

func placeOf(set *source.Set, at source.Span) Place {
	p := set.Position(at)
	return Place{File: p.File, Line: p.Line, Column: p.Column}
}

// A Repeat is an outside effect that was performed twice because of a crash.
type Repeat struct {
	Operation string
	Place     Place
	Times     int // in how many of the crashes
}

// A File is what the tests of one script came to.
type File struct {
	Path        string
	Set         *source.Set
	Diagnostics diag.List
	Err         error // why it could not be tested: it, or its transcript, cannot be read
	Broken      bool  // it has errors
	Results     []Result
	Units       []Unit // with Options.Coverage: what could have run
	NotRun      int    // tests that Options.Run leaves out
	Untested    bool   // it has no tests at all
	Cut         bool   // it was interrupted: the last of its tests have not been run
}

// Run tests the scripts and calls report for each, in their order. It returns
// the cause of ctx if that has ended meanwhile; then some have not been tested,
// and of those that were under way what they came to until then is reported.
func Run(ctx context.Context, paths []string, o Options, report func(*File)) error {
	done := make([]chan *File, len(paths))
	for i := range done {
		done[i] = make(chan *File, 1)
	}
	next := make(chan int)
	var workers sync.WaitGroup
	for range max(o.Workers, 1) {
		workers.Go(func() {
			for i := range next {
				if ctx.Err() == nil {
					done[i] <- testFile(ctx, paths[i], &o)
				}
			}
		})
	}
	workers.Go(func() {
		defer close(next)
		for i := range paths {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	defer workers.Wait()
	for _, file := range done {
		select {
		case f := <-file:
			report(f)
		case <-ctx.Done():
			workers.Wait() // they notice soon
			select {
			case f := <-file:
				report(f)
			default: // it was not begun
			}
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
