package scan

import "github.com/wf-lang/wf/lang/token"

// findUnclosed looks for { without }. A } that begins a line and stands left
// of the line of its opener closes more than that; so the opener is the one
// not closed, and its } belongs before the first line behind it that stands no
// further right than its own.
func (m *mender) findUnclosed() {
	line := 0
	for i := range m.s.toks {
		if m.lines[i] >= 0 {
			line = m.lines[i]
			m.note(i, line)
		}
		switch m.s.toks[i].Kind {
		case token.LBrace:
			m.stack = append(m.stack, opener{tok: i, indent: line})
		case token.RBrace:
			for m.lines[i] >= 0 && len(m.stack) > 1 && m.missing > 0 && m.top().indent > line {
				m.unclosed(i)
			}
			if n := len(m.stack); n > 0 {
				m.stack = m.stack[:n-1]
			}
		}
	}
	for m.missing > 0 && len(m.stack) > 0 {
		if m.top().dedent == 0 {
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
	if t := &m.s.toks[i]; t.Kind != token.Word || token.BreaksNoLine(t.Text) {
		return
	}
	for n := len(m.stack) - 1; n >= 0 && m.stack[n].indent >= indent; n-- {
		if o := &m.stack[n]; o.dedent > 0 {
			return
		}
		m.stack[n].dedent = i
	}
}
