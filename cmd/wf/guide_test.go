package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestGuide does what README.md, docs/guide.md and docs/testing.md tell their reader to do, in the
// order of the text and in one folder:
//
//	```wf order.wf    the file is written
//	```console        each line that begins with "$ " is run, and shows what
//	                  follows it; "…" in that stands for anything on its line,
//	                  a line "…" for any lines
//	```console keeps  the last command goes on running when it has shown this
//	```console goes on   it shows this as well, and ends
//	```console ^C     it is interrupted, shows this as well, and ends
//	```console killed    it is killed, as kill -9 does
func TestGuide(t *testing.T) {
	for name, least := range map[string]int{"../README.md": 5, "guide.md": 15, "testing.md": 6} {
		t.Run(name, func(t *testing.T) { readGuide(t, name, least) })
	}
}

func readGuide(t *testing.T, name string, least int) {
	path, lines := document(t, name)
	g := guide{t: t, dir: t.TempDir()}
	defer g.stop()
	commands := 0
	for _, f := range fences(lines) {
		words := strings.Fields(f.info)
		switch {
		case len(words) == 2 && words[0] == "wf":
			require.NoError(t, os.WriteFile(filepath.Join(g.dir, words[1]), []byte(f.text), 0o600))
		case len(words) > 0 && words[0] == "console":
			g.where = path + " near the block of line " + strconv.Itoa(f.line)
			commands += g.console(strings.Join(words[1:], " "), f.text)
		default:
			t.Errorf("%s:%d: unknown kind of block %q", path, f.line, f.info)
		}
	}
	require.Nil(t, g.left, "a command is left running at the end")
	require.GreaterOrEqual(t, commands, least)
}

// A guide is one reading of the guide.
type guide struct {
	t     *testing.T
	dir   string
	where string
	left  *terminal // with a command that goes on running
}

// A terminal is a command that runs, and what it has shown.
type terminal struct {
	cmd  *exec.Cmd
	done chan struct{}
	mu   sync.Mutex
	out  bytes.Buffer // guarded by mu
	seen int          // bytes of out that were shown in the guide before
}

func (x *terminal) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out.Write(p)
}

// text is what was shown since the guide last looked.
func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out.String()[x.seen:]
}

// console does what one block says and gives the number of its commands.
func (g *guide) console(kind, text string) int {
	switch kind {
	case "":
	case "keeps":
	case "goes on", "^C", "killed":
		g.rest(kind, text)
		return 0
	default:
		g.t.Fatalf("%s: unknown kind of console %q", g.where, kind)
	}
	parts := strings.Split("\n"+text, "\n$ ")
	require.Empty(g.t, strings.TrimSpace(parts[0]), "%s: output without a command", g.where)
	for i, part := range parts[1:] {
		line, want, _ := strings.Cut(part, "\n")
		x := g.start(line)
		if kind == "keeps" && i == len(parts)-2 {
			g.await(x, want)
			g.left = x
			continue
		}
		g.finish(x)
		for deadline := time.Now().Add(patience); looks(line) && !matches(want, x) && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond) // the other terminal is at work
			x = g.start(line)
			g.finish(x)
		}
		require.Regexp(g.t, shape(want), x.text()+"\n", "%s: %s", g.where, line)
	}
	return len(parts) - 1
}

// looks reports whether a command changes nothing, so that it can be repeated.
func looks(line string) bool {
	words := shellWords(line)
	return len(words) > 1 && slices.Contains([]string{"query", "show", "list", "events", "history"}, words[1])
}

func matches(want string, x *terminal) bool {
	return regexp.MustCompile(shape(want)).MatchString(x.text() + "\n")
}

// rest ends the command that goes on running.
func (g *guide) rest(kind, want string) {
	x := g.left
	require.NotNil(g.t, x, "%s: no command runs", g.where)
	g.left = nil
	switch kind {
	case "^C":
		want, _ = strings.CutPrefix(want, "^C\n")
		require.NoError(g.t, x.cmd.Process.Signal(os.Interrupt))
	case "killed":
		want, _ = strings.CutSuffix(want, "Killed\n")
		require.NoError(g.t, x.cmd.Process.Kill())
	}
	g.finish(x)
	require.Regexp(g.t, shape(want), x.text()+"\n", g.where)
}

// start starts the command of a line.
func (g *guide) start(line string) *terminal {
	words := shellWords(line)
	require.NotEmpty(g.t, words, g.where)
	x := &terminal{cmd: exec.Command(words[0], words[1:]...), done: make(chan struct{})}
	x.cmd.Dir = g.dir
	x.cmd.Env = append(os.Environ(), "TZ=UTC", "NO_COLOR=1", "WF_STORE=")
	x.cmd.Stdout, x.cmd.Stderr = x, x
	require.NoError(g.t, x.cmd.Start(), "%s: %s", g.where, line)
	go func() {
		_ = x.cmd.Wait() // its exit code is not looked at
		close(x.done)
	}()
	return x
}

// finish waits for the end of a command.
func (g *guide) finish(x *terminal) {
	select {
	case <-x.done:
	case <-time.After(patience):
		_ = x.cmd.Process.Kill() // it is given up
		<-x.done
		g.t.Fatalf("%s: the command does not end; it shows\n%s", g.where, x.text())
	}
}

// await waits until a command has shown a text.
func (g *guide) await(x *terminal, want string) {
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		text := x.text()
		if regexp.MustCompile(shape(want)).MatchString(text + "\n") {
			x.mu.Lock()
			x.seen += len(text)
			x.mu.Unlock()
			return
		}
		if time.Now().After(deadline) {
			g.left = x
			g.t.Fatalf("%s: the command shows\n%s\nnot\n%s", g.where, text, want)
		}
	}
}

// stop ends what a failed test has left running.
func (g *guide) stop() {
	if g.left != nil {
		err := g.left.cmd.Process.Kill()
		require.True(g.t, err == nil || errors.Is(err, os.ErrProcessDone), "%v", err)
		<-g.left.done
	}
}

// shape is the pattern of a text in which … stands for anything.
func shape(want string) string {
	p := ""
	if want = strings.TrimRight(want, "\n"); want != "" {
		p = regexp.QuoteMeta(want + "\n")
	}
	p = regexp.MustCompile(`(?m)^…\n`).ReplaceAllString(p, `(?s:.*\n)??`)
	return `\A` + strings.ReplaceAll(p, "…", `[^\n]*`) + `\n*\z`
}

// shellWords splits a line as a shell does, as far as the guide needs it.
func shellWords(line string) []string {
	var words []string
	var quote rune
	word, inWord := "", false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && r == ' ':
			if inWord {
				words = append(words, word)
			}
			word, inWord = "", false
		default:
			word, inWord = word+string(r), true
		}
	}
	if inWord {
		words = append(words, word)
	}
	return words
}
