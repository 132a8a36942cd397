package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/diag"
)

// The corpus: broken sources in ../../testdata/lang, each with the diagnostics
// that it must draw. A comment at the end of a line says what is drawn there,
//
//	step a { emitt Done() } // error: WF1103 did you mean `emit`
//
// a code and a part of what is said, help included. A line that cannot carry a
// comment is named in one of its own: `// line 7: error: WF1010 not closed`.
// Several on one line follow each other. What is not announced must not be said.
var announced = regexp.MustCompile(`// (?:line (\d+): )?(error|warning): (WF\d{4})([^\r\n]*?)\s*(?:// |$)`)

// A remark is a diagnostic as the corpus sees it.
type remark struct {
	line     int
	severity string
	code     string
	text     string // what must be said, or what was said
}

func (r remark) String() string {
	return fmt.Sprintf("line %d: %s: %s %s", r.line, r.severity, r.code, r.text)
}

// announcedIn reads the expectations of a source.
func announcedIn(t *testing.T, text string) []remark {
	t.Helper()
	var out []remark
	for i, line := range strings.Split(text, "\n") {
		for rest := strings.TrimSuffix(line, "\r"); ; {
			at := announced.FindStringSubmatchIndex(rest)
			if at == nil {
				break
			}
			m := announced.FindStringSubmatch(rest)
			r := remark{line: i + 1, severity: m[2], code: m[3], text: strings.TrimSpace(m[4])}
			if m[1] != "" {
				n, err := strconv.Atoi(m[1])
				require.NoError(t, err)
				r.line = n
			}
			out = append(out, r)
			rest = rest[at[9]:]
		}
	}
	return out
}

// checkAll runs `wf check --json` over files and gives what it says by file.
func checkAll(t *testing.T, files []string) map[string][]remark {
	t.Helper()
	cmd := exec.Command("wf", append([]string{"check", "--json"}, files...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	require.True(t, err == nil || errors.As(err, &exit), "%v", err)
	require.Empty(t, stderr.String())
	said := map[string][]remark{}
	for d := json.NewDecoder(&stdout); d.More(); {
		var one struct {
			Code, Severity, Message, Help string
			File                          string
			Line                          int
			Labels                        []struct{ Text string }
		}
		require.NoError(t, d.Decode(&one))
		if one.Code == "" {
			continue // what a source needs from outside
		}
		text := one.Message
		for _, l := range one.Labels {
			text += " | " + l.Text
		}
		if one.Help != "" {
			text += " | " + one.Help
		}
		said[one.File] = append(said[one.File], remark{one.Line, one.Severity, one.Code, text})
	}
	return said
}

// imported reports whether a source is only there to be imported by another.
func imported(file string) bool { return strings.HasPrefix(filepath.Base(file), "lib_") }

// corpus lists the sources.
func corpus(t *testing.T) []string {
	t.Helper()
	var files []string
	require.NoError(t, filepath.WalkDir(filepath.Join("..", "..", "testdata", "lang"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".wf" {
			files = append(files, path)
		}
		return err
	}))
	return files
}

func TestCorpus(t *testing.T) {
	files := corpus(t)
	require.GreaterOrEqual(t, len(files), 150)
	said := checkAll(t, slices.DeleteFunc(slices.Clone(files), imported))
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		want := announcedIn(t, string(text))
		if len(want) == 0 && !imported(file) {
			t.Errorf("%s announces nothing", file)
		}
		got := said[file]
		for _, w := range want {
			i := slices.IndexFunc(got, func(g remark) bool {
				return g.line == w.line && g.severity == w.severity && g.code == w.code && strings.Contains(g.text, w.text)
			})
			if i < 0 {
				t.Errorf("%s does not draw\n  %v", file, w)
				continue
			}
			got = slices.Delete(slices.Clone(got), i, i+1)
		}
		for _, g := range got {
			t.Errorf("%s draws what it should not\n  %v", file, g)
		}
	}
}

// TestCorpusHasEveryCode looks for a source for each diagnostic there is.
func TestCorpusHasEveryCode(t *testing.T) {
	have := map[string]bool{}
	for _, file := range corpus(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, r := range announcedIn(t, string(text)) {
			have[r.code] = true
		}
	}
	for _, e := range diag.All() {
		switch e.Code {
		case "WF1003", // the file is refused before it is read as a source
			"WF1014", // such a source would be a megabyte long
			"WF1905": // and such a program a thousand files
			continue
		}
		if !have[string(e.Code)] {
			t.Errorf("%s (%s) has no source", e.Code, e.Title)
		}
	}
}
