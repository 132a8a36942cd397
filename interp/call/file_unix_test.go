//go:build unix

package call_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/call/allow"
)

// What would block whoever opens it, or never ends, is not opened.
func TestPipesAndDevices(t *testing.T) {
	w, dir := folder(t, func(a *allow.Config) { a.Allow[allow.Read].All, a.Allow[allow.Write].All = true, true })
	pipe := filepath.Join(dir, "in", "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{pipe, "/dev/zero", "/dev/null"} {
		_, err := w.file("read", path)
		fails(t, "file", err)
		_, err = w.file("write", path, "x")
		fails(t, "file", err)
		_, err = w.file("append", path, "x")
		fails(t, "file", err)
	}
}

// A name that is no text is not passed over.
func TestNamesThatAreNoText(t *testing.T) {
	w, dir := folder(t)
	if err := os.WriteFile(filepath.Join(dir, "in", "sub", "a\xffb"), []byte("x"), 0o600); err != nil {
		t.Skip("the file system has no such names")
	}
	v, err := w.file("list", "in/sub")
	require.NoError(t, err)
	require.Equal(t, "[{ name: \"a\uFFFDb\", kind: \"other\", size: 0 }]", v.String())
}
