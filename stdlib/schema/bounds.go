package schema

import (
	"regexp"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/value"
)

// maxPattern and maxText are how long a pattern and what it looks through may
// be, in bytes.
const (
	maxPattern = 1_000
	maxText    = 64 << 10
)

// bounds holds a value against what limits its size.
func (n *node) bounds(v value.Value) *mismatch {
	switch v.Kind() {
	case value.KindInt, value.KindDecimal, value.KindFloat:
		return n.numberBounds(v)
	case value.KindString:
		s, _ := v.AsString()
		if bad := n.count(utf8.RuneCountInString(s), "minLength", "maxLength", "characters"); bad != nil {
			return bad
		}
		return n.pattern(s)
	case value.KindList, value.KindTuple:
		xs, isList := v.AsList()
		if !isList {
			xs, _ = v.AsTuple()
		}
		if bad := n.count(len(xs), "minItems", "maxItems", "elements"); bad != nil {
			return bad
		}
		return n.unique(xs)
	case value.KindRecord:
		r, _ := v.AsRecord()
		return n.count(r.Len(), "minProperties", "maxProperties", "fields")
	}
	return nil
}

func (n *node) numberBounds(v value.Value) *mismatch {
	for _, b := range [...]struct {
		word, says string
		fits       func(c int) bool
	}{
		{"minimum", "at least", func(c int) bool { return c >= 0 }},
		{"maximum", "at most", func(c int) bool { return c <= 0 }},
		{"exclusiveMinimum", "more than", func(c int) bool { return c > 0 }},
		{"exclusiveMaximum", "less than", func(c int) bool { return c < 0 }},
	} {
		limit, has := n.r.Get(b.word)
		if !has {
			continue
		}
		c, err := value.Compare(comparable(v, limit), comparable(limit, v))
		if err != nil {
			return n.spoil("%s is a number, not %s", b.word, limit.Short(40))
		}
		if !b.fits(c) {
			return no(n.at, "expected %s %s, found %s", b.says, limit.Text(), v.Text())
		}
	}
	step, has := n.r.Get("multipleOf")
	if !has {
		return nil
	}
	rest, err := value.Mod(comparable(v, step), comparable(step, v))
	if err != nil {
		return n.spoil("multipleOf is a number above 0, not %s", step.Short(40))
	}
	if !value.Equal(rest, value.Int(0)) {
		return no(n.at, "expected a multiple of %s, found %s", step.Text(), v.Text())
	}
	return nil
}

// comparable makes a Float of v if it meets one: a Decimal and a Float have no
// order of their own.
func comparable(v, other value.Value) value.Value {
	if other.Kind() == value.KindFloat && v.Kind() == value.KindDecimal {
		if f, err := value.ToFloat(v); err == nil {
			return f
		}
	}
	return v
}

// count holds a number of parts against its bounds.
func (n *node) count(have int, least, most, what string) *mismatch {
	for _, word := range [...]string{least, most} {
		limit, has := n.r.Get(word)
		if !has {
			continue
		}
		i, isInt := limit.AsInt()
		switch {
		case !isInt:
			return n.spoil("%s is an Int, not %s", word, limit.Short(40))
		case word == least && int64(have) < i:
			return no(n.at, "expected at least %d %s, found %d", i, what, have)
		case word == most && int64(have) > i:
			return no(n.at, "expected at most %d %s, found %d", i, what, have)
		}
	}
	return nil
}

func (n *node) pattern(s string) *mismatch {
	p, has := n.r.Get("pattern")
	if !has {
		return nil
	}
	text, isText := p.AsString()
	if !isText || len(text) > maxPattern {
		return n.spoil("pattern is a text of at most %d bytes", maxPattern)
	}
	if len(s) > maxText {
		return no(n.at, "a text of more than %d bytes is not held against a pattern", maxText)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return n.spoil("pattern cannot be read: %v", err)
	}
	n.left -= (len(s)*len(text))/1000 + 100
	if !re.MatchString(s) {
		return no(n.at, "expected a text like %s, found %s", text, value.String(s).Short(60))
	}
	return nil
}

// unique holds a list against uniqueItems.
func (n *node) unique(xs []value.Value) *mismatch {
	wanted, _ := n.r.Get("uniqueItems")
	if b, isBool := wanted.AsBool(); !isBool || !b {
		return nil
	}
	var seen value.Index
	for i, x := range xs {
		n.left--
		at, isNew := seen.Add(x)
		if !isNew {
			return no(&place{n.at, "", i}, "this is the same as element %d", at)
		}
	}
	return nil
}
