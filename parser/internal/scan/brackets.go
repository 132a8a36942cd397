package scan

import "github.com/wf-lang/wf/lang/token"

// match stores in every bracket the index of its partner. Where brackets do
// not balance, a closer ends what was opened inside its own opener; a ) or ]
// does not reach over a {, whose } was mended before if it had been forgotten.
func match(toks []token.Token) {
	m := matcher{toks: toks}
	for i := range toks {
		switch toks[i].Kind {
		case token.LParen, token.LBrack, token.LBrace, token.Interp:
			m.stack = append(m.stack, i)
			m.open[bracket(toks[i].Kind)]++
		case token.RParen, token.RBrack, token.RBrace, token.InterpEnd:
			m.close(i)
		}
	}
}

type matcher struct {
	toks  []token.Token
	stack []int
	open  [4]int // how many of each kind the stack holds
}

// bracket numbers the four kinds of brackets.
func bracket(k token.Kind) int {
	switch k {
	case token.Interp, token.InterpEnd:
		return 0
	case token.LParen, token.RParen:
		return 1
	case token.LBrack, token.RBrack:
		return 2
	}
	return 3
}

// close finds the opener of the closer at i. What it pops it pops for good, so
// all closers together cost no more than one walk.
func (m *matcher) close(i int) {
	kind := bracket(m.toks[i].Kind)
	if m.open[kind] == 0 || !m.reaches(kind) {
		return
	}
	for {
		n := len(m.stack) - 1
		at := m.stack[n]
		m.stack = m.stack[:n]
		k := bracket(m.toks[at].Kind)
		m.open[k]--
		if k == kind {
			m.toks[at].Match, m.toks[i].Match = int32(i), int32(at)
			return
		}
	}
}

// reaches reports whether a closer of the kind may close over what lies on top
// of the stack: ) and ] over each other only, } over those, the } of ${ over all.
func (m *matcher) reaches(kind int) bool {
	switch kind {
	case 0:
		return true
	case 3:
		for n := len(m.stack) - 1; n >= 0; n-- {
			if k := bracket(m.toks[m.stack[n]].Kind); k == 3 || k == 0 {
				return k == 3
			}
		}
		return false
	}
	// A few steps decide in any text that people write; beyond them a closer
	// counts as stray, so that the walk stays linear.
	for n, steps := len(m.stack)-1, 0; n >= 0 && steps < 64; n, steps = n-1, steps+1 {
		switch bracket(m.toks[m.stack[n]].Kind) {
		case kind:
			return true
		case 0, 3:
			return false
		}
	}
	return false
}
