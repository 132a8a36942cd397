package diag

import "slices"

// An Entry explains one code: `wf explain` prints it, docs/errors.md is made
// from it, and a test runs both examples.
type Entry struct {
	Code  Code
	Title string // a line
	Why   string // what the mistake is, why it is one, what to do
	Wrong string // a whole script that draws this code
	Right string // the same, mended
}

// All lists every code in ascending order.
func All() []Entry {
	return slices.Concat(syntaxCodes, importCodes, checkCodes)
}

// Explain finds the entry of a code.
func Explain(c Code) (Entry, bool) {
	all := All()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.Code == c })
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}
