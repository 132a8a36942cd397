// Package repl is the interactive session of wf: declarations and expressions,
// one after the other, over an engine whose instances are as durable as any.
//
// A Session is told a text and says what comes of it; it knows no terminal. What
// is typed is checked against what was declared and bound before
// (checker.CheckOutside) and evaluated outside of any instance
// (interp/console). A Machine is the engine that it talks to, which can be thrown
// away and made anew over its store. The line editor, completion and history
// stand around the session (terminal.go, editor.go), or nothing does, where lines
// come through a pipe (piped.go).
//
// A text is a transaction for the session's own names: if it fails or is
// cancelled, it has bound and assigned nothing. What it had sent to instances
// stands, and so do its declarations.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/cmd/wf/internal/ui"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/console"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/parser"
)

// Options say how a session reaches the world. Machine, Builtins, Out, Err, Seed
// and the functions are required.
type Options struct {
	Machine  *Machine
	Builtins []*program.Builtin
	Caller   engine.Caller // nil: lines reach no world outside
	Out, Err io.Writer     // results; and what is wrong
	Terminal ui.Terminal   // what they lead to
	Columns  func() int    // how wide that is now; nil: as it was
	Seed     func() uint64
	Limits   interp.Limits
	Log      func(engine.Logged) // where lines log
	Shell    tell.Shell          // of the commands that are named
	Quiet    bool                // only results and what is wrong
	// Gather reads a text, and the files that it imports, into a set, and says
	// what is wrong with the imports and the syntax.
	Gather func(set *source.Set, name, text string) diag.List
	Read   func(path string) (string, error)
	Write  func(path, text string) error
	Doc    func(w io.Writer, name string) error // explains a built-in
}

// An Outcome is what became of a text.
type Outcome uint8

// The outcomes.
const (
	Done      Outcome = iota
	Failed            // something is wrong with it, or it failed
	Cancelled         // its context was done first
	Left              // the session is over
)

// A Session is one conversation. It belongs to one goroutine.
type Session struct {
	opts    Options
	console console.Console
	set     *source.Set // every text
	inputs  int
	decls   declarations
	names   []checker.Name
	values  []value.Value
	lines   []kept // what was evaluated, for :save
	adopted string // hash of the program that the store knows
	warned  map[warning]bool
}

// maxTexts is how many texts a session may be told: their numbers are part of
// every place.
const maxTexts = 1 << 15

// New makes a session that knows nothing yet.
func New(o Options) *Session {
	return &Session{opts: o, set: &source.Set{}, warned: map[warning]bool{}}
}

// Do carries out a text: a `:command`, or declarations and statements. What comes
// of it is written to Out and Err.
func (s *Session) Do(ctx context.Context, text string) Outcome {
	text = strings.TrimSpace(text)
	if s.opts.Columns != nil {
		s.opts.Terminal.Width = s.opts.Columns()
	}
	ctx, free := s.opts.Machine.Within(ctx)
	defer free()
	if err := s.opts.Machine.Settle(ctx); err != nil {
		return s.trouble(ctx, err)
	}
	var out Outcome
	switch {
	case text == "":
		return Done
	case strings.HasPrefix(text, ":"):
		out = s.command(ctx, text)
	default:
		s.inputs++
		out = s.evaluate(ctx, fmt.Sprintf("input %d", s.inputs), text, true)
	}
	if out == Left {
		return out
	}
	if err := s.opts.Machine.Settle(ctx); err != nil {
		return s.trouble(ctx, err)
	}
	return out
}

