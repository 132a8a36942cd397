package stdlib

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// textChange are the functions that make another text of a text.
func textChange() []*program.Builtin {
	return []*program.Builtin{
		pure("String.upper(text: String) -> String", onText(strings.ToUpper), "Turns all letters to upper case.", `String.upper("Abc") == "ABC"`),
		pure("String.lower(text: String) -> String", onText(strings.ToLower), "Turns all letters to lower case.", `String.lower("Abc") == "abc"`),
		pure("String.capitalize(text: String) -> String", onText(capitalize), "Turns the first letter to upper case.", `String.capitalize("order sent") == "Order sent"`),
		pure("String.title(text: String) -> String", onText(title), "Turns the first letter of every word to upper case.", `String.title("order sent") == "Order Sent"`),
		pure("String.trim(text: String) -> String", onText(strings.TrimSpace), "Takes blanks and line breaks away from both ends.", `String.trim("  a b ") == "a b"`),
		pure("String.trim_start(text: String) -> String", onText(func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }),
			"Takes blanks and line breaks away from the beginning.", `String.trim_start("  a ") == "a "`),
		pure("String.trim_end(text: String) -> String", onText(func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }),
			"Takes blanks and line breaks away from the end.", `String.trim_end("  a ") == "  a"`),
		pure("String.remove_prefix(text: String, prefix: String) -> String", func(c call) (value.Value, error) {
			return value.String(strings.TrimPrefix(c.text(0), c.text(1))), nil
		}, "Takes a beginning away, if the text has it.", `String.remove_prefix("v1.2", "v") == "1.2"`),
		pure("String.remove_suffix(text: String, suffix: String) -> String", func(c call) (value.Value, error) {
			return value.String(strings.TrimSuffix(c.text(0), c.text(1))), nil
		}, "Takes an end away, if the text has it.", `String.remove_suffix("a.json", ".json") == "a"`),
		pure("String.replace(text: String, part: String, with: String; first?: Bool) -> String", textReplace,
			"Puts something else in the place of every occurrence of a part; with `first: true`, of the first only.",
			`String.replace("a-b-c", "-", "+") == "a+b+c"`, `String.replace("a-b-c", "-", "", first: true) == "ab-c"`),
		pure("String.reverse(text: String) -> String", textReverse, "Turns the characters around.", `String.reverse("añb") == "bña"`),
		pure("String.pad_left(text: Any, width: Int, fill?: String) -> String", textPad(true),
			"Puts blanks, or another character, before the text of a value until it has a width.", `String.pad_left(7, 3, "0") == "007"`),
		pure("String.pad_right(text: Any, width: Int, fill?: String) -> String", textPad(false),
			"Puts blanks, or another character, behind the text of a value until it has a width.", `String.pad_right("ab", 4) == "ab  "`),
		pure("String.truncate(text: String, length: Int, ellipsis?: String) -> String", textTruncate,
			"Cuts a text to a number of characters; one that was cut ends in …, or another ellipsis, which counts.",
			`String.truncate("workflow", 5) == "work…"`, `String.truncate("short", 5) == "short"`),
	}
}

// onText makes a function of one text to another.
func onText(f func(string) string) impl {
	return func(c call) (value.Value, error) {
		if err := c.Hold(len(c.text(0))); err != nil {
			return value.Nil, err
		}
		return value.String(f(c.text(0))), nil
	}
}

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToTitle(r)) + s[n:]
}

func title(s string) string {
	inside := false
	return strings.Map(func(r rune) rune {
		first := !inside
		inside = unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’'
		if first {
			return unicode.ToTitle(r)
		}
		return r
	}, s)
}

func textReplace(c call) (value.Value, error) {
	s, part, with := c.text(0), c.text(1), c.text(2)
	if part == "" {
		return value.Nil, c.fault(value.CodeRange, "the empty text occurs everywhere")
	}
	n := strings.Count(s, part)
	if c.flag(3) {
		n = min(n, 1)
	}
	if err := c.Hold(len(s) + n*(len(with)-len(part))); err != nil {
		return value.Nil, err
	}
	return value.String(strings.Replace(s, part, with, n)), nil
}

func textReverse(c call) (value.Value, error) {
	s := c.text(0)
	if err := c.Hold(len(s)); err != nil {
		return value.Nil, err
	}
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		out = append(out, s[len(s)-n:]...)
		s = s[:len(s)-n]
	}
	return value.String(string(out)), nil
}

func textPad(left bool) impl {
	return func(c call) (value.Value, error) {
		fill := c.textOr(2, " ")
		if utf8.RuneCountInString(fill) != 1 {
			return value.Nil, c.fault(value.CodeRange, "the fill is one character, and it is %s", c.args[2].Short(40))
		}
		s := c.args[0].Text()
		width, err := c.size(1, "the width")
		if err != nil {
			return value.Nil, err
		}
		missing := width - utf8.RuneCountInString(s)
		if missing <= 0 {
			return value.String(s), nil
		}
		if err := c.Hold(len(s) + missing*len(fill)); err != nil {
			return value.Nil, err
		}
		padding := strings.Repeat(fill, missing)
		if left {
			return value.String(padding + s), nil
		}
		return value.String(s + padding), nil
	}
}

func textTruncate(c call) (value.Value, error) {
	s, ellipsis := c.text(0), c.textOr(2, "…")
	n, err := c.size(1, "the length")
	if err != nil {
		return value.Nil, err
	}
	cut := offset(s, n)
	if cut == len(s) {
		return value.String(s), nil
	}
	room := n - utf8.RuneCountInString(ellipsis)
	if room < 0 {
		return value.String(s[:cut]), nil
	}
	return value.String(s[:offset(s, room)] + ellipsis), nil
}
