package bolt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/wf-lang/wf/persist"
)

// The lock file of a store folder. Whether the store is in use is decided by
// the operating system's lock on it alone, which ends with the process. Its
// text is information: "pid N" while a writer has it, and "closed at N" after
// that has closed the store in good order, N being the last transaction.
const lockName = "lock"

// retryLock is the time between two attempts to get the lock.
const retryLock = 10 * time.Millisecond

// folderLock is a lock that is held.
type folderLock struct {
	file *os.File
}

// takeLock takes the lock of the folder, waiting at most timeout. A shared lock
// creates nothing: if there is no lock file it gives nil.
func takeLock(dir string, shared bool, timeout time.Duration) (*folderLock, error) {
	path := filepath.Join(dir, lockName)
	flag := os.O_RDWR | os.O_CREATE
	if shared {
		flag = os.O_RDONLY
	}
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		if shared && errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	deadline := time.Now().Add(timeout)
	for {
		err = flock(f, shared)
		if err == nil {
			return &folderLock{file: f}, nil
		}
		if !errors.Is(err, errWouldBlock) {
			break
		}
		if !time.Now().Before(deadline) {
			err = &persist.LockedError{Path: dir, PID: holder(f)}
			break
		}
		time.Sleep(retryLock)
	}
	_ = f.Close() // nothing was written
	return nil, err
}

// holder gives the pid that is noted in the file, if that process is there.
func holder(f *os.File) int {
	var pid int
	if n, _ := fmt.Sscanf(readText(f), "pid %d", &pid); n == 1 && processExists(pid) {
		return pid
	}
	return 0
}

// closedAt gives the transaction at which the store was closed last, 0 if it
// was not, or is in use.
func (l *folderLock) closedAt() uint64 {
	var txid uint64
	if l == nil {
		return 0
	}
	if n, _ := fmt.Sscanf(readText(l.file), "closed at %d", &txid); n == 1 {
		return txid
	}
	return 0
}

func readText(f *os.File) string {
	var b [64]byte
	n, err := f.ReadAt(b[:], 0)
	if err != nil && err != io.EOF {
		return ""
	}
	return string(b[:n])
}

// note replaces the text. It is written over the old one, and is always of one
// length, so that this needs no room on a disk that is full.
func (l *folderLock) note(format string, n uint64) error {
	_, err := l.file.WriteAt(fmt.Appendf(nil, "%-39s\n", fmt.Sprintf(format, n)), 0)
	return err
}

// release ends the lock.
func (l *folderLock) release() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}
