package diag

import "github.com/wf-lang/wf/lang/source"

// Beside leaves out of found what stands on a line about which said has an
// error already: a line that could not be read is spoken of once, by whoever
// could not read it.
func Beside(set *source.Set, said, found List) List {
	if !said.HasErrors() {
		return found
	}
	type line struct {
		file uint16
		line int
	}
	lines := map[line]bool{}
	for _, d := range said {
		if d.Severity == Error {
			lines[line{d.Span.File, set.Position(d.Span).Line}] = true
		}
	}
	var out List
	for _, d := range found {
		if !lines[line{d.Span.File, set.Position(d.Span).Line}] {
			out.Add(d)
		}
	}
	return out
}
