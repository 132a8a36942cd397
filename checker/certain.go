package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// A field that may be nil is certain where all ways that lead to a step have
// given it a value. To find that out, the typing notes at every end of a body
// which fields are known to have a value there, and at every assignment whether
// its value may be nil (tally). From these notes and the ways of an instance
// from item to item follows what is certain when a step begins (stages), and
// the bodies are typed again with it.

// fieldSet is a set of optional fields of one actor, by place among them.
type fieldSet uint64

// mostOptional is how many optional fields of an actor are looked at.
const mostOptional = 64

// allFields is the set that leaves nothing to find out.
const allFields = ^fieldSet(0)

// tally is what was noted of one body.
type tally struct {
	next   fieldSet // known wherever it hands over to the next item
	paused fieldSet // known wherever it pauses
	falls  bool     // it may hand over
	pauses bool
	to     map[int]fieldSet // known wherever it goes to an item
	nils   fieldSet         // fields to which it may assign nil
}

func newTally() *tally {
	return &tally{next: allFields, paused: allFields, to: map[int]fieldSet{}}
}

// goes notes an end that leads to an item.
func (x *tally) goes(item int, known fieldSet) {
	if old, ok := x.to[item]; ok {
		known &= old
	}
	x.to[item] = known
}

// tallyOf is where to take notes of a body, nil if it has no actor.
func (t *typing) tallyOf(i *info) *tally {
	if i == nil {
		return nil
	}
	out := t.tallies[i]
	if out == nil {
		out = newTally()
		t.tallies[i] = out
	}
	return out
}

// optionalFields are the slots of an actor's fields that may be nil by what is
// written, as many as a set can tell apart.
func (t *typing) optionalFields(a *actor) []int {
	if a == nil || a.kind != ast.KindWorkflow {
		return nil
	}
	out, ok := t.optionals[a]
	if !ok {
		for slot := range a.prog.Fields {
			typ, written := t.fieldType(a, slot)
			if written && typ.Is(types.OptionalKind) && len(out) < mostOptional {
				out = append(out, slot)
			}
		}
		t.optionals[a] = out
	}
	return out
}

// sure reports whether a value of a type is certainly not nil.
func sure(t *types.Type) bool {
	return t.Known() && !t.Is(types.OptionalKind) && !t.Is(types.NilKind)
}

// known are the optional fields that have a value at this point.
func (f *frame) known() fieldSet {
	var out fieldSet
	for i, slot := range f.t.optionalFields(f.actor) {
		if t := f.fact(place{root: ^slot}); t != nil && sure(t) {
			out |= 1 << i
		}
	}
	return out
}

// begins makes known what is certain when the body begins.
func (f *frame) begins() {
	fields := f.t.optionalFields(f.actor)
	if len(fields) > 0 {
		f.t.tallyOf(f.i)
	}
	set := f.t.certain[f.fn]
	for i, slot := range fields {
		if set&(1<<i) != 0 {
			typ, _ := f.t.fieldType(f.actor, slot)
			f.know(place{root: ^slot}, types.Present(typ))
		}
	}
}

// endsWith notes an end of the body that hands over to the next item, or leads
// to one.
func (f *frame) endsWith(e program.Expr) {
	if len(f.t.optionalFields(f.actor)) == 0 || f.i == nil {
		return
	}
	switch f.i.kind {
	case stepBody, branchBody, initBody, commandBody:
	default:
		return
	}
	x := f.t.tallyOf(f.i)
	switch e := e.(type) {
	case *program.Goto:
		x.goes(e.Item, f.known())
	case *program.Pause:
		x.pauses, x.paused = true, x.paused&f.known()
		if e.Then >= 0 {
			x.goes(e.Then, f.known())
		}
	default:
		x.falls, x.next = true, x.next&f.known()
	}
}

// noteNil notes that a field, "" for any field, gets a value of a type.
func (f *frame) noteNil(name string, t *types.Type) {
	if sure(t) || t.Is(types.NeverKind) {
		return
	}
	if f.actor == nil || f.i == nil { // a function of no workflow assigns by name
		f.t.nilNames[name] = true
		return
	}
	for i, slot := range f.t.optionalFields(f.actor) {
		if name == "" || f.actor.prog.Fields[slot].Name == name {
			f.t.tallyOf(f.i).nils |= 1 << i
		}
	}
}

// certainties is what is certain at the beginning of each body, by what was
// noted.
func (t *typing) certainties() map[*program.Func]fieldSet {
	out := map[*program.Func]fieldSet{}
	if t.nilNames[""] {
		return out
	}
	for _, a := range t.c.names.order {
		if len(t.optionalFields(a)) > 0 && !a.broken {
			s := &stages{t: t, a: a, begin: map[*program.Func]fieldSet{}}
			s.find()
			for fn, set := range s.begin {
				if set &= s.able; set != 0 {
					out[fn] = set
				}
			}
		}
	}
	return out
}

// stages finds out what is certain when the items of a workflow begin.
type stages struct {
	t      *typing
	a      *actor
	able   fieldSet   // fields to which nothing but steps may assign nil
	before []fieldSet // by item
	begin  map[*program.Func]fieldSet
	change bool
}

// mostTurns is how often the ways of a workflow are followed.
const mostTurns = 100

