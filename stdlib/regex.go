package stdlib

import (
	"regexp"
	"regexp/syntax"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// maxPattern and maxSubject are how long a pattern and the text that it is held
// against may be, in bytes. The work of a match is their product at worst.
const (
	maxPattern = 1_000
	maxSubject = 64 << 10
)

// regexModule is the module Regex: patterns as RE2 has them, which never take
// more than linear time.
func regexModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Regex.test(text: String, pattern: String) -> Bool", func(c call) (value.Value, error) {
			re, err := c.pattern(1)
			if err != nil {
				return value.Nil, err
			}
			return value.Bool(re.MatchString(c.text(0))), nil
		}, "Says whether a pattern occurs in a text; `^` and `$` bind it to the beginning and the end.", `Regex.test("order-17", "^order-[0-9]+$") == true`),
		pure("Regex.find(text: String, pattern: String) -> String?", regexFind,
			"Gives the first part of a text that a pattern fits, nil if there is none.", `Regex.find("a1 b22", "[0-9]+") == "1"`),
		pure("Regex.find_all(text: String, pattern: String) -> [String]", regexFindAll,
			"Lists the parts of a text that a pattern fits.", `Regex.find_all("a1 b22", "[0-9]+") == ["1", "22"]`),
		pure("Regex.groups(text: String, pattern: String) -> [String?]?", regexGroups,
			"Lists what the groups of a pattern fit where it fits first, nil for groups that took no part; nil if it does not fit.",
			`Regex.groups("order-17", "([a-z]+)-([0-9]+)") == ["order", "17"]`, `Regex.groups("-", "[a-z]") == nil`),
		pure("Regex.named(text: String, pattern: String) -> {String: String?}?", regexNamed,
			"Gives what the named groups of a pattern, `(?<name>…)`, fit where it fits first, as a record; nil if it does not fit.",
			`Regex.named("order-17", "(?<kind>[a-z]+)-(?<n>[0-9]+)") == { kind: "order", n: "17" }`),
		pure("Regex.replace(text: String, pattern: String, with: String) -> String", regexReplace,
			"Puts something else in the place of every part that a pattern fits: `${1}` and `${name}` stand for its groups, `$$` for a `$`.",
			`Regex.replace("17-18", "([0-9]+)-([0-9]+)", "$2-$1") == "18-17"`),
		pure("Regex.replace_with(text: String, pattern: String, f: fn(String) -> String) -> String", regexReplaceWith,
			"Puts what a function gives for it in the place of every part that a pattern fits.",
			`Regex.replace_with("a1 b2", "[0-9]", fn(d) = String(Int(d) + 1)) == "a2 b3"`),
		pure("Regex.split(text: String, pattern: String, limit?: Int) -> [String]", regexSplit,
			"Splits a text at every part that a pattern fits, with a limit into so many parts at most.", `Regex.split("a, b;c", "[,;] *") == ["a", "b", "c"]`),
		pure("Regex.escape(text: String) -> String", func(c call) (value.Value, error) {
			if err := c.Hold(2 * len(c.text(0))); err != nil {
				return value.Nil, err
			}
			return value.String(regexp.QuoteMeta(c.text(0))), nil
		}, "Writes a text as a pattern that fits just it.", `Regex.escape("1.5") == "1\\.5"`),
	}
}

// pattern compiles the pattern at i for the text at 0, and pays for the match.
func (c call) pattern(i int) (*regexp.Regexp, error) {
	text, p := c.text(0), c.text(i)
	if len(p) > maxPattern {
		return nil, c.fault(value.CodeRange, "a pattern has at most %d bytes, and this has %d", maxPattern, len(p))
	}
	if len(text) > maxSubject {
		return nil, c.fault(value.CodeRange, "a pattern is held against at most %d bytes of text, and these are %d: split it first", maxSubject, len(text))
	}
	parsed, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		return nil, c.fault(value.CodeFormat, "the pattern %s cannot be read: %s", value.String(p).Short(60), why(err))
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, c.fault(value.CodeFormat, "the pattern %s cannot be read: %s", value.String(p).Short(60), why(err))
	}
	n := len(prog.Inst)
	if err := c.Hold(n * 200); err != nil {
		return nil, err
	}
	if err := c.Spend(50 + n + n*len(text)/32); err != nil {
		return nil, err
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return nil, c.fault(value.CodeFormat, "the pattern %s cannot be read: %s", value.String(p).Short(60), why(err))
	}
	return re, nil
}

