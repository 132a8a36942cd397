package value

import (
	"encoding/binary"
	"math"

	"github.com/cockroachdb/apd/v3"
)

// The binary form: a tag byte, then what belongs to the kind. Lengths and
// counts are unsigned varints, integers zigzag varints. Small Ints and short
// Strings are in their tag. There is one form of each value, and the decoder
// refuses all others; which version of this it is, is the business of what the
// bytes lie in.
const (
	tagNil      = iota
	tagFalse    // nothing follows
	tagTrue     // nothing follows
	tagInt      // zigzag
	tagDecimal  // zigzag exponent, sign byte, length and bytes of the coefficient
	tagFloat    // 8 bytes, big endian
	tagString   // length, bytes
	tagDuration // zigzag nanoseconds
	tagTime     // 8 bytes of Unix nanoseconds, big endian
	tagList     // count, elements
	tagTuple    // count, elements
	tagRecord   // count, then key and value of each
	tagVariant  // name, count, fields
	tagNamed    // name, count, then name and value of each field
	tagFunc     // name
	tagHandle   // type, id
	tagEntity   // type, id
	tagSecret   // count, then the parts: a byte for the kind, and a text or again parts

	tagSmallInt    = 0x40 // to 0x7f: 0 to 63
	tagShortString = 0x80 // to 0xff: 0 to 127 bytes

	smallInts    = 64
	shortStrings = 128
)

// Append appends the binary form of v to dst. Values of one kind, content and
// order of fields always have the same bytes; a Decimal's scale counts. A
// closure in v is an error of code not_data, one too deep of code depth; dst is
// then returned as it was.
func Append(dst []byte, v Value) ([]byte, error) {
	if !v.IsData() {
		return dst, errorf(CodeNotData, "a function without a name cannot be stored or sent")
	}
	if v.Depth() > MaxDepth {
		return dst, tooDeep()
	}
	return appendValue(dst, v), nil
}

func tooDeep() error {
	return errorf(CodeDepth, "values may nest %d deep at most", MaxDepth)
}

func appendValue(dst []byte, v Value) []byte {
	switch r := v.ref.(type) {
	case nil:
		return append(dst, tagNil)
	case boolTag:
		return append(dst, tagFalse+byte(v.num))
	case intTag:
		if v.num < smallInts {
			return append(dst, tagSmallInt+byte(v.num))
		}
		return binary.AppendVarint(append(dst, tagInt), int64(v.num))
	case floatTag:
		return binary.BigEndian.AppendUint64(append(dst, tagFloat), v.num)
	case durationTag:
		return binary.AppendVarint(append(dst, tagDuration), int64(v.num))
	case timeTag:
		return binary.BigEndian.AppendUint64(append(dst, tagTime), v.num)
	case string:
		if len(r) < shortStrings {
			return append(append(dst, tagShortString+byte(len(r))), r...)
		}
		return appendString(append(dst, tagString), r)
	case *apd.Decimal:
		return appendDecimal(dst, r)
	case list:
		return appendValues(append(dst, tagList), r)
	case tuple:
		return appendValues(append(dst, tagTuple), r)
	case *Record:
		dst = binary.AppendUvarint(append(dst, tagRecord), uint64(len(r.shape.keys)))
		for i, k := range r.shape.keys {
			dst = appendValue(appendString(dst, k), r.vals[i])
		}
		return dst
	case *Variant:
		return appendVariant(dst, r)
	case *Func:
		return appendString(append(dst, tagFunc), r.Name)
	case *Handle:
		tag := byte(tagHandle)
		if r.Entity {
			tag = tagEntity
		}
		return appendString(appendString(append(dst, tag), r.Type), r.ID)
	case *Secret:
		return appendSecretParts(append(dst, tagSecret), r.Parts)
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func appendValues(dst []byte, vs []Value) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(vs)))
	for i := range vs {
		dst = appendValue(dst, vs[i])
	}
	return dst
}

func appendVariant(dst []byte, x *Variant) []byte {
	if len(x.Names) != len(x.Fields) || len(x.Fields) == 0 {
		return appendValues(appendString(append(dst, tagVariant), x.Name), x.Fields)
	}
	dst = appendString(append(dst, tagNamed), x.Name)
	dst = binary.AppendUvarint(dst, uint64(len(x.Fields)))
	for i := range x.Fields {
		dst = appendValue(appendString(dst, x.Names[i]), x.Fields[i])
	}
	return dst
}

func appendDecimal(dst []byte, d *apd.Decimal) []byte {
	dst = binary.AppendVarint(append(dst, tagDecimal), int64(d.Exponent))
	sign := byte(0)
	if d.Negative && !d.IsZero() {
		sign = 1
	}
	dst = append(dst, sign)
	if d.Coeff.IsUint64() {
		u := d.Coeff.Uint64()
		n := (64 - leadingZeros(u) + 7) / 8
		dst = append(dst, byte(n))
		for i := n - 1; i >= 0; i-- {
			dst = append(dst, byte(u>>(8*i)))
		}
		return dst
	}
	coeff := d.Coeff.Bytes()
	return append(binary.AppendUvarint(dst, uint64(len(coeff))), coeff...)
}

func validFloat(bits uint64) bool {
	f := math.Float64frombits(bits)
	return !math.IsNaN(f) && !math.IsInf(f, 0) && (f != 0 || bits == 0)
}
