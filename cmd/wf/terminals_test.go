package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist/bolt"
)

// self is the command as a process of its own: this test's binary.
func self(t testing.TB, dir string, args ...string) *exec.Cmd {
	path, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(path, args...)
	cmd.Args[0] = "wf"
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	return cmd
}

// exitOf runs a command and gives its exit code, and what it said.
func exitOf(t testing.TB, cmd *exec.Cmd) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Errorf("run: %v", err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// lines is what a process writes while it is looked at.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer // guarded by mu
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func (l *lines) count() int { return strings.Count(l.String(), "\n") }

const counter = `
event Added(n: Int)
workflow Counter {
    state n: Int = 0
    step wait { perform Signal.wait("never") }
    command add(k: Int) -> Int {
        self.n = self.n + 1
        emit Added(self.n)
        self.n
    }
}
spawn Counter {} as "c"
`

// Two terminals act while the process that drives the store is killed again and
// again. Every call has a key and is repeated until it is accepted: each counts
// exactly once, whatever its callers were told on the way. A third terminal
// follows the events: it sees each once, in order.
func TestTerminalsRaceWhileOwnersAreKilled(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.wf"), []byte(counter), 0o600))
	code, _, stderr := exitOf(t, self(t, dir, "run", "c.wf", "--until-idle"))
	require.Zero(t, code, stderr)
	calls, clients := 12, 2
	follow := self(t, dir, "events", "--follow", "--json")
	var followed lines
	follow.Stdout = &followed
	require.NoError(t, follow.Start())

	var callers sync.WaitGroup
	replies := make(chan string, calls*clients)
	for c := range clients {
		callers.Go(func() {
			for i := range calls {
				key := fmt.Sprint("key-", c, "-", i)
				for attempt := 0; ; attempt++ {
					code, out, stderr := exitOf(t, self(t, dir, "call", "c", "add", fmt.Sprint(i), "--key", key))
					if code == 0 {
						replies <- strings.TrimSpace(out)
						break
					}
					if code != 5 && code != 6 || attempt > 100 {
						t.Errorf("exit code %d: %s", code, stderr)
						return
					}
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		callers.Wait()
		close(done)
	}()
	kills := 0
	for going := true; going; kills++ {
		owner := self(t, dir, "resume")
		require.NoError(t, owner.Start())
		select {
		case <-done:
			going = false
		case <-time.After(time.Duration(20+kills*7%40) * time.Millisecond): // some come to serve, some do not
		}
		_ = owner.Process.Kill() // it may have found the store in use, and left
		_ = owner.Wait()
	}
	t.Logf("%d owners", kills)
	close(replies)
	seen := map[string]bool{}
	for r := range replies {
		require.False(t, seen[r], "two calls had the reply %s", r)
		seen[r] = true
	}
	code, out, stderr := exitOf(t, self(t, dir, "show", "c"))
	require.Zero(t, code, stderr)
	require.Contains(t, out, fmt.Sprintf("n = %d\n", calls*clients))
	code, events, stderr := exitOf(t, self(t, dir, "events", "--json"))
	require.Zero(t, code, stderr)
	require.Equal(t, calls*clients, strings.Count(events, "\n"))
	code, _, stderr = exitOf(t, self(t, dir, "store", "check"))
	require.Zero(t, code, stderr)

	for deadline := time.Now().Add(patience); followed.count() < calls*clients && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	require.NoError(t, follow.Process.Signal(os.Interrupt))
	_ = follow.Wait()
	require.Equal(t, events, followed.String())
}

// The owner dies when it has the request: whoever acted is told that nobody
// knows, whoever looked looks again.
func TestOwnerDiesWithARequest(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.wf"), []byte(counter), 0o600))
	code, _, stderr := exitOf(t, self(t, dir, "run", "c.wf", "--until-idle"))
	require.Zero(t, code, stderr)
	for _, c := range []struct {
		args []string
		code int
		said string
	}{
		{[]string{"call", "c", "add", "1"}, 6, "nobody knows whether"},
		{[]string{"signal", "c", "never"}, 6, "process 77"},
		{[]string{"cancel", "c"}, 6, "look with wf list --all before"},
		{[]string{"show", "c"}, 0, ""},
		{[]string{"list"}, 0, ""},
		{[]string{"history", "c"}, 0, ""},
		{[]string{"store", "info"}, 0, ""},
	} {
		died := dyingOwner(t, filepath.Join(dir, ".wf"))
		code, _, stderr := exitOf(t, self(t, dir, c.args...))
		require.Equal(t, c.code, code, "%q: %s", c.args, stderr)
		require.Contains(t, stderr, c.said)
		<-died
	}
}

// dyingOwner has the store until it has been asked something.
func dyingOwner(t *testing.T, dir string) (died chan struct{}) {
	store, err := bolt.Open(dir, bolt.Options{})
	require.NoError(t, err)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "socket"), Net: "unix"})
	require.NoError(t, err)
	died = make(chan struct{})
	go func() {
		defer close(died)
		c, err := l.Accept()
		if err == nil {
			_, _ = io.WriteString(c, `{"wf":2,"pid":77,"now":1}`+"\n")
			_, _ = bufio.NewReader(c).ReadString('\n')
			_ = c.Close()
		}
		if err := errors.Join(err, l.Close(), store.Close()); err != nil {
			t.Error(err)
		}
	}()
	return died
}

// Somebody who does not read what wf prints holds it up; Ctrl-C again ends it all
// the same, and what was printed is printed by the next one.
func TestInterruptedTwiceWhileHeldUp(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "long.wf"), []byte(`
workflow W {
    step a {
        var s = "x"
        for _ in 1..20 { s = s + s }
        perform IO.print(s)
    }
    step b { perform Signal.wait("never") }
}
spawn W {}
`), 0o600))
	cmd := self(t, dir, "run", "long.wf")
	var said lines
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = out.Read(make([]byte, 1)) // the rest does not fit into a pipe
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		_, _ = cmd.Process.Wait()
		close(ended)
	}()
	for deadline, going := time.Now().Add(patience), true; going; {
		require.True(t, time.Now().Before(deadline), "it does not end")
		_ = cmd.Process.Signal(os.Interrupt) // two at the same time may count as one
		select {
		case <-ended:
			going = false
		case <-time.After(50 * time.Millisecond):
		}
	}
	_ = cmd.Wait()
	require.Contains(t, said.String(), "wf: left at once")
	code, again, stderr := exitOf(t, self(t, dir, "resume", "--until-idle"))
	require.Zero(t, code, stderr)
	require.Equal(t, 1<<20, strings.Count(again, "x"))
}