func (s *stages) find() {
	items := s.a.prog.Items
	s.able = s.kept()
	s.before = make([]fieldSet, len(items))
	for k := range s.before {
		s.before[k] = allFields
	}
	var begins fieldSet
	if fn := s.a.prog.Init; fn != nil {
		begins = s.of(fn).next
	}
	for range mostTurns {
		s.change = false
		s.meet(0, begins)
		for k, it := range items {
			s.item(k, it)
		}
		for _, h := range s.a.commands {
			s.command(h)
		}
		if !s.change {
			return
		}
	}
	clear(s.begin)
}

// kept are the fields that stay what they are beside the steps: commands, and
// the functions that any body may call, never make them nil.
func (s *stages) kept() fieldSet {
	able := allFields
	for i, slot := range s.t.optionalFields(s.a) {
		if s.t.nilNames[s.a.prog.Fields[slot].Name] {
			able &^= 1 << i
		}
	}
	for i, x := range s.t.tallies {
		if i.actor != s.a {
			continue
		}
		switch i.kind {
		case stepBody, branchBody, initBody, compensateBody, finallyBody:
		default:
			able &^= x.nils
		}
	}
	return able
}

func (s *stages) of(fn *program.Func) *tally {
	if fn != nil {
		if x := s.t.tallies[s.t.c.byFunc[fn]]; x != nil {
			return x
		}
	}
	return &tally{falls: true, nils: allFields}
}

// meet notes a way to an item.
func (s *stages) meet(item int, known fieldSet) {
	if item >= 0 && item < len(s.before) && s.before[item]&^known != 0 {
		s.before[item] &= known
		s.change = true
	}
}

// item follows the ways from an item of the workflow.
func (s *stages) item(k int, it *program.Item) {
	in := s.before[k]
	if it.Step == nil {
		s.meet(k+1, s.block(it.Parallel, in))
		s.meet(it.Parallel.Else, in&^s.nilsIn(it.Parallel))
		return
	}
	s.begin[it.Step.Body] = in
	x := s.of(it.Step.Body)
	keeps := in &^ x.nils
	if x.falls {
		s.meet(k+1, x.next|keeps)
	}
	if x.pauses {
		s.meet(k+1, x.paused|keeps)
	}
	for item, known := range x.to {
		s.meet(item, known|keeps)
	}
	s.meet(it.Step.Else, in) // nothing of the attempt that failed was applied
}

// block gives what is certain behind a block.
func (s *stages) block(p *program.Parallel, in fieldSet) fieldSet {
	for _, fn := range []*program.Func{p.In, p.Max, p.First} {
		if fn != nil {
			s.begin[fn] = in
		}
	}
	gains, lost := fieldSet(0), fieldSet(0)
	for _, b := range p.Branches {
		out, nils := in, fieldSet(0)
		for _, it := range b.Items {
			if it.Step == nil {
				out = s.block(it.Parallel, out)
				nils |= s.nilsIn(it.Parallel)
				continue
			}
			s.begin[it.Step.Body] = out
			x := s.of(it.Step.Body)
			out = x.next | out&^x.nils
			nils |= x.nils
		}
		gains |= out &^ in
		lost |= nils &^ out
	}
	if p.Mode != program.All { // branches may be cut and undone
		return in &^ s.nilsIn(p)
	}
	if p.For {
		return in // there may be no element
	}
	return (in | gains) &^ lost
}

// nilsIn are the fields to which a block, or what undoes a part of it, may
// assign nil.
func (s *stages) nilsIn(p *program.Parallel) fieldSet {
	var out fieldSet
	undo := func(c *program.Compensation) {
		if c != nil {
			out |= s.of(c.Body).nils
		}
	}
	undo(p.Compensate)
	for _, b := range p.Branches {
		undo(b.Compensate)
		for _, it := range b.Items {
			if it.Step == nil {
				out |= s.nilsIn(it.Parallel)
				continue
			}
			out |= s.of(it.Step.Body).nils
			undo(it.Step.Compensate)
		}
	}
	return out
}

// command follows the ways on which a command moves the workflow: from where it
// is accepted, over the state as it is then.
func (s *stages) command(h *handlerInfo) {
	x := s.of(h.prog.Body)
	if len(x.to) == 0 && !x.pauses {
		return
	}
	any := allFields
	for k := range s.before {
		if h.prog.In == nil || named(s.a.prog.Items[k], h.prog.In) {
			now := s.during(k)
			any &= now
			if x.pauses { // whoever resumes it lets this item or the next one run
				s.meet(k, now|x.paused)
				s.meet(k+1, now|x.paused)
			}
		}
	}
	for item, known := range x.to {
		s.meet(item, any|known)
	}
}

// during is what is certain at any moment while the workflow is at an item.
func (s *stages) during(k int) fieldSet {
	it := s.a.prog.Items[k]
	if it.Step == nil {
		return s.before[k] &^ s.nilsIn(it.Parallel)
	}
	now := s.before[k]
	if x := s.of(it.Step.Body); x.pauses {
		now &= x.paused | now&^x.nils
	}
	return now
}

// named reports whether one of the names is that of an item or of a step in it.
func named(it *program.Item, names []string) bool {
	if it.Step != nil {
		return slices.Contains(names, it.Step.Name)
	}
	for _, b := range it.Parallel.Branches {
		for _, x := range b.Items {
			if named(x, names) {
				return true
			}
		}
	}
	return false
}
