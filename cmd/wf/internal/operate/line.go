package operate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"time"
)

// send writes one line.
func send(c net.Conn, doc any, within time.Duration) error {
	line, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	return sendBytes(c, append(line, '\n'), within)
}

func sendBytes(c net.Conn, b []byte, within time.Duration) error {
	if err := c.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	_, err := c.Write(b)
	return err
}

// errLongLine says that a line is over its limit.
var errLongLine = errors.New("it is too long")

// readLine reads a line, without its end, of at most limit bytes.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > limit+1 {
			return nil, errLongLine
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
