package flow

import (
	"cmp"
	"encoding/binary"
	"strconv"
	"strings"
)

// childPath is the path of a branch's track: "/item.visit:branch" for each level.
func childPath(parent string, p Place) string {
	b := append([]byte(parent), '/')
	b = strconv.AppendInt(b, int64(p.Item), 10)
	b = append(b, '.')
	b = strconv.AppendUint(b, uint64(p.Visit), 10)
	b = append(b, ':')
	return string(strconv.AppendInt(b, int64(p.Branch), 10))
}

// Branches are the numbers of the branches, of a `parallel for` those of the
// elements, that lead to a track, the outermost first; none of a compensation.
func Branches(path string) []int {
	var out []int
	for _, level := range strings.Split(path, "/")[1:] {
		_, branch, _ := strings.Cut(level, ":")
		n, err := strconv.Atoi(branch)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// ComparePaths orders paths of tracks: those of branches by the numbers in them,
// so that a lower branch comes before a higher one.
func ComparePaths(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == 0 || y == 0 {
			x, y = 1, 1
		}
		if c := cmp.Or(cmp.Compare(x, y), cmp.Compare(a[:x], b[:y])); c != 0 {
			return c
		}
		a, b = a[x:], b[y:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits counts the digits that a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// undoPath is the path of the track that works off an undo row.
func undoPath(key string) string { return "~" + key }

// order appends a number to an undo key. Keys sort by the order of starting; a
// block's key is a prefix of those of its branches, a branch's of its steps', so
// that descending order is the order of undoing: the last branch first, each as
// a whole, then what stands around it.
func order(key string, n uint32) string {
	return string(binary.BigEndian.AppendUint32([]byte(key), n))
}
