package value

import (
	"fmt"
	"time"

	"github.com/cockroachdb/apd/v3"
	"pgregory.net/rapid"
)

func genInt() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-100, 100), rapid.SampledFrom([]int64{1<<63 - 1, -1 << 63, 1<<63 - 2}))
}

func genDecimal() *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		d := apd.New(genInt().Draw(t, "coeff"), -rapid.Int32Range(0, 12).Draw(t, "scale"))
		if rapid.Bool().Draw(t, "big") {
			d.Coeff.Mul(&d.Coeff, apd.NewBigInt(1<<62))
		}
		return Decimal(d)
	})
}

func genFloat() *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		return Float(rapid.Float64Range(-1e300, 1e300).Draw(t, "float"))
	})
}

func genNumber() *rapid.Generator[Value] {
	return rapid.OneOf(rapid.Map(genInt(), Int), genDecimal(), genFloat())
}

func genScalar() *rapid.Generator[Value] {
	return rapid.OneOf(
		genNumber(),
		rapid.Just(Nil), rapid.Just(Unit),
		rapid.Map(rapid.Bool(), Bool),
		rapid.Map(rapid.String(), String),
		rapid.Map(rapid.StringN(100, 200, -1), String),
		rapid.Map(genInt(), func(i int64) Value { return Duration(time.Duration(i)) }),
		rapid.Map(genInt(), Time),
		rapid.Map(rapid.StringMatching(`[a-z]{1,10}`), func(s string) Value { return NewFunc(&Func{Name: s}) }),
		rapid.Custom(func(t *rapid.T) Value {
			return NewHandle(Handle{Type: "Order", ID: rapid.String().Draw(t, "id"), Entity: rapid.Bool().Draw(t, "entity")})
		}),
		genSecret(),
	)
}

// genSecret makes secrets that are put together of names and texts.
func genSecret() *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		parts := []SecretPart{{Kind: SecretName, Text: rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "name")}}
		if rapid.Bool().Draw(t, "base64") {
			parts = []SecretPart{{Kind: SecretText, Text: "Basic "}, {Kind: SecretBase64, Parts: parts}}
		}
		if rapid.Bool().Draw(t, "after") {
			parts = append(parts, SecretPart{Kind: SecretText, Text: rapid.String().Draw(t, "text")})
		}
		v, err := NewSecret(parts...)
		if err != nil {
			t.Fatal(err)
		}
		return v
	})
}

// genValue makes data of every kind.
func genValue(depth int) *rapid.Generator[Value] {
	if depth == 0 {
		return genScalar()
	}
	elems := rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[Value] { return genValue(depth - 1) }), 0, 4)
	return rapid.OneOf(genScalar(), rapid.Custom(func(t *rapid.T) Value {
		vs := elems.Draw(t, "elems")
		names, words := make([]string, len(vs)), make([]string, len(vs))
		for i := range names {
			words[i] = fmt.Sprintf("f%d", i)
			names[i] = fmt.Sprintf("f%d%s", i, rapid.StringN(0, 3, -1).Draw(t, "key"))
		}
		switch rapid.IntRange(0, 4).Draw(t, "container") {
		case 0:
			return List(vs...)
		case 1:
			return Tuple(vs...)
		case 2:
			return NewRecord(names, vs)
		case 3:
			return NewVariant(&Variant{Name: "Some", Fields: vs})
		}
		return NewVariant(&Variant{Name: "Approved", Names: words, Fields: vs})
	}))
}
