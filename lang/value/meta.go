package value

import (
	"unsafe"

	"github.com/cockroachdb/apd/v3"
)

// The number word of a container (its meta):
//
//	bit 63       a closure is in it
//	bit 62       a secret is in it
//	bits 48-61   how deep containers nest in it, itself included
//	bits 0-47    bytes of memory it would take if nothing were shared
//
// Size and depth stick at their largest value. The size counts shared parts as
// often as they occur: what has a small Size can be printed, encoded and walked.
const (
	closureBit = 1 << 63
	secretBit  = 1 << 62
	stickyBits = closureBit | secretBit
	depthShift = 48
	depthMask  = 0x3fff
	sizeMask   = 1<<48 - 1
	depthOne   = 1 << depthShift
)

// MaxDepth is how deep values may nest. The evaluator refuses to build deeper
// ones, the codec and JSON refuse to write and read them; every recursion over
// values relies on it.
const MaxDepth = 10_000

// The bytes that parts of values take.
const (
	wordsOfValue   = 24
	stringOverhead = 16
	listOverhead   = 24
	recordOverhead = 80
	decimalSize    = 56
)

// meta gives the meta word of any value.
func (v Value) meta() uint64 {
	switch r := v.ref.(type) {
	case nil, boolTag, intTag, floatTag, durationTag, timeTag:
		return wordsOfValue
	case string:
		return uint64(wordsOfValue + stringOverhead + len(r))
	case *apd.Decimal:
		return uint64(wordsOfValue + decimalSize + r.Coeff.BitLen()/8)
	case *Handle:
		return uint64(wordsOfValue + 40 + len(r.ID) + len(r.Type))
	case *Func:
		return v.num + wordsOfValue + 40
	case *Secret:
		return secretBit | uint64(wordsOfValue+r.size())
	}
	return v.num
}

// metaOf is the meta of a container of vs.
func metaOf(vs []Value) uint64 {
	size := uint64(wordsOfValue + listOverhead)
	var depth, sticky uint64
	for i := range vs {
		m := vs[i].meta()
		size = min(size+m&sizeMask, sizeMask)
		depth = max(depth, m>>depthShift&depthMask)
		sticky |= m & stickyBits
	}
	return sticky | min(depth+1, depthMask)<<depthShift | size
}

// joinMeta is the meta of a container that has the elements of two.
func joinMeta(a, b uint64) uint64 {
	size := min(a&sizeMask+b&sizeMask-wordsOfValue-listOverhead, sizeMask)
	depth := max(a>>depthShift&depthMask, b>>depthShift&depthMask)
	return (a|b)&stickyBits | depth<<depthShift | size
}

// Size is roughly how many bytes of memory v takes, parts that are shared
// counted as often as they occur. It costs nothing.
func (v Value) Size() int { return int(v.meta() & sizeMask) }

// Size is v.Size.
func Size(v Value) int { return v.Size() }

// Depth is how deep containers nest in v: 0 for a scalar, 1 for a list of
// Ints. It costs nothing.
func (v Value) Depth() int { return int(v.meta() >> depthShift & depthMask) }

// IsData reports whether v may be kept in state or journaled: no closure is in
// it. It costs nothing.
func (v Value) IsData() bool { return v.meta()&closureBit == 0 }

// HasSecret reports whether v is a secret or holds one: it has no text then. It
// costs nothing.
func (v Value) HasSecret() bool { return v.meta()&secretBit != 0 }

// Identity is a comparable thing that two values have in common if they are one
// object in memory: then what they hold needs counting once. It is nil for what
// has no memory of its own and for what is empty.
func (v Value) Identity() any {
	switch r := v.ref.(type) {
	case string:
		if r != "" {
			return unsafe.StringData(r) // compared, never followed
		}
	case list:
		if len(r) > 0 {
			return &r[0]
		}
	case tuple:
		if len(r) > 0 {
			return &r[0]
		}
	case *Record, *Variant, *Func, *Handle, *Secret, *apd.Decimal:
		return r
	}
	return nil
}
