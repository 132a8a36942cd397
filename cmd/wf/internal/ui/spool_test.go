package ui

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSpoolKeepsOrder(t *testing.T) {
	var out bytes.Buffer
	s := NewSpool(&out, 1<<20)
	var want strings.Builder
	for i := range 1000 {
		s.Say(fmt.Sprint("line ", i))
		fmt.Fprintln(&want, "line", i)
	}
	s.Close(time.Minute)
	require.Equal(t, want.String(), out.String())
	s.Say("too late")
	require.Equal(t, want.String(), out.String())
}

// Nobody reads: saying something does not wait, memory is bounded, and when they
// read at last they are told what is missing.
func TestSpoolWithoutReader(t *testing.T) {
	r, w := io.Pipe()
	s := NewSpool(w, 100)
	for range 1000 {
		s.Say("0123456789")
	}
	s.Close(0)
	var out bytes.Buffer
	read := make(chan error, 1)
	go func() {
		_, err := io.Copy(&out, r)
		read <- err
	}()
	<-s.done
	require.NoError(t, w.Close())
	require.NoError(t, <-read)
	require.Less(t, out.Len(), 400)
	require.Contains(t, out.String(), "more lines")
	require.Contains(t, out.String(), "0123456789\n")
}
