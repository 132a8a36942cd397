//go:build unix

package call

import "syscall"

// dontBlock has a pipe opened without waiting for its other end, if a file
// becomes one between being looked at and being opened.
const dontBlock = syscall.O_NONBLOCK
