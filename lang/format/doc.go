package format

import "strings"

// A doc is a text that may be laid out in several ways. Docs are built bottom
// up and never change; nil is the empty one.
type doc struct {
	kind  docKind
	text  string
	parts []*doc
	blank bool // of own and spacer: a blank line before it

	// Of a group that may keep its beginning on one line and break only in its
	// last part: the two, and what closes them.
	head, last, tail *doc

	hard  bool // it has a line break in every layout
	solid bool // it has a text, other than a comma
	open  bool // it ends in a comment that must have the rest of its line
}

type docKind uint8

const (
	docText   docKind = iota
	docComma          // a comma: it goes before a comment that stands behind what it follows
	docSpace          // a blank, unless at the beginning of a line
	docLine           // a line break, or its text in a group that fits on one line
	docHard           // a line break
	docSpacer         // at the beginning of a line: a blank line, if blank
	docConcat         // its parts, one after the other
	docIndent         // its part, one level deeper
	docGroup          // its part, on one line if it fits
	docFlat           // its part, never broken
	docBroken         // its part, in a group that is broken; its text else
	docTrail          // a comment with nothing but a comma behind it on its line
	docOwn            // a comment on lines of its own
	docInline         // a comment in the middle of a line
)

func str(s string) *doc {
	if s == "" {
		return nil
	}
	return &doc{kind: docText, text: s, solid: true}
}

func comma() *doc { return &doc{kind: docComma, text: ","} }
func space() *doc { return &doc{kind: docSpace} }
func hard() *doc  { return &doc{kind: docHard, hard: true} }

// line is a place where a group may be broken; whole is what stands there if it
// is not.
func line(whole string) *doc { return &doc{kind: docLine, text: whole} }

// broken is then in a group that is broken, and whole in one that is not.
func broken(then *doc, whole string) *doc {
	return &doc{kind: docBroken, parts: []*doc{then}, text: whole}
}

func indent(parts ...*doc) *doc { return wrap(docIndent, concat(parts...)) }

func group(parts ...*doc) *doc { return wrap(docGroup, concat(parts...)) }

// flat is never broken, unless a comment in it must be.
func flat(d *doc) *doc {
	if d == nil || d.hard {
		return d
	}
	return wrap(docFlat, d)
}

// breakIf is a group that is broken in any case if the condition holds.
func breakIf(cond bool, parts ...*doc) *doc {
	g := group(parts...)
	if g != nil && cond {
		g.hard = true
	}
	return g
}

func wrap(k docKind, d *doc) *doc {
	if d == nil {
		return nil
	}
	return &doc{kind: k, parts: []*doc{d}, hard: d.hard, solid: d.solid, open: d.open}
}

// concat puts docs one behind the other.
func concat(parts ...*doc) *doc {
	out := &doc{kind: docConcat}
	for _, p := range parts {
		if p == nil {
			continue
		}
		out.parts = append(out.parts, p)
		if p.hard || out.open && p.solid {
			out.hard = true
		}
		if p.solid || p.hard {
			out.open = p.open
		}
		out.solid = out.solid || p.solid
	}
	switch len(out.parts) {
	case 0:
		return nil
	case 1:
		return out.parts[0]
	}
	return out
}

// join puts docs behind each other with sep between them.
func join(docs []*doc, sep *doc) *doc {
	var parts []*doc
	for i, d := range docs {
		if i > 0 {
			parts = append(parts, sep)
		}
		parts = append(parts, d)
	}
	return concat(parts...)
}

// trailing are comments at the end of a line, nil if there are none.
func trailing(cs []comment) *doc {
	if len(cs) == 0 {
		return nil
	}
	texts := make([]string, len(cs))
	for i, c := range cs {
		texts[i] = c.text
	}
	return &doc{kind: docTrail, text: strings.Join(texts, " "), solid: true, open: true}
}

// leading is a comment before a token. first says that a blank line before it
// would be one at the beginning of a block.
func leading(c comment, first bool) *doc {
	if c.inline {
		return &doc{kind: docInline, text: c.text, solid: true}
	}
	return &doc{kind: docOwn, text: unindent(c.text, c.column), blank: c.blank && !first, hard: true, solid: true, open: true}
}

// unindent takes the indentation of a comment's first line, in characters, from
// its other lines.
func unindent(text string, column int) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		l := lines[i]
		for n := 0; n < column && l != "" && (l[0] == ' ' || l[0] == '\t'); n++ {
			l = l[1:]
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}
