package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// branchInfo is a branch of a block with all steps in it, nested ones too.
type branchInfo struct {
	name  string
	span  source.Span
	steps []*info
	up    *branchInfo
}

func (b *branchInfo) add(i *info) {
	for x := b; x != nil; x = x.up {
		x.steps = append(x.steps, i)
	}
}

// parallel lowers a block.
func (s *sequence) parallel(m *ast.Parallel, in inside) *program.Item {
	c := s.c
	out := &program.Parallel{Span: m.Span(), Else: -1}
	s.blockHead(m, out, in)
	_, target := s.clauses(m.Clauses, "parallel")
	out.Else = s.elseOf(m, target, in)
	within := inside{block: true, elems: in.elems, lists: in.lists}
	var branches []*branchInfo
	if m.ForPattern != nil {
		within.elems = append(in.elems[:len(in.elems):len(in.elems)], m.ForPattern)
		within.lists = append(in.lists[:len(in.lists):len(in.lists)], out.In)
		within.branch = &branchInfo{name: "for", span: m.Span(), up: in.branch}
		out.Branches = []*program.Branch{{Span: m.Span(), Items: s.items(m.Items, within, true)}}
		c.later = append(c.later, func() { c.writesInFor(within.branch) })
	} else {
		branches = s.branches(m, out, within, in.branch)
		c.later = append(c.later, func() { c.branchConflicts(branches) })
	}
	if m.Compensate != nil {
		out.Compensate = s.compensate(m.Compensate, in, nil, "the block")
	}
	return &program.Item{Parallel: out}
}

// blockHead lowers what stands before the braces.
func (s *sequence) blockHead(m *ast.Parallel, out *program.Parallel, in inside) {
	if m.Settle {
		s.c.refuseFeature("parallel settle", m.Span())
		out.Mode = program.Settle
	}
	if !isNil(m.First) {
		s.c.refuseFeature("parallel first", m.First.Span())
		if m.Settle {
			s.c.saySettleFirst(m)
		}
		out.Mode = program.First
		out.First = s.headValue(m.First, "first", in)
	}
	if m.ForPattern != nil {
		s.c.refuseFeature("parallel for", m.ForPattern.Span())
		out.For = true
		out.In = s.headValue(m.ForIn, "parallel for", in)
		if !isNil(m.Max) {
			out.Max = s.headValue(m.Max, "max", in)
		}
	}
}

// headValue lowers an expression of a block's head; it sees the elements of
// the blocks around.
func (s *sequence) headValue(e ast.Expr, name string, in inside) *program.Func {
	b := s.c.newBody(s.a, clauseValue, name, &program.Func{Span: e.Span()})
	b.elements(in)
	b.fn.Body = b.withParams(func() program.Expr { return b.expr(e) })
	b.done()
	return b.fn
}

// branches lowers the branches of a block that is no `for`.
func (s *sequence) branches(m *ast.Parallel, out *program.Parallel, in inside, up *branchInfo) []*branchInfo {
	var all []*branchInfo
	names := map[string]source.Span{}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ast.Step:
			s.branchName(it.Name, names)
			x := &branchInfo{name: it.Name.Name, span: it.Name.Span(), up: up}
			in.branch = x
			out.Branches = append(out.Branches, &program.Branch{
				Name: it.Name.Name, Span: it.Name.Span(), Items: []*program.Item{s.step(it, in)},
			})
			all = append(all, x)
		case *ast.Branch:
			s.branchName(it.Name, names)
			x := &branchInfo{name: it.Name.Name, span: it.Name.Span(), up: up}
			in.branch = x
			br := &program.Branch{Name: it.Name.Name, Span: it.Name.Span(), Items: s.items(it.Items, in, false)}
			if it.Compensate != nil {
				br.Compensate = s.compensate(it.Compensate, in, nil, "branch "+it.Name.Name)
			}
			out.Branches = append(out.Branches, br)
			all = append(all, x)
		case *ast.Parallel:
			s.c.sayNakedBlock(it)
		case *ast.BadItem:
		default:
			s.c.sayMisplaced(it, "a `parallel` block", "it holds steps and branches")
		}
	}
	return all
}

func (s *sequence) branchName(w ast.Word, names map[string]source.Span) {
	if old, ok := names[w.Name]; ok {
		s.c.sayDuplicateMember("branch", w, old)
		return
	}
	names[w.Name] = w.Span()
}

// items lowers a sequence inside a branch or a `parallel for`.
func (s *sequence) items(items []ast.Item, in inside, isFor bool) []*program.Item {
	var out []*program.Item
	for _, it := range items {
		switch it := it.(type) {
		case *ast.Step:
			out = append(out, s.step(it, in))
		case *ast.Parallel:
			out = append(out, s.parallel(it, in))
		case *ast.BadItem:
		case *ast.Branch:
			if isFor {
				s.c.sayMisplaced(it, "a `parallel for` block", "its steps run in order, once for each element; write the steps without the branch")
			} else {
				s.c.sayMisplaced(it, "a branch", "put a `parallel` block around the inner branches")
			}
		default:
			s.c.sayMisplaced(it, "a `parallel` block", "it holds steps and branches")
		}
	}
	return out
}

// writesInFor refuses assignments to the state in a `parallel for`.
func (c *checker) writesInFor(b *branchInfo) {
	for _, i := range b.steps {
		if len(i.allWrites) > 0 {
			c.sayWriteInFor(i, i.allWrites[0], b.span)
		}
	}
}

// branchConflicts refuses a field that two branches assign, and warns of a
// signal that two of them wait for.
func (c *checker) branchConflicts(branches []*branchInfo) {
	type first struct {
		branch *branchInfo
		span   source.Span
	}
	fields, signals := map[string]first{}, map[string]first{}
	var whole *first
	for _, b := range branches {
		mine := map[string]bool{}
		for _, i := range b.steps {
			for _, w := range i.allWrites {
				if old, ok := fields[w.field]; ok && old.branch != b && !mine[w.field] {
					c.sayBranchWrites(w, b.name, old.branch.name, old.span)
				} else if whole != nil && whole.branch != b && !mine[w.field] {
					c.sayBranchWrites(w, b.name, whole.branch.name, whole.span)
				}
				if _, ok := fields[w.field]; !ok {
					fields[w.field] = first{b, w.span}
				}
				if w.field == "" && whole == nil {
					whole = &first{b, w.span}
				}
				mine[w.field] = true
			}
			for _, s := range i.signals {
				if old, ok := signals[s.name]; ok && old.branch != b {
					c.saySameSignal(s.name, b, old.branch)
				} else if !ok {
					signals[s.name] = first{b, b.span}
				}
			}
		}
	}
}
