package engine

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/value"
)

// place is a hash of where in an instance's life something happens: chance is
// drawn from it, so that it is the same when a body is run again. The id is part
// of it, so that instances differ also where all have one seed, as in a lab.
func (a *attempt) place(n int) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, u := range []uint64{a.in.seed, uint64(a.visit), uint64(a.number), uint64(n)} {
		binary.BigEndian.PutUint64(b[:], u)
		h.Write(b[:])
	}
	for _, s := range []string{a.in.id, a.path, a.step} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// chance answers requests for random values: they follow from the place, and
// need no record.
func (a *attempt) chance(r *interp.Request, n int) (value.Value, bool) {
	switch {
	case isOp(r, "Uuid.new"):
		var b [16]byte
		place := a.place(n)
		binary.BigEndian.PutUint64(b[:8], mix(place))
		binary.BigEndian.PutUint64(b[8:], mix(place+1))
		b[6] = b[6]&0x0f | 0x40
		b[8] = b[8]&0x3f | 0x80
		return value.String(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])), true
	case isOp(r, "Random.int"):
		lo, ok1 := r.Args[0].AsInt()
		hi, ok2 := r.Args[1].AsInt()
		if !ok1 || !ok2 || lo > hi {
			return value.Nil, false
		}
		span := uint64(hi) - uint64(lo)
		draw := mix(a.place(n))
		if span != math.MaxUint64 {
			draw, _ = bits.Mul64(draw, span+1)
		}
		return value.Int(int64(uint64(lo) + draw)), true
	}
	return value.Nil, false
}

// mix spreads the bits of a place (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
