package stdlib

import (
	"strconv"
	"strings"
	"time"

	"github.com/wf-lang/wf/lang/value"
)

// timeToken is a piece of a format: a field of a time, or a text.
type timeToken struct {
	field string
	text  string
}

// maxFormat is how long a format may be, in bytes.
const maxFormat = 1_000

// format reads the format at an argument.
func (c call) format(i int) ([]timeToken, error) {
	s := c.text(i)
	if len(s) > maxFormat {
		return nil, c.fault(value.CodeRange, "a format has at most %d bytes", maxFormat)
	}
	var out []timeToken
	for s != "" {
		n := 1
		switch ch := s[0]; {
		case ch == '\'':
			end := strings.IndexByte(s[1:], '\'')
			if end < 0 {
				return nil, c.fault(value.CodeFormat, "a ' in the format has no second one: %s", c.args[i].Short(60))
			}
			text := s[1 : end+1]
			if text == "" {
				text = "'"
			}
			out, s = append(out, timeToken{text: text}), s[end+2:]
			continue
		case ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z':
			for n < len(s) && s[n] == ch {
				n++
			}
			if !timeField(s[:n]) {
				return nil, c.fault(value.CodeFormat, "a format has no %s; it has yyyy MM dd HH mm ss and others (`wf doc Time.format`), and letters in '…'", s[:n])
			}
			out = append(out, timeToken{field: s[:n]})
		default:
			for n < len(s) && s[n] >= 0x80 && ch >= 0x80 { // the bytes of a character stay together
				n++
			}
			out = append(out, timeToken{text: s[:n]})
		}
		s = s[n:]
	}
	return out, nil
}

func timeField(s string) bool {
	switch s {
	case "yyyy", "yy", "MMMM", "MMM", "MM", "M", "dd", "d", "EEEE", "EEE", "HH", "H", "hh", "h", "a", "mm", "m", "ss", "s", "XXX", "z":
		return true
	}
	return len(s) <= 9 && strings.Trim(s, "S") == ""
}

func timeFormat(c call) (value.Value, error) {
	t, err := c.local(0, 2)
	if err != nil {
		return value.Nil, err
	}
	if !c.given(1) {
		return value.String(t.Format(time.RFC3339Nano)), nil
	}
	tokens, err := c.format(1)
	if err != nil {
		return value.Nil, err
	}
	var out []byte
	for _, k := range tokens {
		switch {
		case k.field == "":
			out = append(out, k.text...)
		case k.field[0] == 'S':
			out = append(out, strconv.Itoa(1_000_000_000 + t.Nanosecond())[1:1+len(k.field)]...)
		case k.field == "H":
			out = strconv.AppendInt(out, int64(t.Hour()), 10)
		default:
			out = t.AppendFormat(out, layout(k.field))
		}
	}
	return value.String(string(out)), nil
}

// layout is a field as Go's formats have it.
func layout(field string) string {
	switch field {
	case "yyyy":
		return "2006"
	case "yy":
		return "06"
	case "MMMM":
		return "January"
	case "MMM":
		return "Jan"
	case "MM":
		return "01"
	case "M":
		return "1"
	case "dd":
		return "02"
	case "d":
		return "2"
	case "EEEE":
		return "Monday"
	case "EEE":
		return "Mon"
	case "HH", "H":
		return "15"
	case "hh":
		return "03"
	case "h":
		return "3"
	case "a":
		return "PM"
	case "mm":
		return "04"
	case "m":
		return "4"
	case "ss":
		return "05"
	case "s":
		return "5"
	case "XXX":
		return "Z07:00"
	}
	return "MST"
}

func timeParse(c call) (value.Value, error) {
	l, err := c.zone(2)
	if err != nil {
		return value.Nil, err
	}
	s := c.text(0)
	if c.given(1) {
		tokens, err := c.format(1)
		if err != nil {
			return value.Nil, err
		}
		return c.readTime(s, tokens, l)
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return value.FromTime(t)
	}
	for _, form := range []string{"2006-01-02", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04Z07:00"} {
		if t, err := time.Parse(form, s); err == nil {
			if strings.HasSuffix(form, "Z07:00") {
				return value.FromTime(t)
			}
			return at(t, l)
		}
	}
	return value.Nil, c.fault(value.CodeFormat, "%s is not a time: write it like 2030-01-31T13:05:00Z, or say its format", c.args[0].Short(40))
}

// readTime reads a text by a format. Pieces are read by Go's own formats, each
// in a layout that cannot take the text around it for its own.
func (c call) readTime(s string, tokens []timeToken, l *time.Location) (value.Value, error) {
	var form, text strings.Builder
	offset := false
	for i, k := range tokens {
		if k.field == "" {
			rest, found := strings.CutPrefix(s, k.text)
			if !found {
				return value.Nil, c.unread(s, strconv.Quote(k.text))
			}
			s = rest
			continue
		}
		n := pieceLen(s, k.field, i+1 < len(tokens) && tokens[i+1].field != "")
		if n == 0 {
			return value.Nil, c.unread(s, k.field)
		}
		part := s[:n]
		s = s[n:]
		switch {
		case k.field == "z":
			return value.Nil, c.fault(value.CodeFormat, "short names of zones cannot be read: they are not unique. Name the zone instead")
		case k.field[0] == 'S':
			form.WriteString(" .000000000")
			text.WriteString(" ." + (part + "000000000")[:9])
			continue
		case k.field == "H" || k.field == "HH":
			part = ("0" + part)[len(part)-1:]
		case k.field == "XXX":
			offset = true
		}
		form.WriteString(" " + layout(k.field))
		text.WriteString(" " + part)
	}
	if s != "" {
		return value.Nil, c.unread(s, "the end")
	}
	t, err := time.Parse(form.String(), text.String())
	if err != nil {
		return value.Nil, c.fault(value.CodeFormat, "%s is not a time of the format %s", c.args[0].Short(40), c.args[1].Short(60))
	}
	if offset {
		return value.FromTime(t)
	}
	return at(t, l)
}

func (c call) unread(s, want string) error {
	got := "the end of the text"
	if s != "" {
		got = value.String(s).Short(30)
	}
	return c.fault(value.CodeFormat, "%s is not a time of the format %s: %s was expected, and there is %s", c.args[0].Short(40), c.args[1].Short(60), want, got)
}

// pieceLen is how many bytes of s belong to a field; a number that another
// field follows at once has just the digits of its letters.
func pieceLen(s, field string, tight bool) int {
	within := func(is func(byte) bool, most int) int {
		n := 0
		for n < len(s) && n < most && is(s[n]) {
			n++
		}
		return n
	}
	digit := func(b byte) bool { return b >= '0' && b <= '9' }
	letter := func(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
	switch field {
	case "MMMM", "MMM", "EEEE", "EEE", "z":
		return within(letter, 20)
	case "a":
		return within(letter, 2)
	case "XXX":
		if s != "" && s[0] == 'Z' {
			return 1
		}
		return min(6, len(s))
	}
	most := len(field)
	if len(field) == 1 && field != "S" && !tight {
		most = 2
	}
	return within(digit, most)
}
