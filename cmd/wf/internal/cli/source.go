package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"unicode/utf8"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/stdlib"
)

// maxSource is the largest source file, in bytes.
const maxSource = 1 << 20

// compile reads and checks a program and shows its diagnostics. The program is
// nil, and the error says so, if it cannot be run.
func (a *app) compile(file string) (*program.Program, error) {
	set, prog, ds, err := checkProgram(file)
	if err != nil {
		return nil, err
	}
	diag.Render(a.stderr, set, ds, diag.RenderOptions{Color: a.err.Color, Width: a.err.Width})
	if prog == nil {
		return nil, said(exitSource)
	}
	return prog, nil
}

// checkProgram reads a script with what it imports, and checks it. The error
// says why the script itself cannot be read; the program is nil if there are
// errors among the diagnostics. Where a file is missing, names are too: then
// only the imports and the syntax are told about.
func checkProgram(file string) (*source.Set, *program.Program, diag.List, error) {
	text, err := readText(file)
	if err != nil {
		return nil, nil, nil, &exitError{exitUsage, err}
	}
	l := loader{set: &source.Set{}, seen: map[string]bool{}}
	l.add(file, text, nil)
	if len(l.imports) > 0 {
		ds := append(l.imports, l.syntax...)
		ds.Sort()
		return l.set, nil, ds, nil
	}
	prog, ds := engine.Compile(l.set, stdlib.Table())
	return l.set, prog, ds, nil
}

// readText reads a source file; what is no text is refused.
func readText(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", readTrouble(path, err)
	}
	if info.IsDir() {
		return "", fmt.Errorf("%s is a folder, not a script", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", readTrouble(path, err)
	}
	text, err := textOf(path, f)
	if closed := f.Close(); err == nil && closed != nil {
		err = readTrouble(path, closed)
	}
	return text, err
}

// textOf reads a script from r; name is what it is called in errors.
func textOf(name string, r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxSource+1))
	if err != nil {
		return "", readTrouble(name, err)
	}
	if len(b) > maxSource {
		return "", fmt.Errorf("%s is larger than 1 MB; a script of that size cannot be run", name)
	}
	if i := invalidAt(b); i >= 0 {
		return "", fmt.Errorf("%s is not a text: byte %d (line %d) is not UTF-8", name, i, bytes.Count(b[:i], []byte("\n"))+1)
	}
	return string(b), nil
}

// invalidAt is the offset of the first byte that is not UTF-8, -1 if all are.
func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

func readTrouble(path string, err error) error {
	var at *fs.PathError
	why := err
	if errors.As(err, &at) {
		why = at.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = errors.New("there is no such file")
	case errors.Is(err, syscall.ENOTDIR):
		why = errors.New("a part of its path is not a folder")
	}
	return fmt.Errorf("cannot read %s: %w", path, why)
}
