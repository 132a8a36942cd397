package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/parser"
)

// maxFiles is how many files a program may have.
const maxFiles = 1000

// A loader gathers the files of a program, the script itself first.
type loader struct {
	set     *source.Set
	before  int             // files in the set that are none of this program's
	seen    map[string]bool // by clean path
	imports diag.List       // what is wrong with imports
	syntax  diag.List       // what is wrong in the files
}

// add takes a file into the set, then what it imports. above are the files that
// led here.
func (l *loader) add(path, text string, above []string) {
	f := source.NewFile(path, text)
	number := l.set.Add(f)
	l.seen[filepath.Clean(path)] = true
	above = append(above[:len(above):len(above)], path)
	tree, ds := parser.Parse(f, number)
	l.syntax = append(l.syntax, ds...)
	for _, it := range tree.Items {
		if imp, ok := it.(*ast.Import); ok && imp.Path != nil && imp.Path.Value != "" {
			l.follow(f, imp.Path, above)
		}
	}
}

// follow reads an imported file, unless it was read before.
func (l *loader) follow(from *source.File, name *ast.StringLit, above []string) {
	if filepath.IsAbs(name.Value) {
		l.imports.Add(absoluteImport(name, filepath.Dir(from.Name)))
		return
	}
	path := filepath.Join(filepath.Dir(from.Name), filepath.FromSlash(name.Value))
	for i, p := range above {
		if filepath.Clean(p) == path {
			l.imports.Add(importCircle(name, append(above[i:len(above):len(above)], path)))
			return
		}
	}
	if l.seen[path] {
		return
	}
	if len(l.set.Files)-l.before >= maxFiles {
		if !l.seen[""] { // once
			l.seen[""] = true
			l.imports.Add(tooManyFiles(name))
		}
		return
	}
	_, missing := os.Stat(path)
	text, err := readText(path)
	switch {
	case errors.Is(missing, fs.ErrNotExist):
		l.seen[path] = true // each missing file is told about once
		l.imports.Add(missingImport(name, path))
	case err != nil:
		l.seen[path] = true
		l.imports.Add(unreadableImport(name, err))
	default:
		l.add(path, text, above)
	}
}

func missingImport(name *ast.StringLit, path string) diag.Diagnostic {
	d := diag.Diagnostic{Code: "WF1901", Span: name.Place, Message: "there is no file " + path,
		Help: "the path is looked for from the folder of the file that imports"}
	if near := nearFile(path); near != "" {
		found := strings.TrimSuffix(name.Value, filepath.Base(path)) + near
		d.Help = fmt.Sprintf("did you mean %q?", found)
		d.Fixes = []diag.Fix{{Span: name.Place, Text: `"` + found + `"`}}
	}
	return d
}

// nearFile is the script beside the path whose name is most like it, "" if none
// is.
func nearFile(path string) string {
	scripts, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.wf"))
	if err != nil {
		return ""
	}
	for i, s := range scripts {
		scripts[i] = filepath.Base(s)
	}
	return spell.Nearest(filepath.Base(path), scripts)
}

func unreadableImport(name *ast.StringLit, why error) diag.Diagnostic {
	return diag.Diagnostic{Code: "WF1902", Span: name.Place, Message: why.Error(), Help: "import scripts, one by one"}
}

func importCircle(name *ast.StringLit, circle []string) diag.Diagnostic {
	return diag.Diagnostic{Code: "WF1903", Span: name.Place,
		Message: "the files import each other in a circle: " + strings.Join(circle, " -> "),
		Help:    "put what both need into a file of its own"}
}

func absoluteImport(name *ast.StringLit, folder string) diag.Diagnostic {
	d := diag.Diagnostic{Code: "WF1904", Span: name.Place, Message: "the path of an import begins at the root",
		Help: "write it relative to the file that imports"}
	if abs, err := filepath.Abs(folder); err == nil {
		if rel, err := filepath.Rel(abs, name.Value); err == nil {
			d.Help = fmt.Sprintf("from the file that imports it is %q", filepath.ToSlash(rel))
			d.Fixes = []diag.Fix{{Span: name.Place, Text: `"` + filepath.ToSlash(rel) + `"`}}
		}
	}
	return d
}

func tooManyFiles(name *ast.StringLit) diag.Diagnostic {
	return diag.Diagnostic{Code: "WF1905", Span: name.Place, Message: fmt.Sprintf("a program has at most %d files", maxFiles),
		Help: "split it into several programs that share a store"}
}
