package repl

import (
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// pieces are what is read, one after the other, and then an error.
type pieces struct {
	texts []string
	err   error
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.texts) == 0 {
		return 0, p.err
	}
	n := copy(b, p.texts[0])
	p.texts = p.texts[1:]
	return n, nil
}

func (p *pieces) Close() error { return nil }

// Keys that the editor does not know are others that it knows, what would end it is
// left out, and a terminal that is gone is left.
func TestKeys(t *testing.T) {
	for typed, want := range map[string]string{
		"plain 日本":               "plain 日本",
		"\x1b[1~a\x1b[4~b":       "\x1b[Ha\x1b[Fb",
		"\x1b[1;5D\x1b[1;3C":     "\x1bb\x1bf",
		"\x1b[A\x1b[3~\x1b[1;2D": "\x1b[A\x1b[3~\x1b[1;2D",
		"a\x00b":                 "ab",
	} {
		b := make([]byte, 100)
		n, err := keys{&pieces{texts: []string{typed}}}.Read(b)
		require.NoError(t, err)
		require.Equal(t, want, string(b[:n]))
	}
	k := keys{&pieces{texts: []string{"\x00", "\x00\x00", "x"}, err: syscall.EIO}}
	b := make([]byte, 100)
	n, err := k.Read(b)
	require.NoError(t, err)
	require.Equal(t, "x", string(b[:n]), "nothing at all is no end")
	for range 2 {
		n, err = k.Read(b)
		require.NoError(t, err)
		require.Equal(t, leaving, string(b[:n]))
	}
	n, err = keys{&pieces{err: io.EOF}}.Read(b)
	require.NoError(t, err)
	require.Equal(t, leaving, string(b[:n]))
	_, err = keys{&pieces{err: errors.Join(syscall.EINTR)}}.Read(b)
	require.ErrorIs(t, err, syscall.EINTR, "it is read again")
	_, err = keys{io.NopCloser(strings.NewReader("x"))}.Read(nil)
	require.NoError(t, err)
}
