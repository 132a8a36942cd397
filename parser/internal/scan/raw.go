package scan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// rawText reads from inside a raw string up to the next `${` or its end.
func (s *scanner) rawText(top *frame) {
	from := s.pos
	end, why := s.rawEnd(from)
	s.pos = end
	if why == atLine && s.plain == 0 {
		s.unclosedRaw()
		return
	}
	if end > from {
		s.emit(token.Text, from, end, "")
		top.parts = append(top.parts, len(s.toks)-1)
	}
	if why == atLine {
		s.closeStrings()
		return
	}
	if why == atInterp {
		s.openInterp()
		return
	}
	s.pos += len(rawQuote)
	done := *top
	s.pop()
	if len(s.toks) == done.tok+1+len(done.parts) {
		s.oneToken(done)
		return
	}
	s.finishRaw(done, lineIndent(s.text, end))
	s.emit(token.Close, end, s.pos, "")
}

// oneToken replaces the parts of a raw string without interpolation.
func (s *scanner) oneToken(f frame) {
	s.finishRaw(f, lineIndent(s.text, s.pos-len(rawQuote)))
	value := ""
	for _, i := range f.parts {
		value += s.toks[i].Value
	}
	open := &s.toks[f.tok]
	open.Kind = token.String
	open.Span.End = uint32(s.pos)
	open.Text = s.text[open.Span.Start:s.pos]
	open.Value = value
	s.toks = s.toks[:f.tok+1]
}

// rawEnd finds the end of a piece of a raw string's text; atLine stands for
// the end of the file, or, inside an interpolation of a plain string, of the
// line.
func (s *scanner) rawEnd(pos int) (int, stop) {
	for ; pos < len(s.text); pos++ {
		switch s.text[pos] {
		case '"':
			if strings.HasPrefix(s.text[pos:], rawQuote) {
				for strings.HasPrefix(s.text[pos+1:], rawQuote) {
					pos++ // a quote before the closing quotes belongs to the text
				}
				return pos, atQuote
			}
		case '\\':
			if strings.HasPrefix(s.text[pos:], `\${`) {
				pos++
			}
		case '$':
			if pos+1 < len(s.text) && s.text[pos+1] == '{' {
				return pos, atInterp
			}
		case '\n':
			if s.plain > 0 {
				return s.lineEnd(pos - 1), atLine
			}
		}
	}
	return len(s.text), atLine
}

// unclosedRaw is for a raw string that is open at the end of the text. It goes
// back to the outermost one and reads on as if it ended where proseEnd says;
// or, if an interpolation in it is open, as if that ended with its line.
func (s *scanner) unclosedRaw() {
	interp := len(s.stack) > 1 && s.stack[1].kind == inInterp
	f := s.stack[0]
	if interp {
		f = s.stack[1]
	}
	open := s.toks[f.tok]
	raw := s.stack[0]
	s.takeBack(f.tok)
	s.stack, s.plain = s.stack[:0], 0
	end := s.lineEnd(int(open.Span.Start))
	s.pos = end
	if s.rescans++; s.rescans > maxRescans {
		s.pos = len(s.text)
	}
	if interp && s.rescans <= maxRescans {
		s.diags.Add(say.UnclosedInterp(open.Span))
		s.toks = append(s.toks, open)
		s.emit(token.InterpEnd, end, end, "")
		s.stack = append(s.stack, raw)
		return
	}
	s.diags.Add(say.UnclosedRaw(open.Span))
	from := int(open.Span.Start)
	if end = s.proseEnd(from); s.rescans <= maxRescans {
		s.pos = end
	}
	s.emit(token.String, from, end, strings.ToValidUTF8(s.text[min(from+len(rawQuote), end):end], string(utf8.RuneError)))
	s.toks[len(s.toks)-1].Newline = open.Newline
}

// proseEnd is where an unclosed raw string that begins at from is taken to end:
// behind the lines that are indented deeper than its own. If there is none, it
// goes up to a line that begins like code.
func (s *scanner) proseEnd(from int) int {
	end := s.lineEnd(from)
	own := s.indentOf(strings.LastIndexByte(s.text[:from], '\n') + 1)
	deeper := false
	for at := s.nextLine(end); at < len(s.text); at = s.nextLine(s.lineEnd(at)) {
		line := s.text[at:s.lineEnd(at)]
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case s.indentOf(at) > own:
			deeper = true
		case deeper || likeCode(line):
			return end
		}
		end = s.lineEnd(at)
	}
	return end
}

