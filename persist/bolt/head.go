package bolt

import "encoding/binary"

// maxHeads bounds the cache of heads; one takes some 120 bytes.
const maxHeads = 1 << 16

// headCache keeps the heads of instances used lately, so that a commit of theirs
// needs no read. A head stays in its slot, so that it can be replaced without
// looking for it again.
type headCache struct {
	slots []headSlot
	index map[uint64]int32 // slot by number
	hand  int              // of the slots, the next one to be used again
}

// headSlot is a place for a head; number 0 is none.
type headSlot struct {
	number uint64
	head   head
}

// noSlot is that of a head that is not in the cache.
const noSlot = -1

// get gives a head and its slot, or noSlot.
func (c *headCache) get(number uint64) (head, int32) {
	slot, ok := c.index[number]
	if !ok {
		return head{}, noSlot
	}
	return c.slots[slot].head, slot
}

// put keeps a head that was found in the slot, or noSlot, since when others may
// have taken that.
func (c *headCache) put(number uint64, h head, slot int32) {
	if slot != noSlot && c.slots[slot].number == number {
		c.slots[slot].head = h
		return
	}
	slot, known := c.index[number]
	if !known {
		slot = c.free()
	}
	c.slots[slot] = headSlot{number, h}
	c.index[number] = slot
}

// free gives a slot to be used, if need be one that another head has.
func (c *headCache) free() int32 {
	if len(c.slots) < maxHeads {
		if c.index == nil {
			c.index = map[uint64]int32{}
		}
		c.slots = append(c.slots, headSlot{})
		return int32(len(c.slots) - 1)
	}
	slot := c.hand
	c.hand = (c.hand + 1) % maxHeads
	delete(c.index, c.slots[slot].number)
	return int32(slot)
}

func (c *headCache) drop(number uint64) {
	if slot, ok := c.index[number]; ok {
		c.slots[slot] = headSlot{}
		delete(c.index, number)
	}
}

// readHead reads an instance's head from its row and, if that is newer, from
// the heads bucket. It tells whether there is a row.
func readHead(in lookup, number uint64) (head, bool, error) {
	key := numberKey(number)
	value, err := find(in, kindRows, key)
	if value == nil {
		return head{}, false, err
	}
	_, h, err := decodeRow(key, value, false)
	if err != nil {
		return head{}, false, err
	}
	seq, chain, err := readJournalHead(in, key)
	if err != nil {
		return head{}, false, err
	}
	if seq > h.seq {
		h.seq, h.chain = seq, chain
	}
	return h, true, nil
}

// readJournalHead reads the record of the heads bucket; zeros if there is none.
func readJournalHead(in lookup, key []byte) (seq uint64, chain uint32, err error) {
	value, err := find(in, kindHeads, key)
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
