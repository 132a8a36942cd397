package value

import (
	"math"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// ToJSON is AppendJSON to nothing.
func ToJSON(v Value) ([]byte, error) { return AppendJSON(nil, v) }

// AppendJSON appends v as JSON: a Decimal as a number with its scale, a Float
// with a point or exponent, a Duration in its notation, a Time as RFC 3339, a
// handle as the instance's id in the store, unit as null, a tuple as an array,
// a variant as {"type": name} with its fields beside (or, if one has no name of
// its own or is called type, as "values": […]). A function is an error of code
// not_data, a secret one of code secret, what nests too deep of code depth; dst is then returned as it was.
func AppendJSON(dst []byte, v Value) ([]byte, error) {
	if v.Depth() > MaxDepth {
		return dst, tooDeep()
	}
	out, err := appendJSON(dst, v)
	if err != nil {
		return dst, err
	}
	return out, nil
}

func appendJSON(dst []byte, v Value) ([]byte, error) {
	switch r := v.ref.(type) {
	case nil:
		return append(dst, "null"...), nil
	case boolTag:
		return strconv.AppendBool(dst, v.num != 0), nil
	case intTag:
		return strconv.AppendInt(dst, int64(v.num), 10), nil
	case floatTag:
		return appendJSONFloat(dst, widenFloat(v)), nil
	case *apd.Decimal:
		return appendJSONDecimal(dst, r), nil
	case string:
		return appendJSONText(dst, r), nil
	case durationTag:
		return append(appendDuration(append(dst, '"'), int64(v.num)), '"'), nil
	case timeTag:
		return append(appendTime(append(dst, '"'), int64(v.num)), '"'), nil
	case *Handle:
		return appendJSONText(dst, r.StoreID()), nil
	case list:
		return appendJSONArray(dst, r)
	case tuple:
		if len(r) == 0 {
			return append(dst, "null"...), nil
		}
		return appendJSONArray(dst, r)
	case *Record:
		return appendJSONFields(append(dst, '{'), r.shape.keys, r.vals)
	case *Variant:
		return appendJSONVariant(dst, r)
	case *Secret:
		return dst, NoText(v)
	}
	return dst, errorf(CodeNotData, "a function cannot be written as JSON")
}

// appendJSONDecimal writes the digits; where they would read as an Int that is
// too large, with an exponent of zero.
func appendJSONDecimal(dst []byte, d *apd.Decimal) []byte {
	dst = d.Append(dst, 'f')
	if d.Exponent >= 0 {
		if _, err := d.Int64(); err != nil {
			dst = append(dst, "e0"...)
		}
	}
	return dst
}

// appendJSONFloat writes the shortest number that reads back as f, one that
// shows it is no Int.
func appendJSONFloat(dst []byte, f float64) []byte {
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return append(dst, s...)
}

func appendJSONArray(dst []byte, vs []Value) ([]byte, error) {
	dst = append(dst, '[')
	for i := range vs {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendJSON(dst, vs[i]); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// appendJSONFields writes fields and the closing brace.
func appendJSONFields(dst []byte, keys []string, vals []Value) ([]byte, error) {
	for i, k := range keys {
		if dst[len(dst)-1] != '{' || i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendJSONText(dst, k), ':')
		var err error
		if dst, err = appendJSON(dst, vals[i]); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// NamedInJSON reports whether JSON shows the fields of a variant by these names
// of theirs; else it lists their values.
func NamedInJSON(names []string) bool {
	for i, n := range names {
		if n == "" || n == "type" || indexOf(names[:i], n) >= 0 {
			return false
		}
	}
	return true
}

func appendJSONVariant(dst []byte, x *Variant) ([]byte, error) {
	dst = appendJSONText(append(dst, `{"type":`...), x.Name)
	if len(x.Names) == len(x.Fields) && NamedInJSON(x.Names) {
		return appendJSONFields(dst, x.Names, x.Fields)
	}
	dst, err := appendJSONArray(append(dst, `,"values":`...), x.Fields)
	return append(dst, '}'), err
}

func appendJSONText(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
