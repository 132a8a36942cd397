package scan

import (
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/parser/internal/say"
)

// badCharacters reports what must not stand in a source text anywhere, strings
// and comments included: bytes that are no UTF-8, control characters, and the
// marks that make a reader see the text in another order than the machine.
// One report a line.
func (s *scanner) badCharacters() {
	reported := false
	for i := 0; i < len(s.text); {
		c := s.text[i]
		if c == '\n' {
			reported = false
		}
		if c < utf8.RuneSelf {
			if (c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7F) && !reported {
				s.chars.Add(say.ControlCharacter(s.span(i, i+1), rune(c)))
				reported = true
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s.text[i:])
		if reported {
			i += n
			continue
		}
		reported = true
		switch {
		case r == utf8.RuneError && n == 1:
			s.chars.Add(say.NotUTF8(s.span(i, i+1), c))
		case bidi(r):
			s.chars.Add(say.BidiCharacter(s.span(i, i+n), r))
		case r == '\uFEFF' && i > 0, r >= 0x80 && r < 0xA0:
			s.chars.Add(say.ControlCharacter(s.span(i, i+n), r))
		default:
			reported = false
		}
		i += n
	}
}

// bidi reports whether r changes the direction in which text is shown.
func bidi(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}

func (s *scanner) addComment(from int, text string) {
	s.comments = append(s.comments, ast.Comment{At: ast.At{Place: s.span(from, from+len(text))}, Text: text})
}
