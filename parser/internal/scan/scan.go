// Package scan turns a source text into tokens. It knows characters and the
// places where a line may end, nothing of grammar.
//
// The scanner is total: any sequence of bytes gives tokens and diagnostics,
// never a failure. It walks the text once with a stack whose entries are the
// strings, interpolations and the braces inside interpolations that are open;
// the top of the stack says whether text or tokens come next. A second walk
// over the tokens finds the partner of every bracket and mends missing braces,
// so that the parser need not guess.
//
// Line breaks become NL tokens wherever the words around them allow a
// statement to end. That none counts inside ( ), [ ] and ${ } is left to the
// parser: it knows which brackets are really open even after one was
// forgotten, and so one forgotten bracket does not glue the rest of the file
// together.
package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// MaxFile is the size in bytes up to which a source file is read.
const MaxFile = 1 << 20

const (
	maxBrackets = 300 // brackets in one another; the parser gives up before that
	maxStrings  = 100 // strings inside interpolations inside strings …
	maxRescans  = 20  // unclosed raw strings after which the rest of the file is given up
)

// A Result is what a source text consists of.
type Result struct {
	Tokens   []token.Token  // the last one is EOF
	Comments []ast.Comment  // in the order of the text
	Docs     map[int]string // doc comments by the index of the token behind them
	Diags    diag.List
}

// Scan reads the file, whose number in the program's set is given.
func Scan(file *source.File, number uint16) Result {
	s := &scanner{text: file.Text, file: number, docs: map[int]string{}}
	if len(file.Text) > MaxFile {
		s.diags.Add(say.FileTooLarge(s.span(0, 0), len(file.Text), MaxFile))
		s.text = ""
	}
	s.toks = make([]token.Token, 0, len(s.text)/3+8)
	s.badCharacters()
	s.skipHead()
	s.run()
	s.mend(file)
	match(s.toks)
	return Result{Tokens: s.toks, Comments: s.comments, Docs: s.docs, Diags: append(s.chars, s.diags...)}
}

// A frame is what is open around the scanner's place: a string, an
// interpolation, or a brace inside an interpolation.
type frame struct {
	kind  frameKind
	tok   int   // index of the opening token
	parts []int // of a raw string: the indices of its Text tokens
}

type frameKind uint8

const (
	inPlain frameKind = iota
	inRaw
	inInterp
	inBrace
)

type scanner struct {
	text     string
	file     uint16
	pos      int
	newline  bool // a line break was skipped since the last token
	toks     []token.Token
	stack    []frame
	plain    int // how many entries of the stack are inPlain
	doc      []string
	docs     map[int]string
	comments []ast.Comment
	chars    diag.List // what badCharacters found
	diags    diag.List // what was found on the way; an unclosed raw string takes some back
	rescans  int
	depth    int  // of brackets
	deep     bool // that they are too deep is reported
	noStar   bool // no "*/" lies ahead
}

func (s *scanner) span(from, to int) source.Span {
	return source.Span{File: s.file, Start: uint32(from), End: uint32(to)}
}

// skipHead passes over a byte-order mark and a "#!" line.
func (s *scanner) skipHead() {
	if strings.HasPrefix(s.text, "\uFEFF") {
		s.pos = len("\uFEFF")
	}
	if strings.HasPrefix(s.text[s.pos:], "#!") {
		from := s.pos
		s.pos = s.lineEnd(s.pos)
		s.comment(from)
	}
}

// run is the loop over the whole text.
func (s *scanner) run() {
	for {
		if s.inText() {
			s.stringText()
			continue
		}
		s.blanks()
		if s.inText() {
			continue // a line break closed an interpolation
		}
		if s.pos < len(s.text) {
			s.token()
		} else if !s.endOfText() {
			break
		}
	}
	s.emit(token.EOF, s.pos, s.pos, "")
}

// inText reports whether the text of a string comes next.
func (s *scanner) inText() bool {
	n := len(s.stack)
	return n > 0 && s.stack[n-1].kind <= inRaw
}

// lineEnd is the offset of the line break (or the "\r" before it) at or behind
// pos, or of the end of the text.
func (s *scanner) lineEnd(pos int) int {
	n := strings.IndexByte(s.text[pos:], '\n')
	if n < 0 {
		return len(s.text)
	}
	end := pos + n
	if end > pos && s.text[end-1] == '\r' {
		end--
	}
	return end
}

// emit appends a token, and before it the NL that stands for a line break.
func (s *scanner) emit(k token.Kind, from, to int, value string) {
	t := token.Token{Kind: k, Newline: s.newline, Match: -1, Span: s.span(from, to), Text: s.text[from:to], Value: value}
	if s.newline && len(s.toks) > 0 && breaks(&s.toks[len(s.toks)-1], &t) {
		s.toks = append(s.toks, token.Token{Kind: token.NL, Match: -1, Span: s.span(from, from)})
	}
	s.newline = false
	if len(s.doc) > 0 && k != token.NL {
		s.docs[len(s.toks)] = strings.Join(s.doc, "\n")
		s.doc = nil
	}
	s.toks = append(s.toks, t)
}

// breaks decides whether a line break between two tokens may end a statement.
// A line that ends in an operator goes on, and so does one that begins with
// an operator other than the ones that can begin a statement.
func breaks(last, next *token.Token) bool {
	switch k := last.Kind; {
	case k == token.NL:
		return false
	case k.IsSymbol() && k != token.RParen && k != token.RBrack && k != token.RBrace && k != token.Question:
		return false
	}
	switch next.Kind {
	case token.EOF:
		return false
	case token.LParen, token.LBrack, token.LBrace, token.Minus, token.Bang, token.Ellipsis:
		return true
	case token.Word:
		return !token.BreaksNoLine(next.Text)
	}
	return !next.Kind.IsSymbol()
}

// token reads one token at pos, which is not a blank.
func (s *scanner) token() {
	c := s.text[s.pos]
	switch {
	case isDigit(c):
		s.number()
	case isWordByte(c):
		s.word()
	case c >= utf8.RuneSelf:
		if r, n := utf8.DecodeRuneInString(s.text[s.pos:]); r != utf8.RuneError && unicode.IsLetter(r) {
			s.word()
		} else if n <= 1 || unseen(r) {
			s.pos += n // reported by badCharacters
		} else if !s.foreignString() {
			s.unknown(n)
		}
	case c == '"':
		s.quote()
	default:
		s.symbol()
	}
}

func (s *scanner) word() {
	from := s.pos
	s.pos = s.wordEnd(from)
	if s.pos-from > maxName {
		s.diags.Add(say.NameTooLong(s.span(from, s.pos), s.pos-from, maxName))
	}
	s.emit(token.Word, from, s.pos, "")
}

// maxName is how many bytes a name may have: stores keep instances and fields
// under names.
const maxName = 256

// wordEnd is the end of the letters, digits and underscores from pos on.
func (s *scanner) wordEnd(pos int) int {
	for pos < len(s.text) {
		if c := s.text[pos]; c < utf8.RuneSelf {
			if !isWordByte(c) && !isDigit(c) {
				break
			}
			pos++
			continue
		}
		r, n := utf8.DecodeRuneInString(s.text[pos:])
		if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			break
		}
		pos += n
	}
	return pos
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
