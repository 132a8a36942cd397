package parser

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/scan"
)

// A score counts scripts with one token deleted that are refused.
type score struct{ refused, near, single int }

// classOf puts a token into a class for the measurement.
func classOf(t *token.Token) string {
	switch {
	case t.Kind == token.Word:
		return "words"
	case t.Kind >= token.LParen && t.Kind <= token.RBrace:
		return t.Kind.String()
	case t.Kind.IsSymbol():
		return "symbols"
	}
	return "literals"
}

// TestOneTokenDeleted measures how well one mistake is told: each token of the
// sample scripts is deleted in turn. It logs in how many of the scripts that
// are refused then the first message stands within a line of the deletion, and
// in how many it is the only one. Floors keep the figures from falling.
func TestOneTokenDeleted(t *testing.T) {
	scores := map[string]*score{}
	var bad strings.Builder
	for name, text := range samples(t) {
		if strings.Contains(name, "json") {
			continue
		}
		toks := scan.Scan(source.NewFile(name, text), 0).Tokens
		for i := range toks {
			tok := &toks[i]
			if tok.Kind == token.EOF || tok.Kind == token.NL || tok.Kind == token.Text {
				continue
			}
			from, to := tok.Span.Start, tok.Span.End
			file := source.NewFile(name, text[:from]+text[to:])
			_, diags := Parse(file, 0)
			if len(diags) == 0 {
				continue
			}
			s := scores[classOf(tok)]
			if s == nil {
				s = &score{}
				scores[classOf(tok)] = s
			}
			s.refused++
			line, said := file.LineOf(from), file.LineOf(diags[0].Span.Start)
			if said >= line-1 && said <= line+1 {
				s.near++
			}
			if len(diags) == 1 {
				s.single++
			}
			if said < line-1 || said > line+1 || len(diags) > 1 {
				fmt.Fprintf(&bad, "%s:%d without %q (%s)\n%s", name, line, tok.Text, classOf(tok), show(file, diags))
			}
		}
	}
	if out := os.Getenv("WF_DELETION_LOG"); out != "" {
		_ = os.WriteFile(out, []byte(bad.String()), 0o644)
	}
	var classes []string
	for c := range scores {
		classes = append(classes, c)
	}
	sort.Strings(classes)
	for _, c := range classes {
		s := scores[c]
		t.Logf("%-8s %5d refused, first message within a line %5.1f %%, single message %5.1f %%",
			c, s.refused, 100*float64(s.near)/float64(s.refused), 100*float64(s.single)/float64(s.refused))
		require.GreaterOrEqual(t, 100*s.near, 95*s.refused, "first message of a deleted %s", c)
		require.GreaterOrEqual(t, 100*s.single, 90*s.refused, "single message of a deleted %s", c)
	}
}