// evaluate reads a text, takes in what it declares and runs what it states. show
// says whether the value of its last statement is shown.
func (s *Session) evaluate(ctx context.Context, name, text string, show bool) Outcome {
	in, ok := s.read(name, text)
	if !ok {
		return Failed
	}
	decls, replaced := s.decls.with(in.declared)
	names, values := s.visible(in, len(replaced) > 0)
	stmts, said := checker.CheckOutside(append([]*ast.File{in.tree()}, decls.trees()...), s.set, s.options(), names)
	if !s.say(said, stmts == nil) {
		return Failed
	}
	if out := s.declare(ctx, decls, stmts.Program); out != Done {
		return out
	}
	s.sayDeclared(in, replaced)
	if in.tests > 0 {
		s.remark("`test` blocks are left out; wf test runs those of a file")
	}
	s.names, s.values = names, values
	if in.statements == 0 {
		s.keep(in, nil)
		return Done
	}
	result, err := s.console.Run(ctx, stmts.Func, values)
	if err != nil {
		s.keep(in, nil)
		return s.trouble(ctx, err)
	}
	v, values := stmts.Unpack(result, values)
	s.keep(in, stmts)
	s.names, s.values = stmts.Names, values
	if show {
		s.show(v)
	}
	return Done
}

// An input is a text that was read: the files that it came to, itself first.
type input struct {
	declared   []declared // of it and of what it imports
	statements int
	tests      int // `test` blocks, which are left out
	first      *ast.File
}

// tree is the text's own tree, without its tests, and without declarations: these
// are among those of the session.
func (in *input) tree() *ast.File {
	out := &ast.File{At: in.first.At}
	for _, it := range in.first.Items {
		if st, ok := it.(*ast.Statement); ok {
			out.Items = append(out.Items, st)
		}
	}
	return out
}

// read reads a text and what it imports; it says what is wrong.
func (s *Session) read(name, text string) (*input, bool) {
	if len(s.set.Files) > maxTexts {
		s.problem("the session has become too long; :save FILE keeps it, and a new one can :load that")
		return nil, false
	}
	first := len(s.set.Files)
	if said := s.opts.Gather(s.set, name, text); !s.say(said, said.HasErrors()) {
		return nil, false
	}
	in := &input{}
	for i, f := range s.set.Files[first:] {
		tree, _ := parser.Parse(f, uint16(first+i))
		items, statements, tests := declares(tree.Items)
		if i == 0 {
			in.first, in.statements, in.tests = tree, statements, tests
		}
		in.declared = append(in.declared, declared{file: f, tree: tree, items: items, imported: i > 0})
	}
	return in, true
}

// sayDeclared names what a text has declared.
func (s *Session) sayDeclared(in *input, replaced []string) {
	for _, d := range in.declared {
		for _, it := range d.items {
			if name := nameOf(it); slices.Contains(replaced, name) {
				s.remark("%s takes the place of the one before", name)
			} else if name != "" {
				s.remark("%s", name)
			}
		}
	}
}

// visible are the names that stay in sight when a text is taken in: a function
// hides a name of before. Where a declaration was replaced, types that were
// known may mean something else now.
func (s *Session) visible(in *input, replaced bool) (names []checker.Name, values []value.Value) {
	declared := map[string]bool{}
	for _, d := range in.declared {
		for _, it := range d.items {
			if fn, ok := it.(*ast.FnDecl); ok {
				declared[fn.Name.Name] = true
			}
		}
	}
	for i, n := range s.names {
		if declared[n.Name] {
			continue
		}
		if replaced && n.Type != nil && !n.Type.Is(types.HandleKind) {
			n.Type = nil
		}
		names, values = append(names, n), append(values, s.values[i])
	}
	return names, values
}

// declare makes declarations those of the session, and known to the store if
// there are entities among them. checked is the program of a text behind them.
func (s *Session) declare(ctx context.Context, decls declarations, checked *program.Program) Outcome {
	decls.given, decls.prog = s.decls.given, nil
	if slices.EqualFunc(decls.active(), s.decls.active(), func(a, b declared) bool { return a.file == b.file && len(a.items) == len(b.items) }) {
		decls.prog = s.decls.prog
	}
	decls.learn(checked)
	if decls.prog == nil {
		prog, set, said := decls.program(s.opts.Builtins)
		if prog == nil {
			diag.Render(s.opts.Err, set, said, s.rendering())
			return Failed
		}
		decls.prog = prog
	}
	s.decls = decls
	return s.adopt(ctx)
}

