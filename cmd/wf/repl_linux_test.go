package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A typist is somebody at a terminal in which a session runs.
type typist struct {
	t      *testing.T
	outer  *os.File
	screen lines
	cmd    *exec.Cmd
	ended  chan struct{}
	seen   int // bytes of the screen that were looked at
}

// sitDown starts a session in a terminal of its own. Not with the race detector:
// readline looks at the state of its completion from whoever writes to the screen
// and from its own goroutine without a lock; whatever is read there, only the
// prompt is painted once more or less.
func sitDown(t *testing.T, dir string, env []string, args ...string) *typist {
	return sitDownAt(t, 100, dir, env, args...)
}

// sitDownAt is sitDown at a terminal of so many columns.
func sitDownAt(t *testing.T, width uint16, dir string, env []string, args ...string) *typist {
	if raceEnabled {
		t.Skip("the line editor has a race of its own")
	}
	x := &typist{t: t, ended: make(chan struct{})}
	var inner *os.File
	x.outer, inner = terminalOf(t, width, 30)
	go func() { _, _ = io.Copy(&x.screen, x.outer) }() // it ends with an error when the terminal is closed
	x.cmd = self(t, dir, append([]string{"repl"}, args...)...)
	x.cmd.Env = append(append(x.cmd.Env, "TERM=xterm", "NO_COLOR=1", "TZ=UTC", "WF_STORE=", "XDG_STATE_HOME="+filepath.Join(dir, "state")), env...)
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = inner, inner, inner
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, x.cmd.Start())
	require.NoError(t, inner.Close())
	go func() {
		_ = x.cmd.Wait() // its state is looked at
		close(x.ended)
	}()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill() // it may have ended
		<-x.ended
		_ = x.outer.Close() // it may be closed
	})
	return x
}

// keys types, and waits until a text has come that was not looked at before.
func (x *typist) keys(keys, want string) {
	x.t.Helper()
	_, err := x.outer.WriteString(keys)
	require.NoError(x.t, err)
	for deadline := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		text := x.screen.String()
		if i := strings.Index(text[x.seen:], want); i >= 0 {
			x.seen += i + len(want)
			return
		}
		require.True(x.t, time.Now().Before(deadline), "%q has not come; there is %q", want, text[x.seen:])
	}
}

// ready waits until the session reads keys again: a prompt without a text is painted
// by then. Before, the terminal itself reads lines, and keys mean something else.
func (x *typist) ready() {
	x.t.Helper()
	x.keys("", "wf>  \r")
}

// leaves waits for the end and demands an exit code.
func (x *typist) leaves(code int) {
	x.t.Helper()
	select {
	case <-x.ended:
	case <-time.After(patience):
		x.t.Fatalf("it does not end; there is %q", x.screen.String())
	}
	require.Equal(x.t, code, x.cmd.ProcessState.ExitCode(), x.screen.String())
}

// A session in a terminal: editing, completion, several lines, what happens in
// the background above the prompt, Ctrl-C and Ctrl-D, and the history of the next
// session.
func TestSessionInTerminal(t *testing.T) {
	dir := t.TempDir()
	x := sitDown(t, dir, nil, "--memory")
	x.ready()
	x.keys("let whole = 21\r", "21\r\n")
	x.ready()
	x.keys("who\t * 2\r", "42\r\n")
	x.ready()
	x.keys("\"äé日本\" + nope\r", "1:10: error[WF2001]: nothing is called `nope` here\r\n  1 | \"äé日本\" + nope\r\n    |            ^^^^\r\n")
	x.keys("workflow W {\r", "... ")
	x.keys("step a { perform Timer.sleep(50ms); perform IO.print(\"from below\") }\r", "... ")
	x.keys("}\r", "workflow W\r\n")
	x.keys("spawn W {} as \"w\"\rhalf a li", "from below\r\n")
	x.keys("", "half a li") // painted again
	x.keys("\x03", "^C")
	x.ready()
	x.keys("\x03", "Ctrl-D twice, or :quit, leaves")
	x.ready()
	x.keys("workflow V { step a { perform Signal.wait(\"go\") } }\r", "workflow V\r\n")
	x.keys("spawn V {} as \"v\"\r", "V(\"v\")\r\n")
	x.keys("perform IO.print(\"on the way\"); await V(\"v\")\r", "on the way\r\n")
	x.keys("\x03", "cancelled; what it had sent stands")
	x.ready()
	x.keys("ask V(\"\t.lifecycle().status\r", "\"running\"\r\n")
	x.keys(":crash\r", "recovered; unfinished: v")
	x.keys(":list\r", "v ")
	require.NoError(t, unix.IoctlSetWinsize(int(x.outer.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 20, Col: 40}))
	x.keys("1 + 1\r", "2\r\n")
	x.ready()
	x.keys("\x04", "once more leaves")
	x.keys("1 + 2\r", "3\r\n")
	x.ready()
	x.keys("\x04", "once more leaves")
	x.ready()
	x.keys("\x04", "^D")
	x.leaves(0)

	x = sitDown(t, dir, nil, "--memory")
	x.ready()
	x.keys("\x12let wh\r", "21\r\n") // a search backward
	x.ready()
	x.keys("whole + 1\r", "22\r\n")
	x.keys(":quit\r", ":quit")
	x.leaves(0)
	info, err := os.Stat(filepath.Join(dir, "state", "wf", "repl_history"))
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
}

// A paste of many lines arrives whole.
func TestPasteInTerminal(t *testing.T) {
	x := sitDown(t, t.TempDir(), nil, "--memory")
	x.ready()
	x.keys("var n = 0\r", "= 0\r\n")
	x.ready()
	for range 20 {
		_, err := x.outer.WriteString(strings.Repeat("n += 1\r", 10))
		require.NoError(t, err)
	}
	x.keys("\"n is ${n}\"\r", "\"n is 200\"\r\n")
	x.keys(":quit\r", ":quit")
	x.leaves(0)
}

// Terminals that cannot be painted over have a plain prompt and no escape
// sequences; one that is gone ends the session; so does a request to end.
func TestPlainTerminals(t *testing.T) {
	x := sitDown(t, t.TempDir(), []string{"TERM=dumb"}, "--memory")
	x.keys("", "wf> ")
	x.keys("[1,\r", "... ")
	x.keys("2]\r", "\n[1, 2]\r\n")
	x.keys(":quit\r", ":quit")
	x.leaves(0)
	require.NotContains(t, x.screen.String(), "\x1b")

	x = sitDown(t, t.TempDir(), nil, "--memory")
	x.keys("1 + 1\r", "2\r\n")
	require.NotContains(t, x.screen.String(), "\x1b[3", "NO_COLOR is respected")
	require.NoError(t, x.cmd.Process.Signal(syscall.SIGTERM))
	x.leaves(0)

	x = sitDown(t, t.TempDir(), []string{"NO_COLOR="}, "--memory")
	x.keys("1 + 1\r", "\x1b[33m2\x1b[0m\r\n")
	require.NoError(t, x.cmd.Process.Signal(syscall.SIGHUP)) // as when its window is closed
	x.leaves(0)
}
