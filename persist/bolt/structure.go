package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"

	"github.com/wf-lang/wf/persist"
)

// bbolt trusts its file: it has no checksums of pages, and a wrong byte in one
// makes it loop, run out of stack or panic in a goroutine of its own, where
// nobody can recover. So the tree is walked before bbolt sees the file. bbolt
// writes pages in one exact form (elements first, then keys and values without
// gaps), and requiring it finds nearly every change of a page's structure. What
// is in the records is left to their checksums.

const (
	pageHeader   = 16 // id 8, flags 2, count 2, overflow 4
	elementLen   = 16 // branch: pos 4, ksize 4, pgid 8; leaf: flags 4, pos 4, ksize 4, vsize 4
	bucketHeader = 16 // root page 8, sequence 8
	metaLen      = 64
	flagBranch   = 1
	flagLeaf     = 2
	flagMeta     = 4
	flagBucket   = 1 // of a leaf element
	metaMagic    = 0xED0CDAED
	metaVersion  = 2
	noFreelist   = math.MaxUint64
	maxDepth     = 64
	minPageSize  = 1024
	maxPageSize  = minPageSize << 14
)

// fileMeta is a meta page of the file.
type fileMeta struct {
	pageSize uint64
	root     uint64
	freelist uint64
	pages    uint64 // high-water mark
	txid     uint64
}

func parseMeta(b []byte) (fileMeta, bool) {
	if len(b) < pageHeader+metaLen {
		return fileMeta{}, false
	}
	u := binary.NativeEndian
	m := b[pageHeader : pageHeader+metaLen]
	sum := fnv.New64a()
	_, _ = sum.Write(m[:56]) // a hash never fails
	ok := u.Uint16(b[8:]) == flagMeta && u.Uint32(m) == metaMagic && u.Uint32(m[4:]) == metaVersion && u.Uint64(m[56:]) == sum.Sum64()
	size := uint64(u.Uint32(m[8:]))
	ok = ok && size >= minPageSize && size <= maxPageSize && size&(size-1) == 0
	return fileMeta{pageSize: size, root: u.Uint64(m[16:]), freelist: u.Uint64(m[32:]), pages: u.Uint64(m[40:]), txid: u.Uint64(m[48:])}, ok
}

// readMeta gives the current meta page, and whether the other one is good too.
func readMeta(f io.ReaderAt, size int64) (m fileMeta, both bool, err error) {
	at := func(off int64) (fileMeta, bool) {
		var b [pageHeader + metaLen]byte
		if n, err := f.ReadAt(b[:], off); n < len(b) || err != nil && err != io.EOF {
			return fileMeta{}, false
		}
		return parseMeta(b[:])
	}
	m0, ok0 := at(0)
	if ok0 {
		m1, ok1 := at(int64(m0.pageSize))
		ok1 = ok1 && m1.pageSize == m0.pageSize
		if ok1 && m1.txid > m0.txid {
			m0 = m1
		}
		return m0, ok1, nil
	}
	for off := int64(minPageSize); off < size && off <= maxPageSize; off *= 2 {
		if m1, ok := at(off); ok && m1.pageSize == uint64(off) {
			return m1, false, nil
		}
	}
	return fileMeta{}, false, fmt.Errorf("not a store file, or its head is destroyed: %w", persist.ErrDamaged)
}

// walker checks the structure of one file.
type walker struct {
	file io.ReaderAt
	meta fileMeta
	seen []uint64 // bit set of page ids
	bufs [][]byte // by depth
}

// checkStructure checks the file's head and tree. closedAt is the transaction
// at which the store was last closed in good order, 0 if that is not known.
func checkStructure(f *os.File, closedAt uint64) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size == 0 {
		return fmt.Errorf("the file is empty: %w", persist.ErrDamaged)
	}
	meta, both, err := readMeta(f, size)
	if err != nil {
		return err
	}
	switch {
	case !both && closedAt > meta.txid:
		return fmt.Errorf("the record of the last commit is destroyed, only the one before is left: %w", persist.ErrDamaged)
	case meta.pages < 3 || meta.pages > uint64(size)/meta.pageSize:
		return fmt.Errorf("the file is truncated: %d bytes, it has %d pages of %d bytes: %w", size, meta.pages, meta.pageSize, persist.ErrDamaged)
	case meta.freelist != noFreelist:
		return fmt.Errorf("the file has a free list, another program has written it: %w", persist.ErrDamaged)
	}
	w := &walker{file: f, meta: meta, seen: make([]uint64, meta.pages/64+1)}
	w.mark(0)
	w.mark(1)
	return w.page(meta.root, 0, nil, nil, true)
}

func (w *walker) mark(id uint64) bool {
	bit := uint64(1) << (id % 64)
	was := w.seen[id/64]&bit != 0
	w.seen[id/64] |= bit
	return !was
}

func (w *walker) bad(id uint64, format string, args ...any) error {
	return fmt.Errorf("page %d: %s: %w", id, fmt.Sprintf(format, args...), persist.ErrDamaged)
}

