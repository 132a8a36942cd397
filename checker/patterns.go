package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// binder lowers one pattern. All alternatives of it must bind the same names;
// the first one to mention a name gives it its slot.
type binder struct {
	b     *body
	kind  varKind
	bound map[string]*variable
	// seen are the names of the alternative at hand, in order.
	seen  []string
	spans map[string]source.Span
}

// pattern lowers a pattern whose names need not all be used for something else.
func (b *body) pattern(p ast.OrPattern) program.Pattern { return b.bindings(p, letVar) }

// bindings lowers a pattern that makes names of a kind.
func (b *body) bindings(p ast.OrPattern, kind varKind) program.Pattern {
	x := &binder{b: b, kind: kind, bound: map[string]*variable{}, spans: map[string]source.Span{}}
	return x.or(p)
}

// or lowers alternatives.
func (x *binder) or(alts ast.OrPattern) program.Pattern {
	if len(alts) == 1 {
		return x.one(alts[0])
	}
	if len(alts) == 0 {
		return program.Any{}
	}
	before := slices.Clone(x.seen)
	out := &program.OneOf{}
	var first []string
	for i, p := range alts {
		x.seen = slices.Clone(before)
		out.Alts = append(out.Alts, x.one(p))
		names := slices.Clone(x.seen[len(before):])
		if i == 0 {
			first = names
		} else if !sameNames(first, names) {
			x.b.c.sayAlternatives(p.Span(), first, names)
		}
	}
	return out
}

