package scan

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/wf-lang/wf/parser/internal/say"
)

// unescape is what text[from:to] of a plain string stands for. A wrong escape
// is reported and stands for itself.
func (s *scanner) unescape(from, to int) string {
	text := s.text[from:to]
	if strings.IndexByte(text, '\\') < 0 {
		return strings.ToValidUTF8(text, string(utf8.RuneError))
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			out.WriteByte(text[i])
			i++
			continue
		}
		r, n, ok := escapeAt(text[i:])
		if !ok {
			s.diags.Add(say.BadEscape(s.span(from+i, from+i+n), text[i:i+n]))
			out.WriteString(text[i : i+n])
		} else {
			out.WriteRune(r)
		}
		i += n
	}
	return strings.ToValidUTF8(out.String(), string(utf8.RuneError))
}

// escapeAt reads the escape that text begins with: the character it stands
// for and its length in bytes; a wrong one has a length too.
func escapeAt(text string) (r rune, n int, ok bool) {
	if len(text) < 2 {
		return 0, len(text), false
	}
	switch text[1] {
	case 'n':
		return '\n', 2, true
	case 't':
		return '\t', 2, true
	case 'r':
		return '\r', 2, true
	case 'b':
		return '\b', 2, true
	case 'f':
		return '\f', 2, true
	case '0':
		return 0, 2, true
	case '\\', '"', '/', '$':
		return rune(text[1]), 2, true
	case 'u':
		return unicodeEscape(text)
	}
	_, size := utf8.DecodeRuneInString(text[1:])
	return 0, 1 + size, false
}

// unicodeEscape reads \uXXXX (two of them for a surrogate pair) or \u{X…}.
func unicodeEscape(text string) (r rune, n int, ok bool) {
	if strings.HasPrefix(text, `\u{`) {
		end := strings.IndexByte(text, '}')
		if end < 0 {
			return 0, 3, false
		}
		r, ok = hex(text[3:end])
		return r, end + 1, ok && end <= 9 && utf8.ValidRune(r)
	}
	if len(text) < 6 {
		return 0, len(text), false
	}
	r, ok = hex(text[2:6])
	if !ok {
		return 0, 2, false
	}
	if !utf16.IsSurrogate(r) {
		return r, 6, true
	}
	if len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		if low, ok := hex(text[8:12]); ok {
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				return r, 12, true
			}
		}
	}
	return 0, 6, false
}

// hex reads hexadecimal digits, at least one and at most six.
func hex(digits string) (rune, bool) {
	if len(digits) == 0 || len(digits) > 6 {
		return 0, false
	}
	var r rune
	for i := 0; i < len(digits); i++ {
		c := digits[i]
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
