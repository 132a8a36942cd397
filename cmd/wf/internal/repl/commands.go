package repl

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/persist"
)

// A command is one `:name`.
type command struct {
	name, args, help string
	do               func(s *Session, ctx context.Context, args string) Outcome
}

// commands lists them in the order of :help.
func commands() []command {
	return []command{
		{"help", "", "this list", (*Session).help},
		{"load", "FILE", "read a file as if it were typed", (*Session).load},
		{"type", "EXPR", "of what type an expression is; it is not evaluated", (*Session).typeOf},
		{"doc", "NAME", "what a built-in, or something of this session, is", (*Session).doc},
		{"names", "", "what this session has bound and declared", (*Session).bindings},
		{"list", "", "the instances in the store", (*Session).list},
		{"show", "ID", "an instance: lifecycle, state, what it waits for", (*Session).showInstance},
		{"history", "ID", "what happened to an instance, record by record", (*Session).history},
		{"events", "[ID]", "the events that were emitted", (*Session).events},
		{"state", "ID [at N]", "the state of an instance, now or behind record N of its history", (*Session).state},
		{"crash", "", "throw the engine away without warning, and recover from the store", (*Session).crash},
		{"clock", "[+2h]", "the time; with --virtual, move it", (*Session).time},
		{"save", "FILE", "write the session as a script", func(s *Session, _ context.Context, path string) Outcome { return s.save(path) }},
		{"quit", "", "leave; instances go on with the next wf run, wf resume or wf repl", func(*Session, context.Context, string) Outcome { return Left }},
	}
}

// command carries out a `:name args`.
func (s *Session) command(ctx context.Context, text string) Outcome {
	name, args, _ := strings.Cut(text[1:], " ")
	name, args = strings.TrimSpace(name), strings.TrimSpace(args)
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
		if c.name != name {
			continue
		}
		if needs := c.args != "" && c.args[0] != '['; needs && args == "" {
			s.problem(":%s needs %s", name, c.args)
			return Failed
		} else if c.args == "" && args != "" {
			s.problem(":%s takes nothing behind it", name)
			return Failed
		}
		return c.do(s, ctx, args)
	}
	if near := spell.Nearest(name, names); near != "" {
		s.problem("there is no :%s; did you mean :%s?", name, near)
	} else {
		s.problem("there is no :%s; :help lists what there is", name)
	}
	return Failed
}

func (s *Session) help(context.Context, string) Outcome {
	w := s.opts.Out
	for _, c := range commands() {
		fmt.Fprintf(w, "%-18s %s\n", ":"+strings.TrimSpace(c.name+" "+c.args), c.help)
	}
	fmt.Fprint(w, "\nAnything else is a declaration (workflow, entity, type, event, fn) or a statement of the\n"+
		"language. Several lines are one text while a bracket is open. What is spawned is durable and\n"+
		"goes on while you type. Ctrl-C cancels what is under way, Ctrl-D twice leaves.\n")
	return Done
}

// load reads a file as if it were typed.
func (s *Session) load(ctx context.Context, path string) Outcome {
	text, err := s.opts.Read(path)
	if err != nil {
		s.problem("%v", err)
		return Failed
	}
	return s.evaluate(ctx, filepath.Clean(path), text, true)
}

// typeOf says of what type an expression is.
func (s *Session) typeOf(_ context.Context, text string) Outcome {
	in, ok := s.read("type", text)
	if !ok {
		return Failed
	}
	if in.statements == 0 || len(in.declared[0].items) > 0 {
		s.problem(":type needs an expression")
		return Failed
	}
	stmts, said := checker.CheckOutside(append([]*ast.File{in.tree()}, s.decls.trees()...), s.set, s.options(), s.names)
	if !s.say(said, stmts == nil) {
		return Failed
	}
	fmt.Fprintln(s.opts.Out, stmts.Type)
	return Done
}

// typeText is what is known of the values of a name.
func typeText(n checker.Name) string {
	if n.Type == nil {
		return "Any"
	}
	return n.Type.String()
}

// bindings lists the names of the session.
func (s *Session) bindings(context.Context, string) Outcome {
	for _, t := range s.decls.texts {
		for _, it := range t.items {
			if name := nameOf(it); name != "" {
				fmt.Fprintln(s.opts.Out, name)
			}
		}
	}
	for i, n := range s.names {
		word := "let"
		if n.Var {
			word = "var"
		}
		fmt.Fprintf(s.opts.Out, "%s %s = %s\n", word, n.Name, tint(s.values[i].Short(tell.ShortValue), s.opts.Terminal))
	}
	return Done
}

// list shows the instances, but for the runs of programs.
func (s *Session) list(ctx context.Context, _ string) Outcome {
	e := s.opts.Machine.engine
	table := tell.ListTable(s.opts.Terminal)
	err := e.List(ctx, persist.Filter{}, func(sum engine.Summary, bad error) bool {
		if sum.Workflow != program.MainName {
			table.Add(tell.ListRow(sum, bad, e.Now())...)
		}
		return ctx.Err() == nil
	})
	switch {
	case err != nil:
		return s.trouble(ctx, err)
	case table.Len() == 0:
		s.remark("no instances")
		return Done
	}
	return s.written(table.Write(s.opts.Out, s.opts.Terminal))
}