func sameNames(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// one lowers one alternative and notes where it stands, if it may fail.
func (x *binder) one(p ast.Pattern) program.Pattern {
	out := x.lower(p)
	switch out.(type) {
	case *program.Lit, *program.VariantOf, *program.TupleOf, *program.ListOf, *program.RecordOf:
		x.b.c.patternAt[out] = p.Span()
	}
	return out
}

func (x *binder) lower(p ast.Pattern) program.Pattern {
	switch p := p.(type) {
	case *ast.LitPattern:
		return &program.Lit{Value: x.b.c.literal(p.Value)}
	case *ast.BindPattern:
		return x.bind(p.Name, p.Span())
	case *ast.VariantPattern:
		return x.variant(p)
	case *ast.TuplePattern:
		if len(p.Elems) == 1 {
			return x.or(p.Elems[0])
		}
		out := &program.TupleOf{}
		for _, e := range p.Elems {
			out.Elems = append(out.Elems, x.or(e))
		}
		return out
	case *ast.ListPattern:
		return x.list(p)
	case *ast.RecordPattern:
		return x.record(p)
	}
	return program.Any{}
}

func (x *binder) bind(name string, span source.Span) program.Pattern {
	if name == "_" || name == "" {
		return program.Any{}
	}
	if slices.Contains(x.seen, name) {
		x.b.c.sayPatternNameTwice(name, span, x.spans[name])
		return program.Any{}
	}
	x.seen = append(x.seen, name)
	x.spans[name] = span
	v := x.bound[name]
	if v == nil {
		v = x.b.declare(name, span, x.kind)
		x.bound[name] = v
	}
	out := &program.Bind{Name: name}
	x.b.point(&out.Slot, v)
	return out
}

func (x *binder) rest(name *ast.Word) program.Pattern {
	if name == nil || name.Name == "" {
		return nil
	}
	return x.bind(name.Name, name.Span())
}

func (x *binder) list(p *ast.ListPattern) program.Pattern {
	out := &program.ListOf{}
	for _, e := range p.Elems {
		switch {
		case e.Rest:
			out.HasRest, out.Rest = true, x.rest(e.Name)
		case out.HasRest:
			out.After = append(out.After, x.or(e.Pattern))
		default:
			out.Before = append(out.Before, x.or(e.Pattern))
		}
	}
	return out
}

func (x *binder) record(p *ast.RecordPattern) program.Pattern {
	out := &program.RecordOf{}
	keys := map[string]source.Span{}
	for _, f := range p.Fields {
		if f.Rest {
			out.HasRest, out.Rest = true, x.rest(&f.Key)
			continue
		}
		if old, ok := keys[f.Key.Name]; ok {
			x.b.c.sayDuplicateKey(f.Key, old)
			continue
		}
		keys[f.Key.Name] = f.Key.Span()
		out.Keys = append(out.Keys, f.Key.Name)
		if len(f.Pattern) == 0 {
			x.b.c.byKey[f.Key.Span()] = true
			out.Patterns = append(out.Patterns, x.bind(f.Key.Name, f.Key.Span()))
			continue
		}
		out.Patterns = append(out.Patterns, x.or(f.Pattern))
	}
	return out
}

// variant lowers `Some(x)`. Named patterns are put where the declaration has
// the field, so the result is by position.
func (x *binder) variant(p *ast.VariantPattern) program.Pattern {
	v := x.b.c.names.variants[p.Name.Name]
	if v == nil {
		if !x.b.c.broken {
			x.b.c.sayUnknownVariant(p.Name)
		}
		x.loose(p)
		return program.Any{}
	}
	out := &program.VariantOf{Name: v.name, Bare: p.Args == nil}
	if p.Args == nil {
		return out
	}
	out.Fields = make([]program.Pattern, len(v.names))
	next, tooMany, partial := 0, false, false
	for _, a := range p.Args.Args {
		switch {
		case a.Rest:
			partial = true
		case a.Name.Name != "":
			partial = true
			i := slices.Index(v.names, a.Name.Name)
			if i < 0 {
				x.b.c.sayUnknownArg(variantSignature(v), a.Name)
				x.or(a.Pattern)
				continue
			}
			out.Fields[i] = x.or(a.Pattern)
		case next < len(out.Fields):
			out.Fields[next] = x.or(a.Pattern)
			next++
		default:
			x.or(a.Pattern)
			tooMany = true
		}
	}
	if tooMany || (!partial && next < len(out.Fields)) {
		x.b.c.sayVariantArity(p, v)
	}
	for i, f := range out.Fields {
		if f == nil {
			out.Fields[i] = program.Any{}
		}
	}
	return out
}

// loose lowers the arguments of an unknown variant, for the names they bind.
func (x *binder) loose(p *ast.VariantPattern) {
	if p.Args == nil {
		return
	}
	for _, a := range p.Args.Args {
		x.or(a.Pattern)
	}
}

// mustFit refuses a parameter's pattern that does not fit every value.
func (c *checker) mustFit(p ast.Pattern) {
	if bad := c.choosy(p); bad != nil {
		c.sayChoosyParam(bad)
	}
}

// choosy finds a part of a pattern that does not fit every value of the kind it
// is for; nil if there is none.
func (c *checker) choosy(p ast.Pattern) ast.Pattern {
	var parts []ast.OrPattern
	switch p := p.(type) {
	case *ast.LitPattern:
		return p
	case *ast.ListPattern:
		if len(p.Elems) != 1 || !p.Elems[0].Rest {
			return p
		}
	case *ast.TuplePattern:
		parts = p.Elems
	case *ast.RecordPattern:
		for _, f := range p.Fields {
			parts = append(parts, f.Pattern)
		}
	case *ast.VariantPattern:
		if v := c.names.variants[p.Name.Name]; v != nil && len(v.peers) > 1 {
			return p
		}
		if p.Args != nil {
			for _, a := range p.Args.Args {
				parts = append(parts, a.Pattern)
			}
		}
	}
	for _, alts := range parts {
		var bad ast.Pattern
		for i, x := range alts {
			if found := c.choosy(x); i == 0 || found == nil {
				bad = found
			}
			if bad == nil {
				break
			}
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

// mustBeNamed refuses patterns as parameters of messages.
func (c *checker) mustBeNamed(ps []ast.Param, what string) {
	for _, p := range ps {
		if p.Pattern != nil {
			c.sayNamelessParam(p, "the parameters of "+what+" have names, by which they may be given", "write a name, and take it apart in the body with `let`")
		}
	}
}
