package scan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/scan"
)

// brief writes tokens as "kind text" for symbols and words their text alone.
func brief(toks []token.Token) string {
	var out []string
	for _, t := range toks {
		switch {
		case t.Kind == token.EOF:
		case t.Kind == token.Word || t.Kind.IsSymbol() && t.Text != "":
			out = append(out, t.Text)
		case t.Kind == token.String || t.Kind == token.Text:
			out = append(out, fmt.Sprintf("%s:%q", t.Kind, t.Value))
		default:
			out = append(out, fmt.Sprintf("%s:%s", t.Kind, t.Value))
		}
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for src, want := range map[string]string{
		"a.b?.c ?? d|>e":         "a . b ?. c ?? d |> e",
		"1..9 1.5..2.5 1s..60s":  "Int:1 .. Int:9 Decimal:1.5 .. Decimal:2.5 Duration:1s .. Duration:60s",
		"1_000 2.5e-3 1E9 0":     "Int:1000 Float:2.5e-3 Float:1E9 Int:0",
		"1h30m 1_500ms 2d3h4ns":  "Duration:1h30m Duration:1500ms Duration:2d3h4ns",
		"a<=b!=c=>d->e+=f-=g==h": "a <= b != c => d -> e += f -= g == h",
		"!a && b || c ... d..e":  "! a && b || c ... d .. e",
		"a /* x */ b // c":       "a b",
		"\uFEFF#!/bin/wf\na":     "a",
		"合計_1 é":                 "合計_1 é",
		"a;b;;c":                 "a NL: b NL: c",
		"a\r\nb\r\n\r\nc":        "a NL: b NL: c",
		"a /*\n*/ b":             "a NL: b",
		"a +\nb\n+ c\n- d":       "a + b + c NL: - d",
		"a\n.b\n(c)\n[d]\n{e}\n": "a . b NL: ( c ) NL: [ d ] NL: { e }",
		"a\nelse b\nthen\nin":    "a else b then in",
		"a?\nb":                  "a ? NL: b",
		`"a\n\t\"\\\/\$\u00e9\u{1F600}\ud83d\ude00\0"`: `String:"a\n\t\"\\/$é😀😀\x00"`,
		`"a${b}c" "${"x${1}"}"`:                        `Open: Text:"a" ${ b } Text:"c" Close: Open: ${ Open: Text:"x" ${ Int:1 } Close: } Close:`,
		`"${ {a: "}"} }"`:                              `Open: ${ { a : String:"}" } } Close:`,
		`"$ $x $$"`:                                    `String:"$ $x $$"`,
		`""`:                                           `String:""`,
		`""""""`:                                       `String:""`,
	} {
		got := scan.Scan(source.NewFile("a.wf", src), 0)
		assert.Equal(t, want, brief(got.Tokens), src)
		assert.Empty(t, got.Diags, src)
	}
}

func TestRawStringsLoseTheirIndentation(t *testing.T) {
	for src, want := range map[string]string{
		"\"\"\"\n    a\n      b\n    \"\"\"":      `String:"a\n  b"`,
		"\"\"\"\n    a\n\n  b\n    \"\"\"":        `String:"  a\n\nb"`,
		"\"\"\"\n    a\n    b\"\"\"":              `String:"a\nb"`,
		"\"\"\"a\n    b\n    \"\"\"":              `String:"a\nb"`,
		"\"\"\"\r\n\ta\r\n\tb\r\n\t\"\"\"":        `String:"a\nb"`,
		"\"\"\"\n  a\n\tb\n\"\"\"":                `String:"  a\n\tb"`,
		"\"\"\"a \\${b} \\n\"\"\"":                `String:"a ${b} \\n"`,
		"\"\"\"\n\"\"\"":                          `String:""`,
		"\"\"\"a \"q\" \"\"\"\"":                  `String:"a \"q\" \""`,
		"\"\"\"\n    a ${x}\n      b\n    \"\"\"": `Open: Text:"a " ${ x } Text:"\n  b" Close:`,
		"\"\"\"\n    ${x}\n    ${y}\n    \"\"\"":  `Open: Text:"" ${ x } Text:"\n" ${ y } Text:"" Close:`,
		"\"\"\"\n  a ${f(\n1)}\n  \"\"\"":         `Open: Text:"a " ${ f ( NL: Int:1 ) } Text:"" Close:`,
	} {
		got := scan.Scan(source.NewFile("a.wf", src), 0)
		assert.Equal(t, strings.ReplaceAll(want, "( NL: ", "( "), brief(got.Tokens), src)
		assert.Empty(t, got.Diags, src)
	}
}

func TestCommentsAndDocs(t *testing.T) {
	got := scan.Scan(source.NewFile("a.wf", "// one\n/// Doc of a.\n///  More.\n/* two */ a\n//// no doc\nb /// c\nd"), 0)
	var texts []string
	for _, c := range got.Comments {
		texts = append(texts, c.Text)
	}
	require.Equal(t, []string{"// one", "/// Doc of a.", "///  More.", "/* two */", "//// no doc", "/// c"}, texts)
	require.Equal(t, "a NL: b NL: d", brief(got.Tokens))
	require.Equal(t, map[int]string{0: "Doc of a.\n More.", 4: "c"}, got.Docs)
}

func TestBracketsFindTheirPartners(t *testing.T) {
	got := scan.Scan(source.NewFile("a.wf", "({[]}) ( ] { ) } [ ( ]"), 0).Tokens
	var matches []int32
	for _, tok := range got[:len(got)-1] {
		matches = append(matches, tok.Match)
	}
	require.Equal(t, []int32{5, 4, 3, 2, 1, 0, -1, -1, 10, -1, 8, 13, -1, 11}, matches)
}

// check verifies what holds for the tokens of any text.
func check(t *testing.T, text string) {
	got := scan.Scan(source.NewFile("a.wf", text), 3)
	require.NotEmpty(t, got.Tokens)
	require.Equal(t, token.EOF, got.Tokens[len(got.Tokens)-1].Kind)
	end := 0
	var skipped strings.Builder
	for i, tok := range got.Tokens {
		require.Equal(t, uint16(3), tok.Span.File)
		require.GreaterOrEqual(t, int(tok.Span.Start), end, "tokens are in order")
		require.LessOrEqual(t, int(tok.Span.End), len(text))
		require.True(t, tok.Text == "" || tok.Text == text[tok.Span.Start:tok.Span.End], "a token's text is the source's")
		skipped.WriteString(text[end:tok.Span.Start])
		end = int(tok.Span.End)
		if tok.Match >= 0 {
			require.Equal(t, int32(i), got.Tokens[tok.Match].Match)
		}
		if tok.Kind == token.NL && tok.Text == "" {
			require.Less(t, i+1, len(got.Tokens))
			require.True(t, got.Tokens[i+1].Newline || got.Tokens[i+1].Text == "", "NL stands before the first token of a line")
		}
	}
	if len(got.Diags) > 0 {
		return
	}
	rest := skipped.String()
	for _, c := range got.Comments {
		require.Contains(t, rest, c.Text)
		rest = strings.Replace(rest, c.Text, "", 1)
	}
	require.Empty(t, strings.Trim(rest, " \t\r\n\uFEFF;"), "nothing is skipped but blanks, comments and a second ;")
}

func seeds(f *testing.F) {
	for _, pattern := range []string{"../../testdata/*.wf", "../../testdata/overview/*.wf"} {
		names, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(f, err)
			f.Add(string(text))
			f.Add(string(text[:len(text)/2]))
			f.Add(string(text[len(text)/3:]))
		}
	}
	for _, text := range []string{
		"", ";", "\"${\"\"\"${\"${\"\"\"$\"\n", "\"${\"\"\"\n\"\"\"}\"", "\"", "\"\"\"", "\"${", "\"\"\"${", "\"${\"\"\"${\"\n", "/*", "//", "\\", "'", "'a'", "#", "&&&", "\xff\xfe", "\uFEFF\uFEFF",
		"0x", "1_", "1.", "1e", "1h1h", "\"\\u{}\"", "\"\\ud800\\u0041\"", "\"\\", "}", "${", "\"${}}\"", "{\n}\n}\n", "a{\n b{\n}\n",
		"\"\"\"\n ${ {\n\"\"\"", "#!x", "\r\r\n", "\u202e", "“a”", "{\n  a\n  }\n }\n}",
	} {
		f.Add(text)
	}
}

// FuzzScan checks on any text that tokens are in order, true to the source, and
// leave out nothing but blanks and comments.
func FuzzScan(f *testing.F) {
	seeds(f)
	f.Fuzz(check)
}

func TestDefinitionIsALexer(t *testing.T) {
	var def lexer.Definition = scan.NewDefinition()
	lex, err := def.Lex("a.wf", strings.NewReader("a 1"))
	require.NoError(t, err)
	toks, err := lexer.ConsumeAll(lex)
	require.NoError(t, err)
	require.Len(t, toks, 3)
	require.Equal(t, def.Symbols()["Word"], toks[0].Type)
	require.Equal(t, "1", toks[1].Value)
	require.True(t, toks[2].EOF())
	again, err := scan.Tokens(nil).Next()
	require.NoError(t, err)
	require.True(t, again.EOF())
}
