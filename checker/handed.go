package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// handing finds the functions that reach a pure function of the library, which
// calls them: written among its arguments, by a name, or by the parameter of a
// function that hands it on.
type handing struct {
	c    *checker
	pure map[*program.Func][]*program.Builtin // by parameter: what calls it
	news bool
	tell bool
}

// checkHanded refuses functions with effects that a pure function would call.
func (c *checker) checkHanded() {
	h := &handing{c: c, pure: map[*program.Func][]*program.Builtin{}}
	for h.news = true; h.news; {
		h.news = false
		h.all()
	}
	h.tell = true
	h.all()
}

func (h *handing) all() {
	for _, i := range h.c.infos {
		if i.kind != lambdaBody { // those are looked at where they stand
			h.body(i.fn, nil)
		}
	}
}

func (h *handing) body(fn *program.Func, up *holder) {
	in := hold(fn, up)
	anyExpr(fn.Body, func(e program.Expr) bool {
		switch e := e.(type) {
		case *program.CallBuiltin:
			for k, a := range e.Args {
				if _, ok := takes(e.Fn, k); ok {
					h.gets(e.Fn, a, in)
				}
			}
		case *program.CallFn:
			for k, op := range h.pure[e.Fn] {
				if op != nil && k < len(e.Args) {
					h.gets(op, e.Args[k], in)
				}
			}
		case *program.Lambda:
			if i := h.c.byFunc[e.Fn]; i != nil && i.kind == lambdaBody {
				h.body(e.Fn, in)
			}
		}
		return false
	})
}

// gets follows an argument of op to the functions that it may be.
func (h *handing) gets(op *program.Builtin, arg program.Expr, in *holder) {
	in.follow(arg, deepestHold, func(e program.Expr, at *holder) {
		switch e := e.(type) {
		case *program.Lambda:
			h.given(op, e.Fn, arg)
		case *program.FuncRef:
			h.given(op, e.Fn, arg)
		case *program.Local:
			h.param(op, at.fn, e.Slot-len(at.fn.Captures))
		}
	})
}

func (h *handing) given(op *program.Builtin, fn *program.Func, arg program.Expr) {
	if to := h.c.byFunc[fn]; h.tell && to != nil {
		h.c.pureOnly(op, call{span: arg.Span(), to: to})
	}
}

// param notes that op calls a parameter of a function.
func (h *handing) param(op *program.Builtin, fn *program.Func, k int) {
	if i := h.c.byFunc[fn]; i == nil || i.kind != funcBody || k < 0 || k >= len(fn.Params) {
		return
	}
	if h.pure[fn] == nil {
		h.pure[fn] = make([]*program.Builtin, len(fn.Params))
	}
	if h.pure[fn][k] == nil {
		h.pure[fn][k], h.news = op, true
	}
}

// checkReturned refuses what the program gives back and so makes a query, if it
// does more than a query may.
func (c *checker) checkReturned() {
	for _, f := range c.returned() {
		if i := c.byFunc[f.Fn]; i != nil {
			if i.all&readsSelf != 0 && keptName(f.Fn.Name) {
				c.sayReservedHandler(ast.Word{At: ast.At{Place: f.Span()}, Name: f.Fn.Name})
			}
			if s, bad := i.witness(forbidden(queryBody)); bad {
				c.sayQueryByReturn(f, i.name, s)
			}
		}
	}
}

// returned are the functions that the program gives back: one alone, or those
// in a list, tuple or record.
func (c *checker) returned() []*program.FuncRef {
	if c.prog.Main == nil {
		return nil
	}
	var out []*program.FuncRef
	look := func(e program.Expr, _ *holder) {
		if f, ok := e.(*program.FuncRef); ok {
			out = append(out, f)
		}
	}
	main := c.prog.Main.Items[0].Step.Body
	hold(main, nil).follow(main.Body, deepestHold, func(e program.Expr, in *holder) {
		look(e, in)
		switch e.(type) {
		case *program.TupleExpr, *program.ListExpr, *program.RecordExpr:
			eachPart(e, func(x program.Expr) { in.follow(x, deepestHold, look) })
		}
	})
	return out
}
