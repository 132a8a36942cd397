package scan

import (
	"slices"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// mend puts in the braces that were forgotten, where indentation shows the
// place. Nesting alone blames the wrong one: after a forgotten } every later }
// closes one block too few, and the mistake shows at the end of the file.
//
// It does nothing to a file with as many { as }, nor to one that is not
// indented; there the parser finds the place by the words that begin
// declarations. unclosed.go looks for a missing }, unopened.go for a missing {.
func (s *scanner) mend(file *source.File) {
	m := mender{s: s, file: file}
	for i := range s.toks {
		switch s.toks[i].Kind {
		case token.LBrace:
			m.missing++
		case token.RBrace:
			m.missing--
		}
	}
	if m.missing == 0 {
		return
	}
	m.measure()
	if !m.indented() {
		return
	}
	if m.missing > 0 {
		m.findUnclosed()
	} else {
		m.findUnopened()
	}
	m.insert()
}

type mender struct {
	s       *scanner
	file    *source.File
	missing int   // how many more { than } there are
	lines   []int // of a token that begins a line the indentation, else -1
	stack   []opener
	puts    []put
}

// An opener is a { on the way.
type opener struct {
	tok    int
	indent int // of its line
	line   int // index of the token that begins its line
	body   int // indentation of the first line behind it
	dedent int // first line behind it that stands no further right; 0: none yet
}

// A put is a brace to be put in before the token at the index before.
type put struct {
	before int
	opener int // of a }: the { that it closes; -1: a { is put in
}

// measure finds the tokens that begin lines and how far they are indented.
func (m *mender) measure() {
	toks := m.s.toks
	m.lines = make([]int, len(toks))
	for i := range toks {
		m.lines[i] = -1
		if k := toks[i].Kind; k != token.NL && k != token.EOF && (i == 0 || toks[i].Newline) {
			m.lines[i] = m.indent(&toks[i])
		}
	}
}

// indent is the width of the blanks before a token that begins its line.
func (m *mender) indent(t *token.Token) int {
	width := 0
	start := m.file.LineStart(m.file.LineOf(t.Span.Start))
	for _, c := range []byte(m.s.text[start:t.Span.Start]) {
		if c == '\t' {
			width += 4
		} else {
			width++
		}
	}
	return width
}

// indented reports whether what stands in braces is indented in this text, of
// which the lines behind a { at the end of a line tell.
func (m *mender) indented() bool {
	deeper, other, line := 0, 0, 0
	for i := range m.s.toks {
		if m.lines[i] >= 0 {
			line = m.lines[i]
		}
		if m.s.toks[i].Kind != token.LBrace {
			continue
		}
		if n := m.behind(i); n < len(m.lines) && m.lines[n] >= 0 {
			if m.lines[n] > line {
				deeper++
			} else {
				other++
			}
		}
	}
	return deeper > 2*other || deeper > 0 && other <= 1
}

// behind is the index of the token behind i, line breaks aside.
func (m *mender) behind(i int) int {
	for i++; i < len(m.s.toks) && m.s.toks[i].Kind == token.NL; i++ {
	}
	return i
}

// insert puts the braces in and reports each.
func (m *mender) insert() {
	if len(m.puts) == 0 {
		return
	}
	slices.SortStableFunc(m.puts, func(a, b put) int { return a.before - b.before })
	old, docs, puts := m.s.toks, m.s.docs, m.puts
	m.s.toks = make([]token.Token, 0, len(old)+2*len(puts))
	m.s.docs = make(map[int]string, len(docs))
	for i := range old {
		for ; len(puts) > 0 && puts[0].before == i; puts = puts[1:] {
			m.put(puts[0], old)
		}
		if doc, ok := docs[i]; ok {
			m.s.docs[len(m.s.toks)] = doc
		}
		m.s.toks = append(m.s.toks, old[i])
	}
}

// put appends a brace at the end of what was read so far, before the line break
// that follows that.
func (m *mender) put(p put, old []token.Token) {
	toks := m.s.toks
	var nl []token.Token
	if n := len(toks); n > 0 && toks[n-1].Kind == token.NL {
		nl, toks = append(nl, toks[n-1]), toks[:n-1]
	}
	if len(toks) == 0 {
		return
	}
	last := &toks[len(toks)-1]
	end := int(last.Span.End)
	place := m.s.span(end, end)
	kind := token.RBrace
	if p.opener < 0 {
		kind = token.LBrace
		m.s.diags.Add(say.MissingBrace(last.Span, "the head of this block", &old[p.before]))
	} else {
		opener := old[p.opener].Span
		m.s.diags.Add(say.UnclosedBrace(place, opener, m.file.Position(opener.Start)))
	}
	toks = append(toks, token.Token{Kind: kind, Match: -1, Span: place})
	m.s.toks = append(toks, nl...)
}
