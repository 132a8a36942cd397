package checker

import (
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
)

func (c *checker) sayNotExhaustive(m *program.Match, v *variant, missing []string) {
	word := m.Span()
	word.End = min(word.End, word.Start+uint32(len("match")))
	d := diag.Diagnostic{
		Code: "WF2701", Span: word, Message: "this match may find no arm for " + listing(missing),
		Help: "add an arm for each, or `_ => …` for all others",
	}
	if v != nil {
		d.Message += " of `" + v.typ + "`"
		d.Labels = label(v.span, "a variant of `"+v.typ+"`")
	}
	c.add(d)
}

func (c *checker) sayDuplicateKey(w ast.Word, old source.Span) {
	c.add(diag.Diagnostic{Code: "WF2702", Span: w.Span(), Message: "the field `" + w.Name + "` stands here twice", Labels: label(old, "the first is here")})
}

func (c *checker) sayNumberRange(n *ast.NumberLit) {
	help := "an Int lies between -9223372036854775808 and 9223372036854775807; for a Decimal write `" + n.Text + ".0`"
	switch n.Kind {
	case ast.NumDecimal:
		help = "a Decimal may not have that many digits"
	case ast.NumFloat:
		help = "a Float lies between -1.8e308 and 1.8e308"
	case ast.NumDuration:
		help = "a duration is at most 292 years"
	}
	c.add(diag.Diagnostic{Code: "WF2703", Span: n.Span(), Message: "`" + n.Text + "` is out of range", Help: help})
}

func (c *checker) sayNotBool(e program.Expr, of string, t *types.Type) {
	example := "x != 0"
	switch {
	case t.Is(types.NilKind):
		example = "x != nil"
	case t.Is(types.StringKind):
		example = "x != \"\""
	case t.Is(types.ListKind), t.Is(types.RecordKind):
		example = "x.length > 0"
	}
	help := "write a comparison, such as `" + example + "`"
	switch e.(type) {
	case *program.AssignField, *program.AssignLocal:
		help = "`=` assigns; to compare write `==`"
	}
	c.add(diag.Diagnostic{Code: "WF2704", Span: e.Span(), Message: of + " needs a Bool, and this is " + t.Article(), Help: help})
}

// sayOperands points at the operator.
func (c *checker) sayOperands(e *program.Binary, x, y *types.Type) {
	span := e.Span()
	between := source.Span{File: span.File, Start: e.X.Span().End, End: e.Y.Span().Start}
	if between.Start < between.End {
		if i := strings.Index(c.set.Text(between), symbols[e.Op]); i >= 0 {
			span.Start = between.Start + uint32(i)
			span.End = span.Start + uint32(len(symbols[e.Op]))
		}
	}
	help := ""
	if w, ok := e.X.(*program.Await); ok && w.For != nil && span.Start >= w.For.Span().End {
		after := source.Span{File: span.File, Start: w.For.Span().Start, End: e.Y.Span().End}
		help = "what is behind the time applies to what was awaited; a time that is computed stands in parentheses: `for (" + c.set.Text(after) + ")`"
	}
	c.sayOperandsAt(span, symbols[e.Op], x, y, help)
}

// sayOperandsAt says that an operator is not for these values; what helps follows
// from them if it is not known.
func (c *checker) sayOperandsAt(span source.Span, op string, x, y *types.Type, help string) {
	switch {
	case help != "":
	case x.Is(types.SecretKind) || y.Is(types.SecretKind):
		help = secretTexts
	case op[0] == '+' && (x.Is(types.StringKind) || y.Is(types.StringKind)):
		help = "put the value into the text: `\"… ${x}\"`"
	case op[0] == '+' && x.Is(types.ListKind):
		help = "put the element into a list: `+ [x]`"
	case x.Number() && y.Number():
		help = "convert one of them: `Decimal(x)` or `Float(x)`"
	case x.Is(types.NilKind) || y.Is(types.NilKind):
		help = present
	}
	c.add(diag.Diagnostic{Code: "WF2705", Span: span, Message: "`" + op + "` does not work between " + x.String() + " and " + y.String(), Help: help})
}

func (c *checker) sayOperand(e *program.Neg, t *types.Type) {
	c.add(diag.Diagnostic{Code: "WF2706", Span: e.Span(), Message: "`-` does not work with " + t.Article()})
}

func (c *checker) sayUnknownVariant(w ast.Word) {
	var names []string
	for _, n := range c.names.upper {
		if c.names.variants[n] != nil {
			names = append(names, n)
		}
	}
	help, fixes := c.meant(w.Span(), w.Name, names)
	if fixes == nil {
		help = "declare it: `type T = " + w.Name + " | …`; a name that binds begins with a lower-case letter"
	}
	c.add(diag.Diagnostic{Code: "WF2707", Span: w.Span(), Message: "no variant is called `" + w.Name + "`", Help: help, Fixes: fixes})
}

