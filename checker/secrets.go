package checker

import (
	"strings"

	"github.com/wf-lang/wf/lang/program"
)

// secrets follows the values of `Secret.get` through names, operators and
// functions to the places where they would be written down: state, events,
// messages, results, logs. An outside call may have them.
type secrets struct {
	c       *checker
	results map[secretCall]bool // what functions give; false while they are looked at
}

// secretCall is a function with the set of its parameters that are secret.
type secretCall struct {
	fn  *program.Func
	who string
}

// checkSecrets does nothing for a program without secrets.
func (c *checker) checkSecrets() {
	uses := false
	for _, i := range c.infos {
		for _, s := range i.own {
			uses = uses || s.what == "performs `Secret.get`"
		}
	}
	if !uses {
		return
	}
	s := &secrets{c: c, results: map[secretCall]bool{}}
	for _, i := range c.infos {
		if i.kind == funcBody || i.kind == lambdaBody {
			continue
		}
		if !s.gives(i.fn, make([]bool, len(i.fn.Params))) {
			continue
		}
		switch i.kind {
		case stepBody, branchBody, commandBody, queryBody:
			c.saySecret(lastOf(i.fn.Body), "the value of "+i.name)
		case mainBody:
			c.saySecret(lastOf(i.fn.Body), "the value of the program")
		}
	}
}

// lastOf is the expression whose value is that of a body.
func lastOf(e program.Expr) program.Expr {
	if b, ok := e.(*program.Block); ok && len(b.Stmts) > 0 {
		return lastOf(b.Stmts[len(b.Stmts)-1])
	}
	return e
}

// tainted is one function that is looked at: which of its slots hold a secret.
type tainted struct {
	s      *secrets
	slots  []bool
	result bool
}

// gives reports whether a function gives a secret when these of its parameters
// are secret.
func (s *secrets) gives(fn *program.Func, params []bool) bool {
	var who strings.Builder
	for _, p := range params {
		if p {
			who.WriteByte('x')
		} else {
			who.WriteByte('-')
		}
	}
	key := secretCall{fn, who.String()}
	if known, ok := s.results[key]; ok {
		return known
	}
	s.results[key] = false
	t := &tainted{s: s, slots: make([]bool, fn.Slots+len(params))}
	copy(t.slots[len(fn.Captures):], params)
	for range 3 { // what a loop assigns may be read in its next round
		if t.expr(fn.Body) {
			t.result = true
		}
	}
	s.results[key] = t.result
	return t.result
}

// sink refuses a secret that would be written down.
func (t *tainted) sink(e program.Expr, where string) {
	if e != nil && t.expr(e) {
		t.s.c.saySecret(e, where)
	}
}

func (t *tainted) sinks(es []program.Expr, where string) {
	for _, e := range es {
		t.sink(e, where)
	}
}

// expr reports whether the value of an expression is, or contains, a secret.
func (t *tainted) expr(e program.Expr) bool {
	switch e := e.(type) {
	case nil:
		return false
	case *program.Local:
		return e.Slot < len(t.slots) && t.slots[e.Slot]
	case *program.Let:
		secret := t.expr(e.Value)
		t.bind(e.Pattern, secret)
		return false
	case *program.AssignLocal:
		if t.expr(e.Value) && e.Slot < len(t.slots) {
			t.slots[e.Slot] = true
		}
		return false
	case *program.Block:
		last := false
		for _, s := range e.Stmts {
			last = t.expr(s)
		}
		return last
	case *program.If:
		t.expr(e.Cond)
		then := t.expr(e.Then)
		return t.expr(e.Else) || then
	case *program.Match:
		return t.match(e)
	case *program.For:
		t.bind(e.Pattern, t.expr(e.In))
		t.expr(e.Body)
		return false
	case *program.Binary:
		x, y := t.expr(e.X), t.expr(e.Y)
		return (x || y) && e.Op == program.Add // a comparison tells nothing
	case *program.Not:
		t.expr(e.X)
		return false
	case *program.CallFn:
		return t.call(e.Fn, e.Args)
	case *program.Lambda:
		return t.lambda(e)
	case *program.Perform:
		return t.perform(e)
	case *program.Text:
		for _, x := range e.Parts {
			t.text(x)
		}
		return false
	case *program.CallBuiltin:
		return t.builtin(e)
	}
	return t.leaving(e)
}

// text refuses a secret that would be made part of a text.
func (t *tainted) text(e program.Expr) {
	if e != nil && t.expr(e) {
		t.s.c.saySecretText(e)
	}
}

// builtin: some functions put secrets together, some would make text of them,
// the others hand on what they are given.
func (t *tainted) builtin(e *program.CallBuiltin) bool {
	switch e.Fn.Module {
	case "", "String", "Json", "Base64", "Hash", "Url", "Template", "Regex":
		for _, a := range e.Args {
			t.text(a)
		}
		return false
	}
	secret := e.Fn.Module == "Secret"
	for _, a := range e.Args {
		secret = t.expr(a) || secret
	}
	return secret
}

func (t *tainted) match(e *program.Match) bool {
	secret, out := t.expr(e.X), false
	for _, a := range e.Arms {
		for _, p := range a.Patterns {
			t.bind(p, secret)
		}
		t.expr(a.Guard)
		out = t.expr(a.Body) || out
	}
	return out
}

func (t *tainted) bind(p program.Pattern, secret bool) {
	if secret {
		eachName(p, func(slot int) {
			if slot < len(t.slots) {
				t.slots[slot] = true
			}
		})
	}
}

func (t *tainted) call(fn *program.Func, args []program.Expr) bool {
	params := make([]bool, len(fn.Params))
	for k, a := range args {
		if a != nil && t.expr(a) && k < len(params) {
			params[k] = true
		}
	}
	return t.s.gives(fn, params)
}

// lambda looks at a function where it is made; what it captures is secret if
// it is here. That it gives a secret when it is called counts as one.
func (t *tainted) lambda(e *program.Lambda) bool {
	in := &tainted{s: t.s, slots: make([]bool, e.Fn.Slots+len(e.Fn.Params))}
	for k, slot := range e.Fn.Captures {
		if slot < len(t.slots) && k < len(in.slots) {
			in.slots[k] = t.slots[slot]
		}
	}
	return in.expr(e.Fn.Body) || in.result
}

// perform: services outside may get secrets, logs and messages may not.
func (t *tainted) perform(e *program.Perform) bool {
	switch e.Op.Module {
	case "Secret":
		t.exprs(e.Args)
		return e.Op.Name == "get"
	case "LLM":
		t.sinks(e.Args, "what a model is asked")
		return false
	case "Exec":
		t.exec(e)
		return false
	case "IO", "Log":
		t.sinks(e.Args, "what is shown")
		return false
	case "Workflow", "Signal":
		t.sinks(e.Args, "a message")
		return false
	case "File":
		t.sinks(e.Args, "a file")
		return false
	}
	t.exprs(e.Args)
	return false // what a service answers is its own
}

func (t *tainted) exprs(es []program.Expr) {
	for _, e := range es {
		t.expr(e)
	}
}

// exec: a program may get secrets in its environment and on its input. Its
// arguments are seen by every other program of the machine.
func (t *tainted) exec(e *program.Perform) {
	for k, a := range e.Args {
		if k < len(e.Op.Params) && (e.Op.Params[k].Name == "env" || e.Op.Params[k].Name == "stdin") {
			t.expr(a)
		} else {
			t.sink(a, "an argument of a program")
		}
	}
}
