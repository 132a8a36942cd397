package repl

import (
	"strings"

	"github.com/wf-lang/wf/parser"
)

// A gathering is a text that comes line by line.
type gathering struct {
	text  string
	depth int // brackets that seem to be open
}

// large is how many bytes a text has before it is not read anew with every line.
const large = 16 << 10

// add takes a line, with its end, and reports whether the text goes on. A large
// text is looked at only where it may end: where its brackets seem to be closed,
// or one closes at the beginning of a line.
func (g *gathering) add(line string) bool {
	g.text += line
	inString := false
	for i, c := range []byte(line) {
		switch {
		case c == '"' && (i == 0 || line[i-1] != '\\'):
			inString = !inString
		case inString:
		case c == '(' || c == '[' || c == '{':
			g.depth++
		case c == ')' || c == ']' || c == '}':
			g.depth--
		}
	}
	if len(g.text) > large && g.depth > 0 && !strings.ContainsAny(line[:min(len(line), 1)], ")]}") {
		return true
	}
	return isOpen(g.text)
}

// isOpen reports whether a text goes on in the next line.
func isOpen(text string) bool {
	return !strings.HasPrefix(strings.TrimSpace(text), ":") && parser.Incomplete(text)
}
