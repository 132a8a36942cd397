package tests

import (
	"context"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/persist"
)

// A Unit is a part of a script that a test may reach.
type Unit struct {
	Kind    string // "step", "branch", "compensate", "command", "query", "init", "else" or "finally"
	Name    string // "Transfer.deposit"
	Place   Place
	Reached bool
}

// ran is what has run in the tests of one script. Bodies are known by their
// places: a program is compiled anew after a crash. A nil ran notes nothing.
type ran struct {
	bodies map[source.Span]bool
	taken  map[string]bool // `else` clauses, by workflow and step
}

func newRan() *ran { return &ran{bodies: map[source.Span]bool{}, taken: map[string]bool{}} }

// hook is told of every body that runs.
func (r *ran) hook() func(*program.Func) {
	if r == nil {
		return nil
	}
	return func(fn *program.Func) { r.bodies[fn.Span] = true }
}

// look finds in the journals which `else` clauses were taken.
func (r *ran) look(prog *program.Program) func(*engine.Engine) error {
	return func(e *engine.Engine) error {
		if r == nil {
			return nil
		}
		ctx := context.Background()
		var bad error
		err := e.List(ctx, persist.Filter{}, func(s engine.Summary, err error) bool {
			if err != nil || prog.Actor(s.Workflow) == nil {
				return true
			}
			bad = e.History(ctx, s.ID, func(rec *engine.Record) bool {
				if rec.Kind == engine.RecFailed && !rec.Again && rec.Path == "" {
					r.taken[s.Workflow+"."+rec.Step] = true
				}
				return true
			})
			return bad == nil
		})
		if err == nil {
			err = bad
		}
		return err
	}
}

// units lists the parts of the script and of what it imports, in the order of the
// text.
func (s *suite) units() []Unit {
	u := &units{suite: s}
	for _, a := range s.prog.Actors {
		u.actor(a)
	}
	return u.list
}

// units collects the parts of a program.
type units struct {
	*suite
	list []Unit
}

func (u *units) add(kind, name string, at source.Span, reached bool) {
	u.list = append(u.list, Unit{kind, name, placeOf(u.prog.Files, at), reached})
}

// body adds a part that is reached when its body runs.
func (u *units) body(kind, name string, at source.Span, fn *program.Func) {
	u.add(kind, name, at, u.ran.bodies[fn.Span])
}

func (u *units) actor(a *program.Workflow) {
	if a.Init != nil {
		u.body("init", a.Name, a.Init.Span, a.Init)
	}
	u.items(a, a.Items)
	u.undo(a.Name, a.Compensate)
	for _, h := range a.Commands {
		u.body("command", a.Name+"."+h.Name, h.Span, h.Body)
	}
	for _, h := range a.Queries {
		u.body("query", a.Name+"."+h.Name, h.Span, h.Body)
	}
	if a.Finally != nil {
		u.body("finally", a.Name, a.Finally.Span, a.Finally.Body)
	}
}

func (u *units) undo(name string, c *program.Compensation) {
	if c != nil {
		u.body("compensate", name, c.Span, c.Body)
	}
}

func (u *units) items(a *program.Workflow, items []*program.Item) {
	for _, it := range items {
		if st := it.Step; st != nil {
			name := a.Name + "." + st.Name
			u.body("step", name, st.Span, st.Body)
			if st.Else >= 0 {
				u.add("else", name, st.Span, u.ran.taken[name])
			}
			u.undo(name, st.Compensate)
			continue
		}
		u.block(a, it.Parallel)
	}
}

func (u *units) block(a *program.Workflow, p *program.Parallel) {
	for _, b := range p.Branches {
		if len(b.Items) != 1 || b.Items[0].Step == nil || b.Items[0].Step.Name != b.Name {
			name := b.Name
			if p.For {
				name = "parallel"
			}
			u.add("branch", a.Name+"."+name, b.Span, u.entered(b.Items))
		}
		u.items(a, b.Items)
		if b.Compensate != nil {
			u.undo(a.Name+"."+b.Name, b.Compensate)
		}
	}
	if p.Else >= 0 {
		u.add("else", a.Name+".parallel", p.Span, u.ran.taken[a.Name+".parallel"])
	}
	u.undo(a.Name+".parallel", p.Compensate)
}

// entered reports whether any body among the items has run.
func (u *units) entered(items []*program.Item) bool {
	for _, it := range items {
		if it.Step != nil && u.ran.bodies[it.Step.Body.Span] {
			return true
		}
		if it.Parallel == nil {
			continue
		}
		for _, b := range it.Parallel.Branches {
			if u.entered(b.Items) {
				return true
			}
		}
	}
	return false
}
