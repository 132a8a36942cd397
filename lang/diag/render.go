package diag

import (
	"fmt"
	"io"

	"github.com/wf-lang/wf/lang/source"
)

// RenderOptions say how diagnostics are shown.
type RenderOptions struct{ Color bool }

// Render writes diagnostics for people.
func Render(w io.Writer, set *source.Set, l List, opts RenderOptions) {
	for _, d := range l {
		p := set.Position(d.Span)
		fmt.Fprintf(w, "%s:%d:%d: %s[%s]: %s\n", p.File, p.Line, p.Column, d.Severity, d.Code, d.Message)
	}
}
