package repl

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/diag"
)

// An easel stands between the line editor and the terminal, and knows where on it
// the line lies. The editor moves the cursor character by character, as if each
// took one column and every terminal went back to the line above by itself; where
// characters are wide, or a terminal is otherwise, it paints over what is not its
// own. So of what the editor paints only the text is taken, and the cursor is put
// where it belongs.
//
// The editor paints in four ways: it takes the line away, it writes the prompt with
// the line, it writes something below the line (what may be completed), and all
// else, which goes through.
type easel struct {
	out     io.Writer
	width   func() int // columns of the terminal
	prompts []string   // with which lines begin

	mu     sync.Mutex
	line   string // prompt and text as they were painted last, "" if there is none
	before string // the part of line before the cursor
	below  []byte // what is to stand below the line, as far as it has come
}

// aside begins a write that is no painting: what a session says.
const aside = "\x00"

// said is a writer of what a session says. While a line is typed that goes above it,
// by way of the editor; at other times the editor would paint a prompt that is none.
type said struct {
	easel  *easel
	typing *atomic.Bool
	editor io.Writer // the editor's
	direct io.Writer // where the editor's leads
}

func (s said) Write(p []byte) (int, error) {
	if !s.typing.Load() {
		return s.easel.clear(s.direct, p)
	}
	text := p
	if s.direct == s.easel.out {
		text = append([]byte(aside), p...)
	}
	if _, err := s.editor.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// clear writes something where no line is typed.
func (e *easel) clear(w io.Writer, p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.line != "" {
		if _, err := io.WriteString(e.out, e.takeAway()); err != nil {
			return 0, err
		}
	}
	return w.Write(p)
}

var (
	takesAway  = regexp.MustCompile(`^\x1b\[J(\x1b\[2K\r\x1b\[A)*\x1b\[2K\r$`)
	movesBack  = regexp.MustCompile(`(\x08|\x1b\[A\r\x1b\[\d+C)+$`)
	endsBelow  = regexp.MustCompile(`(\x1b\[\d+A\r|\r\x1b\[\d+A)(\x1b\[\d+C)?$`)
	movesRight = regexp.MustCompile(`^\x1b\[\d+C$`)
	blanks     = regexp.MustCompile(` +\n`)
	sequence   = regexp.MustCompile(`\x1b\[[\d;]*[A-Za-z]`)
)

// Write takes what the editor paints.
func (e *easel) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	text := string(p)
	switch {
	case strings.HasPrefix(text, aside):
		n, err := e.out.Write(p[len(aside):])
		return n + len(aside), err
	case takesAway.Match(p):
		text = e.takeAway()
	case slices.ContainsFunc(e.prompts, func(prompt string) bool { return strings.HasPrefix(text, prompt) }):
		text = e.paint(text)
	case e.below != nil, e.line != "" && strings.HasPrefix(text, "\n"):
		text = e.paintBelow(p)
	case e.line != "" && movesRight.Match(p):
		text = "" // the end of what stands below
	case text == "\x1b[H":
		e.line, e.before = "", "" // the screen begins anew
	}
	if _, err := io.WriteString(e.out, text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// takeAway clears the line and all below it; the cursor is where it began.
func (e *easel) takeAway() string {
	row, _ := place(e.line, e.before, e.width())
	e.line, e.before, e.below = "", "", nil
	return up(row) + "\r\x1b[J"
}

// paint writes a line, and puts the cursor where it is in it.
func (e *easel) paint(text string) string {
	moves := movesBack.FindString(text)
	text = strings.TrimSuffix(text, moves)
	e.line, e.before = text, text
	for range strings.Count(moves, "\b") {
		_, n := utf8.DecodeLastRuneInString(e.before)
		e.before = e.before[:len(e.before)-n]
	}
	if entered, _, ok := strings.Cut(text, "\n"); ok {
		e.line, e.before = "", ""
		return entered + "\n"
	}
	width := e.width()
	rows, column := place(text, text, width)
	if column == 0 && rows > 0 {
		text += " \r" // else the terminal stays in the line above until more comes
	}
	row, column := place(e.line, e.before, width)
	return text + up(rows-row) + right(column) + "\x1b7"
}

// paintBelow takes what is to stand below the line; when all of it has come, it is
// written, and the cursor is put back into the line.
func (e *easel) paintBelow(p []byte) string {
	e.below = append(e.below, p...)
	end := endsBelow.FindIndex(e.below)
	if end == nil {
		return ""
	}
	text := blanks.ReplaceAllString(string(bytes.TrimLeft(e.below[:end[0]], "\n")), "\n")
	e.below = nil
	width := e.width()
	last, _ := place(e.line, e.line, width)
	row, column := place(e.line, e.before, width)
	rows, _ := place(text, text, width)
	return "\x1b8" + strings.Repeat("\n", last-row+1) + "\r" + text + up(last-row+1+rows) + right(column)
}

func up(rows int) string {
	if rows <= 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA", rows)
}

func right(columns int) string {
	if columns == 0 {
		return "\r"
	}
	return fmt.Sprintf("\r\x1b[%dC", columns)
}

// place is where the character stands that follows a part of a text, which begins
// in column 0 of row 0 of a terminal so wide. Escape sequences take no room.
func place(text, part string, width int) (row, column int) {
	shown := sequence.ReplaceAllString(part, "")
	for _, c := range shown {
		row, column = after(c, row, column, width)
	}
	next, _ := utf8.DecodeRuneInString(sequence.ReplaceAllString(text[len(part):], ""))
	if column+max(diag.Columns(next), 1) > width {
		return row + 1, 0
	}
	return row, column
}

// after is where the cursor stands behind a character that is written at a place.
func after(c rune, row, column, width int) (int, int) {
	if c == '\n' {
		return row + 1, 0
	}
	n := diag.Columns(c)
	if column+n > width {
		row, column = row+1, 0
	}
	return row, column + n
}
