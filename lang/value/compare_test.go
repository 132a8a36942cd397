package value

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEqual(t *testing.T) {
	r1 := NewRecord([]string{"a", "b"}, []Value{Int(1), Int(2)})
	r2 := NewRecord([]string{"b", "a"}, []Value{Int(2), mustDecimal("1.0")})
	closure := NewFunc(&Func{Impl: 1})
	for _, c := range []struct {
		a, b Value
		want bool
	}{
		{Int(1), mustDecimal("1.00"), true}, {mustDecimal("1.0"), mustDecimal("1.00"), true}, {Int(1), Float(1), true}, {Float(1), mustDecimal("1.0"), false},
		{Int(1<<53 + 1), Float(1 << 53), false}, {Int(math.MaxInt64), Float(math.MaxInt64), false}, {Int(math.MinInt64), Float(math.MinInt64), true},
		{Int(1), Bool(true), false}, {Int(0), Nil, false}, {Duration(1), Int(1), false}, {Duration(1), Time(1), false}, {Bool(true), Bool(true), true},
		{String("a"), String("a"), true}, {String("a"), Nil, false}, {Nil, Nil, true}, {Unit, Unit, true}, {Unit, List(), false},
		{r1, r2, true}, {r1, NewRecord([]string{"a"}, []Value{Int(1)}), false}, {r1, NewRecord([]string{"a", "c"}, []Value{Int(1), Int(2)}), false},
		{List(Int(1)), List(mustDecimal("1")), true}, {List(Int(1)), List(Int(1), Int(2)), false}, {List(Int(1), Int(2)), Tuple(Int(1), Int(2)), false},
		{closure, closure, true}, {closure, NewFunc(&Func{Impl: 1}), false}, {NewFunc(&Func{Name: "f"}), NewFunc(&Func{Name: "f", Impl: 2}), true},
		{NewHandle(Handle{Type: "W", ID: "1"}), NewHandle(Handle{Type: "W", ID: "1"}), true}, {NewHandle(Handle{Type: "W", ID: "1"}), NewHandle(Handle{Type: "V", ID: "1"}), false},
		{NewVariant(&Variant{Name: "A", Fields: []Value{Int(1)}}), NewVariant(&Variant{Name: "A", Names: []string{"x"}, Fields: []Value{Int(1)}}), true},
		{NewVariant(&Variant{Name: "A"}), NewVariant(&Variant{Name: "B"}), false},
	} {
		require.Equal(t, c.want, Equal(c.a, c.b), "%s == %s", c.a, c.b)
		require.Equal(t, c.want, Equal(c.b, c.a), "%s == %s", c.b, c.a)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := genValue(2).Draw(t, "a"), genValue(2).Draw(t, "b")
		require.True(t, Equal(a, a))
		require.Equal(t, Equal(a, b), Equal(b, a))
	})
}

func TestCompare(t *testing.T) {
	ordered := []Value{Int(-1), mustDecimal("-0.5"), Int(0), mustDecimal("0.5"), Int(1), mustDecimal("1.5")}
	for i, a := range ordered {
		for j, b := range ordered {
			c, err := Compare(a, b)
			require.NoError(t, err)
			require.Equal(t, sign(i-j), c)
		}
	}
	for _, c := range [][2]Value{
		{Float(-1), Int(0)}, {Int(math.MaxInt64), Float(1e19)}, {Float(-1e19), Int(math.MinInt64)}, {Int(1), Float(1.5)}, {Float(-1.5), Int(-1)},
		{String("a"), String("b")}, {String("Z"), String("é")}, {Duration(time.Second), Duration(time.Minute)}, {Time(-1), Time(0)},
		{List(Int(1)), List(Int(1), Int(0))}, {Tuple(Int(1), String("a")), Tuple(Int(1), String("b"))},
	} {
		less, err := Compare(c[0], c[1])
		require.NoError(t, err)
		require.Equal(t, -1, less, "%s < %s", c[0], c[1])
		more, _ := Compare(c[1], c[0])
		require.Equal(t, 1, more)
	}
	for _, c := range [][2]Value{{Int(1), String("1")}, {Bool(true), Bool(false)}, {Nil, Nil}, {Float(1), mustDecimal("1")}, {NewRecord(nil, nil), NewRecord(nil, nil)}, {List(Nil), List(Nil)}, {Time(0), Duration(0)}} {
		_, err := Compare(c[0], c[1])
		require.Equal(t, CodeType, err.(*Error).Code)
	}
	_, err := Compare(Int(1), String("1"))
	require.EqualError(t, err, "cannot compare Int and String")
}

func sign(i int) int {
	switch {
	case i < 0:
		return -1
	case i > 0:
		return 1
	}
	return 0
}

