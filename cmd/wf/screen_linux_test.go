package main

import (
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/diag"
)

// A screen is what a terminal shows of what was written to it, as far as a session
// uses terminals. It has rows without end.
type screen struct {
	width int
	// wraps says that a backspace in the first column goes to the end of the line
	// above, as in tmux; in most terminals it does nothing.
	wraps       bool
	rows        [][]rune // a wide character is followed by a 0
	row, column int      // column is width behind the last one, until more comes
	saved       [2]int
}

// screenOf shows a text.
func screenOf(text string, width int, wraps bool) *screen {
	s := &screen{width: width, wraps: wraps}
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b"); ok {
			text = s.escape(rest)
			continue
		}
		c, n := utf8.DecodeRuneInString(text)
		text = text[n:]
		s.put(c)
	}
	return s
}

func (s *screen) line() []rune {
	for len(s.rows) <= s.row {
		s.rows = append(s.rows, nil)
	}
	return s.rows[s.row]
}

func (s *screen) put(c rune) {
	switch c {
	case '\r':
		s.column = 0
	case '\n':
		s.row++
	case '\a':
	case '\b':
		switch {
		case s.column > 0:
			s.column--
		case s.wraps && s.row > 0:
			s.row, s.column = s.row-1, s.width-1
		}
	default:
		n := diag.Columns(c)
		if s.column+n > s.width {
			s.row, s.column = s.row+1, 0
		}
		line := s.line()
		for len(line) < s.column+n {
			line = append(line, ' ')
		}
		if n > 0 {
			line[s.column] = c
		}
		if n > 1 {
			line[s.column+1] = 0
		}
		s.rows[s.row], s.column = line, s.column+n
	}
}

// escape carries out a sequence and gives what is behind it.
func (s *screen) escape(text string) string {
	switch text[0] {
	case '7':
		s.saved = [2]int{s.row, s.column}
		return text[1:]
	case '8':
		s.row, s.column = s.saved[0], s.saved[1]
		return text[1:]
	}
	end := strings.IndexFunc(text[1:], func(r rune) bool { return r >= '@' }) + 1
	n, err := strconv.Atoi(text[1:end])
	if err != nil {
		n = 1
	}
	switch text[end] {
	case 'A':
		s.row = max(0, s.row-n)
	case 'C':
		s.column = min(s.width-1, s.column+n)
	case 'K':
		s.line()
		s.rows[s.row] = nil
	case 'J':
		line := s.line()
		s.rows[s.row] = line[:min(len(line), s.column)]
		s.rows = s.rows[:s.row+1]
	}
	return text[end+1:]
}

