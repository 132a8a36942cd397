package format

import (
	"strings"
	"unicode/utf8"
)

// A frame is a doc that is still to be laid out.
type frame struct {
	doc    *doc
	indent int  // blanks at the beginning of a line
	flat   bool // in a group that fits on one line
}

// A page is what is laid out so far.
type page struct {
	out     strings.Builder
	line    int    // number of the line that is being written
	column  int    // characters on it
	indent  int    // how many of them are its indentation
	fresh   bool   // nothing is on it yet
	empty   bool   // the line before it is empty, or there is none
	space   bool   // a blank is due before the next text
	inline  bool   // a comment stands just before
	rest    string // a comment that is due at the end of the line
	closed  bool   // the line must end before the next text
	aligned []mark
}

// layout decides where a document is broken. Whatever fits on a line stays on
// it: a group is broken only if it must be or if it would go over Width.
func layout(d *doc) string {
	p := &page{fresh: true, empty: true}
	if d != nil {
		p.run(d)
	}
	p.endLine()
	return align(p.out.String(), p.aligned)
}

func (p *page) run(d *doc) {
	stack := []frame{{doc: d}}
	push := func(f frame, parts ...*doc) {
		for i := len(parts) - 1; i >= 0; i-- {
			stack = append(stack, frame{parts[i], f.indent, f.flat})
		}
	}
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch f.doc.kind {
		case docConcat:
			push(f, f.doc.parts...)
		case docIndent:
			f.indent += indentation
			push(f, f.doc.parts...)
		case docFlat:
			f.flat = true
			push(f, f.doc.parts...)
		case docGroup:
			stack = p.group(f, stack)
		case docBroken:
			switch {
			case !f.flat:
				push(f, f.doc.parts...)
			case f.doc.text != "":
				p.text(f.doc.text, f.indent)
			}
		default:
			p.leaf(f)
		}
	}
}

// leaf writes a doc without parts.
func (p *page) leaf(f frame) {
	switch f.doc.kind {
	case docText:
		p.text(f.doc.text, f.indent)
	case docComma:
		p.out.WriteString(",")
		p.column++
		p.inline = false
	case docSpace:
		p.space = true
	case docHard:
		p.endLine()
	case docLine:
		switch {
		case !f.flat:
			p.endLine()
		case f.doc.text == " ":
			p.space = true
		case f.doc.text != "":
			p.word(f.doc.text)
		}
	case docSpacer:
		p.blankLine(f.doc.blank)
	case docTrail:
		if p.rest != "" {
			p.rest += " "
		}
		p.rest += f.doc.text
	case docInline:
		p.space = p.space || !p.fresh && !p.endsIn("([")
		p.text(f.doc.text, f.indent)
		p.inline = true
	case docOwn:
		p.endLine()
		p.blankLine(f.doc.blank)
		for i, l := range strings.Split(f.doc.text, "\n") {
			if i > 0 {
				p.newline()
			}
			if l != "" {
				p.text(l, f.indent)
			}
		}
		p.closed = true
	}
}

// endsIn reports whether the last character written is one of set.
func (p *page) endsIn(set string) bool {
	s := p.out.String()
	return s != "" && strings.IndexByte(set, s[len(s)-1]) >= 0
}

// text writes a text, on a new line if a comment has the rest of this one.
func (p *page) text(s string, indent int) {
	if p.rest != "" || p.closed {
		if closer := s == ")" || s == "]" || s == "}"; p.rest != "" && indent <= p.indent && !closer {
			indent = p.indent + indentation
		}
		p.endLine()
	}
	if p.inline && s != ")" && s != "]" {
		p.space = true
	}
	if p.fresh {
		p.word(strings.Repeat(" ", indent))
		p.indent = indent
	} else if p.space {
		p.word(" ")
	}
	p.fresh, p.empty, p.space, p.inline = false, false, false, false
	p.word(s)
}

func (p *page) word(s string) {
	p.out.WriteString(s)
	if n := strings.Count(s, "\n"); n > 0 {
		p.line += n
		p.column = 0
		s = s[strings.LastIndexByte(s, '\n')+1:]
	}
	p.column += utf8.RuneCountInString(s)
}

// endLine ends the line, if anything is on it.
func (p *page) endLine() {
	if p.rest != "" {
		p.aligned = append(p.aligned, mark{at: p.out.Len(), line: p.line, indent: p.indent, column: p.column})
		p.word(" " + p.rest)
		p.rest = ""
	}
	p.closed = false
	if !p.fresh {
		p.newline()
	}
}

func (p *page) newline() {
	p.out.WriteByte('\n')
	p.line++
	p.column = 0
	p.empty = p.fresh
	p.fresh, p.space, p.inline = true, false, false
}

// blankLine makes an empty line before what follows, if it is wanted and the
// place for it.
func (p *page) blankLine(wanted bool) {
	if p.closed {
		p.endLine()
	}
	if wanted && p.fresh && !p.empty {
		p.newline()
	}
}

// group decides how a group is laid out and puts what it consists of on the
// stack.
func (p *page) group(f frame, stack []frame) []frame {
	d := f.doc
	if f.flat {
		return append(stack, frame{d.parts[0], f.indent, true})
	}
	rest := stack
	if !d.hard && p.fits(rest, frame{d.parts[0], f.indent, true}) {
		return append(stack, frame{d.parts[0], f.indent, true})
	}
	if d.last != nil && !d.head.hard {
		last := frame{d.last, f.indent, false}
		if p.fits(rest, last, frame{d.head, f.indent, true}) {
			if d.tail != nil {
				stack = append(stack, frame{d.tail, f.indent, false})
			}
			return append(stack, last, frame{d.head, f.indent, true})
		}
	}
	return append(stack, frame{d.parts[0], f.indent, false})
}

// fits reports whether the frames, the last one first, and what follows up to
// the next line break have room on the line. Frames that are not flat, and what
// follows, may be broken wherever they can.
func (p *page) fits(rest []frame, frames ...frame) bool {
	m := measure{room: Width - p.column, open: p.rest != ""}
	if p.space && !p.fresh {
		m.room--
	}
	if p.fresh {
		m.room -= frames[0].indent
	}
	stack := frames
	for below := len(rest); ; {
		if len(stack) == 0 {
			if below == 0 {
				return true
			}
			below--
			stack = append(stack, rest[below])
		}
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch k := f.doc.kind; {
		case k == docIndent || k == docGroup || k == docConcat || k == docFlat, k == docBroken && !f.flat:
			f.flat = f.flat || k == docFlat
			for i := len(f.doc.parts) - 1; i >= 0; i-- {
				stack = append(stack, frame{f.doc.parts[i], f.indent, f.flat})
			}
		default:
			if ended := m.add(f); ended || m.room < 0 {
				return m.room >= 0
			}
		}
	}
}

// A measure is the room that is left on a line.
type measure struct {
	room int  // characters
	open bool // a comment has the rest of the line
}

// add takes a doc without parts onto the line; it reports whether the line ends
// there.
func (m *measure) add(f frame) bool {
	switch d := f.doc; d.kind {
	case docHard, docOwn:
		return true
	case docLine:
		if !f.flat {
			return true
		}
		m.room -= len(d.text)
	case docText, docBroken:
		if m.open && d.text != "" {
			return true
		}
		first, _, many := strings.Cut(d.text, "\n")
		m.room -= utf8.RuneCountInString(first)
		return many
	case docComma, docSpace:
		m.room--
	case docInline:
		m.room -= utf8.RuneCountInString(d.text) + 2
	case docTrail:
		m.open = true
	}
	return false
}
