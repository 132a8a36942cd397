//go:build unix

package call_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/lang/value"
)

func programs(names ...string) option {
	return rules(func(a *allow.Config) { a.Allow[allow.Exec] = allow.Entries{List: names} })
}

func (w *world) sh(script string, named ...any) (value.Value, error) {
	w.t.Helper()
	return w.do(w.t.Context(), "Exec.run", []value.Value{str("sh"), list(str("-c"), str(script))}, named...)
}

func newShell(t *testing.T, options ...option) *world {
	return newWorld(t, append([]option{programs("sh"), environ("PATH=" + os.Getenv("PATH"))}, options...)...)
}

func TestExec(t *testing.T) {
	w := newShell(t)
	v, err := w.sh("cat; echo err >&2", "stdin", str("in"))
	require.NoError(t, err)
	require.Equal(t, `{ code: 0, out: "in", err: "err\n" }`, v.String())
	_, err = w.sh("echo out; echo no >&2; exit 3")
	f := fails(t, "exec_3", err)
	require.Equal(t, "sh ended with code 3: no", f.Message)
	require.Equal(t, `{ code: 3, out: "out\n", err: "no\n" }`, f.Detail.String())
	for _, expect := range []value.Value{value.Int(3), list(value.Int(2), value.Int(3)), str("any")} {
		v, err = w.sh("exit 3", "expect", expect)
		require.NoError(t, err)
		require.Equal(t, `{ code: 3, out: "", err: "" }`, v.String())
	}
	_, err = w.sh("kill -9 $$")
	fails(t, "exec_signal", err)
	_, err = w.sh(`printf 'a\377'`)
	require.Contains(t, fails(t, "encoding", err).Message, "`encoding: \"base64\"` gives its bytes")
	v, err = w.sh(`printf 'a\377'; echo err >&2`, "encoding", str("base64"))
	require.NoError(t, err)
	require.Equal(t, `{ code: 0, out: "Yf8=", err: "err\n" }`, v.String())
	_, err = w.sh("sleep 60", "timeout", value.Duration(10*time.Millisecond))
	require.Equal(t, "sh had not ended within 10ms", fails(t, "timeout", err).Message)
	v, err = w.sh("exec 0<&-; echo deaf", "stdin", str(strings.Repeat("x", 1<<20)))
	require.NoError(t, err)
	require.Equal(t, "deaf\n", at(t, v, "out").Text())
	v, err = w.sh("pwd", "dir", str("/"))
	require.NoError(t, err)
	require.Equal(t, "/\n", at(t, v, "out").Text())
	_, err = w.sh("pwd", "dir", str("/no/such/folder"))
	fails(t, "not_found", err)
}

// A program gets a small environment, and no secret by accident.
func TestExecEnvironment(t *testing.T) {
	w := newShell(t, environ("LANG=C", "WF_SECRET_DOOR=open-sesame", "AWS_KEY=abc", "WF_LLM_API_KEY=llm-key"))
	v, err := w.sh("env", "env", rec("MINE", value.Int(3), "GONE", value.Nil))
	require.NoError(t, err)
	out := at(t, v, "out").Text()
	for _, has := range []string{"PATH=", "LANG=C", "WF_IDEMPOTENCY_KEY=key-1", "MINE=3"} {
		require.Contains(t, out, has)
	}
	for _, not := range []string{"AWS_KEY", "SECRET", "open-sesame", "llm-key", "GONE"} {
		require.NotContains(t, out, not)
	}
	_, err = w.sh("env", "env", rec("LD_PRELOAD", str("/tmp/x.so")))
	fails(t, "denied", err)
	_, err = w.sh("env", "env", rec("A=B", str("x")))
	fails(t, "bad_argument", err)
	_, err = w.do(t.Context(), "Exec.run", []value.Value{str("sh"), list(rec())})
	fails(t, "bad_argument", err)
	_, err = w.do(t.Context(), "Exec.run", []value.Value{str("sh"), list(value.Named("door"))})
	require.Contains(t, fails(t, "bad_argument", err).Message, "every program of this machine")
}

