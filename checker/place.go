package checker

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// place is something that can be known better than its type says: a field of
// self, or a part of what a name or a field of self holds.
type place struct {
	root int // a slot; of a field of self ^slot
	// path is `.name` for a field, `[1]` for an element, `[$2]` for one whose
	// index the name in a slot says.
	path string
}

// placeOf finds the place that an expression reads.
func (f *frame) placeOf(e program.Expr) (place, bool) {
	switch e := e.(type) {
	case *program.Local:
		return place{root: e.Slot}, e.Slot < f.fn.Slots
	case *program.SelfField:
		return place{root: ^e.Slot}, e.Slot >= 0
	case *program.Field:
		if p, ok := f.placeOf(e.X); ok {
			p.path += "." + e.Name
			return p, true
		}
	case *program.Index:
		key := f.keyOf(e.I)
		if p, ok := f.placeOf(e.X); ok && key != "" {
			p.path += key
			return p, true
		}
	}
	return place{}, false
}

// keyOf is what an index adds to a path, "" if that is not certain.
func (f *frame) keyOf(e program.Expr) string {
	switch e := e.(type) {
	case *program.Const:
		if n, ok := e.Value.AsInt(); ok {
			return "[" + strconv.FormatInt(n, 10) + "]"
		}
		if key, ok := e.Value.AsString(); ok && key != "" && !strings.ContainsAny(key, ".[") {
			return "." + key
		}
	case *program.Local:
		if e.Slot < f.fn.Slots {
			return keyIn(e.Slot)
		}
	}
	return ""
}

func keyIn(slot int) string { return "[$" + strconv.Itoa(slot) + "]" }

// of reports whether what is known of a place depends on a root.
func (p place) of(root int) bool {
	return p.root == root || root >= 0 && strings.Contains(p.path, "[$") && strings.Contains(p.path, keyIn(root))
}

// within reports whether a place is another one, or a part of it.
func (p place) within(q place) bool {
	rest, ok := strings.CutPrefix(p.path, q.path)
	return p.root == q.root && ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// below is the field through which a place is within another one, "" if it is
// within through an index, or the same.
func (p place) below(q place) string {
	rest, ok := strings.CutPrefix(p.path[len(q.path):], ".")
	if !ok {
		return ""
	}
	if end := strings.IndexAny(rest, ".["); end >= 0 {
		return rest[:end]
	}
	return rest
}

// seen is what is known of the place that an expression reads, nil if that is
// nothing beyond its type.
func (f *frame) seen(e program.Expr) *types.Type {
	if len(f.places) == 0 {
		return nil
	}
	if p, ok := f.placeOf(e); ok {
		return f.fact(p)
	}
	return nil
}

// assigned notes that a root got a value.
func (f *frame) assigned(root place, t *types.Type) { f.assignedAt(root, nil, t, nil) }

// assignedAt notes that a part of a root got a value. The root is then of type
// t; part is what the part is then, nil if nothing is written about it.
func (f *frame) assignedAt(root place, path []program.PathPart, t, part *types.Type) {
	f.spoil(root, path, part != nil)
	at := f.id(root, true)
	f.set = append(f.set, change{at, t})
	f.put(at, t)
	if to, exact := partOf(root, path); exact && part != nil {
		f.know(to, part)
	}
}

// spoil forgets what an assignment to a part of a root may change, but for the
// root itself. If the types are written, what the part is in stays as it is but
// for that part.
func (f *frame) spoil(root place, path []program.PathPart, written bool) {
	to, exact := partOf(root, path)
	for i, x := range f.places {
		at := f.fn.Slots + i
		switch {
		case f.vals[at] == nil || x == root || !x.of(root.root):
		case x.root != root.root || x.within(to) && (x != to || exact):
			f.put(at, nil)
		case to.within(x) && written:
			f.put(at, f.vals[at].Reset(to.below(x)))
		case to.within(x):
			f.put(at, nil)
		}
	}
}

// partOf is the place that a path of an assignment leads to; if it is not
// exact, one that this is in.
func partOf(root place, path []program.PathPart) (p place, exact bool) {
	p = root
	for _, x := range path {
		if x.Index != nil {
			return p, false
		}
		p.path += "." + x.Name
	}
	return p, true
}

// handDown lets a lambda know what is known where it is made: of the names that
// it takes copies of, and of fields of self that nothing around it assigns.
func (f *frame) handDown(to *frame) {
	to.around = f
	if f.around != nil {
		to.around = f.around
	}
	for i, x := range f.places {
		t := f.vals[f.fn.Slots+i]
		switch {
		case t == nil || strings.Contains(x.path, "[$"):
		case x.root < 0 && to.around.steady(^x.root):
			to.know(x, t)
		case x.root >= 0:
			if k := slices.Index(to.fn.Captures, x.root); k >= 0 && x.path != "" {
				to.know(place{k, x.path}, t)
			}
		}
	}
}

// steady reports whether nothing in a body, or in what it calls, assigns a field.
func (f *frame) steady(slot int) bool {
	return f.i != nil && f.actor != nil && !f.t.c.borrowers[f.fn] &&
		!f.i.writesField(f.actor.prog.Fields[slot].Name) && !f.i.writesField("")
}
