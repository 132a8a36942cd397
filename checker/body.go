package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// bodyKind says where code stands; most rules ask for it.
type bodyKind uint8

const (
	mainBody    bodyKind = iota
	outsideBody          // statements that belong to no instance: see outside.go
	stepBody
	branchBody // a step inside a parallel block
	compensateBody
	finallyBody
	initBody
	commandBody
	queryBody
	funcBody
	lambdaBody
	stateValue   // initial value of a field
	clauseValue  // of timeout, retry, backoff, when, and of a block's head
	borrowedBody // stands for any function that may have come out of data
)

// where names the kind for people.
func (k bodyKind) where() string {
	return [...]string{
		"the program's own statements", "statements outside of a workflow", "a step", "a parallel block", "a compensation", "`finally`", "`init`",
		"a command", "a query", "a function", "a function", "an initial value", "a clause", "a function",
	}[k]
}

// noSelf reports whether there is no instance around code of this kind.
func (k bodyKind) noSelf() bool { return k == mainBody || k == outsideBody }

// body is the state of lowering one function, step, handler or value.
//
// Slots of a frame are numbered captures first, then parameters, then locals.
// How many captures a lambda has is known only at its end, so the slots of its
// own variables are filled in then, through refs.
type body struct {
	c        *checker
	kind     bodyKind
	actor    *actor // nil in a function of no actor, and in main
	parent   *body  // of a lambda
	fn       *program.Func
	info     *info
	scope    *scope
	next     int
	refs     []slotRef
	captures []*variable
	loops    int
	// apart are the parameters that are patterns, until they are taken apart.
	apart []apart
}

// apart is a parameter that a pattern takes apart.
type apart struct {
	whole   *variable
	pattern ast.Pattern
	kind    varKind // of the pattern's names
}

type slotRef struct {
	at   *int
	slot int
}

// scope is the names of one block.
type scope struct {
	up   *scope
	vars map[string]*variable
}

// variable is a local name.
type variable struct {
	name     string
	span     source.Span
	slot     int // among the captures if captured, else among the body's own
	captured bool
	outer    *variable // what a captured one is in the enclosing body
	mutable  bool
	kind     varKind
	used     bool
	assigned bool   // after it was declared
	actor    *actor // the workflow or entity it is a handle of, if that is plain
}

// varKind says how a name came to be.
type varKind uint8

const (
	letVar varKind = iota
	varVar
	paramVar
	wireParam // of a command, query or lambda: nobody is told that it is unused
	errVar    // catch, compensate, finally
)

func (k varKind) String() string {
	return [...]string{"name", "variable", "parameter", "parameter", "error"}[k]
}

// newBody begins a body. Its info is entered among the checker's.
func (c *checker) newBody(a *actor, kind bodyKind, name string, fn *program.Func) *body {
	i := c.newInfo(a, kind, name, fn)
	return c.bodyOf(a, kind, i)
}

func (c *checker) bodyOf(a *actor, kind bodyKind, i *info) *body {
	b := &body{c: c, kind: kind, actor: a, fn: i.fn, info: i}
	b.open()
	return b
}

// done ends a body: the frame's size is known, the slots are filled in.
func (b *body) done() {
	b.close()
	n := len(b.captures)
	for _, r := range b.refs {
		*r.at = n + r.slot
	}
	b.fn.Slots = n + b.next
	if n == 0 {
		return
	}
	b.fn.Captures = make([]int, n)
	for i, v := range b.captures {
		b.parent.point(&b.fn.Captures[i], v.outer)
	}
}

func (b *body) open() { b.scope = &scope{up: b.scope} }

func (b *body) close() { b.scope = b.scope.up }

// declare makes a local name in the innermost scope.
func (b *body) declare(name string, span source.Span, kind varKind) *variable {
	v := &variable{name: name, span: span, slot: b.next, kind: kind, mutable: kind == varVar}
	b.next++
	if name == "_" || name == "" {
		return v
	}
	if old := b.scope.vars[name]; old != nil {
		b.c.sayDuplicateLocal(name, span, old)
	}
	if b.scope.vars == nil {
		b.scope.vars = map[string]*variable{}
	}
	b.scope.vars[name] = v
	b.info.vars = append(b.info.vars, v)
	return v
}

