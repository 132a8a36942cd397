package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// checkReached warns of items that no way leads to. Of several in a row it
// speaks of the first.
func (c *checker) checkReached() {
	for _, a := range c.names.order {
		if a.kind != ast.KindWorkflow {
			continue
		}
		w := &wayfarer{items: a.prog.Items, seen: make([]bool, len(a.prog.Items))}
		for _, h := range a.prog.Commands {
			w.follow(h.Body.Body, -1)
		}
		w.visit(0)
		c.sayUnreached(a.prog.Items, w.seen)
		for _, it := range a.prog.Items {
			c.checkReachedIn(it)
		}
	}
}

// checkReachedIn looks at the branches of a block: in them there is no way but
// from one item to the next.
func (c *checker) checkReachedIn(it *program.Item) {
	if it.Parallel == nil {
		return
	}
	for _, b := range it.Parallel.Branches {
		seen := make([]bool, len(b.Items))
		for k := range b.Items {
			seen[k] = k == 0 || seen[k-1] && goesOn(b.Items[k-1])
			c.checkReachedIn(b.Items[k])
		}
		c.sayUnreached(b.Items, seen)
	}
}

func (c *checker) sayUnreached(items []*program.Item, seen []bool) {
	for k, yes := range seen {
		if !yes && k > 0 && seen[k-1] {
			c.sayItemUnreached(items[k-1], items[k])
		}
	}
}

// wayfarer goes from item to item.
type wayfarer struct {
	items []*program.Item
	seen  []bool
	rests bool // a command may pause anywhere, and then the next item may run
}

func (w *wayfarer) visit(k int) {
	for ; k >= 0 && k < len(w.items) && !w.seen[k]; k++ {
		w.seen[k] = true
		w.visit(elseOf(w.items[k]))
		if s := w.items[k].Step; s != nil {
			w.follow(s.Body.Body, k)
		}
		if !w.rests && !goesOn(w.items[k]) {
			return
		}
	}
}

// follow goes where a body says; at is its item, -1 if it is a command's.
func (w *wayfarer) follow(body program.Expr, at int) {
	anyExpr(body, func(e program.Expr) bool {
		switch e := e.(type) {
		case *program.Goto:
			w.visit(e.Item)
		case *program.Pause:
			w.visit(e.Then)
			w.rests = w.rests || at < 0 && e.Then < 0
		}
		return false
	})
}

// goesOn reports whether the item behind may run next: this one may fall
// through, or pause until somebody resumes the workflow.
func goesOn(it *program.Item) bool {
	if it.Step == nil {
		return true
	}
	return fallsThrough(it.Step.Body.Body) || pauses(it)
}