// A record is a map that keeps its order, however it came about, and its meta
// is that of a record made at once.
func TestRecordModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := NewRecord(nil, nil)
		var keys []string
		model := map[string]Value{}
		for range rapid.IntRange(0, 60).Draw(t, "ops") {
			r, _ := v.AsRecord()
			k := fmt.Sprintf("k%d", rapid.IntRange(0, 25).Draw(t, "key"))
			if rapid.IntRange(0, 5).Draw(t, "op") == 0 {
				v = r.Without(k)
				delete(model, k)
				if i := indexOf(keys, k); i >= 0 {
					keys = append(keys[:i:i], keys[i+1:]...)
				}
				continue
			}
			if rapid.IntRange(0, 9).Draw(t, "all") == 0 {
				k2, x := fmt.Sprintf("k%d", rapid.IntRange(0, 25).Draw(t, "key2")), genValue(1).Draw(t, "value2")
				for _, name := range []string{k, k2} {
					if _, has := model[name]; !has {
						keys = append(keys[:len(keys):len(keys)], name)
					}
					model[name] = x
				}
				v = r.WithAll([]string{k, k2}, []Value{x, x})
				continue
			}
			x := rapid.OneOf(genValue(2), rapid.Just(NewFunc(&Func{Held: 5}))).Draw(t, "value")
			if _, has := model[k]; !has {
				keys = append(keys[:len(keys):len(keys)], k)
			}
			model[k] = x
			if v = r.With(k, x); rapid.Bool().Draw(t, "overwrite") {
				fresh, _ := v.AsRecord()
				model[k] = Int(int64(len(keys)))
				v, _ = fresh.Overwrite(k, model[k])
			}
		}
		r, _ := v.AsRecord()
		require.Equal(t, len(keys), r.Len())
		vals := make([]Value, len(keys))
		for i, k := range keys {
			got, x := r.At(i)
			require.Equal(t, k, got)
			require.Equal(t, model[k], x)
			found, has := r.Get(k)
			require.True(t, has)
			require.Equal(t, x, found)
			vals[i] = x
		}
		_, has := r.Get("none")
		require.False(t, has)
		fresh := NewRecord(keys, vals)
		require.Equal(t, fresh.Size(), v.Size())
		require.Equal(t, fresh.Depth(), v.Depth())
		require.Equal(t, fresh.IsData(), v.IsData())
	})
}

func TestRecordOfSameKeys(t *testing.T) {
	require.Equal(t, "{ a: 3, b: 2 }", NewRecord([]string{"a", "b", "a"}, []Value{Int(1), Int(2), Int(3)}).String())
	keys := make([]string, 40)
	vals := make([]Value, 40)
	for i := range keys {
		keys[i], vals[i] = fmt.Sprint(i%20), Int(int64(i))
	}
	r, _ := NewRecord(keys, vals).AsRecord()
	require.Equal(t, 20, r.Len())
	v, _ := r.Get("3")
	require.Equal(t, Int(23), v)
}

func TestMeta(t *testing.T) {
	require.Equal(t, 0, Int(1).Depth())
	require.Equal(t, 1, List().Depth())
	require.Equal(t, 2, Tuple(Int(1), List(Int(2))).Depth())
	bomb := List(String("0123456789"))
	for range 100 {
		bomb = List(bomb, bomb) // logically 2^100 strings
	}
	require.Equal(t, sizeMask, bomb.Size())
	require.Equal(t, 101, bomb.Depth())
	require.True(t, bomb.IsData())
	require.False(t, List(bomb, NewFunc(&Func{})).IsData())
	xs := List(Int(1), List(Int(2)))
	ys := ListGrown(xs, []Value{Int(1), List(Int(2)), List(List(Int(3)))})
	require.Equal(t, List(Int(1), List(Int(2)), List(List(Int(3)))).Size(), ys.Size())
	require.Equal(t, 3, ys.Depth())
	joined, err := Add(xs, ys)
	require.NoError(t, err)
	require.Equal(t, List(append(append([]Value{}, mustList(xs)...), mustList(ys)...)...).Size(), joined.Size())
	require.Nil(t, Int(1).Identity())
	require.Nil(t, List().Identity())
	require.Equal(t, xs.Identity(), xs.Identity())
	require.False(t, xs.Identity() == ys.Identity())
}

func mustList(v Value) []Value { l, _ := v.AsList(); return l }

// Equal values have equal hashes, and an Index tells values apart as Equal does.
func TestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vs := rapid.SliceOfN(genValue(2), 0, 12).Draw(t, "values")
		vs = append(vs, vs...)
		var x Index
		for i, v := range vs {
			first := 0
			for !Equal(vs[first], v) {
				first++
			}
			n, isNew := x.Add(v)
			require.Equal(t, first == i, isNew)
			require.True(t, Equal(x.All()[n], v))
		}
	})
	for _, c := range [][2]Value{{Int(3), mustDecimal("3.00")}, {Int(3), Float(3)}, {mustDecimal("1.50"), mustDecimal("1.5")}, {mustDecimal("1e30"), mustDecimal("1000000000000000000000000000000.0")}} {
		require.Equal(t, Hash(c[0]), Hash(c[1]), "%s and %s", c[0], c[1])
	}
}
