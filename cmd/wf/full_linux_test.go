package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const filling = `
workflow Note {
    state text: String = ""
    step wait { self.text = perform Signal.wait("go") }
    step more { perform Signal.wait("more") }
    query text() { self.text }
}
workflow Ticker {
    state n: Int = 0
    state log: [String] = []
    step tick {
        perform Timer.sleep(20ms)
        self.n = self.n + 1
        self.log = self.log + ["${self.n} LONG"]
        if self.n < 60 { goto tick }
    }
    query n() { self.n }
}
for i in 1..3 { spawn Note {} as "note-${i}" }
spawn Ticker {} as "ticker"
`

// limitFiles sets how large files may become that a process writes; it is to a
// process as a disk of that size.
func limitFiles(t *testing.T, cmd *exec.Cmd, bytes uint64) {
	t.Helper()
	require.NoError(t, unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil))
}

// A driver whose disk is full stays: whoever looks is answered, whoever acts is
// refused, a kill costs nothing, and when there is room all goes on by itself.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "s.wf"), []byte(strings.Replace(filling, "LONG", strings.Repeat("x", 3000), 1)), 0o600))
	run := func() (*exec.Cmd, *lines) {
		var errs lines
		cmd := self(t, dir, "run", "s.wf")
		cmd.Stderr = &errs
		require.NoError(t, cmd.Start())
		return cmd, &errs
	}
	until := func(what string, is func() bool) {
		t.Helper()
		for deadline := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
			require.True(t, time.Now().Before(deadline), what)
		}
	}
	wf := func(args ...string) (int, string, string) { return exitOf(t, self(t, dir, args...)) }
	query := func(id, name string) string {
		code, out, errs := wf("query", id, name)
		if code != 0 {
			return errs
		}
		return strings.TrimSpace(out)
	}

	cmd, errs := run()
	until("it begins", func() bool { _, out, _ := wf("list"); return strings.Contains(out, "ticker") })
	info, err := os.Stat(filepath.Join(dir, ".wf", "store.db"))
	require.NoError(t, err)
	limitFiles(t, cmd, uint64(info.Size()))
	until("it finds no room", func() bool { return strings.Contains(errs.String(), "no room is left on the disk") })

	n := query("ticker", "n")
	code, _, said := wf("signal", "note-1", "go", "hello")
	require.Equal(t, 5, code, said)
	require.Contains(t, said, "no room is left on the disk")
	code, _, said = wf("spawn", "s.wf", "Note")
	require.Equal(t, 5, code, said)
	require.Equal(t, `""`, query("note-1", "text"))
	require.Equal(t, n, query("ticker", "n"))

	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	require.Equal(t, n, query("ticker", "n"), "what was seen is kept")
	cmd, errs = run()
	limitFiles(t, cmd, uint64(info.Size()))
	until("it finds no room again", func() bool { return strings.Contains(errs.String(), "no room is left on the disk") })
	require.Equal(t, 1, strings.Count(errs.String(), "no room"), "it is said once")
	limitFiles(t, cmd, unix.RLIM_INFINITY)
	until("the ticker goes on to its end", func() bool { return query("ticker", "n") == "60" })
	require.Contains(t, errs.String(), "there is room again")
	for _, id := range []string{"note-1", "note-2", "note-3"} {
		code, _, said = wf("signal", id, "go", id)
		require.Zero(t, code, said)
		code, _, said = wf("signal", id, "more")
		require.Zero(t, code, said)
	}
	require.NoError(t, cmd.Wait(), errs.String())
	require.Equal(t, `"note-2"`, query("note-2", "text"))
	code, out, said := wf("store", "check")
	require.Zero(t, code, out+said)
}
