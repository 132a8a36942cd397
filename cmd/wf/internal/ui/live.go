package ui

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// Live keeps a few lines at the lower end of what a terminal shows: they are
// painted over by the next ones, and text that is written meanwhile scrolls by
// above them. Its methods may be called from anywhere.
type Live struct {
	mu      sync.Mutex
	w       io.Writer // the terminal
	shown   int       // lines painted; the cursor is in the one below
	partial bool      // the text above ends within a line: nothing can be painted below it
}

// NewLive gives a Live for a terminal. Nothing is written before Paint.
func NewLive(w io.Writer) *Live { return &Live{w: w} }

// Paint replaces the lines that are shown. A line that is too long is cut by the
// terminal; there must be fewer lines than the terminal has.
func (l *Live) Paint(lines []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.partial {
		return nil
	}
	var b strings.Builder
	b.WriteString(l.eraser())
	if len(lines) > 0 {
		b.WriteString("\x1b[?7l" + strings.Join(lines, "\r\n") + "\r\n\x1b[?7h") // without wrapping a line is one line
	}
	if b.Len() == 0 {
		return nil
	}
	l.shown = len(lines)
	_, err := io.WriteString(l.w, b.String())
	return err
}

// Clear removes the lines.
func (l *Live) Clear() error { return l.Paint(nil) }

// Hidden reports whether no lines are shown: text took them away.
func (l *Live) Hidden() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shown == 0
}

// eraser takes the lines away.
func (l *Live) eraser() string {
	if l.shown == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r\x1b[J", l.shown)
}

// Text gives a writer for text that leads to the same terminal as the lines, or
// elsewhere: they are taken away before it is written, and painted again with
// the next Paint.
func (l *Live) Text(w io.Writer) io.Writer { return &liveText{l, w} }

type liveText struct {
	live *Live
	w    io.Writer
}

func (t *liveText) Write(p []byte) (int, error) {
	l := t.live
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown > 0 {
		if _, err := io.WriteString(l.w, l.eraser()); err != nil {
			return 0, err
		}
		l.shown = 0
	}
	if len(p) > 0 {
		l.partial = p[len(p)-1] != '\n'
	}
	return t.w.Write(p)
}
