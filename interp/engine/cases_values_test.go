package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// exact are integers that a 64-bit float, a 53-bit one or a text would bend.
var exact = []int64{7615917337495251231, 9007199254740993, -9007199254740993, 9223372036854775807, -9223372036854775808, 1 << 62, 0}

func TestC57IntegersAreExactEverywhere(t *testing.T) {
	for _, n := range exact {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			fromJSON, err := value.FromJSON([]byte(fmt.Sprint(n)))
			require.NoError(t, err)
			require.Equal(t, value.Int(n), fromJSON)
			m := newMachine(t, `
workflow W {
    state n: Int
    state list: [Any] = []
    state any: Any = nil
    query n() -> Int { self.n }
    query deep() { { n: self.n, text: "${self.n}", list: self.list, any: self.any } }
    command set(x: Int) { self.any = { x: x }; reply self.any }
    step a { self.list = [self.n, { n: self.n }, (self.n, Some(self.n))]; emit Got(self.n, Decimal(self.n)); perform IO.print(self.n); perform World.call(self.n) }
    step b { let x = perform Signal.wait("s"); emit Signalled(x, x.n == self.n); x.n }
}`)
			m.world.answer = func(_ int, c engine.Call) (value.Value, error) {
				require.Equal(t, value.Int(n), c.Args[0])
				return c.Args[0], nil
			}
			m.start()
			given, _ := value.NewRecord([]string{"n"}, []value.Value{fromJSON}).AsRecord()
			_, err = m.e.Spawn(t.Context(), m.prog, "W", "w", given, "")
			require.NoError(t, err)
			m.settle()
			m.reopen()
			require.Equal(t, value.Int(n), m.query("w", "n"))
			v, err := m.call(handle("W", "w"), "set", value.Int(n))
			require.NoError(t, err)
			require.Equal(t, fmt.Sprintf("{ x: %d }", n), v.String())
			m.reopen()
			m.signal("w", "s", value.NewRecord([]string{"n"}, []value.Value{value.Int(n)}))
			m.reopen()
			require.Equal(t, value.Int(n), m.show("w").Result)
			require.Equal(t, 2, strings.Count(m.events("w")[0], fmt.Sprint(n)), "%s", m.events("w")[0])
			require.Equal(t, fmt.Sprintf("Signalled({ n: %d }, true)", n), m.events("w")[1])
			require.Equal(t, []string{fmt.Sprint(n)}, m.printed("w"))
			json, err := value.AppendJSON(nil, m.query("w", "deep"))
			require.NoError(t, err)
			require.Equal(t, 7, strings.Count(string(json), fmt.Sprint(n)), "%s", json)
			back, err := value.FromJSON(json)
			require.NoError(t, err)
			r, _ := back.AsRecord()
			got, _ := r.Get("n")
			require.Equal(t, value.Int(n), got)
		})
	}
}

func TestC57BeyondSixtyFourBitsIsRefused(t *testing.T) {
	for _, text := range []string{"9223372036854775808", "-9223372036854775809", "18446744073709551616", "99999999999999999999999999", "1" + strings.Repeat("0", 400)} {
		_, err := value.FromJSON([]byte(text))
		require.Error(t, err, text)
		_, err = value.FromJSON([]byte(`{"a":[` + text + `]}`))
		require.Error(t, err, text)
		t.Log(refused(t, "let x = "+text))
	}
	compile(t, "let x = -9223372036854775808\nx")
}

// Arithmetic that leaves 64 bits is a fault with its place, in every way to
// leave them; it never wraps and never rounds.
func TestC57OverflowIsAFault(t *testing.T) {
	for _, expr := range []string{"self.max + 1", "-self.max - 2", "self.max * 2", "-(-self.max - 1)", "(-self.max - 1) / -1", "(-self.max - 1) * -1",
		"Math.abs(-self.max - 1)", "List.sum([self.max, 1])", `Int("9223372036854775808")`, "Int(1e19)", "Int(9223372036854775808.0)", "1h * self.max", "Int(Decimal(self.max) * 10)"} {
		t.Run(expr, func(t *testing.T) {
			m := newMachine(t, `
workflow W {
    state max: Int = 9223372036854775807
    state x: Any = nil
    step a { self.x = `+expr+` }
}
spawn W {} as "w"`)
			m.run()
			s := m.show("w")
			require.Equal(t, "failed", s.Status, "%v", s.Fields)
			require.True(t, strings.HasPrefix(s.Failure.Place, "test.wf:5:"), s.Failure.Place)
			require.Equal(t, value.Nil, m.field("w", "x"))
		})
	}
}

