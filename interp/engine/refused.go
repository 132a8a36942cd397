package engine

import (
	"errors"
	"fmt"

	"github.com/wf-lang/wf/lang/spell"
)

// orMeant goes on behind "there is no such name" with the known one that may be
// meant; it is "" if none is near.
func orMeant(name string, known []string) string {
	near := spell.Nearest(name, known)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}

// Errors that callers branch on.
var (
	// ErrRefused: what was asked for is not possible now; nothing was changed.
	ErrRefused = errors.New("refused")
	// ErrNotFound: no such instance, handler or signal.
	ErrNotFound = errors.New("not found")
	// ErrUnknown: the outcome is not known: the store failed while it was
	// being made durable.
	ErrUnknown = errors.New("outcome unknown")
	// ErrStopped: the engine was closed.
	ErrStopped = errors.New("engine stopped")
)

// RefusedError says why something was refused, with one of the codes of
// rejections (bad_request, conflict, not_found, …).
type RefusedError struct {
	Code    string
	Message string
}

func (e *RefusedError) Error() string { return e.Message }

// Is makes a RefusedError an ErrRefused, and an ErrNotFound by its code.
func (e *RefusedError) Is(target error) bool {
	return target == ErrRefused || target == ErrNotFound && e.Code == "not_found"
}

func refuse(code, format string, args ...any) error {
	return &RefusedError{code, fmt.Sprintf(format, args...)}
}
