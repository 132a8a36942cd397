package repl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
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
	var text gathering
	for {
		if prompt != "" {
			p := prompt
			if text.text != "" {
				p = continuation(prompt)
			}
			if _, err := io.WriteString(w, p); err != nil {
				return worst, err
			}
		}
		line, err := readLine(lines, longestText-len(text.text))
		if errors.Is(err, errLongLine) {
			s.problem("%v", err)
			worst, text = Failed, gathering{}
			continue
		}
		over := errors.Is(err, io.EOF)
		if err != nil && !over {
			return worst, err
		}
		if text.add(line) && !over {
			continue
		}
		switch out := s.Do(ctx, text.text); out {
		case Left:
			return worst, nil
		case Failed, Cancelled:
			worst = Failed
		}
		text = gathering{}
		if over || ctx.Err() != nil {
			return worst, nil
		}
	}
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
