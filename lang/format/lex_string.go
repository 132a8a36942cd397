package format

import "strings"

const rawQuote = `"""`

// stringEnd is the end of the string that begins at pos. oneLine says that it
// stands inside a plain string, so that it ends with the line. A string that is
// not closed ends with its (first) line.
func (l *lexer) stringEnd(pos int, oneLine bool) int {
	if strings.HasPrefix(l.text[pos:], rawQuote) {
		return l.rawEnd(pos, oneLine)
	}
	for i := pos + 1; i < len(l.text); i++ {
		switch l.text[i] {
		case '"':
			return i + 1
		case '\n':
			return trimReturn(l.text, pos, i)
		case '\\':
			if i+1 < len(l.text) && l.text[i+1] != '\n' && l.text[i+1] != '\r' {
				i++
			}
		case '$':
			if strings.HasPrefix(l.text[i:], "${") {
				i = l.interpolationEnd(i+2, true) - 1
			}
		}
	}
	return len(l.text)
}

// rawEnd is stringEnd for a raw string.
func (l *lexer) rawEnd(pos int, oneLine bool) int {
	if l.rescans > maxRescans {
		return len(l.text)
	}
	for i := pos + len(rawQuote); i < len(l.text); i++ {
		switch l.text[i] {
		case '"':
			if strings.HasPrefix(l.text[i:], rawQuote) {
				for strings.HasPrefix(l.text[i+1:], rawQuote) {
					i++
				}
				return i + len(rawQuote)
			}
		case '\n':
			if oneLine {
				return trimReturn(l.text, pos, i)
			}
		case '\\':
			if strings.HasPrefix(l.text[i:], `\${`) {
				i++
			}
		case '$':
			if strings.HasPrefix(l.text[i:], "${") {
				i = l.interpolationEnd(i+2, oneLine) - 1
			}
		}
	}
	if oneLine {
		return len(l.text)
	}
	l.rescans++
	return trimReturn(l.text, pos, l.lineEnd(pos))
}

// interpolationEnd is the end of the interpolation whose text begins at pos.
func (l *lexer) interpolationEnd(pos int, oneLine bool) int {
	open := 0
	for i := pos; i < len(l.text); i++ {
		switch l.text[i] {
		case '"':
			i = l.stringEnd(i, oneLine) - 1
		case '/':
			i = max(i, l.commentAt(i)-1)
		case '{':
			open++
		case '}':
			if open--; open < 0 {
				return i + 1
			}
		case '\n':
			if oneLine {
				return trimReturn(l.text, pos, i)
			}
		}
	}
	return len(l.text)
}

// trimReturn is end, or the offset of the "\r" before it.
func trimReturn(text string, from, end int) int {
	if end > from && text[end-1] == '\r' {
		return end - 1
	}
	return end
}
