package format

import (
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
)

// A walker goes through a tree and, at the same pace, through the pieces of its
// text. A piece that is not what the tree lets expect makes it fail; the
// nearest guard - around each statement, arm, member and declaration - takes
// that back and copies the construct.
type walker struct {
	text   string
	all    []ast.Comment // comments
	pieces []piece
	copied int // constructs that were copied
	cursor
}

// A cursor is where a walker is.
type cursor struct {
	pos    int       // index of the next piece
	led    int       // up to which piece the comments before it are written
	carry  []comment // comments of pieces that were left out
	failed bool
}

func newWalker(file *source.File, tree *ast.File) *walker {
	return &walker{text: file.Text, all: tree.Comments, pieces: lex(file.Text, tree.Comments)}
}

func (w *walker) peek() *piece { return &w.pieces[w.pos] }

// at reports whether the next piece is the given symbol or word.
func (w *walker) at(s string) bool {
	p := w.peek()
	return (p.kind == symbol || p.kind == word) && p.text == s
}

// take writes the next piece with the comments around it.
func (w *walker) take() *doc { return w.takeAs(w.peek().text) }

// takeAs is take with another spelling.
func (w *walker) takeAs(text string) *doc {
	p := w.peek()
	if p.kind == endOfFile {
		w.failed = true
		return nil
	}
	d := concat(w.lead(true), str(strings.ReplaceAll(text, "\r\n", "\n")), trailing(p.trail))
	w.pos++
	return d
}

// expect writes the next piece, which must be the symbol or word s.
func (w *walker) expect(s string) *doc {
	w.passBreaks()
	if !w.at(s) {
		w.failed = true
		return nil
	}
	return w.take()
}

// name writes a name of the tree, which must be the next piece.
func (w *walker) name(n ast.Word) *doc { return w.leaf(n) }

// leaf writes a node that is one piece.
func (w *walker) leaf(n ast.Node) *doc {
	if s, ok := n.(*ast.Interp); ok {
		return w.interpolated(s)
	}
	if !w.atNode(n) {
		w.failed = true
		return nil
	}
	return w.take()
}

// atNode reports whether a node is the next piece.
func (w *walker) atNode(n ast.Node) bool {
	w.passBreaks()
	p := w.peek()
	return p.kind != bad && p.start == int(n.Span().Start) && p.end == int(n.Span().End)
}

// passBreaks passes over semicolons: within a construct they stand where line
// breaks mean nothing.
func (w *walker) passBreaks() {
	for w.at(";") {
		w.pass()
	}
}

// drop passes over the next piece, a separator that is not written or written
// in another way. It gives the comments that are to stand behind what comes
// before it; others go to what follows.
func (w *walker) drop() []comment {
	p := w.peek()
	if w.pos == 0 || p.line != w.pieces[w.pos-1].lastLine || w.led > w.pos {
		w.pass()
		return nil
	}
	w.pos++
	w.led = w.pos
	return append(p.lead[:len(p.lead):len(p.lead)], p.trail...)
}

// behind are the comments at a comma that is written.
func behind(cs []comment) *doc {
	n := 0
	var inline []*doc
	for n < len(cs) && cs[n].inline {
		inline = append(inline, leading(cs[n], true))
		n++
	}
	return concat(append(inline, trailing(cs[n:]))...)
}

// pass passes over the next piece; all of its comments go to what follows.
func (w *walker) pass() {
	p := w.peek()
	w.carry = w.carry[:len(w.carry):len(w.carry)]
	if w.led <= w.pos {
		w.carry = append(w.carry, p.lead...)
	}
	w.carry = append(w.carry, p.trail...)
	for i := range w.carry {
		w.carry[i].own, w.carry[i].inline = true, false
	}
	w.pos++
	w.led = w.pos
}

// lead writes the comments before the next piece, unless they are written, and
// the blank lines between them and before it, of which one is left. first says
// that there may be none at the beginning.
func (w *walker) lead(first bool) *doc {
	if w.led > w.pos && len(w.carry) == 0 {
		return nil
	}
	d := w.comments(first)
	if p := w.peek(); p.blank && (d != nil || !first) {
		d = concat(d, &doc{kind: docSpacer, blank: true})
	}
	return d
}

