package tests

import (
	"fmt"

	"github.com/wf-lang/wf/lang/value"
)

// differ says where two values differ, and what is there: "[1].qty: 2 and 3". It
// is "" where showing both says as much.
func differ(x, y value.Value) string {
	path, a, b := difference("", x, y)
	if path == "" {
		return ""
	}
	return path + ": " + a + " and " + b
}

const nothing = "nothing"

// difference finds the first place that is not the same.
func difference(path string, x, y value.Value) (at, a, b string) {
	if xs, ys, ok := both(x, y, value.Value.AsList); ok {
		return inList(path, xs, ys)
	}
	if xs, ys, ok := both(x, y, value.Value.AsTuple); ok && len(xs) == len(ys) {
		return inList(path, xs, ys)
	}
	if r, s, ok := both(x, y, value.Value.AsRecord); ok {
		return inRecord(path, r, s)
	}
	if v, w, ok := both(x, y, value.Value.AsVariant); ok && v.Name == w.Name && len(v.Fields) == len(w.Fields) {
		for i := range v.Fields {
			if !value.Equal(v.Fields[i], w.Fields[i]) {
				name := fmt.Sprintf("%s(%d)", v.Name, i+1)
				if i < len(v.Names) && v.Names[i] != "" {
					name = v.Name + "." + v.Names[i]
				}
				if path != "" {
					name = path + " " + name
				}
				return difference(name, v.Fields[i], w.Fields[i])
			}
		}
	}
	return path, x.Short(shown), y.Short(shown)
}

// both takes two values of one kind.
func both[T any](x, y value.Value, as func(value.Value) (T, bool)) (a, b T, ok bool) {
	a, okA := as(x)
	b, okB := as(y)
	return a, b, okA && okB
}

func inList(path string, xs, ys []value.Value) (at, a, b string) {
	for i := range max(len(xs), len(ys)) {
		here := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case i >= len(xs):
			return here, nothing, ys[i].Short(shown)
		case i >= len(ys):
			return here, xs[i].Short(shown), nothing
		case !value.Equal(xs[i], ys[i]):
			return difference(here, xs[i], ys[i])
		}
	}
	return path, "", ""
}

func inRecord(path string, r, s *value.Record) (at, a, b string) {
	for i := range r.Len() {
		key, x := r.At(i)
		y, has := s.Get(key)
		switch {
		case !has:
			return path + "." + key, x.Short(shown), nothing
		case !value.Equal(x, y):
			return difference(path+"."+key, x, y)
		}
	}
	for i := range s.Len() {
		if key, y := s.At(i); !hasKey(r, key) {
			return path + "." + key, nothing, y.Short(shown)
		}
	}
	return path, "", ""
}

func hasKey(r *value.Record, key string) bool {
	_, has := r.Get(key)
	return has
}
