package value

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCodecRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := genValue(3).Draw(t, "value")
		b, err := Append([]byte("before"), v)
		require.NoError(t, err)
		got, rest, err := Decode(append(b, "after"...)[len("before"):])
		require.NoError(t, err)
		require.Equal(t, "after", string(rest))
		require.True(t, Equal(v, got), "%s came back as %s", v, got)
		require.Equal(t, v.String(), got.String())
		require.Equal(t, v.Kind(), got.Kind())
		require.Equal(t, v.Depth(), got.Depth())
		again, err := Append(nil, got)
		require.NoError(t, err)
		require.Equal(t, b[len("before"):], again)
	})
}

// Whatever is cut off or flipped is refused or a value; never a panic.
func TestDecodeDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, err := Append(nil, genValue(3).Draw(t, "value"))
		require.NoError(t, err)
		if cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut"); true {
			_, _, err = Decode(b[:cut])
			require.Error(t, err)
		}
		b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		checkCanonical(t, b)
	})
}

type testing_ interface {
	require.TestingT
	Helper()
}

func checkCanonical(t testing_, b []byte) {
	t.Helper()
	v, rest, err := Decode(b)
	if err != nil {
		return
	}
	again, err := Append(nil, v)
	require.NoError(t, err)
	require.Equal(t, b[:len(b)-len(rest)], again)
	_ = v.String()
}

func FuzzDecode(f *testing.F) {
	for _, v := range samples() {
		b, err := Append(nil, v)
		if err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkCanonical(t, b) })
}

func TestCodecRefuses(t *testing.T) {
	closure := NewFunc(&Func{Impl: 1})
	_, err := Append(nil, List(Int(1), Tuple(closure, Int(2))))
	require.Equal(t, CodeNotData, err.(*Error).Code)

	deep := Int(1)
	for range MaxDepth {
		deep = List(deep)
	}
	b, err := Append(nil, deep)
	require.NoError(t, err)
	got, _, err := Decode(b)
	require.NoError(t, err)
	require.True(t, Equal(deep, got))
	_, err = Append(nil, List(deep))
	require.Equal(t, CodeDepth, err.(*Error).Code)
	for _, bad := range []string{
		"", "\x09\x01", strings.Repeat("\x09\x01", 1_000_000), // lists without end
		"\x09\xff\xff\xff\xff\x0f\x00",                                                 // a count that is not there
		"\x03\x02",                                                                     // a small Int in its long form
		"\x82\xff\xfe",                                                                 // no UTF-8
		"\x0a\x01\x40",                                                                 // a tuple of one
		"\x0b\x02\x01a\x00\x01a\x00",                                                   // a field twice
		"\x05\x7f\xf8\x00\x00\x00\x00\x00\x00", "\x05\x80\x00\x00\x00\x00\x00\x00\x00", // NaN, -0
		"\x04\x00\x01\x00", "\x04\x00\x00\x01\x00", // -0, a coefficient with a zero before
		"\x0e\x00", "\x3f", "\x06\x00",
	} {
		_, _, err := Decode([]byte(bad))
		require.Error(t, err, "%q", bad[:min(len(bad), 20)])
		require.Equal(t, CodeCorrupt, err.(*Error).Code)
	}
}

// What bytes claim must not be allocated before it is there.
func TestDecodeAllocatesLittle(t *testing.T) {
	bomb := []byte(strings.Repeat("\x09\xf0\x01", 3000)) // each list claims 240 elements
	var after uint64
	bytes := testing.Benchmark(func(b *testing.B) {
		for range b.N {
			if _, _, err := Decode(bomb); err == nil {
				b.Fatal("accepted")
			}
		}
	}).AllocedBytesPerOp()
	after = uint64(bytes)
	require.Less(t, after, uint64(40*len(bomb)))
}

func BenchmarkAppend(b *testing.B) {
	v, buf := typical(), []byte(nil)
	b.ReportAllocs()
	for range b.N {
		buf, _ = Append(buf[:0], v)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDecode(b *testing.B) {
	buf, _ := Append(nil, typical())
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for range b.N {
		if _, _, err := Decode(buf); err != nil {
			b.Fatal(err)
		}
	}
}

// typical is a state of about 200 bytes.
func typical() Value {
	item := func(sku string, qty int64) Value {
		return NewRecord([]string{"sku", "qty", "price"}, []Value{String(sku), Int(qty), mustDecimal("12.50")})
	}
	return NewRecord([]string{"order", "customer", "items", "status", "created"}, []Value{
		String("order-2024-000123"), String("alice@example.com"),
		List(item("sku-1", 2), item("sku-22", 300), item("sku-333", 4)), String("waiting-for-payment"), Time(1893456000000000000)})
}

func mustDecimal(s string) Value {
	v, err := ToDecimal(String(s))
	if err != nil {
		panic(err)
	}
	return v
}
