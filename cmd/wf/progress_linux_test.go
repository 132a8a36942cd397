package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// terminalOf opens a terminal of a size: the end of who looks at it, and the end
// of the programs in it.
func terminalOf(t *testing.T, width, height uint16) (outer, inner *os.File) {
	outer, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		t.Skipf("there are no terminals: %v", err)
	}
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(outer.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(outer.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	inner, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(int(outer.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: height, Col: width}))
	return outer, inner
}

const shown = `
workflow Child {
    step a retry 1 backoff 1h { throw { code: "flaky", message: "no luck" } }
}
workflow Parent {
    step kids { perform IO.print("begun"); for _ in 1..40 { spawn Child {} } }
    step wait { perform Signal.wait("go"); perform IO.print("printed above") }
}
spawn Parent {} as "p"
`

// runInTerminal runs a script in a terminal until the picture has a text, sends
// the signal go, waits for a second text, and ends it. It gives all that came.
func runInTerminal(t *testing.T, env []string, args []string, first, second string) string {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "s.wf"), []byte(shown), 0o600))
	outer, inner := terminalOf(t, 60, 8)
	var screen lines
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&screen, outer) // it ends with an error when the terminal is closed
	}()
	cmd := self(t, dir, append([]string{"run", "s.wf"}, args...)...)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inner, inner, inner
	require.NoError(t, cmd.Start())
	require.NoError(t, inner.Close())
	wait := func(text string) {
		for deadline := time.Now().Add(patience); !strings.Contains(screen.String(), text); {
			require.True(t, time.Now().Before(deadline), "%q has not come; there is %q", text, screen.String())
			time.Sleep(5 * time.Millisecond)
		}
	}
	wait(first)
	code, _, stderr := exitOf(t, self(t, dir, "signal", "p", "go"))
	require.Zero(t, code, stderr)
	wait(second)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait() // interrupted
	<-read
	require.NoError(t, outer.Close())
	require.Equal(t, 130, cmd.ProcessState.ExitCode())
	return screen.String()
}

var picture = regexp.MustCompile(`(?s)\x1b\[\?7l(.*?)\x1b\[\?7h`)

// On a terminal the instances are shown below what is printed, no more than
// there is room for, and nothing of it is left at the end.
func TestProgressOnATerminal(t *testing.T) {
	text := runInTerminal(t, []string{"TERM=xterm", "NO_COLOR="}, nil, "attempt 2 in 1h00m", "printed above\r\n")
	pictures := picture.FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, pictures)
	for _, p := range pictures {
		require.Less(t, strings.Count(p[1], "\n"), 8, "it does not fit: %q", p[1])
	}
	require.Contains(t, text, "41 unfinished")
	last := strings.LastIndex(text, "\x1b[?7h")
	require.Contains(t, text[last:], "A\r\x1b[J", "the picture is left on the screen")
	require.Contains(t, text[last:], "unfinished: ")
}

func TestProgressWithoutColour(t *testing.T) {
	text := runInTerminal(t, []string{"TERM=xterm", "NO_COLOR=1"}, nil, "attempt 2 in 1h00m", "printed above\r\n")
	require.NotRegexp(t, `\x1b\[\d*m`, text)
}

// A terminal that knows no commands gets none, and --trace has lines instead.
func TestNoProgress(t *testing.T) {
	for _, c := range []struct {
		env  string
		args []string
	}{{"TERM=dumb", nil}, {"TERM=xterm", []string{"--trace"}}} {
		text := runInTerminal(t, []string{c.env, "NO_COLOR=1"}, c.args, "begun", "printed above\r\n")
		require.NotContains(t, text, "\x1b", c)
	}
}
