package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"iter"

	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// Journal gives the entries from Seq from on. Each is checked against the one
// before it, and the last one against what the row remembers of it.
func (s *Store) Journal(ctx context.Context, number, from uint64) iter.Seq2[persist.Entry, error] {
	return func(yield func(persist.Entry, error) bool) {
		next := max(from, 1)
		paged(ctx, s, "journal", func(tx *bbolt.Tx, page []item[persist.Entry]) ([]item[persist.Entry], bool, error) {
			h, ok, err := readHead(inTx{tx}, number)
			if err != nil || !ok || next > h.seq {
				return page, false, err
			}
			j := journalReader{c: cursor(tx, kindJournal), number: number}
			if err := j.seek(next); err != nil {
				return page, false, err
			}
			for left := newRoom(); next <= h.seq; next++ {
				if !left.take(j.value) {
					return page, true, nil
				}
				body, err := j.entry(next)
				if err != nil {
					return page, false, err
				}
				page = append(page, item[persist.Entry]{value: persist.Entry{Seq: next, Body: copied(body)}})
			}
			return page, false, j.end(h)
		})(yield)
	}
}

// journalReader goes along the chain of one journal.
type journalReader struct {
	c          *bbolt.Cursor
	number     uint64
	key, value []byte // of the next record
	chain      uint32 // checksum of the one before
}

// seek goes to the entry seq and takes up the chain from the one before it.
func (j *journalReader) seek(seq uint64) error {
	if seq == 1 {
		j.key, j.value = j.c.Seek(numberKey(j.number))
		return nil
	}
	want := appendNumber(numberKey(j.number), seq-1)
	j.key, j.value = j.c.Seek(want)
	if !bytes.Equal(j.key, want) || len(j.value) < headerLen {
		return damaged(kindJournal, want, "missing")
	}
	j.chain = binary.LittleEndian.Uint32(j.value)
	j.key, j.value = j.c.Next()
	return nil
}

// entry gives the body of the entry seq, which has to be the next one.
func (j *journalReader) entry(seq uint64) ([]byte, error) {
	want := appendNumber(numberKey(j.number), seq)
	if !bytes.Equal(j.key, want) {
		return nil, damaged(kindJournal, want, "missing")
	}
	body, err := unsealFrom(kindJournal, want, j.value, chained(want, j.chain))
	if err != nil {
		return nil, err
	}
	j.chain = binary.LittleEndian.Uint32(j.value)
	j.key, j.value = j.c.Next()
	return body, nil
}

// end checks that the journal ends as its head says.
func (j *journalReader) end(h head) error {
	key := appendNumber(numberKey(j.number), h.seq)
	if j.chain != h.chain {
		return damaged(kindJournal, key, "not the entry that was last")
	}
	if bytes.HasPrefix(j.key, key[:8]) {
		return damaged(kindJournal, j.key, "an entry behind the last one")
	}
	return nil
}
