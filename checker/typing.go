package checker

import (
	"maps"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// typing finds out of what types the values of a program are, and says where
// they cannot fit. It reads the lowered bodies, so names and sugar are behind
// it.
//
// What is written is taken at its word; the rest follows from literals, calls
// and the order of statements. A field or step input without a written type is
// assumed to be of the type it gets first; when something else turns out to
// get there too, the assumption is widened and everything is looked at again.
// Widening leads to Any in a few rounds, and Any is never spoken of.
type typing struct {
	c        *checker
	declared map[string]*types.Type
	resolved map[ast.Type]*types.Type
	assumed  *assumptions
	ops      map[*program.Builtin]*types.Type
	results  map[*actor]*types.Type // of workflows
	gone     map[*program.Func]bool // steps that some `goto` gives an input
	// lenient are the reads of fields that may be left out, lenientKeys the like
	// in patterns.
	lenient     map[*program.Field]bool
	lenientKeys map[lenientKey]bool
	quiet       int // above 0 nothing is said
	again       bool
	sound       bool // there was no error before

	// certain are the optional fields that have a value when a body begins; the
	// others are notes to find that out (certain.go).
	certain   map[*program.Func]fieldSet
	tallies   map[*info]*tally
	optionals map[*actor][]int
	nilNames  map[string]bool // fields that functions of no workflow may make nil; "" for any
}

// lenientKey is a field that a pattern looks for.
type lenientKey struct {
	in *program.RecordOf
	at int
}

// finding is what is known about a function's results.
type finding struct {
	busy    bool
	result  *types.Type // of falling through or returning
	ends    *types.Type // of `end`
	replies *types.Type // what a command answers
}

// assumptions are kept from round to round.
type assumptions struct {
	fields map[*actor][]*types.Type // by slot; nil where nothing is assumed
	inputs map[*program.Func]*types.Type
}

// rounds is how often assumptions may be widened before all are given up, looks
// how often a program with errors is looked at for what is certain in it.
const (
	rounds = 6
	looks  = 3
)

// checkValues types the whole program. If something is wrong with it, it is
// looked at again with what the steps leave certain for those behind them.
func (c *checker) checkValues() {
	before := len(c.diags)
	var certain map[*program.Func]fieldSet
	for i := range looks {
		t := c.look(certain, before)
		next := certain
		if len(c.diags) > before && i < looks-1 {
			next = t.certainties()
		}
		if maps.Equal(next, certain) {
			t.publish()
			return
		}
		certain = next
		c.diags = c.diags[:before]
	}
}

// look types the whole program until no assumption has to be widened. What it
// says stands behind the first diagnostics.
func (c *checker) look(certain map[*program.Func]fieldSet, first int) *typing {
	a := &assumptions{fields: map[*actor][]*types.Type{}, inputs: map[*program.Func]*types.Type{}}
	for i := 0; ; i++ {
		t := &typing{
			c: c, declared: map[string]*types.Type{}, resolved: map[ast.Type]*types.Type{},
			assumed: a, ops: map[*program.Builtin]*types.Type{}, results: map[*actor]*types.Type{}, gone: map[*program.Func]bool{},
			sound: !c.unread() && !c.diags.HasErrors(), lenient: map[*program.Field]bool{}, lenientKeys: map[lenientKey]bool{},
			certain: certain, tallies: map[*info]*tally{}, optionals: map[*actor][]int{}, nilNames: map[string]bool{},
		}
		if i == rounds-1 {
			a.giveUp()
		}
		t.run()
		if !t.again || i == rounds-1 {
			return t
		}
		c.diags = c.diags[:first]
	}
}

// giveUp makes every assumption Any; what is Any is never widened.
func (a *assumptions) giveUp() {
	for _, fs := range a.fields {
		for i := range fs {
			fs[i] = types.Any()
		}
	}
	for fn := range a.inputs {
		a.inputs[fn] = types.Any()
	}
}

// run types all bodies, in the order in which they were lowered.
func (t *typing) run() {
	for _, a := range t.c.names.order {
		if a.kind != ast.KindAgent {
			t.assumeFields(a)
		}
	}
	for _, i := range t.c.infos {
		if i.kind != lambdaBody { // lambdas are typed where they stand
			t.of(i)
		}
	}
	for _, a := range t.c.names.order {
		if a.kind == ast.KindWorkflow {
			t.sequence(a.prog.Items)
		}
	}
}

// assumeFields notes the types of an actor's fields.
func (t *typing) assumeFields(a *actor) {
	if t.assumed.fields[a] != nil {
		return
	}
	fs := make([]*types.Type, len(a.prog.Fields))
	for i, f := range a.prog.Fields {
		fs[i] = types.Any()
		if f.Declared && a.stateOf[f.Name] == nil && f.Init != nil && !a.unread {
			fs[i] = settled(t.of(t.c.byFunc[f.Init]).result)
		}
	}
	t.assumed.fields[a] = fs
}

// settled is what a variable that began with a value of a type is expected to
// hold: of nil and of the empty record nothing follows.
func settled(t *types.Type) *types.Type {
	switch {
	case t.Kind == types.NilKind, t.Kind == types.NeverKind, t.Kind == types.RecordKind && t.Name == "":
		return types.Any()
	}
	return t
}

// fieldType is the type of a field, and whether it was written.
func (t *typing) fieldType(a *actor, slot int) (typ *types.Type, written bool) {
	if a == nil || slot < 0 || slot >= len(a.prog.Fields) {
		return types.Any(), false
	}
	if w := a.stateOf[a.prog.Fields[slot].Name]; w != nil {
		return t.written(w), true
	}
	if fs := t.assumed.fields[a]; slot < len(fs) && fs[slot] != nil {
		return fs[slot], false
	}
	return types.Any(), false
}

// widenField notes that a field without a written type gets a value.
func (t *typing) widenField(a *actor, slot int, got *types.Type) {
	fs := t.assumed.fields[a]
	if t.quiet > 0 || slot < 0 || slot >= len(fs) || fs[slot] == nil || types.Fits(got, fs[slot]) {
		return
	}
	fs[slot] = types.Join(fs[slot], got)
	t.again = true
}

// widenInput notes that a step gets an input. If its body was typed without, or
// for another one, everything is looked at again.
func (t *typing) widenInput(i *info, got *types.Type) {
	old := t.assumed.inputs[i.fn]
	if t.quiet > 0 {
		return
	}
	if got.Is(types.NilKind) || got.Is(types.NeverKind) || got.Is(types.TupleKind) && len(got.Elem) == 0 {
		got = types.Any() // perhaps only what an item without a value hands on
	}
	switch {
	case old == nil:
		old = types.Never()
	case types.Fits(got, old) && (got.Known() || !old.Known()):
		return
	}
	t.assumed.inputs[i.fn] = types.Join(old, got)
	t.again = t.again || i.typedBy == t && t.assumed.inputs[i.fn].Known() || old.Known()
}

// of types a function's body, once; a function that is asked for while it is
// being typed gives Any.
func (t *typing) of(i *info) *finding {
	if i == nil {
		return &finding{result: types.Any(), ends: types.Never(), replies: types.Any()}
	}
	if i.typedBy == t {
		return i.found
	}
	f := &finding{busy: true, result: types.Any(), ends: types.Never(), replies: types.Any()}
	if i.result != nil {
		f.result = t.written(i.result)
		f.replies = f.result
	}
	i.typedBy, i.found = t, f
	quiet := t.quiet
	t.quiet = 0 // whoever asks may be trying something out, but this body is typed only once
	t.frame(i).body(f)
	t.quiet = quiet
	f.busy = false
	return f
}
