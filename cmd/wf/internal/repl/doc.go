package repl

import (
	"context"
	"fmt"
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
		s.problem("%v", err)
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
	for _, t := range s.decls.texts {
		for _, it := range t.items {
			if _, declared, _ := strings.Cut(nameOf(it), " "); declared == name && name != "" {
				return docComment(it) + s.set.Text(it.Span()), true
			}
		}
	}
	return "", false
}

// docComment is the comment of a declaration as it is written.
func docComment(it ast.Item) string {
	text := ""
	switch it := it.(type) {
	case *ast.Workflow:
		text = it.Doc
	case *ast.TypeDecl:
		text = it.Doc
	case *ast.EventDecl:
		text = it.Doc
	case *ast.FnDecl:
		text = it.Doc
	}
	if text == "" {
		return ""
	}
	return "/// " + strings.ReplaceAll(text, "\n", "\n/// ") + "\n"
}
