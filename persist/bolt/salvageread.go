package bolt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

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
	key   [16]byte
	chain uint32
	known bool
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
		s.gap(id, at, "there is no such page, or it is used twice")
		return nil
	}
	b, more, err := s.read(id)
	if err != nil {
		s.gap(id, at, "cannot be read: %v", err)
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

// bucketNamed gives the kind whose bucket has the name, kindCount if none has.
func bucketNamed(name []byte) kind {
	k := kindMeta
	for k < kindCount && !bytes.Equal(buckets[k].name, name) {
		k++
	}
	return k
}

// leaf gives the clean records of a page, and the gaps between them. A page with
// clean records of another place is left for the second reading.
func (s *sifter) leaf(id uint64, list []element, more uint64, at span) error {
	before := s.last
	for _, e := range list {
		out := bytes.Compare(e.key, at.low) < 0 || at.high != nil && bytes.Compare(e.key, at.high) >= 0
		if out && s.clean(at.kind, e) {
			s.last = before
			s.gap(id, span{kind: at.kind}, "belongs elsewhere")
			return nil
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

// stray gives those records of a page that belong into a gap.
func (s *sifter) stray(id uint64) error {
	b, more, err := s.read(id)
	if err != nil {
		return nil // was noted if something leads to it
	}
	if binary.NativeEndian.Uint64(b) != id && !s.strange[id] {
		return nil // not the beginning of a page
	}
	list, _, _ := elements(b)
	s.last = link{}
	clean, err := s.strays(list)
	for _, e := range list {
		// A small bucket is in the page that names it.
		if k := bucketNamed(e.key); k < kindCount && len(e.value) >= bucketHeader+pageHeader && err == nil {
			var inner bool
			list, _, _ := elements(e.value[bucketHeader:])
			inner, err = s.strays(list)
			clean = clean || inner
		}
	}
	if clean {
		s.mark(id, more)
	}
	return err
}

// strays gives those of the records that belong into a gap, and tells whether
// any is clean.
func (s *sifter) strays(list []element) (clean bool, err error) {
	guess := kindMeta
	for _, e := range list {
		k, ok := s.classify(e, guess)
		if !ok {
			continue
		}
		guess, clean = k, true
		if s.gaps[k].has(e.key) {
			if err := s.found(k, e.key, e.value, false); err != nil {
				return clean, err
			}
		}
	}
	return clean, nil
}

// classify finds out of which bucket a record is: its checksum says so. Only a
// journal entry has to be taken on trust if the one before is not there.
func (s *sifter) classify(e element, guess kind) (kind, bool) {
	if guess != kindJournal && s.clean(guess, e) {
		return guess, true
	}
	for k := kindMeta; k < kindCount; k++ {
		if k != kindJournal && k != guess && s.clean(k, e) {
			return k, true
		}
	}
	return kindJournal, s.clean(kindJournal, e)
}

// clean tells whether a record is one of the bucket. A journal entry is checked
// against the one before it if that was read just now.
func (s *sifter) clean(k kind, e element) bool {
	if e.child != 0 {
		return false
	}
	if k != kindJournal {
		_, err := unseal(k, e.key, e.value)
		return err == nil
	}
	if len(e.key) != 16 || len(e.value) < headerLen || keyNumber(e.key[8:]) == 0 {
		return false
	}
	seq, ok := keyNumber(e.key[8:]), true
	follows := s.last.known && bytes.Equal(s.last.key[:8], e.key[:8]) && keyNumber(s.last.key[8:])+1 == seq
	if seq == 1 || follows {
		prev := uint32(0)
		if seq > 1 {
			prev = s.last.chain
		}
		_, err := unsealFrom(k, e.key, e.value, chained(e.key, prev))
		ok = err == nil
	}
	// The next one was chained to what this one's checksum was, and most damage
	// is not in that.
	s.last = link{key: [16]byte(e.key), chain: binary.LittleEndian.Uint32(e.value), known: true}
	return ok && e.value[4] == recordVersion
}

// element is one of a page.
type element struct {
	key, value []byte
	child      uint64 // of a branch
}

// elements gives the elements of a page, whether they are those of a branch, and
// what is wrong with the page's form. If its type is, the form says what it is.
func elements(b []byte) (list []element, branch bool, complaint string) {
	flags := binary.NativeEndian.Uint16(b[8:])
	list, complaint = elementsOf(b, flags == flagBranch)
	if complaint == "" && flags == flagBranch || complaint == "" && flags == flagLeaf {
		return list, flags == flagBranch, ""
	}
	if other, worse := elementsOf(b, flags != flagBranch); worse == "" && len(other) > 0 {
		return other, flags != flagBranch, fmt.Sprintf("has the type %d", flags)
	}
	return list, flags == flagBranch, cmp.Or(complaint, fmt.Sprintf("has the type %d", flags))
}

// elementsOf gives the elements that are inside the page.
func elementsOf(b []byte, branch bool) (list []element, complaint string) {
	count := int(binary.NativeEndian.Uint16(b[10:]))
	room := (len(b) - pageHeader) / elementLen
	if room > 0 { // the first element's place tells the number too
		start, _, _, _ := elementAt(b, 0, branch)
		if n := (start - pageHeader) / elementLen; n != count || start%elementLen != 0 {
			complaint = fmt.Sprintf("has %d elements, and room for %d", count, n)
			count = max(count, min(n, 1<<16-1))
		}
	}
	end := 0
	for i := range min(count, room) {
		start, split, stop, child := elementAt(b, i, branch)
		inside := start < split && stop <= len(b)
		if !inside || end > 0 && start != end {
			complaint = fmt.Sprintf("element %d is out of place", i)
		}
		if inside {
			end = stop
			list = append(list, element{key: b[start:split:split], value: b[split:stop:stop], child: child})
		}
	}
	return list, complaint
}

// elementAt gives where an element's key begins, its value begins and ends, and
// the page to which that of a branch leads.
func elementAt(b []byte, i int, branch bool) (start, split, stop int, child uint64) {
	at := pageHeader + i*elementLen
	u, e := binary.NativeEndian, b[at:at+elementLen]
	if branch {
		start, child = at+int(u.Uint32(e)), u.Uint64(e[8:])
		split = start + int(u.Uint32(e[4:]))
		return start, split, split, child
	}
	start = at + int(u.Uint32(e[4:]))
	split = start + int(u.Uint32(e[8:]))
	return start, split, split + int(u.Uint32(e[12:])), 0
}
