package repl

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// Declarations are what a session has declared so far: for each text that was
// typed or loaded, those of its items that no later one has replaced.
//
// The texts of a session are numbered once and for all, so that a place in one
// of them, in a diagnostic or in a function without a name, keeps its meaning.
// The program that instances run is another thing: its files hold declarations
// and nothing else, so that it is a new version only when one of them changes,
// and can be compiled from its text when the instance is taken up again. A `let`
// that is a constant is a statement of the session, and a declaration as soon as
// another one mentions it.
type declarations struct {
	texts []declared
	// given are, by workflow, the fields that spawns have given to a workflow
	// without `state` lines: they are not in its own text.
	given []givenFields
	prog  *program.Program // of the declarations as they are; nil: not compiled yet
}

// declared is what is left of one text.
type declared struct {
	file  *source.File
	tree  *ast.File  // as it was read
	items []ast.Item // those that count
	// imported: what is constant is no name of the session, so it always counts
	imported bool
}

type givenFields struct {
	workflow string
	fields   []string
}

// with is the declarations with those of further texts, which replace older ones
// of the same names; replaced names the older ones.
func (d declarations) with(added []declared) (out declarations, replaced []string) {
	added = d.constants(added)
	keys := map[string]bool{}
	for _, a := range added {
		for _, it := range a.items {
			for _, k := range keysOf(it) {
				keys[k] = true
			}
			if fn, ok := it.(*ast.FnDecl); ok {
				keys["let "+fn.Name.Name] = true // which a function hides
			}
		}
	}
	for _, old := range d.texts {
		kept := declared{file: old.file, tree: old.tree, imported: old.imported}
		for _, it := range old.items {
			if slices.ContainsFunc(keysOf(it), func(k string) bool { return keys[k] }) {
				if name := nameOf(it); name != "" {
					replaced = append(replaced, name)
				}
				continue
			}
			kept.items = append(kept.items, it)
		}
		if len(kept.items) > 0 {
			out.texts = append(out.texts, kept)
		}
	}
	for _, a := range added {
		if len(a.items) > 0 {
			out.texts = append(out.texts, a)
		}
	}
	return out, replaced
}

// constants leaves out of further texts what only looks like a constant: a `let`
// that is made of names that are none.
func (d declarations) constants(added []declared) []declared {
	known := map[string]bool{}
	for _, t := range d.texts {
		for _, it := range t.items {
			if name, _, ok := checker.ConstantLet(it); ok {
				known[name] = true
			}
		}
	}
	for more := true; more; {
		more = false // an import stands behind what imports it
		for _, t := range added {
			for _, it := range t.items {
				name, of, ok := checker.ConstantLet(it)
				if ok && !known[name] && madeOf(name, of, known) {
					known[name], more = true, true
				}
			}
		}
	}
	out := slices.Clone(added)
	for i := range out {
		out[i].items = slices.DeleteFunc(slices.Clone(out[i].items), func(it ast.Item) bool {
			_, statement := it.(*ast.Statement)
			name, of, ok := checker.ConstantLet(it)
			return statement && !(ok && madeOf(name, of, known))
		})
	}
	return out
}

// madeOf reports whether the names that a `let` is made of are all known, its own
// not among them.
func madeOf(name string, of []string, known map[string]bool) bool {
	return !slices.ContainsFunc(of, func(n string) bool { return n == name || !known[n] })
}

