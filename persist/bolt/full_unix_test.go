//go:build linux || darwin

package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
)

// limitEnv tells the test binary to fill the store of that folder up to a limit
// of its process.
const limitEnv = "WF_TEST_FILL_STORE"

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
	_, err = s.Lookup(context.Background(), "after the limit")
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

func fillToLimit(t *testing.T, dir string) {
	ctx := context.Background()
	signal.Ignore(syscall.SIGXFSZ)
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	limit := syscall.Rlimit{Cur: 3 << 20, Max: 3 << 20}
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	commit := func(c persist.Change) error {
		return s.Commit(ctx, []persist.Batch{{Changes: []persist.Change{c}}})
	}
	n := uint64(0)
	for err == nil {
		n++
		require.Less(t, n, uint64(1000))
		err = commit(persist.Change{Number: n, Row: &persist.Row{Number: n, ID: fmt.Sprint(n), Version: 1, Body: make([]byte, 50_000)}})
	}
	require.True(t, errors.Is(err, persist.ErrFull), "%v", err)
	for i := uint64(1); i <= 3; i++ {
		require.NoError(t, commit(persist.Change{Number: i, Expect: 1, Delete: true}))
	}
	require.NoError(t, commit(persist.Change{Number: n, Row: &persist.Row{Number: n, ID: "after the limit", Version: 1}}))
	require.NoError(t, s.Close())
}