// text is what stands on the screen, without blanks at the ends.
func (s *screen) text() string {
	var lines []string
	for _, row := range s.rows {
		lines = append(lines, strings.TrimRight(strings.ReplaceAll(string(row), "\x00", ""), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// shows waits until the screen ends with some lines and the cursor stands so many
// columns from the left, in a row counted from the last one.
func (x *typist) shows(width int, lines string, up, column int) {
	x.t.Helper()
	for _, wraps := range []bool{false, true} {
		for deadline := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
			s := screenOf(x.screen.String(), width, wraps)
			text := s.text()
			if strings.HasSuffix(text, lines) && s.column == column && strings.Count(text, "\n")-s.row == up {
				break
			}
			if time.Now().After(deadline) {
				require.FailNow(x.t, "the screen is otherwise", "it ends with\n%s\nnot\n%s\nand the cursor is in column %d, %d up, not in %d, %d up",
					text[max(0, len(text)-600):], lines, s.column, strings.Count(text, "\n")-s.row, column, up)
			}
		}
	}
}

// A line that is wider than the terminal, or has wide characters, is edited in its
// place: nothing above it is painted over, and the cursor is where it should be.
func TestEditingInTerminal(t *testing.T) {
	const width = 30
	x := sitDownAt(t, width, t.TempDir(), nil, "--memory")
	x.ready()
	above := "wf> \"日本\" + nope\ninput 1:1:8: error[WF2001]: no\nthing is called `nope` here\n  1 | \"日本\" + nope\n    |          ^^^^\n"
	x.keys("\"日本\" + nope\r", "\r\n    |          ^^^^\r\n")
	x.ready()
	long := "let one = \"a text of more than thirty columns\""
	x.keys(long, "columns\"")
	x.shows(width, above+"wf> let one = \"a text of more\nthan thirty columns\"", 0, 20)
	x.keys("\x01a\x1b[1~b\x1b[Hc", "") // Ctrl-A, and Home in two ways
	x.shows(width, above+"wf> cbalet one = \"a text of mo\nre than thirty columns\"", 1, 5)
	x.keys("\x1b[3~\x1b[3~\x1b[D\x7f", "")
	x.shows(width, above+"wf> clet one = \"a text of more\n than thirty columns\"", 1, 4)
	x.keys("\x1b[4~\x1b[D\x1b[DZ\x1b[8~", "") // End in two ways
	x.shows(width, above+"wf> clet one = \"a text of more\n than thirty columnZs\"", 0, 22)
	x.keys("\x1b[1;5D\x1b[1;5D\x1b[1;5D", "") // three words to the left
	x.shows(width, above+"wf> clet one = \"a text of more\n than thirty columnZs\"", 0, 1)
	x.keys("\x15\x0b\"日本語日本語日本語日本語日本語\" + \"x\"", "")
	x.shows(width, above+"wf> \"日本語日本語日本語日本語\n日本語\" + \"x\"", 0, 13)
	x.keys(strings.Repeat("\x1b[D", 8)+"\x7f", "")
	x.shows(width, above+"wf> \"日本語日本語日本語日本語\n日語\" + \"x\"", 0, 2)
	x.keys("\x1b[D\x1b[D\x7f", "") // the character that moves up leaves a column free
	x.shows(width, above+"wf> \"日本語日本語日本語日語日\n語\" + \"x\"", 1, 25)
	x.keys("\x01a", "")
	x.shows(width, above+"wf> a\"日本語日本語日本語日語日\n語\" + \"x\"", 1, 5)
	x.keys("\x03", "^C")
	x.ready()
	// A full line, and one more character.
	x.keys(strings.Repeat("a", 26), "")
	x.shows(width, "wf> "+strings.Repeat("a", 26), -1, 0)
	x.keys("b\x1b[D", "")
	x.shows(width, "wf> "+strings.Repeat("a", 26)+"\nb", 0, 0)
	x.keys("\x1b[D", "")
	x.shows(width, "wf> "+strings.Repeat("a", 26)+"\nb", 1, 29)
	x.keys("\x03", "^C")
	x.ready()
	x.keys(":quit\r", ":quit")
	x.leaves(0)
}

// Ctrl-D while a text is carried out, when the terminal itself reads lines and takes
// it for the end of all input, and Ctrl-Space, do no harm.
func TestKeysThatEndTheEditor(t *testing.T) {
	x := sitDown(t, t.TempDir(), nil, "--memory")
	x.ready()
	for range 3 {
		x.keys("perform IO.print(\"busy\"); perform Timer.sleep(100ms)\r", "busy\r\n")
		x.keys("\x04", "")
		x.ready()
		x.keys("\x001 + \x001\r", "2\r\n")
		x.ready()
	}
	x.keys("\x04", "once more leaves")
	x.ready()
	x.keys("\x04", "^D")
	x.leaves(0)
}

// What is offered for completion stands below the line, also if the terminal is too
// narrow for a single word of it, and goes away; so does a search in the history.
func TestCompletionInTerminal(t *testing.T) {
	const width = 30
	x := sitDownAt(t, width, t.TempDir(), nil, "--memory")
	x.ready()
	x.keys("let width = 1; let wide = 2\r", "")
	x.ready()
	x.keys("\"a line of some length\" + wid\t", "")
	x.shows(width, "wf> \"a line of some length\" +\nwid\nwide   width", 1, 3)
	x.keys("e", "")
	x.shows(width, "wf> \"a line of some length\" +\nwide\nwide", 1, 4)
	x.keys("\x03", "") // ends the completion
	x.shows(width, "wf> \"a line of some length\" +\nwide", 0, 4)
	x.keys("\x03", "^C")
	x.ready()
	x.keys("workflow W { step a { perform Signal.wait(\"go\") } }\r", "workflow W\r\n")
	for _, n := range []string{"1", "2", "3"} {
		x.keys("spawn W {} as \"a-name-that-is-wider-than-thirty-"+n+"\"\r", "\")\r\n")
		x.ready()
	}
	list := ""
	for _, n := range []string{"1", "2", "3"} {
		list += "\na-name-that-is-wider-than-thir\nty-" + n + "\")"
	}
	line := "wf> W(\"a-name-that-is-wider-th\nan-thirty-"
	x.keys("W(\"\t\t", "")
	x.shows(width, line+list, 6, 10)
	x.keys("\t\t\x1b[B", "") // the first one, the second, and one down
	x.shows(width, line+list, 6, 10)
	x.keys("\r", "")
	x.shows(width, line+"3\")", 0, 13)
	x.keys(".id\r", "\"a-name-that-is-wider-than-thirty-3\"\r\n")
	x.ready()
	x.keys("\x12let w", "")
	x.shows(width, "wf> let width = 1; let wide =\n2\nbck-i-search: let w", 2, 19)
	x.keys("\x05 + 1\r", "")
	x.ready()
	x.keys("wide\r", "\r\n3\r\n")
	x.keys(":quit\r", ":quit")
	x.leaves(0)
}

// Under a virtual clock what happens is shown before what comes of it.
func TestVirtualInTerminal(t *testing.T) {
	x := sitDown(t, t.TempDir(), nil, "--virtual")
	x.ready()
	x.keys("workflow W { step a { perform Timer.sleep(1h) } step b { emit Done() } }\r", "workflow W\r\n")
	x.keys("spawn W {}\r", "W(\"W-1\")\r\n")
	x.keys(":clock +1h\r", "  W-1 emits Done()\r\n  W-1 completed\r\n2030-01-01T01:00:00Z\r\n")
	x.keys(":quit\r", ":quit")
	x.leaves(0)
}