func gone(pid int) bool { return syscall.Kill(pid, 0) != nil }

// pidIn waits for a process's number in a file.
func pidIn(t *testing.T, file string) int {
	t.Helper()
	var pid int
	require.Eventually(t, func() bool {
		b, _ := os.ReadFile(file)
		n, err := strconv.Atoi(strings.TrimSpace(string(b)))
		pid = n
		return err == nil
	}, 20*time.Second, 5*time.Millisecond)
	return pid
}

// Whatever a program does, it and what it started are gone when the call ends.
func TestProgramsThatStay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	for name, c := range map[string]struct {
		script string
		code   string
		cancel bool
	}{
		"over its time":        {"echo $$ > $F; sleep 600", "timeout", false},
		"ignores the signal":   {"trap '' TERM; echo $$ > $F; while :; do sleep 1; done", "timeout", false},
		"a grandchild":         {"sleep 600 & echo $! > $F; wait", "timeout", false},
		"leaves one behind":    {"sleep 600 & echo $! > $F", "", false},
		"leaves one, silent":   {"sleep 600 >/dev/null 2>&1 & echo $! > $F", "", false},
		"fills stdout":         {"echo $$ > $F; while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done", "too_large", false},
		"fills stderr":         {"echo $$ > $F; while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy >&2; done", "too_large", false},
		"is cut":               {"echo $$ > $F; sleep 600", "", true},
		"is cut, a grandchild": {"sleep 600 & echo $! > $F; wait", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(file)
			w := newShell(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			named := []any{"env", rec("F", str(file))}
			if c.code == "timeout" {
				named = append(named, "timeout", value.Duration(400*time.Millisecond))
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				if c.cancel {
					pidIn(t, file)
					cancel()
				}
			}()
			_, err := w.do(ctx, "Exec.run", []value.Value{str("sh"), list(str("-c"), str(c.script))}, named...)
			<-done
			switch {
			case c.cancel:
				require.ErrorIs(t, err, context.Canceled)
			case c.code == "":
				require.NoError(t, err)
			default:
				fails(t, c.code, err)
			}
			pid := pidIn(t, file)
			require.Eventually(t, func() bool { return gone(pid) || zombie(pid) }, 20*time.Second, 10*time.Millisecond, "process %d is still there", pid)
		})
	}
}

// zombie reports whether a process has ended and nobody has taken note yet: who
// has lost its parent is another's to reap.
func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return strings.HasPrefix(rest, "Z")
}

// A program is allowed by the file that its name finds.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"tool", "other"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho "+name+"\n"), 0o755))
	}
	require.NoError(t, os.Symlink(filepath.Join(dir, "tool"), filepath.Join(dir, "alias")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "text"), []byte("x"), 0o644))
	run := func(allowed, denied, name string) error {
		w := newWorld(t, rules(func(a *allow.Config) {
			a.Dir = dir
			a.Allow[allow.Exec].List = strings.Fields(allowed)
			a.Deny[allow.Exec].List = strings.Fields(denied)
		}))
		_, err := w.do(t.Context(), "Exec.run", []value.Value{str(name)})
		return err
	}
	require.NoError(t, run("./tool", "", "./tool"))
	require.NoError(t, run("./tool", "", filepath.Join(dir, "tool")))
	fails(t, "denied", run("./tool", "", "./other"))
	fails(t, "denied", run("sh", "", "./tool"))
	fails(t, "denied", run("tool", "", "./tool"))
	fails(t, "denied", run("./tool", "", "./alias"))
	fails(t, "denied", run("./tool ./alias", "./tool", "./alias"))
	fails(t, "denied", run("sh", "sh", "sh"))
	fails(t, "denied", run("", "", "sh"))
	fails(t, "not_found", run("no-such-program", "", "no-such-program"))
	fails(t, "not_found", run("./text", "", "./text"))
	fails(t, "not_found", run("./gone", "", "./gone"))
	fails(t, "denied", run("./tool", "", "./tool\x00"))
}
