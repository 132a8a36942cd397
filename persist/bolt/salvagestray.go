package bolt

import "encoding/binary"

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
// against the one before it; if that was not read just now, it is taken on trust.
func (s *sifter) clean(k kind, e element) bool {
	switch {
	case e.child != 0:
		return false
	case k != kindJournal:
		_, err := unseal(k, e.key, e.value)
		return err == nil
	case len(e.value) < headerLen:
		return false
	}
	at, prev := s.last, uint32(0)
	// Journals have no gaps: the next entry is the one that follows, or the
	// first one of another instance. If it is neither, its key is damaged.
	s.last = link{number: at.number, seq: at.seq + 1, known: at.known, chain: binary.LittleEndian.Uint32(e.value)}
	if len(e.key) != 16 || keyNumber(e.key[8:]) == 0 {
		return false
	}
	number, seq := keyNumber(e.key), keyNumber(e.key[8:])
	switch {
	case seq == 1:
	case !at.known:
		s.last.number, s.last.seq, s.last.known = number, seq, true
		return e.value[4] == recordVersion
	case number == at.number && seq == at.seq+1:
		prev = at.chain
	default:
		return false
	}
	// Even if this one is damaged, the next one was chained to what its checksum
	// was, and most damage is not in that.
	s.last.number, s.last.seq, s.last.known = number, seq, true
	_, err := unsealFrom(k, e.key, e.value, chained(e.key, prev))
	return err == nil
}
