package allow

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A ProgramError says that a program is not there.
type ProgramError struct{ Name string }

func (e *ProgramError) Error() string { return fmt.Sprintf("there is no program %q", e.Name) }

// Program decides about a program by the name that a script gives it and finds
// the file to run: a name without a slash in PATH, others from Dir. An entry
// allows the file that it names in the same way, and nothing that is only called
// the same. A denial holds for all names and links of a file. A program that is
// allowed and not there is a *ProgramError.
func (r *Rules) Program(name string) (string, error) {
	what := "to run " + name
	file, found := r.find(name)
	deny := &r.deny[Exec]
	if deny.all {
		return "", r.forbidden(Exec, what)
	}
	for _, entry := range deny.list {
		if entry == name || filepath.Base(name) == entry || found && r.sameProgram(entry, file) {
			return "", r.forbidden(Exec, what)
		}
	}
	if !r.all && !r.allow[Exec].all && !r.listed(name, file, found) {
		return "", denied(Exec, what, name)
	}
	if !found {
		return "", &ProgramError{name}
	}
	return file, nil
}

func (r *Rules) listed(name, file string, found bool) bool {
	for _, entry := range r.allow[Exec].list {
		at, ok := r.find(entry)
		if found && ok && at == file || !found && entry == name {
			return true
		}
	}
	return false
}

// sameProgram reports whether an entry is the same file, whatever it is called.
func (r *Rules) sameProgram(entry, file string) bool {
	at, ok := r.find(entry)
	if !ok {
		return false
	}
	a, err1 := os.Stat(at)
	b, err2 := os.Stat(file)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// find gives the absolute path of a program.
func (r *Rules) find(name string) (string, bool) {
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		path := r.abs(name)
		info, err := os.Stat(path)
		runs := err == nil && !info.IsDir() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
		return path, runs
	}
	if r.lookPath == nil || name == "" {
		return "", false
	}
	path, err := r.lookPath(name)
	if err != nil || !filepath.IsAbs(path) { // never from the current folder
		return "", false
	}
	return filepath.Clean(path), true
}
