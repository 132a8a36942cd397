package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist"
)

// The exit codes; scripts branch on them, so they never change their meaning.
const (
	exitDone        = 0   // done, or left waiting with --until-idle
	exitFailed      = 1   // the program, or an instance that this run drove, failed or was cancelled
	exitUsage       = 2   // wrong arguments, a FILE that cannot be read
	exitSource      = 3   // errors in the source
	exitRefused     = 4   // refused or not found
	exitStore       = 5   // the store cannot be used
	exitUnknown     = 6   // nobody knows whether it happened
	exitInterrupted = 130 // Ctrl-C
)

// An exitError carries the exit code to the top. Without err everything that
// there is to say has been said.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// said ends the command with a code, everything being said.
func said(code int) error { return &exitError{code: code} }

// usage is a mistake in how the command was called.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// storeTrouble is an error of the store with what to do about it.
func storeTrouble(format string, args ...any) error {
	return &exitError{exitStore, fmt.Errorf(format, args...)}
}

// errInterrupted is the end by Ctrl-C.
var errInterrupted = errors.New("interrupted")

// codeOf is the one place where an error becomes an exit code.
func codeOf(err error) int {
	var exit *exitError
	var lost *operate.LostError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, engine.ErrUnknown):
		return exitUnknown
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &lost):
		return exitStore
	case errors.Is(err, engine.ErrRefused), errors.Is(err, engine.ErrNotFound):
		return exitRefused
	case isStoreError(err):
		return exitStore
	}
	return exitFailed
}

func isStoreError(err error) bool {
	for _, e := range []error{persist.ErrLocked, persist.ErrDamaged, persist.ErrFull, persist.ErrFormat, persist.ErrClosed, persist.ErrTooLarge} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// words is what is said about an error on stderr, with commands of the shell:
// never a Go trace.
func words(err error, shell tell.Shell) string {
	var fault *interp.Fault
	switch {
	case errors.As(err, &fault):
		return fmt.Sprintf("%s (%s)", fault.Message, fault.Code)
	case errors.Is(err, engine.ErrUnknown):
		return fmt.Sprintf("%v\nnobody knows whether the last change is in the store; look with %s before you repeat it (with --key it can be repeated at once)", err, shell.Wf("list", "--all"))
	case errors.Is(err, persist.ErrFull):
		return fmt.Sprintf("%v\nnothing was lost; make room on the disk, then give the same command again", err)
	}
	text := err.Error()
	if head, _, found := strings.Cut(text, "\ngoroutine "); found {
		return head + "\nThis is a mistake in wf, not in your script. Please report it."
	}
	return text
}
