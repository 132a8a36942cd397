package checker

import (
	"strconv"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
)

// form is how a call of the signature is written: "`add(a, b)`".
func (s signature) form() string {
	var names []string
	for _, p := range s.params {
		switch {
		case p.name == "":
			names = append(names, "…")
		case p.namedOnly:
			names = append(names, p.name+": …")
		default:
			names = append(names, p.name)
		}
	}
	if s.rest {
		names = append(names, "…")
	}
	return "`" + s.name + "(" + strings.Join(names, ", ") + ")`"
}

// positional counts the parameters that may be given without a name.
func (s signature) positional() int {
	n := 0
	for _, p := range s.params {
		if !p.namedOnly {
			n++
		}
	}
	return n
}

func (c *checker) sayTooMany(sig signature, extra source.Span, given int) {
	takes := count(sig.positional(), "argument")
	if sig.positional() == 0 {
		takes = "no arguments"
	}
	c.add(diag.Diagnostic{
		Code: "WF2201", Span: extra, Message: sig.what + " takes " + takes + ", not " + strconv.Itoa(given),
		Labels: label(sig.span, "declared here"), Help: "write " + sig.form(),
	})
}

func (c *checker) sayMissingArgs(sig signature, span source.Span, names []string) {
	var named []string
	for _, n := range names {
		if n != "" {
			named = append(named, n)
		}
	}
	msg := sig.what + " needs " + listing(named)
	if len(named) < len(names) {
		msg = sig.what + " needs " + count(len(names), "more argument")
	}
	c.add(diag.Diagnostic{
		Code: "WF2202", Span: span, Message: msg, Labels: label(sig.span, "declared here"),
		Help: "write " + sig.form(),
	})
}

func (c *checker) sayUnknownArg(sig signature, w ast.Word) {
	var names []string
	for _, p := range sig.params {
		if p.name != "" {
			names = append(names, p.name)
		}
	}
	help, fixes := c.meant(w.Span(), w.Name, names)
	c.add(diag.Diagnostic{
		Code: "WF2203", Span: w.Span(), Message: sig.what + " has no parameter `" + w.Name + "`",
		Labels: label(sig.span, "declared here"), Help: help, Fixes: fixes,
	})
}

func (c *checker) sayArgTwice(sig signature, w ast.Word, old source.Span) {
	c.add(diag.Diagnostic{
		Code: "WF2204", Span: w.Span(), Message: "`" + w.Name + "` of " + sig.what + " is given twice", Labels: label(old, "given here"),
	})
}

func (c *checker) sayNamedToValue(w ast.Word) {
	c.add(diag.Diagnostic{
		Code: "WF2205", Span: w.Span(), Message: "a function that is a value has no parameter names",
		Help: "write the argument without `" + w.Name + ":`",
	})
}

// sayNotCallable: x is the type of the value if the function is a field of it.
func (c *checker) sayNotCallable(fn program.Expr, t, x *types.Type) {
	d := diag.Diagnostic{
		Code: "WF2206", Span: fn.Span(), Message: t.Article() + " cannot be called",
		Help: "if this line should not belong to the one before, begin it with a name",
	}
	if f, ok := fn.(*program.Field); ok {
		d.Help = c.asFunction(f.Name, x)
	}
	c.add(d)
}

func (c *checker) sayUnknownModule(w ast.Word, modules []string) {
	help, fixes := c.meant(w.Span(), w.Name, modules)
	if fixes == nil {
		help = "there are the modules " + listing(modules)
	}
	c.add(diag.Diagnostic{Code: "WF2207", Span: w.Span(), Message: "no module is called `" + w.Name + "`", Help: help, Fixes: fixes})
}

// mostListed is how many functions of a module a help names.
const mostListed = 16

func (c *checker) sayUnknownOp(module string, op ast.Word, ops []string) {
	help, fixes := c.meant(op.Span(), op.Name, ops)
	switch {
	case op.Name == "length" || op.Name == "len" || op.Name == "size" || op.Name == "count":
		help, fixes = "the length of a value is its field: `x.length`", nil
	case fixes == nil && c.lib.modules[module].like(op.Name) != "":
		help = "did you mean `" + c.lib.modules[module].like(op.Name) + "`?"
		fixes = []diag.Fix{{Span: op.Span(), Text: c.lib.modules[module].like(op.Name)}}
	case fixes == nil && module == "List":
		help = c.asFunction(op.Name, types.List(types.Any()))
	case fixes == nil && len(ops) > mostListed:
		help = "`wf doc " + module + "` shows what there is"
	case fixes == nil && len(ops) > 0:
		help = "`" + module + "` has " + listing(ops)
	}
	c.add(diag.Diagnostic{Code: "WF2208", Span: op.Span(), Message: "`" + module + "` has no `" + op.Name + "`", Help: help, Fixes: fixes})
}

func (c *checker) sayNeedsPerform(m *ast.Name, op ast.Word) {
	at := m.Span()
	at.End = at.Start
	name := m.Name + "." + op.Name
	c.add(diag.Diagnostic{
		Code: "WF2209", Span: m.Span().To(op.Span()), Message: "`" + name + "` is an effect", Help: "write `perform " + name + "(…)`",
		Fixes: []diag.Fix{{Span: at, Text: "perform "}},
	})
}

func (c *checker) sayNoPerform(e *ast.Perform) {
	name := e.Module.Name + "." + e.Op.Name
	word := e.Span()
	word.End = e.Module.Span().Start
	c.add(diag.Diagnostic{
		Code: "WF2210", Span: e.Span(), Message: "`" + name + "` is a plain function", Help: "write it without `perform`",
		Fixes: []diag.Fix{{Span: word}},
	})
}

func (c *checker) sayUnknownHandler(a *actor, w ast.Word, names []string) {
	help, fixes := c.meant(w.Span(), w.Name, names)
	c.add(diag.Diagnostic{
		Code: "WF2211", Span: w.Span(), Message: "`" + a.decl.Name.Name + "` has no command or query `" + w.Name + "`",
		Labels: label(a.decl.Name.Span(), "declared here"), Help: help, Fixes: fixes,
	})
}

func (c *checker) sayUnheardSignal(a *actor, w ast.Word) {
	names := a.prog.Signals
	if len(a.signals) > 0 {
		names = a.signalNames()
	}
	help, fixes := c.meant(w.Span(), w.Name, names)
	c.add(diag.Diagnostic{
		Code: "WF2212", Span: w.Span(), Message: "`" + a.decl.Name.Name + "` never waits for a signal `" + w.Name + "`",
		Labels: label(a.decl.Name.Span(), "declared here"), Help: help, Fixes: fixes,
	})
}

func (c *checker) sayEventNearly(w, declared ast.Word) {
	c.add(diag.Diagnostic{
		Code: "WF2213", Severity: diag.Warning, Span: w.Span(), Message: "the event `" + w.Name + "` is not declared",
		Labels: label(declared.Span(), "this one is"), Help: "did you mean `" + declared.Name + "`?",
		Fixes: []diag.Fix{{Span: w.Span(), Text: declared.Name}},
	})
}
