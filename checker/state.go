package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/spell"
)

// reserved are the read-only parts of self.
var reserved = [...]struct {
	name string
	part program.SelfPart
}{
	{"id", program.SelfID},
	{"handle", program.SelfHandle},
	{"step", program.SelfStep},
	{"step_index", program.SelfStepIndex},
	{"failure", program.SelfFailure},
}

// reservedPart finds a reserved part of self by name.
func reservedPart(name string) (program.SelfPart, bool) {
	for _, r := range reserved {
		if r.name == name {
			return r.part, true
		}
	}
	return 0, false
}

// settleState gives every actor its fields: the declared ones, or those that
// something gives it.
func (c *checker) settleState() {
	for _, a := range c.names.order {
		for _, m := range a.decl.Members {
			if s, ok := m.(*ast.State); ok {
				a.declared = true
				c.declareField(a, s)
			}
		}
		c.findComputed(a)
	}
	for _, a := range c.names.order {
		if !a.declared && a.kind == ast.KindWorkflow {
			c.findFields(a)
		}
	}
}

func (c *checker) declareField(a *actor, s *ast.State) {
	if _, ok := reservedPart(s.Name.Name); ok {
		c.sayReservedField(s.Name)
		return
	}
	if i, ok := a.fields[s.Name.Name]; ok {
		c.sayDuplicateMember("field", s.Name, a.prog.Fields[i].Span)
		return
	}
	if a.kind == ast.KindEntity && s.Init == nil {
		c.sayEntityFieldUnset(s.Name)
	}
	a.addField(program.StateField{Name: s.Name.Name, Span: s.Name.Span(), Declared: true})
	if s.Type != nil {
		a.stateOf[s.Name.Name] = s.Type
	}
}

func (a *actor) addField(f program.StateField) {
	if _, ok := a.fields[f.Name]; ok {
		return
	}
	a.fields[f.Name] = len(a.prog.Fields)
	a.prog.Fields = append(a.prog.Fields, f)
}

// fieldNames lists the fields of an actor by slot.
func (a *actor) fieldNames() []string {
	var out []string
	for _, f := range a.prog.Fields {
		out = append(out, f.Name)
	}
	return out
}

// findFields finds the fields of a workflow without `state` lines: what its
// bodies and the functions they name assign, then what spawns of it give.
func (c *checker) findFields(a *actor) {
	seen := map[*function]bool{}
	for _, m := range a.decl.Members {
		c.fieldsAssigned(a, m, seen)
	}
	a.addUnlessReserved(c.spawned()[a.decl.Name.Name])
}

// addUnlessReserved adds fields that are not declared.
func (a *actor) addUnlessReserved(names []ast.Word) {
	for _, w := range names {
		if _, ok := reservedPart(w.Name); !ok {
			a.addField(program.StateField{Name: w.Name, Span: w.Span()})
		}
	}
}

// spawned is spawnedFields, looked for once, and only if somebody asks.
func (c *checker) spawned() map[string][]ast.Word {
	if c.given == nil {
		c.given = c.spawnedFields()
	}
	return c.given
}

// spawnedFields lists, by workflow, the fields that the program's spawns give.
func (c *checker) spawnedFields() map[string][]ast.Word {
	given := map[string][]ast.Word{}
	look := func(in ast.Node) {
		walk(in, func(n ast.Node) bool {
			if s, ok := n.(*ast.Spawn); ok && s.Fields != nil {
				given[s.Workflow.Name] = append(given[s.Workflow.Name], recordKeys(s.Fields)...)
			}
			return true
		})
	}
	for _, o := range c.names.order {
		for _, m := range o.decl.Members {
			look(m)
		}
	}
	for _, f := range c.names.allFuncs {
		look(f.decl)
	}
	for _, s := range c.names.main {
		look(s)
	}
	for _, t := range c.names.tests {
		look(t)
	}
	return given
}

// fieldsAssigned adds what a part of a workflow assigns, and what the functions
// do that it names.
func (c *checker) fieldsAssigned(a *actor, in ast.Node, seen map[*function]bool) {
	words, names := mentions(in)
	a.addUnlessReserved(words)
	for _, n := range names {
		if f := c.functionOf(a, n); f != nil && !seen[f] {
			c.fieldsOfFunction(a, f, seen)
		}
	}
}