// hidden makes a slot without a name.
func (b *body) hidden() *variable {
	v := &variable{slot: b.next, used: true}
	b.next++
	return v
}

// point fills a slot number in, now or at the end of the body.
func (b *body) point(at *int, v *variable) {
	if v.captured {
		*at = v.slot
		return
	}
	b.refs = append(b.refs, slotRef{at, v.slot})
}

// visible finds a name that the body itself declares.
func (b *body) visible(name string) *variable {
	for s := b.scope; s != nil; s = s.up {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	return nil
}

// lookup finds a local name, capturing it from an enclosing body if need be.
func (b *body) lookup(name string) *variable {
	if v := b.visible(name); v != nil {
		v.used = true
		return v
	}
	if b.parent == nil {
		return nil
	}
	for _, v := range b.captures {
		if v.name == name {
			return v
		}
	}
	outer := b.parent.lookup(name)
	if outer == nil {
		return nil
	}
	v := &variable{
		name: name, span: outer.span, slot: len(b.captures), captured: true, outer: outer,
		kind: outer.kind, used: true, actor: outer.actor,
	}
	b.captures = append(b.captures, v)
	return v
}

// locals lists the names in sight, innermost first, in the order in which the
// bodies declared them.
func (b *body) locals() []string {
	var out []string
	for x := b; x != nil; x = x.parent {
		for i := len(x.info.vars) - 1; i >= 0; i-- {
			v := x.info.vars[i]
			for s := x.scope; s != nil; s = s.up {
				if s.vars[v.name] == v {
					out = append(out, v.name)
				}
			}
		}
	}
	return out
}

// read is the expression that reads a variable.
func (b *body) read(v *variable, span source.Span) *program.Local {
	l := &program.Local{At: program.At{Place: span}, Name: v.name}
	b.point(&l.Slot, v)
	return l
}

// params declares the parameters of a function.
func (b *body) params(ps []ast.Param, kind varKind) {
	b.info.params = ps
	for _, p := range ps {
		if p.Pattern != nil {
			b.takesApart(p.Pattern, kind)
			b.c.mustFit(p.Pattern)
		} else {
			b.c.lowerCase(p.Name, "parameter")
			b.declare(p.Name.Name, p.Name.Span(), kind)
		}
		b.fn.Params = append(b.fn.Params, program.Param{Name: p.Name.Name, Type: b.c.typeOf(p.Type)})
	}
}

// takesApart declares a parameter that is a pattern.
func (b *body) takesApart(p ast.Pattern, kind varKind) {
	b.apart = append(b.apart, apart{b.hidden(), p, kind})
}

// withParams lowers a body behind what takes its parameters apart. All of them
// have their slots by then. In a compensation nobody needs to know what is not
// used there: the value may be the very reason for the failure.
func (b *body) withParams(lower func() program.Expr) program.Expr {
	type taken struct {
		let  *program.Let
		vars []*variable
	}
	var all []taken
	for _, x := range b.apart {
		n := len(b.info.vars)
		let := &program.Let{At: at(x.pattern), Value: b.read(x.whole, x.pattern.Span()), Pattern: b.bindings(ast.OrPattern{x.pattern}, x.kind)}
		all = append(all, taken{let, b.info.vars[n:]})
	}
	body := lower()
	var stmts []program.Expr
	for _, x := range all {
		if b.kind != compensateBody || slices.ContainsFunc(x.vars, func(v *variable) bool { return v.used }) {
			stmts = append(stmts, x.let)
		}
	}
	if len(stmts) == 0 {
		return body
	}
	return &program.Block{At: program.At{Place: body.Span()}, Stmts: append(stmts, body)}
}

// param declares one parameter that is not written like one.
func (b *body) param(name string, span source.Span, kind varKind) {
	b.declare(name, span, kind)
	b.fn.Params = append(b.fn.Params, program.Param{Name: name})
}

// valueFunc lowers an expression that stands alone: an initial value, a clause.
func (c *checker) valueFunc(a *actor, kind bodyKind, name string, e ast.Expr) *program.Func {
	b := c.newBody(a, kind, name, &program.Func{Span: e.Span()})
	b.fn.Body = b.expr(e)
	b.done()
	return b.fn
}

// root is the body that a lambda stands in, itself for others.
func (b *body) root() *body {
	for b.parent != nil {
		b = b.parent
	}
	return b
}