// written is the outcome of something that was only written.
func (s *Session) written(err error) Outcome {
	if err != nil {
		s.problem("%v", err)
		return Failed
	}
	return Done
}

func (s *Session) showInstance(ctx context.Context, id string) Outcome {
	sum, err := s.opts.Machine.engine.Show(ctx, id)
	if err != nil {
		return s.trouble(ctx, err)
	}
	tell.Instance(s.opts.Out, sum, s.opts.Shell)
	return Done
}

func (s *Session) history(ctx context.Context, id string) Outcome {
	if err := tell.History(ctx, s.opts.Out, s.opts.Terminal, s.opts.Machine.engine, id); err != nil {
		return s.trouble(ctx, err)
	}
	return Done
}

func (s *Session) events(ctx context.Context, id string) Outcome {
	n := 0
	err := s.opts.Machine.engine.Events(ctx, id, 1, func(ev *engine.EventRecord) bool {
		n++
		return tell.Event(s.opts.Out, s.opts.Terminal, ev) == nil && ctx.Err() == nil
	})
	if err != nil {
		return s.trouble(ctx, err)
	}
	if n == 0 {
		s.remark("no events")
	}
	return Done
}

// crash throws the engine away and recovers.
func (s *Session) crash(ctx context.Context, _ string) Outcome {
	s.remark("the engine is gone; what is in the store is all there is")
	ctx = context.WithoutCancel(ctx) // it ends with the engine
	if _, err := s.opts.Machine.Crash(ctx); err != nil {
		s.problem("%v", err)
		return Failed
	}
	s.sayUnfinished(ctx)
	s.adopted = ""
	if s.decls.prog == nil {
		return Done
	}
	again, free := s.opts.Machine.Within(ctx)
	defer free()
	return s.adopt(again)
}

// sayUnfinished names what a new engine goes on with.
func (s *Session) sayUnfinished(ctx context.Context) {
	var ids []string
	// An error here only means that fewer are named.
	_ = s.opts.Machine.engine.List(ctx, persist.Filter{}, func(sum engine.Summary, bad error) bool {
		if bad == nil && sum.Status != tell.EntityStatus && !tell.AtRest(sum) && sum.Workflow != program.MainName {
			ids = append(ids, sum.ID)
		}
		return len(ids) <= maxNamed
	})
	if len(ids) == 0 {
		s.remark("recovered; nothing is unfinished")
		return
	}
	s.remark("recovered; unfinished: %s", short(ids))
}

// short lists ids, the first few of them.
func short(ids []string) string {
	if len(ids) > maxNamed {
		ids = append(ids[:maxNamed:maxNamed], "…")
	}
	return strings.Join(ids, ", ")
}

// maxNamed is how many instances are named one by one.
const maxNamed = 10

// Started says what a machine goes on with.
func (s *Session) Started(start Start) {
	for i, sum := range start.Taken {
		if i < maxNamed {
			s.remark("%s", tell.TakenUp(sum))
		}
	}
	if n := len(start.Taken) - maxNamed; n > 0 {
		s.remark("… and %d more", n)
	}
	var left []string
	for _, sum := range start.LeftAlone {
		left = append(left, sum.ID)
	}
	if len(left) > 0 {
		s.remark("left alone: %s, unfinished runs of programs; wf resume continues them", short(left))
	}
}

// time tells the time, or moves a virtual clock.
func (s *Session) time(ctx context.Context, by string) Outcome {
	m := s.opts.Machine
	if by != "" {
		if m.clock == nil {
			s.problem("the clock is the real one; in a session with --virtual it can be moved")
			return Failed
		}
		d, ok := durationOf(strings.TrimPrefix(by, "+"))
		if !ok || d < 0 {
			s.problem(":clock needs a time span such as +2h or +1h30m")
			return Failed
		}
		if int64(d) > maxInstant-m.clock.now {
			s.problem("the clock cannot go beyond the year 2262")
			return Failed
		}
		if err := m.Advance(ctx, d); err != nil {
			return s.trouble(ctx, err)
		}
	}
	fmt.Fprintln(s.opts.Out, time.Unix(0, m.engine.Now()).UTC().Format(time.RFC3339Nano))
	return Done
}

// instances lists the ids of the instances, and those of one workflow first.
func (s *Session) instances(ctx context.Context, most int) []string {
	var ids []string
	// An error here only means that fewer ids are offered.
	_ = s.opts.Machine.engine.List(ctx, persist.Filter{}, func(sum engine.Summary, bad error) bool {
		ids = append(ids, sum.ID)
		return len(ids) < most
	})
	slices.Sort(ids)
	return ids
}
