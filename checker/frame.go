package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
)

// frame is the state of typing one body: what is known, at the point that has
// been reached, of each place in sight.
type frame struct {
	t     *typing
	i     *info // nil of a function that the checker made itself
	fn    *program.Func
	actor *actor

	vals   []*types.Type // by place; the slots of the frame come first; nil: nothing is known
	places []place       // those beyond the slots
	pins   []pin         // by slot: the types that are written
	trail  []change      // what to put back when a branch is left
	set    []change      // all assignments so far, with what was assigned

	around *frame        // of a lambda: the body that it stands in
	given  []*types.Type // to a lambda, by whoever calls it; nil if not known
	took   []*types.Type // what the parameters were taken for

	returns, ends, replies *types.Type
	result                 *wanted // of a declared result
	loops                  int     // around the point, while they are tried out
	nest                   int     // of loops around the point
}

// pin is the written type of a name.
type pin struct {
	t    *types.Type
	span source.Span
}

type change struct {
	at  int
	old *types.Type
}

// outcome is where one of several ways leads: a value, and what it changed.
type outcome struct {
	t    *types.Type
	at   []int
	vals []*types.Type
}

func (t *typing) frame(i *info) *frame {
	b := t.bare(i.fn)
	b.i, b.actor, b.given = i, i.actor, i.bound
	return b
}

// bare is a frame for a function of which nothing is written.
func (t *typing) bare(fn *program.Func) *frame {
	return &frame{
		t: t, fn: fn, vals: make([]*types.Type, fn.Slots), pins: make([]pin, fn.Slots),
		returns: types.Never(), ends: types.Never(), replies: types.Never(),
	}
}

// id is the number of a place; -1 if it has none and make is false.
func (f *frame) id(p place, make bool) int {
	if p.path == "" && p.root >= 0 {
		return p.root
	}
	for i, x := range f.places {
		if x == p {
			return f.fn.Slots + i
		}
	}
	if !make {
		return -1
	}
	f.places = append(f.places, p)
	f.vals = append(f.vals, nil)
	return len(f.vals) - 1
}

// fact is what is known of a place, nil if nothing beyond its type.
func (f *frame) fact(p place) *types.Type {
	if i := f.id(p, false); i >= 0 {
		return f.vals[i]
	}
	return nil
}

func (f *frame) put(at int, t *types.Type) {
	f.trail = append(f.trail, change{at, f.vals[at]})
	f.vals[at] = t
}

// putAll notes several facts.
func (f *frame) putAll(facts []change) {
	for _, x := range facts {
		f.put(x.at, x.old)
	}
}

// know notes what a test has shown of a place.
func (f *frame) know(p place, t *types.Type) { f.put(f.id(p, true), t) }

// forget drops facts.
func (f *frame) forget(which func(place) bool) {
	for i, x := range f.places {
		if at := f.fn.Slots + i; f.vals[at] != nil && which(x) {
			f.put(at, nil)
		}
	}
}

// forgetSelf drops what is known of the fields of self.
func (f *frame) forgetSelf() {
	f.forget(func(p place) bool { return p.root < 0 })
}

// way follows one of several ways and comes back.
func (f *frame) way(run func() *types.Type) outcome {
	mark := len(f.trail)
	out := outcome{t: run()}
	for i := len(f.trail) - 1; i >= mark; i-- {
		x := f.trail[i]
		if !has(out.at, x.at) {
			out.at = append(out.at, x.at)
			out.vals = append(out.vals, f.vals[x.at])
		}
	}
	for i := len(f.trail) - 1; i >= mark; i-- {
		f.vals[f.trail[i].at] = f.trail[i].old
	}
	f.trail = f.trail[:mark]
	return out
}

func has(xs []int, x int) bool {
	for _, y := range xs {
		if y == x {
			return true
		}
	}
	return false
}

// drop leaves a change out.
func (o *outcome) drop(id int) {
	for i, x := range o.at {
		if x == id {
			o.at, o.vals = slices.Delete(o.at, i, i+1), slices.Delete(o.vals, i, i+1)
			return
		}
	}
}

func (o outcome) valueAt(id int, before *types.Type) *types.Type {
	for i, x := range o.at {
		if x == id {
			return o.vals[i]
		}
	}
	return before
}

// meet goes on where the ways come together; those that leave do not count. It
// gives the type of the value.
func (f *frame) meet(ways ...outcome) *types.Type {
	out := types.Never()
	var ids []int
	for _, w := range ways {
		out = types.Join(out, w.t)
		if w.t.Is(types.NeverKind) {
			continue
		}
		for _, id := range w.at {
			if !has(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	for _, id := range ids {
		f.put(id, f.joined(id, ways))
	}
	return out
}

func (f *frame) joined(id int, ways []outcome) *types.Type {
	t := types.Never()
	for _, w := range ways {
		if w.t.Is(types.NeverKind) {
			continue
		}
		x := w.valueAt(id, f.vals[id])
		if x == nil {
			if id < f.fn.Slots {
				continue // a name of that way only
			}
			return nil
		}
		t = types.Join(t, x)
	}
	return t
}

// after takes what was assigned since mark into account as something that may
// or may not have happened. It reports whether less is known then.
func (f *frame) after(mark int) bool {
	less := false
	for _, x := range f.set[mark:] {
		old := f.vals[x.at]
		if old == nil {
			continue
		}
		if t := types.Join(old, x.old); !types.Same(old, t) {
			f.put(x.at, t)
			less = true
		}
	}
	return less
}

// say reports a diagnostic unless something is only being tried out.
func (f *frame) say(report func()) {
	if f.t.quiet == 0 {
		report()
	}
}
