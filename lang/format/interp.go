package format

import (
	"strings"

	"github.com/wf-lang/wf/lang/ast"
)

// interpolated walks through a string with interpolations. It is one piece; the
// code in it is written as elsewhere, on one line.
func (w *walker) interpolated(x *ast.Interp) *doc {
	if !w.atNode(x) {
		w.failed = true
		return nil
	}
	start := int(x.Place.Start)
	var out strings.Builder
	for _, e := range x.Parts {
		from, to, ok := w.hole(e)
		if !ok || from < start {
			continue
		}
		if code := w.inline(e); code != "" {
			out.WriteString(w.text[start:from] + code)
			start = to
		}
	}
	out.WriteString(w.text[start:x.Place.End])
	return w.takeAs(out.String())
}

// hole is what lies between `${` and `}` around a part of a string; false if the
// part is text, or if there is more than the part or more than one line.
func (w *walker) hole(e ast.Expr) (from, to int, ok bool) {
	const blanks = " \t"
	from = len(strings.TrimRight(w.text[:e.Span().Start], blanks))
	rest := w.text[e.Span().End:]
	to = len(w.text) - len(strings.TrimLeft(rest, blanks))
	ok = strings.HasSuffix(w.text[:from], "${") && strings.HasPrefix(w.text[to:], "}") && !strings.Contains(w.text[from:to], "\n")
	return from, to, ok
}

// inline is the canonical text of an expression on one line, "" if it has none.
func (w *walker) inline(e ast.Expr) string {
	in := &walker{text: w.text, all: w.all, pieces: lexRange(w.text, w.all, int(e.Span().Start), int(e.Span().End))}
	d := in.expr(e)
	if in.failed || in.copied > 0 || in.peek().kind != endOfFile || d == nil || d.hard || d.open {
		return ""
	}
	code := strings.TrimSuffix(layout(flat(d)), "\n")
	switch {
	case strings.Contains(code, "\n"):
		return ""
	case code[0] == '{' || code[len(code)-1] == '}':
		return " " + code + " "
	}
	return code
}
