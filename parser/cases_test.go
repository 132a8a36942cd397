package parser

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
)

// A treeCase is a source and the tree it must parse to.
type treeCase struct{ source, tree string }

func readCases(t testing.TB) []treeCase {
	text, err := os.ReadFile("testdata/cases.txt")
	require.NoError(t, err)
	var cases []treeCase
	for _, part := range strings.Split(string(text), "\n\n") {
		part = strings.Trim(part, "\n")
		if part == "" || strings.HasPrefix(part, "# ") {
			continue
		}
		src, tree, ok := strings.Cut(part, "\n    ")
		require.True(t, ok, "case without a tree: %s", part)
		cases = append(cases, treeCase{strings.ReplaceAll(src, "⏎", "\n"), tree})
	}
	return cases
}

// show lists diagnostics for people who read a failed test.
func show(file *source.File, l diag.List) string {
	set := &source.Set{Files: []*source.File{file}}
	var out strings.Builder
	diag.Render(&out, set, l, diag.RenderOptions{})
	return out.String()
}

func TestCases(t *testing.T) {
	cases := readCases(t)
	require.GreaterOrEqual(t, len(cases), 188)
	for _, c := range cases {
		t.Run(c.source, func(t *testing.T) {
			file := source.NewFile("case.wf", c.source)
			tree, diags := Parse(file, 0)
			if c.tree == "ERR" {
				require.NotEmpty(t, diags)
				return
			}
			require.Empty(t, show(file, diags))
			require.Equal(t, c.tree, printer{file}.items(tree.Items))
		})
	}
}
