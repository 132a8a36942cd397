// Package spell finds what somebody probably meant to type: the nearest of the
// words that would have been right, by Damerau-Levenshtein distance (a swap of
// neighbours, an insertion, a deletion and a replacement count one each).
package spell

import "unicode/utf8"

// longest word that is compared; names beyond it are not misspelt, they are
// something else.
const longest = 64

// Nearest is the candidate closest to word, "" if none is near enough: within
// a third of the word's length, at least 1 and at most 3. Of equals the first
// wins. The word itself is no candidate.
func Nearest(word string, candidates []string) string {
	return Within(word, candidates, Bound(word))
}

// Bound is the distance up to which Nearest takes a candidate for word.
func Bound(word string) int {
	return min(max(utf8.RuneCountInString(word)/3, 1), 3)
}

// Within is Nearest with a distance of the caller's.
func Within(word string, candidates []string, bound int) string {
	best, found := bound+1, ""
	for _, c := range candidates {
		if c == word {
			continue
		}
		if d := Distance(word, c, best-1); d < best {
			best, found = d, c
		}
	}
	return found
}

// Distance counts the edits between a and b; anything above bound is bound+1.
func Distance(a, b string, bound int) int {
	far := bound + 1
	if bound < 0 || len(a) > 4*longest || len(b) > 4*longest {
		return far
	}
	var runes [2][longest]rune
	x, okA := split(a, &runes[0])
	y, okB := split(b, &runes[1])
	if !okA || !okB || abs(len(x)-len(y)) > bound {
		return far
	}
	var rows [3][longest + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(y) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > bound+1 {
			return far
		}
		before, last, row = last, row, before
	}
	return min(last[len(y)], far)
}

// split is the letters of a word; false if there are too many.
func split(word string, into *[longest]rune) ([]rune, bool) {
	n := 0
	for _, r := range word {
		if n == longest {
			return nil, false
		}
		into[n] = r
		n++
	}
	return into[:n], true
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
