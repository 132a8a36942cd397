package schema

import (
	"strings"

	"github.com/wf-lang/wf/lang/value"
)

// node is a schema at a place of a value.
type node struct {
	*fitter
	r     *value.Record
	at    *place
	depth int
}

// fit goes through what the schema says, from what converts to what only
// compares.
func (n *node) fit(v value.Value) (value.Value, *mismatch) {
	var bad *mismatch
	if ref, has := n.r.Get("$ref"); has {
		if v, bad = n.follow(v, ref); bad != nil {
			return v, bad
		}
	}
	if v, bad = n.kind(v); bad != nil {
		return v, bad
	}
	if bad := n.bounds(v); bad != nil {
		return v, bad
	}
	if v, bad = n.parts(v); bad != nil {
		return v, bad
	}
	if bad := n.oneValue(v); bad != nil {
		return v, bad
	}
	return n.combined(v)
}

// follow resolves a reference into $defs of the whole schema.
func (n *node) follow(v, ref value.Value) (value.Value, *mismatch) {
	text, _ := ref.AsString()
	if text == "#" {
		return n.fitter.fit(v, n.root, n.at, n.depth+1)
	}
	for _, where := range [...]string{"$defs", "definitions"} {
		name, inside := strings.CutPrefix(text, "#/"+where+"/")
		root, isRecord := n.root.AsRecord()
		if !inside || !isRecord {
			continue
		}
		all, _ := root.Get(where)
		if defs, isRecord := all.AsRecord(); isRecord {
			name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
			if s, has := defs.Get(name); has {
				return n.fitter.fit(v, s, n.at, n.depth+1)
			}
		}
	}
	return v, n.spoil("$ref says %s, and there is nothing of that name under $defs", ref.Short(60))
}

// kind holds the value against `type` and `format`.
func (n *node) kind(v value.Value) (value.Value, *mismatch) {
	wanted, has := n.r.Get("type")
	if !has {
		return v, nil
	}
	names, isList := wanted.AsList()
	if !isList {
		names = []value.Value{wanted}
	}
	format := n.text("format")
	for _, w := range names {
		name, isText := w.AsString()
		if !isText || !known(name) {
			return v, n.spoil("%s is no type of JSON Schema", w.Short(40))
		}
		if out, fits, why := become(v, name, format); fits {
			return out, nil
		} else if why != "" {
			return v, no(n.at, "%s", why)
		}
	}
	return v, no(n.at, "expected %s, found %s", n.called(names, format), found(v))
}

// called names what is wanted in the words of the language.
func (n *node) called(names []value.Value, format string) string {
	title := n.text("title")
	var words []string
	for _, w := range names {
		name, _ := w.AsString()
		word := inWords(name, format)
		if title != "" && name == "object" {
			word = title
		}
		words = append(words, word)
	}
	return strings.Join(words, " or ")
}

// text is a word of the schema that is a String, "" if there is none.
func (n *node) text(word string) string {
	v, _ := n.r.Get(word)
	s, _ := v.AsString()
	return s
}

// oneValue holds the value against `const` and `enum`.
func (n *node) oneValue(v value.Value) *mismatch {
	if c, has := n.r.Get("const"); has && !value.Equal(v, c) {
		return no(n.at, "expected %s, found %s", c.Short(60), v.Short(60))
	}
	all, has := n.r.Get("enum")
	if !has {
		return nil
	}
	choices, isList := all.AsList()
	if !isList {
		return n.spoil("enum is a list of values")
	}
	n.left -= len(choices)
	for _, c := range choices {
		if value.Equal(v, c) {
			return nil
		}
	}
	return no(n.at, "expected one of %s, found %s", strings.Trim(all.Short(120), "[]"), v.Short(60))
}

// combined holds the value against allOf, anyOf, oneOf and not.
func (n *node) combined(v value.Value) (value.Value, *mismatch) {
	all, bad := n.list("allOf")
	for _, s := range all {
		if bad == nil {
			v, bad = n.fitter.fit(v, s, n.at, n.depth+1)
		}
	}
	for _, word := range [...]string{"anyOf", "oneOf"} {
		if bad == nil {
			v, bad = n.either(v, word)
		}
	}
	if s, has := n.r.Get("not"); has && bad == nil {
		if _, misfit := n.fitter.fit(v, s, n.at, n.depth+1); misfit == nil {
			bad = no(n.at, "this may not be %s", orElse(n.text("description"), v.Short(60)))
		}
	}
	if bad == nil && n.broken != "" {
		bad = &mismatch{}
	}
	return v, bad
}

// either takes the first alternative that fits; of oneOf there may be no second.
// If none fits, what is said is what is wrong with the nearest: the one whose
// misfit lies deepest.
func (n *node) either(v value.Value, word string) (value.Value, *mismatch) {
	ways, bad := n.list(word)
	if bad != nil || len(ways) == 0 {
		return v, bad
	}
	if tag, way := n.tagged(v, ways); tag {
		return n.fitter.fit(v, way, n.at, n.depth+1)
	}
	if bad := n.noVariant(v, ways); bad != nil {
		return v, bad
	}
	out, count := v, 0
	var nearest *mismatch
	for _, s := range ways {
		w, misfit := n.fitter.fit(v, s, n.at, n.depth+1)
		switch {
		case n.broken != "":
			return v, &mismatch{}
		case misfit == nil && count == 0:
			if out, count = w, 1; word == "anyOf" {
				return out, nil
			}
		case misfit == nil:
			return v, no(n.at, "this fits more than one of the alternatives of oneOf")
		case nearest == nil || deeper(misfit.at, nearest.at):
			nearest = misfit
		}
	}
	if count == 1 {
		return out, nil
	}
	if nearest.at == n.at {
		return v, no(n.at, "expected %s, found %s", n.alternatives(ways), found(v))
	}
	return v, nearest
}

func deeper(a, b *place) bool { return a.deep() > b.deep() }

func (p *place) deep() int {
	n := 0
	for ; p != nil; p = p.in {
		n++
	}
	return n
}

// alternatives names what could have stood here.
func (n *node) alternatives(ways []value.Value) string {
	if title := n.text("title"); title != "" {
		return title
	}
	var words []string
	for _, s := range ways {
		r, isRecord := s.AsRecord()
		if !isRecord {
			continue
		}
		way := node{fitter: n.fitter, r: r}
		kind, _ := r.Get("type")
		switch name, _ := kind.AsString(); {
		case way.text("title") != "":
			words = append(words, way.text("title"))
		case name != "":
			words = append(words, inWords(name, way.text("format")))
		case way.text("$ref") != "":
			ref := way.text("$ref")
			words = append(words, ref[strings.LastIndexByte(ref, '/')+1:])
		}
	}
	if len(words) == 0 {
		return "one of the alternatives"
	}
	return strings.Join(words, " or ")
}

// list is a word of the schema that is a list of schemas.
func (n *node) list(word string) ([]value.Value, *mismatch) {
	v, has := n.r.Get(word)
	if !has {
		return nil, nil
	}
	out, isList := v.AsList()
	if !isList {
		return nil, n.spoil("%s is a list of schemas", word)
	}
	return out, nil
}

func orElse(s, or string) string {
	if s == "" {
		return or
	}
	return s
}
