package golden

import "strings"

// around is how many equal lines are shown before and behind a difference.
const around = 3

// Diff compares two transcripts line by line: lines that only the wanted one has
// begin with "-", those that only the other has with "+", and a few equal lines
// stand around them, with "..." where more are left out. It is "" if they are
// equal.
func Diff(want, got string) string {
	if want == got {
		return ""
	}
	edits := compare(lines(want), lines(got))
	var b strings.Builder
	last := -1 // last edit that was written
	for i := range edits {
		if !near(edits, i) {
			continue
		}
		if i > last+1 {
			b.WriteString("  ...\n")
		}
		b.WriteString(edits[i] + "\n")
		last = i
	}
	if last < len(edits)-1 {
		b.WriteString("  ...\n")
	}
	return b.String()
}

// lines splits a text; a missing line break at its end is a difference too.
func lines(s string) []string {
	if s == "" {
		return nil
	}
	ls := strings.Split(s, "\n")
	if ls[len(ls)-1] == "" {
		return ls[:len(ls)-1]
	}
	ls[len(ls)-1] += " (no line break at the end)"
	return ls
}

// near reports whether a difference is close to an edit.
func near(edits []string, i int) bool {
	for j := max(0, i-around); j <= min(len(edits)-1, i+around); j++ {
		if edits[j][0] != ' ' {
			return true
		}
	}
	return false
}

// compare gives the lines of both texts, each with "- ", "+ " or "  " before it,
// by the longest sequence of lines that both have. Of what both begin and end
// with it needs to compare nothing.
func compare(want, got []string) []string {
	var edits, tail []string
	for len(want) > 0 && len(got) > 0 && want[0] == got[0] {
		edits = append(edits, "  "+want[0])
		want, got = want[1:], got[1:]
	}
	for len(want) > 0 && len(got) > 0 && want[len(want)-1] == got[len(got)-1] {
		tail = append(tail, "  "+want[len(want)-1])
		want, got = want[:len(want)-1], got[:len(got)-1]
	}
	edits = append(edits, between(want, got)...)
	for i := len(tail) - 1; i >= 0; i-- {
		edits = append(edits, tail[i])
	}
	return edits
}

// maxCells bounds the table of between; texts that differ in more are shown as
// a whole.
const maxCells = 4_000_000

// between compares what is left when common ends are taken off.
func between(want, got []string) []string {
	var edits []string
	i, j := 0, 0
	if len(want)*len(got) <= maxCells {
		common := commonLengths(want, got)
		for i < len(want) && j < len(got) {
			switch {
			case want[i] == got[j]:
				edits = append(edits, "  "+want[i])
				i, j = i+1, j+1
			case common[i+1][j] >= common[i][j+1]:
				edits = append(edits, "- "+want[i])
				i++
			default:
				edits = append(edits, "+ "+got[j])
				j++
			}
		}
	}
	for _, l := range want[i:] {
		edits = append(edits, "- "+l)
	}
	for _, l := range got[j:] {
		edits = append(edits, "+ "+l)
	}
	return edits
}

// commonLengths gives for every pair of places how many lines what follows them
// has in common.
func commonLengths(want, got []string) [][]int {
	t := make([][]int, len(want)+1)
	t[len(want)] = make([]int, len(got)+1)
	for i := len(want) - 1; i >= 0; i-- {
		t[i] = make([]int, len(got)+1)
		for j := len(got) - 1; j >= 0; j-- {
			if want[i] == got[j] {
				t[i][j] = t[i+1][j+1] + 1
			} else {
				t[i][j] = max(t[i+1][j], t[i][j+1])
			}
		}
	}
	return t
}
