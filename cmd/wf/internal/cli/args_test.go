package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/value"
)

func TestReadValue(t *testing.T) {
	record := func(keys []string, vals ...value.Value) value.Value { return value.NewRecord(keys, vals) }
	for _, c := range []struct {
		arg  string
		want value.Value
	}{
		// JSON
		{`1`, value.Int(1)},
		{`-5`, value.Int(-5)},
		{`9007199254740993`, value.Int(9007199254740993)},
		{`true`, value.Bool(true)},
		{`null`, value.Nil},
		{`"30s"`, value.String("30s")},
		{`{"a": [1, 2]}`, record([]string{"a"}, value.List(value.Int(1), value.Int(2)))},
		// literals of the language
		{`30s`, value.Duration(30 * time.Second)},
		{`1h30m`, value.Duration(90 * time.Minute)},
		{`{ amount: 30 }`, record([]string{"amount"}, value.Int(30))},
		{`{}`, record(nil)},
		{`{ after: 5m, "some text": nil }`, record([]string{"after", "some text"}, value.Duration(5*time.Minute), value.Nil)},
		{`[1, 2s]`, value.List(value.Int(1), value.Duration(2*time.Second))},
		{`(1, "a")`, value.Tuple(value.Int(1), value.String("a"))},
		{`()`, value.Unit},
		{`1_000`, value.Int(1000)},
		{`nil`, value.Nil},
		{`Time("2030-01-01T00:00:00Z")`, value.Time(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano())},
		// words
		{`ann`, value.String("ann")},
		{`Order-1`, value.String("Order-1")},
		{`2030-01-01`, value.String("2030-01-01")},
		{`1 + 1`, value.String("1 + 1")},
		{`self.id`, value.String("self.id")},
		{`hello world`, value.String("hello world")},
		{`a) (b`, value.String("a) (b")},
		{`1) + (2`, value.String("1) + (2")},
		{`1, 2`, value.String("1, 2")},
		{`// nothing`, value.String("// nothing")},
		{`perform IO.print(1)`, value.String("perform IO.print(1)")},
		{``, value.String("")},
	} {
		got, err := readValue(c.arg)
		require.NoError(t, err, c.arg)
		require.True(t, value.Equal(c.want, got), "%s is read as %s", c.arg, got)
		require.Equal(t, c.want.Kind(), got.Kind(), c.arg)
	}
}

func TestReadValueRefuses(t *testing.T) {
	for _, arg := range []string{`{`, `[1,`, `"open`, `{ a: b }`, `{ a: ${x} }`, "\xff", "(perform IO.print(1))"} {
		_, err := readValue(arg)
		require.Error(t, err, arg)
		require.Equal(t, exitUsage, codeOf(err), arg)
	}
}
