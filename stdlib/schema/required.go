package schema

import (
	"fmt"

	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/value"
)

// instead lists the fields that there are, if they are few.
func (n *node) instead(props *value.Record) string {
	if props.Len() == 0 || props.Len() > 12 {
		return ""
	}
	out := "; there are"
	for i, k := range props.Keys() {
		if i > 0 {
			out += ","
		}
		out += " " + k
	}
	return out
}

func (n *node) required(r *value.Record) *mismatch {
	all, has := n.r.Get("required")
	if !has {
		return nil
	}
	names, isList := all.AsList()
	if !isList {
		return n.spoil("required is a list of names")
	}
	n.left -= len(names)
	for _, name := range names {
		k, isText := name.AsString()
		if !isText {
			return n.spoil("required is a list of names, and %s is none", name.Short(40))
		}
		if _, has := r.Get(k); !has {
			known, bad := n.record("properties")
			if bad != nil {
				return bad
			}
			return no(n.at, "the field %s is missing%s", k, MeantBy(k, r, func(key string) bool {
				_, has := known.Get(key)
				return has
			}))
		}
	}
	return nil
}

// mostMeant is how many fields a record may have for one of them to be taken for
// another one.
const mostMeant = 64

// MeantBy goes on behind "the field is missing" with the field of a record that may
// be meant to be it, one that is not known itself; it is "" if none is near.
func MeantBy(missing string, r *value.Record, known func(key string) bool) string {
	if r.Len() > mostMeant {
		return ""
	}
	var others []string
	for _, key := range r.Keys() {
		if !known(key) {
			others = append(others, key)
		}
	}
	near := spell.Nearest(missing, others)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean it by %q?", near)
}

// mayBeNull reports whether a property that is not there can be taken for null.
func (n *node) mayBeNull(s value.Value, depth int) bool {
	r, isRecord := s.AsRecord()
	if n.left--; !isRecord || depth > 8 || n.left < 0 {
		return false
	}
	kind, _ := r.Get("type")
	if null := value.String("null"); value.Equal(kind, null) {
		return true
	} else if names, isList := kind.AsList(); isList {
		for _, name := range names {
			if value.Equal(name, null) {
				return true
			}
		}
	}
	for _, word := range [...]string{"anyOf", "oneOf"} {
		all, _ := r.Get(word)
		ways, _ := all.AsList()
		for _, way := range ways {
			if n.mayBeNull(way, depth+1) {
				return true
			}
		}
	}
	return false
}
