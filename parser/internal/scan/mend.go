package scan

import (
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
)

// mend puts in the closing braces that were forgotten, where indentation shows
// the place. Nesting alone blames the wrong one: a forgotten } lets every later
// } close one block too few, and the mistake shows at the end of the file.
//
// It runs only if the file has more { than }. A } that begins a line and stands
// left of the line of its opener closes more than that; so the opener is the
// one not closed, and its } belongs before the first line behind it that stands
// no further right than its own. In a text that is not indented nothing is done
// and the parser finds the place by words that begin declarations.
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
	if m.missing <= 0 {
		return
	}
	m.run()
	m.insert()
}

type mender struct {
	s       *scanner
	file    *source.File
	missing int
	stack   []opener
	puts    []put
}

// An opener is a { on the way.
type opener struct {
	tok    int
	indent int
	dedent int // first line behind it that stands no further right; 0: none yet
	doubt  bool
}

// A put is a } to be put in before the token at index before.
type put struct{ before, opener int }

func (m *mender) run() {
	line := -1 // indentation of the current line
	fresh := true
	for i := range m.s.toks {
		t := &m.s.toks[i]
		if t.Kind == token.NL {
			continue
		}
		begins := fresh || t.Newline
		fresh = false
		if begins {
			line = m.indent(t)
			m.note(i, line)
		}
		switch t.Kind {
		case token.LBrace:
			m.stack = append(m.stack, opener{tok: i, indent: line})
		case token.RBrace:
			for begins && len(m.stack) > 1 && m.missing > 0 && m.top().indent > line && !m.top().doubt {
				m.unclosed(i)
			}
			if n := len(m.stack); n > 0 {
				m.stack = m.stack[:n-1]
			}
		}
	}
	for m.missing > 0 && len(m.stack) > 0 {
		if o := m.top(); o.dedent == 0 || o.doubt {
			m.stack = m.stack[:len(m.stack)-1]
			continue
		}
		m.unclosed(0)
	}
}

func (m *mender) top() *opener { return &m.stack[len(m.stack)-1] }

// unclosed takes the innermost opener as the one that lacks its }, which
// belongs before the token i if no line showed a better place.
func (m *mender) unclosed(i int) {
	o := *m.top()
	m.stack = m.stack[:len(m.stack)-1]
	m.missing--
	if o.dedent > 0 {
		i = o.dedent
	}
	m.puts = append(m.puts, put{before: i, opener: o.tok})
}

// note looks at a token that begins a line with regard to the openers around.
func (m *mender) note(i, indent int) {
	t := &m.s.toks[i]
	if t.Kind != token.Word || token.BreaksNoLine(t.Text) || t.Text == "compensate" {
		return
	}
	for n := len(m.stack) - 1; n >= 0 && m.stack[n].indent >= indent; n-- {
		o := &m.stack[n]
		if o.dedent > 0 {
			return
		}
		o.dedent = i
		o.doubt = m.follows(o.tok, i)
	}
}

// follows reports whether the token i is the first behind the opener: then
// indentation means nothing in this text.
func (m *mender) follows(opener, i int) bool {
	for opener++; opener < i && m.s.toks[opener].Kind == token.NL; opener++ {
	}
	return opener == i
}

// indent is the width of the blanks before a token that begins its line.
func (m *mender) indent(t *token.Token) int {
	width := 0
	start := m.file.LineStart(m.file.Position(t.Span.Start).Line)
	for _, c := range []byte(m.s.text[start:t.Span.Start]) {
		if c == '\t' {
			width += 4
		} else {
			width++
		}
	}
	return width
}

// insert puts the braces in and reports each.
func (m *mender) insert() {
	if len(m.puts) == 0 {
		return
	}
	at := map[int][]put{}
	for _, p := range m.puts {
		at[p.before] = append(at[p.before], p)
	}
	old, docs := m.s.toks, m.s.docs
	m.s.toks = make([]token.Token, 0, len(old)+2*len(m.puts))
	m.s.docs = make(map[int]string, len(docs))
	for i := range old {
		for _, p := range at[i] {
			m.closeBefore(old[p.opener].Span)
		}
		if doc, ok := docs[i]; ok {
			m.s.docs[len(m.s.toks)] = doc
		}
		m.s.toks = append(m.s.toks, old[i])
	}
}

// closeBefore appends a } for the opener at the end of what was read so far.
func (m *mender) closeBefore(opener source.Span) {
	toks := m.s.toks
	var nl []token.Token
	if n := len(toks); n > 0 && toks[n-1].Kind == token.NL {
		nl, toks = append(nl, toks[n-1]), toks[:n-1]
	}
	end := int(opener.End)
	if n := len(toks); n > 0 {
		end = int(toks[n-1].Span.End)
	}
	place := m.s.span(end, end)
	m.s.diags.Add(say.UnclosedBrace(place, opener, m.file.Position(opener.Start)))
	toks = append(toks, token.Token{Kind: token.RBrace, Match: -1, Span: place})
	m.s.toks = append(toks, nl...)
}
