package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience bounds every wait of a script; nothing is decided by it.
const patience = 60 * time.Second

type processesKey struct{}

// processes are the commands that a script has in the background.
type processes struct {
	env     *testscript.Env
	running map[string]*process
}

type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	code int           // then; -1 for a signal
}

func processesOf(ts *testscript.TestScript) *processes {
	return ts.Value(processesKey{}).(*processes)
}

func (p *processes) killAll() {
	for _, proc := range p.running {
		_ = proc.cmd.Process.Kill() // it may have ended
		<-proc.done
	}
}

func (p *processes) take(ts *testscript.TestScript, name string) *process {
	proc := p.running[name]
	if proc == nil {
		ts.Fatalf("there is no process %s", name)
	}
	delete(p.running, name)
	return proc
}

func need(ts *testscript.TestScript, neg bool, args []string, least int, usage string) {
	if neg || len(args) < least {
		ts.Fatalf("usage: %s", usage)
	}
}

// cmdExits runs a command and checks its exit code, and that no Go trace is in
// what it says.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "exits CODE COMMAND [ARGS…]")
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, not %s", code, args[0])
	}
	for _, stream := range []string{"stdout", "stderr"} {
		if text := ts.ReadFile(stream); strings.Contains(text, "goroutine ") || strings.Contains(text, "panic:") {
			ts.Fatalf("a Go trace on %s", stream)
		}
	}
}

// cmdStart runs a command in the background; its streams go to NAME.out and
// NAME.err.
func cmdStart(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "start NAME COMMAND [ARGS…]")
	p := processesOf(ts)
	if p.running[args[0]] != nil {
		ts.Fatalf("the process %s is running", args[0])
	}
	cmd := exec.Command(lookPath(ts, args[1]), args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = p.env.Vars
	out, err := os.Create(ts.MkAbs(args[0] + ".out"))
	ts.Check(err)
	errs, err := os.Create(ts.MkAbs(args[0] + ".err"))
	ts.Check(err)
	cmd.Stdout, cmd.Stderr = out, errs
	ts.Check(cmd.Start())
	proc := &process{cmd: cmd, done: make(chan struct{})}
	p.running[args[0]] = proc
	go func() {
		_ = cmd.Wait() // the state says it
		proc.code = cmd.ProcessState.ExitCode()
		_, _ = out.Close(), errs.Close()
		close(proc.done)
	}()
}

func lookPath(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		for _, ext := range []string{"", ".exe"} {
			path := filepath.Join(dir, name+ext)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path
			}
		}
	}
	ts.Fatalf("there is no command %s", name)
	return ""
}

// cmdWaitFor waits until a file contains a text.
func cmdWaitFor(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "waitfor FILE TEXT")
	deadline := time.Now().Add(patience)
	for {
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && strings.Contains(string(b), args[1]) {
			return
		}
		name, _, _ := strings.Cut(args[0], ".")
		if ended(processesOf(ts).running[name]) {
			if late, _ := os.ReadFile(ts.MkAbs(args[0])); strings.Contains(string(late), args[1]) {
				return
			}
			ts.Fatalf("%s has ended, and %q is not in %s; it says:\n%s", name, args[1], args[0], ts.ReadFile(name+".err"))
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%q has not come in %s; there is:\n%s", args[1], args[0], b)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func ended(p *process) bool {
	if p == nil {
		return false
	}
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// cmdKill ends a process as kill -9 does.
func cmdKill(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "kill9 NAME")
	proc := processesOf(ts).take(ts, args[0])
	ts.Check(proc.cmd.Process.Kill())
	<-proc.done
	if proc.code >= 0 {
		ts.Fatalf("%s had ended by itself with exit code %d", args[0], proc.code)
	}
}

// cmdInterrupt does what Ctrl-C does.
func cmdInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "interrupt NAME")
	sendSignal(ts, args[0], os.Interrupt)
}

// cmdFreeze stops a process without its knowing, cmdThaw lets it go on.
func cmdFreeze(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "freeze NAME")
	shellKill(ts, args[0], "-STOP")
}

func cmdThaw(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "thaw NAME")
	shellKill(ts, args[0], "-CONT")
}

// shellKill sends what not every system has.
func shellKill(ts *testscript.TestScript, name, what string) {
	proc := processesOf(ts).running[name]
	if proc == nil {
		ts.Fatalf("there is no process %s", name)
	}
	ts.Check(exec.Command("kill", what, strconv.Itoa(proc.cmd.Process.Pid)).Run())
}

func sendSignal(ts *testscript.TestScript, name string, s os.Signal) {
	proc := processesOf(ts).running[name]
	if proc == nil {
		ts.Fatalf("there is no process %s", name)
	}
	if err := proc.cmd.Process.Signal(s); !errors.Is(err, os.ErrProcessDone) {
		ts.Check(err)
	}
}

// cmdFinish waits for the end of a process and checks its exit code.
func cmdFinish(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "finish NAME CODE")
	proc := processesOf(ts).take(ts, args[0])
	select {
	case <-proc.done:
	case <-time.After(patience):
		_ = proc.cmd.Process.Kill() // it is given up
		<-proc.done
		ts.Fatalf("%s does not end", args[0])
	}
	if strconv.Itoa(proc.code) != args[1] {
		ts.Fatalf("%s: exit code %d, not %s; it says:\n%s", args[0], proc.code, args[1], ts.ReadFile(args[0]+".err"))
	}
}

// cmdNoTimes takes times and hashes out of a file, so that it can be compared.
func cmdNoTimes(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "notimes FILE")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(withoutTimes(ts.ReadFile(args[0]))), 0o600))
}

// cmdSame compares two files without their times and hashes.
func cmdSame(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "same FILE FILE")
	if a, b := withoutTimes(ts.ReadFile(args[0])), withoutTimes(ts.ReadFile(args[1])); a != b {
		ts.Fatalf("they differ:\n%s\n%s", a, b)
	}
}

func withoutTimes(text string) string {
	for _, r := range []struct{ pattern, with string }{
		{`\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?`, "TIME"},
		{`\b[0-9a-f]{32}\b`, "HASH"},
	} {
		text = regexp.MustCompile(r.pattern).ReplaceAllString(text, r.with)
	}
	return text
}

// cmdDamage changes one bit of a text wherever it is in a file: some places may
// not be in use.
func cmdDamage(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "damage FILE TEXT")
	text, damaged := ts.ReadFile(args[0]), []byte(args[1])
	damaged[0] ^= 1
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%q is not in %s", args[1], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], string(damaged))), 0o600))
}

// cmdOnce checks that a text is in the files exactly once, all taken together.
func cmdOnce(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "once TEXT FILE…")
	n := 0
	for _, file := range args[1:] {
		n += strings.Count(ts.ReadFile(file), args[0])
	}
	if n != 1 {
		ts.Fatalf("%q is there %d times", args[0], n)
	}
}

// cmdRepeat writes a file that repeats a text; it may be quoted as in Go.
func cmdRepeat(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3, "repeat FILE TEXT COUNT")
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	text := args[1]
	if plain, err := strconv.Unquote(text); err == nil {
		text = plain
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(text, n)), 0o600))
}

// cmdBelow runs a command and checks that it took less than a duration.
func cmdBelow(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3, "below DURATION COMMAND [ARGS…]")
	limit, err := time.ParseDuration(args[0])
	ts.Check(err)
	start := time.Now()
	ts.Check(ts.Exec(args[1], args[2:]...))
	if took := time.Since(start); took > limit {
		ts.Fatalf("it took %v", took)
	}
}
