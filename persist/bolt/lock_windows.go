package bolt

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// errWouldBlock is what flock gives when another holds the lock.
var errWouldBlock error = windows.ERROR_LOCK_VIOLATION

// flock tries to lock the file, exclusively or shared. It locks a byte far
// behind the text, which stays readable.
func flock(f *os.File, shared bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
}

func processExists(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	_ = windows.CloseHandle(h) // it was only asked for
	return true
}

// syncFolder does nothing: Windows makes names durable itself.
func syncFolder(string) error { return nil }

// noSpace tells whether an operating system's error means that no space is left.
func noSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// noSpaceTexts are their texts, for errors that bbolt does not wrap.
func noSpaceTexts() []string {
	return []string{windows.ERROR_DISK_FULL.Error(), windows.ERROR_HANDLE_DISK_FULL.Error()}
}
