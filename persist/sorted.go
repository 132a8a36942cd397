package persist

import "sort"

// sorted is an ordered set of values: a list of sorted chunks, each short
// enough that an insertion moves little.
type sorted[T any] struct {
	less   func(a, b T) bool
	chunks [][]T // none is empty
}

// chunkLen is the length at which a chunk is split in two.
const chunkLen = 512

// seek gives the place of the first value that is not less than v.
func (s *sorted[T]) seek(v T) (chunk, index int) {
	chunk = sort.Search(len(s.chunks), func(i int) bool {
		c := s.chunks[i]
		return !s.less(c[len(c)-1], v)
	})
	if chunk == len(s.chunks) {
		return chunk, 0
	}
	c := s.chunks[chunk]
	return chunk, sort.Search(len(c), func(i int) bool { return !s.less(c[i], v) })
}

// put adds v, in place of an equal value if there is one.
func (s *sorted[T]) put(v T) {
	if len(s.chunks) == 0 {
		s.chunks = append(s.chunks, []T{v})
		return
	}
	ci, i := s.seek(v)
	if ci == len(s.chunks) {
		ci--
		i = len(s.chunks[ci])
	}
	c := s.chunks[ci]
	if i < len(c) && !s.less(v, c[i]) {
		c[i] = v
		return
	}
	var zero T
	c = append(c, zero)
	copy(c[i+1:], c[i:])
	c[i] = v
	s.chunks[ci] = c
	if len(c) >= chunkLen {
		s.split(ci)
	}
}

func (s *sorted[T]) split(ci int) {
	c := s.chunks[ci]
	at := len(c) / 2
	if ci == len(s.chunks)-1 {
		at = len(c) * 9 / 10 // values mostly come in ascending order
	}
	right := append(make([]T, 0, chunkLen), c[at:]...)
	clear(c[at:])
	s.chunks = append(s.chunks, nil)
	copy(s.chunks[ci+2:], s.chunks[ci+1:])
	s.chunks[ci], s.chunks[ci+1] = c[:at:at], right
}

// remove takes out the value equal to v and tells whether there was one.
func (s *sorted[T]) remove(v T) bool {
	ci, i := s.seek(v)
	if ci == len(s.chunks) || s.less(v, s.chunks[ci][i]) {
		return false
	}
	c := s.chunks[ci]
	copy(c[i:], c[i+1:])
	var zero T
	c[len(c)-1] = zero
	c = c[:len(c)-1]
	if len(c) > 0 {
		s.chunks[ci] = c
		return true
	}
	copy(s.chunks[ci:], s.chunks[ci+1:])
	s.chunks[len(s.chunks)-1] = nil
	s.chunks = s.chunks[:len(s.chunks)-1]
	return true
}

// from calls visit with the values from v on, in order, until it gives false.
func (s *sorted[T]) from(v T, visit func(T) bool) {
	ci, i := s.seek(v)
	for ; ci < len(s.chunks); ci++ {
		for ; i < len(s.chunks[ci]); i++ {
			if !visit(s.chunks[ci][i]) {
				return
			}
		}
		i = 0
	}
}