// why is what is wrong with a pattern, without the words of the library.
func why(err error) string {
	if e, ok := err.(*syntax.Error); ok {
		if e.Code == syntax.ErrInvalidPerlOp && len(e.Expr) > 2 && (e.Expr[2] == '=' || e.Expr[2] == '!' || e.Expr[2] == '<') {
			return "looking ahead or behind is not possible: " + e.Expr
		}
		return e.Code.String() + ": " + e.Expr
	}
	return err.Error()
}

func regexFind(c call) (value.Value, error) {
	re, err := c.pattern(1)
	if err != nil {
		return value.Nil, err
	}
	return cut(c.text(0), re.FindStringIndex(c.text(0)), 0), nil
}

// cut is the i-th pair of bounds in a text, nil if there is none.
func cut(s string, bounds []int, i int) value.Value {
	if 2*i+1 >= len(bounds) || bounds[2*i] < 0 {
		return value.Nil
	}
	return value.String(s[bounds[2*i]:bounds[2*i+1]])
}

func regexFindAll(c call) (value.Value, error) {
	re, err := c.pattern(1)
	if err != nil {
		return value.Nil, err
	}
	return c.strings(re.FindAllString(c.text(0), -1))
}

func regexGroups(c call) (value.Value, error) {
	re, err := c.pattern(1)
	if err != nil {
		return value.Nil, err
	}
	found := re.FindStringSubmatchIndex(c.text(0))
	if found == nil {
		return value.Nil, nil
	}
	var out []value.Value
	for i := 1; i <= re.NumSubexp(); i++ {
		out = append(out, cut(c.text(0), found, i))
	}
	return value.List(out...), nil
}

func regexNamed(c call) (value.Value, error) {
	re, err := c.pattern(1)
	if err != nil {
		return value.Nil, err
	}
	found := re.FindStringSubmatchIndex(c.text(0))
	if found == nil {
		return value.Nil, nil
	}
	var keys []string
	var vals []value.Value
	for i, name := range re.SubexpNames() {
		if name != "" {
			keys, vals = append(keys, name), append(vals, cut(c.text(0), found, i))
		}
	}
	return value.NewRecord(keys, vals), nil
}

// regexReplace writes the text with its parts replaced; what comes out is
// counted as it grows, for it can grow with the square of what goes in.
func regexReplace(c call) (value.Value, error) {
	re, err := c.pattern(1)
	if err != nil {
		return value.Nil, err
	}
	return c.replace(re, func(out []byte, bounds []int) ([]byte, error) {
		return re.ExpandString(out, c.text(2), c.text(0), bounds), nil
	})
}

func regexReplaceWith(c call) (value.Value, error) {
	re, err := c.pattern(1)
	if err != nil {
		return value.Nil, err
	}
	f := c.function(2)
	return c.replace(re, func(out []byte, bounds []int) ([]byte, error) {
		v, err := f.of(value.String(c.text(0)[bounds[0]:bounds[1]]))
		if err != nil {
			return nil, err
		}
		s, isText := v.AsString()
		if !isText {
			return nil, errorf(value.CodeType, "the function given to %s must give a String, and gives %s", c.name, v.Kind().Article())
		}
		return append(out, s...), nil
	})
}

// replace puts what with appends in the place of each match.
func (c call) replace(re *regexp.Regexp, with func(out []byte, bounds []int) ([]byte, error)) (value.Value, error) {
	s := c.text(0)
	var out []byte
	last := 0
	for _, bounds := range re.FindAllStringSubmatchIndex(s, -1) {
		before := len(out)
		out = append(out, s[last:bounds[0]]...)
		var err error
		if out, err = with(out, bounds); err == nil {
			err = c.Hold(len(out) - before)
		}
		if err == nil && len(out) > maxMade {
			err = c.tooLarge(nil)
		}
		if err != nil {
			return value.Nil, err
		}
		last = bounds[1]
	}
	return c.string(string(append(out, s[last:]...)))
}

func regexSplit(c call) (value.Value, error) {
	re, err := c.pattern(1)
	if err != nil {
		return value.Nil, err
	}
	limit := int64(-1)
	if c.given(2) {
		if limit = c.int(2); limit < 1 {
			return value.Nil, c.fault(value.CodeRange, "the limit must be at least 1, and it is %d", limit)
		}
	}
	return c.strings(re.Split(c.text(0), int(min(limit, 1<<40))))
}
