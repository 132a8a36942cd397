package scan

import (
	"strings"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// symbol reads punctuation, the longest that fits.
func (s *scanner) symbol() {
	k, n := symbolAt(s.text[s.pos:])
	from := s.pos
	switch {
	case n == 0:
		s.foreign()
		return
	case !s.nests(k):
		return
	case k == token.LBrace && len(s.stack) > 0:
		s.stack = append(s.stack, frame{kind: inBrace, tok: len(s.toks)})
	case k == token.RBrace && len(s.stack) > 0:
		if s.stack[len(s.stack)-1].kind == inInterp {
			k = token.InterpEnd
		}
		s.stack = s.stack[:len(s.stack)-1]
	}
	s.pos += n
	if k == token.NL {
		s.newline = false
		if len(s.toks) == 0 || s.toks[len(s.toks)-1].Kind == token.NL && s.toks[len(s.toks)-1].Text != "" {
			return // a second ";" says nothing new
		}
	}
	s.emit(k, from, s.pos, "")
}

// nests counts the depth of brackets. An opener beyond all measure is reported
// once and its line skipped: there is no sense in a megabyte of tokens of which
// the parser reads the first few.
func (s *scanner) nests(k token.Kind) bool {
	switch k {
	case token.LParen, token.LBrack, token.LBrace:
		if s.depth >= maxBrackets {
			if !s.deep {
				s.deep = true
				s.diags.Add(say.TooDeep(s.span(s.pos, s.pos+1), maxBrackets))
			}
			s.pos = s.lineEnd(s.pos)
			return false
		}
		s.depth++
	case token.RParen, token.RBrack, token.RBrace:
		s.depth = max(s.depth-1, 0)
	}
	return true
}

// symbolAt finds the symbol that text begins with; its length is 0 if none.
func symbolAt(text string) (token.Kind, int) {
	var next, third byte
	if len(text) > 1 {
		next = text[1]
	}
	if len(text) > 2 {
		third = text[2]
	}
	pick := func(follow byte, long, short token.Kind) (token.Kind, int) {
		if next == follow {
			return long, 2
		}
		return short, 1
	}
	switch text[0] {
	case '.':
		if next == '.' && third == '.' {
			return token.Ellipsis, 3
		}
		return pick('.', token.Range, token.Dot)
	case '?':
		if next == '.' {
			return token.OptDot, 2
		}
		return pick('?', token.Coalesce, token.Question)
	case '|':
		if next == '>' {
			return token.Pipe, 2
		}
		return pick('|', token.OrOr, token.Bar)
	case '=':
		if next == '>' {
			return token.FatArrow, 2
		}
		return pick('=', token.EqEq, token.Assign)
	case '-':
		if next == '>' {
			return token.Arrow, 2
		}
		return pick('=', token.MinusEq, token.Minus)
	case '!':
		return pick('=', token.NotEq, token.Bang)
	case '<':
		return pick('=', token.LessEq, token.Less)
	case '>':
		return pick('=', token.MoreEq, token.More)
	case '+':
		return pick('=', token.PlusEq, token.Plus)
	case '&':
		if next == '&' && third != '&' {
			return token.AndAnd, 2
		}
		return token.EOF, 0
	}
	return single(text[0])
}

// single is the symbol of one character that begins no longer one.
func single(c byte) (token.Kind, int) {
	switch c {
	case '(':
		return token.LParen, 1
	case ')':
		return token.RParen, 1
	case '[':
		return token.LBrack, 1
	case ']':
		return token.RBrack, 1
	case '{':
		return token.LBrace, 1
	case '}':
		return token.RBrace, 1
	case ',':
		return token.Comma, 1
	case ';':
		return token.NL, 1
	case ':':
		return token.Colon, 1
	case '*':
		return token.Star, 1
	case '/':
		return token.Slash, 1
	case '%':
		return token.Percent, 1
	}
	return token.EOF, 0
}

// foreign reads what other languages write at this place and ours does not.
// It is reported and read as what it stands for.
func (s *scanner) foreign() {
	from := s.pos
	switch s.text[from] {
	case '#':
		s.pos = s.lineEnd(from)
		s.diags.Add(say.ForeignComment(s.span(from, from+1)))
		s.comment(from)
	case '&':
		for s.pos < len(s.text) && s.text[s.pos] == '&' {
			s.pos++
		}
		s.diags.Add(say.ForeignAnd(s.span(from, s.pos)))
		s.emit(token.AndAnd, from, s.pos, "")
	case '\'', '`':
		if !s.foreignString() {
			s.unknown(1)
		}
	default:
		if c := s.text[from]; c < ' ' || c == 0x7F {
			s.pos++ // reported by badCharacters
			return
		}
		s.unknown(1)
	}
}

// unknown skips a character that means nothing here.
func (s *scanner) unknown(n int) {
	s.diags.Add(say.UnknownCharacter(s.span(s.pos, s.pos+n), s.text[s.pos:s.pos+n]))
	s.pos += n
}

// blanks skips blanks, line breaks and comments.
func (s *scanner) blanks() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == ' ' || c == '\t' || c == '\r':
			s.pos++
		case c == '\n':
			if s.plain > 0 {
				s.closeLine()
				if s.inText() {
					return
				}
				continue
			}
			s.newline = true
			s.pos++
		case c == '/' && strings.HasPrefix(s.text[s.pos:], "//"):
			from := s.pos
			s.pos = s.lineEnd(from)
			s.comment(from)
		case c == '/' && strings.HasPrefix(s.text[s.pos:], "/*"):
			if s.blockComment(); s.inText() {
				return
			}
		default:
			return
		}
	}
}

// comment keeps the comment from the given offset to pos.
func (s *scanner) comment(from int) {
	text := s.text[from:s.pos]
	s.addComment(from, text)
	if doc, ok := strings.CutPrefix(text, "///"); ok && !strings.HasPrefix(doc, "/") {
		s.doc = append(s.doc, strings.TrimRight(strings.TrimPrefix(doc, " "), " \t"))
	}
}

// blockComment skips a /* */ comment. A line break in it closes plain strings
// as any other; an unclosed one costs its first line.
func (s *scanner) blockComment() {
	from, n := s.pos, -1
	if !s.noStar {
		n = strings.Index(s.text[from+2:], "*/")
	}
	if n < 0 {
		s.noStar = true
		s.diags.Add(say.UnclosedComment(s.span(from, from+2)))
		s.pos = s.lineEnd(from)
		s.addComment(from, s.text[from:s.pos])
		return
	}
	s.pos = from + 2 + n + 2
	s.addComment(from, s.text[from:s.pos])
	if strings.IndexByte(s.text[from:s.pos], '\n') < 0 {
		return
	}
	if s.plain > 0 {
		s.closeStrings()
	}
	s.newline = true
}

// unseen reports whether a character outside ASCII is a separator or control
// character, which badCharacters reports.
func unseen(r rune) bool {
	return bidi(r) || r == '\uFEFF' || r >= 0x80 && r < 0xA0 || r == utf8.RuneError
}
