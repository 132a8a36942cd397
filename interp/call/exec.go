package call

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

const (
	maxOutput  = 1 << 20         // bytes of each stream that a program may write
	shownTail  = 500             // bytes of stderr in an error's message
	killGrace  = 2 * time.Second // between asking a program to end and ending it
	outputWait = time.Second     // for the output of what a program has left behind
)

// exec runs a program: no shell, a group of processes of its own, and a small
// environment.
func (c *Caller) exec(ctx context.Context, a arguments, call engine.Call) (value.Value, error) {
	cmd, err := c.command(a, call)
	if err != nil {
		return value.Nil, err
	}
	expect, err := a.expected()
	if err != nil {
		return value.Nil, err
	}
	encoding, err := encodingOf(a, "encoding")
	if err != nil {
		return value.Nil, err
	}
	ctx, cancel, err := bounded(ctx, a, call, filepath.Base(cmd.Args[0])+" had not ended")
	if err != nil {
		return value.Nil, err
	}
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	full := func(stream string) func() {
		return func() {
			stop(fail("too_large", "%s wrote more than %d bytes to %s", filepath.Base(cmd.Path), maxOutput, stream))
		}
	}
	out, errs := &limited{over: full("stdout"), raw: encoding != ""}, &limited{over: full("stderr")}
	err = runGroup(ctx, cmd, out, errs)
	if ctx.Err() != nil {
		if f := timedOut(ctx); f != nil {
			return value.Nil, withOutput(faultOf(f).Code, faultOf(f).Message, value.Nil, out, errs)
		}
		return value.Nil, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return value.Nil, fail("unavailable", "%s cannot be run: %v", cmd.Args[0], err)
	}
	name, code := filepath.Base(cmd.Args[0]), cmd.ProcessState.ExitCode()
	if code < 0 {
		return value.Nil, withOutput("exec_signal", fmt.Sprintf("%s was ended: %s", name, cmd.ProcessState), value.Nil, out, errs)
	}
	return outcome(name, code, expect, out, errs)
}

// outcome makes of the code that a program ended with { code, out, err }, or an
// error.
func outcome(name string, code int, expect codes, out, errs *limited) (value.Value, error) {
	if code != 0 && !expect.has(code) {
		message := fmt.Sprintf("%s ended with code %d", name, code)
		if tail := errs.tail(); tail != "" {
			message += ": " + tail
		}
		return value.Nil, withOutput("exec_"+strconv.Itoa(code), message, value.Int(int64(code)), out, errs)
	}
	for _, s := range []struct {
		name string
		text *limited
	}{{"stdout", out}, {"stderr", errs}} {
		if !s.text.raw && !utf8.Valid(s.text.buf) {
			message := fmt.Sprintf("what %s wrote to %s is no UTF-8 text", name, s.name)
			if s.text == out {
				message += "; `encoding: \"base64\"` gives its bytes"
			}
			return value.Nil, withOutput("encoding", message, value.Int(int64(code)), out, errs)
		}
	}
	return outputValue(value.Int(int64(code)), out, errs), nil
}

func outputValue(code value.Value, out, errs *limited) value.Value {
	return value.NewRecord([]string{"code", "out", "err"}, []value.Value{code, value.String(out.text()), value.String(errs.text())})
}

func withOutput(code, message string, exit value.Value, out, errs *limited) error {
	f := fail(code, "%s", message)
	f.Detail = outputValue(exit, out, errs)
	return f
}

