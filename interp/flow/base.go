package flow

import (
	"github.com/wf-lang/wf/lang/value"
)

// Base is the state as an attempt on the track sees it: as committed when it
// began; in a branch as it was when the block began, with what the branch has
// assigned.
func Base(v View, t *Track) []value.Value {
	s := v.State()
	if len(t.Where) == 0 || t.Undoing != "" || t.Final {
		if len(t.Shadow) == 0 {
			return s.Fields
		}
		fields := append([]value.Value(nil), s.Fields...)
		overlay(fields, t.Shadow)
		return fields
	}
	fields := append([]value.Value(nil), s.Fields...)
	at, path := &s.Root, ""
	for i, p := range t.Where {
		overlay(fields, at.Shadow)
		path = childPath(path, p)
		if i == len(t.Where)-1 {
			at = t
		} else {
			at, _ = v.Track(path)
		}
		overlay(fields, at.Own)
	}
	return fields
}

func overlay(fields []value.Value, over []Field) {
	for _, f := range over {
		fields[f.Slot] = f.Value
	}
}

// set replaces or adds a field of the list, which it copies.
func set(list []Field, slot int, v value.Value) []Field {
	out := append([]Field(nil), list...)
	for i := range out {
		if out[i].Slot == slot {
			out[i].Value = v
			return out
		}
	}
	return append(out, Field{slot, v})
}

func has(list []Field, slot int) bool {
	for _, f := range list {
		if f.Slot == slot {
			return true
		}
	}
	return false
}
