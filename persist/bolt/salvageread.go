package bolt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/wf-lang/wf/persist"
)

// maxPageBytes bounds a page with those it overflows into: it holds few records
// if it has any that long.
const maxPageBytes = 4 * persist.MaxRecord

// sifter reads a file of which any byte may be wrong, and gives its clean records.
// First it follows the tree as far as that goes, and notes the gaps; then it
// looks for what belongs into the gaps in all pages that it has not come by.
type sifter struct {
	file    io.ReaderAt
	size    uint64 // of a page
	pages   uint64
	seen    []uint64        // bit set of pages that were read
	strange map[uint64]bool // pages that were linked but call themselves otherwise
	gaps    [kindCount]gapList
	met     [kindCount]bool // buckets that were found
	last    link            // of the journal

	damage func(Damage)
	// found takes a clean record and may keep its memory. linked tells that the
	// tree leads to it.
	found func(k kind, key, value []byte, linked bool) error
}

// link is a journal entry that was read, to check the next one.
type link struct {
	number, seq uint64
	chain       uint32
	known       bool
}

// span is where a page stands in the tree: its keys are in [low, high), where nil
// is no bound.
type span struct {
	kind      kind
	low, high []byte
	depth     int
}

// noKind is that of the pages of the bucket of buckets.
const noKind = kindCount

func newSifter(f *os.File, closedAt uint64, damage func(Damage)) (*sifter, uint64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	length := info.Size()
	meta, both, err := readMeta(f, length)
	switch {
	case err != nil:
		damage(Damage{Reason: "the file's head is destroyed"})
		meta = fileMeta{pageSize: guessPageSize(f, length)}
	case closedAt > meta.txid:
		damage(Damage{Page: 1 - meta.txid%2, Reason: "the record of the last commit is destroyed, the state is that of the one before"})
	case !both:
		damage(Damage{Page: 1 - meta.txid%2, Reason: "one of the two heads is destroyed, the last commit may be missing"})
	}
	pages := (uint64(length) + meta.pageSize - 1) / meta.pageSize
	if there := uint64(length) / meta.pageSize; meta.pages > there {
		damage(Damage{Page: there, Reason: fmt.Sprintf("the file is truncated: %d of %d pages are there", there, meta.pages)})
	} else if meta.pages > 2 {
		pages = meta.pages
	}
	s := &sifter{file: f, size: meta.pageSize, pages: pages, seen: make([]uint64, pages/64+1), strange: map[uint64]bool{}, damage: damage}
	return s, meta.root, nil
}

// guessPageSize gives the size with which most of the first pages are where
// they say.
func guessPageSize(f io.ReaderAt, length int64) uint64 {
	best, most := uint64(pageSize), 0
	for size := int64(minPageSize); size <= maxPageSize; size *= 2 {
		hits := 0
		for id := int64(2); id < 256 && id*size < length; id++ {
			var b [pageHeader]byte
			if _, err := f.ReadAt(b[:], id*size); err == nil && binary.NativeEndian.Uint64(b[:]) == uint64(id) {
				hits++
			}
		}
		if hits > most {
			best, most = uint64(size), hits
		}
	}
	return best
}

// run reads the tree of the root page (0: it is not known), then the gaps.
func (s *sifter) run(root uint64, between func() error) error {
	if err := s.page(root, span{kind: noKind}); err != nil {
		return err
	}
	whole := true
	for k := kindMeta; k < kindCount; k++ {
		if !s.met[k] {
			s.gap(root, span{kind: k}, "the bucket is lost")
		}
		s.gaps[k].settle()
		whole = whole && len(s.gaps[k].list) == 0
	}
	if err := between(); err != nil || whole {
		return err
	}
	for id := uint64(2); id < s.pages; id++ {
		if s.isSeen(id) {
			continue
		}
		if err := s.stray(id); err != nil {
			return err
		}
	}
	return nil
}

// gap notes that the records of a span, or some of them, were not found.
func (s *sifter) gap(id uint64, at span, format string, args ...any) {
	d := Damage{Page: id, From: bytes.Clone(at.low), To: bytes.Clone(at.high), Reason: fmt.Sprintf(format, args...)}
	if at.kind != noKind {
		d.Bucket = at.kind.String()
		s.gaps[at.kind].add(d.From, d.To)
	}
	s.damage(d)
}

// miss notes that a whole page was not found.
func (s *sifter) miss(id uint64, at span, format string, args ...any) {
	s.gap(id, at, format, args...)
	s.last = link{}
}

func (s *sifter) isSeen(id uint64) bool { return s.seen[id/64]&(1<<(id%64)) != 0 }

func (s *sifter) mark(id, more uint64) {
	for i := id; i <= id+more && i < s.pages; i++ {
		s.seen[i/64] |= 1 << (i % 64)
	}
}

