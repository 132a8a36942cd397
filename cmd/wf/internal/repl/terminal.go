package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/chzyer/readline"
	"golang.org/x/term"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp/engine"
)

const prompt = "wf> "

// maxUntold is how many bytes of notices may wait for the terminal.
const maxUntold = 1 << 20

// patience is how long the last notices may take to be shown.
const patience = time.Second

// A Terminal is where a session takes place. In, Out, Err and Getenv are
// required. On a terminal that can be painted over, texts are typed in a line
// editor; on another one behind a plain prompt; and what comes from a pipe is
// carried out without any.
type Terminal struct {
	In       *os.File
	Out, Err io.Writer
	Is       ui.Terminal // what Out leads to
	Getenv   func(string) string
	// Direct has notices written at once, as whoever types causes them all: under
	// a virtual clock nothing happens in the background.
	Direct bool

	editor  *readline.Instance // nil: lines are read as they come
	easel   *easel             // of the editor
	typing  atomic.Bool        // the editor reads a line
	widest  atomic.Int64       // columns of the widest word that is offered for completion
	resized func()             // tells the editor that its terminal is as wide as roomForWords says
	history *History
	notices *ui.Spool
	session *Session // of the completion
}

// Open makes the terminal ready.
func (t *Terminal) Open() error {
	if !t.Interactive() {
		return nil
	}
	if t.Is.Live {
		t.openHistory()
		var err error
		t.easel = &easel{out: t.Out, width: t.columns, prompts: []string{t.Is.Bold(prompt), t.Is.Bold(continuation(prompt))}}
		t.editor, err = readline.NewEx(&readline.Config{
			Prompt: t.Is.Bold(prompt), DisableAutoSaveHistory: true, HistoryLimit: mostRemembered, HistorySearchFold: true,
			AutoComplete: completer{t}, InterruptPrompt: "^C", EOFPrompt: "^D",
			Stdin: readline.NewCancelableStdin(keys{readline.Stdin}), Stdout: t.easel, Stderr: t.Err,
			FuncGetWidth: t.roomForWords, FuncOnWidthChanged: t.onWidthChanged,
		})
		if err != nil {
			return fmt.Errorf("open the terminal: %w", err)
		}
		t.remember()
	}
	out, _ := t.Writers()
	t.notices = ui.NewSpool(out, maxUntold)
	return nil
}

// openHistory reads what was typed before. Without that a session goes on.
func (t *Terminal) openHistory() {
	var err error
	if t.history, err = OpenHistory(historyPath(t.Getenv)); err != nil {
		fmt.Fprintln(t.Err, t.Is.Faint(err.Error()))
	}
}

// remember gives the editor the history: by itself it keeps the wrong line when
// an older one was looked up, and breaks up what has several.
func (t *Terminal) remember() {
	t.editor.ResetHistory()
	for _, e := range t.history.Entries {
		_ = t.editor.SaveHistory(e) // in memory: it cannot fail
	}
}

// Interactive reports whether somebody types.
func (t *Terminal) Interactive() bool { return term.IsTerminal(int(t.In.Fd())) }

// Writers are where results go, and what is wrong; with a line editor both scroll
// by above the prompt.
func (t *Terminal) Writers() (out, problems io.Writer) {
	if t.editor != nil {
		return said{t.easel, &t.typing, t.editor.Stdout(), t.Out}, said{t.easel, &t.typing, t.editor.Stderr(), t.Err}
	}
	return t.Out, t.Err
}

// Columns is how wide the terminal is now, 0 if results go to none.
func (t *Terminal) Columns() int {
	if w, _, err := term.GetSize(int(t.In.Fd())); err == nil && t.Is.Width > 0 {
		return w
	}
	return t.Is.Width
}

// columns is how wide the terminal is that the editor paints on.
func (t *Terminal) columns() int {
	if w := t.Columns(); w > 0 {
		return w
	}
	return 80
}

// roomForWords is what the editor takes for the width of the terminal. It arranges
// the words that it offers in columns, and comes to grief where not even one fits;
// what is too wide is broken by the terminal. All else the easel knows better.
func (t *Terminal) roomForWords() int { return max(t.columns(), int(t.widest.Load())+3) }

