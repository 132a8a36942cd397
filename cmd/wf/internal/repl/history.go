package repl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser"
)

// mostRemembered is how many texts the history keeps.
const mostRemembered = 500

// History is what was typed, in this session and those before: one line for each
// text, the oldest first. Its file is for nobody else to read, for texts may hold
// what is secret.
type History struct {
	path    string // "" where there is none
	Entries []string
}

// historyPath is where the history of a user lies, "" if that cannot be said.
func historyPath(getenv func(string) string) string {
	dir := getenv("XDG_STATE_HOME")
	switch {
	case filepath.IsAbs(dir):
	case runtime.GOOS == "windows":
		dir = getenv("LOCALAPPDATA")
	case getenv("HOME") != "":
		dir = filepath.Join(getenv("HOME"), ".local", "state")
	default:
		dir = ""
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "wf", "repl_history")
}

// OpenHistory reads the history in a file; one that is not there is empty.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return &History{}, fmt.Errorf("read the history: %w", err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line != "" && utf8.ValidString(line) {
			h.Entries = append(h.Entries, line)
		}
	}
	if n := len(h.Entries) - mostRemembered; n > mostRemembered { // now and then is enough
		h.Entries = h.Entries[n:]
		return h, h.rewrite()
	}
	h.Entries = h.Entries[max(0, len(h.Entries)-mostRemembered):]
	return h, nil
}

// rewrite replaces the file by what is remembered.
func (h *History) rewrite() error {
	temp := h.path + ".new"
	if err := os.WriteFile(temp, []byte(strings.Join(h.Entries, "\n")+"\n"), 0o600); err != nil {
		return fmt.Errorf("shorten the history: %w", err)
	}
	if err := os.Rename(temp, h.path); err != nil {
		return fmt.Errorf("shorten the history: %w", err)
	}
	return nil
}

// Add remembers a text, if it makes one line and is not the last one again.
func (h *History) Add(text string) error {
	line, ok := OneLine(text)
	if n := len(h.Entries); !ok || n > 0 && h.Entries[n-1] == line {
		return nil
	}
	h.Entries = append(h.Entries, line)
	if h.path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return fmt.Errorf("keep the history: %w", err)
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep the history: %w", err)
	}
	_, err = f.WriteString(line + "\n")
	if err = errors.Join(err, f.Chmod(0o600), f.Close()); err != nil {
		return fmt.Errorf("keep the history: %w", err)
	}
	return nil
}

// longestEntry is how many bytes an entry of the history may have.
const longestEntry = 4096

// OneLine joins the lines of a text, so that it means the same; false if that is
// not possible, as with a raw string, or not sensible.
func OneLine(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > longestEntry || !utf8.ValidString(text) || strings.Contains(text, `"""`) {
		return "", false
	}
	line := ""
	for _, part := range strings.Split(text, "\n") {
		part = strings.TrimSpace(part)
		switch {
		case part == "" || strings.HasPrefix(part, "//"):
		case line == "":
			line = part
		case goesOn(line, part):
			line += " " + part
		default:
			line += "; " + part
		}
	}
	if strings.ContainsFunc(line, unicode.IsControl) {
		return "", false
	}
	if !strings.HasPrefix(line, ":") && line != text {
		_, was := parser.Parse(source.NewFile("", text), 0)
		if _, is := parser.Parse(source.NewFile("", line), 0); was.HasErrors() || is.HasErrors() || strings.Contains(line, "//") {
			return "", false
		}
	}
	return line, line != ""
}

// goesOn reports whether a line break between two lines ends no statement.
func goesOn(line, next string) bool {
	last, _ := utf8.DecodeLastRuneInString(line)
	first, _ := utf8.DecodeRuneInString(next)
	word := strings.TrimRightFunc(next[:len(next)-len(strings.TrimLeftFunc(next, unicode.IsLetter))], unicode.IsSpace)
	return isSymbol(last) && !strings.ContainsRune(`)]}?"_`, last) || isSymbol(first) && !strings.ContainsRune(`([{-!"_`, first) ||
		token.BreaksNoLine(word)
}

func isSymbol(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
