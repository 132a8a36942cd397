package ui

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A screen understands as much of a terminal as Live needs.
type screen struct {
	lines []string
	row   int
	all   strings.Builder
}

var command = regexp.MustCompile(`^\x1b\[(\??)(\d*)([A-Za-z])`)

func (s *screen) Write(p []byte) (int, error) {
	s.all.Write(p)
	if len(s.lines) == 0 {
		s.lines = []string{""}
	}
	for text := string(p); text != ""; {
		if m := command.FindStringSubmatch(text); m != nil {
			switch n, _ := strconv.Atoi(m[2]); m[3] {
			case "A":
				s.row -= n
			case "J":
				s.lines = append(s.lines[:s.row:s.row], "")
			}
			text = text[len(m[0]):]
			continue
		}
		switch c := text[0]; c {
		case '\r':
		case '\n':
			s.row++
			if s.row == len(s.lines) {
				s.lines = append(s.lines, "")
			}
		default:
			s.lines[s.row] += string(c)
		}
		text = text[1:]
	}
	return len(p), nil
}

func (s *screen) text() string { return strings.Join(s.lines, "\n") }

func TestLiveTextScrollsAbove(t *testing.T) {
	var s screen
	l := NewLive(&s)
	out := l.Text(&s)
	require.NoError(t, l.Paint([]string{"a 1", "b 1"}))
	require.Equal(t, "a 1\nb 1\n", s.text())
	_, err := out.Write([]byte("printed\n"))
	require.NoError(t, err)
	require.Equal(t, "printed\n", s.text())
	require.NoError(t, l.Paint([]string{"a 2", "b 2", "c 2"}))
	require.NoError(t, l.Paint([]string{"a 3"}))
	require.Equal(t, "printed\na 3\n", s.text())
	require.NoError(t, l.Clear())
	require.Equal(t, "printed\n", s.text())
}

// A line that is not at its end is not painted over.
func TestLiveWaitsForTheEndOfALine(t *testing.T) {
	var s screen
	l := NewLive(&s)
	out := l.Text(&s)
	require.NoError(t, l.Paint([]string{"a"}))
	_, _ = out.Write([]byte("half"))
	require.NoError(t, l.Paint([]string{"b"}))
	require.Equal(t, "half", s.text())
	_, _ = out.Write([]byte(" done\n"))
	require.NoError(t, l.Paint([]string{"c"}))
	require.Equal(t, "half done\nc\n", s.text())
}

// Without lines nothing but the text reaches the terminal.
func TestLiveAddsNothingToText(t *testing.T) {
	var s screen
	l := NewLive(&s)
	_, _ = l.Text(&s).Write([]byte("plain\n"))
	require.NoError(t, l.Clear())
	require.Equal(t, "plain\n", s.all.String())
}
