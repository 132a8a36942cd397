package bolt

import (
	"bytes"
	"slices"
)

// maxGaps bounds the gaps that are kept apart in one bucket; those beyond are
// joined to the last one.
const maxGaps = 1 << 16

// gapList is where records of a bucket may be missing.
type gapList struct {
	list []keyRange // ascending and apart once settle was called
}

// keyRange is the keys in [low, high); nil is no bound.
type keyRange struct {
	low, high []byte
}

func (g *gapList) add(low, high []byte) {
	if n := len(g.list); n == maxGaps {
		last := &g.list[n-1]
		if bytes.Compare(low, last.low) < 0 {
			last.low = low
		}
		last.high = higher(last.high, high)
		return
	}
	g.list = append(g.list, keyRange{low, high})
}

// higher gives the higher one of two upper bounds.
func higher(a, b []byte) []byte {
	if a == nil || b == nil {
		return nil
	}
	if bytes.Compare(a, b) < 0 {
		return b
	}
	return a
}

// settle sorts the gaps and joins those that overlap.
func (g *gapList) settle() {
	slices.SortFunc(g.list, func(a, b keyRange) int { return bytes.Compare(a.low, b.low) })
	joined := g.list[:0]
	for _, r := range g.list {
		if n := len(joined); n > 0 && (joined[n-1].high == nil || bytes.Compare(r.low, joined[n-1].high) <= 0) {
			joined[n-1].high = higher(joined[n-1].high, r.high)
			continue
		}
		joined = append(joined, r)
	}
	g.list = joined
}

// has tells whether the key is in a gap.
func (g *gapList) has(key []byte) bool {
	i, found := slices.BinarySearchFunc(g.list, key, func(r keyRange, key []byte) int { return bytes.Compare(r.low, key) })
	if !found {
		i--
	}
	return i >= 0 && (g.list[i].high == nil || bytes.Compare(key, g.list[i].high) < 0)
}

// touches tells whether a key with the prefix may be in a gap.
func (g *gapList) touches(prefix []byte) bool {
	i, _ := slices.BinarySearchFunc(g.list, prefix, func(r keyRange, prefix []byte) int {
		if r.high != nil && bytes.Compare(r.high, prefix) <= 0 {
			return -1
		}
		return 1
	})
	return i < len(g.list) && (bytes.Compare(g.list[i].low, prefix) <= 0 || bytes.HasPrefix(g.list[i].low, prefix))
}
