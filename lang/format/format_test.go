package format

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden formats testdata/*.wf and compares with the .golden files;
// go test ./lang/format -update writes them.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.wf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			file, tree, _ := read(string(text))
			out := File(file, tree)
			golden := strings.TrimSuffix(f, ".wf") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(out), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), out)
			checkAny(t, string(text))
		})
	}
}

// TestWidth checks that a line is filled up to Width, and no further.
func TestWidth(t *testing.T) {
	for n := 1; n <= 60; n++ {
		text := "let x = function(" + strings.Repeat("a", 40) + ", " + strings.Repeat("é", n) + ")\n"
		out := checkCorrect(t, text)
		if utf8.RuneCountInString(text)-1 <= Width {
			require.Equal(t, text, out)
			continue
		}
		require.Equal(t, 4, strings.Count(out, "\n"), out)
	}
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"", "\n", " \r\n\t\n", "\n\n"} {
		require.Empty(t, checkCorrect(t, text))
	}
	require.Equal(t, "// only\n", checkCorrect(t, "\n\n// only"))
}
