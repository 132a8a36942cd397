package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/interp/call/needs"
	"github.com/wf-lang/wf/interp/call/secret"
	"github.com/wf-lang/wf/lang/program"
)

// needsLine is the line of `wf check --json` about a program that wants something
// from outside; its other lines are diagnostics, which have a code.
type needsLine struct {
	File  string    `json:"file"`
	Needs needsJSON `json:"needs"`
}

type needsJSON struct {
	Modules []string `json:"modules"`
	Flags   []string `json:"flags"`   // that allow what the text names
	Open    []string `json:"open"`    // capabilities of which something is computed
	Secrets []string `json:"secrets"` // by name
	Model   bool     `json:"model"`
}

func needsOf(prog *program.Program) needsJSON {
	out := needsJSON{Modules: []string{}, Open: []string{}, Secrets: []string{}}
	all := needs.Of(prog)
	flags, open := needs.Flags(all)
	out.Flags = append([]string{}, flags...)
	for _, k := range open {
		out.Open = append(out.Open, k.String())
	}
	for _, n := range all {
		if module, _, _ := strings.Cut(n.Op, "."); !slices.Contains(out.Modules, module) {
			out.Modules = append(out.Modules, module)
		}
		out.Model = out.Model || n.Kind == needs.Model
		if n.Kind == needs.Secret && n.What != "" && !slices.Contains(out.Secrets, n.What) {
			out.Secrets = append(out.Secrets, n.What)
		}
	}
	return out
}

// sayNeeds says what a program wants from outside, with the flags for it.
func (a *app) sayNeeds(file string, n needsJSON) {
	if len(n.Modules) == 0 {
		return
	}
	line := fmt.Sprintf("%s uses %s", file, strings.Join(n.Modules, ", "))
	if len(n.Flags) > 0 {
		line += "; to run it: " + strings.Join(n.Flags, " ")
	}
	a.sayf("%s", line)
	for _, k := range allow.Kinds() {
		if slices.Contains(n.Open, k.String()) {
			what, _ := allowHelp(k)
			a.sayf("    it computes which: to let it %s, also --allow-%s=…", strings.TrimPrefix(what, "let scripts "), k)
		}
	}
	for _, name := range n.Secrets {
		a.sayf("    secret %s: %s in the environment, or `secrets` in %s", name, secret.EnvName(name), configName)
	}
	if n.Model {
		a.sayf("    a language model: WF_LLM_BASE_URL and WF_LLM_MODEL in the environment, or `model` in %s", configName)
	}
}

// warnDenied says before a run which calls of a program will be refused, and not
// again what it has said; those of its own statements only if it runs itself.
func (w *world) warnDenied(a *app, prog *program.Program, itself bool) {
	for _, n := range needs.Of(prog) {
		if n.Main && !itself {
			continue
		}
		err := n.Denied(w.rules)
		switch {
		case n.Kind == needs.Secret && n.What != "":
			err = w.secrets.Check(n.What)
		case n.Kind == needs.Model && !w.hasModel:
			err = errors.New("no model is configured: set WF_LLM_BASE_URL and WF_LLM_MODEL")
		}
		if err == nil || w.warned[err.Error()] {
			continue
		}
		w.warned[err.Error()] = true
		switch p := prog.Files.Position(n.At); {
		case len(w.warned) <= maxNamed:
			a.sayf("%s:%d:%d: %s will be refused: %v", p.File, p.Line, p.Column, n.Op, err)
		case len(w.warned) == maxNamed+1:
			a.sayf("… and more calls that will be refused; wf check lists what is needed")
		}
	}
}
