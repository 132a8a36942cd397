package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// accepts refuses a command that is not possible at the instance's position.
func (in *instance) accepts(h *program.Handler) error {
	s := &in.state
	if s.Status.Terminal() {
		return refuse("conflict", "%s is not possible: %s %q is %s", h.Name, in.workflow, in.id, s.Status)
	}
	if h.In == nil {
		return nil
	}
	at := in.positions()
	for _, step := range at {
		if slices.Contains(h.In, step) {
			return nil
		}
	}
	return refuse("conflict", "%s is not possible in %s", h.Name, strings.Join(at, ", "))
}

// positions are the steps that an instance is at: the current one, those of its
// branches while a block runs, the one that paused.
func (in *instance) positions() []string {
	at := []string{in.currentStep()}
	for t := range in.Tracks() {
		if t.Undoing == "" && !t.Final && t.Phase != flow.Done && t.Phase != flow.Broken {
			if name := in.step(t); name != "" && name != "parallel" {
				at = append(at, name)
			}
		}
	}
	return at
}

// bind puts arguments in the places of a handler's parameters, fitted to their
// types.
func bind(h *program.Handler, args []value.Value, names []string) ([]value.Value, error) {
	params := h.Body.Params
	out := make([]value.Value, len(params))
	given := make([]bool, len(params))
	next := 0
	for i, v := range args {
		at := next
		if i < len(names) && names[i] != "" {
			at = slices.IndexFunc(params, func(p program.Param) bool { return p.Name == names[i] })
			if at < 0 {
				return nil, refuse("bad_request", "%s has no parameter %q", h.Name, names[i])
			}
		} else {
			next++
		}
		if at >= len(params) {
			return nil, refuse("bad_request", "%s takes %s; it was given %d", h.Name, countOf(len(params), "argument"), len(args))
		}
		if given[at] {
			return nil, refuse("bad_request", "%s was given its parameter %q twice", h.Name, params[at].Name)
		}
		fitted, err := Fit(v, &params[at].Type)
		if err != nil {
			return nil, refuse("bad_request", "%s: parameter %s: %s", h.Name, params[at].Name, err)
		}
		out[at], given[at] = fitted, true
	}
	for i, ok := range given {
		if !ok && params[i].Type.Base != program.OptionalType {
			return nil, refuse("bad_request", "%s takes %s; %q is missing", h.Name, countOf(len(params), "argument"), params[i].Name)
		}
	}
	return out, nil
}

// noCommand refuses a command that a workflow does not have.
func noCommand(wf *program.Workflow, name string) error {
	if wf.Query(name) != nil || name == LifecycleQuery {
		return refuse("not_found", "%s has no command %q; it has a query of this name", wf.Name, name)
	}
	var known []string
	for _, h := range wf.Commands {
		known = append(known, h.Name)
	}
	return refuse("not_found", "%s has no command %q%s", wf.Name, name, orMeant(name, known))
}

// countOf says "no arguments", "1 argument", "3 arguments".
func countOf(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
