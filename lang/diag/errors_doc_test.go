package diag_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/diag"
)

var update = flag.Bool("update", false, "write docs/errors.md")

// chapters are the groups of codes, by what the codes begin with.
var chapters = []struct{ prefix, title string }{
	{"WF10", "Characters, numbers and strings"},
	{"WF11", "Statements, expressions, patterns and types"},
	{"WF12", "Brackets"},
	{"WF13", "Declarations and members"},
	{"WF19", "Imports"},
	{"WF20", "Names"},
	{"WF21", "State"},
	{"WF22", "Calls"},
	{"WF23", "Steps and where they go"},
	{"WF24", "Parallel blocks"},
	{"WF25", "What is allowed where"},
	{"WF26", "Commands, queries and signals"},
	{"WF27", "Values and types"},
	{"WF28", "Advice"},
	{"WF29", "Not possible yet"},
	{"WF30", "Tests"},
}

// TestErrorsDocument keeps docs/errors.md equal to the registry;
// go test ./lang/diag -update writes it.
func TestErrorsDocument(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "errors.md")
	want := errorsDocument(t)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(got), "go test ./lang/diag -update writes the document anew")
}

func errorsDocument(t *testing.T) string {
	var out strings.Builder
	out.WriteString("# Diagnostics\n\nWhat `wf check` and `wf run` may say about a script, by code. `wf explain WF2301` shows one of them.\n\n" +
		"<!-- Made from the registry in lang/diag; go test ./lang/diag -update writes it anew. -->\n")
	done := 0
	for _, c := range chapters {
		fmt.Fprintf(&out, "\n## %s\n", c.title)
		for _, e := range diag.All() {
			if !strings.HasPrefix(string(e.Code), c.prefix) {
				continue
			}
			done++
			fmt.Fprintf(&out, "\n### %s: %s\n\n%s\n", e.Code, e.Title, strings.TrimSpace(e.Why))
			script(&out, "Wrong", e.Wrong)
			script(&out, "Right", e.Right)
		}
	}
	require.Len(t, diag.All(), done, "a code belongs to no chapter, or to two")
	return out.String()
}

// script writes an example; of a very long one the beginning.
func script(out *strings.Builder, title, text string) {
	lines := strings.Split(strings.TrimRight(diag.Shown(text), "\n"), "\n")
	if len(text) == 0 {
		return
	}
	for i, l := range lines {
		if len(l) > 160 {
			lines[i] = l[:160] + " …"
		}
	}
	if len(lines) > 40 {
		lines = append(lines[:40], "…")
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(out, "\n%s:\n\n%swf\n%s\n%s\n", title, fence, strings.Join(lines, "\n"), fence)
}
