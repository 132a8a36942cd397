package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/source"
)

// RenderOptions say how diagnostics are shown.
type RenderOptions struct {
	Color bool // with the escape sequences of a terminal
	Width int  // columns of the terminal, which no source line goes beyond; 0: unbounded
}

const (
	widest    = 160 // columns of a source line that is shown whole, wherever it is shown
	narrowest = 20  // columns of a source line that are shown, wherever it is shown
)

// Render writes diagnostics for people: what is wrong and where, the line with
// the place marked, the other parties with their lines, and what to do. An
// error in writing ends it silently; whoever gave the writer knows it.
func Render(w io.Writer, set *source.Set, l List, opts RenderOptions) {
	for i, d := range l {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return
			}
		}
		if _, err := io.WriteString(w, renderOne(set, d, opts)); err != nil {
			return
		}
	}
}

func renderOne(set *source.Set, d Diagnostic, opts RenderOptions) string {
	r := renderer{set: set, color: opts.Color, room: widest}
	tint := red
	if d.Severity == Warning {
		tint = yellow
	}
	head := d.Severity.String()
	if d.Code != "" {
		head += "[" + string(d.Code) + "]"
	}
	gutter := r.gutter(d)
	if opts.Width > 0 {
		r.room = max(narrowest, min(widest, opts.Width-gutter-len("   | ")-1)) // the last one for a mark behind the line
	}
	r.out.WriteString(r.place(d.Span) + r.paint(tint, head) + ": " + r.paint(bold, clean(d.Message)) + "\n")
	r.snippet(d.Span, gutter, "^", tint)
	for _, label := range d.Labels {
		r.out.WriteString(r.pad(gutter) + r.paint(blue, "--> ") + r.place(label.Span) + clean(label.Text) + "\n")
		r.snippet(label.Span, gutter, "-", blue)
	}
	if d.Help != "" {
		r.out.WriteString(r.pad(gutter) + r.paint(cyan, "help") + ": " + clean(d.Help) + "\n")
	}
	return r.out.String()
}

type renderer struct {
	set   *source.Set
	color bool
	room  int // columns for a source line
	out   strings.Builder
}

// The colours of a terminal.
const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
	cyan   = "1;36"
)

func (r *renderer) paint(tint, text string) string {
	if !r.color || text == "" {
		return text
	}
	return "\x1b[" + tint + "m" + text + "\x1b[0m"
}

// place is "file:line:column: ", empty if the span names no file.
func (r *renderer) place(sp source.Span) string {
	if r.set.File(sp) == nil {
		return ""
	}
	p := r.set.Position(sp)
	return fmt.Sprintf("%s:%d:%d: ", clean(p.File), p.Line, p.Column)
}

// gutter is the width of the largest line number that is shown.
func (r *renderer) gutter(d Diagnostic) int {
	width := len(fmt.Sprint(r.set.Position(d.Span).Line))
	for _, l := range d.Labels {
		width = max(width, len(fmt.Sprint(r.set.Position(l.Span).Line)))
	}
	return width
}

func (r *renderer) pad(gutter int) string { return strings.Repeat(" ", gutter+3) }

// snippet writes the line of a span and under it the marks.
func (r *renderer) snippet(sp source.Span, gutter int, mark, tint string) {
	f := r.set.File(sp)
	if f == nil {
		return
	}
	n := f.LineOf(min(sp.Start, uint32(len(f.Text))))
	line := f.Line(n)
	start := int(sp.Start - f.LineStart(n))
	end := int(max(sp.End, sp.Start) - f.LineStart(n))
	shown, indent, marks := excerpt(line, min(start, len(line)), min(end, len(line)), r.room)
	bar := r.paint(blue, "|")
	fmt.Fprintf(&r.out, "  %s %s %s\n", r.paint(blue, fmt.Sprintf("%*d", gutter, n)), bar, shown)
	fmt.Fprintf(&r.out, "  %*s %s %s%s\n", gutter, "", bar, indent, r.paint(tint, strings.Repeat(mark, marks)))
}