func (c *checker) sayVariantArity(p *ast.VariantPattern, v *variant) {
	has := count(len(v.names), "field")
	if len(v.names) == 0 {
		has = "no fields"
	}
	c.add(diag.Diagnostic{
		Code: "WF2708", Span: p.Args.Span(), Message: "`" + v.name + "` has " + has, Labels: label(v.span, "declared here"),
		Help: "write " + variantSignature(v).form() + "; `...` stands for all fields that follow",
	})
}

func (c *checker) sayAlternatives(span source.Span, first, names []string) {
	msg := "all alternatives of a pattern bind the same names; the first binds "
	if len(first) == 0 {
		msg += "none"
	} else {
		msg += listing(first)
	}
	if len(names) == 0 {
		msg += ", this one none"
	} else {
		msg += ", this one " + listing(names)
	}
	c.add(diag.Diagnostic{Code: "WF2709", Span: span, Message: msg, Help: "write two arms"})
}

func (c *checker) sayUnusedVariable(v *variable) {
	d := diag.Diagnostic{
		Code: "WF2801", Severity: diag.Warning, Span: v.span, Message: "the " + v.kind.String() + " `" + v.name + "` is never used",
		Help: "to keep it write `_" + v.name + "`", Fixes: c.renamed(v),
	}
	if v.assigned {
		d.Help, d.Fixes = "it is only assigned; to keep it call it `_"+v.name+"` everywhere", nil
	}
	c.add(d)
}

// renamed is the fix of an unused name; a field of a record pattern that binds
// its own name, and a parameter that is given by name, cannot just be renamed.
func (c *checker) renamed(v *variable) []diag.Fix {
	if v.kind != letVar && v.kind != varVar || c.set.Text(v.span) != v.name || c.byKey[v.span] {
		return nil
	}
	return []diag.Fix{{Span: v.span, Text: "_" + v.name}}
}

func (c *checker) sayUnusedFunction(f *function) {
	w := f.decl.Name
	d := diag.Diagnostic{
		Code: "WF2802", Severity: diag.Warning, Span: w.Span(), Message: "the function `" + w.Name + "` is never used",
		Help: "to keep it write `_" + w.Name + "`", Fixes: []diag.Fix{{Span: w.Span(), Text: "_" + w.Name}},
	}
	if f.recursive {
		d.Help, d.Fixes = "only it calls itself; to keep it call it `_"+w.Name+"` everywhere", nil
	}
	c.add(d)
}

func (c *checker) sayUnreachable(s, leaves ast.Expr) {
	d := diag.Diagnostic{
		Code: "WF2803", Severity: diag.Warning, Span: s.Span(), Message: "this is never reached", Labels: label(leaves.Span(), "this leaves"),
	}
	if _, ok := s.(*ast.Reply); ok {
		switch leaves.(type) {
		case *ast.Goto, *ast.End, *ast.Pause, *ast.Fail, *ast.Delete:
			d.Help = "the reply of an ending stands behind it on the same line: `goto step reply value`"
		}
	}
	c.add(d)
}

func (c *checker) sayIdleArm(a program.Arm) {
	at, ok := c.patternAt[a.Patterns[0]]
	if !ok {
		at = a.Body.Span()
	}
	c.add(diag.Diagnostic{
		Code: "WF2733", Severity: diag.Warning, Span: at, Message: "this arm never runs: those before it take all that it would",
		Help: "put it before them, or remove it",
	})
}

func (c *checker) sayNoEffect(s ast.Expr) {
	d := diag.Diagnostic{
		Code: "WF2804", Severity: diag.Warning, Span: s.Span(), Message: "nothing uses the value of this line",
		Help: "bind it with `let`, or leave it out; a line that begins with `(`, `[` or `-` does not continue the one before",
	}
	if b, ok := s.(*ast.Binary); ok && b.Op == "==" && assignable(b.X) {
		d.Help, d.Fixes = "to assign write `=`", []diag.Fix{{Span: b.OpAt.Place, Text: "="}}
	}
	c.add(d)
}

// assignable reports whether an expression could be assigned.
func assignable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name, *ast.Self:
		return true
	case *ast.Field:
		return assignable(e.X)
	case *ast.Index:
		return assignable(e.X)
	}
	return false
}

func (c *checker) sayNotVisible(wait, change source.Span) {
	c.add(diag.Diagnostic{
		Code: "WF2805", Severity: diag.Warning, Span: wait, Message: "while this waits, what the step changed before is not visible yet",
		Labels: label(change, "this takes effect when the step ends"), Help: "move the change to a step of its own, before this one",
	})
}

func (c *checker) sayLoopNeverSees(w *program.While, field string) {
	c.add(diag.Diagnostic{
		Code: "WF2806", Severity: diag.Warning, Span: w.Cond.Span(), Message: "this condition never changes: the loop does not assign `self." + field + "`",
		Help: "a step reads the state as it was when it started, so it does not see what a command changes; wait for a signal, or let the step `goto` itself",
	})
}

func (c *checker) sayThrownAway(throw, lost program.Expr) {
	c.add(diag.Diagnostic{
		Code: "WF2807", Severity: diag.Warning, Span: throw.Span(), Message: "this throws away what the step has changed",
		Labels: label(lost.Span(), "this never takes effect"), Help: "`fail` keeps it: the workflow ends failed, with the change applied",
	})
}
