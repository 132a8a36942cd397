package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
)

// statement lowers what is more than an expression of values.
func (b *body) statement(e ast.Expr) program.Expr {
	switch e := e.(type) {
	case *ast.Let:
		return b.let(e)
	case *ast.Assign:
		return b.assign(e)
	case *ast.If:
		return b.ifElse(e)
	case *ast.Match:
		return b.match(e)
	case *ast.For:
		return b.forLoop(e)
	case *ast.While:
		out := &program.While{At: at(e), Cond: b.expr(e.Cond)}
		out.Body = b.loopBody(e.Body)
		return out
	case *ast.Break:
		b.inLoop(e, "break")
		return &program.Break{At: at(e)}
	case *ast.Continue:
		b.inLoop(e, "continue")
		return &program.Continue{At: at(e)}
	case *ast.Try:
		return b.try(e)
	case *ast.Return:
		if b.kind == stateValue || b.kind == clauseValue || b.kind == outsideBody {
			b.c.sayReturnHere(e)
		}
		return &program.Return{At: at(e), Value: b.opt(e.Value)}
	case *ast.Throw:
		return &program.Throw{At: at(e), Value: b.expr(e.Value)}
	case *ast.Perform, *ast.Ask, *ast.Signal, *ast.Await, *ast.Spawn, *ast.SpawnIn, *ast.Select, *ast.Emit:
		return b.world(e)
	case *ast.Mock, *ast.Expect, *ast.ExpectError, *ast.Advance, *ast.Crash:
		return b.testStatement(e)
	}
	return b.ending(e)
}

// block lowers `{ … }` with names of its own.
func (b *body) block(e *ast.Block) program.Expr {
	if e == nil {
		return &program.Block{At: program.At{Place: b.fn.Span}}
	}
	b.open()
	defer b.close()
	return &program.Block{At: at(e), Stmts: b.sequence(e.Stmts)}
}

// sequence lowers statements one after the other.
func (b *body) sequence(stmts []ast.Expr) []program.Expr {
	out := make([]program.Expr, 0, len(stmts))
	over := false
	for i, s := range stmts {
		x := b.expr(s)
		out = append(out, x)
		if over {
			continue
		}
		last := i == len(stmts)-1
		if !last && (idle(s, x) || dangling(x)) {
			b.c.sayNoEffect(s)
		}
		if !last && !completes(x) {
			b.c.sayUnreachable(stmts[i+1], s)
			over = true
		}
	}
	return out
}

// idle reports whether a statement only computes a value that nobody uses.
func idle(s ast.Expr, x program.Expr) bool {
	if c, ok := x.(*program.Const); ok && c.Value.IsNil() {
		_, written := bare(s).(*ast.NilLit) // others stand for what could not be resolved
		return written
	}
	return pure(x)
}

// dangling reports whether a statement's own value is lost, whatever its parts
// do: it was perhaps meant to go on with the line before.
func dangling(x program.Expr) bool {
	switch x := x.(type) {
	case *program.ListExpr:
		return true
	case *program.Neg, *program.Binary:
		return completes(x)
	}
	return false
}

// pure reports whether evaluating x does nothing but give a value.
func pure(x program.Expr) bool {
	switch x := x.(type) {
	case *program.Const, *program.Local, *program.SelfField, *program.SelfMeta, *program.FuncRef, *program.BuiltinRef, *program.Lambda:
		return true
	case *program.TupleExpr:
		return len(x.Elems) > 0 && pureKids(x)
	case *program.Not, *program.Neg, *program.Binary, *program.And, *program.Or, *program.Coalesce, *program.Text,
		*program.ListExpr, *program.Spread, *program.RecordExpr, *program.VariantExpr, *program.HandleExpr,
		*program.Field, *program.Index:
		return pureKids(x)
	case *program.CallBuiltin:
		for _, a := range x.Args {
			if _, ok := a.(*program.Lambda); ok {
				return false // who knows what it is called for
			}
		}
		return pureKids(x)
	}
	return false
}

func pureKids(x program.Expr) bool {
	for _, k := range parts(x) {
		if !pure(k) {
			return false
		}
	}
	return true
}

func (b *body) let(e *ast.Let) program.Expr {
	v := b.expr(e.Value)
	known := b.actorOf(e.Value)
	if !isNil(e.In) {
		b.open()
		defer b.close()
	}
	kind := letVar
	if e.Var {
		kind = varVar
	}
	b.c.typeOf(e.Type)
	out := &program.Let{At: at(e), Value: v, Pattern: b.bindings(ast.OrPattern{e.Pattern}, kind)}
	if e.Type != nil {
		b.c.letTypes[out] = e.Type
	}
	if n, ok := e.Pattern.(*ast.BindPattern); ok && !e.Var {
		b.remember(b.scope.vars[n.Name], e.Value, known)
	}
	if isNil(e.In) {
		return out
	}
	return &program.Block{At: at(e), Stmts: []program.Expr{out, b.expr(e.In)}}
}

// remember notes of which actor a name plainly is a handle.
func (b *body) remember(v *variable, e ast.Expr, handle *actor) {
	if v == nil {
		return
	}
	v.actor = handle
	if _, ok := bare(e).(*ast.Spawn); ok {
		v.used = true // it says what was spawned, that is use enough
	}
}

func (b *body) ifElse(e *ast.If) program.Expr {
	out := &program.If{At: at(e), Cond: b.expr(e.Cond)}
	out.Then = b.scoped(e.Then)
	if !isNil(e.Else) {
		out.Else = b.scoped(e.Else)
	}
	return out
}

// scoped lowers an expression with a scope of its own.
func (b *body) scoped(e ast.Expr) program.Expr {
	b.open()
	defer b.close()
	return b.expr(e)
}

func (b *body) match(e *ast.Match) program.Expr {
	out := &program.Match{At: at(e), X: b.expr(e.X)}
	for _, a := range e.Arms {
		b.open()
		arm := program.Arm{}
		if p := b.pattern(a.Patterns); p != nil {
			arm.Patterns = []program.Pattern{p}
		}
		if !isNil(a.Guard) {
			arm.Guard = b.expr(a.Guard)
		}
		arm.Body = b.expr(a.Body)
		b.close()
		out.Arms = append(out.Arms, arm)
	}
	return out
}

func (b *body) forLoop(e *ast.For) program.Expr {
	out := &program.For{At: at(e), In: b.expr(e.In)}
	b.open()
	defer b.close()
	out.Pattern = b.pattern(ast.OrPattern{e.Pattern})
	out.Body = b.loopBody(e.Body)
	return out
}

func (b *body) loopBody(e *ast.Block) program.Expr {
	if e == nil {
		return &program.Block{}
	}
	b.loops++
	defer func() { b.loops-- }()
	return b.block(e)
}

func (b *body) inLoop(e ast.Expr, word string) {
	if b.loops == 0 {
		b.c.sayOutsideLoop(e, word)
	}
}

func (b *body) try(e *ast.Try) program.Expr {
	out := &program.Try{At: at(e), Slot: -1}
	out.Body = b.block(e.Body)
	b.open()
	defer b.close()
	if e.Err != nil {
		v := b.declare(e.Err.Name, e.Err.Span(), errVar)
		b.point(&out.Slot, v)
	}
	out.Catch = b.block(e.Catch)
	return out
}
