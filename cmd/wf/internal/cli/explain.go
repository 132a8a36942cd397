package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/spell"
)

func newExplain(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "explain [CODE]",
		Short:   "Say what the code of a diagnostic means, with an example",
		Long:    "Explains a code such as WF2301: what the mistake is, and a script with it and without it.\nWithout a code it lists all of them.",
		Example: "  wf explain WF2301\n  wf explain",
		Args:    between(0, 1, "one CODE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.render(func(w *bufio.Writer) error {
				if len(args) == 0 {
					listCodes(w)
					return nil
				}
				return explain(w, args[0], a.out)
			})
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var codes []string
			for _, e := range diag.All() {
				codes = append(codes, string(e.Code)+"\t"+e.Title)
			}
			return codes, cobra.ShellCompDirectiveNoFileComp
		},
	}
	return cmd
}

func listCodes(w io.Writer) {
	for _, e := range diag.All() {
		fmt.Fprintf(w, "%s  %s\n", e.Code, e.Title)
	}
}

func explain(w io.Writer, word string, tint ui.Terminal) error {
	code := strings.ToUpper(strings.Trim(word, "[] "))
	if code != "" && strings.Trim(code, "0123456789") == "" {
		code = "WF" + code
	}
	e, ok := diag.Explain(diag.Code(code))
	if !ok {
		return unknownCode(word, code)
	}
	fmt.Fprintf(w, "%s: %s\n\n%s\n", tint.Bold(string(e.Code)), e.Title, wrap(e.Why, explainWidth))
	for _, part := range []struct{ head, text string }{{"Wrong:", e.Wrong}, {"Right:", e.Right}} {
		if strings.TrimSpace(part.text) != "" {
			fmt.Fprintf(w, "\n%s\n\n%s\n", tint.Bold(part.head), indent(diag.Shown(part.text)))
		}
	}
	return nil
}

// unknownCode refuses a code that there is not: with the nearest one, or, for a
// word, with the codes in whose titles it stands.
func unknownCode(word, code string) error {
	var codes, about []string
	for _, e := range diag.All() {
		codes = append(codes, string(e.Code))
		if len(word) > 2 && strings.Contains(strings.ToLower(e.Title), strings.ToLower(word)) {
			about = append(about, fmt.Sprintf("  %s  %s", e.Code, e.Title))
		}
	}
	if len(about) > 0 {
		return usage("there is no code %s; about that are\n%s", word, strings.Join(about, "\n"))
	}
	if near := spell.Nearest(code, codes); near != "" {
		return usage("there is no code %s; did you mean %s? wf explain lists all", word, near)
	}
	return usage("there is no code %s; wf explain lists all", word)
}

// explainWidth is how long the lines of an explanation are, in characters.
const explainWidth = 80

// wrap breaks the paragraphs of a text into lines of at most width characters.
// Lines that are indented, such as lists, stay as they are.
func wrap(text string, width int) string {
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		if strings.HasPrefix(line, " ") {
			out.WriteString(line)
			continue
		}
		column := 0
		for _, word := range strings.Fields(line) {
			n := utf8.RuneCountInString(word)
			switch {
			case column > 0 && column+1+n > width:
				out.WriteByte('\n')
				column = 0
			case column > 0:
				out.WriteByte(' ')
				column++
			}
			out.WriteString(word)
			column += n
		}
	}
	return out.String()
}

func indent(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "    " + l
		}
	}
	return strings.Join(lines, "\n")
}
