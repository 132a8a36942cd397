package main

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const talking = `
workflow Talker {
    state n: Int = 0
    step talk {
        for i in 1..200 { perform IO.print("line", self.n * 200 + i, LONG) }
        self.n = self.n + 1
        if self.n < 40 { goto talk }
    }
    query n() { self.n }
}
workflow Ticker {
    state n: Int = 0
    step tick { perform Timer.sleep(10ms); self.n = self.n + 1; goto tick }
    command stop() { end }
    query n() { self.n }
}
spawn Talker {} as "talker"
spawn Ticker {} as "ticker"
`

// A reader of the output that stops reading holds up those who print, and nobody
// else; every line comes when somebody reads, in another run if need be.
func TestOutputThatNobodyReads(t *testing.T) {
	dir := t.TempDir()
	script := strings.Replace(talking, "LONG", strconv.Quote(strings.Repeat("x", 1000)), 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "s.wf"), []byte(script), 0o600))
	number := func(id string) int {
		code, out, errs := exitOf(t, self(t, dir, "query", id, "n"))
		if code != 0 {
			return -1
		}
		n, err := strconv.Atoi(strings.TrimSpace(out))
		require.NoError(t, err, out+errs)
		return n
	}
	until := func(what string, is func() bool) {
		t.Helper()
		for deadline := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
			require.True(t, time.Now().Before(deadline), what)
		}
	}
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	cmd := self(t, dir, "run", "s.wf")
	var errs lines
	cmd.Stdout, cmd.Stderr = writer, &errs
	require.NoError(t, cmd.Start())
	require.NoError(t, writer.Close())
	talked := -1
	until("whoever prints comes to wait", func() bool {
		before := talked
		talked = number("talker")
		time.Sleep(100 * time.Millisecond) // too short a look makes the bound below easier to keep, never harder
		return talked > 0 && talked == before
	})
	require.Less(t, talked, 40, "memory is bounded")
	ticked := number("ticker")
	until("timers go on", func() bool { return number("ticker") > ticked+5 })
	code, _, said := exitOf(t, self(t, dir, "call", "ticker", "stop"))
	require.Zero(t, code, said)
	until("commands work", func() bool {
		_, out, _ := exitOf(t, self(t, dir, "show", "ticker"))
		return strings.Contains(out, "completed")
	})
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait() // interrupted
	require.Equal(t, 130, cmd.ProcessState.ExitCode(), errs.String())

	first, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	code, second, said := exitOf(t, self(t, dir, "run", "s.wf"))
	require.Zero(t, code, said)
	seen := map[int]bool{}
	for _, text := range []string{string(first), second} {
		last := 0
		for _, line := range strings.Split(text, "\n") {
			f := strings.Fields(line)
			if len(f) < 3 || len(f[2]) < 1000 {
				continue // the pipe ends within it
			}
			n, err := strconv.Atoi(f[1])
			require.NoError(t, err, line)
			require.Greater(t, n, last, "the order is kept")
			last, seen[n] = n, true
		}
	}
	require.Len(t, seen, 8000, "no line is lost")
}