// read gives the bytes of a page with those it overflows into.
func (w *walker) read(id uint64, depth int) ([]byte, error) {
	if id < 2 || id >= w.meta.pages {
		return nil, w.bad(id, "no such page")
	}
	if depth == len(w.bufs) {
		w.bufs = append(w.bufs, make([]byte, w.meta.pageSize))
	}
	size := int64(w.meta.pageSize)
	b := w.bufs[depth][:size]
	if _, err := w.file.ReadAt(b, int64(id)*size); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	more := uint64(binary.NativeEndian.Uint32(b[12:]))
	if id+more >= w.meta.pages {
		return nil, w.bad(id, "reaches beyond the end")
	}
	for i := id; i <= id+more; i++ {
		if !w.mark(i) {
			return nil, w.bad(i, "used twice")
		}
	}
	if more == 0 {
		return b, nil
	}
	b = make([]byte, size*int64(more+1))
	w.bufs[depth] = b
	if _, err := w.file.ReadAt(b, int64(id)*size); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	return b, nil
}

// page checks a page and all below it; its keys must be in [low, high), where
// nil is no bound. top tells that it belongs to the bucket of buckets.
func (w *walker) page(id uint64, depth int, low, high []byte, top bool) error {
	if depth > maxDepth {
		return w.bad(id, "the tree is too deep")
	}
	b, err := w.read(id, depth)
	if err != nil {
		return err
	}
	if got := binary.NativeEndian.Uint64(b); got != id {
		return w.bad(id, "calls itself page %d", got)
	}
	end, err := w.elements(id, b, depth, low, high, top)
	if err != nil {
		return err
	}
	if end == pageHeader { // an empty bucket is inline
		return w.bad(id, "is empty")
	}
	// bbolt takes as many pages as the data need (older ones took one more if
	// they fill them exactly).
	over := uint64(binary.NativeEndian.Uint32(b[12:]))
	if over != uint64(end)/w.meta.pageSize && over != uint64(end-1)/w.meta.pageSize {
		return w.bad(id, "%d bytes in %d pages", end, over+1)
	}
	return nil
}

// elements checks what is in a page, which starts at b and must not be longer.
// It gives where the last element's data end.
func (w *walker) elements(id uint64, b []byte, depth int, low, high []byte, top bool) (end int, err error) {
	u := binary.NativeEndian
	flags, count := u.Uint16(b[8:]), int(u.Uint16(b[10:]))
	if flags != flagBranch && flags != flagLeaf {
		return 0, w.bad(id, "has the type %d", flags)
	}
	end = pageHeader + count*elementLen
	if end > len(b) {
		return 0, w.bad(id, "has %d elements", count)
	}
	prev := low
	for i := 0; i < count; i++ {
		at := pageHeader + i*elementLen
		e := b[at : at+elementLen]
		pos, ksize, vsize, elemFlags := u.Uint32(e), u.Uint32(e[4:]), uint32(0), uint32(0)
		if flags == flagLeaf {
			elemFlags, pos, ksize, vsize = u.Uint32(e), u.Uint32(e[4:]), u.Uint32(e[8:]), u.Uint32(e[12:])
		}
		if at+int(pos) != end || ksize == 0 || int(ksize) > len(b)-end || int(vsize) > len(b)-end-int(ksize) {
			return 0, w.bad(id, "element %d is out of place", i)
		}
		key := b[end : end+int(ksize)]
		if c := bytes.Compare(key, prev); c < 0 || c == 0 && i > 0 || high != nil && bytes.Compare(key, high) >= 0 {
			return 0, w.bad(id, "key %d is out of order", i)
		}
		prev = key
		value := b[end+int(ksize) : end+int(ksize)+int(vsize)]
		end += int(ksize) + int(vsize)
		switch {
		case flags == flagBranch:
			next := high
			if i+1 < count {
				if next, err = w.branchKey(id, b, i+1); err != nil {
					return 0, err
				}
			}
			err = w.page(u.Uint64(e[8:]), depth+1, key, next, top)
		case elemFlags == flagBucket && top:
			err = w.bucket(id, value, depth)
		case elemFlags != 0 || top:
			err = w.bad(id, "element %d has the type %d", i, elemFlags)
		}
		if err != nil {
			return 0, err
		}
	}
	return end, nil
}

// branchKey gives the key of a branch's element before its turn has come.
func (w *walker) branchKey(id uint64, b []byte, i int) ([]byte, error) {
	at := pageHeader + i*elementLen
	start := at + int(binary.NativeEndian.Uint32(b[at:]))
	end := start + int(binary.NativeEndian.Uint32(b[at+4:]))
	if end > len(b) {
		return nil, w.bad(id, "element %d is out of place", i)
	}
	return b[start:end], nil
}

// bucket checks the bucket whose header is given.
func (w *walker) bucket(id uint64, value []byte, depth int) error {
	if len(value) < bucketHeader {
		return w.bad(id, "short bucket")
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return w.page(root, depth+1, nil, nil, false)
	}
	inline := value[bucketHeader:]
	if len(inline) < pageHeader || binary.NativeEndian.Uint16(inline[8:]) != flagLeaf {
		return w.bad(id, "malformed bucket")
	}
	end, err := w.elements(id, inline, 0, nil, nil, false)
	if err == nil && end != len(inline) {
		err = w.bad(id, "malformed bucket")
	}
	return err
}