// excerpt is what is shown of a line in so many columns, the blanks that stand
// under what is left of the marked bytes, and the number of marks. Of a long line
// only the part around the marked place is looked at, so that a file of one line
// costs no more than any other.
func excerpt(line string, start, end, room int) (shown, indent string, marks int) {
	from, to := 0, len(line)
	if forth(line, 0, room) < len(line) {
		from, to = around(line, start, room)
	}
	var text, blank strings.Builder
	if from > 0 {
		text.WriteString("…")
		blank.WriteByte(' ')
	}
	for i := from; i < to; {
		c, n := utf8.DecodeRuneInString(line[i:])
		c = visible(c, i == 0)
		if c >= 0 {
			text.WriteRune(c)
		}
		switch {
		case i >= start && i < end:
			marks += Columns(c)
		case i < start && c == '\t':
			blank.WriteByte('\t')
		case i < start:
			blank.WriteString(strings.Repeat(" ", Columns(c)))
		}
		i += n
	}
	if to < len(line) {
		text.WriteString("…")
	}
	return strings.TrimRight(text.String(), " \t"), blank.String(), max(marks, 1)
}

// around bounds the part of a long line that is shown in so many columns, two of
// which are for what stands where the line is cut.
func around(line string, start, room int) (from, to int) {
	room -= 2
	from = back(line, start, room*3/8)
	to = forth(line, from, room)
	return back(line, to, room), to
}

// forth is the end of the part of a line that begins somewhere and has at most so
// many columns. Of characters without width it takes no more than a few for each.
func forth(line string, from, columns int) int {
	at, most := from, from+8*columns
	for at < len(line) && at < most {
		c, n := utf8.DecodeRuneInString(line[at:])
		if columns -= Columns(c); columns < 0 {
			break
		}
		at += n
	}
	return at
}

// back is the beginning of the part that ends somewhere.
func back(line string, to, columns int) int {
	at, least := to, to-8*columns
	for at > 0 && at > least {
		c, n := utf8.DecodeLastRuneInString(line[:at])
		if columns -= Columns(c); columns < 0 {
			break
		}
		at -= n
	}
	return at
}

// visible is the character shown for c; -1 shows nothing. What would move the
// cursor or turn the direction of the text is shown as a replacement.
func visible(c rune, first bool) rune {
	switch {
	case c == '\t':
		return c
	case c == '\uFEFF' && first:
		return -1
	case unicode.IsControl(c), unicode.Is(unicode.Cf, c), c == '\u2028', c == '\u2029':
		return utf8.RuneError
	}
	return c
}

// Columns is the number of columns that a character takes in a terminal.
func Columns(c rune) int {
	switch {
	case c < 0:
		return 0
	case c < 0x300:
		return 1
	case unicode.In(c, unicode.Mn, unicode.Me):
		return 0
	case c >= 0x1100 && c <= 0x115F, c >= 0x2E80 && c <= 0x303E, c >= 0x3041 && c <= 0xA4CF, c >= 0xAC00 && c <= 0xD7A3,
		c >= 0xF900 && c <= 0xFAFF, c >= 0xFE30 && c <= 0xFE6F, c >= 0xFF00 && c <= 0xFF60, c >= 0xFFE0 && c <= 0xFFE6,
		c >= 0x1F300 && c <= 0x1F64F, c >= 0x1F680 && c <= 0x1F6FF, c >= 0x1F900 && c <= 0x1F9FF, c >= 0x20000 && c <= 0x3FFFD:
		return 2
	}
	return 1
}

// clean is text that says nothing to a terminal; messages quote sources.
func clean(text string) string {
	return strings.Map(func(c rune) rune {
		if c == '\n' {
			return ' '
		}
		return visible(c, false)
	}, text)
}
