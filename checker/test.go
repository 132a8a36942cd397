package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// A test is lowered to a function that belongs to no instance, and its own
// statements to performs of the operations of program.TestModule. So evaluating
// a test needs nothing that evaluating a function does not: whoever runs it
// answers these.

// collectTest notes a test; no two of a file may have the same name.
func (c *checker) collectTest(t *ast.Test) {
	for _, old := range c.names.tests {
		if old.Name.Value == t.Name.Value && old.Span().File == t.Span().File {
			c.sayTestTwice(t, old)
		}
	}
	c.names.tests = append(c.names.tests, t)
}

// lowerTests lowers all tests, after everything else: what they say is about it.
func (c *checker) lowerTests() {
	if len(c.names.tests) == 0 {
		return
	}
	c.tests = map[string]*program.Builtin{}
	for _, op := range program.TestOps() {
		c.tests[op.Name] = op
	}
	defer c.showEvents()()
	for _, t := range c.names.tests {
		head := t.Span()
		head.End = t.Name.Span().End
		b := c.newBody(nil, outsideBody, "the test", &program.Func{Span: t.Span()})
		b.fn.Body = b.block(t.Body)
		b.done()
		c.prog.Tests = append(c.prog.Tests, &program.Test{Name: t.Name.Value, Span: head, Body: b.fn})
	}
}

// showEvents has events be variants, as which tests see them, until the function
// that it gives is called. A variant or actor of the same name hides an event.
func (c *checker) showEvents() func() {
	c.names.asVariants = map[string]*variant{}
	upper := c.names.upper
	show := func(v *variant) {
		if _, taken := c.names.valueSpan(v.name); !taken {
			c.names.variants[v.name], c.names.asVariants[v.name] = v, v
			c.names.upper = append(c.names.upper, v.name)
		}
	}
	for _, e := range c.prog.Events {
		d := c.names.events[e.Name]
		show(&variant{name: e.Name, span: d.Name.Span(), names: e.Fields, fields: d.Fields, peers: []string{e.Name}})
	}
	for _, e := range c.emitted() {
		v := &variant{name: e.Name.Name, span: e.Name.Span(), peers: []string{e.Name.Name}}
		for _, a := range e.Args {
			v.names = append(v.names, a.Name.Name)
		}
		show(v)
	}
	return func() {
		for name := range c.names.asVariants {
			delete(c.names.variants, name)
		}
		c.names.upper = upper
	}
}

// emitted lists the first emit of every event that is not declared.
func (c *checker) emitted() []*ast.Emit {
	var out []*ast.Emit
	look := func(in ast.Node) {
		walk(in, func(n ast.Node) bool {
			e, ok := n.(*ast.Emit)
			if ok && c.names.events[e.Name.Name] == nil && isUpper(e.Name.Name) &&
				!slices.ContainsFunc(out, func(old *ast.Emit) bool { return old.Name.Name == e.Name.Name }) {
				out = append(out, e)
			}
			return true
		})
	}
	for _, a := range c.names.order {
		look(a.decl)
	}
	for _, f := range c.names.allFuncs {
		look(f.decl)
	}
	for _, s := range c.names.main {
		look(s)
	}
	return out
}

// inTest reports whether code stands in a test. Tests are lowered last, so
// whatever is lowered once there are operations for them is part of one.
func (c *checker) inTest() bool { return c.tests != nil }

// testStatement lowers a statement that only tests have.
func (b *body) testStatement(e ast.Expr) program.Expr {
	if !b.c.inTest() {
		return nothing(e) // the parser lets none stand elsewhere
	}
	switch e := e.(type) {
	case *ast.Mock:
		return b.mock(e)
	case *ast.Expect:
		return b.expect(e, e.X)
	case *ast.ExpectError:
		return b.expectError(e)
	case *ast.Advance:
		return b.testOp(e, program.TestAdvance, b.expr(e.By))
	}
	return b.testOp(e, program.TestCrash)
}

// testOp is the perform of an operation of tests.
func (b *body) testOp(e ast.Node, name string, args ...program.Expr) program.Expr {
	b.does(performs, e.Span(), "is part of a test")
	return &program.Perform{At: at(e), Op: b.c.tests[name], Args: args}
}

// testFunc finds an operation that tests call as a function.
func (b *body) testFunc(name string) *program.Builtin {
	if b.c.inTest() && (name == program.TestCalls || name == program.TestEvents) {
		return b.c.tests[name]
	}
	return nil
}

// askTest lowers `calls(Http.post)` and `events(h)`.
func (b *body) askTest(e ast.Expr, n *ast.Name, op *program.Builtin, args []ast.Arg) program.Expr {
	if len(args) != 1 || args[0].Name.Name != "" {
		b.looseArgs(args)
		b.c.sayTestFunc(e, n.Name)
		return nothing(e)
	}
	if op.Name == program.TestEvents {
		return b.testOp(e, op.Name, b.instance(args[0].Value))
	}
	f, ok := bare(args[0].Value).(*ast.Field)
	if !ok {
		b.looseArgs(args)
		b.c.sayTestFunc(e, n.Name)
		return nothing(e)
	}
	m, ok := bare(f.X).(*ast.Name)
	if !ok {
		b.c.sayTestFunc(e, n.Name)
		return nothing(e)
	}
	world := b.outsideOp(ast.Word{At: m.At, Name: m.Name}, f.Name)
	if world == nil {
		return nothing(e)
	}
	return b.testOp(e, op.Name, constant(e, value.String(world.FullName())))
}

// expectError lowers `expect_error "code" { … }`: a try, and what it has caught.
func (b *body) expectError(e *ast.ExpectError) program.Expr {
	code := b.opt(e.Code)
	caught := &program.Try{At: at(e), Body: b.block(e.Body)}
	caught.Body = &program.Block{At: at(e.Body), Stmts: []program.Expr{caught.Body, constant(e, value.Nil)}}
	err := b.hidden()
	b.point(&caught.Slot, err)
	caught.Catch = b.read(err, e.Span())
	return b.testOp(e, program.TestExpectError, code, caught)
}
