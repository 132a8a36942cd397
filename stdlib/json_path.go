package stdlib

import (
	"strconv"
	"strings"

	"github.com/wf-lang/wf/lang/value"
)

func jsonGet(c call) (value.Value, error) {
	steps, err := c.path(c.text(1))
	if err != nil {
		return value.Nil, err
	}
	v := c.args[0]
	for _, s := range steps {
		if v = s.of(v); v.IsNil() {
			return c.args[2], nil
		}
	}
	return v, nil
}

// pathStep is a field by its name or an element by its index.
type pathStep struct {
	name  string
	index int64
	named bool
}

// of is what stands at the step in a value, nil if there is nothing.
func (s pathStep) of(v value.Value) value.Value {
	switch {
	case !s.named:
		xs, isList := v.AsList()
		if !isList {
			xs, _ = v.AsTuple()
		}
		return elementAt(xs, s.index)
	case v.Kind() == value.KindVariant:
		x, _ := v.AsVariant()
		f, _ := x.Field(s.name)
		return f
	}
	r, isRecord := v.AsRecord()
	if !isRecord {
		return value.Nil
	}
	f, _ := r.Get(s.name)
	return f
}

// path reads `a.b[0]["c d"]`; a `$` may stand before it.
func (c call) path(text string) ([]pathStep, error) {
	var out []pathStep
	bad := c.fault(value.CodeFormat, "%s is no path: write it like items[0].sku or [\"a b\"].c", value.String(text).Short(60))
	rest, rooted := strings.CutPrefix(text, "$")
	for first := !rooted; rest != ""; first = false {
		if inner, bracket := strings.CutPrefix(rest, "["); bracket {
			step, after, ok := bracketStep(inner)
			if !ok {
				return nil, bad
			}
			out, rest = append(out, step), after
			continue
		}
		if !first {
			after, dotted := strings.CutPrefix(rest, ".")
			if !dotted {
				return nil, bad
			}
			rest = after
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if end == 0 {
			return nil, bad
		}
		step := pathStep{name: rest[:end], named: true}
		if i, err := strconv.ParseInt(step.name, 10, 64); err == nil {
			step = pathStep{index: i}
		}
		out, rest = append(out, step), rest[end:]
	}
	return out, nil
}

// bracketStep reads what follows a bracket: an index or a quoted name.
func bracketStep(s string) (step pathStep, rest string, ok bool) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return step, "", false
		}
		rest, ok = strings.CutPrefix(s[end+2:], "]")
		return pathStep{name: s[1 : end+1], named: true}, rest, ok
	}
	inner, rest, found := strings.Cut(s, "]")
	i, err := strconv.ParseInt(inner, 10, 64)
	return pathStep{index: i}, rest, found && err == nil
}
