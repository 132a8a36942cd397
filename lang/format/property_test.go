package format

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEverySource formats all scripts of the repository: the trees stay the
// same, comments and tokens are kept in order, the result is stable and nothing
// had to be copied.
func TestEverySource(t *testing.T) {
	for name, text := range sources(t) {
		if _, _, ok := read(text); ok {
			t.Run(name, func(t *testing.T) { checkCorrect(t, text) })
		}
	}
}

// variations calls f with each source and then with many changes of it, each at
// a place between two tokens that chance takes.
func variations(t *testing.T, each int, f func(t *testing.T, text string, from, to int)) {
	all := sources(t)
	chance := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := all[name]
		_, tree, _ := read(text)
		pieces := lex(text, tree.Comments)
		for range min(each, len(pieces)) {
			p := pieces[chance.IntN(len(pieces))]
			f(t, text, p.start, p.end)
		}
	}
}

// variety is how many variations of each source are tried; WF_FORMAT_VARIETY
// multiplies it.
func variety(n int) int {
	if times, err := strconv.Atoi(os.Getenv("WF_FORMAT_VARIETY")); err == nil {
		return n * times
	}
	return n
}

// TestCommentsAnywhere puts comments and line breaks between any two tokens.
func TestCommentsAnywhere(t *testing.T) {
	put := []string{" /* c */ ", " // c\n", "\n// c\n", "\n", "\n\n\n", "\n/* c\n  d */\n", " /* c\nd */ ", "/* c */\n", "\n/* c */ ", " /* c */ // d\n", "/// doc\n", "\r\n"}
	tried := 0
	variations(t, variety(4), func(t *testing.T, text string, from, _ int) {
		for _, c := range put {
			changed := text[:from] + c + text[from:]
			if _, _, ok := read(changed); ok {
				tried++
				checkCorrect(t, changed)
			}
		}
	})
	require.Greater(t, tried, 10000)
}

// TestBrokenTexts takes a token away from each text, or puts one in. Formatting
// keeps all the others, and all comments, in their order.
func TestBrokenTexts(t *testing.T) {
	put := []string{"", "}", "{", ")", "(", "\"", "\"\"\"", "/*", "1", "x", "=", "step", "else", "|", ",", ";", "#", "\u200e"}
	variations(t, variety(2), func(t *testing.T, text string, from, to int) {
		for _, p := range put {
			checkAny(t, text[:from]+p+" "+text[to:])
			checkAny(t, text[:from]+p+" "+text[from:])
		}
	})
}

// checkAny formats any text and demands that nothing is lost.
func checkAny(t *testing.T, text string) {
	t.Helper()
	file, tree, ok := read(text)
	if ok {
		checkCorrect(t, text)
		return
	}
	out := File(file, tree)
	checkLines(t, out)
	_, tree2, _ := read(out)
	require.Equal(t, commentsOf(tree), commentsOf(tree2), "%s\n-----\n%s", text, out)
	require.Equal(t, tokensOf(text, tree), tokensOf(out, tree2), "%s\n-----\n%s", text, out)
}

func FuzzFile(f *testing.F) {
	for _, text := range sources(f) {
		f.Add(text)
	}
	f.Fuzz(checkAny)
}