func (c *checker) fieldsOfFunction(a *actor, f *function, seen map[*function]bool) {
	seen[f] = true
	if !f.looked {
		words, names := mentions(f.decl)
		f.looked, f.assigns = true, words
		for _, n := range names {
			if to := c.functionOf(f.owner, n); to != nil && to != f {
				f.names = append(f.names, to)
			}
		}
	}
	a.addUnlessReserved(f.assigns)
	for _, to := range f.names {
		if !seen[to] {
			c.fieldsOfFunction(a, to, seen)
		}
	}
}

// mentions lists the fields that a part of a program assigns, and the names in
// it that may be those of functions.
func mentions(in ast.Node) (fields []ast.Word, names []string) {
	walk(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			fields = append(fields, assignedFields(n)...)
		case *ast.Name:
			names = append(names, n.Name)
		}
		return true
	})
	return fields, names
}

// functionOf finds a function by name as a body of a sees it; a may be nil.
func (c *checker) functionOf(a *actor, name string) *function {
	if a != nil {
		if f := a.funcs[name]; f != nil {
			return f
		}
	}
	return c.names.funcs[name]
}

// assignedFields are the fields of self that an assignment names: the root of
// its left side, or the keys of a record assigned to self.
func assignedFields(n *ast.Assign) []ast.Word {
	target := n.Target
	var last *ast.Field
	for {
		switch t := target.(type) {
		case *ast.Field:
			target, last = t.X, t
			continue
		case *ast.Index:
			target, last = t.X, nil
			continue
		case *ast.Paren:
			target = t.X
			continue
		case *ast.Self:
			if last != nil {
				return []ast.Word{last.Name}
			}
			if r, ok := n.Value.(*ast.Record); ok && target == n.Target {
				return recordKeys(r)
			}
		}
		return nil
	}
}

// recordKeys are the keys that a record literal names.
func recordKeys(r *ast.Record) []ast.Word {
	var out []ast.Word
	for _, e := range r.Entries {
		if e.Computed == nil && e.Spread == nil {
			out = append(out, e.Key)
		}
	}
	return out
}

// lowerState fills in the types and initial values of the declared fields.
func (c *checker) lowerState(a *actor) {
	for _, m := range a.decl.Members {
		s, ok := m.(*ast.State)
		if !ok {
			continue
		}
		i, ok := a.fields[s.Name.Name]
		if !ok || a.prog.Fields[i].Span != s.Name.Span() {
			continue
		}
		f := &a.prog.Fields[i]
		f.Type = c.typeOf(s.Type)
		if s.Type == nil && c.isType(s.Init) {
			c.sayTypeAsValue(s)
		}
		if s.Init != nil {
			f.Init = c.valueFunc(a, stateValue, "state "+s.Name.Name, s.Init)
			c.byFunc[f.Init].result = s.Type
		}
	}
}

// isType reports whether an expression reads like a type.
func (c *checker) isType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name:
		return c.lib.conv[e.Name] != nil || c.names.types[e.Name] != nil
	case *ast.List:
		return len(e.Elems) == 1 && c.isType(e.Elems[0])
	}
	return false
}

// field finds the slot of a field that a body of an actor names; it speaks if
// there is none.
func (b *body) field(w ast.Word, write bool) int {
	a := b.actor
	if i, ok := a.fields[w.Name]; ok {
		return i
	}
	if a.broken || a.kind == ast.KindAgent {
		return -1
	}
	if a.declared || a.kind == ast.KindEntity {
		b.c.sayUnknownField(a, w, nil, w.Span())
	} else if !write && !b.c.unread() {
		if b.c.open && spell.Nearest(w.Name, a.fieldNames()) == "" {
			a.addField(program.StateField{Name: w.Name, Span: w.Span()})
			return a.fields[w.Name]
		}
		b.c.sayNeverAssigned(a, w)
	}
	return -1
}

// functionInstead is the function of a name that is none of the actor's fields.
func (b *body) functionInstead(name string) *function {
	if _, ok := b.actor.fields[name]; ok || b.actor.broken {
		return nil
	}
	return b.c.functionOf(b.actor, name)
}

// looseField is a field named in a function that belongs to no workflow.
func (b *body) looseField(w ast.Word) {
	b.info.loose = append(b.info.loose, w)
	var all []string
	unsure := b.c.unread()
	for _, a := range b.c.names.order {
		if _, ok := a.fields[w.Name]; ok {
			return
		}
		unsure = unsure || a.broken || a.kind == ast.KindAgent
		for _, n := range a.fieldNames() {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	if !unsure {
		b.c.sayFieldOfNoWorkflow(w, all)
	}
}