// An Int and a Float that differ are not taken to be equal because one of them
// is rounded for the comparison.
func TestC57ComparisonsDoNotRound(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state a: Int = 9007199254740993
    state d: Decimal = 9007199254740993.0
    step s { emit Same(self.a == Float("9007199254740992"), self.a > Float("9007199254740992"), self.a == self.d, self.d == 9007199254740993, Decimal(self.a) == self.d) }
}
spawn W {} as "w"`)
	m.run()
	require.Equal(t, []string{"Same(false, true, true, true, true)"}, m.events("w"), "%v", m.show("w").Failure)
}

// A place where sources go wrong, with what has to come of it: a value in the
// language's notation, or "" for an error with its line and column.
func TestC58StringsAndOtherEndsOfFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"unterminated":          {`let x = "abc`, ""},
		"unterminated, more":    {"let x = \"abc\nlet y = 2\ny", ""},
		"just a quote":          {`"`, ""},
		"single quotes":         {`''`, ""},
		"empty":                 {`""`, `""`},
		"lone backslash":        {`\`, ""},
		"backslash at the end":  {`"abc\`, ""},
		"backslash quote":       {`"abc\"`, ""},
		"unknown escape":        {`"a\qb"`, ""},
		"newline in a string":   {"\"a\nb\"", ""},
		"raw over lines":        {"\"\"\"\n    a\n    b\n    \"\"\"", `"a\nb"`},
		"raw unterminated":      {`"""abc`, ""},
		"raw of quotes":         {`""""""`, `""`},
		"NUL":                   {"1\x00", ""},
		"NUL in a string":       {"\"a\x00b\"", ""},
		"no final newline":      {`1 + 1`, "2"},
		"CRLF":                  {"let x = 1\r\nlet y = 2\r\nx + y\r\n", "3"},
		"CRLF in raw":           {"\"\"\"\r\n    a\r\n    b\r\n    \"\"\"\r\n", `"a\nb"`},
		"lone CR":               {"let x = 1\rx", ""},
		"BOM":                   {"\ufeff1 + 1", "2"},
		"BOM in the middle":     {"1 + \ufeff1", ""},
		"BOM alone":             {"\ufeff", "()"},
		"empty file":            {"", "()"},
		"blank file":            {"\n\n  \n", "()"},
		"comment to the end":    {"1 // end", "1"},
		"open comment":          {"1 /* end", ""},
		"open interpolation":    {`"a${`, ""},
		"open interpolation 2":  {`"a${1`, ""},
		"open interpolation 3":  {`"a${1"`, ""},
		"empty interpolation":   {`"a${}"`, ""},
		"dollar at the end":     {`"a$"`, `"a$"`},
		"escaped interpolation": {`"\${1}"`, `"\${1}"`},
		"string in string":      {`"a${"b${"c"}"}"`, `"abc"`},
		"bad UTF-8":             {"\"a\xff\"", ""},
		"bad UTF-8 bare":        {"\xff", ""},
		"surrogate escape":      {`"\u{d800}"`, ""},
		"too large escape":      {`"\u{110000}"`, ""},
		"half a number":         {"1.", ""},
		"half an exponent":      {"1e", ""},
		"half a duration":       {"let x = 1h30", ""},
		"right to left mark":    {"1 \u202e+ 1", ""},
		"zero width space":      {"1 +\u200b 1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want == "" {
				said := refused(t, c.text)
				t.Log(said)
				return
			}
			m := newMachine(t, c.text)
			m.run()
			require.Equal(t, c.want, m.show("main-1").Result.String())
		})
	}
}

// Every prefix of a program, and the program with each byte replaced by an
// awkward one, is a program or an error with a place; never a panic.
func TestC58MutilatedSources(t *testing.T) {
	const text = "workflow W { state s: String = \"a${1 + 2}\\n\"\n step a { emit E(\"\"\"x\"\"\", 'y', 1h30m, [1, {a: 2}]) } compensate(e) { 1 } }\nlet w = spawn W {} as \"w\" in { await w }\n"
	try := func(s string) {
		prog, ds, _ := compileText("test.wf", s)
		require.True(t, prog != nil || ds.HasErrors(), "%q", s)
	}
	for i := range text {
		try(text[:i])
		try(text[i:])
		for _, b := range []string{"\"", "\\", "\x00", "${", "}", "\n", "\xff"} {
			try(text[:i] + b + text[i+1:])
		}
	}
}

// No operation on text makes half a character of one.
func TestC58TextStaysText(t *testing.T) {
	m := newMachine(t, `
workflow W {
    state s: Any = nil
    step a {
        let s = "aé€😀"
        var parts = []
        for c in String.split(s, "") { parts = parts + [c] }
        self.s = [s.length, parts, String.upper(s), String.trim(s)]
    }
}
spawn W {} as "w"`)
	m.run()
	m.reopen()
	s := m.show("w")
	require.Equal(t, "completed", s.Status, "%v", s.Failure)
	text := m.field("w", "s").String()
	require.True(t, utf8.ValidString(text), "%q", text)
	require.Contains(t, text, `["a", "é", "€", "😀"]`)
}
