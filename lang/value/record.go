package value

import (
	"slices"
	"strings"
)

// A Record is an immutable map from names to values that remembers the order
// in which its fields were first written. Two records are equal if they have
// the same fields with equal values, in whatever order.
type Record struct {
	keys   []string
	vals   []Value
	sorted []int32 // indices of keys in the keys' order; only when large
	meta   uint64
}

// indexFrom is the size from which a record keeps an index beside its fields.
const indexFrom = 12

// NewRecord makes a record of keys and their values; a repeated key keeps its
// first place and its last value. Nobody may change the slices after.
func NewRecord(keys []string, vals []Value) Value {
	var sorted []int32
	if len(keys) < indexFrom {
		for i := 1; i < len(keys); i++ {
			if indexOf(keys[:i], keys[i]) >= 0 {
				return dedupe(keys, vals)
			}
		}
	} else {
		sorted = sortKeys(keys)
		for i := 1; i < len(sorted); i++ {
			if keys[sorted[i-1]] == keys[sorted[i]] {
				return dedupe(keys, vals)
			}
		}
	}
	return newRecord(&Record{keys: keys, vals: vals, sorted: sorted})
}

// newRecord completes a record of distinct keys.
func newRecord(r *Record) Value {
	m := metaOf(r.vals)
	size := m&sizeMask + recordOverhead + uint64(len(r.sorted))*4
	for _, k := range r.keys {
		size += stringOverhead + uint64(len(k))
	}
	r.meta = m&^sizeMask | min(size, sizeMask)
	return Value{num: r.meta, ref: r}
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

func dedupe(keys []string, vals []Value) Value {
	at := make(map[string]int, len(keys))
	var ks []string
	var vs []Value
	for i, k := range keys {
		if j, ok := at[k]; ok {
			vs[j] = vals[i]
			continue
		}
		at[k] = len(ks)
		ks, vs = append(ks, k), append(vs, vals[i])
	}
	return NewRecord(ks, vs)
}

// Len is the number of fields.
func (r *Record) Len() int { return len(r.keys) }

// At is the i-th field.
func (r *Record) At(i int) (string, Value) { return r.keys[i], r.vals[i] }

// Keys are the names of the fields in order; they must not be changed.
func (r *Record) Keys() []string { return r.keys }

// Get finds a field.
func (r *Record) Get(key string) (Value, bool) {
	if i := r.index(key); i >= 0 {
		return r.vals[i], true
	}
	return Nil, false
}

func (r *Record) index(key string) int {
	if r.sorted == nil {
		return indexOf(r.keys, key)
	}
	if at, ok := r.search(key); ok {
		return int(r.sorted[at])
	}
	return -1
}

// search finds the place of a key in sorted.
func (r *Record) search(key string) (int, bool) {
	return slices.BinarySearchFunc(r.sorted, key, func(i int32, k string) int {
		return strings.Compare(r.keys[i], k)
	})
}

// With is the record with the field set.
func (r *Record) With(key string, v Value) Value {
	if i := r.index(key); i >= 0 {
		return r.replace(i, v)
	}
	keys := append(r.keys[:len(r.keys):len(r.keys)], key)
	vals := append(r.vals[:len(r.vals):len(r.vals)], v)
	if r.sorted == nil {
		return NewRecord(keys, vals)
	}
	at, _ := r.search(key)
	sorted := make([]int32, len(keys))
	copy(sorted, r.sorted[:at])
	sorted[at] = int32(len(keys) - 1)
	copy(sorted[at+1:], r.sorted[at:])
	m := v.meta()
	grown := joinMeta(r.meta, metaOf(vals[len(vals)-1:]))
	size := min(grown&sizeMask+stringOverhead+uint64(len(key))+4, sizeMask)
	n := &Record{keys: keys, vals: vals, sorted: sorted, meta: (grown|m&closureBit)&^sizeMask | size}
	return Value{num: n.meta, ref: n}
}

// replace is the record with the i-th value replaced. It corrects the meta by
// the difference, unless the old value may have been the deepest or the one
// with a closure.
func (r *Record) replace(i int, v Value) Value {
	n := &Record{keys: r.keys, vals: make([]Value, len(r.vals)), sorted: r.sorted}
	copy(n.vals, r.vals)
	n.vals[i] = v
	before, after := r.vals[i].meta(), v.meta()
	depth, size := r.meta>>depthShift&depthMask, r.meta&sizeMask
	deepest := before>>depthShift&depthMask+1 >= depth && depth > 1
	if deepest || (r.meta|after)&closureBit != 0 || size == sizeMask {
		return newRecord(n)
	}
	depth = max(depth, min(after>>depthShift&depthMask+1, depthMask))
	n.meta = depth<<depthShift | min(size-before&sizeMask+after&sizeMask, sizeMask)
	return Value{num: n.meta, ref: n}
}

// Without is the record without the field.
func (r *Record) Without(key string) Value {
	i := r.index(key)
	if i < 0 {
		return Value{num: r.meta, ref: r}
	}
	keys := append(append(make([]string, 0, len(r.keys)-1), r.keys[:i]...), r.keys[i+1:]...)
	vals := append(append(make([]Value, 0, len(r.vals)-1), r.vals[:i]...), r.vals[i+1:]...)
	return NewRecord(keys, vals)
}
