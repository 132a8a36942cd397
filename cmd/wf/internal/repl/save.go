package repl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/format"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
)

// kept is a text that was taken in. Its statements are saved if they ended well
// and did more than show a value.
type kept struct {
	file *source.File
	tree *ast.File
	ran  bool
}

// keep notes a text; stmts are nil if its statements did not end well.
func (s *Session) keep(in *input, stmts *checker.Statements) {
	for i, d := range in.declared {
		k := kept{file: d.file, tree: d.tree}
		if i == 0 {
			k.ran = stmts != nil && (stmts.Func.Effects != 0 || changesNames(d.tree))
		}
		s.lines = append(s.lines, k)
	}
}

// changesNames reports whether a text binds or assigns a name.
func changesNames(tree *ast.File) bool {
	return slices.ContainsFunc(tree.Items, func(it ast.Item) bool {
		st, ok := it.(*ast.Statement)
		if !ok {
			return false
		}
		switch e := st.Expr.(type) {
		case *ast.Let:
			return e.In == nil
		case *ast.Assign:
			return true
		}
		return false
	})
}

// script is the session as one script: the declarations that count, and the
// statements that did something, in the order in which they were given. A name
// that was bound again becomes a variable that is assigned again, unless
// declarations mention it: then it is what it was last.
func (s *Session) script() string {
	counts := map[ast.Item]bool{}
	for _, t := range s.decls.texts {
		for _, it := range t.items {
			counts[it] = true
		}
	}
	bound, last := map[string]int{}, map[string]*ast.Let{}
	for _, k := range s.lines {
		for _, it := range k.tree.Items {
			if name, let := letOf(it); k.ran && name != "" {
				bound[name]++
				last[name] = let
			}
		}
	}
	constant := map[string]*ast.Let{}
	for _, t := range s.decls.active() {
		for _, it := range t.items {
			if name, let := letOf(it); name != "" && last[name] == let {
				constant[name] = let
			}
		}
	}
	seen := map[string]bool{}
	above, below := s.imported()
	var sb strings.Builder
	sb.WriteString(above)
	for _, k := range s.lines {
		at := 0
		for _, it := range k.tree.Items {
			end := int(it.Span().End)
			before := k.file.Text[at:int(it.Span().Start)]
			at = end
			_, isStatement := it.(*ast.Statement)
			if isStatement && !k.ran || !isStatement && !counts[it] {
				continue
			}
			text := k.file.Text[it.Span().Start:end]
			if name, let := letOf(it); name != "" && bound[name] > 1 {
				first := !seen[name]
				seen[name] = true
				switch k := constant[name]; {
				case k == nil:
					text = s.again(name, let, !first)
				case first:
					text = s.constant(name, k)
				default:
					continue
				}
			}
			behind := remark(k.file.Text[end:])
			at += len(behind)
			sb.WriteString(strings.TrimLeft(before, " \t;\r\n") + text + behind + "\n")
		}
	}
	sb.WriteString(below)
	return tidy(sb.String())
}

// imported are the constants of imported files: above
// everything those that are made of nothing else, in that order, and below the
// rest, which statements do not need.
func (s *Session) imported() (above, below string) {
	var left []ast.Item
	for _, t := range s.decls.texts {
		for _, it := range t.items {
			if _, _, constant := checker.ConstantLet(it); constant && t.imported {
				left = append(left, it)
			}
		}
	}
	known := map[string]bool{}
	for n := -1; n != len(left); {
		n = len(left)
		left = slices.DeleteFunc(left, func(it ast.Item) bool {
			name, of, _ := checker.ConstantLet(it)
			if !madeOf(name, of, known) {
				return false
			}
			known[name] = true
			above += s.set.Text(it.Span()) + "\n"
			return true
		})
	}
	for _, it := range left {
		below += s.set.Text(it.Span()) + "\n"
	}
	return above, below
}

// remark is the comment at the end of the line that a text begins in, "" if there
// is none.
func remark(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(strings.TrimLeft(line, " \t"), "//") {
		return line
	}
	return ""
}

// letOf is the name that a statement binds at top level, "" if it binds none, or
// several.
func letOf(it ast.Item) (string, *ast.Let) {
	st, ok := it.(*ast.Statement)
	if !ok {
		return "", nil
	}
	let, ok := st.Expr.(*ast.Let)
	if !ok || let.In != nil {
		return "", nil
	}
	p, ok := let.Pattern.(*ast.BindPattern)
	if !ok {
		return "", nil
	}
	return p.Name, let
}

// again is a `let` of a name that is bound more than once.
func (s *Session) again(name string, let *ast.Let, seen bool) string {
	value := s.set.Text(let.Value.Span())
	if seen {
		return name + " = " + value
	}
	return "var " + name + " = " + value
}

// constant is the `let` of a constant, without the names that it is made of: these
// may be bound further down.
func (s *Session) constant(name string, let *ast.Let) string {
	at := slices.IndexFunc(s.names, func(n checker.Name) bool { return n.Name == name })
	if at < 0 || len(checker.Mentions(let.Value)) == 0 {
		return s.set.Text(let.Span())
	}
	text := "let " + name
	if let.Type != nil {
		text += ": " + s.set.Text(let.Type.Span())
	}
	return text + " = " + s.values[at].String()
}

// tidy is a script in the canonical style.
func tidy(text string) string {
	f := source.NewFile("", text)
	tree, said := parser.Parse(f, 0)
	if said.HasErrors() {
		return text
	}
	return format.File(f, tree)
}

// save writes the session as a script, and says so if that would not run.
func (s *Session) save(path string) Outcome {
	if path == "" {
		s.problem(":save needs the name of a FILE")
		return Failed
	}
	text := s.script()
	if err := s.opts.Write(path, text); err != nil {
		s.problem("%v", err)
		return Failed
	}
	set := &source.Set{}
	set.Add(source.NewFile(path, text))
	_, said := engine.Compile(set, s.opts.Builtins)
	if said.HasErrors() {
		s.problem("%s is written, but it does not pass the checks: wf check %s says why", path, path)
		return Failed
	}
	s.remark("%s", fmt.Sprintf("%s is written; wf run %s runs it", path, path))
	return Done
}
