package bolt

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/wf-lang/wf/persist"
)

// formatVersion is the version of the whole layout, kept in the meta bucket.
const formatVersion = 1

// recordVersion is the version of the encoding of single records.
const recordVersion = 1

// headerLen is what precedes the body in every value: a CRC-32C (little
// endian) over bucket, key, record version and body, then the record version.
const headerLen = 5

// kind is a kind of record; each has a flat bucket of its own.
type kind uint8

const (
	kindMeta      kind = iota // name -> what the store knows of itself
	kindRows                  // number -> row, with the head of its journal
	kindNames                 // id -> number
	kindCells                 // number, cell kind, cell key -> body
	kindJournal               // number, seq -> body, chained
	kindHeads                 // number -> head of the journal, if newer than the row
	kindEvents                // event number -> instance, body
	kindTimers                // at, number, timer key -> nothing
	kindTimerKeys             // number, timer key -> at
	kindRunnable              // number -> nothing
	kindPrograms              // hash -> body
	kindCount
)

// bucket is what the file knows of a kind.
type bucket struct {
	name []byte
	seed uint32  // the CRC of the name
	fill float64 // how full bbolt leaves a page that it splits
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var buckets = [kindCount]bucket{
	kindMeta:      newBucket("meta", 0.5),
	kindRows:      newBucket("rows", 0.6),
	kindNames:     newBucket("names", 0.6),
	kindCells:     newBucket("cells", 0.6),
	kindJournal:   newBucket("journal", 0.6),
	kindHeads:     newBucket("heads", 0.6),
	kindEvents:    newBucket("events", 1.0),
	kindTimers:    newBucket("timers", 0.6),
	kindTimerKeys: newBucket("timerkeys", 0.6),
	kindRunnable:  newBucket("runnable", 0.6),
	kindPrograms:  newBucket("programs", 0.6),
}

func newBucket(name string, fill float64) bucket {
	return bucket{name: []byte(name), seed: crc32.Checksum([]byte(name), castagnoli), fill: fill}
}

func (k kind) String() string { return string(buckets[k].name) }

// seed starts the checksum of a record. The key's length goes in so that a
// byte cannot move from the key to the value unnoticed.
func seed(k kind, key []byte) uint32 {
	return crc32.Update(buckets[k].seed^uint32(len(key))*0x9E3779B1, castagnoli, key)
}

// seal fills in the header of a value whose body is complete and gives its
// checksum.
func seal(k kind, key, value []byte) uint32 {
	return sealFrom(seed(k, key), value)
}

// sealChained is seal for a journal entry that follows one with the checksum
// prev (0: it is the first one).
func sealChained(key, value []byte, prev uint32) uint32 {
	return sealFrom(chained(key, prev), value)
}

func sealFrom(crc uint32, value []byte) uint32 {
	value[4] = recordVersion
	crc = crc32.Update(crc, castagnoli, value[4:])
	binary.LittleEndian.PutUint32(value, crc)
	return crc
}

func chained(key []byte, prev uint32) uint32 {
	// As crc32.Update with the four bytes of prev, which would allocate them.
	crc := ^seed(kindJournal, key)
	for range 4 {
		crc = castagnoli[byte(crc)^byte(prev)] ^ crc>>8
		prev >>= 8
	}
	return ^crc
}

// unseal checks a value and gives its body, which is the value's memory.
func unseal(k kind, key, value []byte) ([]byte, error) {
	return unsealFrom(k, key, value, seed(k, key))
}

func unsealFrom(k kind, key, value []byte, crc uint32) ([]byte, error) {
	if len(value) < headerLen {
		return nil, damaged(k, key, "record of %d bytes", len(value))
	}
	if crc32.Update(crc, castagnoli, value[4:]) != binary.LittleEndian.Uint32(value) {
		return nil, damaged(k, key, "wrong checksum")
	}
	if value[4] != recordVersion {
		return nil, fmt.Errorf("bucket %s, key %x: record of version %d: %w", k, key, value[4], persist.ErrFormat)
	}
	return value[headerLen:], nil
}

// damaged makes the error of a record that is not what was written.
func damaged(k kind, key []byte, format string, args ...any) error {
	return fmt.Errorf("bucket %s, key %x: %s: %w", k, key, fmt.Sprintf(format, args...), persist.ErrDamaged)
}

func appendNumber(b []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(b, n) }

// numberKey is the key of rows, heads, runnable and events, and the prefix of
// all that belongs to an instance.
func numberKey(n uint64) []byte { return appendNumber(nil, n) }

func appendTimer(b []byte, t persist.Timer) []byte {
	b = appendNumber(b, uint64(t.At)^1<<63) // so that negative ones come first
	b = appendNumber(b, t.Instance)
	return append(b, t.Key...)
}

func decodeTimer(key []byte) (persist.Timer, error) {
	if len(key) < 16 {
		return persist.Timer{}, damaged(kindTimers, key, "short key")
	}
	return persist.Timer{
		At:       int64(binary.BigEndian.Uint64(key) ^ 1<<63),
		Instance: binary.BigEndian.Uint64(key[8:]),
		Key:      string(key[16:]),
	}, nil
}

// head is what has to be known of an instance to accept a change of it.
type head struct {
	id       string
	version  uint64
	seq      uint64 // of the last journal entry
	chain    uint32 // checksum of the last journal entry
	runnable bool
}

// rowSize is at least the length of the value of a row.
func rowSize(r *persist.Row) int {
	return headerLen + 1 + 6*binary.MaxVarintLen64 + 4 + len(r.ID) + len(r.Workflow) + len(r.Status) + len(r.Program) + len(r.Body)
}

// appendRow appends the body of a row's record.
func appendRow(b []byte, r *persist.Row, h *head) []byte {
	flags := byte(0)
	if r.Runnable {
		flags = 1
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, r.Version)
	b = binary.AppendUvarint(b, h.seq)
	b = binary.LittleEndian.AppendUint32(b, h.chain)
	for _, s := range [...]string{r.ID, r.Workflow, r.Status, r.Program} {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return append(b, r.Body...)
}

// decodeRow gives the row and the head in it. Nothing of them aliases value.
func decodeRow(key, value []byte, withBody bool) (persist.Row, head, error) {
	body, err := unseal(kindRows, key, value)
	if err != nil {
		return persist.Row{}, head{}, err
	}
	d := decoder{rest: body}
	flags := d.byte()
	r := persist.Row{Number: keyNumber(key), Runnable: flags&1 != 0, Version: d.uvarint()}
	h := head{version: r.Version, runnable: r.Runnable, seq: d.uvarint(), chain: d.uint32()}
	r.ID = d.string()
	h.id = r.ID
	if !withBody {
		if d.bad {
			return r, h, damaged(kindRows, key, "malformed row")
		}
		return r, h, nil
	}
	r.Workflow, r.Status, r.Program = d.string(), d.string(), d.string()
	if d.bad || len(key) != 8 {
		return r, h, damaged(kindRows, key, "malformed row")
	}
	r.Body = copied(d.rest)
	return r, h, nil
}

// keyNumber gives the number at the start of a key, 0 if it is too short.
func keyNumber(key []byte) uint64 {
	if len(key) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(key)
}

func copied(b []byte) []byte { return append(make([]byte, 0, len(b)), b...) }

// decoder takes fields off the front of a body; after the first that does not
// fit, bad is set and all are zero.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) take(n uint64) []byte {
	if d.bad || n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	if b := d.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) uvarint() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		n, size = 0, math.MaxInt
	}
	if d.take(uint64(size)) == nil {
		return 0
	}
	return n
}

func (d *decoder) string() string { return string(d.take(d.uvarint())) }
