package tests

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Discover gives the scripts that paths name, in order, each once: a file is one,
// a folder stands for all that lie in it at any depth. Folders whose names begin
// with a point are left out. Errors are of what cannot be read; the rest is given
// all the same.
func Discover(paths []string) (scripts []string, errs []error) {
	seen := map[string]bool{}
	add := func(path string) {
		path = filepath.Clean(path)
		if !seen[path] {
			seen[path] = true
			scripts = append(scripts, path)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("cannot read %s: there is no such file or folder", path))
			continue
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("look for tests: %w", err))
			continue
		}
		if !info.IsDir() {
			add(path)
			continue
		}
		found, err := scriptsIn(path)
		if err != nil {
			errs = append(errs, fmt.Errorf("look for tests: %w", err))
		}
		slices.Sort(found)
		for _, f := range found {
			add(f)
		}
	}
	return scripts, errs
}

func scriptsIn(folder string) (found []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(path, ".wf"):
			found = append(found, path)
		}
		return nil
	})
	return found, err
}