// adopt hands the session's program to the machine.
func (s *Session) adopt(ctx context.Context) Outcome {
	o, prog := &s.opts, s.decls.prog
	s.console = console.Console{Engine: o.Machine.engine, Program: prog, Builtins: o.Builtins, Caller: o.Caller, Output: o.Out, Log: o.Log,
		Wait: o.Machine.wait, Seed: o.Seed, Limits: o.Limits}
	entities := slices.ContainsFunc(prog.Actors, func(w *program.Workflow) bool { return w.Entity })
	if !entities || s.adopted == prog.Hash {
		return Done
	}
	if err := o.Machine.engine.Adopt(ctx, prog); err != nil {
		return s.trouble(ctx, err)
	}
	s.adopted = prog.Hash
	return Done
}

func (s *Session) options() checker.Options {
	return checker.Options{Builtins: s.opts.Builtins, Refuse: checker.NotYet}
}

func (s *Session) rendering() diag.RenderOptions {
	return diag.RenderOptions{Color: s.opts.Terminal.Color, Width: s.opts.Terminal.Width}
}

// say shows diagnostics; it gives false if the text is refused. A warning is said
// once: what it is about is checked again with every text to come.
func (s *Session) say(said diag.List, refused bool) bool {
	var fresh diag.List
	for _, d := range said {
		if d.Severity == diag.Warning {
			key := warning{d.Code, d.Span}
			if s.warned[key] {
				continue
			}
			s.warned[key] = true
		}
		fresh = append(fresh, d)
	}
	diag.Render(s.opts.Err, s.set, fresh, s.rendering())
	return !refused
}

// A warning is known by what it says and where.
type warning struct {
	code diag.Code
	at   source.Span
}

// trouble says why an evaluation has not ended well.
func (s *Session) trouble(ctx context.Context, err error) Outcome {
	var f *interp.Fault
	switch {
	case errors.As(err, &f):
		s.say(diag.List{s.faultWords(f)}, true)
		return Failed
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) && errors.Is(err, context.Canceled):
		home := ""
		if s.opts.Terminal.Live {
			home = "\r" // over the ^C that the terminal has shown
		}
		fmt.Fprintln(s.opts.Err, home+s.opts.Terminal.Yellow("cancelled")+"; what it had sent stands")
		return Cancelled
	case s.opts.Machine.Stopped():
		s.problem("the engine has stopped: %v; :crash recovers from the store", err)
		return Failed
	}
	s.problem("%v", err)
	return Failed
}

// maxCalls is how many calls of a fault's trace are shown.
const maxCalls = 5

// faultWords is a fault at its place, with the calls that led there.
func (s *Session) faultWords(f *interp.Fault) diag.Diagnostic {
	d := diag.Diagnostic{Span: f.Span, Message: f.Message}
	if f.Code != "" && f.Code != interp.CodeError {
		d.Message += " (" + f.Code + ")"
	}
	if !f.Detail.IsNil() {
		d.Help = "detail: " + f.Detail.Short(200)
	}
	for i := 0; i < len(f.Stack) && len(d.Labels) < maxCalls; {
		at, times := f.Stack[i].Span, 0
		for ; i < len(f.Stack) && f.Stack[i].Span == at; i++ {
			times++
		}
		switch {
		case at.IsZero():
		case times > 1:
			d.Labels = append(d.Labels, diag.Label{Span: at, Text: "called here, again and again"})
		default:
			d.Labels = append(d.Labels, diag.Label{Span: at, Text: "called here"})
		}
	}
	return d
}

// show writes a value; () says nothing.
func (s *Session) show(v value.Value) {
	if !v.IsUnit() {
		fmt.Fprintln(s.opts.Out, notation(v, s.opts.Terminal))
	}
}

// remark says something that is no result.
func (s *Session) remark(format string, args ...any) {
	if s.opts.Quiet {
		return
	}
	fmt.Fprintln(s.opts.Err, s.opts.Terminal.Faint(fmt.Sprintf(format, args...)))
}

// problem says why something is not done.
func (s *Session) problem(format string, args ...any) {
	fmt.Fprintln(s.opts.Err, s.opts.Terminal.Red("error:")+" "+fmt.Sprintf(format, args...))
}