// read gives a page with what it overflows into, as far as that can be. What is
// behind the end of the file is zero.
func (s *sifter) read(id uint64) (b []byte, more uint64, err error) {
	b, err = s.readBytes(nil, id, s.size)
	if err != nil {
		return nil, 0, err
	}
	more = uint64(binary.NativeEndian.Uint32(b[12:]))
	if more == 0 || id+more >= s.pages || more*s.size > maxPageBytes {
		return b, 0, nil
	}
	b, err = s.readBytes(b, id, (more+1)*s.size)
	return b, more, err
}

func (s *sifter) readBytes(b []byte, id, length uint64) ([]byte, error) {
	if uint64(len(b)) < length {
		b = make([]byte, length)
	}
	n, err := s.file.ReadAt(b, int64(id*s.size))
	if errors.Is(err, io.EOF) {
		clear(b[n:])
		err = nil
	}
	return b, err
}

// page reads a page that something leads to, and all below it.
func (s *sifter) page(id uint64, at span) error {
	if id < 2 || id >= s.pages || at.depth > maxDepth || s.isSeen(id) {
		s.miss(id, at, "there is no such page, or it is used twice")
		return nil
	}
	b, more, err := s.read(id)
	if err != nil {
		s.miss(id, at, "cannot be read: %v", err)
		return nil
	}
	if got := binary.NativeEndian.Uint64(b); got != id {
		s.strange[id] = true
		s.damage(Damage{Page: id, Reason: fmt.Sprintf("calls itself page %d", got)}) // what is in it decides
	}
	list, branch, complaint := elements(b)
	if complaint != "" || len(list) == 0 { // an empty bucket has no page
		s.gap(id, at, "%s", cmp.Or(complaint, "is empty"))
	}
	switch {
	case branch:
		s.mark(id, 0)
		return s.branch(list, complaint == "", at)
	case at.kind == noKind:
		s.mark(id, more)
		return s.top(id, list, at)
	default:
		return s.leaf(id, list, more, at)
	}
}

// branch reads the pages below one. If its keys are in order, they are the bounds.
func (s *sifter) branch(list []element, ordered bool, at span) error {
	for i, e := range list {
		ordered = ordered && bytes.Compare(e.key, at.low) >= 0 && (at.high == nil || bytes.Compare(e.key, at.high) < 0) &&
			(i == 0 || bytes.Compare(list[i-1].key, e.key) < 0)
	}
	for i, e := range list {
		below := span{kind: at.kind, low: at.low, high: at.high, depth: at.depth + 1}
		if ordered && i > 0 {
			below.low = e.key
		}
		if ordered && i+1 < len(list) {
			below.high = list[i+1].key
		}
		if err := s.page(e.child, below); err != nil {
			return err
		}
	}
	return nil
}

// top reads the buckets named in a leaf.
func (s *sifter) top(id uint64, list []element, at span) error {
	for _, e := range list {
		k := bucketNamed(e.key)
		if k == kindCount || len(e.value) < bucketHeader || s.met[k] {
			s.gap(id, at, "no bucket of a store, or twice")
			continue
		}
		s.met[k] = true
		s.last = link{}
		below, err := span{kind: k, depth: at.depth + 1}, error(nil)
		if root := binary.NativeEndian.Uint64(e.value); root != 0 {
			err = s.page(root, below)
		} else if inline := e.value[bucketHeader:]; len(inline) >= pageHeader {
			inner, _, complaint := elements(inline)
			if complaint != "" {
				s.gap(id, below, "%s", complaint)
			}
			err = s.leaf(id, inner, 0, below)
		} else {
			s.gap(id, below, "malformed bucket")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leaf gives the clean records of a page, and the gaps between them. A page with
// clean records of another place is left for the second reading.
func (s *sifter) leaf(id uint64, list []element, more uint64, at span) error {
	before := s.last
	outside := func(e element) bool {
		return bytes.Compare(e.key, at.low) < 0 || at.high != nil && bytes.Compare(e.key, at.high) >= 0
	}
	if slices.ContainsFunc(list, outside) {
		for _, e := range list {
			if s.clean(at.kind, e) && outside(e) {
				s.miss(id, span{kind: at.kind}, "belongs elsewhere")
				return nil
			}
		}
	}
	s.last = before
	open, dirty := at.low, 0
	for _, e := range list {
		if !s.clean(at.kind, e) {
			dirty++
			continue
		}
		if dirty > 0 {
			s.gap(id, span{kind: at.kind, low: open, high: e.key}, "damaged records: %d", dirty)
			dirty = 0
		}
		open = append(bytes.Clone(e.key), 0)
		s.mark(id, more)
		if err := s.found(at.kind, e.key, e.value, true); err != nil {
			return err
		}
	}
	if dirty > 0 {
		s.gap(id, span{kind: at.kind, low: open, high: at.high}, "damaged records: %d", dirty)
	}
	return nil
}