// command prepares the process: the file that the rules allow, its arguments,
// its environment.
func (c *Caller) command(a arguments, call engine.Call) (*exec.Cmd, error) {
	name, err := a.needText("program")
	if err != nil {
		return nil, err
	}
	file, err := c.rules.Program(name)
	var missing *allow.ProgramError
	if errors.As(err, &missing) {
		return nil, fail("not_found", "%s", missing.Error())
	}
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Path: file, Args: []string{name}}
	list, ok := a.get("args").AsList()
	if v := a.get("args"); !ok && !v.IsNil() {
		return nil, a.bad("args", "a list", v)
	}
	for i, v := range list {
		if v.HasSecret() {
			return nil, badArgument("argument %d of %s is a secret, and every program of this machine can read arguments; hand it over in `env:` or `stdin:`", i+1, name)
		}
		text, err := c.plain(v, fmt.Sprintf("argument %d of %s", i+1, name))
		if err != nil {
			return nil, err
		}
		if strings.ContainsRune(text, 0) {
			return nil, badArgument("argument %d of %s has a zero byte in it", i+1, name)
		}
		cmd.Args = append(cmd.Args, text)
	}
	if cmd.Env, err = c.childEnv(a, call); err != nil {
		return nil, err
	}
	if dir, given, err := a.text("dir"); err != nil {
		return nil, err
	} else if given {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, fail("not_found", "there is no folder %q to run %s in", dir, name)
		}
		cmd.Dir = dir
	}
	if v := a.get("stdin"); !v.IsNil() {
		text, err := c.plain(v, "`stdin` of "+a.op.FullName())
		if err != nil {
			return nil, err
		}
		cmd.Stdin = strings.NewReader(text)
	}
	return cmd, nil
}

// passedOn are the variables that a program gets from the environment of wf:
// what it needs to find programs, its user's files, its language and time zone.
func passedOn() []string {
	if runtime.GOOS == "windows" {
		return []string{"PATH", "PATHEXT", "SYSTEMROOT", "WINDIR", "COMSPEC", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "USERNAME"}
	}
	return []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"}
}

func (c *Caller) childEnv(a arguments, call engine.Call) ([]string, error) {
	var env []string
	for _, e := range c.environ {
		if name, _, _ := strings.Cut(e, "="); slices.Contains(passedOn(), strings.ToUpper(name)) {
			env = append(env, e)
		}
	}
	env = append(env, "WF_IDEMPOTENCY_KEY="+call.Key)
	given, err := a.record("env")
	if err != nil || given == nil {
		return env, err
	}
	for i := range given.Len() {
		name, v := given.At(i)
		upper := strings.ToUpper(name)
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00"):
			return nil, badArgument("%s is no name of a variable", value.String(name).Short(40))
		case strings.HasPrefix(upper, "LD_"), strings.HasPrefix(upper, "DYLD_"):
			return nil, fail("denied", "a script may not set %s: it would run other code in the program that is allowed", name)
		case v.IsNil():
			continue
		}
		text, err := c.plain(v, "the variable "+name)
		if err != nil {
			return nil, err
		}
		if strings.ContainsRune(text, 0) {
			return nil, badArgument("the variable %s has a zero byte in it", name)
		}
		env = append(env, name+"="+text)
	}
	return env, nil
}

// limited keeps the first bytes of a stream; over is called when there are more.
type limited struct {
	buf  []byte
	raw  bool // it is no text: it is given in Base64
	over func()
	full bool
}

// Write never fails: the program is ended by over.
func (l *limited) Write(p []byte) (int, error) {
	if room := maxOutput - len(l.buf); len(p) <= room {
		l.buf = append(l.buf, p...)
		return len(p), nil
	} else if room > 0 {
		l.buf = append(l.buf, p[:room]...)
	}
	if !l.full {
		l.full = true
		l.over()
	}
	return len(p), io.ErrShortBuffer
}

func (l *limited) text() string {
	if l.raw {
		return base64.StdEncoding.EncodeToString(l.buf)
	}
	return strings.ToValidUTF8(string(l.buf), "?")
}

// tail is the end of what was written, for a message.
func (l *limited) tail() string {
	text := strings.TrimSpace(l.text())
	if len(text) > shownTail {
		text = "…" + strings.ToValidUTF8(text[len(text)-shownTail:], "")
	}
	return text
}
