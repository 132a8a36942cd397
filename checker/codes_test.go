package checker_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
)

var fileMark = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// TestCodes checks both scripts of every code: the wrong one draws that code
// and nothing else, the right one draws nothing.
func TestCodes(t *testing.T) {
	for _, e := range diag.All() {
		if e.Code < "WF2" {
			continue
		}
		t.Run(string(e.Code), func(t *testing.T) {
			said, set := run(t, e.Wrong)
			if len(said) == 0 {
				t.Errorf("the wrong script draws nothing:\n%s", e.Wrong)
			}
			for _, d := range said {
				if d.Code != e.Code {
					t.Errorf("the wrong script draws %s:%s", d.Code, lines(set, said))
				}
			}
			said, set = run(t, e.Right)
			if len(said) > 0 {
				t.Errorf("the right script draws:%s", lines(set, said))
			}
			if e.Title == "" || e.Why == "" {
				t.Error("title or explanation is missing")
			}
		})
	}
}

func run(t *testing.T, script string) (diag.List, *source.Set) {
	t.Helper()
	set := &source.Set{}
	var files []*ast.File
	for i, text := range fileMark.Split(script, -1) {
		name := "main.wf"
		if i > 0 {
			name = "lib.wf"
		}
		f := source.NewFile(name, text)
		tree, said := parser.Parse(f, set.Add(f))
		if said.HasErrors() {
			t.Fatalf("syntax:%s\n%s", lines(set, said), text)
		}
		files = append(files, tree)
	}
	_, said := checker.CheckWith(files, set, checker.Options{
		Builtins: table(), Refuse: func(f string) bool { return f == "agent" },
	})
	return said, set
}

// TestRegistry checks that every code that a constructor uses is explained,
// once, that one constructor uses it, and that none is explained for nothing.
func TestRegistry(t *testing.T) {
	explained := map[string]int{}
	last := diag.Code("")
	for _, e := range diag.All() {
		if e.Code < "WF2" {
			continue
		}
		if e.Code <= last {
			t.Errorf("%s stands behind %s", e.Code, last)
		}
		last = e.Code
		explained[string(e.Code)] = 0
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range regexp.MustCompile(`"WF\d{4}"`).FindAllString(string(text), -1) {
			code = strings.Trim(code, `"`)
			if n, ok := explained[code]; !ok || n > 0 {
				t.Errorf("%s: %s is not explained, or has two constructors", f, code)
			}
			explained[code]++
		}
	}
	for code, n := range explained {
		if n == 0 {
			t.Errorf("%s is explained and never used", code)
		}
	}
}
