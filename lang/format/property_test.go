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
// same, comments and tokens are kept in order, and the result is stable. Of the
// correct ones nothing is copied.
func TestEverySource(t *testing.T) {
	for name, text := range sources(t) {
		t.Run(name, func(t *testing.T) {
			file, tree, ok := read(text)
			if ok {
				checkCorrect(t, text)
				return
			}
			checkAny(t, text)
			out := File(file, tree)
			file2, tree2, _ := read(out)
			require.NoError(t, sameTree(tree, tree2), "%s\n-----\n%s", text, out)
			require.Equal(t, out, File(file2, tree2))
		})
	}
}

// variations calls f many times with a source, two offsets of it between which a
// token stands, and a text to put there, all three taken by chance, always the
// same. WF_FORMAT_VARIETY multiplies how many times.
func variations(t *testing.T, each int, put []string, f func(text string, from, to int, put string)) {
	if times, err := strconv.Atoi(os.Getenv("WF_FORMAT_VARIETY")); err == nil {
		each *= times
	}
	all := sources(t)
	chance := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := all[name]
		_, tree, _ := read(text)
		pieces := lex(text, tree.Comments)
		for range min(each, 2*len(pieces)) {
			p := pieces[chance.IntN(len(pieces))]
			f(text, p.start, p.end, put[chance.IntN(len(put))])
		}
	}
}

// TestCommentsAnywhere puts comments and line breaks between any two tokens.
func TestCommentsAnywhere(t *testing.T) {
	put := []string{
		" /* c */ ", " // c\n", "\n// c\n", "\n", "\n\n\n", "\n/* c\n  d */\n", " /* c\nd */ ", "/* c */\n", "\n/* c */ ",
		" /* c */ // d\n", "/// doc\n", "\r\n", ";",
	}
	tried := 0
	variations(t, 2, put, func(text string, from, _ int, put string) {
		changed := text[:from] + put + text[from:]
		if _, _, ok := read(changed); ok {
			tried++
			checkCorrect(t, changed)
		}
	})
	require.Greater(t, tried, 500)
}

// TestBrokenTexts puts something in the place of a token of each text, often
// nothing. Formatting keeps all the others, and all comments, in their order.
func TestBrokenTexts(t *testing.T) {
	put := []string{
		"", "", "", "", "", "}", "{", ")", "(", "\"", "\"\"\"", "/*", "1", "x", "=", "step", "else", "|", ",", ";", "#", "'", "`", "“", "\u200e", "\x00",
	}
	variations(t, 2, put, func(text string, from, to int, put string) {
		checkAny(t, text[:from]+put+" "+text[to:])
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
