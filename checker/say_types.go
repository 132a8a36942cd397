package checker

import (
	"strings"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/types"
)

// name is what wants a value, with the part of it that is spoken of.
func (w *wanted) name() string {
	if w.path == "" {
		return w.what
	}
	path := strings.TrimPrefix(w.path, ".")
	if w.kind == wantsResult {
		return "`" + path + "` of what " + w.what + " gives"
	}
	if head, rest, ok := strings.Cut(strings.TrimPrefix(w.what, "`"), "`"); ok && strings.HasPrefix(w.what, "`") {
		return "`" + head + w.path + "`" + rest
	}
	return "`" + path + "` of " + w.what
}

// declared points at the other side.
func (w *wanted) declared() []diag.Label {
	return label(w.span, "declared here as "+w.t.String())
}

// sayMismatch speaks of a value that does not fit what is declared.
func (c *checker) sayMismatch(e program.Expr, got *types.Type, w *wanted) {
	d := diag.Diagnostic{Span: e.Span(), Labels: w.declared(), Help: conversion(got, w.t)}
	is := got.Article()
	switch w.kind {
	case wantsArgument:
		d.Code, d.Message = "WF2711", w.name()+" is "+w.t.Article()+", and this is "+is
	case wantsResult:
		verb := " gives "
		if w.path != "" {
			verb = " is "
		}
		d.Code, d.Message = "WF2712", w.name()+verb+w.t.Article()+", and this is "+is
	case wantsInput:
		d.Code, d.Message = "WF2713", w.name()+" is "+w.t.Article()+", and this is "+is
	default:
		d.Code, d.Message = "WF2710", w.name()+" is "+w.t.Article()+", and this is "+is
	}
	if w.path != "" {
		d.Labels = label(w.span, "declared here")
	}
	c.add(d)
}

// sayHandedOn is the same for the value that an item hands to the next one.
func (c *checker) sayHandedOn(from *program.Item, got *types.Type, to *info, w *wanted) {
	span := to.fn.Span
	labels := w.declared()
	if from.Step != nil {
		labels = append(labels, diag.Label{Span: from.Step.Span, Text: "the value of this step is " + got.Article()})
	} else {
		labels = append(labels, diag.Label{Span: blockHead(from.Parallel.Span), Text: "the value of this block is " + got.Article()})
	}
	c.add(diag.Diagnostic{
		Code: "WF2714", Span: span, Labels: labels,
		Message: to.name + " takes " + w.t.Article() + ", and the item before it hands on " + got.Article(),
		Help:    "end the item before with the value, or with a `goto` that gives it",
	})
}

func blockHead(s source.Span) source.Span {
	s.End = min(s.End, s.Start+uint32(len("parallel")))
	return s
}

// conversion says how a value gets the type that is wanted.
func conversion(got, want *types.Type) string {
	want = types.Present(want)
	switch {
	case got.Is(types.DecimalKind) && want.Is(types.FloatKind):
		return "a Float is written with an exponent, `2.5e0`, or made with `Float(x)`"
	case got.Is(types.SecretKind):
		return "a secret has no text; `Http` takes it in headers, the query and the body, `Exec` in `env:` and `stdin:`"
	case want.Is(types.StringKind):
		return "make a text of it: `\"${x}\"` or `String(x)`"
	case want.Of != nil:
		return "write a type there, as `Order`, `[Int]` or `{ qty: Int }`, or the record of a JSON Schema"
	case want.Is(types.DurationKind) && got.Is(types.IntKind):
		return "write the unit: `30s`, `5m`, `2h`; a number that is computed gets it by `n * 1s`"
	case want.Is(types.DurationKind) && got.Number():
		return "write the unit: `30s`, `1m30s`, `500ms`"
	case want.Is(types.TimeKind) && got.Number():
		return "`Time.from_unix(x)` makes a Time of the seconds since 1970, `Time.from_unix_ms(x)` of the milliseconds"
	case want.Number() || want.Is(types.DurationKind) || want.Is(types.TimeKind):
		if got.Number() || got.Is(types.StringKind) {
			return "convert it: `" + want.String() + "(x)`"
		}
	}
	return ""
}

func (c *checker) sayMissingField(e *program.RecordExpr, name string, want *types.Type, w *wanted) {
	part := *w
	part.t = want
	help := ""
	if f, ok := want.Field(name); ok {
		help = "add `" + name + ": …`, " + f.Article()
	}
	for _, x := range e.Entries {
		if _, known := want.Field(x.Key); !known && x.Key != "" && spell.Nearest(x.Key, []string{name}) != "" {
			help = "did you mean `" + name + "` where it says `" + x.Key + "`?"
		}
	}
	c.add(diag.Diagnostic{
		Code: "WF2715", Span: e.Span(), Message: "the field `" + name + "` is missing: " + w.name() + " is " + want.Article(),
		Labels: part.declared(), Help: help,
	})
}

// present is how to get rid of nil, presentApart the same where a pattern is.
const (
	present      = "ask first (`if x != nil { … }`), or say what it is otherwise: `x ?? …`"
	presentApart = "take it by a name and ask first (`if x != nil { … }`), or `match` it with an arm for nil"
)

func (c *checker) sayMayBeNil(at source.Span, t *types.Type, by, help string) {
	c.add(diag.Diagnostic{
		Code: "WF2716", Span: at, Message: "this may be nil (it is " + t.Article() + "), and " + by + " needs a value", Help: help,
	})
}

func (c *checker) sayMayNotBeNil(e program.Expr, t *types.Type, w *wanted) {
	c.add(diag.Diagnostic{
		Code: "WF2717", Span: e.Span(), Message: "this may be nil (it is " + t.Article() + "), and " + w.name() + " is " + w.t.Article(),
		Labels: w.declared(), Help: present,
	})
}

