package scan

import "github.com/wf-lang/wf/lang/token"

// findUnopened looks for } without {. A } that begins a line and stands right
// of the line of its opener does not belong to that: its own opener is missing,
// or was closed too early by a } inside a line. The line that it belongs to is
// the last one before it that stands as far right.
func (m *mender) findUnopened() {
	var heads []int // tokens that begin lines, each further right than the one before
	ended := map[int]closed{}
	line, begin := 0, 0
	head := func(i, indent int) {
		for n := len(heads); n > 0 && m.lines[heads[n-1]] >= indent; n-- {
			heads = heads[:n-1]
		}
		heads = append(heads, i)
	}
	for i := range m.s.toks {
		if m.lines[i] >= 0 {
			line, begin = m.lines[i], i
		}
		switch m.s.toks[i].Kind {
		case token.LBrace:
			if m.s.toks[begin].Kind == token.RBrace { // } else {
				head(begin, line)
			}
			m.stack = append(m.stack, opener{tok: i, indent: line, line: begin})
		case token.RBrace:
			if m.lines[i] >= 0 && m.missing < 0 && (len(m.stack) == 0 || m.top().indent < line) && m.reopen(i, line, heads, ended) {
				break
			}
			if n := len(m.stack); n > 0 {
				if o := m.top(); m.lines[i] < 0 && o.line != begin {
					ended[o.line] = closed{by: i, opener: *o}
				}
				m.stack = m.stack[:n-1]
			}
		}
		if m.lines[i] >= 0 && m.s.toks[i].Kind != token.RBrace {
			head(i, line)
		}
	}
}

// closed is an opener whose } stood inside a later line.
type closed struct {
	by     int
	opener opener
}

// reopen finds what the } at i, which begins a line with the given
// indentation, closes. It reports whether it did.
func (m *mender) reopen(i, indent int, heads []int, ended map[int]closed) bool {
	for n := len(heads); n > 0 && m.lines[heads[n-1]] >= indent; n-- {
		head := heads[n-1]
		if m.lines[head] != indent || len(m.stack) > 0 && head <= m.top().tok {
			continue
		}
		if c, ok := ended[head]; ok {
			m.s.toks[c.by].Kind = token.Stray
			delete(ended, head)
			m.missing++
			return true
		}
		end := m.lineEnd(head)
		if end >= i { // nothing stands between
			m.s.toks[i].Kind = token.Stray
			m.missing++
			return true
		}
		if m.s.toks[end-1].Kind == token.LBrace || end > 1 && m.s.toks[end-2].Kind == token.LBrace {
			return false
		}
		m.puts = append(m.puts, put{before: end, opener: -1})
		m.missing++
		return true
	}
	return false
}

// lineEnd is the index of the first token that stands on a later line than the
// token i.
func (m *mender) lineEnd(i int) int {
	for i++; i < len(m.s.toks)-1 && m.lines[i] < 0; i++ {
	}
	return i
}
