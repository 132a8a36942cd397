package bolt

import (
	"encoding/binary"

	"go.etcd.io/bbolt"
)

// maxHeads bounds the cache of heads; one takes some 120 bytes.
const maxHeads = 1 << 16

// headCache keeps the heads of instances used lately, so that a commit of theirs
// needs no read.
type headCache struct {
	m map[uint64]head
}

func (c *headCache) get(number uint64) (head, bool) {
	h, ok := c.m[number]
	return h, ok
}

func (c *headCache) put(number uint64, h head) {
	if c.m == nil {
		c.m = map[uint64]head{}
	}
	if len(c.m) >= maxHeads {
		c.shrink(number)
	}
	c.m[number] = h
}

// shrink takes out some heads, any but that of keep.
func (c *headCache) shrink(keep uint64) {
	n := maxHeads / 8
	for number := range c.m {
		if number != keep {
			delete(c.m, number)
		}
		if n--; n == 0 {
			return
		}
	}
}

func (c *headCache) drop(number uint64) { delete(c.m, number) }

// readHead reads an instance's head from its row and, if that is newer, from
// the heads bucket. It tells whether there is a row.
func readHead(tx *bbolt.Tx, number uint64) (head, bool, error) {
	key := numberKey(number)
	value, err := find(tx, kindRows, key)
	if value == nil {
		return head{}, false, err
	}
	_, h, err := decodeRow(key, value, false)
	if err != nil {
		return head{}, false, err
	}
	seq, chain, err := readJournalHead(tx, key)
	if err != nil {
		return head{}, false, err
	}
	if seq > h.seq {
		h.seq, h.chain = seq, chain
	}
	return h, true, nil
}

// readJournalHead reads the record of the heads bucket; zeros if there is none.
func readJournalHead(tx *bbolt.Tx, key []byte) (seq uint64, chain uint32, err error) {
	value, err := find(tx, kindHeads, key)
	if value == nil {
		return 0, 0, err
	}
	body, err := unseal(kindHeads, key, value)
	if err != nil {
		return 0, 0, err
	}
	d := decoder{rest: body}
	seq, chain = d.uint64(), d.uint32()
	if d.bad {
		return 0, 0, damaged(kindHeads, key, "malformed head")
	}
	return seq, chain, nil
}

func appendJournalHead(b []byte, h *head) []byte {
	b = binary.LittleEndian.AppendUint64(b, h.seq)
	return binary.LittleEndian.AppendUint32(b, h.chain)
}