func (c *checker) sayNoField(e *program.Field, t *types.Type, names []string) {
	help, fixes := c.meant(fieldName(e), e.Name, names)
	if m := c.lib.modules["Record"]; fixes == nil && t.Is(types.RecordKind) && m != nil && m.ops[snake(e.Name)] != nil {
		help = c.asFunction(e.Name, t)
	}
	c.add(diag.Diagnostic{
		Code: "WF2718", Span: fieldName(e), Message: t.String() + " has no field `" + e.Name + "`", Help: help, Fixes: fixes,
	})
}

// isFieldOfElement reports whether the elements of a list have a field.
func (c *checker) isFieldOfElement(list *types.Type, name string) bool {
	elem := types.Present(list.Elem[0])
	_, ok := elem.Field(name)
	return ok
}

func (c *checker) sayNoParts(at source.Span, name string, t *types.Type) {
	help := ""
	switch {
	case t.Is(types.HandleKind):
		help = "a handle has only `.id`; ask the instance: `ask h." + name + "()`"
	case t.Is(types.ListKind) && c.isFieldOfElement(t, name):
		help = "take an element first, or go over them with `for`"
	case t.Is(types.TupleKind):
		help = "the parts of a tuple have numbers: `t[0]`"
	default:
		help = c.asFunction(name, t)
	}
	c.add(diag.Diagnostic{
		Code: "WF2719", Span: at, Message: "this is " + t.Article() + ", which has no field `" + name + "`", Help: help,
	})
}

func (c *checker) sayNotIndexable(at source.Span, t *types.Type) {
	c.add(diag.Diagnostic{
		Code: "WF2720", Span: at, Message: "only lists, tuples and records have an index, and this is " + t.Article(),
	})
}

func (c *checker) sayIndexKind(at program.Expr, got, want, of *types.Type) {
	thing := "a record"
	switch of.Kind {
	case types.ListKind:
		thing = "a list"
	case types.TupleKind:
		thing = "a tuple"
	}
	c.add(diag.Diagnostic{
		Code: "WF2721", Span: at.Span(), Message: thing + " is indexed by " + want.Article() + ", and this is " + got.Article(),
		Help: conversion(got, want),
	})
}

func (c *checker) sayNotIterable(e program.Expr, t *types.Type, by string) {
	help := ""
	if t.Is(types.IntKind) {
		help = "for the numbers up to it write `1..n`"
	}
	c.add(diag.Diagnostic{
		Code: "WF2722", Span: e.Span(), Message: by + " goes over a list, a record or a range, and this is " + t.Article(), Help: help,
	})
}

func (c *checker) sayNoMatchPossible(at source.Span, looksFor string, t *types.Type) {
	c.add(diag.Diagnostic{
		Code: "WF2723", Span: at, Message: "this never fits: the value is " + t.Article() + ", and the pattern is " + looksFor,
	})
}

func (c *checker) sayKeyNearly(at source.Span, key string, t *types.Type) {
	near := spell.Nearest(key, t.Keys)
	if near == "" {
		return
	}
	c.add(diag.Diagnostic{
		Code: "WF2724", Severity: diag.Warning, Span: at, Message: t.String() + " has no field `" + key + "`", Help: "did you mean `" + near + "`?",
	})
}

func (c *checker) sayNeverEqual(e *program.Binary, x, y *types.Type) {
	is := "always false"
	if e.Op == program.Ne {
		is = "always true"
	}
	c.add(diag.Diagnostic{
		Code: "WF2725", Severity: diag.Warning, Span: e.Span(),
		Message: "this is " + is + ": " + x.Article() + " is never equal to " + y.Article(),
	})
}

func (c *checker) sayNoInstance(e program.Expr, t *types.Type) {
	help := "a handle comes from `spawn`, or from the name of a workflow with an id: `Order(\"o-1\")`"
	c.add(diag.Diagnostic{
		Code: "WF2726", Span: e.Span(), Message: "this needs the handle of an instance, and it is " + t.Article(), Help: help,
	})
}

func (c *checker) sayNoData(e program.Expr, what string) {
	c.add(diag.Diagnostic{
		Code: "WF2727", Span: e.Span(), Message: "a function that is made here cannot be kept, and " + what + " is kept in the store",
		Help: "declare the function at top level with `fn` and use its name",
	})
}

func (c *checker) sayClauseType(e program.Expr, by string, want, got *types.Type) {
	c.add(diag.Diagnostic{
		Code: "WF2728", Span: e.Span(), Message: by + " needs " + want.Article() + ", and this is " + got.Article(), Help: conversion(got, want),
	})
}

func (c *checker) sayValueArity(e *program.CallValue, fn *types.Type) {
	c.add(diag.Diagnostic{
		Code: "WF2729", Span: e.Span(), Message: "this function takes " + count(len(fn.Params()), "argument") + ", and gets " + count(len(e.Args), "argument"),
	})
}

func (c *checker) sayNoElse(e *program.If, w *wanted) {
	c.add(diag.Diagnostic{
		Code: "WF2730", Span: e.Span(), Message: "without `else` this is nil when the condition is false, and " + w.name() + " is " + w.t.Article(),
		Labels: w.declared(), Help: "add an `else` with the other value",
	})
}

func (c *checker) sayAssignOp(e, v program.Expr, op program.BinOp, x, y *types.Type) {
	span := e.Span()
	span.End = v.Span().End
	c.sayOperandsAt(span, symbols[op]+"=", x, y, "")
}
