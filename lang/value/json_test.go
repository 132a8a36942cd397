package value

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func genJSON(depth int) *rapid.Generator[Value] {
	scalar := rapid.OneOf(rapid.Map(genInt(), Int), genDecimal(), rapid.Just(Nil), rapid.Map(rapid.Bool(), Bool), rapid.Map(rapid.String(), String))
	if depth == 0 {
		return scalar
	}
	return rapid.OneOf(scalar, rapid.Custom(func(t *rapid.T) Value {
		vs := rapid.SliceOfN(genJSON(depth-1), 0, 4).Draw(t, "elems")
		if rapid.Bool().Draw(t, "list") {
			return List(vs...)
		}
		keys := rapid.SliceOfNDistinct(rapid.String(), len(vs), len(vs), rapid.ID[string]).Draw(t, "keys")
		return NewRecord(keys, vs)
	}))
}

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := genJSON(3).Draw(t, "value")
		b, err := ToJSON(v)
		require.NoError(t, err)
		require.True(t, json.Valid(b), "%s", b)
		got, err := FromJSON(b)
		require.NoError(t, err)
		require.True(t, Equal(v, got), "%s came back as %s", v, got)
		again, err := ToJSON(got)
		require.NoError(t, err)
		require.Equal(t, string(b), string(again))
	})
}

// Every data value without functions and secrets has a JSON form that json.Valid
// accepts.
func TestJSONOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := genValue(3).Draw(t, "value")
		b, err := ToJSON(v)
		if err != nil {
			require.Contains(t, []string{CodeNotData, CodeSecret}, err.(*Error).Code)
			require.True(t, err.(*Error).Code == CodeNotData || v.HasSecret())
			return
		}
		require.True(t, json.Valid(b), "%s", b)
		_, err = FromJSON(b)
		require.NoError(t, err)
	})
}

func TestJSONForms(t *testing.T) {
	named := &Variant{Name: "Approved", Names: []string{"by"}, Fields: []Value{String("x")}}
	for want, v := range map[string]Value{
		`12.30`:                        mustDecimal("12.30"),
		`1.0`:                          Float(1),
		`1e+21`:                        Float(1e21),
		`9223372036854775807`:          Int(1<<63 - 1),
		`"1h30m"`:                      Duration(5400e9),
		`"2030-01-01T00:00:00Z"`:       Time(1893456000000000000),
		`"Wallet/alice"`:               NewHandle(Handle{Type: "Wallet", ID: "alice", Entity: true}),
		`{"type":"Approved","by":"x"}`: NewVariant(named),
		`{"type":"Some","values":[3]}`: NewVariant(&Variant{Name: "Some", Fields: []Value{Int(3)}}),
		`{"type":"Odd","values":[3]}`:  NewVariant(&Variant{Name: "Odd", Names: []string{"type"}, Fields: []Value{Int(3)}}),
		`{"type":"None"}`:              NewVariant(&Variant{Name: "None"}),
		`[1,[2,null]]`:                 Tuple(Int(1), List(Int(2), Unit)),
		`{"a b":"\u0001\"\\\n"}`:       NewRecord([]string{"a b"}, []Value{String("\x01\"\\\n")}),
	} {
		b, err := ToJSON(v)
		require.NoError(t, err)
		require.Equal(t, want, string(b))
	}
	_, err := ToJSON(List(NewFunc(&Func{Name: "f"})))
	require.Equal(t, CodeNotData, err.(*Error).Code)
}

func TestFromJSON(t *testing.T) {
	for in, want := range map[string]string{
		` {"a": 1, "b c": [1.50, -0, 1e2, "\u00e9\ud83d\ude00\/"], "c": null} `: `{ a: 1, "b c": [1.50, 0, Decimal(100), "é😀/"], c: nil }`,
		`-9223372036854775808`: `-9223372036854775808`,
		`0.0`:                  `0.0`,
		`[]`:                   `[]`,
		`{}`:                   `{}`,
	} {
		v, err := FromJSON([]byte(in))
		require.NoError(t, err, in)
		require.Equal(t, want, v.String())
	}
	for in, code := range map[string]string{
		``: CodeFormat, `1 2`: CodeFormat, `[1,]`: CodeFormat, `{"a":1,}`: CodeFormat, `01`: CodeFormat, `+1`: CodeFormat, `1.`: CodeFormat, `.5`: CodeFormat,
		`-`: CodeFormat, `1e`: CodeFormat, `"a`: CodeFormat, "\"\n\"": CodeFormat, `"\x"`: CodeFormat, `"\ud800"`: CodeFormat, `"\ud800\u0041"`: CodeFormat, `"\u12"`: CodeFormat,
		"\"\xff\"": CodeFormat, `{"a":1,"a":2}`: CodeFormat, `{a:1}`: CodeFormat, `nul`: CodeFormat, `[1 2]`: CodeFormat, `{"a" 1}`: CodeFormat, `NaN`: CodeFormat, `1-1`: CodeFormat,
		`9223372036854775808`: CodeOverflow, `1e999999`: CodeOverflow, `1e-999999`: CodeOverflow,
		strings.Repeat("[", MaxDepth+1): CodeDepth, strings.Repeat(`{"a":`, MaxDepth+1): CodeDepth,
	} {
		_, err := FromJSON([]byte(in))
		require.Error(t, err, in)
		require.Equal(t, code, err.(*Error).Code, "%s: %s", in, err)
	}
}

// FuzzFromJSON compares with the standard library: what it refuses is refused,
// and what both accept survives a round trip.
func FuzzFromJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,-3e2,"x\u00e9",null,true]}`, `[[[]]]`, `{"a":1,"a":2}`, `"\ud83d\ude00"`, ` 1 `, `1e400`, `1e999`, `{"":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := FromJSON(b)
		if err != nil {
			return
		}
		require.True(t, json.Valid(b))
		out, err := ToJSON(v)
		require.NoError(t, err)
		again, err := FromJSON(out)
		require.NoError(t, err)
		require.True(t, Equal(v, again))
	})
}
