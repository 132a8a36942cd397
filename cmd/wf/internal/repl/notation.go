package repl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/lang/format"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/parser"
)

// longest is how many characters of a value are shown on a terminal.
const longest = 8000

// notation is a value as it is shown: in the language's notation; on a terminal
// with colour, over several lines if it is wide, and not without end.
func notation(v value.Value, t ui.Terminal) string {
	text := v.String()
	if t.Width == 0 {
		return text
	}
	if n := utf8.RuneCountInString(text); n > longest {
		return tint(ui.Cut(text, longest), t) + t.Faint(fmt.Sprintf(" (%d characters in all)", n))
	}
	if utf8.RuneCountInString(text) > t.Width {
		text = broken(text)
	}
	return tint(text, t)
}

// broken is a long value over several lines, in the canonical style. What is no
// expression, as a function, stays as it is.
func broken(text string) string {
	f := source.NewFile("", text)
	tree, said := parser.Parse(f, 0)
	if said.HasErrors() {
		return text
	}
	return strings.TrimRight(format.File(f, tree), "\n")
}

// tint colours a value in the language's notation: strings, numbers, words.
func tint(text string, t ui.Terminal) string {
	if !t.Color {
		return text
	}
	var sb strings.Builder
	for i := 0; i < len(text); {
		n := pieceOf(text[i:])
		piece := text[i : i+n]
		first, _ := utf8.DecodeRuneInString(piece)
		switch {
		case first == '"':
			piece = t.Green(piece)
		case unicode.IsDigit(first), piece == "true", piece == "false", piece == "nil":
			piece = t.Yellow(piece)
		case unicode.IsUpper(first):
			piece = t.Bold(piece)
		}
		sb.WriteString(piece)
		i += n
	}
	return sb.String()
}

// pieceOf is the length of the first word, number, string or other character.
func pieceOf(text string) int {
	first, n := utf8.DecodeRuneInString(text)
	switch {
	case first == '"':
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(text)
	case unicode.IsLetter(first), unicode.IsDigit(first), first == '_':
		for n < len(text) {
			r, size := utf8.DecodeRuneInString(text[n:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && (r != '.' || !unicode.IsDigit(first)) {
				break
			}
			n += size
		}
	}
	return n
}
