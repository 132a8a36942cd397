package flow

import (
	"slices"

	"github.com/wf-lang/wf/lang/value"
)

// write applies the writes of an attempt to the instance, and keeps what the
// branches beside and above must not see of it.
func (n *next) write(t *Track, writes []Field) {
	if len(writes) == 0 {
		return
	}
	of := t
	if t.Undoing != "" {
		of = n.track(t.Unit) // what undoes a branch writes as the branch
	}
	s := &n.t.State
	fields := slices.Clone(s.Fields)
	for _, f := range writes {
		if of != nil {
			n.shade(of, f.Slot, fields[f.Slot], f.Value)
		}
		fields[f.Slot] = f.Value
	}
	s.Fields = fields
}

// shade notes a write in the branches around it: each branch on the way up has
// assigned the field, each block's other branches go on seeing the old value.
func (n *next) shade(t *Track, slot int, old, val value.Value) {
	for len(t.Where) > 0 {
		t.Own = set(t.Own, slot, val)
		t = n.parent(t)
		n.shadow(t, slot, old)
	}
}

func (n *next) shadow(t *Track, slot int, old value.Value) {
	if !has(t.Shadow, slot) {
		t.Shadow = set(t.Shadow, slot, old)
	}
}

// writeBeside applies the writes of a command while attempts are under way:
// they go on seeing what they began with.
func (n *next) writeBeside(writes []Field) {
	if len(writes) == 0 {
		return
	}
	s := &n.t.State
	fields := slices.Clone(s.Fields)
	for _, f := range writes {
		for _, t := range n.attempts() {
			n.shadow(t, f.Slot, fields[f.Slot])
		}
		fields[f.Slot] = f.Value
	}
	s.Fields = fields
}

// attempts are the tracks that keep a view of the state: the root, while an
// attempt or a block of it is under way, compensations and finally. Branches
// see through the shadow of their block.
func (n *next) attempts() []*Track {
	var out []*Track
	switch n.t.State.Root.Phase {
	case Active, Waiting, InBlock:
		out = append(out, &n.t.State.Root)
	}
	for t := range n.v.Tracks() {
		if (t.Undoing != "" || t.Final) && t.Phase != Broken {
			if t := n.track(t.Path); t != nil {
				out = append(out, t)
			}
		}
	}
	return out
}
