package format

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/ast"
)

// A piece is a token as the formatter sees it: a string with all of its
// interpolations is one. It carries the comments around it.
type piece struct {
	kind       class
	start, end int
	text       string
	line       int       // in which it begins, from 0
	lastLine   int       // in which it ends
	blank      bool      // a blank line stands between it and what comes before
	lead       []comment // before it; in the order of the text
	trail      []comment // behind it, up to the end of its line
}

// class tells pieces apart as far as the walk needs it.
type class uint8

const (
	endOfFile class = iota
	word
	number
	text
	symbol
	bad // a string that is not one of ours, or not closed
)

// A comment with what is known about its place.
type comment struct {
	text       string
	line, last int  // in which it begins and ends
	column     int  // bytes before it on its line
	blank      bool // a blank line stands before it
	own        bool // nothing but comments stands before it on its line
	inline     bool // the next token stands on the line on which it ends
}

const maxRescans = 20 // unclosed raw strings after which the rest is one token

type lexer struct {
	text     string
	comments []ast.Comment
	pos      int
	line     int
	counted  int // up to where lines are counted
	rescans  int
	flawed   bool // the string that is read is not closed
}

// lex cuts a text into pieces; the last one is the end of the file.
func lex(text string, comments []ast.Comment) []piece {
	start := 0
	if strings.HasPrefix(text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	return lexRange(text, comments, start, len(text))
}

// lexRange cuts a part of a text into pieces, as if the text ended with it.
func lexRange(text string, comments []ast.Comment, start, end int) []piece {
	text = text[:end]
	l := &lexer{text: text, comments: comments, pos: start, counted: start}
	pieces := make([]piece, 0, (end-start)/4+1)
	var lead []comment
	last := -1 // the last line of what came before
	for {
		l.blanks()
		from := l.pos
		line := l.lineAt(from)
		blank := last >= 0 && line > last+1
		if end := l.commentAt(from); end > from {
			l.pos = end
			c := comment{text: tidy(text[from:end]), line: line, column: from - lineStart(text, from), last: l.lineAt(end), blank: blank, own: line > last}
			last = c.last
			lead = append(lead, c)
			continue
		}
		kind := endOfFile
		if from < len(text) {
			kind = l.next()
		}
		p := piece{kind: kind, start: from, end: l.pos, text: text[from:l.pos], line: line, lastLine: l.lineAt(l.pos), blank: blank}
		last = p.lastLine
		pieces = append(pieces, p)
		attach(pieces, lead)
		lead = nil
		if kind == endOfFile {
			return pieces
		}
	}
}

// lineStart is the offset of the first character of the line of an offset.
func lineStart(text string, offset int) int {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	if start == 0 && strings.HasPrefix(text, byteOrderMark) {
		return len(byteOrderMark)
	}
	return start
}

// tidy is a comment without blanks at the ends of its lines.
func tidy(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\r")
	}
	return strings.Join(lines, "\n")
}

// attach gives the comments between the last two pieces to one of them.
func attach(pieces []piece, between []comment) {
	p := &pieces[len(pieces)-1]
	var before *piece
	if len(pieces) > 1 {
		before = &pieces[len(pieces)-2]
	}
	for i := range between {
		next := p.line
		if i+1 < len(between) {
			next = between[i+1].line
		}
		between[i].inline = next == between[i].last && p.kind != endOfFile && p.line == between[i].last
	}
	n := 0
	for before != nil && n < len(between) && !between[n].own && !between[n].inline {
		n++
	}
	if before != nil {
		before.trail = between[:n:n]
	}
	p.lead = between[n:]
}

// lineAt is the number of the line, from 0, in which the offset lies.
func (l *lexer) lineAt(offset int) int {
	if offset < l.counted {
		l.line -= strings.Count(l.text[offset:l.counted], "\n")
	} else {
		l.line += strings.Count(l.text[l.counted:offset], "\n")
	}
	l.counted = offset
	return l.line
}

func (l *lexer) blanks() {
	for l.pos < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.pos]) >= 0 {
		l.pos++
	}
}

// commentAt is the end of the comment that begins at pos, pos if none does.
func (l *lexer) commentAt(pos int) int {
	i := sort.Search(len(l.comments), func(i int) bool { return int(l.comments[i].Place.Start) >= pos })
	if i < len(l.comments) && int(l.comments[i].Place.Start) == pos {
		return min(int(l.comments[i].Place.End), len(l.text))
	}
	return pos
}

// next reads the token at pos.
func (l *lexer) next() class {
	c := l.text[l.pos]
	switch {
	case c >= '0' && c <= '9':
		l.pos = l.numberEnd(l.pos)
		return number
	case c == '"':
		l.flawed = false
		l.pos = l.stringEnd(l.pos, false)
		if l.flawed {
			return bad
		}
		return text
	case c == '\'' || c == '`': // as other languages write strings
		line := l.text[l.pos+1 : l.lineEnd(l.pos)]
		l.pos += strings.IndexByte(line, c) + 2 // without a second one: the mark alone
		return bad
	}
	if end := wordEnd(l.text, l.pos); end > l.pos {
		l.pos = end
		return word
	}
	for _, s := range []string{"...", "..", "?.", "??", "|>", "||", "&&", "==", "!=", "<=", ">=", "=>", "->", "+=", "-="} {
		if strings.HasPrefix(l.text[l.pos:], s) {
			l.pos += len(s)
			return symbol
		}
	}
	_, n := utf8.DecodeRuneInString(l.text[l.pos:])
	l.pos += n
	return symbol
}

// wordEnd is the end of the letters, digits and underscores from pos on.
func wordEnd(text string, pos int) int {
	for pos < len(text) {
		r, n := utf8.DecodeRuneInString(text[pos:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			break
		}
		pos += n
	}
	return pos
}

func (l *lexer) numberEnd(pos int) int {
	isDigit := func(i int) bool { return i < len(l.text) && l.text[i] >= '0' && l.text[i] <= '9' }
	digits := func(i int) int {
		for isDigit(i) || i < len(l.text) && l.text[i] == '_' {
			i++
		}
		return i
	}
	end := digits(pos)
	if end+1 < len(l.text) && l.text[end] == '.' && isDigit(end+1) {
		end = digits(end + 1)
	}
	if end+1 < len(l.text) && l.text[end]|0x20 == 'e' {
		at := end + 1
		if l.text[at] == '+' || l.text[at] == '-' {
			at++
		}
		if isDigit(at) {
			end = digits(at)
		}
	}
	return wordEnd(l.text, end)
}

func (l *lexer) lineEnd(pos int) int {
	if n := strings.IndexByte(l.text[pos:], '\n'); n >= 0 {
		return pos + n
	}
	return len(l.text)
}
