package main

import (
	"encoding/json"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSeededBugs builds wf and some tests with all of the bugs in them, of which
// the environment chooses one, and looks whether it is found: by `wf test --crash`
// over the project's scripts, or by a test.
func TestSeededBugs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary anew")
	}
	b := seed(t)
	for _, bug := range seededBugs {
		t.Run(bug.name, func(t *testing.T) {
			if bug.tests != "" {
				folder, test, _ := strings.Cut(bug.tests, " ")
				out, code := b.run(t, bug.name, folder, b.test(t, folder), "-test.run", "^"+test+"$")
				require.Equal(t, 1, code, "%s", out)
				require.Contains(t, out, bug.says)
				return
			}
			out, code := b.run(t, bug.name, ".", b.wf(t), "test", "--crash", "testdata/golden")
			require.Equal(t, 1, code, "%s", out)
			_, failure, found := strings.Cut(out, "FAIL  testdata/golden/"+bug.script+".wf")
			require.True(t, found, "%s.wf does not fail:\n%s", bug.script, out)
			failure, _, _ = strings.Cut(failure, "\nFAIL")
			if bug.crash {
				require.Contains(t, failure, "a crash ")
				out, code = b.run(t, bug.name, ".", b.wf(t), "test", "testdata/golden")
				require.Zero(t, code, "without a crash nobody sees it:\n%s", out)
			}
		})
	}
}

// A broken is the project with all of the seeded bugs. The files of the project
// stay as they are: the compiler is told to read others in their place.
type broken struct {
	root, dir string
	overlay   string
	built     map[string]string // binaries, by what they are of
}

// chooser is added to each package that has bugs.
const chooser = `package %s

import "os"

var seededBug = os.Getenv("WF_SEEDED_BUG")
`

func seed(t *testing.T) *broken {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	b := &broken{root: root, dir: t.TempDir(), built: map[string]string{}}
	texts := map[string]string{} // by path
	for _, bug := range seededBugs {
		for _, c := range bug.changes {
			path := filepath.Join(root, filepath.FromSlash(c.file))
			if texts[path] == "" {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				texts[path] = string(text)
			}
			require.Equal(t, 1, strings.Count(texts[path], c.old), "%s has changed: seed %q anew, %q is not in it once", c.file, bug.name, c.old)
			texts[path] = strings.Replace(texts[path], c.old, strings.ReplaceAll(c.new, "BUG", fmt.Sprintf("(seededBug == %q)", bug.name)), 1)
			name, err := build.ImportDir(filepath.Dir(path), 0)
			require.NoError(t, err)
			texts[filepath.Join(filepath.Dir(path), "seeded.go")] = fmt.Sprintf(chooser, name.Name)
		}
	}
	replace := map[string]string{}
	for path, text := range texts {
		replace[path] = filepath.Join(b.dir, fmt.Sprint(len(replace), ".go"))
		require.NoError(t, os.WriteFile(replace[path], []byte(text), 0o644))
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	require.NoError(t, err)
	b.overlay = filepath.Join(b.dir, "overlay.json")
	require.NoError(t, os.WriteFile(b.overlay, list, 0o644))
	return b
}

// wf gives the binary.
func (b *broken) wf(t *testing.T) string {
	t.Helper()
	return b.compile(t, "cmd/wf", "build")
}

// test gives the tests of a folder as a binary.
func (b *broken) test(t *testing.T, folder string) string {
	t.Helper()
	return b.compile(t, folder, "test", "-c")
}

func (b *broken) compile(t *testing.T, folder string, command ...string) string {
	t.Helper()
	if b.built[folder] == "" {
		binary := filepath.Join(b.dir, fmt.Sprint("built", len(b.built), ".exe"))
		cmd := exec.Command("go", append(command, "-overlay", b.overlay, "-o", binary, ".")...)
		cmd.Dir = filepath.Join(b.root, filepath.FromSlash(folder))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		b.built[folder] = binary
	}
	return b.built[folder]
}

// run runs a binary with a bug in a folder.
func (b *broken) run(t *testing.T, bug, folder, binary string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = filepath.Join(b.root, filepath.FromSlash(folder))
	cmd.Env = append(os.Environ(), "WF_SEEDED_BUG="+bug)
	said, err := cmd.CombinedOutput()
	if _, left := err.(*exec.ExitError); !left {
		require.NoError(t, err)
	}
	return string(said), cmd.ProcessState.ExitCode()
}
