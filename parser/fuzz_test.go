package parser

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/source"
)

// nested checks that the place of every node lies inside that of the node
// around it.
func nested(t require.TestingT, text string, root ast.Node) {
	var walk func(v reflect.Value, outer source.Span)
	walk = func(v reflect.Value, outer source.Span) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem(), outer)
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i), outer)
			}
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[ast.At]() || v.Type() == reflect.TypeFor[source.Span]() {
				return
			}
			if n, ok := v.Interface().(ast.Node); ok {
				sp := n.Span()
				if sp.IsZero() || sp.Start == sp.End {
					return // left out
				}
				require.LessOrEqual(t, sp.Start, sp.End, "%T", n)
				require.True(t, sp.Start >= outer.Start && sp.End <= outer.End, "%T at %v lies outside of %v in %q", n, sp, outer, text)
				outer = sp
			}
			for i := range v.NumField() {
				walk(v.Field(i), outer)
			}
		}
	}
	walk(reflect.ValueOf(root), root.Span())
}

// checkParse verifies what holds for the parse of any text.
func checkParse(t require.TestingT, text string) {
	file := source.NewFile("fuzz.wf", text)
	tree, diags := Parse(file, 0)
	require.NotNil(t, tree)
	nested(t, text, tree)
	lines := map[int]bool{}
	last := uint32(0)
	for _, d := range diags {
		require.NotEmpty(t, d.Code)
		require.NotEmpty(t, d.Message)
		require.LessOrEqual(t, int(d.Span.End), len(text))
		require.GreaterOrEqual(t, d.Span.Start, last, "diagnostics are in order")
		last = d.Span.Start
		line := file.LineOf(d.Span.Start)
		if lines[line] {
			require.Fail(t, "two messages for one line", "line %d\n%s", line, show(file, diags))
		}
		lines[line] = true
	}
	printed := printer{file}.items(tree.Items)
	if len(diags) == 0 {
		require.NotContains(t, printed, "BAD", "what is Bad is reported")
	}
}

// FuzzParse checks on any text that the parser ends without panic, that places
// nest, and that no line has two messages.
func FuzzParse(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add(c.source)
	}
	for _, c := range errorCases {
		f.Add(c.source)
	}
	for _, text := range samples(f) {
		f.Add(text)
		f.Add(text[:len(text)/2])
		f.Add(text[len(text)/3:])
	}
	for _, text := range deepTexts(2000) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1<<16 {
			checkParse(t, text)
		}
	})
}

// TestTokensShuffled parses pieces of scripts in orders nobody would write.
func TestTokensShuffled(t *testing.T) {
	for _, text := range samples(t) {
		words := strings.Fields(text)
		for step := 1; step < 40; step += 3 {
			var out strings.Builder
			for i := range words {
				out.WriteString(words[(i*step+step)%len(words)])
				out.WriteByte(" \n"[i%7/6])
			}
			checkParse(t, out.String())
		}
	}
}

// TestPrefixes parses scripts as they are being typed.
func TestPrefixes(t *testing.T) {
	for _, text := range samples(t) {
		for end := 0; end < len(text); end += 11 {
			checkParse(t, text[:end])
			checkParse(t, text[end:])
		}
	}
}
