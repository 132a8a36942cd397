package bolt

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
)

// diskEnv tells the test binary to fill a small disk that it mounts there.
const diskEnv = "WF_TEST_FILL_DISK"

// TestFullDisk fills a small file system in memory, which a child process mounts
// for itself alone. It is skipped where that is not allowed.
func TestFullDisk(t *testing.T) {
	if dir := os.Getenv(diskEnv); dir != "" {
		fillDisk(t, dir)
		return
	}
	child := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
	child.Env = append(os.Environ(), diskEnv+"="+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := child.CombinedOutput()
	if child.ProcessState == nil || strings.Contains(string(out), "--- SKIP") {
		t.Skipf("no file system of its own can be mounted here: %v %s", err, out)
	}
	require.NoError(t, err, string(out))
}

func fillDisk(t *testing.T, disk string) {
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=3m"); err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(disk, "store")
	s := reopened(t, nil, dir)
	s = fillUp(t, s, func() *Store {
		s = reopened(t, s, dir)
		return s
	})
	// There is no room for a copy; the store does not suffer from it.
	require.ErrorIs(t, s.Backup(context.Background(), &bytes.Buffer{}), persist.ErrFull)
	want := dump(t, s)
	require.NoError(t, s.Close())
	_, _, err := Compact(context.Background(), dir)
	require.ErrorIs(t, err, persist.ErrFull)
	_, err = Salvage(context.Background(), dir, filepath.Join(disk, "other"))
	require.ErrorIs(t, err, persist.ErrFull)
	require.NoDirExists(t, filepath.Join(disk, "other"))
	requireSame(t, dir, want)
}
