package stdlib_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/stdlib"
)

var update = flag.Bool("update", false, "write docs/stdlib.md")

// TestDocument keeps docs/stdlib.md equal to the table.
func TestDocument(t *testing.T) {
	path := filepath.Join("..", "docs", "stdlib.md")
	want := document(t)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, want == string(got), "docs/stdlib.md is not what the table says: go test ./stdlib -run TestDocument -update writes the document anew")
}

func document(t *testing.T) string {
	var out strings.Builder
	out.WriteString("# The standard library\n\nAll functions and effects, by module. `wf doc List.map` shows one of them, `wf doc` lists the modules.\n\n" +
		"<!-- Made from the table in stdlib; go test ./stdlib -run TestDocument -update writes it anew. -->\n\n" +
		"In the signatures a single upper-case letter stands for any type, the same wherever it is in one signature; what has a `?` behind its name may be left out; " +
		"what follows a `;` is given by name; `...` says that more of the kind may follow. Where a Decimal or Float is wanted an Int will do. " +
		"`x |> List.map(f)` is `List.map(x, f)`. Effects need `perform`, functions do not have it.\n")
	table := stdlib.Table()
	done := 0
	for _, m := range stdlib.Modules() {
		name := m.Name
		if name == "" {
			name = "Conversions"
		}
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", name, m.Doc)
		require.NotEmpty(t, stdlib.Of(m.Name, table), m.Name)
		for _, b := range stdlib.Of(m.Name, table) {
			done++
			fmt.Fprintf(&out, "\n### %s\n\n```\n%s\n```\n\n%s\n\n```\n%s\n```\n", b.FullName(), stdlib.Signature(b), b.Doc, strings.Join(stdlib.Examples(b), "\n"))
		}
	}
	require.Equal(t, len(table), done, "a built-in's module is not among stdlib.Modules, or twice")
	return out.String()
}

// Signatures read as they were written.
func TestSignature(t *testing.T) {
	got := map[string]string{}
	for _, b := range stdlib.Table() {
		got[b.FullName()] = stdlib.Signature(b)
	}
	for _, want := range []string{
		"List.map(list: [A], f: fn(A) -> B) -> [B]",
		"List.sort_by(list: [A], key: fn(A) -> B; descending?: Bool) -> [A]",
		"Math.max(x: A, y: A...) -> A",
		"Duration.of(; days?: Int, hours?: Int, minutes?: Int, seconds?: Int, milliseconds?: Int) -> Duration",
		"Json.parse(text: String, schema?: Schema(A)) -> A",
		"List.partition(list: [A], is: fn(A) -> Bool) -> ([A], [A])",
		"Int(x: Any) -> Int",
	} {
		name, _, _ := strings.Cut(want, "(")
		require.Equal(t, want, got[name])
	}
	require.True(t, strings.HasPrefix(got["Timer.until"], "perform "), got["Timer.until"])
}
