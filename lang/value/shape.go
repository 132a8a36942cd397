package value

import (
	"slices"
	"strings"
)

// A Shape is the names of a record's fields in their order. Records that come
// from one another by setting fields share it; so can those that one place of
// a program makes.
type Shape struct {
	keys   []string
	sorted []int32 // indices of keys in the keys' order; only when there are many
	size   uint64  // bytes that a record of it takes beyond its values
}

// indexFrom is the number of names from which they are searched by halving.
const indexFrom = 12

// NewShape makes the shape of names, if no two of them are the same. Nobody may
// change keys after.
func NewShape(keys []string) (s *Shape, distinct bool) {
	s = &Shape{keys: keys, size: recordOverhead}
	for _, k := range keys {
		s.size += stringOverhead + uint64(len(k))
	}
	if len(keys) < indexFrom {
		for i := 1; i < len(keys); i++ {
			if indexOf(keys[:i], keys[i]) >= 0 {
				return nil, false
			}
		}
		return s, true
	}
	s.sorted = sortKeys(keys)
	s.size += uint64(len(keys)) * 4
	for i := 1; i < len(s.sorted); i++ {
		if keys[s.sorted[i-1]] == keys[s.sorted[i]] {
			return nil, false
		}
	}
	return s, true
}

func sortKeys(keys []string) []int32 {
	s := make([]int32, len(keys))
	for i := range s {
		s[i] = int32(i)
	}
	slices.SortFunc(s, func(a, b int32) int { return strings.Compare(keys[a], keys[b]) })
	return s
}

func indexOf(keys []string, k string) int {
	for i := range keys {
		if keys[i] == k {
			return i
		}
	}
	return -1
}

// index finds a name, -1 if it is not there.
func (s *Shape) index(key string) int {
	if s.sorted == nil {
		return indexOf(s.keys, key)
	}
	if at, ok := s.search(key); ok {
		return int(s.sorted[at])
	}
	return -1
}

// search finds the place of a name in sorted.
func (s *Shape) search(key string) (int, bool) {
	return slices.BinarySearchFunc(s.sorted, key, func(i int32, k string) int {
		return strings.Compare(s.keys[i], k)
	})
}

// with is the shape with a name more, one that it does not have.
func (s *Shape) with(key string) *Shape {
	keys := append(s.keys[:len(s.keys):len(s.keys)], key)
	if s.sorted == nil {
		n, _ := NewShape(keys)
		return n
	}
	at, _ := s.search(key)
	sorted := make([]int32, len(keys))
	copy(sorted, s.sorted[:at])
	sorted[at] = int32(len(keys) - 1)
	copy(sorted[at+1:], s.sorted[at:])
	return &Shape{keys: keys, sorted: sorted, size: s.size + stringOverhead + uint64(len(key)) + 4}
}
