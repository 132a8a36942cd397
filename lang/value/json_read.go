package value

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// FromJSON reads one JSON value: a number without fraction and exponent is an
// Int, any other a Decimal. Refused, with code format, are what is not JSON, a
// field twice, text that is not UTF-8, half of a surrogate pair, anything after
// the value; with overflow an Int beyond 64 bits; with depth what nests deeper
// than MaxDepth.
func FromJSON(b []byte) (Value, error) { return FromJSONWithin(b, math.MaxInt) }

// FromJSONWithin is FromJSON of a text that stands for at most so many bytes of
// memory; one that stands for more is an error of code size, found before there
// is memory for it. A short text can stand for much: `[[],[],[]]` is four lists.
func FromJSONWithin(b []byte, room int) (Value, error) {
	p := jsonReader{in: b, room: room}
	if !utf8.Valid(b) {
		return Nil, errorf(CodeFormat, "invalid JSON: it is not UTF-8")
	}
	p.space()
	v := p.value(0)
	p.space()
	if p.err == nil && p.at < len(p.in) {
		p.fail("something follows the value")
	}
	if p.err != nil {
		return Nil, p.err
	}
	return v, nil
}

type jsonReader struct {
	in   []byte
	at   int
	room int // bytes that the value may still take
	err  error
}

// grow accounts for n bytes.
func (p *jsonReader) grow(n int) {
	if p.room -= n; p.room < 0 && p.err == nil {
		p.err = errorf(CodeSize, "the JSON text stands for too large a value")
	}
}

func (p *jsonReader) fail(what string) {
	if p.err == nil {
		p.err = errorf(CodeFormat, "invalid JSON at byte %d: %s", p.at, what)
	}
}

func (p *jsonReader) space() {
	for p.at < len(p.in) {
		switch p.in[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek is the next byte, 0 at the end.
func (p *jsonReader) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

// take consumes c, after blanks, if it is next.
func (p *jsonReader) take(c byte) bool {
	p.space()
	if p.at < len(p.in) && p.in[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *jsonReader) value(depth int) Value {
	if p.grow(wordsOfValue); p.err != nil {
		return Nil
	}
	switch c := p.peek(); {
	case c == '{' || c == '[':
		if depth >= MaxDepth {
			p.err = tooDeep()
			return Nil
		}
		p.at++
		p.grow(recordOverhead)
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case c == '"':
		return String(p.text())
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, w := range [...]struct {
		word string
		v    Value
	}{{"null", Nil}, {"true", Bool(true)}, {"false", Bool(false)}} {
		if bytes.HasPrefix(p.in[p.at:], []byte(w.word)) {
			p.at += len(w.word)
			return w.v
		}
	}
	p.fail("a value was expected")
	return Nil
}

func (p *jsonReader) array(depth int) Value {
	var vs []Value
	if p.take(']') {
		return List()
	}
	for p.err == nil {
		p.space()
		vs = append(vs, p.value(depth))
		if p.take(']') {
			return List(vs...)
		}
		if p.err == nil && !p.take(',') {
			p.fail("a , or ] was expected")
		}
	}
	return Nil
}

func (p *jsonReader) object(depth int) Value {
	var keys []string
	var vals []Value
	if p.take('}') {
		return NewRecord(nil, nil)
	}
	for p.err == nil {
		if p.space(); p.peek() != '"' {
			p.fail("the name of a field was expected")
			break
		}
		keys = append(keys, p.text())
		if !p.take(':') {
			p.fail("a : was expected")
			break
		}
		p.space()
		vals = append(vals, p.value(depth))
		if p.err == nil && p.take('}') {
			return p.distinct(keys, vals)
		}
		if p.err == nil && !p.take(',') {
			p.fail("a , or } was expected")
		}
	}
	return Nil
}

func (p *jsonReader) distinct(keys []string, vals []Value) Value {
	v := NewRecord(keys, vals)
	if r, _ := v.AsRecord(); r.Len() == len(keys) {
		return v
	}
	seen := make(map[string]bool, len(keys))
	for _, k := range keys {
		if seen[k] {
			p.fail("the field " + String(k).Short(40) + " stands there twice")
			break
		}
		seen[k] = true
	}
	return Nil
}

// number reads -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?.
func (p *jsonReader) number() Value {
	start, whole := p.at, true
	for p.at < len(p.in) {
		c := p.in[p.at]
		if c == '.' || c == 'e' || c == 'E' {
			whole = false
		} else if (c < '0' || c > '9') && c != '-' && c != '+' {
			break
		}
		p.at++
	}
	s := string(p.in[start:p.at])
	digits := s
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if !isNumber(s) || len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		p.at = start
		p.fail("this is no number")
		return Nil
	}
	var v Value
	var err error
	if whole {
		var i int64
		if i, err = strconv.ParseInt(s, 10, 64); err != nil {
			err = errorf(CodeOverflow, "the number %s does not fit an Int (%d to %d)", shortText(s), math.MinInt64, math.MaxInt64)
		}
		v = Int(i)
	} else {
		v, err = parseDecimal(s)
	}
	if err != nil && p.err == nil {
		p.err = err
	}
	return v
}

func shortText(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// text reads a string, its opening quote included.
func (p *jsonReader) text() string {
	p.at++
	start := p.at
	for p.at < len(p.in) {
		switch c := p.in[p.at]; {
		case c == '"':
			p.at++
			p.grow(p.at - start)
			return string(p.in[start : p.at-1])
		case c == '\\':
			return p.escaped(append([]byte(nil), p.in[start:p.at]...))
		case c < ' ':
			p.fail("a control character in a string")
			return ""
		}
		p.at++
	}
	p.fail("a string without end")
	return ""
}

// escaped reads on from the first backslash of a string.
func (p *jsonReader) escaped(out []byte) string {
	for p.at < len(p.in) && p.err == nil {
		c := p.in[p.at]
		p.at++
		switch {
		case c == '"':
			p.grow(len(out))
			return string(out)
		case c < ' ':
			p.fail("a control character in a string")
		case c == '\\':
			out = utf8.AppendRune(out, p.escape())
		default:
			out = append(out, c)
		}
	}
	p.fail("a string without end")
	return ""
}

// escape reads what follows a backslash.
func (p *jsonReader) escape() rune {
	c := p.peek()
	p.at++
	switch c {
	case '"', '\\', '/':
		return rune(c)
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'u':
		r := p.hex()
		if !utf16.IsSurrogate(r) {
			return r
		}
		if bytes.HasPrefix(p.in[min(p.at, len(p.in)):], []byte(`\u`)) {
			p.at += 2
			if r = utf16.DecodeRune(r, p.hex()); r != utf8.RuneError {
				return r
			}
		}
		p.fail("half of a surrogate pair")
		return 0
	}
	p.fail("an unknown escape in a string")
	return 0
}

func (p *jsonReader) hex() rune {
	if p.at+4 > len(p.in) {
		p.fail("a string without end")
		return 0
	}
	u, err := strconv.ParseUint(string(p.in[p.at:p.at+4]), 16, 16)
	if err != nil {
		p.fail(`four hexadecimal digits were expected after \u`)
	}
	p.at += 4
	return rune(u)
}
