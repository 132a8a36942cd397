package checker

import (
	"strconv"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
)

func (c *checker) saySeveralPayloads(m *ast.SignalDecl) {
	var fields []string
	for _, p := range m.Params {
		t := "Any"
		if p.Type != nil {
			t = c.set.Text(p.Type.Span())
		}
		fields = append(fields, p.Name.Name+": "+t)
	}
	all := m.Params[0].Span().To(m.Params[len(m.Params)-1].Span())
	one := "payload: { " + strings.Join(fields, ", ") + " }"
	c.add(diag.Diagnostic{
		Code: "WF2604", Span: all, Message: "a signal carries one payload, not " + strconv.Itoa(len(m.Params)),
		Help: "put them into a record: `signal " + m.Name.Name + "(" + one + ")`", Fixes: []diag.Fix{{Span: all, Text: one}},
	})
}

func (c *checker) sayUnsendable(s *signalInfo, what string) {
	p := s.payload()
	help := "send its name, and let the receiver `perform Secret.get` itself"
	if what == "a function" {
		help = "whether a function fits its type cannot be seen when it comes: leave the type away, `signal " + s.decl.Name.Name + "(" + p.Name.Name + ")`"
	}
	c.add(diag.Diagnostic{
		Code: "WF2605", Span: p.Type.Span(), Message: "signal `" + s.decl.Name.Name + "` cannot be declared to carry " + what, Help: help,
	})
}

// sayUndeclaredSignal is about a wait for a signal in a workflow that declares
// others.
func (c *checker) sayUndeclaredSignal(a *actor, h heard) {
	labels := label(a.signals[0].decl.Name.Span(), "`"+a.decl.Name.Name+"` declares its signals")
	if h.wait != h.span {
		labels = append(labels, label(h.wait, "waited for here")...)
	}
	help, fixes := c.meant(h.span, h.name, a.signalNames())
	switch {
	case fixes == nil:
		help = "declare it: `signal " + h.name + "`, or `signal " + h.name + "(payload: Type)` if it carries something"
	case h.wait != h.span:
		fixes = nil
	case strings.HasPrefix(c.set.Text(h.span), `"`):
		fixes[0].Text = strconv.Quote(fixes[0].Text)
	}
	c.add(diag.Diagnostic{
		Code: "WF2606", Span: h.span, Message: "`" + a.decl.Name.Name + "` declares no signal `" + h.name + "`", Labels: labels, Help: help, Fixes: fixes,
	})
}

func (c *checker) sayNoPayload(s *signalInfo, span source.Span) {
	name := s.decl.Name.Name
	c.add(diag.Diagnostic{
		Code: "WF2607", Span: span, Message: "signal `" + name + "` carries no payload", Labels: label(s.decl.Name.Span(), "declared here"),
		Help: "write `signal " + name + " => …`, or declare what it carries: `signal " + name + "(payload: Type)`",
	})
}

func (c *checker) sayPayloadLeftOut(span source.Span, t *types.Type, s *cases) {
	d := diag.Diagnostic{
		Code: "WF2608", Span: span, Message: "the signal carries " + t.Article() + ", and this leaves out " + listing(s.names),
		Help: "take all that comes by a name, and `match` it",
	}
	if s.variant != nil {
		d.Labels = label(s.variant.span, "a variant of `"+s.variant.typ+"`")
	}
	c.add(d)
}

func (c *checker) sayNeverAwaited(a *actor, s *signalInfo) {
	c.add(diag.Diagnostic{
		Code: "WF2819", Severity: diag.Warning, Span: s.decl.Name.Span(),
		Message: "nothing in `" + a.decl.Name.Name + "` waits for the signal `" + s.decl.Name.Name + "`",
		Help:    "whoever sends it is refused; wait for it in a step, or remove the line",
	})
}
