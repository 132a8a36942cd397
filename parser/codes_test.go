package parser

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
)

// syntaxEntries are the explained codes of the scanner and the parser; WF19xx
// are about files.
func syntaxEntries() []diag.Entry {
	return slices.DeleteFunc(diag.All(), func(e diag.Entry) bool {
		return !strings.HasPrefix(string(e.Code), "WF1") || strings.HasPrefix(string(e.Code), "WF19")
	})
}

// TestExplainedCodes runs the examples of every code: the wrong one draws
// exactly this code, the right one none.
func TestExplainedCodes(t *testing.T) {
	for _, e := range syntaxEntries() {
		require.NotEmpty(t, e.Title, e.Code)
		require.NotEmpty(t, e.Why, e.Code)
		if e.Code == "WF1014" { // an example would be a megabyte long
			continue
		}
		wrong := source.NewFile("wrong.wf", e.Wrong)
		_, diags := Parse(wrong, 0)
		if assert.Len(t, diags, 1, "%s: %s", e.Code, show(wrong, diags)) {
			assert.Equal(t, e.Code, diags[0].Code, show(wrong, diags))
		}
		right := source.NewFile("right.wf", e.Right)
		_, diags = Parse(right, 0)
		assert.Empty(t, show(right, diags), e.Code)
	}
}

// TestEveryCodeIsExplainedOnce compares the codes in the constructors with the
// registry.
func TestEveryCodeIsExplainedOnce(t *testing.T) {
	files, err := filepath.Glob("internal/say/*.go")
	require.NoError(t, err)
	perFunction := map[string]map[string]bool{} // code -> constructors
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		body := strings.ReplaceAll(string(text), `TooDeepCode diag.Code = "WF1127"`, "")
		for _, fn := range strings.Split(body, "\nfunc ")[1:] {
			name, _, _ := strings.Cut(fn, "(")
			fn = strings.ReplaceAll(fn, "at(TooDeepCode", `at("WF1127"`)
			for _, code := range regexp.MustCompile(`"(WF1\d{3})"`).FindAllStringSubmatch(fn, -1) {
				if perFunction[code[1]] == nil {
					perFunction[code[1]] = map[string]bool{}
				}
				perFunction[code[1]][name] = true
			}
		}
	}
	var explained, made []string
	for _, e := range syntaxEntries() {
		explained = append(explained, string(e.Code))
	}
	for code, fns := range perFunction {
		made = append(made, code)
		require.Len(t, fns, 1, "%s has several constructors", code)
	}
	slices.Sort(made)
	require.Equal(t, made, explained, "the registry is in order and complete")
}

// TestFixesMend applies the fixes of every wrong example: the mistake is gone.
func TestFixesMend(t *testing.T) {
	fixed := 0
	for _, e := range syntaxEntries() {
		_, diags := Parse(source.NewFile("wrong.wf", e.Wrong), 0)
		if len(diags) == 0 || len(diags[0].Fixes) == 0 {
			continue
		}
		text := e.Wrong
		fixes := slices.Clone(diags[0].Fixes)
		slices.SortStableFunc(fixes, func(a, b diag.Fix) int { return int(b.Span.Start) - int(a.Span.Start) })
		for _, f := range fixes {
			text = text[:f.Span.Start] + f.Text + text[f.Span.End:]
		}
		file := source.NewFile("fixed.wf", text)
		_, after := Parse(file, 0)
		assert.Empty(t, show(file, after), "%s\n%s", e.Code, text)
		fixed++
	}
	require.Greater(t, fixed, 20)
}
