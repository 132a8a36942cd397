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
	return r.place(k, path, filepath.Dir(path))
}

// Folder is Path for what is to be a folder, also if it does not exist.
func (r *Rules) Folder(k Kind, path string) (*Place, error) { return r.place(k, path, path) }

// place decides about a path; entry is what would allow it.
func (r *Rules) place(k Kind, path, entry string) (*Place, error) {
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
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			dir = filepath.Dir(dir) // the entry is a file, and abs is that file
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
