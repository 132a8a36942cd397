package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
)

// effects are program.Effects and what only the checker tells apart.
type effects uint32

// drawsChance is ReadsClock by anything but Time.now.
const drawsChance effects = 1 << 16

const (
	readsSelf  = effects(program.ReadsSelf)
	writesSelf = effects(program.WritesSelf)
	emits      = effects(program.Emits)
	performs   = effects(program.Performs)
	waits      = effects(program.Waits)
	moves      = effects(program.Transitions)
	readsClock = effects(program.ReadsClock)
	outside    = performs | waits
)

// info is what lowering notes about one function: what it does itself, whom it
// calls, and, once closeEffects has run, what comes of it all.
type info struct {
	fn    *program.Func
	name  string // for people: "step pay", "`notify`"
	kind  bodyKind
	root  bodyKind // of a lambda: what it stands in; else as kind
	actor *actor
	vars  []*variable
	// params are the last of fn's, as written; result is nil if not written.
	params []ast.Param
	result ast.Type
	bound  []*types.Type   // of the names that statements outside of a workflow find bound
	lists  []*program.Func // of the `parallel for` blocks around it, whose elements come before params

	own       []site
	calls     []call
	writes    []write
	loose     []ast.Word // fields of self that a function of no actor names
	signals   []heard
	anySignal bool

	all       effects
	allWrites []write

	typedBy *typing // in which round its values got their types
	found   *finding
}

// site is one thing that a body does.
type site struct {
	bit  effects
	span source.Span
	what string
}

// call is a place where a body calls, makes or hands on another function.
type call struct {
	span source.Span
	to   *info
	// value: the function is not called here but used as a value. Whoever
	// gets it may call it, so its effects count, except that reading self
	// there is another instance's matter.
	value bool
}

// write is an assignment to a field of self; an empty name stands for
// `self = …` with unknown fields.
type write struct {
	field string
	span  source.Span
}

func (c *checker) newInfo(a *actor, kind bodyKind, name string, fn *program.Func) *info {
	i := &info{fn: fn, name: name, kind: kind, root: kind, actor: a}
	c.infos = append(c.infos, i)
	c.byFunc[fn] = i
	return i
}

// does notes an effect of a body.
func (b *body) does(bit effects, span source.Span, what string) {
	b.info.own = append(b.info.own, site{bit, span, what})
}

// closeEffects computes what every function does through its calls: whenever
// something is learned about a function, its callers take it over. Every round
// adds at least one effect, field or signal, of which there are finitely many.
func (c *checker) closeEffects() {
	type caller struct {
		by *info
		at call
	}
	callers := map[*info][]caller{}
	all := slices.Concat(c.infos, c.standIns)
	for _, i := range all {
		i.all = 0
		for _, s := range i.own {
			i.all |= s.bit
		}
		i.allWrites = slices.Clone(i.writes)
		for _, k := range i.calls {
			callers[k.to] = append(callers[k.to], caller{i, k})
		}
	}
	for todo := all; len(todo) > 0; {
		i := todo[0]
		todo = todo[1:]
		for _, x := range callers[i] {
			if x.by.take(x.at) {
				todo = append(todo, x.by)
			}
		}
	}
	for _, i := range c.infos {
		i.fn.Effects = program.Effects(i.all & 0xffff)
	}
	c.collectSignals()
}

// take adds what a called function does; it reports whether that was news.
func (i *info) take(k call) bool {
	news := k.to.all
	if k.value {
		news &^= readsSelf
	}
	changed := news&^i.all != 0
	i.all |= news
	for _, w := range k.to.allWrites {
		if !i.writesField(w.field) {
			i.allWrites = append(i.allWrites, write{w.field, k.span})
			changed = true
		}
	}
	for _, s := range k.to.signals {
		if i.hears(heard{name: s.name, span: k.span, wait: s.wait, within: s.within || k.to.actor != nil}) {
			changed = true
		}
	}
	if k.to.anySignal && !i.anySignal {
		i.anySignal, changed = true, true
	}
	return changed
}

func (i *info) writesField(name string) bool {
	return slices.ContainsFunc(i.allWrites, func(w write) bool { return w.field == name })
}

// collectSignals gives each workflow the names that its bodies may wait for.
func (c *checker) collectSignals() {
	for _, i := range c.infos {
		w := c.prog.Main
		switch {
		case i.kind == mainBody:
		case i.actor == nil || i.kind == funcBody || i.kind == lambdaBody:
			continue
		default:
			w = i.actor.prog
		}
		w.AnySignal = w.AnySignal || i.anySignal
		for _, s := range i.signals {
			if !slices.Contains(w.Signals, s.name) {
				w.Signals = append(w.Signals, s.name)
			}
		}
	}
}

// witness finds the place in i, or in what it calls, that has one of the
// effects; it prefers the function's own.
func (i *info) witness(bits effects) (site, bool) { return i.search(bits, map[*info]bool{}) }

func (i *info) search(bits effects, seen map[*info]bool) (site, bool) {
	if seen[i] {
		return site{}, false
	}
	seen[i] = true
	for _, s := range i.own {
		if s.bit&bits != 0 {
			return s, true
		}
	}
	for _, k := range i.calls {
		if s, ok := k.to.search(bits, seen); ok {
			return s, true
		}
	}
	return site{}, false
}
