package secret

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"

	"github.com/wf-lang/wf/lang/value"
)

// patterns are the texts to be taken out, with what is put in their place.
type patterns struct {
	of       map[string]string // by pattern
	replacer *strings.Replacer // made of them when it is needed; nil: not made
}

// minLine is how long a line of a secret of several lines is at least to be
// taken out by itself, and a piece of Base64 too.
const minLine = 12

func (p *patterns) add(name, text string) {
	if len(text) < minLength {
		return
	}
	put := "[secret " + name + "]"
	for _, form := range forms(text) {
		if _, known := p.of[form]; !known && len(form) >= minLength {
			p.of[form] = put
			p.replacer = nil
		}
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != text && len(line) >= minLine {
			p.add(name, line)
		}
	}
}

// forms are a text in the ways that it is commonly written into others.
func forms(text string) []string {
	out := []string{text, html.EscapeString(text), hex.EncodeToString([]byte(text)), strings.ToUpper(hex.EncodeToString([]byte(text)))}
	for _, escaped := range []string{url.QueryEscape(text), url.PathEscape(text)} {
		out = append(out, escaped, lowerEscapes(escaped))
	}
	for _, escapeHTML := range []bool{false, true} {
		once := inJSON(text, escapeHTML) // and in JSON in JSON
		out = append(out, once, strings.ReplaceAll(once, "/", `\/`), inJSON(once, false), inJSON(once, true))
	}
	return append(out, inBase64(text)...)
}

// lowerEscapes writes %2F as %2f.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(s[i+1:i+3]))
		}
	}
	return string(b)
}

// inJSON is a text as it stands between the quotes of JSON.
func inJSON(text string, escapeHTML bool) string {
	var sb strings.Builder
	e := json.NewEncoder(&sb)
	e.SetEscapeHTML(escapeHTML)
	if err := e.Encode(text); err != nil {
		return text
	}
	s := strings.TrimSuffix(sb.String(), "\n")
	return s[1 : len(s)-1]
}

// inBase64 is what a text looks like in the Base64 of a longer one, wherever it
// begins there, and in its own.
func inBase64(text string) []string {
	var out []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		out = append(out, enc.EncodeToString([]byte(text)))
		for before := range 3 {
			all := enc.EncodeToString(append(make([]byte, before), text...))
			from := (before*8 + 5) / 6         // the first character that knows nothing of what is before
			to := (before + len(text)) * 8 / 6 // the last ones depend on what follows
			if piece := all[from:to]; len(piece) >= minLine {
				out = append(out, piece)
			}
		}
	}
	return out
}

// make gives the replacer: of two patterns at one place the longer one counts.
func (p *patterns) make() *strings.Replacer {
	if p.replacer != nil {
		return p.replacer
	}
	var all []string
	for pattern := range p.of {
		all = append(all, pattern)
	}
	slices.SortFunc(all, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	pairs := make([]string, 0, 2*len(all))
	for _, pattern := range all {
		pairs = append(pairs, pattern, p.of[pattern])
	}
	p.replacer = strings.NewReplacer(pairs...)
	return p.replacer
}

// Redact takes every secret out of a text, in all common encodings.
func (k *Keeper) Redact(text string) string {
	k.mu.Lock()
	if len(k.shown.of) == 0 {
		k.mu.Unlock()
		return text
	}
	r := k.shown.make()
	k.mu.Unlock()
	return r.Replace(text)
}

// RedactValue takes every secret out of a value: out of texts, the names of
// fields, and numbers. What has none in it stays as it is.
func (k *Keeper) RedactValue(v value.Value) value.Value {
	k.mu.Lock()
	none := len(k.shown.of) == 0
	k.mu.Unlock()
	if none {
		return v
	}
	return k.redacted(v)
}

func (k *Keeper) redacted(v value.Value) value.Value {
	if s, ok := v.AsString(); ok {
		if r := k.Redact(s); r != s {
			return value.String(r)
		}
		return v
	}
	switch v.Kind() {
	case value.KindInt, value.KindDecimal, value.KindFloat:
		s := v.Text()
		if r := k.Redact(s); r != s {
			return value.String(r)
		}
	case value.KindList:
		vs, _ := v.AsList()
		return value.List(k.all(vs)...)
	case value.KindTuple:
		vs, _ := v.AsTuple()
		return value.Tuple(k.all(vs)...)
	case value.KindVariant:
		x, _ := v.AsVariant()
		return value.NewVariant(&value.Variant{Name: k.Redact(x.Name), Names: x.Names, Fields: k.all(x.Fields)})
	case value.KindRecord:
		r, _ := v.AsRecord()
		keys, vals := make([]string, r.Len()), make([]value.Value, r.Len())
		for i := range keys {
			key, x := r.At(i)
			keys[i], vals[i] = k.Redact(key), k.redacted(x)
		}
		return value.NewRecord(keys, vals)
	}
	return v
}

func (k *Keeper) all(vs []value.Value) []value.Value {
	out := make([]value.Value, len(vs))
	for i := range vs {
		out[i] = k.redacted(vs[i])
	}
	return out
}
