//go:build unix

package call_test

import (
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
