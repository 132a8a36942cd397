package scan

import (
	"slices"

	"github.com/wf-lang/wf/lang/token"
)

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
		switch k := m.s.toks[i].Kind; k {
		case token.LBrace, token.LParen, token.LBrack:
			m.stack = append(m.stack, opener{tok: i, indent: line})
		case token.RParen, token.RBrack:
			m.closeParen(i, k)
		case token.RBrace:
			m.dropParens()
			for m.lines[i] >= 0 && len(m.stack) > 1 && m.missing > 0 && m.top().indent > line {
				m.unclosed(i)
				m.dropParens()
			}
			if n := len(m.stack); n > 0 {
				m.stack = m.stack[:n-1]
			}
		}
	}
	for m.missing > 0 && len(m.stack) > 0 {
		if !m.isBrace(m.top()) || m.top().dedent == 0 {
			m.stack = m.stack[:len(m.stack)-1]
			continue
		}
		m.unclosed(0)
	}
}

func (m *mender) isBrace(o *opener) bool { return m.s.toks[o.tok].Kind == token.LBrace }

// dropParens forgets ( and [ that a } closes over.
func (m *mender) dropParens() {
	for len(m.stack) > 0 && !m.isBrace(m.top()) {
		m.stack = m.stack[:len(m.stack)-1]
	}
}

// closeParen finds the opener of a ) or ]. If that lies outside of an open {,
// the } of that is what is missing.
func (m *mender) closeParen(i int, k token.Kind) {
	const far = 16 // brackets in one another that an author may lose count of
	open, braces := token.LParen, 0
	if k == token.RBrack {
		open = token.LBrack
	}
	n := len(m.stack) - 1
	for ; n >= 0 && len(m.stack)-n < far && m.s.toks[m.stack[n].tok].Kind != open; n-- {
		if m.isBrace(&m.stack[n]) {
			braces++
		}
	}
	if n < 0 || len(m.stack)-n >= far || braces > m.missing {
		return
	}
	for len(m.stack) > n+1 {
		if m.isBrace(m.top()) {
			m.unclosed(i)
		} else {
			m.stack = m.stack[:len(m.stack)-1]
		}
	}
	m.stack = m.stack[:n]
}

func (m *mender) top() *opener { return &m.stack[len(m.stack)-1] }

// unclosed takes the innermost opener as the one that lacks its }, which
// belongs before the token i if no line showed a better place. If only the one
// around it has such a line, as a block with a broken `} else {` behind it,
// that one is taken.
func (m *mender) unclosed(i int) {
	n := len(m.stack) - 1
	if n > 0 && m.stack[n].dedent == 0 && m.isBrace(&m.stack[n-1]) && m.stack[n-1].dedent > 0 {
		n--
	}
	o := m.stack[n]
	m.stack = slices.Delete(m.stack, n, n+1)
	m.missing--
	if o.dedent > 0 {
		i = o.dedent
	}
	m.puts = append(m.puts, put{before: i, opener: o.tok})
}

// note looks at a token that begins a line with regard to the openers around:
// one that stands no further right than the line of the opener, or further
// left than the first line behind it, is not inside.
func (m *mender) note(i, indent int) {
	if m.s.toks[i].Kind != token.Word {
		return
	}
	for n := len(m.stack) - 1; n >= 0; n-- {
		o := &m.stack[n]
		if o.dedent > 0 {
			return
		}
		switch {
		case indent <= o.indent, o.body > 0 && indent < o.body:
			o.dedent = i
		case o.body == 0:
			o.body = indent
			return
		default:
			return
		}
	}
}
