package allow

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Place is a file in a folder that may be used: Rel is its way from Root, and
// no link leads out of Root. Close it.
type Place struct {
	Root *os.Root
	Rel  string
	Abs  string
}

// Close lets go of the folder.
func (p *Place) Close() error { return p.Root.Close() }

// Path decides about a file that a script wants to read or write, and opens the
// allowed folder that it lies in.
func (r *Rules) Path(k Kind, path string) (*Place, error) {
	if info, err := os.Stat(r.abs(path)); err == nil && info.IsDir() {
		return r.Folder(k, path)
	}
	return r.place(k, path, FileEntry(path), false)
}

// Folder is Path for what is to be a folder, also if it does not exist.
func (r *Rules) Folder(k Kind, path string) (*Place, error) { return r.place(k, path, path, false) }

// Target is Path for a file that is to be written, and makes the folders that it
// is to lie in.
func (r *Rules) Target(path string) (*Place, error) {
	p, err := r.place(Write, path, FileEntry(path), true)
	if err != nil {
		return nil, err
	}
	if dir := filepath.Dir(p.Rel); dir != "." {
		if err := p.Root.MkdirAll(dir, 0o777); err != nil {
			_ = p.Close() // what went wrong counts
			return nil, err
		}
	}
	return p, nil
}

// FileEntry is what a flag should allow for the sake of a file: the folder that it
// lies in, but not all of the folder where relative paths begin, or what that lies in.
func FileEntry(path string) string {
	dir := filepath.Dir(path)
	if dir == "." || strings.Trim(dir, "./\\") == "" {
		return path
	}
	return dir
}

// place decides about a path; entry is what would allow it. With create an allowed
// folder that does not exist is made.
func (r *Rules) place(k Kind, path, entry string, create bool) (*Place, error) {
	abs := r.abs(path)
	what := "to " + k.String() + " " + path
	if err := r.shut(k, abs, what); err != nil {
		return nil, err
	}
	if r.all || r.allow[k].all {
		top := filepath.VolumeName(abs) + string(filepath.Separator)
		return openPlace(top, abs)
	}
	for _, dir := range r.allow[k].paths {
		if _, ok := within(dir, abs); !ok {
			continue
		}
		info, err := os.Stat(dir)
		switch missing := errors.Is(err, fs.ErrNotExist); {
		case dir == abs && (missing || err == nil && !info.IsDir()):
			dir = filepath.Dir(dir) // the entry is this one file, which need not be there yet
		case missing && create:
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return nil, fmt.Errorf("make the allowed folder: %w", err)
			}
		}
		return openPlace(dir, abs)
	}
	return nil, denied(k, what, entry)
}

func openPlace(dir, abs string) (*Place, error) {
	rel, _ := within(dir, abs)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the allowed folder: %w", err)
	}
	return &Place{Root: root, Rel: rel, Abs: abs}, nil
}

// shut refuses what is denied or protected, where it really lies: through links
// too.
func (r *Rules) shut(k Kind, abs, what string) error {
	if r.deny[k].all {
		return r.forbidden(k, what)
	}
	if len(r.deny[k].paths) == 0 && len(r.protected) == 0 {
		return nil
	}
	real := realPath(abs)
	for _, dir := range r.protected {
		if under(dir, abs) || under(realPath(dir), real) {
			return &Denied{Kind: k, What: what, Why: "the store and the configuration are no files of a script"}
		}
	}
	for _, dir := range r.deny[k].paths {
		if under(dir, abs) || under(realPath(dir), real) {
			return r.forbidden(k, what)
		}
	}
	return nil
}

// realPath follows all links of a path, as far as it exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	} else if !errors.Is(err, fs.ErrNotExist) {
		return path
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(realPath(dir), filepath.Base(path))
}

func under(dir, path string) bool {
	_, ok := within(dir, path)
	return ok
}

// within gives the way from a folder to a path in it.
func within(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return rel, true
}
