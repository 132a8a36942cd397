package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A seeded bug is a change of one source file that breaks the run time. wf is
// built with it, and the project's own scripts have to notice.
type seededBug struct {
	name    string
	file    string
	changes []string // what stands there, and what stands there instead, in turn
	caught  string   // a script that fails
	crash   bool     // only a crash shows it
}

var seededBugs = []seededBug{
	{
		name: "an event is written in a second transaction", file: "interp/engine/commit.go", crash: true, caught: "trip-saga",
		changes: []string{
			"\treturn c.e.store.Commit(context.Background(), data)\n",
			`	var late []persist.Batch
	for i := range data {
		for j := range data[i].Changes {
			if ch := &data[i].Changes[j]; len(ch.Events) > 0 && !ch.Delete {
				late = append(late, persist.Batch{Changes: []persist.Change{{Number: ch.Number, Events: ch.Events}}})
				ch.Events = nil
			}
		}
	}
	if err := c.e.store.Commit(context.Background(), data); err != nil || len(late) == 0 {
		return err
	}
	return c.e.store.Commit(context.Background(), late)
`,
		},
	},
	{
		name: "compensations run in the order of the steps", file: "interp/flow/next.go", caught: "trip-saga",
		changes: []string{
			"(best == nil || key > best.Key)", "(best == nil || key < best.Key)",
			"\t\tif best != nil && u.Key <= best.Key {\n\t\t\tbreak\n\t\t}\n", "",
			"\t\treturn u\n\t}\n\treturn best\n", "\t\tif best == nil || u.Key < best.Key {\n\t\t\tbest = u\n\t\t}\n\t}\n\treturn best\n",
		},
	},
	{
		name: "a signal is consumed when a wait takes it", file: "interp/engine/tx.go", caught: "signal-comes-back",
		changes: []string{
			"\ts.taken = taken\n",
			`	if s.taken = taken; taken {
		p.in.inbox = slices.DeleteFunc(p.in.inbox, func(o *signal) bool { return o == s })
		p.cell(cellInbox, inboxKey(s.number), nil, nil)
		return
	}
`,
		},
	},
	{
		name: "an answer is not in the journal", file: "interp/engine/attempt.go", caught: "signal-comes-back",
		changes: []string{"\ta.pending = append(a.pending, r)\n", ""},
	},
	{
		name: "the payload of a declared signal is kept as it came", file: "interp/engine/send.go", caught: "declared-signals",
		changes: []string{"if payload, err = fitPayload(decl, payload); err != nil {", "if _, err = fitPayload(decl, payload); err != nil {"},
	},
}

// TestSeededBugs builds wf with each of the bugs and looks whether `wf test
// --crash` over the project's scripts finds it.
func TestSeededBugs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary anew for each bug")
	}
	for _, bug := range seededBugs {
		t.Run(bug.name, func(t *testing.T) {
			wf := buildBroken(t, bug)
			out, code := runBroken(t, wf, "test", "--crash", "testdata/golden")
			require.Equal(t, 1, code, "%s", out)
			_, failure, found := strings.Cut(out, "FAIL  testdata/golden/"+bug.caught+".wf")
			require.True(t, found, "%s.wf does not fail:\n%s", bug.caught, out)
			failure, _, _ = strings.Cut(failure, "\nFAIL")
			if bug.crash {
				require.Contains(t, failure, "a crash ")
				out, code = runBroken(t, wf, "test", "testdata/golden")
				require.Zero(t, code, "without a crash nobody sees it:\n%s", out)
			}
		})
	}
}

// buildBroken builds wf with a bug; the files of the project stay as they are.
func buildBroken(t *testing.T, bug seededBug) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	file := filepath.Join(root, filepath.FromSlash(bug.file))
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	text := string(b)
	for i := 0; i < len(bug.changes); i += 2 {
		require.Equal(t, 1, strings.Count(text, bug.changes[i]), "%s has changed: seed the bug anew, %q is not in it once", bug.file, bug.changes[i])
		text = strings.Replace(text, bug.changes[i], bug.changes[i+1], 1)
	}
	dir := t.TempDir()
	broken, overlay, wf := filepath.Join(dir, "broken.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "wf.exe")
	require.NoError(t, os.WriteFile(broken, []byte(text), 0o644))
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: broken}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlay, list, 0o644))
	out, err := exec.Command("go", "build", "-overlay", overlay, "-o", wf, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return wf
}

func runBroken(t *testing.T, wf string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.Command(wf, args...)
	cmd.Dir = filepath.Join("..", "..")
	b, err := cmd.CombinedOutput()
	if _, left := err.(*exec.ExitError); !left {
		require.NoError(t, err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}
