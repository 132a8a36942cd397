package format

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
)

// read parses a text; ok says that it is correct.
func read(text string) (file *source.File, tree *ast.File, ok bool) {
	file = source.NewFile("a.wf", text)
	tree, diags := parser.Parse(file, 0)
	return file, tree, !diags.HasErrors()
}

// sources are scripts from all over the repository, by name: every .wf file,
// the parser's cases, and the examples of the registry of codes.
func sources(t testing.TB) map[string]string {
	all := map[string]string{}
	root := filepath.Join("..", "..")
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".wf" {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	}))
	cases, err := os.ReadFile(filepath.Join(root, "parser", "testdata", "cases.txt"))
	require.NoError(t, err)
	for _, part := range strings.Split(string(cases), "\n\n") {
		src, _, ok := strings.Cut(strings.Trim(part, "\n"), "\n    ")
		if ok && !strings.HasPrefix(part, "# ") {
			all["case "+src] = strings.ReplaceAll(src, "⏎", "\n")
		}
	}
	for _, e := range diag.All() {
		all["wrong "+string(e.Code)] = e.Wrong
		all["right "+string(e.Code)] = e.Right
	}
	require.Greater(t, len(all), 300)
	return all
}

// sameTree compares two trees, places apart.
func sameTree(a, b *ast.File) error {
	return same("file", reflect.ValueOf(a.Items), reflect.ValueOf(b.Items))
}

func same(at string, a, b reflect.Value) error {
	if a.Kind() != b.Kind() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Errorf("%s: %v and %v", at, a, b)
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return fmt.Errorf("%s: %v and %v", at, a, b)
			}
			return nil
		}
		return same(at, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return fmt.Errorf("%s: %d and %d elements", at, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if err := same(fmt.Sprintf("%s[%d]", at, i), a.Index(i), b.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[ast.At]() {
			return nil
		}
		for i := range a.NumField() {
			if err := same(at+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); err != nil {
				return err
			}
		}
	default:
		if !a.Equal(b) {
			return fmt.Errorf("%s: %v and %v", at, a, b)
		}
	}
	return nil
}

// commentsOf are the comments of a file; how far they are indented does not
// count.
func commentsOf(tree *ast.File) []string {
	out := []string{}
	for _, c := range tree.Comments {
		lines := strings.Split(c.Text, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimSpace(l)
		}
		out = append(out, strings.Join(lines, "\n"))
	}
	return out
}

var loose = strings.NewReplacer(" ", "", "\t", "", ",", "", ";", "", "|", "", "null", "nil")

// tokensOf are the pieces of a text that formatting must keep.
func tokensOf(text string, tree *ast.File) []string {
	out := []string{}
	for _, p := range lex(text, tree.Comments) {
		switch p.text {
		case ",", ";", "|", "":
		case "null":
			out = append(out, "nil")
		default:
			text := strings.ReplaceAll(p.text, "\r\n", "\n")
			if strings.Contains(text, "${") { // the code in it is laid out, and the tree tells of the text
				text = loose.Replace(text)
			}
			out = append(out, text)
		}
	}
	return out
}

// checkCorrect formats a correct text and demands what every formatting must
// keep. It gives the result.
func checkCorrect(t *testing.T, text string) string {
	t.Helper()
	file, tree, ok := read(text)
	require.True(t, ok, text)
	out, copied := format(file, tree)
	if !strings.Contains(text, ";") { // which may stand at any line break, however odd
		require.Zero(t, copied, "copied instead of formatted:\n%s\n%s", text, out)
	}
	file2, tree2, ok := read(out)
	require.True(t, ok, "no longer correct:\n%s\n-----\n%s", text, out)
	require.NoError(t, sameTree(tree, tree2), "%s\n-----\n%s", text, out)
	require.Equal(t, commentsOf(tree), commentsOf(tree2), "%s\n-----\n%s", text, out)
	require.Equal(t, tokensOf(text, tree), tokensOf(out, tree2), "%s\n-----\n%s", text, out)
	require.Equal(t, out, File(file2, tree2), "not stable:\n%s", text)
	checkLines(t, out)
	return out
}

// checkLines demands what holds for every result.
func checkLines(t *testing.T, out string) {
	t.Helper()
	if out == "" {
		return
	}
	require.NotContains(t, out, "\r\n")
	require.True(t, strings.HasSuffix(out, "\n") && !strings.HasSuffix(out, "\n\n"), "%q", out)
	require.False(t, strings.HasPrefix(out, "\n"), "%q", out)
}
