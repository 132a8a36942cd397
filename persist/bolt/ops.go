package bolt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// op is one put (or delete: value nil) in a bucket.
type op struct {
	key, value []byte
	front      uint64 // the first bytes of the key, which mostly are enough to sort by
	n          int    // in order of the group; the last one on a key counts
}

// front gives the first eight bytes of a key, as a number in the same order.
func front(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

func compareKeys(a, b *op) int {
	if a.front != b.front {
		return cmp.Compare(a.front, b.front)
	}
	return bytes.Compare(a.key, b.key)
}

// sortOps sorts by key and keeps the last op on each.
func sortOps(ops []op) []op {
	ascending := true
	for i := 1; i < len(ops) && ascending; i++ {
		ascending = compareKeys(&ops[i-1], &ops[i]) < 0
	}
	if ascending {
		return ops
	}
	slices.SortFunc(ops, func(a, b op) int {
		if c := compareKeys(&a, &b); c != 0 {
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

// arena gives memory for the keys and values of one group. It uses that of
// earlier groups again: bbolt does not keep what it was given beyond its
// transaction.
type arena struct {
	blocks [][]byte
	at     int // of blocks, the one in use
}

const (
	arenaBlock = 256 << 10 // size of the pieces that an arena takes memory in
	arenaKept  = 64        // how many of them it keeps
)

// take gives an empty slice with room for n bytes.
func (a *arena) take(n int) []byte {
	if n > arenaBlock/4 {
		return make([]byte, 0, n)
	}
	for a.at < len(a.blocks) && cap(a.blocks[a.at])-len(a.blocks[a.at]) < n {
		a.at++
	}
	if a.at == len(a.blocks) {
		a.blocks = append(a.blocks, make([]byte, 0, arenaBlock))
	}
	block := a.blocks[a.at]
	at := len(block)
	a.blocks[a.at] = block[:at+n]
	return block[at : at : at+n]
}

// reset starts a new group.
func (a *arena) reset() {
	if len(a.blocks) > arenaKept {
		clear(a.blocks[arenaKept:])
		a.blocks = a.blocks[:arenaKept]
	}
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	a.at = 0
}
