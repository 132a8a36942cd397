package repl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/wf-lang/wf/parser"
)

// longestText is how many bytes a text may have.
const longestText = 1 << 20

// errLongLine is a line, or a text of several, over the limit.
var errLongLine = errors.New("a text has at most 1 MB; put it into a file and :load that")

// Piped carries out the texts that come from r, one after the other, until there
// are no more, or one leaves, or ctx is done. prompt is written to w before each
// line; "" for none. It gives how the worst of the texts ended: Failed if any
// has.
func (s *Session) Piped(ctx context.Context, r io.Reader, w io.Writer, prompt string) (Outcome, error) {
	lines := bufio.NewReader(r)
	worst := Done
	text := ""
	for {
		if prompt != "" {
			p := prompt
			if text != "" {
				p = continuation(prompt)
			}
			if _, err := io.WriteString(w, p); err != nil {
				return worst, err
			}
		}
		line, err := readLine(lines, longestText-len(text))
		if errors.Is(err, errLongLine) {
			s.problem("%v", err)
			worst, text = Failed, ""
			continue
		}
		over := errors.Is(err, io.EOF)
		if err != nil && !over {
			return worst, err
		}
		text += line
		if !over && isOpen(text) {
			continue
		}
		switch out := s.Do(ctx, text); out {
		case Left:
			return worst, nil
		case Failed, Cancelled:
			worst = Failed
		}
		text = ""
		if over || ctx.Err() != nil {
			return worst, nil
		}
	}
}

// isOpen reports whether a text goes on in the next line.
func isOpen(text string) bool {
	return !strings.HasPrefix(strings.TrimSpace(text), ":") && parser.Incomplete(text)
}

// continuation is the prompt of a further line, as wide as the first.
func continuation(prompt string) string {
	return strings.Repeat(".", max(len(prompt)-1, 0)) + " "
}

// readLine reads a line with its end. One of more than most bytes is read, thrown
// away and refused.
func readLine(r *bufio.Reader, most int) (string, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > most; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long:
			return "", errLongLine
		default:
			return string(line), err
		}
	}
}
