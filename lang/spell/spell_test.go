package spell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/lang/spell"
)

func TestDistanceCountsEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"step", "step", 0}, {"stpe", "step", 1}, {"emitt", "emit", 1}, {"worklow", "workflow", 1},
		{"retires", "retry", 3}, {"abc", "", 3}, {"ca", "abc", 3}, {"größe", "grösse", 2},
	} {
		require.Equal(t, c.want, spell.Distance(c.a, c.b, 9), "%s %s", c.a, c.b)
	}
	require.Equal(t, 2, spell.Distance("abcdef", "uvwxyz", 1), "beyond the bound it is the bound and one")
	require.Equal(t, 3, spell.Distance(strings.Repeat("a", 100), strings.Repeat("a", 100)+"b", 2), "long words are not compared")
}

func TestNearest(t *testing.T) {
	words := []string{"state", "step", "timeout", "command"}
	require.Equal(t, "step", spell.Nearest("stpe", words))
	require.Equal(t, "command", spell.Nearest("comand", words))
	require.Equal(t, "", spell.Nearest("step", []string{"step"}), "a word is not its own correction")
	require.Equal(t, "", spell.Nearest("x", words))
	require.Equal(t, "", spell.Nearest("banana", words))
	require.Equal(t, "ab", spell.Nearest("a", []string{"ab", "ac"}), "of equals the first")
	require.Equal(t, "timeout", spell.Within("tmeot", words, 2))
}

// TestDistanceIsOne edits a word once: the distance is at most one, either way.
func TestDistanceIsOne(t *testing.T) {
	word := rapid.StringMatching(`[a-zé]{1,12}`)
	rapid.Check(t, func(t *rapid.T) {
		a := []rune(word.Draw(t, "word"))
		i := rapid.IntRange(0, len(a)-1).Draw(t, "at")
		b := append([]rune{}, a...)
		switch rapid.IntRange(0, 3).Draw(t, "edit") {
		case 0:
			b = append(b[:i], b[i+1:]...)
		case 1:
			b[i] = 'x'
		case 2:
			b = append(b, 'y')
		case 3:
			if i > 0 {
				b[i], b[i-1] = b[i-1], b[i]
			}
		}
		d := spell.Distance(string(a), string(b), 5)
		if d > 1 || d != spell.Distance(string(b), string(a), 5) {
			t.Fatalf("distance of %q and %q is %d", string(a), string(b), d)
		}
	})
}
