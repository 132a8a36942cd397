package stdlib

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// stringModule is the module String.
func stringModule() []*program.Builtin {
	return slices.Concat(textParts(), textChange(), textAsk(), textShow())
}

// textParts are the functions that take texts apart and put them together.
func textParts() []*program.Builtin {
	return []*program.Builtin{
		pure("String.join(list: [A], separator?: String) -> String", listJoin,
			"Joins the texts of a list's elements, with the separator between them.", `String.join(["a", "b"], ", ") == "a, b"`),
		pure("String.split(text: String, separator: String, limit?: Int) -> [String]", textSplit,
			"Splits a text at every separator, with a limit into so many parts at most; with the empty separator, into its characters.",
			`String.split("a,b,,c", ",") == ["a", "b", "", "c"]`, `String.split("key=a=b", "=", 2) == ["key", "a=b"]`),
		pure("String.lines(text: String) -> [String]", textLines,
			"Splits a text at its line breaks; one at the end begins no further line.", `String.lines("a\nb\r\nc\n") == ["a", "b", "c"]`),
		pure("String.words(text: String) -> [String]", func(c call) (value.Value, error) { return c.strings(strings.Fields(c.text(0))) },
			"Splits a text at its blanks and line breaks.", `String.words("  a  b\nc ") == ["a", "b", "c"]`),
		pure("String.to_list(text: String) -> [String]", func(c call) (value.Value, error) { return c.split(c.text(0), "", -1) },
			"Lists the characters of a text.", `String.to_list("añb") == ["a", "ñ", "b"]`),
		pure("String.slice(text: String, from: Int, to?: Int) -> String", textSlice,
			"Gives the characters from an index to before another, or to the end. Indices count characters from 0, negative ones from the end; what lies outside is left out.",
			`String.slice("workflow", 0, 4) == "work"`, `String.slice("workflow", -4) == "flow"`),
		pure("String.before(text: String, separator: String) -> String", func(c call) (value.Value, error) {
			before, _, _ := strings.Cut(c.text(0), c.text(1))
			return value.String(before), nil
		}, "Gives what stands before the first separator; all of the text if there is none.", `String.before("ann@x.org", "@") == "ann"`),
		pure("String.after(text: String, separator: String) -> String", func(c call) (value.Value, error) {
			_, after, _ := strings.Cut(c.text(0), c.text(1))
			return value.String(after), nil
		}, "Gives what stands after the first separator; nothing if there is none.", `String.after("ann@x.org", "@") == "x.org"`),
		pure("String.repeat(text: String, count: Int) -> String", textRepeat,
			"Writes a text several times.", `String.repeat("ab", 3) == "ababab"`),
	}
}

// strings makes a list of texts.
func (c call) strings(parts []string) (value.Value, error) {
	if err := c.Hold(2 * word * len(parts)); err != nil {
		return value.Nil, err
	}
	out := make([]value.Value, len(parts))
	for i, p := range parts {
		out[i] = value.String(p)
	}
	return value.List(out...), nil
}

// split splits a text into at most limit parts, if limit is not negative. The
// parts are counted before there is memory for them.
func (c call) split(s, sep string, limit int) (value.Value, error) {
	n := strings.Count(s, sep) + 1
	if sep == "" {
		n = utf8.RuneCountInString(s)
	}
	if limit >= 0 {
		n = min(n, limit)
	}
	if err := c.Hold(4 * word * n); err != nil {
		return value.Nil, err
	}
	return c.strings(strings.SplitN(s, sep, limit))
}

func textSplit(c call) (value.Value, error) {
	limit := int64(-1)
	if c.given(2) {
		if limit = c.int(2); limit < 1 {
			return value.Nil, c.fault(value.CodeRange, "the limit must be at least 1, and it is %d", limit)
		}
	}
	return c.split(c.text(0), c.text(1), int(min(limit, 1<<40)))
}

func textLines(c call) (value.Value, error) {
	s := strings.ReplaceAll(c.text(0), "\r\n", "\n")
	if s == "" {
		return value.List(), nil
	}
	return c.split(strings.TrimSuffix(s, "\n"), "\n", -1)
}

// offset is the byte at which the n-th character begins, the length if there
// are fewer.
func offset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

func textSlice(c call) (value.Value, error) {
	s := c.text(0)
	from, to := c.between(utf8.RuneCountInString(s))
	begin := offset(s, from)
	return value.String(s[begin : begin+offset(s[begin:], to-from)]), nil
}

func textRepeat(c call) (value.Value, error) {
	n, err := c.size(1, "the count")
	if err != nil || c.text(0) == "" {
		return value.String(""), err
	}
	if err := c.Hold(len(c.text(0)) * min(n, 1<<30)); err != nil {
		return value.Nil, err
	}
	return value.String(strings.Repeat(c.text(0), n)), nil
}

// textAsk are the functions that ask something of a text.
func textAsk() []*program.Builtin {
	ask := func(f func(text, part string) bool) impl {
		return func(c call) (value.Value, error) { return value.Bool(f(c.text(0), c.text(1))), nil }
	}
	return []*program.Builtin{
		pure("String.contains(text: String, part: String) -> Bool", ask(strings.Contains), "Says whether a part occurs in a text.", `String.contains("workflow", "flow") == true`),
		pure("String.starts_with(text: String, part: String) -> Bool", ask(strings.HasPrefix), "Says whether a text begins with a part.", `String.starts_with("workflow", "work") == true`),
		pure("String.ends_with(text: String, part: String) -> Bool", ask(strings.HasSuffix), "Says whether a text ends with a part.", `String.ends_with("a.json", ".json") == true`),
		pure("String.index_of(text: String, part: String) -> Int?", textIndexOf,
			"Gives the index of the first place where a part occurs, in characters from 0; nil if it does not.", `String.index_of("äöü", "ü") == 2`, `String.index_of("abc", "x") == nil`),
		pure("String.count(text: String, part: String) -> Int", textCount,
			"Counts how often a part occurs, places that overlap once.", `String.count("banana", "an") == 2`),
		pure("String.is_blank(text: String) -> Bool", func(c call) (value.Value, error) {
			return value.Bool(strings.TrimSpace(c.text(0)) == ""), nil
		}, "Says whether a text has nothing but blanks and line breaks.", `String.is_blank(" \n") == true`),
		pure("String.to_int(text: String) -> Int?", textTo(value.ToInt),
			"Reads a whole number; nil if the text is none. `Int(text)` faults instead.", `String.to_int("42") == 42`, `String.to_int("4x") == nil`),
		pure("String.to_decimal(text: String) -> Decimal?", textTo(value.ToDecimal),
			"Reads a number, with its digits after the point; nil if the text is none. `Decimal(text)` faults instead.", `String.to_decimal("12.50") == 12.50`),
	}
}

func textIndexOf(c call) (value.Value, error) {
	at := strings.Index(c.text(0), c.text(1))
	if at < 0 {
		return value.Nil, nil
	}
	return value.Int(int64(utf8.RuneCountInString(c.text(0)[:at]))), nil
}

func textCount(c call) (value.Value, error) {
	if c.text(1) == "" {
		return value.Nil, c.fault(value.CodeRange, "the empty text occurs everywhere")
	}
	return value.Int(int64(strings.Count(c.text(0), c.text(1)))), nil
}

// textTo reads a text after its blanks; what cannot be read is nil.
func textTo(to func(value.Value) (value.Value, error)) impl {
	return func(c call) (value.Value, error) {
		v, err := to(value.String(strings.TrimSpace(c.text(0))))
		if err != nil {
			return value.Nil, nil
		}
		return v, nil
	}
}
