package stdlib

import (
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// textShow are the functions that show values to people.
func textShow() []*program.Builtin {
	return []*program.Builtin{
		pure("String.format_number(x: Any; places?: Int, thousands?: String, point?: String) -> String", func(c call) (value.Value, error) {
			x, err := c.number(0)
			if err != nil {
				return value.Nil, err
			}
			if x, err = value.ToDecimal(x); err != nil {
				return value.Nil, err
			}
			return c.shown(x, 1)
		}, "Writes a number for people: rounded to places (halves away from zero) if these are given, with a separator of thousands (`,`) and a point of one's choice.",
			`String.format_number(1234567.891, places: 2) == "1,234,567.89"`, `String.format_number(1234.5, places: 2, thousands: ".", point: ",") == "1.234,50"`),
		pure("String.format_bytes(bytes: Int) -> String", formatBytes,
			"Writes a number of bytes in the largest fitting unit of 1,024.", `String.format_bytes(1536) == "1.5 KiB"`, `String.format_bytes(900) == "900 B"`),
		pure("String.plural(count: Int, one: String, many?: String) -> String", textPlural,
			"Writes a count with its noun; the plural is the noun with an s if it is not given.", `String.plural(1, "item") == "1 item"`, `String.plural(3, "entry", "entries") == "3 entries"`),
	}
}

// shown writes a Decimal with the named arguments places, thousands and point,
// which begin at from.
func (c call) shown(x value.Value, from int) (value.Value, error) {
	if c.given(from) {
		var err error
		if c.int(from) < 0 {
			return value.Nil, c.fault(value.CodeRange, "places may not be negative, and it is %d", c.int(from))
		}
		if x, err = value.RoundDecimal(x, c.int(from), "half_up"); err != nil {
			return value.Nil, err
		}
	}
	thousands, point := c.textOr(from+1, ","), c.textOr(from+2, ".")
	if len(thousands) > 16 || len(point) > 16 {
		return value.Nil, c.fault(value.CodeRange, "a separator is a few characters at most")
	}
	return value.String(grouped(x.Text(), thousands, point)), nil
}

// grouped puts separators into a number's text.
func grouped(s, thousands, point string) string {
	s, negative := strings.CutPrefix(s, "-")
	whole, fraction, dotted := strings.Cut(s, ".")
	var sb strings.Builder
	if negative {
		sb.WriteByte('-')
	}
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			sb.WriteString(thousands)
		}
		sb.WriteByte(whole[i])
	}
	if dotted {
		sb.WriteString(point + fraction)
	}
	return sb.String()
}

func formatBytes(c call) (value.Value, error) {
	n := c.int(0)
	unit, names := int64(1), []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	at := 0
	for at+1 < len(names) && (n >= unit*1024 || n <= -unit*1024) {
		unit *= 1024
		at++
	}
	if at == 0 {
		return value.String(value.Int(n).Text() + " B"), nil
	}
	q, err := value.Div(mustDecimal(value.Int(n)), value.Int(unit))
	if err == nil {
		q, err = value.RoundDecimal(q, 1, "half_up")
	}
	return value.String(q.Text() + " " + names[at]), err
}

func textPlural(c call) (value.Value, error) {
	noun := c.text(1)
	if c.int(0) != 1 {
		noun = c.textOr(2, noun+"s")
	}
	return value.String(value.Int(c.int(0)).Text() + " " + noun), nil
}
