package checker

import (
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// sayUnknownField refuses a field that an actor has not. If f is a function, then
// at is all of `self.f`, which should be `f`.
func (c *checker) sayUnknownField(a *actor, w ast.Word, f *function, at source.Span) {
	labels := label(a.decl.Name.Span(), "its state is declared here")
	help, fixes := c.meant(w.Span(), w.Name, a.candidates())
	switch {
	case f != nil:
		labels = label(f.decl.Name.Span(), "a function of this name is declared here")
		help, fixes = "a function stands without `self.`: `"+w.Name+"`", []diag.Fix{{Span: at, Text: w.Name}}
	case fixes == nil:
		help = "declare it: `state " + w.Name + " = …`"
	}
	c.add(diag.Diagnostic{
		Code: "WF2101", Span: w.Span(), Message: "`" + a.decl.Name.Name + "` has no field `" + w.Name + "`",
		Labels: labels, Help: help, Fixes: fixes,
	})
}

func (c *checker) sayTypeAsValue(s *ast.State) {
	between := source.Span{File: s.Init.Span().File, Start: s.Name.Span().End, End: s.Init.Span().Start}
	c.add(diag.Diagnostic{
		Code: "WF2113", Span: s.Init.Span(), Message: "`" + c.set.Text(s.Init.Span()) + "` is a type, not a value to begin with",
		Help:  "write `state " + s.Name.Name + ": " + c.set.Text(s.Init.Span()) + "`; behind it may stand a value: `= …`",
		Fixes: []diag.Fix{{Span: between, Text: ": "}},
	})
}

// candidates are all that may be read from self.
func (a *actor) candidates() []string {
	out := a.fieldNames()
	for _, r := range reserved {
		out = append(out, r.name)
	}
	return out
}

func (c *checker) sayNeverAssigned(a *actor, w ast.Word) {
	help, fixes := c.meant(w.Span(), w.Name, a.candidates())
	if fixes == nil {
		help = "assign it in a step, or give it at `spawn " + a.decl.Name.Name + " { " + w.Name + ": … }`"
	}
	c.add(diag.Diagnostic{
		Code: "WF2102", Span: w.Span(), Message: "nothing ever assigns `self." + w.Name + "`",
		Labels: label(a.decl.Name.Span(), "`"+a.decl.Name.Name+"` declares no state: it has the fields that something assigns"),
		Help:   help, Fixes: fixes,
	})
}

func (c *checker) sayFieldOfNoWorkflow(w ast.Word, fields []string) {
	for _, r := range reserved {
		fields = append(fields, r.name)
	}
	help, fixes := c.meant(w.Span(), w.Name, fields)
	if fixes == nil {
		help = ""
	}
	c.add(diag.Diagnostic{
		Code: "WF2103", Span: w.Span(), Message: "no workflow of the program has a field `" + w.Name + "`", Help: help, Fixes: fixes,
	})
}

func (c *checker) sayReservedWrite(w ast.Word) {
	help := "the runtime keeps it; use a field of your own"
	switch w.Name {
	case "step", "step_index":
		help = "the runtime keeps it; to go to another step write `goto name`"
	case "failure":
		help = "the runtime keeps it; to fail write `fail \"why\"`, to go to another step `goto name`"
	}
	c.add(diag.Diagnostic{Code: "WF2104", Span: w.Span(), Message: "`self." + w.Name + "` cannot be assigned", Help: help})
}

func (c *checker) sayReservedField(w ast.Word) {
	c.add(diag.Diagnostic{
		Code: "WF2105", Span: w.Span(), Message: "`" + w.Name + "` is the name of a part of `self` that the runtime keeps",
		Help: "choose another name for the field",
	})
}

func (c *checker) saySelfHere(span source.Span, k bodyKind) {
	help := "`self` is the state of a workflow's or entity's instance; ask an instance for what you need: `ask h.query()`"
	if k == stateValue {
		help = "an initial value is computed before there is an instance; assign it in the first step, or in `init`"
	}
	c.add(diag.Diagnostic{Code: "WF2106", Span: span, Message: "`self` means nothing in " + k.where(), Help: help})
}

func (c *checker) sayMissingAtSpawn(a *actor, e *ast.Spawn, missing []program.StateField) {
	var names []string
	var labels []diag.Label
	help := ""
	for _, f := range missing {
		names = append(names, f.Name)
		labels = append(labels, label(f.Span, "has no initial value")...)
		if strings.HasSuffix(f.Type.Text, "?") && help == "" {
			help = ", or give it a value: `state " + f.Name + ": " + f.Type.Text + " = nil`"
		}
	}
	c.add(diag.Diagnostic{
		Code: "WF2107", Span: e.Workflow.Span(), Message: "`spawn " + a.decl.Name.Name + "` must give " + listing(names),
		Labels: labels, Help: "write `spawn " + a.decl.Name.Name + " { " + strings.Join(names, ": …, ") + ": … }`" + help,
	})
}

func (c *checker) sayUnknownAtSpawn(a *actor, w ast.Word) {
	help, fixes := c.meant(w.Span(), w.Name, a.fieldNames())
	c.add(diag.Diagnostic{
		Code: "WF2108", Span: w.Span(), Message: "`" + a.decl.Name.Name + "` has no field `" + w.Name + "`",
		Labels: label(a.decl.Name.Span(), "its state is declared here"), Help: help, Fixes: fixes,
	})
}

func (c *checker) sayEntityFieldUnset(w ast.Word) {
	c.add(diag.Diagnostic{
		Code: "WF2109", Span: w.Span(), Message: "the field `" + w.Name + "` of an entity needs an initial value",
		Help: "nobody spawns an entity, so nobody can give it: write `state " + w.Name + " = …`",
	})
}

func (c *checker) saySpawnOfOther(w ast.Word, a *actor) {
	c.add(diag.Diagnostic{
		Code: "WF2110", Span: w.Span(), Message: "`" + w.Name + "` is " + an(a.kind.Keyword()) + " and is not spawned",
		Labels: label(a.decl.Name.Span(), "declared here"),
		Help:   "it is there when it is needed: `" + w.Name + "(\"id\")` is its handle",
	})
}

func (c *checker) sayReservedAtSpawn(w ast.Word) {
	help := "the runtime keeps it; choose another name for the field"
	if w.Name == "id" {
		help = "name an instance with `spawn W { … } as \"id\"`"
	}
	c.add(diag.Diagnostic{Code: "WF2111", Span: w.Span(), Message: "`" + w.Name + "` cannot be given at spawn", Help: help})
}

func (c *checker) sayFieldOfOther(i *info, k call, f ast.Word) {
	c.add(diag.Diagnostic{
		Code: "WF2112", Span: k.span,
		Message: k.to.name + " uses `self." + f.Name + "`, which `" + i.actor.decl.Name.Name + "` has not",
		Labels:  append(label(f.Span(), "used here"), label(i.actor.decl.Name.Span(), "declared here")...),
		Help:    "pass the value as an argument",
	})
}
