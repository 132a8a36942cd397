package checker

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
)

// wanted is a type that a value has to fit, and who wants it.
type wanted struct {
	t    *types.Type
	kind wantKind
	what string      // "`total`", "the parameter `amount` of `pay`"
	span source.Span // where the type is declared, zero for built-ins
	path string      // inside the value, for parts of it
}

// wantKind says what the value is for.
type wantKind uint8

const (
	wantsValue wantKind = iota // a name, a field
	wantsArgument
	wantsResult
	wantsInput // of a step
)

// part is what is wanted of a part of the value: of `.key`, or of an element.
func (w *wanted) part(t *types.Type, path string) *wanted {
	out := *w
	out.t = t
	out.path += path
	return &out
}

// check types an expression and holds it against what is wanted; nil wants
// nothing. What has several ways is looked at way by way, a literal part by
// part, so that what is said points at the very place.
func (f *frame) check(e program.Expr, w *wanted) *types.Type {
	if w == nil {
		return f.expr(e, nil)
	}
	if !w.t.Known() {
		return f.expr(e, w.t)
	}
	switch e := e.(type) {
	case *program.Block, *program.If, *program.Match, *program.Select, *program.Try:
		return f.statement(e, w, w.t)
	case *program.Coalesce:
		return f.coalesce(e, w, w.t)
	case *program.ListExpr:
		if types.Present(w.t).Is(types.ListKind) {
			return f.list(e, w, w.t)
		}
	case *program.RecordExpr:
		if p := types.Present(w.t); p.Is(types.MapKind) {
			return f.record(e, w, w.t)
		} else if p.Is(types.RecordKind) {
			return f.fields(e, w, p)
		}
	}
	t := f.expr(e, w.t)
	f.compare(e, t, w)
	return t
}

// fields holds a record literal against a record type. A literal that has the
// fields is of that type from then on.
func (f *frame) fields(e *program.RecordExpr, w *wanted, p *types.Type) *types.Type {
	t := f.record(e, w, w.t)
	if name := types.Missing(t, p); name != "" {
		f.say(func() { f.t.c.sayMissingField(e, name, p, w) })
		return p
	}
	if t.Open || len(t.Keys) > len(p.Keys) {
		return t
	}
	return p
}

// compare says so if a value does not fit.
func (f *frame) compare(e program.Expr, got *types.Type, w *wanted) {
	if types.Fits(got, w.t) {
		return
	}
	f.say(func() {
		if got.Is(types.OptionalKind) && types.Fits(got.Elem[0], w.t) {
			f.t.c.sayMayNotBeNil(e, got, w)
			return
		}
		f.t.c.sayMismatch(e, got, w)
	})
}
