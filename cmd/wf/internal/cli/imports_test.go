package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/diag"
)

// codesOf checks a script and gives the codes of what is said about it.
func codesOf(t *testing.T, path string) []diag.Code {
	t.Helper()
	_, prog, ds, err := checkProgram(path)
	require.NoError(t, err)
	require.Equal(t, ds.HasErrors(), prog == nil)
	var codes []diag.Code
	for _, d := range ds {
		codes = append(codes, d.Code)
	}
	return codes
}

// TestExplainedImports checks the examples of the codes about imports: the
// wrong one draws its code and nothing else, the right one nothing.
func TestExplainedImports(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.wf")
	tried := 0
	for _, e := range diag.All() {
		if !strings.HasPrefix(string(e.Code), "WF19") || e.Code == "WF1905" { // a thousand files
			continue
		}
		tried++
		require.NoError(t, os.WriteFile(path, []byte(e.Wrong), 0o600))
		require.Equal(t, []diag.Code{e.Code}, codesOf(t, path))
		require.NoError(t, os.WriteFile(path, []byte(e.Right), 0o600))
		require.Empty(t, codesOf(t, path))
	}
	require.Equal(t, 4, tried)
}

func TestTooManyFiles(t *testing.T) {
	dir := t.TempDir()
	var main strings.Builder
	for i := range maxFiles + 10 {
		name := fmt.Sprintf("f%d.wf", i)
		fmt.Fprintf(&main, "import %q\n", name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	path := filepath.Join(dir, "main.wf")
	require.NoError(t, os.WriteFile(path, []byte(main.String()), 0o600))
	require.Equal(t, []diag.Code{"WF1905"}, codesOf(t, path))
}
