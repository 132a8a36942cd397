package bolt

import (
	"bytes"
	"slices"
)

// op is one put (or delete: value nil) in a bucket.
type op struct {
	key, value []byte
	n          int // in order of the group; the last one on a key counts
}

// sortOps sorts by key and keeps the last op on each.
func sortOps(ops []op) []op {
	ascending := true
	for i := 1; i < len(ops) && ascending; i++ {
		ascending = bytes.Compare(ops[i-1].key, ops[i].key) < 0
	}
	if ascending {
		return ops
	}
	slices.SortFunc(ops, func(a, b op) int {
		if c := bytes.Compare(a.key, b.key); c != 0 {
			return c
		}
		return a.n - b.n
	})
	last := 0
	for i := 1; i < len(ops); i++ {
		if !bytes.Equal(ops[i].key, ops[last].key) {
			last++
		}
		ops[last] = ops[i]
	}
	return ops[:last+1]
}

// arena gives memory for the keys and values of one group.
type arena struct {
	block []byte
}

// arenaBlock is the size of the pieces that an arena takes memory in.
const arenaBlock = 256 << 10

// take gives an empty slice with room for n bytes.
func (a *arena) take(n int) []byte {
	if n > arenaBlock/4 {
		return make([]byte, 0, n)
	}
	if cap(a.block)-len(a.block) < n {
		a.block = make([]byte, 0, arenaBlock)
	}
	at := len(a.block)
	a.block = a.block[:at+n]
	return a.block[at : at : at+n]
}

// reset starts a new group; it may take the last block again because bbolt does
// not keep what it was given beyond its transaction.
func (a *arena) reset() { a.block = a.block[:0] }
