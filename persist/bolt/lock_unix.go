//go:build unix

package bolt

import (
	"errors"
	"os"
	"syscall"
)

// errWouldBlock is what flock gives when another holds the lock.
var errWouldBlock error = syscall.EWOULDBLOCK

// flock tries to lock the file, exclusively or shared.
func flock(f *os.File, shared bool) error {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func processExists(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}

// noSpace tells whether an operating system's error means that no space is
// left, or none that this process may use.
func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// noSpaceTexts are their texts, for errors that bbolt does not wrap.
func noSpaceTexts() []string {
	return []string{syscall.ENOSPC.Error(), syscall.EDQUOT.Error(), syscall.EFBIG.Error()}
}
