package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/spell"
)

// forbidden are the effects that a body of a kind must not have, directly or
// through what it calls.
func forbidden(k bodyKind) effects {
	switch k {
	case queryBody:
		return writesSelf | emits | outside | drawsChance
	case commandBody, initBody:
		return outside
	case stateValue:
		return readsSelf | writesSelf | emits | outside | readsClock
	case clauseValue:
		return writesSelf | emits | outside | readsClock
	case mainBody:
		return readsSelf | writesSelf
	case outsideBody:
		return readsSelf | writesSelf | emits
	}
	return 0
}

// checkEffects holds every body against what its kind may do.
func (c *checker) checkEffects() {
	for _, i := range c.infos {
		bad := forbidden(i.root)
		if bad == 0 {
			continue
		}
		for _, s := range i.own {
			if s.bit&bad != 0 && i.root != mainBody && (i.root != outsideBody || s.bit == emits) {
				c.sayEffectHere(i, s)
			}
		}
		for k, x := range i.calls {
			if k > 0 && x.to.kind == borrowedBody && i.calls[k-1].to.kind == borrowedBody && x.span.Start == i.calls[k-1].span.Start {
				continue // the call of what a call gives
			}
			c.checkCall(i, x, bad)
		}
	}
	c.checkHanded()
	c.checkReturned()
	c.checkFieldsOfCalls()
	c.checkOverwrites()
}

// checkCall holds a call against it. What a lambda does is said in the lambda.
func (c *checker) checkCall(i *info, k call, bad effects) {
	if k.to.kind == lambdaBody {
		return
	}
	if k.value {
		bad &^= readsSelf
	}
	if k.to.all&bad == 0 {
		return
	}
	s, ok := k.to.witness(bad)
	switch {
	case !ok:
	case k.to.kind == borrowedBody:
		c.sayEffectOfBorrowed(i, k.span, k.to.first(bad), s)
	default:
		c.sayEffectThrough(i, k, s)
	}
}

// first is the first function that i calls and that has one of the effects.
func (i *info) first(bits effects) *info {
	for _, k := range i.calls {
		if k.to.all&bits != 0 {
			return k.to
		}
	}
	return i
}

// pureOnly refuses a function with effects that a pure function is given.
func (c *checker) pureOnly(op *program.Builtin, k call) {
	if k.to.all&(outside|readsClock) == 0 {
		return
	}
	if s, ok := k.to.witness(outside | readsClock); ok {
		c.sayEffectInPure(op, k.within(outside|readsClock), s)
	}
}

// within narrows a call of a function that is written out down to the call in
// it that has one of the effects.
func (k call) within(bits effects) call {
	for _, x := range k.to.calls {
		if k.to.kind == lambdaBody && x.to.all&bits != 0 && k.span.Holds(x.span) {
			return call{span: x.span, to: x.to}.within(bits)
		}
	}
	return k
}

// checkFieldsOfCalls refuses a call from an actor of a function that is of
// none and names a field which this actor does not have. A function is spoken
// of once for each actor.
func (c *checker) checkFieldsOfCalls() {
	seen := map[*actor]map[*info]bool{}
	for _, i := range c.infos {
		if i.actor == nil || i.actor.broken {
			continue
		}
		if seen[i.actor] == nil {
			seen[i.actor] = map[*info]bool{}
		}
		for _, k := range i.calls {
			if k.value || k.to.kind != funcBody || k.to.actor != nil {
				continue
			}
			if field, ok := c.lacks(k.to, i.actor, seen[i.actor]); ok {
				c.sayFieldOfOther(i, k, field)
			}
		}
	}
}

// lacks finds a field that a function of no actor names and a has not, but
// some other actor has; one that none has is an error of its own.
func (c *checker) lacks(i *info, a *actor, seen map[*info]bool) (ast.Word, bool) {
	if seen[i] || i.actor != nil || i.all&(readsSelf|writesSelf) == 0 {
		return ast.Word{}, false
	}
	seen[i] = true
	for _, w := range i.loose {
		if _, has := a.fields[w.Name]; !has && c.someHas(w.Name) {
			return w, true
		}
	}
	for _, k := range i.calls {
		if w, ok := c.lacks(k.to, a, seen); ok {
			return w, true
		}
	}
	return ast.Word{}, false
}

func (c *checker) someHas(field string) bool {
	return slices.ContainsFunc(c.names.order, func(a *actor) bool {
		_, ok := a.fields[field]
		return ok
	})
}

// checkEventName warns of an event whose name is nearly a declared one.
func (c *checker) checkEventName(w ast.Word) {
	var names []string
	for _, e := range c.prog.Events {
		names = append(names, e.Name)
	}
	if near := spell.Nearest(w.Name, names); near != "" {
		c.sayEventNearly(w, c.names.events[near].Name)
	}
}

// checkOverwrites refuses a field that a step assigns at its end, after a wait
// or an outside call, and a command may assign meanwhile without moving the
// workflow: the step would overwrite what the command has acknowledged.
func (c *checker) checkOverwrites() {
	for _, a := range c.names.order {
		if a.kind != ast.KindWorkflow {
			continue
		}
		for _, h := range a.commands {
			if h.info == nil {
				continue
			}
			stays := c.staying(h.prog.Body.Body)
			for _, name := range a.stepList {
				s := a.steps[name]
				if s.info == nil || (h.in != nil && !slices.Contains(h.prog.In, name)) ||
					s.info.all&(outside|readsClock) == 0 {
					continue
				}
				c.overwritten(h, s, stays)
			}
		}
	}
}

func (c *checker) overwritten(h *handlerInfo, s *stepInfo, stays writeSet) {
	for _, w := range s.info.allWrites {
		for _, x := range stays {
			if x.field == w.field || x.field == "" || w.field == "" {
				c.sayOverwrite(h, s, x, w)
				return
			}
		}
	}
}

// checkIdle warns of what nothing uses or leads to. It waits until everything
// else is in order: a misspelt use is an error of its own.
func (c *checker) checkIdle() {
	if c.unread() || c.diags.HasErrors() {
		return
	}
	c.checkReached()
	c.checkUnused()
}

// checkUnused warns of names that nothing uses. The parameter of a step is also
// that of its compensation: a variable in each, of one place.
func (c *checker) checkUnused() {
	used := map[source.Span]bool{}
	for _, i := range c.infos {
		for _, v := range i.vars {
			if v.used && v.kind == wireParam {
				used[v.span] = true
			}
		}
	}
	for _, i := range c.infos {
		for _, v := range i.vars {
			if !v.used && !used[v.span] && !c.namedConstants[v.span] && v.name[0] != '_' && v.kind <= paramVar {
				c.sayUnusedVariable(v)
			}
		}
	}
	fs := slices.Clone(c.names.allFuncs)
	for _, a := range c.names.order {
		fs = append(fs, a.allFuncs...)
	}
	for _, f := range fs {
		name := f.decl.Name.Name
		if !f.used && f.main && name[0] != '_' {
			c.sayUnusedFunction(f)
		}
	}
}
