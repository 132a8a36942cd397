package operate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// socketName is the socket in the folder of a store.
const socketName = "socket"

// maxAddress is the longest path that every system takes as the address of a
// socket, in bytes: less than the 104 of the shortest, with room for a suffix.
const maxAddress = 96

// errLongPath says that a store's path does not fit into an address.
var errLongPath = errors.New("the path of the store is too long for a socket; start wf in a folder nearer to it")

// address gives a name for the folder of a store under which a socket in it can
// be reached. A path that is too long is said relative to the working directory,
// or by an open file. The name is good until release is called.
func address(dir string) (name string, release func(), err error) {
	none := func() {}
	fits := func(name string) bool { return len(filepath.Join(name, socketName)) <= maxAddress }
	if fits(dir) {
		return dir, none, nil
	}
	if here, err := os.Getwd(); err == nil {
		if abs, err := filepath.Abs(dir); err == nil {
			if rel, err := filepath.Rel(here, abs); err == nil && fits(rel) {
				return rel, none, nil
			}
		}
	}
	const open = "/proc/self/fd"
	if _, err := os.Stat(open); err != nil {
		return "", none, errLongPath
	}
	d, err := os.Open(dir)
	if err != nil {
		return "", none, err
	}
	return fmt.Sprintf("%s/%d", open, d.Fd()), func() { _ = d.Close() }, nil // nothing was written
}
