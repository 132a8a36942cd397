package sim_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// This file makes random programs. Every body tells what it has done in events:
// what it was told is all that the checks go by. The tag of a step names its visit
// (instance, step, how many steps had completed before, how many commands had
// moved the instance), so that whatever happens twice under one tag is found.

// A design is a random program: its text, and what a model has to know of it.
type design struct {
	text      string
	workflows map[string]*workflow
	known     map[string]string // workflow by the id of an instance that main spawns
	ids       []string          // of known, in order
}

// A workflow is what the model knows of one.
type workflow struct {
	name    string
	items   []*item // those that are only reached by failover come last
	regular int     // how many come before those
	index   map[string]int
	timeout time.Duration
	finally bool
	undoes  bool // it has a compensation of its own
	blocks  bool
	signals map[string]bool // that it waits for somewhere
}

// An item is a step or a block of a body.
type item struct {
	name     string
	undoes   bool // it has a compensation
	failover int  // item that takes over, -1 if none
	param    bool // it takes the value of the item before
	block    *block
}

// A block is a parallel block; every branch is a list of steps.
type block struct {
	mode     string // "", "settle" or "first"
	elements bool   // a `parallel for`: all branches have the same steps
	max      int    // branches at once, 0: all
	names    []string
	undoes   []bool // which branches have a compensation of their own
	branches [][]*item
}

// hasHead reports whether something stands before the braces that is computed
// before the branches begin.
func (b *block) hasHead() bool { return b.elements || b.mode == "first" }

var signalNames = []string{"a", "b"}

// boxes are the keys of the entity that everybody puts tags into.
var boxes = []string{"x", "y"}

// generator writes a program.
type generator struct {
	*rand.Rand
	b strings.Builder
	d *design
}

func (g *generator) f(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// newDesign makes the program of a seed.
func newDesign(r *rand.Rand) *design {
	d := &design{workflows: map[string]*workflow{}, known: map[string]string{}}
	g := &generator{Rand: r, d: d}
	for i := range 2 + r.IntN(3) {
		id := fmt.Sprintf("w%d", i)
		d.ids = append(d.ids, id)
		d.known[id] = fmt.Sprintf("W%d", r.IntN(3))
	}
	g.f("%s", entity)
	for i := range 3 {
		g.workflow(i)
	}
	for _, id := range d.ids {
		g.f("spawn %s { mark: %q } as %q", d.known[id], id, id)
		if g.chance(40) {
			g.f("perform IO.print(\"P main|%s\")", id)
		}
	}
	if g.chance(30) {
		g.f("ask Box(\"x\").add(\"main|x\", 1000)")
	}
	for _, id := range d.ids {
		if g.chance(30) {
			g.f("try { await %s(%q) } catch e { e.code }", d.known[id], id)
		}
	}
	d.text = g.b.String()
	return d
}

const entity = `entity Box {
    state got: [String] = []
    command add(tag: String, most: Int) {
        if self.got.length >= most { reject conflict "full" }
        self.got = self.got + [tag]
        emit Got(tag)
        reply self.got.length
    }
    query all() { self.got }
}
`

func (g *generator) workflow(level int) {
	w := &workflow{name: fmt.Sprintf("W%d", level), index: map[string]int{}, signals: map[string]bool{}, finally: g.chance(60), undoes: g.chance(30)}
	g.d.workflows[w.name] = w
	g.plan(w)
	g.f("workflow %s {\n state mark: String\n state n: Int = 0\n state moves: Int = 0\n state pokes: [String] = []", w.name)
	if g.chance(25) {
		w.timeout = time.Duration(1+g.IntN(40)) * time.Minute
		g.f(" timeout %dm", w.timeout/time.Minute)
	}
	g.f(" init { emit Born(self.mark) }")
	if w.undoes {
		g.compensation("whole")
	}
	for i, it := range w.items {
		if it.block != nil {
			g.block(w, it, level)
		} else {
			g.step(w, i, it, level)
		}
	}
	g.f(" command poke(tag: String) { self.pokes = self.pokes + [tag]; emit Poked(tag); reply self.pokes.length }")
	g.f(" command go(tag: String, to: Int) {\n  self.moves += 1\n  emit Moved(tag, to)")
	for i, it := range w.items[:w.regular] {
		if it.block == nil && !it.param {
			g.f("  if to == %d { goto %s reply \"moved\" }", i, it.name)
		}
	}
	g.f("  goto s0 reply \"moved\"\n }")
	g.f(" command halt(tag: String) { self.moves += 1; emit Halted(tag); pause \"halted\" reply \"halted\" }")
	g.f(" command quit(tag: String) { emit Quit(tag); end \"quit\" }")
	g.f(" command die(tag: String) { emit Died(tag); fail \"died\" }")
	g.f(" query told() { self.pokes }")
	if w.finally {
		g.f(" finally (o) { emit Over(o.status) }")
	}
	g.f("}")
}

// plan decides what items there are.
func (g *generator) plan(w *workflow) {
	n := 2 + g.IntN(4)
	for i := range n {
		it := &item{name: fmt.Sprintf("s%d", i), undoes: g.chance(60), failover: -1}
		if i > 0 && i < n-1 && g.chance(30) {
			w.blocks = true
			it.block = g.newBlock(i)
		}
		if i > 0 && w.items[i-1].block != nil && w.items[i-1].block.mode == "" {
			it.param = it.block == nil && g.chance(60)
		}
		w.items = append(w.items, it)
	}
	w.regular = n
	if g.chance(50) {
		w.items = append(w.items, &item{name: "f0", undoes: g.chance(50), failover: -1})
		for _, it := range w.items[:n] {
			if g.chance(40) {
				it.failover = n
			}
		}
		w.items[g.IntN(n)].failover = n // somebody has to reach it
	}
	for i, it := range w.items {
		w.index[it.name] = i
	}
}

func (g *generator) newBlock(i int) *block {
	b := &block{mode: pick(g.Rand, []string{"", "", "settle", "first"}), elements: g.chance(30)}
	if b.elements && g.chance(50) {
		b.max = 1 + g.IntN(2)
	}
	for j := range 2 + g.IntN(2) {
		name := fmt.Sprintf("b%d_%d", i, j)
		var steps []*item
		if b.elements && j > 0 {
			for _, s := range b.branches[0] {
				steps = append(steps, &item{name: strings.Replace(s.name, ":0", fmt.Sprintf(":%d", j), 1), undoes: s.undoes, failover: -1})
			}
		} else {
			for k := range 1 + g.IntN(2) {
				s := &item{name: fmt.Sprintf("t%d_%d_%d", i, j, k), undoes: g.chance(60), failover: -1}
				if b.elements {
					s.name += ":0"
				}
				steps = append(steps, s)
			}
		}
		b.names, b.undoes = append(b.names, name), append(b.undoes, !b.elements && g.chance(40))
		b.branches = append(b.branches, steps)
	}
	return b
}
