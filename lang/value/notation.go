package value

import (
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
)

// String is v as source would be written: it reads back as an equal value of
// the same kind, but for closures, secrets (of which it shows the names) and for
// handles and variants that the program does not know.
func (v Value) String() string {
	p := printer{}
	p.value(v)
	return string(p.out)
}

// Text is v as it appears in interpolation and output: a String without
// quotes, a Time and a Decimal as the text that their conversions read,
// everything else, and what is inside of containers, in notation.
func (v Value) Text() string { return string(v.AppendText(nil)) }

// AppendText appends v.Text() to dst.
func (v Value) AppendText(dst []byte) []byte {
	p := printer{out: dst}
	switch r := v.ref.(type) {
	case string:
		return append(dst, r...)
	case *apd.Decimal:
		return r.Append(dst, 'f')
	case timeTag:
		return appendTime(dst, int64(v.num))
	}
	p.value(v)
	return p.out
}

// Short is v's notation in at most n characters; a longer one has an ellipsis
// in its middle (or, of a very large value, at its end).
func (v Value) Short(n int) string {
	n = max(n, 1)
	p := printer{}
	if v.Size() > 1<<16 {
		p.limit = n*utf8.UTFMax + 1
	}
	p.value(v)
	runes := []rune(string(p.out))
	if len(runes) <= n && p.limit == 0 {
		return string(runes)
	}
	head, tail := (n-1+1)/2, (n-1)/2
	if p.limit > 0 {
		head, tail = min(n-1, len(runes)), 0
	}
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}

// A printer writes notation; with a limit it stops soon after so many bytes.
type printer struct {
	out   []byte
	limit int
}

func (p *printer) full() bool { return p.limit > 0 && len(p.out) > p.limit }

func (p *printer) text(s string) { p.out = append(p.out, s...) }

func (p *printer) value(v Value) {
	switch r := v.ref.(type) {
	case nil:
		p.text("nil")
	case boolTag:
		p.out = strconv.AppendBool(p.out, v.num != 0)
	case intTag:
		p.out = strconv.AppendInt(p.out, int64(v.num), 10)
	case floatTag:
		p.float(widenFloat(v))
	case durationTag:
		p.out = appendDuration(p.out, int64(v.num))
	case timeTag:
		p.text(`Time("`)
		p.out = appendTime(p.out, int64(v.num))
		p.text(`")`)
	case string:
		p.quoted(r)
	case *apd.Decimal:
		p.decimal(r)
	case list:
		p.elems("[", r, "]")
	case tuple:
		p.elems("(", r, ")")
	case *Record:
		p.record(r)
	case *Variant:
		p.variant(r)
	case *Func:
		p.function(r)
	case *Handle:
		p.text(r.Type + "(")
		p.quoted(r.ID)
		p.text(")")
	case *Secret:
		p.secret(r.Parts)
	}
}

// decimal writes a number with a point; one without a fraction would read as
// an Int.
func (p *printer) decimal(d *apd.Decimal) {
	if d.Exponent < 0 {
		p.out = d.Append(p.out, 'f')
		return
	}
	p.text("Decimal(")
	if d.NumDigits()+int64(d.Exponent) > 18 {
		p.out = append(d.Append(append(p.out, '"'), 'f'), '"')
	} else {
		p.out = d.Append(p.out, 'f')
	}
	p.text(")")
}

// float writes a number with an exponent: that is what makes it a Float.
func (p *printer) float(f float64) {
	s := strconv.FormatFloat(f, 'e', -1, 64)
	for i := range len(s) {
		if s[i] != 'e' {
			continue
		}
		exp, _ := strconv.Atoi(s[i+1:])
		p.text(s[:i+1])
		p.out = strconv.AppendInt(p.out, int64(exp), 10)
		return
	}
	p.text(s)
}

func appendTime(dst []byte, nanos int64) []byte {
	return time.Unix(0, nanos).UTC().AppendFormat(dst, time.RFC3339Nano)
}

func (p *printer) elems(open string, vs []Value, closing string) {
	p.text(open)
	for i := range vs {
		if i > 0 {
			p.text(", ")
		}
		if p.full() {
			return
		}
		p.value(vs[i])
	}
	p.text(closing)
}

func (p *printer) record(r *Record) {
	if len(r.shape.keys) == 0 {
		p.text("{}")
		return
	}
	for i, k := range r.shape.keys {
		if p.full() {
			return
		}
		if i == 0 {
			p.text("{ ")
		} else {
			p.text(", ")
		}
		if IsWord(k) {
			p.text(k)
		} else {
			p.quoted(k)
		}
		p.text(": ")
		p.value(r.vals[i])
	}
	p.text(" }")
}

func (p *printer) variant(x *Variant) {
	p.text(x.Name)
	for i := range x.Fields {
		if p.full() {
			return
		}
		if i == 0 {
			p.text("(")
		} else {
			p.text(", ")
		}
		if i < len(x.Names) && x.Names[i] != "" {
			p.text(x.Names[i] + ": ")
		}
		p.value(x.Fields[i])
	}
	if len(x.Fields) > 0 {
		p.text(")")
	}
}

func (p *printer) function(f *Func) {
	if f.Name == "" {
		p.text("fn(…)")
		return
	}
	p.text("fn " + f.Name)
}

// IsWord reports whether s can stand as a name of the language.
func IsWord(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// quoted writes a string literal.
func (p *printer) quoted(s string) {
	p.out = append(p.out, '"')
	for i, r := range s {
		switch r {
		case '"':
			p.text(`\"`)
		case '\\':
			p.text(`\\`)
		case '\n':
			p.text(`\n`)
		case '\t':
			p.text(`\t`)
		case '\r':
			p.text(`\r`)
		case '$':
			if i+1 < len(s) && s[i+1] == '{' {
				p.text(`\`)
			}
			p.text(`$`)
		default:
			p.char(r)
		}
		if p.full() {
			return
		}
	}
	p.out = append(p.out, '"')
}

// char writes a character, by its number if it cannot be seen.
func (p *printer) char(r rune) {
	if r == ' ' || unicode.IsGraphic(r) && !unicode.In(r, unicode.Zs) || unicode.Is(unicode.Mn, r) {
		p.out = utf8.AppendRune(p.out, r)
		return
	}
	p.text(`\u{`)
	p.out = strconv.AppendInt(p.out, int64(r), 16)
	p.text(`}`)
}
