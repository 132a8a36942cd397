package value

import (
	"math"

	"github.com/cockroachdb/apd/v3"
)

// An Index numbers different values in the order in which they are met; what
// counts as different is what Equal says. The zero Index is empty. Adding a
// value costs about as much as reading it, however many there are; Compared
// tells when somebody has chosen the values so that it does not.
type Index struct {
	at    map[uint64][]int
	all   []Value
	extra int
}

// Add gives the number of v, and whether it is new.
func (x *Index) Add(v Value) (number int, isNew bool) {
	if x.at == nil {
		x.at = map[uint64][]int{}
	}
	h := Hash(v)
	for _, i := range x.at[h] {
		if Equal(x.all[i], v) {
			return i, false
		}
		x.extra++
	}
	x.at[h] = append(x.at[h], len(x.all))
	x.all = append(x.all, v)
	return len(x.all) - 1, true
}

// Has reports whether a value equal to v was added.
func (x *Index) Has(v Value) bool {
	for _, i := range x.at[Hash(v)] {
		if Equal(x.all[i], v) {
			return true
		}
		x.extra++
	}
	return false
}

// All are the different values in their order; they must not be changed.
func (x *Index) All() []Value { return x.all }

// Compared is how many values were compared in vain because they looked alike.
func (x *Index) Compared() int { return x.extra }

// Hash is a number that equal values have in common. It is the same in every
// process.
func Hash(v Value) uint64 {
	switch r := v.ref.(type) {
	case nil:
		return 1
	case boolTag:
		return mix(2, v.num)
	case intTag:
		return mix(3, v.num)
	case floatTag:
		f := widenFloat(v)
		if f == math.Trunc(f) && f >= math.MinInt64 && f < math.MaxInt64 {
			return mix(3, uint64(int64(f)))
		}
		return mix(4, v.num)
	case *apd.Decimal:
		return hashDecimal(r)
	case string:
		return mix(5, hashText(r))
	case durationTag:
		return mix(6, v.num)
	case timeTag:
		return mix(7, v.num)
	case list:
		return hashAll(8, r)
	case tuple:
		return hashAll(9, r)
	case *Record:
		return hashRecord(r)
	case *Variant:
		return hashAll(mix(11, hashText(r.Name)), r.Fields)
	case *Handle:
		return mix(12, hashText(r.StoreID()))
	case *Func:
		return mix(13, hashText(r.Name))
	}
	return 0
}

// mix takes x into h.
func mix(h, x uint64) uint64 {
	h ^= x + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>27
}

func hashText(s string) uint64 {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

func hashAll(h uint64, vs []Value) uint64 {
	for i := range vs {
		h = mix(h, Hash(vs[i]))
	}
	return mix(h, uint64(len(vs)))
}

// hashRecord does not depend on the order of the fields.
func hashRecord(r *Record) uint64 {
	var sum uint64
	for i, k := range r.shape.keys {
		sum += mix(hashText(k), Hash(r.vals[i]))
	}
	return mix(10, sum)
}

// hashDecimal is that of the Int or Float of the same worth, if there is one of
// them; zeros after the point do not count.
func hashDecimal(d *apd.Decimal) uint64 {
	low, _ := new(apd.Decimal).Reduce(d)
	if i, err := low.Int64(); err == nil {
		return mix(3, uint64(i))
	}
	return mix(4, hashText(low.Text('E')))
}
