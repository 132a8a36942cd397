package diag_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
)

// at is the span of the first occurrence of part in the text of file 0.
func at(t *testing.T, text, part string) source.Span {
	i := strings.Index(text, part)
	require.GreaterOrEqual(t, i, 0)
	return source.Span{Start: uint32(i), End: uint32(i + len(part))}
}

func render(text string, d diag.Diagnostic) string {
	set := &source.Set{}
	set.Add(source.NewFile("a.wf", text))
	var out strings.Builder
	diag.Render(&out, set, diag.List{d}, diag.RenderOptions{})
	return out.String()
}

func TestRenderShowsPlaceLineMarksLabelsAndHelp(t *testing.T) {
	text := "workflow W {\n\tstep a {\n\t\tx = }\n"
	got := render(text, diag.Diagnostic{
		Code: "WF1201", Span: at(t, text, "x ="), Message: "something is wrong", Help: "do better",
		Labels: []diag.Label{{Span: at(t, text, "{"), Text: "opened here"}},
	})
	require.Equal(t, strings.Join([]string{
		"a.wf:3:3: error[WF1201]: something is wrong",
		"  3 | \t\tx = }",
		"    | \t\t^^^",
		"    --> a.wf:1:12: opened here",
		"  1 | workflow W {",
		"    |            -",
		"    help: do better",
		"",
	}, "\n"), got)
}

func TestRenderAlignsWideAndCombiningCharacters(t *testing.T) {
	text := "let 合計 = e\u0301x + ?\n"
	got := strings.Split(render(text, diag.Diagnostic{Span: at(t, text, "?"), Message: "m"}), "\n")
	// "let " 4, two wide characters 4, " = " 3, "é" 1, "x + " 4
	require.Equal(t, "    | "+strings.Repeat(" ", 16)+"^", got[2])
}

func TestRenderCutsLongLines(t *testing.T) {
	text := strings.Repeat("x", 500_000) + "?" + strings.Repeat("y", 500_000)
	got := render(text, diag.Diagnostic{Span: at(t, text, "?"), Message: "m"})
	require.Less(t, len(got), 600)
	lines := strings.Split(got, "\n")
	require.Contains(t, lines[0], "a.wf:1:500001: ")
	mark := strings.Index(lines[2], "^")
	require.Equal(t, '?', []rune(lines[1])[mark], "the mark stands under the place")
}

// In a narrow terminal no line of the source is broken, and the mark stands under its
// place wherever that is.
func TestRenderFitsTheTerminal(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("ab", 200),
		strings.Repeat("日本", 120),
		strings.Repeat("e\u0301 日", 120),
	} {
		for _, width := range []int{30, 41, 80} {
			for start := range text {
				_, n := utf8.DecodeRuneInString(text[start:])
				set := &source.Set{}
				set.Add(source.NewFile("a.wf", text))
				var out strings.Builder
				d := diag.Diagnostic{Span: source.Span{Start: uint32(start), End: uint32(min(start+40, len(text)))}, Message: "m"}
				diag.Render(&out, set, diag.List{d}, diag.RenderOptions{Width: width})
				lines := strings.Split(out.String(), "\n")
				require.LessOrEqual(t, columns(lines[1]), width, lines[1])
				require.LessOrEqual(t, columns(lines[2]), width, lines[2])
				if columns(text[start:start+n]) > 0 {
					before, _, _ := strings.Cut(lines[2], "^")
					require.Equal(t, text[start:start+n], under(lines[1], columns(before)), "%s\n%s", lines[1], lines[2])
				}
			}
		}
	}
	short := strings.Repeat("a", 24)
	require.NotContains(t, render(short, diag.Diagnostic{Message: "m"}), "…")
}

// columns is how wide a text is, of the characters that this test uses.
func columns(text string) (n int) {
	for _, c := range text {
		switch {
		case c == '\u0301':
		case c >= 0x3000:
			n += 2
		default:
			n++
		}
	}
	return n
}

// under is the character of a line at a column.
func under(line string, column int) string {
	for _, c := range line {
		w := columns(string(c))
		if column == 0 && w > 0 {
			return string(c)
		}
		column -= w
	}
	return ""
}

func TestRenderMarksNoMoreThanTheLine(t *testing.T) {
	text := "ab\ncd\n"
	got := strings.Split(render(text, diag.Diagnostic{Span: source.Span{Start: 1, End: 6}, Message: "m"}), "\n")
	require.Equal(t, "    |  ^", got[2])
	got = strings.Split(render(text, diag.Diagnostic{Span: source.Span{Start: 6, End: 6}, Message: "m"}), "\n")
	require.Equal(t, "a.wf:3:1: error: m", got[0])
}

func TestRenderNeverSpeaksToTheTerminal(t *testing.T) {
	text := "a \x1b[31m \u202e \xff b\n"
	got := render(text, diag.Diagnostic{Severity: diag.Warning, Span: at(t, text, "b"), Message: "found \x1b[0m\nhere"})
	require.NotContains(t, got, "\x1b")
	require.NotContains(t, got, "\u202e")
	require.Contains(t, got, "a.wf:1:13: warning: found \uFFFD[0m here")
}

func TestRenderInColor(t *testing.T) {
	set := &source.Set{}
	set.Add(source.NewFile("a.wf", "x\n"))
	var out strings.Builder
	l := diag.List{{Code: "WF1001", Message: "m"}, {Message: "no file", Span: source.Span{File: 7}}}
	diag.Render(&out, set, l, diag.RenderOptions{Color: true})
	require.Contains(t, out.String(), "\x1b[1;31merror[WF1001]\x1b[0m: \x1b[1mm\x1b[0m")
	require.Contains(t, out.String(), "\n\n\x1b[1;31merror\x1b[0m: \x1b[1mno file\x1b[0m\n", "a diagnostic without a file has no snippet")
}
