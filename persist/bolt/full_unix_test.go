//go:build linux || darwin

package bolt

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// limitEnv tells the test binary to fill the store of that folder up to a limit
// of its process.
const limitEnv = "WF_TEST_FILL_STORE"

// TestFileSizeLimit fills a store in a process that may not make larger files,
// where the operating system's error is as on a full disk.
func TestFileSizeLimit(t *testing.T) {
	if dir := os.Getenv(limitEnv); dir != "" {
		fillToLimit(t, dir)
		return
	}
	dir := filepath.Join(t.TempDir(), "store")
	child := exec.Command(os.Args[0], "-test.run=^TestFileSizeLimit$")
	child.Env = append(os.Environ(), limitEnv+"="+dir)
	out, err := child.CombinedOutput()
	require.NoError(t, err, string(out))
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	for problem, err := range s.Verify(context.Background()) {
		t.Fatal(problem, err)
	}
	require.NoError(t, s.Close())
}

func fillToLimit(t *testing.T, dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	s := reopened(t, nil, dir)
	limit := syscall.Rlimit{Cur: 3 << 20, Max: 3 << 20}
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	s = fillUp(t, s, func() *Store {
		s = reopened(t, s, dir)
		return s
	})
	require.NoError(t, s.Close())
}

// reopened closes a store, if there is one, and opens that in dir.
func reopened(t *testing.T, s *Store, dir string) *Store {
	t.Helper()
	if s != nil {
		require.NoError(t, s.Close())
	}
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	return s
}
