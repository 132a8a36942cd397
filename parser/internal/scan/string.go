package scan

import (
	"strings"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

const rawQuote = `"""`

// quote reads the opening quotes of a string. A plain string without
// interpolation becomes one token at once; everything else goes on the stack.
func (s *scanner) quote() {
	from := s.pos
	if len(s.stack) >= maxStrings {
		s.diags.Add(say.StringsTooDeep(s.span(from, from+1)))
		s.pos = s.lineEnd(from)
		s.emit(token.String, from, s.pos, "")
		return
	}
	if strings.HasPrefix(s.text[from:], rawQuote) {
		s.pos += len(rawQuote)
		s.stack = append(s.stack, frame{kind: inRaw, tok: len(s.toks) + s.nlBefore(token.Open)})
		s.emit(token.Open, from, s.pos, "")
		return
	}
	end, why := s.plainEnd(from + 1)
	if why == atInterp {
		s.pos++
		s.stack = append(s.stack, frame{kind: inPlain, tok: len(s.toks) + s.nlBefore(token.Open)})
		s.plain++
		s.emit(token.Open, from, s.pos, "")
		return
	}
	value := s.unescape(from+1, end)
	if why == atQuote {
		end++
	} else {
		s.diags.Add(say.UnclosedString(s.span(from, from+1)))
	}
	s.pos = end
	s.emit(token.String, from, end, value)
}

// nlBefore is how many tokens emit will put before one of the given kind.
func (s *scanner) nlBefore(k token.Kind) int {
	t := token.Token{Kind: k}
	if s.newline && len(s.toks) > 0 && breaks(&s.toks[len(s.toks)-1], &t) {
		return 1
	}
	return 0
}

// What ends a piece of the text of a string.
type stop uint8

const (
	atQuote stop = iota
	atInterp
	atLine
)

// plainEnd finds the end of a piece of a plain string's text.
func (s *scanner) plainEnd(pos int) (int, stop) {
	for ; pos < len(s.text); pos++ {
		switch s.text[pos] {
		case '"':
			return pos, atQuote
		case '\\':
			if pos+1 < len(s.text) && s.text[pos+1] != '\n' && s.text[pos+1] != '\r' {
				pos++
			}
		case '$':
			if pos+1 < len(s.text) && s.text[pos+1] == '{' {
				return pos, atInterp
			}
		case '\n':
			return s.lineEnd(pos - 1), atLine
		}
	}
	return len(s.text), atLine
}

// stringText reads from inside a string up to the next `${` or its end.
func (s *scanner) stringText() {
	top := &s.stack[len(s.stack)-1]
	if top.kind == inRaw {
		s.rawText(top)
		return
	}
	from := s.pos
	end, why := s.plainEnd(from)
	s.pos = end
	if end > from {
		s.emit(token.Text, from, end, s.unescape(from, end))
	}
	switch why {
	case atQuote:
		s.pos++
		s.pop()
		s.emit(token.Close, end, s.pos, "")
	case atInterp:
		s.openInterp()
	case atLine:
		s.closeStrings()
	}
}

func (s *scanner) openInterp() {
	s.stack = append(s.stack, frame{kind: inInterp, tok: len(s.toks)})
	s.pos += len("${")
	s.emit(token.Interp, s.pos-len("${"), s.pos, "")
}

func (s *scanner) pop() {
	n := len(s.stack) - 1
	if s.stack[n].kind == inPlain {
		s.plain--
	}
	s.stack = s.stack[:n]
}

// closeLine ends the plain strings that are open at a line break.
func (s *scanner) closeLine() {
	s.closeStrings()
	s.newline = true
	s.pos++
}

// closeStrings puts in what closes everything down to the outermost open plain
// string and reports that one: a forgotten quote never costs more than its line.
func (s *scanner) closeStrings() {
	for s.plain > 0 {
		top := s.stack[len(s.stack)-1]
		s.pop()
		switch top.kind {
		case inPlain:
			if s.plain == 0 {
				s.diags.Add(say.UnclosedString(s.toks[top.tok].Span))
			}
			s.emit(token.Close, s.pos, s.pos, "")
		case inRaw:
			s.finishRaw(top, noIndent)
			s.emit(token.Close, s.pos, s.pos, "")
		case inInterp:
			s.emit(token.InterpEnd, s.pos, s.pos, "")
		case inBrace:
			s.emit(token.RBrace, s.pos, s.pos, "")
		}
	}
}

// endOfText handles what is still open at the end; it reports whether there is
// more to scan.
func (s *scanner) endOfText() bool {
	switch {
	case s.plain > 0:
		s.closeStrings()
		return true
	case len(s.stack) > 0:
		s.unclosedRaw()
		return true
	}
	return false
}

// foreignString reads text in quotes that are not ours, if the line has the
// closing one.
func (s *scanner) foreignString() bool {
	from := s.pos
	_, n := utf8.DecodeRuneInString(s.text[from:])
	closers := closersOf(s.text[from : from+n])
	if closers == "" {
		return false
	}
	line := s.text[from+n : s.lineEnd(from)]
	at := strings.IndexAny(line, closers)
	if at < 0 {
		return false
	}
	_, last := utf8.DecodeRuneInString(line[at:])
	s.pos = from + n + at + last
	s.diags.Add(say.OtherQuotes(s.span(from, s.pos), line[:at]))
	s.emit(token.String, from, s.pos, strings.ToValidUTF8(line[:at], string(utf8.RuneError)))
	return true
}

// closersOf are the characters that close what a foreign quote opens.
func closersOf(quote string) string {
	switch quote {
	case "'", "`":
		return quote
	case "‘":
		return "’"
	case "“", "„", "”":
		return "”“"
	case "«":
		return "»"
	}
	return ""
}