// comments is lead without the blank line before the piece itself.
func (w *walker) comments(first bool) *doc {
	all := w.carry
	if w.led <= w.pos {
		all = append(all[:len(all):len(all)], w.peek().lead...)
	}
	w.led, w.carry = w.pos+1, nil
	var parts []*doc
	for i, c := range all {
		parts = append(parts, leading(c, first && i == 0))
	}
	return concat(parts...)
}

// closing is lead for a closing bracket: the comments that stand on lines of
// their own, and those on its line.
func (w *walker) closing(first bool) (own, inline *doc) {
	d := w.comments(first)
	if d != nil && d.hard {
		return d, nil
	}
	return nil, d
}

// guard walks through a node; if that fails, or does not end where the node
// ends, the node is copied.
func (w *walker) guard(n ast.Node, walk func() *doc) *doc {
	start, end := w.cursor, int(n.Span().End)
	d := walk()
	if !w.failed && w.pos > 0 && w.pieces[w.pos-1].end <= end && w.peek().start >= end {
		return d
	}
	w.cursor = start
	return w.copy(end)
}

// copy writes the pieces up to the offset end as they stand in the text.
func (w *walker) copy(end int) *doc {
	p := w.peek()
	if p.kind == endOfFile || p.start >= end {
		return nil
	}
	w.copied++
	lead := w.lead(true)
	from := p.start
	for w.peek().kind != endOfFile && w.peek().start < end {
		w.pos++
	}
	last := &w.pieces[w.pos-1]
	text := strings.ReplaceAll(w.text[from:last.end], "\r\n", "\n")
	d := str(text)
	d.hard = strings.Contains(text, "\n")
	w.led = w.pos
	return concat(lead, d, trailing(last.trail))
}

// A sequence is what stands, each on lines of its own, in a block or file.
type sequence struct {
	nodes []ast.Node
	walk  func(i int) *doc
	drop  string // what may stand between two of them and is left out
	end   int    // the offset at which the sequence ends
}

// sequence walks through its nodes. What stands between them and belongs to
// none is copied.
func (w *walker) sequence(s sequence) []*doc {
	var out []*doc
	for i, n := range s.nodes {
		out = w.between(s, int(n.Span().Start), out)
		if int(n.Span().Start) < w.peek().start || n.Span().End == n.Span().Start {
			continue // it was copied with what stands before it, or it is nothing
		}
		beside := !strings.Contains(s.drop, ",") && w.besideComma()
		lead := w.lead(len(out) == 0)
		switch d := concat(lead, w.guard(n, func() *doc { return s.walk(i) })); {
		case d == nil:
		case beside && len(out) > 0:
			out[len(out)-1] = concat(out[len(out)-1], space(), d)
		default:
			out = append(out, d)
		}
	}
	return w.between(s, s.end, out)
}

// besideComma reports whether the next piece stands on the line of a comma that
// is before it.
func (w *walker) besideComma() bool {
	if w.pos == 0 {
		return false
	}
	before := &w.pieces[w.pos-1]
	return before.text == "," && before.line == w.peek().line
}

// between copies what stands before the offset end, separators apart.
func (w *walker) between(s sequence, end int, out []*doc) []*doc {
	for w.peek().kind != endOfFile && w.peek().start < end {
		p := w.peek()
		switch separates := p.kind == symbol && strings.Contains(s.drop, p.text); {
		case separates && len(out) > 0 && p.text != "|":
			out[len(out)-1] = concat(out[len(out)-1], trailing(w.drop()))
		case separates:
			w.pass()
		case p.text == "," && len(out) > 0 && p.line == w.pieces[w.pos-1].lastLine: // a mistake
			w.copied++
			out[len(out)-1] = concat(out[len(out)-1], w.take())
		default:
			lead := w.lead(len(out) == 0)
			out = append(out, concat(lead, w.copy(end)))
		}
	}
	return out
}

// file walks through all.
func (w *walker) file(tree *ast.File) *doc {
	items := w.sequence(sequence{
		nodes: nodes(tree.Items), drop: ";", end: len(w.text),
		walk: func(i int) *doc { return w.item(tree.Items[i]) },
	})
	if end := w.comments(len(items) == 0); end != nil {
		items = append(items, end)
	}
	return join(items, hard())
}

// nodes are the elements of a list as nodes.
func nodes[T ast.Node](list []T) []ast.Node {
	out := make([]ast.Node, len(list))
	for i, n := range list {
		out[i] = n
	}
	return out
}