func (t *Terminal) onWidthChanged(resized func()) {
	t.resized = resized
	readline.DefaultOnWidthChanged(resized)
}

// offer makes room for words that are to be offered.
func (t *Terminal) offer(words []string) {
	widest := 0
	for _, w := range words {
		widest = max(widest, ui.Columns(w))
	}
	if t.widest.Swap(int64(widest)) != int64(widest) {
		t.resized()
	}
}

// Notice tells of an instance that emits, pauses or ends. Unless it is Direct, it
// never waits for the terminal.
func (t *Terminal) Notice(n engine.Trace) {
	if t.notices == nil {
		return
	}
	line := NoticeWords(n)
	switch {
	case line == "":
	case t.Direct:
		out, _ := t.Writers()
		fmt.Fprintln(out, t.Is.Faint(line)) // whoever gave Out knows its errors
	default:
		t.notices.Say(t.Is.Faint(line))
	}
}

// NoticeWords is what is said of a change, "" for nothing.
func NoticeWords(n engine.Trace) string {
	switch n.Kind {
	case engine.TraceEmitted, engine.TracePaused, engine.TraceEnded:
		return "  " + n.Instance + " " + ui.Line(n.Text)
	}
	return ""
}

// Close gives the terminal back.
func (t *Terminal) Close() error {
	var err error
	if t.notices != nil {
		t.notices.Close(patience)
	}
	if t.editor != nil {
		err = t.editor.Close()
	}
	return err
}

// Run leads the session until it is left, first through the files. It gives how
// the worst text of a pipe ended; what is typed has no such end.
func (t *Terminal) Run(ctx context.Context, s *Session, files []string) (Outcome, error) {
	t.session = s
	ctx, free := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer free()
	worst := Done
	for _, f := range files {
		if out := interruptible(ctx, func(ctx context.Context) Outcome { return s.Do(ctx, ":load "+f) }); out != Done {
			worst = Failed
		}
	}
	switch {
	case t.editor != nil:
		return Done, t.edit(ctx, s)
	case t.Interactive():
		_, err := s.Piped(ctx, t.In, t.Err, prompt)
		return Done, err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	out, err := s.Piped(ctx, t.In, io.Discard, "")
	if err == nil {
		err = ctx.Err()
	}
	return max(out, worst), err
}

// interruptible carries something out until Ctrl-C.
func interruptible(ctx context.Context, f func(context.Context) Outcome) Outcome {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	return f(ctx)
}

// edit reads texts with the line editor.
func (t *Terminal) edit(ctx context.Context, s *Session) error {
	defer context.AfterFunc(ctx, func() { _ = t.editor.Close() })()
	between := make(chan os.Signal, 1) // Ctrl-C between two texts ends nothing
	signal.Notify(between, os.Interrupt)
	defer signal.Stop(between)
	s.remark("wf, the interactive session; :help lists what there is, Ctrl-D twice leaves")
	var text gathering
	leaving := false
	for ctx.Err() == nil {
		t.setPrompt(text.text != "")
		t.typing.Store(true)
		line, err := t.editor.Readline()
		t.typing.Store(false)
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			if text.text == "" && strings.TrimSpace(line) == "" {
				s.remark("Ctrl-D twice, or :quit, leaves; Ctrl-C cancels what is under way")
			}
			text, leaving = gathering{}, false
			continue
		case errors.Is(err, io.EOF) && text.text != "":
			text = gathering{}
			continue
		case errors.Is(err, io.EOF) && !leaving:
			leaving = true
			s.remark("once more leaves; nothing is lost")
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the terminal: %w", err)
		}
		leaving = false
		if text.add(line + "\n") {
			continue
		}
		if interruptible(ctx, func(ctx context.Context) Outcome { return s.Do(ctx, text.text) }) == Left {
			return nil
		}
		if err := t.history.Add(text.text); err != nil {
			s.remark("%v", err)
			t.history.path = "" // said once
		}
		t.remember()
		text = gathering{}
	}
	return nil
}

func (t *Terminal) setPrompt(goesOn bool) {
	p := prompt
	if goesOn {
		p = continuation(prompt)
	}
	t.editor.SetPrompt(t.Is.Bold(p))
}