// active are the texts without the session's own constants that no declaration
// mentions.
func (d declarations) active() []declared {
	mentioned, of := map[string]bool{}, map[string][]string{}
	var mention func(names []string)
	mention = func(names []string) {
		for _, n := range names {
			if !mentioned[n] {
				mentioned[n] = true
				mention(of[n])
			}
		}
	}
	for _, t := range d.texts {
		for _, it := range t.items {
			if name, parts, constant := checker.ConstantLet(it); constant {
				of[name] = parts
			}
		}
	}
	for _, t := range d.texts {
		for _, it := range t.items {
			if name, _, constant := checker.ConstantLet(it); !constant {
				mention(checker.Mentions(it))
			} else if t.imported {
				mention([]string{name})
			}
		}
	}
	var out []declared
	for _, t := range d.texts {
		t.items = slices.DeleteFunc(slices.Clone(t.items), func(it ast.Item) bool {
			name, _, constant := checker.ConstantLet(it)
			return constant && !mentioned[name]
		})
		if len(t.items) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// trees are the declarations as files for the checker.
func (d declarations) trees() []*ast.File {
	var out []*ast.File
	for _, t := range d.active() {
		out = append(out, &ast.File{At: t.tree.At, Items: t.items})
	}
	return out
}

// learn notes, from a checked program, which fields its spawns gave.
func (d *declarations) learn(p *program.Program) {
	var given []givenFields
	for _, w := range p.Actors {
		g := givenFields{workflow: w.Name}
		for _, f := range w.Fields {
			if !f.Declared {
				g.fields = append(g.fields, f.Name)
			}
		}
		if len(g.fields) > 0 {
			given = append(given, g)
		}
	}
	same := slices.EqualFunc(given, d.given, func(a, b givenFields) bool {
		return a.workflow == b.workflow && slices.Equal(a.fields, b.fields)
	})
	if !same {
		d.given, d.prog = given, nil
	}
}

// knownFields are spawns that give the fields that are known of workflows
// without `state` lines. Nobody runs them.
func (d *declarations) knownFields() string {
	var sb strings.Builder
	for _, g := range d.given {
		sb.WriteString("spawn " + g.workflow + " {")
		for i, f := range g.fields {
			if i > 0 {
				sb.WriteByte(',')
			}
			sb.WriteString(" " + f + ": nil")
		}
		sb.WriteString(" }\n")
	}
	return sb.String()
}

// program compiles what instances run.
func (d *declarations) program(builtins []*program.Builtin) (*program.Program, *source.Set, diag.List) {
	set := &source.Set{}
	set.Add(source.NewFile("session", d.knownFields()))
	for _, t := range d.active() {
		set.Add(source.NewFile(t.file.Name, t.blanked()))
	}
	prog, said := engine.Compile(set, builtins)
	return prog, set, said
}

// blanked is the text with blanks in the place of everything that does not count:
// what is left stands where it stood. A `;` parts what stands on one line.
func (t declared) blanked() string {
	text := []byte(t.file.Text)
	at := 0
	blank := func(to int) {
		if at > 0 && to < len(text) && !bytes.ContainsRune(text[at:to], '\n') {
			text[at] = ';'
			at++
		}
		for ; at < to; at++ {
			if text[at] != '\n' {
				text[at] = ' '
			}
		}
	}
	for _, it := range t.items {
		blank(int(it.Span().Start))
		at = int(it.Span().End)
	}
	blank(len(text))
	return strings.TrimRightFunc(string(text), unicode.IsSpace) + "\n"
}

// keysOf are the names that an item declares, each with its space: values (actors
// and variants), types, functions, events, constants.
func keysOf(it ast.Item) []string {
	switch it := it.(type) {
	case *ast.Workflow:
		return []string{"value " + it.Name.Name, "type " + it.Name.Name}
	case *ast.TypeDecl:
		keys := []string{"type " + it.Name.Name}
		for _, v := range it.Variants {
			keys = append(keys, "value "+v.Name.Name)
		}
		return keys
	case *ast.FnDecl:
		return []string{"fn " + it.Name.Name}
	case *ast.EventDecl:
		return []string{"event " + it.Name.Name}
	case *ast.Statement:
		if name, _, ok := checker.ConstantLet(it); ok {
			return []string{"let " + name}
		}
	}
	return nil
}

// nameOf is a declaration for people: "workflow Order".
func nameOf(it ast.Item) string {
	switch it := it.(type) {
	case *ast.Workflow:
		return it.Kind.Keyword() + " " + it.Name.Name
	case *ast.TypeDecl:
		return "type " + it.Name.Name
	case *ast.FnDecl:
		return "fn " + it.Name.Name
	case *ast.EventDecl:
		return "event " + it.Name.Name
	}
	return ""
}

// declares finds the declarations of a text, constants among them, and counts the
// rest. Imports are followed by whoever read the text; tests are for wf test.
func declares(items []ast.Item) (decls []ast.Item, statements, tests int) {
	for _, it := range items {
		switch it.(type) {
		case *ast.Statement:
			statements++
			if _, _, ok := checker.ConstantLet(it); ok {
				decls = append(decls, it)
			}
		case *ast.Test:
			tests++
		case *ast.Import:
		default:
			decls = append(decls, it)
		}
	}
	return decls, statements, tests
}
