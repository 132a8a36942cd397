package format

import "strings"

const rawQuote = `"""`

// stringEnd is the end of the string that begins at pos. oneLine says that it
// stands inside a plain string, so that it ends with the line. A string that is
// not closed ends with its (first) line; nor is one in whose text the parser has
// found a comment.
func (l *lexer) stringEnd(pos int, oneLine bool) int {
	if strings.HasPrefix(l.text[pos:], rawQuote) {
		return l.rawEnd(pos, oneLine)
	}
	for i := pos + 1; i < len(l.text); i++ {
		switch l.text[i] {
		case '"':
			return i + 1
		case '\n':
			return l.unclosed(pos, i)
		case '/', '#':
			if l.commentAt(i) > i {
				return l.unclosed(pos, i)
			}
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
	return l.unclosed(pos, len(l.text))
}

// rawEnd is stringEnd for a raw string.
func (l *lexer) rawEnd(pos int, oneLine bool) int {
	if l.rescans > maxRescans {
		return l.unclosed(pos, len(l.text))
	}
search:
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
				return l.unclosed(pos, i)
			}
		case '/', '#':
			if l.commentAt(i) > i {
				break search
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
		return l.unclosed(pos, len(l.text))
	}
	l.rescans++
	return l.unclosed(pos, l.lineEnd(pos))
}

// interpolationEnd is the end of the interpolation whose text begins at pos.
func (l *lexer) interpolationEnd(pos int, oneLine bool) int {
	open := 0
	for i := pos; i < len(l.text); i++ {
		switch l.text[i] {
		case '"':
			i = l.stringEnd(i, oneLine) - 1
		case '/', '#':
			i = max(i, l.commentAt(i)-1)
		case '{':
			open++
		case '}':
			if open--; open < 0 {
				return i + 1
			}
		case '\n':
			if oneLine {
				return l.unclosed(pos, i)
			}
		}
	}
	return l.unclosed(pos, len(l.text))
}

// unclosed notes that the string is not closed. It gives end, or where the blanks
// before it begin.
func (l *lexer) unclosed(from, end int) int {
	l.flawed = true
	return from + len(strings.TrimRight(l.text[from:end], " \t\r"))
}