// nextLine is where the line behind the one that ends at end begins.
func (s *scanner) nextLine(end int) int {
	if end < len(s.text) && s.text[end] == '\r' {
		end++
	}
	return end + 1
}

// indentOf is how many blanks a line begins with.
func (s *scanner) indentOf(from int) int {
	return len(s.text[from:]) - len(strings.TrimLeft(s.text[from:], " \t"))
}

// likeCode reports whether a line begins with a word of the language, or not
// with a word at all.
func likeCode(line string) bool {
	word := strings.TrimLeft(line, " \t")
	if n := strings.IndexFunc(word, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }); n >= 0 {
		word = word[:n]
	}
	return word == "" || token.Reserved(word) || slices.Contains(token.Declarations(), word) || slices.Contains(token.Members(), word)
}

// takeBack forgets everything from the token at index tok on.
func (s *scanner) takeBack(tok int) {
	start := s.toks[tok].Span.Start
	s.toks = s.toks[:tok]
	s.doc = nil
	s.newline = false // the NL before it is there already
	for i := range s.docs {
		if i > tok {
			delete(s.docs, i)
		}
	}
	for n := len(s.comments); n > 0 && s.comments[n-1].Place.Start > start; n-- {
		s.comments = s.comments[:n-1]
	}
	s.diags = slices.DeleteFunc(s.diags, func(d diag.Diagnostic) bool { return d.Span.Start > start })
}

// finishRaw gives the Text tokens of a raw string their values: the line break
// behind the opening quotes, a blank last line and the common indentation are
// dropped. closing is the indentation of the closing quotes when they stand
// alone on their line, and counts with the others.
func (s *scanner) finishRaw(f frame, closing string) {
	if len(f.parts) == 0 {
		return
	}
	indent, found := s.commonIndent(f, closing)
	for n, i := range f.parts {
		t := &s.toks[i]
		first := n == 0 && t.Span.Start == s.toks[f.tok].Span.End
		last := int(t.Span.End)+len(rawQuote) == s.pos
		t.Value = rawValue(t.Text, indent, found, first, last)
	}
}

// commonIndent is the longest run of blanks that all lines of a raw string
// begin with, blank lines aside; false if no line counts.
func (s *scanner) commonIndent(f frame, closing string) (string, bool) {
	indent, found := closing, closing != noIndent
	for n, i := range f.parts {
		text := s.toks[i].Text
		for at := strings.IndexByte(text, '\n'); at >= 0; {
			line := text[at+1:]
			next := strings.IndexByte(line, '\n')
			body := line
			if next >= 0 {
				body = line[:next]
			}
			lead := body[:len(body)-len(strings.TrimLeft(body, " \t"))]
			final := next < 0 && n == len(f.parts)-1 && int(s.toks[i].Span.End)+len(rawQuote) == s.pos
			blank := strings.Trim(body, " \t\r") == "" && (next >= 0 || final)
			if !blank {
				if !found {
					indent, found = lead, true
				} else {
					indent = indent[:sharedPrefix(indent, lead)]
				}
			}
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	return indent, found
}

// noIndent says that the closing quotes do not stand alone on their line.
const noIndent = "\x00"

// lineIndent is the text between the start of the line of pos and pos if it is
// blank, else noIndent.
func lineIndent(text string, pos int) string {
	start := strings.LastIndexByte(text[:pos], '\n')
	if start < 0 || strings.Trim(text[start+1:pos], " \t") != "" {
		return noIndent
	}
	return text[start+1 : pos]
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// rawValue is what a piece of a raw string stands for.
func rawValue(text, indent string, dedent, first, last bool) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	lines := strings.Split(text, "\n")
	if dedent {
		for i := 1; i < len(lines); i++ {
			if cut, ok := strings.CutPrefix(lines[i], indent); ok {
				lines[i] = cut
			} else if strings.Trim(lines[i], " \t") == "" {
				lines[i] = ""
			}
		}
	}
	opened := first && len(lines) > 1 && lines[0] == ""
	if opened {
		lines = lines[1:]
	}
	if n := len(lines); last && (n > 1 || opened) && strings.Trim(lines[n-1], " \t") == "" {
		lines = lines[:n-1]
	}
	value := strings.ReplaceAll(strings.Join(lines, "\n"), `\${`, "${")
	return strings.ToValidUTF8(value, string(utf8.RuneError))
}
