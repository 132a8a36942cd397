package checker

import (
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// listed reports whether a column asks how long a list is.
func listed(rows [][]program.Pattern) bool {
	for _, r := range rows {
		if _, ok := r[0].(*program.ListOf); ok {
			return true
		}
	}
	return false
}

// lists is a column of list patterns: each length that some pattern tells from
// others is a case of its own, and so are all that are longer.
func (s *cases) lists(rows [][]program.Pattern, cols []*types.Type, elem *types.Type) ([]string, bool) {
	longest := 0
	for _, r := range rows {
		if l, ok := r[0].(*program.ListOf); ok {
			longest = max(longest, len(l.Before)+len(l.After))
		}
	}
	for n := range longest + 2 {
		var sub [][]program.Pattern
		for _, r := range rows {
			if elems, ok := ofLength(r[0], n); ok {
				sub = append(sub, append(elems, r[1:]...))
			}
		}
		inner := make([]*types.Type, n, n+len(cols))
		for i := range inner {
			inner[i] = elem
		}
		if out, ok := s.missing(sub, append(inner, cols[1:]...), true); ok {
			return put("["+strings.Join(out[:n], ", ")+"]", out[n:]), true
		}
	}
	return nil, false
}

// ofLength is what a pattern asks of the elements of a list with n of them;
// false if it takes no such list.
func ofLength(p program.Pattern, n int) ([]program.Pattern, bool) {
	l, ok := p.(*program.ListOf)
	if !ok {
		return anything(n), takesAll(p)
	}
	fixed := len(l.Before) + len(l.After)
	if n < fixed || n > fixed && !l.HasRest {
		return nil, false
	}
	out := append([]program.Pattern{}, l.Before...)
	out = append(out, anything(n-fixed)...)
	return append(out, l.After...), true
}
