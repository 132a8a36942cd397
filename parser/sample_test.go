package parser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/source"
)

// samples are the scripts of testdata, by name.
func samples(t testing.TB) map[string]string {
	texts := map[string]string{}
	for _, pattern := range []string{"testdata/*.wf", "testdata/overview/*.wf"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			texts[name] = string(text)
		}
	}
	require.GreaterOrEqual(t, len(texts), 12)
	return texts
}

func TestSamplesParse(t *testing.T) {
	for name, text := range samples(t) {
		file := source.NewFile(name, text)
		tree, diags := Parse(file, 0)
		require.Empty(t, show(file, diags))
		require.NotEmpty(t, tree.Items, name)
		require.NotContains(t, printer{file}.items(tree.Items), "BAD", name)
	}
}
