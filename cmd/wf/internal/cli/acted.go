package cli

import (
	"bufio"
	"errors"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist"
)

// An acted is the --json document of a command that changed an instance: what
// was accepted, and is in the store.
type acted struct {
	ID        string   `json:"id"`
	Action    string   `json:"action"` // signal, cancel, terminate, retry, resume, delete
	Name      string   `json:"name,omitempty"`
	DrivenBy  *int     `json:"driven_by"` // the process that goes on with it; null: nobody does yet
	NotUndone []string `json:"not_undone,omitempty"`
}

// acted reports an act: as a document, or by saying so in words.
func (a *app) acted(o *operate.Operator, doc acted, format string, args ...any) error {
	if !a.json {
		a.sayf(format, args...)
		return nil
	}
	if pid := o.Owner(); pid != 0 {
		doc.DrivenBy = &pid
	}
	return a.render(func(w *bufio.Writer) error { return writeJSON(w, doc) })
}

// An errorJSON is what --json has on stderr instead of words.
type errorJSON struct {
	Error struct {
		Code     string `json:"code"`
		Message  string `json:"message"`
		ExitCode int    `json:"exit_code"`
	} `json:"error"`
}

func errorOf(err error, shell tell.Shell) errorJSON {
	var doc errorJSON
	doc.Error.Code, doc.Error.Message, doc.Error.ExitCode = errorCode(err), words(err, shell), codeOf(err)
	return doc
}

// errorCode names an error for a program: the code of a refusal or fault, else
// what kind of trouble it is.
func errorCode(err error) string {
	var refused *engine.RefusedError
	var fault *interp.Fault
	switch {
	case errors.Is(err, engine.ErrUnknown):
		return "outcome_unknown"
	case errors.As(err, &refused):
		return refused.Code
	case errors.As(err, &fault):
		return fault.Code
	case errors.Is(err, persist.ErrFull):
		return "unavailable"
	}
	switch codeOf(err) {
	case exitUsage:
		return "usage"
	case exitSource:
		return "source"
	case exitRefused:
		return "conflict"
	case exitStore:
		return "store"
	case exitInterrupted:
		return "interrupted"
	}
	return "internal"
}
