package parser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
)

// jsonValue draws a JSON value, nested at most so deep.
func jsonValue(deep int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Bool().AsAny(),
		rapid.Int32().AsAny(),
		rapid.Float64().Filter(func(f float64) bool { // Go writes those without a point, and no Int holds them
			return math.Abs(f) < 1<<63 || math.Abs(f) >= 1e21
		}).AsAny(),
		rapid.String().AsAny(),
	}
	if deep == 0 {
		return rapid.OneOf(leaves...)
	}
	inner := jsonValue(deep - 1)
	return rapid.OneOf(append(leaves,
		rapid.SliceOfN(inner, 0, 4).AsAny(),
		rapid.MapOfN(rapid.String(), inner, 0, 4).AsAny())...)
}

// valueOf is the JSON value that a literal stands for.
func valueOf(t require.TestingT, e ast.Expr) any {
	switch x := e.(type) {
	case *ast.NilLit:
		return nil
	case *ast.BoolLit:
		return x.Value
	case *ast.NumberLit:
		return json.Number(x.Text)
	case *ast.StringLit:
		return x.Value
	case *ast.List:
		list := []any{}
		for _, e := range x.Elems {
			list = append(list, valueOf(t, e))
		}
		return list
	case *ast.Record:
		record := map[string]any{}
		for _, e := range x.Entries {
			record[e.Key.Name] = valueOf(t, e.Value)
		}
		return record
	}
	require.Fail(t, fmt.Sprintf("%T is no literal of JSON", e))
	return nil
}

// TestJSONIsALiteral reads any JSON document, compact and indented, as a
// literal of the same value. Only `${` in a string means something else here.
func TestJSONIsALiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(jsonValue(4).Draw(t, "value"))
		require.NoError(t, err)
		text = bytes.ReplaceAll(text, []byte("${"), []byte("$_"))
		if rapid.Bool().Draw(t, "indented") {
			var out bytes.Buffer
			require.NoError(t, json.Indent(&out, text, "", "\t"))
			text = out.Bytes()
		}
		for _, c := range []string{"\u200e", "\u200f", "\u061c", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
			"\u2066", "\u2067", "\u2068", "\u2069", "\uFEFF", "\x7f"} {
			text = bytes.ReplaceAll(text, []byte(c), []byte("?"))
		}
		text = bytes.Map(func(r rune) rune {
			if r >= 0x80 && r < 0xA0 {
				return '?'
			}
			return r
		}, text)
		file := source.NewFile("doc.wf", string(text))
		tree, diags := Parse(file, 0)
		require.Empty(t, show(file, diags))
		require.Len(t, tree.Items, 1)
		dec := json.NewDecoder(strings.NewReader(string(text)))
		dec.UseNumber()
		var want any
		require.NoError(t, dec.Decode(&want))
		require.Equal(t, want, valueOf(t, tree.Items[0].(*ast.Statement).Expr))
	})
}
