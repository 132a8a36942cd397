package repl

import (
	"bytes"
	"errors"
	"io"
	"syscall"
)

// keys are what somebody types, with keys that the line editor does not know in
// the place of others that do the same: Home and End as tmux, screen and some
// consoles send them, and a word to the left or right by Ctrl or Alt with an arrow.
//
// A zero byte ends the editor for good: it would never read again. Such a byte is
// what Ctrl-Space sends, and what becomes of a Ctrl-D that is typed while a text is
// carried out, when the terminal itself reads lines. It is left out. The editor does
// not tell either that its terminal is gone; then somebody seems to leave.
type keys struct{ io.ReadCloser }

// leaving are the keys by which a session is left, whatever is typed already.
const leaving = "\x03\x04\x04" // Ctrl-C, and Ctrl-D twice

var sameKeys = [][2]string{
	{"\x1b[1~", "\x1b[H"}, {"\x1b[7~", "\x1b[H"}, {"\x1b[4~", "\x1b[F"}, {"\x1b[8~", "\x1b[F"},
	{"\x1b[1;5D", "\x1bb"}, {"\x1b[1;5C", "\x1bf"}, {"\x1b[1;3D", "\x1bb"}, {"\x1b[1;3C", "\x1bf"},
	{"\x00", ""},
}

// Read reads keys. Those that do not come in one piece stay as they are.
func (k keys) Read(p []byte) (int, error) {
	for len(p) > 0 {
		n, err := k.ReadCloser.Read(p)
		if n == 0 && err != nil && !errors.Is(err, syscall.EINTR) {
			return copy(p, leaving), nil
		}
		typed := append([]byte(nil), p[:n]...)
		for _, same := range sameKeys { // none is longer than the one that it stands for
			typed = bytes.ReplaceAll(typed, []byte(same[0]), []byte(same[1]))
		}
		if len(typed) > 0 || err != nil {
			return copy(p, typed), err
		}
	}
	return 0, nil
}
