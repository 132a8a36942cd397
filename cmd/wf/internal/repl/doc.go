package repl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
)

// doc explains a name of the session, a built-in, or a module of them.
func (s *Session) doc(_ context.Context, name string) Outcome {
	name = strings.TrimSpace(strings.TrimPrefix(name, "perform "))
	if text, ok := s.declaredText(name); ok {
		fmt.Fprintln(s.opts.Out, text)
		return Done
	}
	if err := s.opts.Doc(s.opts.Out, name); err != nil {
		s.problem("nothing of this session is called %s, and %v", name, err)
		return Failed
	}
	return Done
}

// declaredText is the text of a declaration of the session, with its comment, or
// what a name of the session is bound to.
func (s *Session) declaredText(name string) (string, bool) {
	for i, n := range s.names {
		if n.Name == name {
			return name + ": " + typeText(n) + " = " + s.values[i].Short(longest), true
		}
	}
	of, member, _ := strings.Cut(name, ".")
	for _, t := range s.decls.texts {
		for _, it := range t.items {
			if _, declared, _ := strings.Cut(nameOf(it), " "); declared == name && name != "" || hasVariant(it, name) {
				return docComment(it) + s.set.Text(it.Span()), true
			}
			if w, ok := it.(*ast.Workflow); ok && w.Name.Name == of {
				if m := memberOf(w, member); m != nil {
					return docComment(m) + s.set.Text(m.Span()), true
				}
			}
		}
	}
	return "", false
}

// hasVariant reports whether an item declares a variant of this name.
func hasVariant(it ast.Item, name string) bool {
	d, ok := it.(*ast.TypeDecl)
	return ok && slices.ContainsFunc(d.Variants, func(v ast.Variant) bool { return v.Name.Name == name })
}

// memberOf finds what a workflow or entity calls by a name, nil if there is none.
func memberOf(w *ast.Workflow, name string) ast.Item {
	for _, m := range w.Members {
		if of, _, ok := ast.Declared(m); ok && name != "" && of.Name == name {
			return m
		}
	}
	return nil
}

// docComment is the comment of a declaration as it is written.
func docComment(it ast.Item) string {
	_, text, _ := ast.Declared(it)
	if text == "" {
		return ""
	}
	return "/// " + strings.ReplaceAll(text, "\n", "\n/// ") + "\n"
}
