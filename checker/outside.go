package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
	"github.com/wf-lang/wf/lang/value"
)

// Statements outside of any workflow, such as the lines of an interactive
// session, are lowered to one function. The names that earlier statements have
// bound are its parameters, and its result brings along what all names hold when
// it ends. So whoever runs statements one after the other carries values, and
// nothing of the evaluator's.

// A Name is a name that has a value outside of any workflow.
type Name struct {
	Name string
	Var  bool        // it may be assigned
	Type *types.Type // what is known of its values; nil: nothing
}

// Statements are what CheckOutside found.
type Statements struct {
	Program *program.Program // the declarations; Main does nothing
	// Func takes the values of the names that were bound before, in order.
	// Unpack reads its result.
	Func *program.Func
	// Names are all names in sight behind the statements: those bound before,
	// unless one of the statements hides them, then the new ones.
	Names []Name
	Type  *types.Type // of the value of the last statement

	origins []origin // of Names
	parts   int      // of the result of Func
}

// An origin is where the value of a name comes from: from that part of the
// result, if it may have changed, else it is the argument.
type origin struct{ part, arg int }

// Unpack takes the result of Func apart: the value of the last statement, and
// the values of Names. args are those that Func was given.
func (s *Statements) Unpack(result value.Value, args []value.Value) (value.Value, []value.Value) {
	parts := []value.Value{result}
	if s.parts > 1 {
		parts, _ = result.AsTuple()
	}
	values := make([]value.Value, len(s.Names))
	for i, at := range s.origins {
		if at.part > 0 {
			values[i] = parts[at.part]
		} else {
			values[i] = args[at.arg]
		}
	}
	return parts[0], values
}

// CheckOutside checks the statements of the first file as statements outside of
// any workflow: what needs an instance (self, emit, goto) is refused in them, and
// a name that nothing uses may be used by what comes after. The declarations of
// all files are in sight, constants of the other files among them, and a field that a workflow without `state` lines only
// reads may be given by a spawn to come, unless it seems to be misspelt. A file's
// place in files need not be its number in set. The statements are nil if there
// are errors.
func CheckOutside(files []*ast.File, set *source.Set, o Options, bound []Name) (*Statements, diag.List) {
	c := newChecker(set, o)
	c.open = true
	for i, f := range files {
		if f != nil {
			c.collect(f, i == 0)
		}
	}
	stmts := c.names.main
	c.settleState()
	c.mainVariable("") // finds them all
	for _, n := range bound {
		if c.mainNames[n.Name] == nil {
			c.mainNames[n.Name] = ast.Word{Name: n.Name}
		}
	}
	c.names.main = nil
	c.lowerAll()
	out := &Statements{Program: c.prog}
	i := c.lowerOutside(stmts, bound, out)
	for _, f := range c.names.allFuncs {
		f.used = true // by what comes after, perhaps
	}
	c.finish()
	list := c.audible()
	list.Sort()
	if list.HasErrors() {
		return nil, list
	}
	out.typed(i)
	return out, list
}

// lowerOutside lowers the statements to a tuple: what they come to, and behind it
// the names in sight.
func (c *checker) lowerOutside(stmts []*ast.Statement, bound []Name, out *Statements) *info {
	span := c.names.mainFile
	if n := len(stmts); n > 0 {
		span = stmts[0].Span().To(stmts[n-1].Span())
	}
	fn := &program.Func{Span: span}
	b := c.newBody(nil, outsideBody, "the statements", fn)
	for _, n := range bound {
		b.outsideName(n)
	}
	before := b.scope
	b.open()
	body := make([]ast.Expr, len(stmts))
	for i, s := range stmts {
		body[i] = s.Expr
	}
	at := program.At{Place: span}
	block := &program.Block{At: at, Stmts: b.sequence(body)}
	parts := []program.Expr{block}
	for k, n := range bound {
		if v := before.vars[n.Name]; b.scope.vars[n.Name] == nil && v != nil {
			from := origin{arg: k}
			if n.Var {
				from.part = len(parts)
				parts = append(parts, b.read(v, span))
			}
			out.Names, out.origins = append(out.Names, n), append(out.origins, from)
		}
	}
	for _, v := range b.info.vars {
		if b.scope.vars[v.name] == v {
			v.used = true
			out.Names, out.origins = append(out.Names, Name{Name: v.name, Var: v.mutable}), append(out.origins, origin{part: len(parts)})
			parts = append(parts, b.read(v, span))
		}
	}
	fn.Body, out.parts = block, len(parts)
	if len(parts) > 1 {
		fn.Body = &program.TupleExpr{At: at, Elems: parts}
	}
	b.close()
	b.done()
	out.Func = fn
	return b.info
}

// outsideName declares a name that was bound before.
func (b *body) outsideName(n Name) {
	kind := letVar
	if n.Var {
		kind = varVar
	}
	v := b.declare(n.Name, source.Span{}, kind)
	v.used = true
	b.fn.Params = append(b.fn.Params, program.Param{Name: n.Name})
	t := n.Type
	if t == nil {
		t = types.Any()
	}
	b.info.bound = append(b.info.bound, t)
	if t.Is(types.HandleKind) {
		v.actor = b.c.names.actors[t.Name]
	}
}

// typed notes of what types the values are.
func (s *Statements) typed(i *info) {
	t := i.found.result
	if s.parts == 1 {
		s.Type = t
		return
	}
	s.Type = types.Any()
	if t.Kind != types.TupleKind || len(t.Elem) != s.parts {
		return
	}
	s.Type = t.Elem[0]
	for k, from := range s.origins {
		if from.part == 0 {
			continue
		}
		s.Names[k].Type = t.Elem[from.part]
		if s.Names[k].Var || t.Elem[from.part].Is(types.NeverKind) {
			s.Names[k].Type = settled(t.Elem[from.part])
		}
	}
}
