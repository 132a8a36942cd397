package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/stdlib"
)

// maxSource is the largest source file, in bytes.
const maxSource = 1 << 20

// compile reads and checks a program and shows its diagnostics. The program is
// nil, and the error says so, if it cannot be run.
func (a *app) compile(file string) (*program.Program, error) {
	set, err := readProgram(file)
	if err != nil {
		return nil, err
	}
	prog, ds := engine.Compile(set, stdlib.Table())
	diag.Render(a.stderr, set, ds, diag.RenderOptions{Color: a.err.Color})
	if prog == nil {
		return nil, said(exitSource)
	}
	return prog, nil
}

// readProgram reads a script and what it imports, the script itself first.
func readProgram(file string) (*source.Set, error) {
	l := loader{set: &source.Set{}, seen: map[string]bool{}}
	text, err := readText(file)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	if err := l.add(file, text, nil); err != nil {
		return nil, &exitError{exitSource, err}
	}
	return l.set, nil
}

// A loader gathers the files of a program.
type loader struct {
	set  *source.Set
	seen map[string]bool // by clean path
}

// add takes a file into the set, then what it imports. above are the files that
// led here.
func (l *loader) add(path, text string, above []string) error {
	f := source.NewFile(path, text)
	number := l.set.Add(f)
	l.seen[filepath.Clean(path)] = true
	above = append(above, path)
	tree, _ := parser.Parse(f, number)
	for _, it := range tree.Items {
		imp, ok := it.(*ast.Import)
		if !ok || imp.Path == nil {
			continue
		}
		if err := l.follow(f, imp, above); err != nil {
			return err
		}
	}
	return nil
}

// follow reads an imported file, unless it was read before.
func (l *loader) follow(from *source.File, imp *ast.Import, above []string) error {
	name := imp.Path.Value
	refuse := func(format string, args ...any) error {
		p := from.Position(imp.Span().Start)
		return fmt.Errorf("%s:%d:%d: import %q: %w", p.File, p.Line, p.Column, name, fmt.Errorf(format, args...))
	}
	switch {
	case filepath.IsAbs(name):
		return refuse("the path must be relative to the file that imports it")
	case len(l.set.Files) > 1000:
		return refuse("a program has at most 1000 files")
	}
	path := filepath.Join(filepath.Dir(from.Name), filepath.FromSlash(name))
	for i, p := range above {
		if filepath.Clean(p) == path {
			return refuse("the files import each other in a circle: %s", strings.Join(append(above[i:], path), " -> "))
		}
	}
	if l.seen[path] {
		return nil
	}
	text, err := readText(path)
	if err != nil {
		return refuse("%w", err)
	}
	return l.add(path, text, above)
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
	b, err := io.ReadAll(io.LimitReader(f, maxSource+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", readTrouble(path, err)
	}
	if len(b) > maxSource {
		return "", fmt.Errorf("%s is larger than 1 MB; a script of that size cannot be run", path)
	}
	if i := invalidAt(b); i >= 0 {
		return "", fmt.Errorf("%s is not a text: byte %d (line %d) is not UTF-8", path, i, bytes.Count(b[:i], []byte("\n"))+1)
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
