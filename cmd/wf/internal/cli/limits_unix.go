//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// errorsForLimits has a file that reaches the largest size which the process may
// write give an error, as a full disk does, and not end the process.
func errorsForLimits() { signal.Ignore(syscall.SIGXFSZ) }
