package tests

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wf-lang/wf/cmd/wf/internal/golden"
	"github.com/wf-lang/wf/lang/program"
)

// A suite is the tests of one script.
type suite struct {
	*Options
	file *File
	prog *program.Program
	ran  *ran // with Coverage
}

// testFile runs the tests of a script.
func testFile(ctx context.Context, path string, o *Options) *File {
	f := &File{Path: path}
	var s = suite{Options: o, file: f}
	f.Set, s.prog, f.Diagnostics, f.Err = o.Load(path)
	if f.Err != nil {
		return f
	}
	if s.prog == nil {
		f.Broken = true
		return f
	}
	if o.Coverage {
		s.ran = newRan()
	}
	s.goldenTest(ctx)
	for _, t := range s.prog.Tests {
		if t.Span.File != 0 || f.Cut {
			continue // an imported file's: tested with that file
		}
		f.Untested = false
		if s.named(t.Name) {
			s.add(ctx, s.blockTest(ctx, t))
		}
	}
	if o.Coverage && !f.Cut {
		f.Units = s.units()
	}
	return f
}

// add notes what a test came to, unless it was interrupted.
func (s *suite) add(ctx context.Context, r Result) {
	if ctx.Err() != nil {
		s.file.Cut = true
		return
	}
	s.file.Results = append(s.file.Results, r)
}

// named reports whether a test is to be run, and counts it if not.
func (s *suite) named(name string) bool {
	if s.Run == nil || s.Run.MatchString(name) {
		return true
	}
	s.file.NotRun++
	return false
}

// goldenTest runs the script by itself, if a transcript is kept beside it, or is
// to be.
func (s *suite) goldenTest(ctx context.Context) {
	kept := strings.TrimSuffix(s.file.Path, ".wf") + ".golden"
	name := strings.TrimSuffix(filepath.Base(s.file.Path), ".wf")
	want, err := readTranscript(kept)
	missing := errors.Is(err, fs.ErrNotExist)
	var older *versionError
	switch {
	case missing && (!s.Update || len(s.prog.Tests) > 0 || !s.prog.HasStatements()):
		s.file.Untested = true
		return
	case missing, s.Update && errors.As(err, &older):
		err = nil
	}
	if !s.named(name) {
		return
	}
	if err != nil {
		s.file.Err = err
		return
	}
	r := Result{Name: name, Kind: Golden, Place: Place{File: kept}}
	watch := startWatch()
	failure := s.transcript(ctx, &r, kept, want, missing)
	if r.Elapsed = watch(); failure != nil {
		r.Status, r.Failure = Failed, failOf(failure, Place{File: s.file.Path})
	}
	s.add(ctx, r)
}

// transcript runs the script, and compares what it comes to with what is kept,
// or keeps it. The error is why it fails.
func (s *suite) transcript(ctx context.Context, r *Result, kept, want string, missing bool) error {
	script, err := golden.New(s.prog, golden.Options{Builtins: s.Builtins, Timeout: s.Timeout, Ran: s.ran.hook(), Look: s.ran.look(s.prog), Wrap: s.Wrap})
	if err != nil {
		return err
	}
	got, err := script.Run(ctx)
	if err != nil {
		return err
	}
	r.Status = Passed
	text := got.String()
	switch {
	case missing, s.Update && want != text:
		if err := os.WriteFile(kept, []byte(text), 0o644); err != nil {
			return fmt.Errorf("write the transcript: %w", err)
		}
		r.Status = Updated
		r.Diff = golden.Diff(want, text)
	case want != text:
		r.Diff = golden.Diff(want, text)
		return fmt.Errorf("the transcript differs from %s (- is kept, + is new); if that is right: wf test --update %s", kept, s.file.Path)
	}
	if s.Crash {
		r.Points, err = script.Crash(ctx)
	}
	return err
}

// A versionError is a transcript of another version of the format.
type versionError struct{ path, line string }

func (e *versionError) Error() string {
	if e.line == "" {
		return fmt.Sprintf("%s does not begin with %q, so it is not a transcript that this version of wf can read; wf test --update writes it anew", e.path, strings.TrimSuffix(golden.Header, "\n"))
	}
	return fmt.Sprintf("%s is a transcript of another version (%q, this is %q); wf test --update writes it anew", e.path, e.line, strings.TrimSuffix(golden.Header, "\n"))
}

// maxTranscript is the largest transcript that is read, in bytes.
const maxTranscript = 64 << 20

// readTranscript reads a transcript that is kept.
func readTranscript(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read the transcript: %w", err)
	}
	if info.Size() > maxTranscript || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no transcript", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the transcript: %w", err)
	}
	text := strings.ReplaceAll(string(b), "\r\n", "\n")
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.HasPrefix(text, golden.Header):
		return text, nil
	case strings.HasPrefix(first, "wf golden ") && utf8.ValidString(first) && len(first) < 60:
		return "", &versionError{path, first}
	}
	return "", &versionError{path: path}
}

// failOf is an error as the failure of a test.
func failOf(err error, at Place) *Fail {
	var f *failError
	if errors.As(err, &f) {
		return f.fail
	}
	return &Fail{Place: at, Message: err.Error()}
}

// A failError carries why a test failed, in full.
type failError struct{ fail *Fail }

func (e *failError) Error() string { return e.fail.Message }
