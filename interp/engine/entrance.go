package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/value"
)

// What comes from outside is looked at before it is taken: what could not be
// read back from the store would damage the instance that keeps it.

// admissible refuses a value from outside that cannot be kept: what is no data,
// nests too deep, is larger than a payload may be, or has text that is not UTF-8.
// what names it in the refusal.
func admissible(what string, v value.Value) error {
	switch {
	case !v.IsData():
		return refuse("bad_request", "%s is %s, which cannot be kept", what, v.Short(40))
	case v.Depth() > value.MaxDepth:
		return refuse("bad_request", "%s nests more than %d deep", what, value.MaxDepth)
	case value.Size(v) > maxPayload:
		return refuse("bad_request", "%s is %d bytes; the limit is %d", what, value.Size(v), maxPayload)
	case !validText(v):
		return refuse("bad_request", "%s has text that is not UTF-8", what)
	}
	return nil
}

// validText reports whether all text in a value, names included, is UTF-8.
func validText(v value.Value) bool {
	if s, ok := v.AsString(); ok {
		return utf8.ValidString(s)
	}
	if h, ok := v.AsHandle(); ok {
		return utf8.ValidString(h.Type) && utf8.ValidString(h.ID)
	}
	if f, ok := v.AsFunc(); ok {
		return utf8.ValidString(f.Name)
	}
	if r, ok := v.AsRecord(); ok {
		for i := range r.Len() {
			if k, x := r.At(i); !utf8.ValidString(k) || !validText(x) {
				return false
			}
		}
		return true
	}
	parts, ok := v.AsList()
	if !ok {
		parts, ok = v.AsTuple()
	}
	if x, is := v.AsVariant(); is {
		if !utf8.ValidString(x.Name) {
			return false
		}
		parts, ok = x.Fields, true
	}
	for _, x := range parts {
		if ok && !validText(x) {
			return false
		}
	}
	return true
}

// validFault gives a fault from outside with what can be kept of it: bytes that
// are no text are replaced, and a detail that cannot be kept is left out.
func validFault(f *interp.Fault) *interp.Fault {
	if utf8.ValidString(f.Code) && utf8.ValidString(f.Message) && admissible("detail", f.Detail) == nil {
		return f
	}
	g := *f
	g.Code, g.Message = strings.ToValidUTF8(f.Code, "\ufffd"), strings.ToValidUTF8(f.Message, "\ufffd")
	if admissible("detail", f.Detail) != nil {
		g.Detail = value.Nil
	}
	return &g
}

// maxKey is how long an idempotency key may be, in bytes.
const maxKey = 256

// received refuses a request from outside that has something in it that cannot
// be kept. key is "" for none.
func received(key, name string, vs ...value.Value) error {
	switch {
	case len(key) > maxKey || !utf8.ValidString(key):
		return refuse("bad_request", "a key has at most %d bytes of UTF-8", maxKey)
	case !utf8.ValidString(name):
		return refuse("bad_request", "the name %q is not UTF-8", name)
	}
	for _, v := range vs {
		if err := admissible("what "+name+" was given", v); err != nil {
			return err
		}
	}
	return nil
}
