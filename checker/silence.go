package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
)

// silence is a part of a program of which little is said, because parts of it
// could not be read.
type silence struct {
	all    source.Span
	unread []source.Span // each to the end of the block that it stands in
}

// silent keeps the checker silent about a node with parts that could not be read.
func (c *checker) silent(n ast.Item) {
	s := silence{all: n.Span()}
	if nameless(n) {
		s.unread = append(s.unread, n.Span())
	}
	s.look(n, n, n.Span().End)
	c.mute = append(c.mute, s)
}

// after is what is unread of a statement behind s: all of it, if names could have
// been declared in what could not be read.
func (s silence) after(it ast.Item) []source.Span {
	for _, u := range s.unread {
		if u.Holds(s.all) {
			return []source.Span{it.Span()}
		}
	}
	return nil
}

// look finds what could not be read below n; first is the statement of the
// innermost block around it, end where that block ends.
func (s *silence) look(n, first ast.Node, end uint32) {
	switch n := n.(type) {
	case *ast.Bad, *ast.BadItem, *ast.BadPattern, *ast.BadType:
		at := first.Span()
		at.End = max(at.End, end)
		s.unread = append(s.unread, at)
	case *ast.Block:
		for _, x := range n.Stmts {
			s.look(x, x, n.Span().End)
		}
	default:
		eachKid(n, func(k ast.Node) { s.look(k, first, end) })
	}
}
