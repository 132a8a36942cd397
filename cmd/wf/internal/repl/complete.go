package repl

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// completer completes for the line editor.
type completer struct{ t *Terminal }

// Do is called by the editor, while the session waits for a line.
func (c completer) Do(line []rune, pos int) ([][]rune, int) {
	if c.t.session == nil {
		return nil, 0
	}
	begun, words := c.t.session.Complete(context.Background(), string(line[:pos]))
	c.t.offer(words)
	var out [][]rune
	for _, w := range words {
		out = append(out, []rune(w[len(begun):]))
	}
	return out, utf8.RuneCountInString(begun)
}

// mostOffered is how many completions are offered at most.
const mostOffered = 200

var (
	inHandle  = regexp.MustCompile(`(\p{Lu}[\p{L}\d_]*)\("([^"]*)$`)
	inMember  = regexp.MustCompile(`((?:[\p{L}_][\p{L}\d_]*\.)+)([\p{L}\d_]*)$`)
	inWord    = regexp.MustCompile(`[\p{L}_][\p{L}\d_]*$`)
	inNumber  = regexp.MustCompile(`\d$`)
	inCommand = regexp.MustCompile(`^:\S*$`)
)

// Complete gives what may stand where a line ends: the part of it that was begun,
// and whole words that begin with that.
func (s *Session) Complete(ctx context.Context, line string) (begun string, words []string) {
	begun, words = s.candidates(ctx, strings.TrimLeft(line, " \t"))
	words = slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, begun) })
	slices.Sort(words)
	words = slices.Compact(words)
	return begun, words[:min(len(words), mostOffered)]
}

func (s *Session) candidates(ctx context.Context, line string) (begun string, words []string) {
	if inCommand.MatchString(line) {
		for _, c := range commands() {
			words = append(words, ":"+c.name+" ")
		}
		return line, words
	}
	if name, rest, ok := strings.Cut(line, " "); ok && strings.HasPrefix(name, ":") && name != ":type" {
		return s.argument(ctx, name[1:], rest)
	}
	if m := inHandle.FindStringSubmatch(line); m != nil {
		return m[2], s.idsOf(ctx, m[1])
	}
	if m := inMember.FindStringSubmatch(line); m != nil {
		before := strings.Fields(line[:len(line)-len(m[0])])
		verb := ""
		if len(before) > 0 {
			verb = before[len(before)-1]
		}
		return m[2], s.members(strings.TrimSuffix(m[1], "."), strings.TrimLeft(verb, "({["))
	}
	if begun = inWord.FindString(line); begun == "" && inNumber.MatchString(line) {
		return "", nil
	}
	return begun, s.words(strings.Fields(line[:len(line)-len(begun)]))
}

// argument completes what stands behind a `:command`.
func (s *Session) argument(ctx context.Context, name, rest string) (string, []string) {
	switch name {
	case "show", "history", "events", "state":
		return rest, s.instances(ctx, 10*mostOffered)
	case "load", "save":
		found, _ := filepath.Glob(escapeGlob(rest) + "*") // a pattern that is none finds nothing
		return rest, found
	case "doc":
		words := s.words(nil)
		for _, b := range s.opts.Builtins {
			words = append(words, b.FullName())
		}
		return rest, words
	}
	return rest, nil
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// idsOf lists the ids of a workflow's instances, the keys of an entity's, each
// with what follows it.
func (s *Session) idsOf(ctx context.Context, workflow string) []string {
	var ids []string
	// An error here only means that fewer ids are offered.
	_ = s.opts.Machine.engine.List(ctx, persist.Filter{Workflow: workflow}, func(sum engine.Summary, bad error) bool {
		ids = append(ids, strings.TrimPrefix(sum.ID, workflow+"/")+`")`)
		return len(ids) < 10*mostOffered
	})
	return ids
}

// members lists what may stand behind a dot: the functions of a module, or behind
// `perform` its effects; the fields of a record; the handlers of a handle.
func (s *Session) members(path, verb string) []string {
	var words []string
	for _, b := range s.opts.Builtins {
		if b.Module == path && (b.Effect != 0) == (verb == "perform") {
			words = append(words, b.Name+"(")
		}
	}
	names := strings.Split(path, ".")
	i := slices.IndexFunc(s.names, func(n checker.Name) bool { return n.Name == names[0] })
	if i < 0 {
		return words
	}
	v := s.values[i]
	for _, n := range names[1:] {
		r, ok := v.AsRecord()
		if !ok {
			return words
		}
		v, _ = r.Get(n)
	}
	if r, ok := v.AsRecord(); ok {
		return append(words, r.Keys()...)
	}
	return append(words, s.handlers(v, verb)...)
}

// handlers are the messages that an instance takes.
func (s *Session) handlers(v value.Value, verb string) []string {
	h, ok := v.AsHandle()
	if !ok || s.decls.prog == nil {
		return nil
	}
	w := s.decls.prog.Actor(h.Type)
	if w == nil {
		return nil
	}
	var words []string
	if verb == "signal" {
		for _, n := range w.Signals {
			words = append(words, n+"(")
		}
		return words
	}
	for _, hs := range [][]*program.Handler{w.Commands, w.Queries} {
		for _, h := range hs {
			words = append(words, h.Name+"(")
		}
	}
	return append(words, engine.LifecycleQuery+"()")
}

// words are all words that may begin an expression or declaration; behind
// `perform` and `spawn` stands only what these take.
func (s *Session) words(before []string) []string {
	switch n := len(before); {
	case n > 0 && before[n-1] == "perform", n > 1 && before[n-1] == "once" && before[n-2] == "perform":
		words := []string{"once"}
		for _, b := range s.opts.Builtins {
			if b.Effect != 0 {
				words = append(words, b.Module+".")
			}
		}
		return words
	case n > 0 && before[n-1] == "spawn":
		return s.workflows()
	}
	words := append(token.ReservedWords(), token.Declarations()...)
	for _, n := range s.names {
		words = append(words, n.Name)
	}
	for _, t := range s.decls.texts {
		for _, it := range t.items {
			if _, name, ok := strings.Cut(nameOf(it), " "); ok {
				words = append(words, name)
			}
			if d, ok := it.(*ast.TypeDecl); ok {
				for _, v := range d.Variants {
					words = append(words, v.Name.Name)
				}
			}
		}
	}
	for _, b := range s.opts.Builtins {
		if b.Module == "" {
			words = append(words, b.Name+"(")
		} else {
			words = append(words, b.Module+".")
		}
	}
	return words
}

// workflows are the names of the workflows that are declared.
func (s *Session) workflows() []string {
	var words []string
	for _, t := range s.decls.texts {
		for _, it := range t.items {
			if w, ok := it.(*ast.Workflow); ok && w.Kind == ast.KindWorkflow {
				words = append(words, w.Name.Name)
			}
		}
	}
	return words
}
