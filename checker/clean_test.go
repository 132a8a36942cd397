package checker_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoFalseAlarms checks every script of the project that is meant to run:
// nothing is refused, and the checks of types say nothing at all.
func TestNoFalseAlarms(t *testing.T) {
	n := 0
	for _, dir := range []string{"../testdata", "../interp", "testdata/typed"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "lang" {
				return fs.SkipDir // the scripts with mistakes
			}
			if err != nil || d.IsDir() || filepath.Ext(path) != ".wf" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n++
			_, said, set := check(t, string(text))
			for _, x := range said {
				if said.HasErrors() || dir == "testdata/typed" || strings.HasPrefix(string(x.Code), "WF27") {
					t.Errorf("%s: %s", path, lines(set, said))
					break
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 60 {
		t.Errorf("only %d scripts were found", n)
	}
}
