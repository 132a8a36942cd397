package golden

import (
	"fmt"
	"strings"
	"time"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// stopAfter is how long after the end of main the clock still moves.
type stopAfter time.Duration

const defaultStop = stopAfter(366 * 24 * time.Hour)

// readDirective reads `// golden: stop after 30d` from the first line of a
// script. Any other line that begins with `// golden:` is an error, so that a
// misspelt one is not taken for a remark.
func readDirective(f *source.File) (stopAfter, error) {
	rest, is := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(f.Line(1), "\uFEFF")), "//")
	if !is {
		return defaultStop, nil
	}
	rest, is = strings.CutPrefix(strings.TrimSpace(rest), "golden:")
	if !is {
		return defaultStop, nil
	}
	words := strings.Fields(rest)
	if len(words) != 3 || words[0] != "stop" || words[1] != "after" {
		return 0, fmt.Errorf("%s:1: `%s` is not understood; write `// golden: stop after 30d`", f.Name, strings.TrimSpace(f.Line(1)))
	}
	d, err := value.ParseDuration(words[2])
	if err != nil {
		return 0, fmt.Errorf("%s:1: golden: stop after: %w", f.Name, err)
	}
	return stopAfter(d), nil
}
