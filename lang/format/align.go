package format

import "strings"

// A mark is the place in a text where a blank and a comment at the end of the
// line follow.
type mark struct{ at, line, indent, column int }

// spread is the largest difference, in characters, between the lengths of lines
// whose comments are put below each other.
const spread = 30

// align puts comments at the ends of lines that follow each other below each
// other.
func align(text string, marks []mark) string {
	var out strings.Builder
	done := 0
	for len(marks) > 0 {
		n := block(marks)
		widest := 0
		for _, m := range marks[:n] {
			widest = max(widest, m.column)
		}
		for _, m := range marks[:n] {
			out.WriteString(text[done:m.at])
			out.WriteString(strings.Repeat(" ", widest-m.column))
			done = m.at
		}
		marks = marks[n:]
	}
	out.WriteString(text[done:])
	return out.String()
}

// block is how many of the first marks go together.
func block(marks []mark) int {
	least, most := marks[0].column, marks[0].column
	n := 1
	for ; n < len(marks) && marks[n].line == marks[n-1].line+1 && marks[n].indent == marks[0].indent; n++ {
		least, most = min(least, marks[n].column), max(most, marks[n].column)
		if most-least > spread {
			break
		}
	}
	return n
}
