package say

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
)

// UnknownCharacter is about a character that has no meaning in a script.
func UnknownCharacter(sp source.Span, text string) diag.Diagnostic {
	d := at("WF1001", sp, "the character `%s` has no meaning here", text)
	switch text {
	case "'":
		return help(d, "strings are written with double quotes: \"…\"")
	case "“", "”", "„", "«", "»":
		return replace(help(d, "strings are written with straight quotes: \"…\""), sp, `"`)
	case "–", "—", "−":
		return replace(help(d, "for minus write `-`"), sp, "-")
	case "`":
		return help(d, "strings of several lines are written \"\"\"…\"\"\"")
	case "×":
		return replace(help(d, "for times write `*`"), sp, "*")
	case "^":
		return help(d, "powers are written `Math.pow(x, y)`")
	case "~", "@", "\\", "$":
		return help(d, "remove it")
	}
	return d
}

// ControlCharacter is about an invisible character.
func ControlCharacter(sp source.Span, r rune) diag.Diagnostic {
	return help(at("WF1002", sp, "the invisible control character U+%04X stands here", r),
		"remove it; in a string write it as an escape: \"\\u%04X\"", r)
}

// NotUTF8 is about bytes that are no text.
func NotUTF8(sp source.Span, b byte) diag.Diagnostic {
	return help(at("WF1003", sp, "the byte 0x%02X is no UTF-8 text", b), "save the file in the encoding UTF-8")
}

// BidiCharacter is about characters that make text look other than it is.
func BidiCharacter(sp source.Span, r rune) diag.Diagnostic {
	return help(at("WF1004", sp, "the character U+%04X changes the direction in which the text is shown", r),
		"remove it; in a string write it as an escape: \"\\u%04X\"", r)
}

// BadNumber is about digits that make no number.
func BadNumber(sp source.Span, text, why string) diag.Diagnostic {
	d := help(at("WF1005", sp, "`%s` is no number", short(text)), "%s", why)
	if plain := strings.TrimLeft(text, "0_"); plain != "" && plain[0] >= '1' && plain[0] <= '9' && !strings.Contains(plain, "_") {
		d = replace(d, sp, plain)
	}
	return d
}

// BadUnit is about digits with letters behind them that are no duration.
func BadUnit(sp source.Span, text, unit, why string) diag.Diagnostic {
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789_"))]
	if ours := UnitFor(strings.ToLower(unit)); ours != "" && digits+unit == text {
		d := help(at("WF1006", sp, "`%s` is no duration: unknown unit `%s`", short(text), short(unit)), "write `%s%s`", digits, ours)
		return replace(d, sp, digits+ours)
	}
	if unit == "" {
		return help(at("WF1006", sp, "`%s` is no duration", short(text)), "%s, as in `1h30m`", why)
	}
	return help(at("WF1006", sp, "`%s` is no duration: unknown unit `%s`", short(text), short(unit)), "%s, as in `1h30m`", why)
}

// UnitFor is our unit of a duration for what others write, "" if there is none.
func UnitFor(unit string) string {
	switch strings.TrimSuffix(unit, "s") {
	case "sec", "second", "":
		return "s"
	case "min", "minute":
		return "m"
	case "hr", "hour", "h":
		return "h"
	case "day", "d":
		return "d"
	case "msec", "milli", "millisecond", "m":
		return "ms"
	case "usec", "micro", "microsecond":
		return "us"
	case "nsec", "nano", "nanosecond":
		return "ns"
	}
	return ""
}

// FractionOfUnit is about `1.5h`.
func FractionOfUnit(sp source.Span, text string) diag.Diagnostic {
	return help(at("WF1007", sp, "`%s` is no duration: it has a fraction", short(text)),
		"write whole numbers of smaller units, as `1h30m` for one and a half hours")
}

// NumberTooLarge is about a number that does not fit its type.
func NumberTooLarge(sp source.Span, text, kind string) diag.Diagnostic {
	return help(at("WF1008", sp, "`%s` does not fit into %s", short(text), kind),
		"an Int has 64 bits (up to 9223372036854775807), a duration is at most 292 years; a number with a point, as in `1.0`, is a Decimal of any size")
}

// BadEscape is about `\q`.
func BadEscape(sp source.Span, text string) diag.Diagnostic {
	return help(at("WF1009", sp, "unknown escape `%s` in a string", short(text)),
		`the escapes are \n \t \r \b \f \0 \\ \" \/ \$ \uXXXX \u{X…}; for a backslash write \\`)
}

// UnclosedString is about a `"` without its partner on the line.
func UnclosedString(sp source.Span) diag.Diagnostic {
	return help(at("WF1010", sp, "this string is not closed on its line"),
		"add the closing `\"`; a string of several lines is written \"\"\"…\"\"\"")
}

// UnclosedRaw is about `"""` without its partner.
func UnclosedRaw(sp source.Span) diag.Diagnostic {
	return help(at("WF1011", sp, "this \"\"\" string is not closed"), "add the closing \"\"\"")
}

// UnclosedInterp is about `${` without its `}` in a raw string.
func UnclosedInterp(sp source.Span) diag.Diagnostic {
	return help(at("WF1018", sp, "this `${` is not closed"), "add the closing `}`; for the two characters themselves write \\${")
}

// UnclosedComment is about `/*` without its partner.
func UnclosedComment(sp source.Span) diag.Diagnostic {
	return help(at("WF1012", sp, "this comment is not closed"), "add `*/`; comments do not nest")
}

// StringsTooDeep is about strings in interpolations of strings without end.
func StringsTooDeep(sp source.Span) diag.Diagnostic {
	return help(at("WF1013", sp, "strings inside interpolations are nested too deep"), "give the inner parts names with `let`")
}

// FileTooLarge is about a file beyond the limit.
func FileTooLarge(sp source.Span, size, limit int) diag.Diagnostic {
	return help(at("WF1014", sp, "the file has %d bytes; at most %d are read", size, limit),
		"split it with `import`, or keep large data outside the script")
}

// NameTooLong is about a name beyond the limit.
func NameTooLong(sp source.Span, size, limit int) diag.Diagnostic {
	return help(at("WF1019", sp, "this name has %d bytes; a name has at most %d", size, limit), "give it a shorter one; long texts are strings")
}

// ForeignComment is about `# …`.
func ForeignComment(sp source.Span) diag.Diagnostic {
	return replace(help(at("WF1015", sp, "`#` begins no comment here"), "comments begin with `//`"), sp, "//")
}

// ForeignAnd is about `&` and `&&&`.
func ForeignAnd(sp source.Span) diag.Diagnostic {
	return replace(help(at("WF1016", sp, "there is no such operator"), "for \"and\" write `&&`"), sp, "&&")
}

// OtherQuotes is about 'text' and “text”.
func OtherQuotes(sp source.Span, text string) diag.Diagnostic {
	d := help(at("WF1017", sp, "strings are written with straight double quotes"), "write \"%s\"", short(text))
	if utf8.ValidString(text) && !strings.ContainsAny(text, "\"\\$") {
		d = replace(d, sp, fmt.Sprintf("\"%s\"", text))
	}
	return d
}

// SpacedUnit is about `10 seconds` and `3 times`; unit is ours, "" if none is needed.
func SpacedUnit(sp source.Span, number, word, unit string) diag.Diagnostic {
	if unit == "" {
		return replace(help(at("WF1020", sp, "a number stands without `%s`", word), "write `%s`", short(number)), sp, "")
	}
	return replace(help(at("WF1020", sp, "a duration is written as one word, not `%s %s`", short(number), short(word)), "write `%s%s`", short(number), unit), sp, number+unit)
}
