package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

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
				return explain(w, args[0])
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

func explain(w io.Writer, word string) error {
	code := strings.ToUpper(strings.Trim(word, "[]"))
	if code != "" && strings.Trim(code, "0123456789") == "" {
		code = "WF" + code
	}
	e, ok := diag.Explain(diag.Code(code))
	if !ok {
		var codes []string
		for _, e := range diag.All() {
			codes = append(codes, string(e.Code))
		}
		if near := spell.Nearest(code, codes); near != "" {
			return usage("there is no code %s; did you mean %s? wf explain lists all", word, near)
		}
		return usage("there is no code %s; wf explain lists all", word)
	}
	fmt.Fprintf(w, "%s: %s\n\n%s\n", e.Code, e.Title, strings.TrimSpace(e.Why))
	for _, part := range []struct{ head, text string }{{"Wrong:", e.Wrong}, {"Right:", e.Right}} {
		if strings.TrimSpace(part.text) != "" {
			fmt.Fprintf(w, "\n%s\n\n%s\n", part.head, indent(part.text))
		}
	}
	return nil
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
