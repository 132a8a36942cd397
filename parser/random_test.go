package parser

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/wf-lang/wf/lang/token"
)

// vocabulary is what scripts consist of.
func vocabulary() []string {
	words := append(token.ReservedWords(), token.Members()...)
	words = append(words, token.Declarations()...)
	words = append(words, "retry", "backoff", "jitter", "when", "settle", "first", "max", "as", "reply", "until", "after",
		"once", "none", "signal", "at", "pause", "end", "delete", "reject", "conflict", "mock", "expect", "expect_error",
		"advance", "crash", "and", "or", "elif", "def", "const", "stpe", "worklow", "emitt", "a", "b", "W", "X",
		"1", "2.5", "1e3", "10s", "5sec", `"s"`, `"a${x}b"`, `"${`, `"""`, `"`, "'q'", "// c\n", "/// d\n", "/* e */", "@",
		"step a {", "workflow W {", "if a {", "match x {", "select {", "parallel {", "test \"t\" {", "x => y", "f(", "{ a: 1,", "\n", "\n", "\n  ")
	for _, k := range token.All() {
		if k.IsSymbol() {
			words = append(words, k.String())
		}
	}
	return words
}

// TestRandomTokens parses the words of the language in any order, which finds
// what mutated scripts do not.
func TestRandomTokens(t *testing.T) {
	word := rapid.SampledFrom(vocabulary())
	rapid.Check(t, func(r *rapid.T) {
		words := rapid.SliceOfN(word, 1, 40).Draw(r, "words")
		text := strings.Join(words, " ")
		switch rapid.IntRange(0, 3).Draw(r, "inside") {
		case 1:
			text = "workflow W {\n" + text + "\n}\n"
		case 2:
			text = "workflow W {\n step a {\n" + text + "\n }\n}\n"
		case 3:
			text = "test \"t\" {\n" + text + "\n}\n"
		}
		checkParse(r, text)
	})
}
