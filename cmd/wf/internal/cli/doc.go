package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/stdlib"
)

func newDoc(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "doc [NAME]",
		Short:   "Say what a function or effect of the library does",
		Long:    "Shows a module of the standard library, or one function or effect: how it is called, what it does,\nand examples. Without a name it lists the modules.",
		Example: "  wf doc\n  wf doc List\n  wf doc List.map",
		Args:    between(0, 1, "one NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			d := library{table: stdlib.Table(), tint: a.out}
			name := ""
			if len(args) > 0 {
				name = strings.TrimSuffix(strings.TrimPrefix(args[0], "perform "), "()")
			}
			return a.render(func(w *bufio.Writer) error {
				if a.json {
					return d.asJSON(w, name)
				}
				return d.show(w, name)
			})
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return library{table: stdlib.Table()}.names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	a.jsonFlag(cmd, "JSON lines, one function or effect each")
	return cmd
}

// library is the table of built-ins as people read it.
type library struct {
	table []*program.Builtin
	tint  ui.Terminal
}

// names are those of all modules, functions and effects.
func (d library) names() []string {
	var out []string
	for _, m := range stdlib.Modules() {
		if m.Name != "" {
			out = append(out, m.Name)
		}
	}
	for _, b := range d.table {
		out = append(out, b.FullName())
	}
	return out
}

// find gives what a name means: the built-ins of a module (and its doc), or one
// of them alone. A module and a conversion can have one name.
func (d library) find(name string) (module *stdlib.Module, found []*program.Builtin, err error) {
	for _, b := range d.table {
		if b.FullName() == name {
			found = append(found, b)
		}
	}
	for _, m := range stdlib.Modules() {
		if m.Name == name && name != "" {
			return &m, append(found, stdlib.Of(name, d.table)...), nil
		}
	}
	if len(found) > 0 {
		return nil, found, nil
	}
	return nil, nil, d.unknown(name)
}

// unknown refuses a name that nothing has: with the modules that have a
// function of that name, or with the nearest name.
func (d library) unknown(name string) error {
	var have []string
	for _, b := range d.table {
		if b.Name == name {
			have = append(have, b.FullName())
		}
	}
	if len(have) > 0 {
		return usage("%s belongs to a module: %s", name, strings.Join(have, ", "))
	}
	if near := spell.Nearest(name, d.names()); near != "" {
		return usage("the library has no %s; did you mean %s?", name, near)
	}
	if module, op, dotted := strings.Cut(name, "."); dotted {
		if of := stdlib.Of(module, d.table); len(of) > 0 {
			var ops []string
			for _, b := range of {
				ops = append(ops, b.Name)
			}
			if near := spell.Nearest(op, ops); near != "" {
				return usage("%s has no %s; did you mean %s.%s?", module, op, module, near)
			}
			return usage("%s has no %s; `wf doc %s` lists what it has", module, op, module)
		}
	}
	return usage("the library has no %s; `wf doc` lists the modules", name)
}

func (d library) show(w io.Writer, name string) error {
	if name == "" {
		d.modules(w)
		return nil
	}
	module, found, err := d.find(name)
	if err != nil {
		return err
	}
	if module == nil {
		d.one(w, found[0])
		return nil
	}
	fmt.Fprintf(w, "%s\n\n%s\n\n", d.tint.Bold(module.Name), wrap(module.Doc, explainWidth))
	for _, b := range found {
		fmt.Fprintf(w, "%s\n%s\n", stdlib.Signature(b), indent(wrap(firstSentence(b.Doc), explainWidth-4)))
	}
	fmt.Fprintf(w, "\nwf doc %s.%s shows one of them, with examples\n", module.Name, stdlib.Of(module.Name, d.table)[0].Name)
	return nil
}

// modules lists the modules with what they have.
func (d library) modules(w io.Writer) {
	for _, m := range stdlib.Modules() {
		name := m.Name
		if name == "" {
			name = "Conversions"
		}
		var ops []string
		for _, b := range stdlib.Of(m.Name, d.table) {
			ops = append(ops, b.Name)
		}
		fmt.Fprintf(w, "%s\n%s\n", d.tint.Bold(name), indent(wrap(strings.Join(ops, " "), explainWidth-4)))
	}
	fmt.Fprint(w, "\nwf doc List shows a module, wf doc List.map one function\n")
}

func (d library) one(w io.Writer, b *program.Builtin) {
	fmt.Fprintf(w, "%s\n\n%s\n\n%s\n\n", d.tint.Bold(stdlib.Signature(b)), wrap(b.Doc, explainWidth), d.tint.Bold("Examples:"))
	for _, e := range stdlib.Examples(b) {
		fmt.Fprintln(w, indent(e))
	}
}

// builtinJSON is a function or effect in --json.
type builtinJSON struct {
	Name      string      `json:"name"`
	Module    string      `json:"module"`
	Kind      string      `json:"kind"` // "function" or "effect"
	Signature string      `json:"signature"`
	Params    []paramJSON `json:"params"`
	Rest      bool        `json:"rest"`
	Result    string      `json:"result"`
	Doc       string      `json:"doc"`
	Examples  []string    `json:"examples"`
}

type paramJSON struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Optional bool   `json:"optional"`
	Named    bool   `json:"named"`
}

// asJSON writes what a name means, or all there is, as JSON lines.
func (d library) asJSON(w io.Writer, name string) error {
	found := d.table
	if name != "" {
		var err error
		if _, found, err = d.find(name); err != nil {
			return err
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, b := range found {
		out := builtinJSON{Name: b.FullName(), Module: b.Module, Kind: "function", Signature: stdlib.Signature(b), Params: []paramJSON{},
			Rest: b.Rest, Result: stdlib.TypeText(b.Result), Doc: b.Doc, Examples: stdlib.Examples(b)}
		if b.Effect != 0 {
			out.Kind = "effect"
		}
		for _, p := range b.Params {
			out.Params = append(out.Params, paramJSON{p.Name, stdlib.TypeText(p.Type), p.Optional, p.Named})
		}
		if err := enc.Encode(out); err != nil {
			return err
		}
	}
	return nil
}

func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}
