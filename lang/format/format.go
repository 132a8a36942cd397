// Package format writes scripts in their one canonical style: lines of at most
// Width characters, four blanks for each level, every comment where it was and
// at most one blank line in a row. There are no options.
//
// It is given a tree and the text it was read from. The tree says what belongs
// together, the text is cut into tokens once more (lex.go), and a walk over the
// tree uses up these tokens one by one, in order (walk.go): so none is lost,
// none is invented but for commas and the bar before a variant, and comments
// travel with the tokens beside which they stand. Where tree and tokens do not
// agree - behind a mistake the parser has mended, at a Bad node - the
// construct is copied as it stands.
//
// The walk gives a document (doc.go): a text with the places where it may be
// broken. Layout (layout.go) decides where it is. A place is only ever one at
// which a line break means nothing to the language.
package format

import (
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
)

const (
	// Width is the length, in characters, up to which lines are filled. What
	// cannot be broken, as a long string, may be longer.
	Width = 100

	indentation = 4 // blanks for each level
)

// File gives the canonical text of a file from its tree, which the parser made
// of the same text. It has no errors: what the parser could not read is copied.
// The result ends in a line break unless it is empty, and knows only "\n" as
// one. A "#!" line stays, and so does a byte-order mark before a text.
func File(file *source.File, tree *ast.File) string {
	text, _ := format(file, tree)
	return text
}

// format also counts the constructs that were copied as they stood.
func format(file *source.File, tree *ast.File) (text string, copied int) {
	w := newWalker(file, tree)
	out := layout(w.file(tree))
	if out != "" && strings.HasPrefix(file.Text, byteOrderMark) {
		out = byteOrderMark + out
	}
	return out, w.copied
}

const byteOrderMark = "\uFEFF"
